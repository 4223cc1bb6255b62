"""The acceptance story of the specification, through the interface, with a restart between."""

from __future__ import annotations

import pytest

from geekagent_tui.agent.record import ToolPart
from tests.support.app import Home, ask, chat_of, idle, ready, screen_text, sidebar, transcript, until

FILLER = "那周还讨论了别的事，比如周会改到周三、文档搬家、谁来值班，记在这里只是为了凑够背景。" * 7
STORY = (
    f"记住：上月的技术选型。{FILLER}历史压缩决定放第五天做，因为上下文长度第一次成为瓶颈；"
    "触发阈值 MAX_HISTORY_CHARS 默认 4000 字符，压缩保留最近 6 条。"
)
QUESTION = "当初为什么把历史压缩安排在第五天？触发的阈值是多少？"


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_it_still_knows_after_a_restart(home: Home, size: tuple[int, int]) -> None:
    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        await ask(pilot, STORY)
        call = next(
            part for record in transcript(pilot).turns for part in record.parts if isinstance(part, ToolPart)
        )
        assert call.name == "memory_write"
        assert call.result is not None
        assert call.result.startswith("已记住：上月的技术选型")
        assert "[调用工具 memory_write → 已记住：" in screen_text(pilot.app)
        state = sidebar(pilot).state
        assert state.entries == 1
        assert state.chunks >= 2
        assert f"记忆  1 条 / {state.chunks} 块" in screen_text(pilot.app)
        await pilot.press("ctrl+q")

    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        await ask(pilot, QUESTION)
        record = chat_of(pilot).driver.conversation.records[-1]  # type: ignore[union-attr]
        assert record.recall is not None
        assert record.recall.hits[0].entry == 1
        assert "4000" in record.answer
        assert not any(isinstance(part, ToolPart) for part in record.parts)
        await ask(pilot, "/memory")
        assert "长期记忆（1 条）：" in screen_text(pilot.app) or size[0] < 100
        await idle(pilot)

    assert home.entries() == [STORY.removeprefix("记住：")]


async def test_the_stored_recall_is_shown_again_after_a_restart(home: Home) -> None:
    home.remember("部署在周五下午，回滚用上一个镜像。")
    async with home.app(session="work").run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await ask(pilot, "部署在什么时候？")
        await pilot.press("ctrl+q")
    home.remember("全都换了")
    async with home.app(resume=True).run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        assert chat_of(pilot).session == "work"
        text = screen_text(pilot.app)
        assert "条目 #1，第 1 段" in text
        assert "部署在周五下午" in text


async def test_the_last_session_is_offered_on_the_next_start(home: Home) -> None:
    async with home.app(session="work").run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await ask(pilot, "部署在什么时候？")
        await pilot.press("ctrl+q")
    async with home.app().run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "/open work" in screen_text(pilot.app))
        assert "1 轮" in screen_text(pilot.app)
        await ask(pilot, "/open work")
        assert chat_of(pilot).session == "work"
