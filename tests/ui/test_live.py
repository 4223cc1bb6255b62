"""Memory one can watch: what would go in while one writes, steered by keys; each turn's receipt and all behind it."""

from __future__ import annotations

import json
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import OptionList

from geekagent_tui.agent.models.base import Finish, TextPiece
from geekagent_tui.ui.panes.rows import Rows
from geekagent_tui.ui.screens.compare import CompareScreen
from geekagent_tui.ui.screens.inspection import InspectionScreen
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
    transcript,
    until,
)
from tests.support.loopback import LoopbackServer, text_reply
from tests.support.turns import ScriptedModel

WIDE = (120, 36)
ENTRIES = (
    "部署在周五下午三点，回滚用上一个镜像。",
    "部署之前先看 grafana 的面板，值班的人负责。",
    "我喜欢骑自行车，周末去爬山。",
)
QUERY = "部署 之前 看什么"


def queries_of(cases: Path) -> list[dict[str, object]]:
    return list(json.loads(cases.read_text(encoding="utf-8"))["groups"][0]["queries"])


def titled(pilot: Pilot[int]) -> str:
    return str(recall_pane(pilot).border_title)


def hits(pilot: Pilot[int]) -> list[int]:
    preview = chat_of(pilot).live.preview
    return [hit.entry for hit in preview.recall.hits] if preview is not None else []


async def typed(pilot: Pilot[int], text: str) -> None:
    composer(pilot).take(text)
    live = chat_of(pilot).live
    await until(pilot, lambda: live.preview is not None and live.preview.query == text)


async def inspect(pilot: Pilot[int]) -> InspectionScreen:
    await pilot.press("f5")
    await until(pilot, lambda: transcript(pilot).has_focus)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, InspectionScreen))
    screen = pilot.app.screen
    assert isinstance(screen, InspectionScreen)
    await until(pilot, lambda: "放进提示的原文" in screen.query_one(Rows).text)
    return screen


async def test_what_is_seen_while_writing_is_what_goes_in_and_keys_steer_it(home: Home) -> None:
    home.remember(*ENTRIES)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await typed(pilot, QUERY)
        assert "将放入" in titled(pilot)
        assert hits(pilot) == [2, 1]
        await until(pilot, lambda: "/ 1600 字 · 约" in screen_text(pilot.app))
        await pilot.press("f3")
        await until(pilot, lambda: recall_pane(pilot).has_focus)
        await pilot.press("space")  # takes the first out of this turn
        await until(pilot, lambda: hits(pilot) == [1])
        await until(pilot, lambda: "这一轮不放（Space" in screen_text(pilot.app))
        await until(pilot, lambda: recall_pane(pilot).cursor == 1)  # the cursor stays on the passage
        await pilot.press("space")
        await until(pilot, lambda: hits(pilot) == [2, 1])
        await pilot.press("space")
        await until(pilot, lambda: hits(pilot) == [1])
        seen = chat_of(pilot).live.preview
        assert seen is not None
        await pilot.press("escape", "enter")
        await idle(pilot)
        record = chat_of(pilot).driver.conversation.records[-1]  # type: ignore[union-attr]
        assert record.recall == seen.recall
        assert record.injected == seen.injected
        assert ENTRIES[1] not in record.injected
        await until(pilot, lambda: titled(pilot) == "唤起")
        assert "🧠 1 段" in screen_text(pilot.app)
        # For the next turn nothing is out any more; a command and an empty draft show no preview.
        await typed(pilot, QUERY)
        assert hits(pilot) == [2, 1]
        composer(pilot).take("/help")
        await until(pilot, lambda: titled(pilot) == "唤起")


async def test_having_taken_all_out_is_not_having_no_memory(home: Home) -> None:
    home.remember(*ENTRIES)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await typed(pilot, QUERY)
        assert hits(pilot) == [2, 1]
        await pilot.press("f3", "space")
        await until(pilot, lambda: hits(pilot) == [1] and recall_pane(pilot).cursor == 1)
        await pilot.press("k", "space")
        await until(pilot, lambda: hits(pilot) == [])
        await pilot.press("escape", "enter")
        await idle(pilot)
        await until(pilot, lambda: "🧠 你拿掉了 2 段，没有放记忆" in screen_text(pilot.app))
        await until(pilot, lambda: "你拿掉了 2 段，没有别的放进提示。" in screen_text(pilot.app))


async def test_pins_stay_with_the_session_and_not_useful_with_memory(home: Home) -> None:
    home.remember(*ENTRIES)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await typed(pilot, "骑自行车")
        await pilot.press("f3", "p")
        await until(pilot, lambda: len(chat_of(pilot).choices.pins) == 1)
        await pilot.press("escape")
        await typed(pilot, QUERY)
        assert hits(pilot) == [3, 2, 1]
        await pilot.press("f3", "j", "x")
        await until(pilot, lambda: hits(pilot) == [3, 1])
        await until(pilot, lambda: "你说过没用（x" in screen_text(pilot.app))
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, QUERY)
        record = chat_of(pilot).driver.conversation.records[-1]  # type: ignore[union-attr]
        assert record.recall is not None
        assert [hit.entry for hit in record.recall.hits] == [3, 1]
        await say(pilot, "/pin")
        await until(pilot, lambda: "这个会话钉住的（1）" in screen_text(pilot.app))
        await say(pilot, "/new t")
        await until(pilot, lambda: chat_of(pilot).session == "t")
        await typed(pilot, QUERY)
        assert hits(pilot) == [1]  # no pin here, but still not useful
        await pilot.press("f3", "j", "x")
        await until(pilot, lambda: hits(pilot) == [2, 1])


async def test_commands_choose_how_the_session_recalls(home: Home) -> None:
    home.remember(*ENTRIES)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        composer(pilot).take("/recall o")
        await pilot.pause()
        menu = chat_of(pilot).query_one("CommandMenu", OptionList)
        await until(pilot, lambda: menu.option_count == 2)
        await say(pilot, "/recall top 1")
        await typed(pilot, QUERY)
        assert hits(pilot) == [2]
        await say(pilot, "/recall profile nothing")
        await until(pilot, lambda: "没有名为 nothing 的打分方案" in screen_text(pilot.app))
        await say(pilot, "/recall off")
        await ask(pilot, QUERY)
        assert "🧠 自动唤起关着" in screen_text(pilot.app)
        await say(pilot, "/private")
        await until(pilot, lambda: "🔒 私密：不读不写记忆" in screen_text(pilot.app))
        await ask(pilot, "记住：不要存这句")
        assert home.entries() == list(ENTRIES)
        assert "🔒 私密：没有读记忆" in screen_text(pilot.app)
        await say(pilot, "/private off")
        await say(pilot, "/recall on")
        await ask(pilot, QUERY)
        assert "🧠 1 段" in screen_text(pilot.app)


async def test_a_receipt_opens_all_of_the_turn_and_its_request(home: Home, loopback: LoopbackServer) -> None:
    home.remember(*ENTRIES)
    home.serve(loopback.base_url, key="sk-very-secret")
    loopback.add(text_reply("先看 grafana 的面板，由值班的人负责。"))
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, QUERY)
        screen = await inspect(pilot)
        rows = screen.query_one(Rows)
        await until(pilot, lambda: '"stream_options"' in rows.text)
        text = rows.text
        assert "估计：回答用到了它" in text
        assert "问句拆成的词" in text
        assert "very-secret" not in text
        await pilot.press("y")
        assert json.loads(home.copied[-1]) == loopback.requests[-1].json
        memory = [span for row in rows._rows for span, style in row.spans if style == "memory"]
        assert "自动唤起长期记忆" in "".join(memory)
        # Today's memory answers otherwise, and the screen says how.
        home.remember(ENTRIES[1], "部署之前看日历。")
        await pilot.press("r")
        await until(pilot, lambda: "＋ 条目 #2" in rows.text)
        assert "－ 条目 #1" in rows.text
        # Without memory: another request, no tools, nothing kept.
        loopback.add(text_reply("不知道。"))
        await pilot.press("w")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and pilot.app.screen.done)
        assert "不知道。" in screen_text(pilot.app)
        assert "grafana" in screen_text(pilot.app)
        again = loopback.requests[-1].json
        assert "tools" not in again
        assert "grafana" not in json.dumps(again)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: pilot.app.screen is chat_of(pilot))
        assert len(chat_of(pilot).driver.conversation.records) == 1  # type: ignore[union-attr]


async def test_without_one_passage_and_cases_for_eval(home: Home) -> None:
    home.remember(*ENTRIES)
    home.model = ScriptedModel([TextPiece("答"), Finish("stop")], [TextPiece("另一个"), Finish("stop")])
    async with home.app(session="s").run_test(size=(40, 12)) as pilot:
        await ready(pilot)
        await ask(pilot, QUERY)
        await inspect(pilot)
        await pilot.press("n", "W")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and pilot.app.screen.done)
        prompt = home.model.requests[-1].messages[0].content
        assert ENTRIES[1] in prompt
        assert ENTRIES[0] not in prompt
        await pilot.press("escape", "c")
        await until(pilot, lambda: "不该来：条目 #2" in screen_text(pilot.app))
        await pilot.press("enter")
        cases = home.geekagent / "recall_cases.json"
        await until(pilot, cases.exists)
        await pilot.press("c")
        await until(pilot, lambda: "该来：条目 #3" in screen_text(pilot.app))
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: "条目 #3 该来" in screen_text(pilot.app))
        (query,) = queries_of(cases)
        assert query == {"q": QUERY, "entries": [3], "without": [2]}


async def test_the_offline_responder_sends_no_request_and_the_screen_says_so(home: Home) -> None:
    home.remember(*ENTRIES)
    async with home.app(session="s").run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await ask(pilot, "谢谢")
        assert "没有查记忆" in screen_text(pilot.app)
        screen = await inspect(pilot)
        assert "离线应答不发请求" in screen.query_one(Rows).text
        assert "这句话不是在问什么" in screen.query_one(Rows).text
