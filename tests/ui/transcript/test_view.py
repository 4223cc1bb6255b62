"""The widget under a user's hands."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget

from geekagent_tui.agent.events import (
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnCancelled,
    TurnFinished,
    TurnStarted,
)
from geekagent_tui.agent.record import ReasoningPart, ToolPart, TurnRecord
from geekagent_tui.texts.transcript import ZH
from geekagent_tui.ui.transcript import turn_view
from geekagent_tui.ui.transcript.blocks import Block
from tests.ui.transcript.shared import TranscriptApp, done, running

SIZE = (40, 12)
CODE = "前\n\n```python\na = 1\n```\n\n中\n\n- 项\n\n  ```\n  b\n  ```\n"


def many(count: int = 30) -> list[TurnRecord]:
    return [done(f"t{at}", f"问{at}", f"答{at}") for at in range(count)]


async def test_banner_stands_above_all() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE):
        app.transcript.banner = ("标题", "说明")
        assert app.screen_rows()[:3] == ["  标题", "  说明", ""]
        app.transcript.set_turns(many(1))
        assert app.screen_rows()[:4] == ["  标题", "  说明", "", "▎ ❯ 问0"]


async def test_turns_open_at_the_end_with_the_last_selected() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many())
        await pilot.pause()
        assert app.screen_rows()[-4:] == ["▎ ❯ 问29", "▎", "▎ 答29", ""]
        assert app.selected == ["t29"]
        assert app.transcript.follows
        app.transcript.clear()
        await pilot.pause()
        assert app.transcript.turns == ()
        assert app.selected == ["t29", None]


async def test_a_long_session_lays_out_what_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[str] = []
    blocks = turn_view.TurnView.blocks

    def spied(self: turn_view.TurnView) -> list[Block]:
        laid.append(self.record.id)
        return blocks(self)

    monkeypatch.setattr(turn_view.TurnView, "blocks", spied)
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many(2_000))
        await pilot.pause()
        assert 0 < len(set(laid)) <= 5
        laid.clear()
        await pilot.press("home", "end")
        assert len(set(laid)) <= 6


async def test_streaming_is_drawn_at_the_frame_and_ends_at_once() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE):
        transcript = app.transcript
        transcript.add(running("a"))
        assert "  … 正在等待模型" in app.screen_rows()
        for char in "你好":
            transcript.apply(TextDelta("a", char))
        transcript.apply(TextDelta("other", "x"))
        assert "  … 正在等待模型" in app.screen_rows()
        record = transcript.current_record("a")
        assert record is not None
        assert record.answer == "你好"
        transcript.flush()
        assert "  你好" in app.screen_rows()
        transcript.apply(TextDelta("a", "！"))
        transcript.apply(TurnCancelled("a", 1.0))
        assert app.screen_rows()[:5] == ["  ❯ 问", "", "  你好！", "", "  ⏹ 已中断"]


async def test_the_timer_runs_only_while_something_is_pending() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE):
        transcript = app.transcript
        transcript.add(running("a"))
        states = [transcript._timer is None]
        transcript.apply(TextDelta("a", "x"))
        states.append(transcript._timer is None)
        transcript.flush()
        states.append(transcript._timer is None)
        assert states == [True, False, True]


async def test_the_screen_after_streaming_equals_the_opened_record() -> None:
    first, second = TranscriptApp(), TranscriptApp()
    async with first.run_test(size=SIZE):
        first.transcript.add(running("a"))
        for at in range(0, len(CODE), 3):
            first.transcript.apply(TextDelta("a", CODE[at : at + 3]))
            first.transcript.flush()
        first.transcript.apply(TurnFinished("a", "stop", 1.0))
        first.transcript.selected_turn = "a"
        rows, record = first.screen_rows(), first.transcript.current_record("a")
    assert record is not None
    async with second.run_test(size=SIZE):
        second.transcript.set_turns([record])
        assert second.screen_rows() == rows


def wheel(widget: Widget, step: int) -> events.MouseEvent:
    kind = events.MouseScrollUp if step < 0 else events.MouseScrollDown
    return kind(widget, 5, 5, 0, step, 0, False, False, False)


async def stream(app: TranscriptApp, lines: int) -> None:
    for at in range(lines):
        app.transcript.apply(TextDelta("s", f"行{at}\n"))
        app.transcript.flush()


@pytest.mark.parametrize("key", ["up", "k", "pageup", "home", "g"])
async def test_scrolling_up_holds_still_and_end_follows_again(key: str) -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        transcript.set_turns([*many(10), running("s")])
        await stream(app, 20)
        assert app.screen_rows()[-2:] == ["▎ 行19", ""]
        await pilot.press(key)
        held, still = not transcript.follows, app.screen_rows()
        await stream(app, 20)
        await pilot.pause()
        assert app.screen_rows()[:-1] == still[:-1]
        assert app.screen_rows()[-1].endswith("↓ 新消息")
        assert held
        assert app.unseen == [True]
        await pilot.press("end")
        await pilot.pause()
        assert app.screen_rows()[-2:] == ["▎ 行19", ""]
        assert transcript.follows
        assert app.unseen == [True, False]


async def test_the_wheel_stops_following_and_scrolling_down_to_the_end_follows() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many())
        await pilot.pause()
        app.transcript.post_message(wheel(app.transcript, -1))
        await pilot.pause()
        states = [app.transcript.follows]
        for _ in range(5):
            await pilot.press("down")
        states.append(app.transcript.follows)
        assert states == [False, True]


async def test_a_resize_keeps_what_is_read() -> None:
    app = TranscriptApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.transcript.set_turns([done(f"t{at}", f"问{at}", "长" * 70) for at in range(30)])
        app.transcript.selected_turn = None
        await pilot.pause()
        for _ in range(20):
            await pilot.press("pageup")
        first = app.screen_rows()[0]
        while "问" not in first:
            await pilot.press("up")
            first = app.screen_rows()[0]
        await pilot.resize_terminal(30, 10)
        await pilot.pause()
        assert app.screen_rows()[0] == first
        await pilot.press("end")
        await pilot.resize_terminal(80, 20)
        await pilot.pause()
        assert app.transcript.follows
        assert app.screen_rows()[-1] == ""
        assert "长" in app.screen_rows()[-2]


async def test_brackets_walk_turns() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many(10))
        await pilot.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        await pilot.pause()
        assert app.selected == ["t9", "t8", "t7", "t6"]
        assert "▎ ❯ 问6" in app.screen_rows()
        await pilot.press("right_square_bracket")
        assert app.transcript.selected_turn == "t7"


async def test_n_walks_code_blocks_and_c_copies_them() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "问", CODE), *many(8)])
        await pilot.press("g", "n", "c", "n", "c", "N", "c", "N", "c")
        await pilot.pause()
        assert app.copied == [(text, ZH.what_code) for text in ("a = 1", "b", "a = 1", "a = 1")]
        assert app.transcript.selected_turn == "a"
        assert any(row.startswith("▌  a = 1") for row in app.screen_rows())


async def test_c_without_a_cursor_takes_the_code_in_sight() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "问", CODE), *many(8)])
        await pilot.press("c", "g", "c")
        app.transcript.set_turns(many(2))
        await pilot.press("c")
        await pilot.pause()
        assert [text for text, _ in app.copied] == ["b", "a = 1", ""]


async def test_y_copies_the_answer_or_the_message() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "问", "**答**"), running("b", "只有问")])
        await pilot.press("y", "left_square_bracket", "y")
        await pilot.pause()
        assert app.copied == [("只有问", ZH.what_message), ("**答**", ZH.what_answer)]


async def test_enter_folds_and_t_walks_foldables() -> None:
    app = TranscriptApp()
    tool = ToolPart("c", "ls", '{"a": 1}', 1, "r", True, 2.0)
    async with app.run_test(size=(40, 24)) as pilot:
        app.transcript.set_turns([done("a", "问", ReasoningPart("想"), tool, "完")])
        await pilot.press("enter")
        assert app.screen_rows()[2:4] == ["▎▾思考 · 1 字", "▎ │ 想"]
        await pilot.press("t", "t", "space")
        assert "▌▾[调用工具 ls → r]" in app.screen_rows()
        assert '▌ │ {"a": 1}' in app.screen_rows()
        await pilot.press("space", "T", "enter")
        assert app.screen_rows()[2:6] == ["▌▸思考 · 1 字", "▎", "▎▸[调用工具 ls → r]", "▎"]


async def test_a_click_selects_and_does_not_scroll() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many())
        await pilot.pause()
        before = app.transcript.scroll_offset
        await pilot.click(app.transcript, offset=(6, 3))
        assert app.transcript.selected_turn == "t27"
        assert app.transcript.scroll_offset == before
        await pilot.click(app.transcript, offset=(6, 3), times=2)
        assert app.screen.get_selected_text() in (None, "")


async def test_a_click_on_a_tool_line_opens_it_in_place() -> None:
    app = TranscriptApp()
    tool = ToolPart("c", "ls", "{}", 1, "r\n" * 30, True, 2.0)
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([*many(5), done("a", "问", tool)])
        await pilot.pause()
        row = next(at for at, text in enumerate(app.screen_rows()) if "调用工具" in text)
        await pilot.click(app.transcript, offset=(6, row))
        assert "▾[调用工具" in app.screen_rows()[row]


async def test_the_selected_turn_is_marked_dimmer_without_focus() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many(1))
        focused = next(iter(app.transcript.render_line(0)))
        app.screen.set_focus(None)
        await pilot.pause()
        blurred = next(iter(app.transcript.render_line(0)))
        assert (focused.text, blurred.text) == ("▎", "▎")
        assert focused.style is not None
        assert blurred.style is not None
        assert focused.style.color != blurred.style.color


async def drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    widget = pilot.app.query_one("Transcript")
    await pilot.mouse_down(widget, offset=start)
    await pilot.hover(widget, offset=end)
    await pilot.mouse_up(widget, offset=end)
    await pilot.pause()


async def test_text_selected_by_mouse_has_no_bars_and_no_breaks() -> None:
    app = TranscriptApp()
    async with app.run_test(size=(20, 12)) as pilot:
        app.transcript.set_turns([done("a", "问", "> 一二三四五六七八九十\n\n```\nx = 1\n```")])
        await pilot.pause()
        assert app.screen_rows()[2:4] == ["▎ ▎ 一二三四五六七", "▎ ▎ 八九十"]
        await drag(pilot, (0, 2), (12, 5))
        assert app.screen.get_selected_text() == "一二三四五六七八九十\n\nx = 1"
        assert app.transcript.selected_turn == "a"


async def test_selection_stays_while_text_streams() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "问", "被选中的文字"), running("s")])
        await pilot.pause()
        await drag(pilot, (2, 2), (8, 2))
        text = app.screen.get_selected_text()
        assert text == "被选中的"
        await stream(app, 30)
        assert app.screen.get_selected_text() == text


async def test_a_theme_change_recolours() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.theme = "textual-dark"
        app.transcript.set_turns([done("a", "问", CODE)])
        await pilot.pause()
        dark = [segment.style for segment in app.transcript.render_line(0)]
        app.theme = "textual-light"
        await pilot.pause()
        assert dark != [segment.style for segment in app.transcript.render_line(0)]


async def test_replace_remove_and_tool_events() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        transcript.set_turns([done("a", "一", "甲"), running("b", "二")])
        transcript.apply(TurnStarted("b", "二", 0.0, "m"))
        transcript.apply(ToolCallStarted("b", "c", "ls", "{}"))
        assert "▎▸[调用工具 ls → …]" in app.screen_rows()
        transcript.apply(ToolCallFinished("b", "c", "ls", "好", True, 1.0))
        assert "▎▸[调用工具 ls → 好]" in app.screen_rows()
        transcript.replace(done("b", "二", "乙"))
        assert "▎ 乙" in app.screen_rows()
        transcript.remove_turn("a")
        transcript.remove_turn("nobody")
        assert [record.id for record in transcript.turns] == ["b"]
        assert app.screen_rows()[0] == "▎ ❯ 二"
        transcript.remove_turn("b")
        await pilot.pause()
        assert app.selected[-1] is None


async def test_a_window_of_a_few_cells_does_not_crash() -> None:
    app = TranscriptApp()
    async with app.run_test(size=(8, 3)) as pilot:
        app.transcript.set_turns([done("a", "问题很长很长", CODE + "\n|a|b|\n|-|-|\n|1|2|"), running("b")])
        await pilot.press("g", "n", "n", "end", "left_square_bracket")
        assert len(app.screen_rows()) == 3
