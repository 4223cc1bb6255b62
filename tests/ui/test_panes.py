"""The panes beside the chat: folded and called back, aligned, and true about what they show."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Footer

from geekagent_tui.agent.models.openai_client import OpenAIModel
from geekagent_tui.ui.panes.hit_view import _packed
from tests.support.app import (
    Home,
    ask,
    chat_of,
    composer,
    idle,
    ready,
    recall_pane,
    say,
    screen_text,
    sidebar,
    until,
)
from tests.support.loopback import LoopbackServer, hang_reply, text_reply

WIDE, BROAD = (120, 36), (200, 40)


def footer_text(pilot: Pilot[int]) -> str:
    footer = chat_of(pilot).query_one(Footer)
    return screen_text(pilot.app).splitlines()[footer.region.y]


@pytest.mark.parametrize("size", [WIDE, BROAD])
async def test_in_a_wide_window_a_key_folds_the_recall_pane_and_calls_it_back(
    home: Home, size: tuple[int, int]
) -> None:
    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        width = chat_of(pilot).query_one("#chat").size.width
        await pilot.press("f3")
        await until(pilot, lambda: recall_pane(pilot).has_focus)
        await pilot.press("f3")
        await pilot.pause()
        assert not recall_pane(pilot).display
        assert pilot.app.focused is composer(pilot)
        await pilot.press("f3")
        await until(pilot, lambda: recall_pane(pilot).has_focus)
        await pilot.press("escape", "f4")
        await pilot.pause()
        assert not sidebar(pilot).display
        assert "记忆  0 条 / 0 块" in screen_text(pilot.app)  # on the line that takes its place
        await pilot.press("f3", "f3")
        await pilot.pause()
        assert chat_of(pilot).query_one("#chat").size.width == size[0]
        await pilot.press("f4", "f3")
        await pilot.pause()
        assert chat_of(pilot).query_one("#chat").size.width == width


async def test_the_footer_says_what_escape_does(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url)
    loopback.add(hang_reply())
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.pause()
        assert "esc" not in footer_text(pilot)
        await say(pilot, "问")
        await until(pilot, lambda: "esc 停止" in footer_text(pilot))
        await pilot.press("f3")
        await until(pilot, lambda: recall_pane(pilot).has_focus)
        assert "esc 停止" in footer_text(pilot)
        await pilot.press("escape")
        await idle(pilot)
        await until(pilot, lambda: "esc" not in footer_text(pilot))
        assert "已中断" in screen_text(pilot.app)
        await pilot.press("f3")
        await until(pilot, lambda: "esc 回输入框" in footer_text(pilot))


async def test_an_earlier_turn_says_that_it_is_one(home: Home) -> None:
    home.remember("部署在周五")
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        await ask(pilot, "部署窗口")
        assert "第 2 轮：部署窗口" in screen_text(pilot.app)
        await pilot.press("f5")
        await pilot.pause()
        await pilot.press("left_square_bracket", "escape")
        await pilot.pause()
        assert "第 1 轮（共 2 轮）：部署" in screen_text(pilot.app)


async def test_values_in_the_sidebar_stand_in_one_column(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        lines = [line.plain for line in sidebar(pilot).content.split("\n")]  # type: ignore[union-attr]
        assert len(lines) > 7
        starts = {cell_len(re.match(r"\S+\s+", line)[0]) for line in lines}  # type: ignore[index]
        assert starts == {6}


@pytest.mark.parametrize("width", range(8, 60))
def test_terms_wrap_between_and_never_within(width: int) -> None:
    items = [
        "历史\u00a01.20",
        "史压\u00a00.68",
        "压缩\u00a02.31",
        "MAX_HISTORY_CHARS\u00a03.00",
        "触发\u00a00.68",
    ]
    rows = _packed(items, " · ", "词：{terms}", width)
    assert " ".join(rows).replace(" ·", "").removeprefix("词：").split(" ") == items
    assert all(cell_len(row) <= max(width + 2, cell_len(max(items, key=cell_len)) + 6) for row in rows)


async def test_completions_stand_in_columns_and_the_palette_speaks_chinese(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await pilot.pause()
        rows = [
            line
            for line in screen_text(pilot.app).splitlines()
            if re.match(r"\S?\s*/(help|new|open|retry)\b", line)
        ]
        helps = ("帮助：", "新建", "打开", "再问")
        columns = {cell_len(row[: row.index(word)]) for row in rows for word in helps if word in row}
        assert len(rows) == 4
        assert len(columns) == 1
        await pilot.press("backspace", "ctrl+p")
        await until(pilot, lambda: "搜命令" in screen_text(pilot.app))


async def test_the_list_of_sessions_marks_the_open_one(home: Home) -> None:
    async with home.app(session="one").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "一")
        home.now += 60
        await say(pilot, "/new two")
        await until(pilot, lambda: chat_of(pilot).session == "two")
        await ask(pilot, "二")
        rows = dict(await chat_of(pilot).driver.session_rows())
        assert rows["two"].startswith("▸ two")
        assert rows["one"].startswith("  one")


async def test_the_client_is_loaded_before_the_first_message(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url)
    loopback.add(text_reply("好"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        model = chat_of(pilot).driver.workspace.model  # type: ignore[union-attr]
        assert isinstance(model, OpenAIModel)
        await until(pilot, lambda: model._client is not None)
        assert not loopback.requests
