"""Ctrl+R: what was sent, in any session, found while one types."""

from __future__ import annotations

from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from geekagent_tui.ui.panes.history_search import HistorySearch, matching
from tests.support.app import Home, ask, chat_of, composer, ready, screen_text, until

SIZE = (80, 24)
LINES = "\n".join(f"第 {number} 行" for number in range(1234))


async def open_search(pilot: Pilot[int]) -> None:
    await pilot.press("ctrl+r")
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))


async def test_it_searches_every_session_as_one_types_and_takes_the_match(home: Home) -> None:
    async with home.app(session="one").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "部署在周五")
        await ask(pilot, "端口是多少")
    async with home.app(session="two").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("d")
        await open_search(pilot)
        assert "端口是多少" in screen_text(pilot.app)
        await pilot.press("部")
        await until(pilot, lambda: "端口是多少" not in screen_text(pilot.app))
        assert "部署在周五" in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused is composer(pilot))
        assert composer(pilot).text == "部署在周五"
        assert not chat_of(pilot).query(HistorySearch)
        await pilot.press("ctrl+z")
        assert composer(pilot).text == "d"


async def test_ctrl_r_again_goes_to_older_ones_and_escape_leaves_all_as_it_was(home: Home) -> None:
    async with home.app(session="one").run_test(size=SIZE) as pilot:
        await ready(pilot)
        for text in ("问题甲", "问题乙", "问题丙"):
            await ask(pilot, text)
        composer(pilot).insert("草稿")
        await open_search(pilot)
        await pilot.press("ctrl+r", "down", "down", "up", "enter")
        await until(pilot, lambda: composer(pilot).text == "问题乙")
        await pilot.press("ctrl+z")
        for key in ("escape", "ctrl+g", "ctrl+c"):
            await open_search(pilot)
            await pilot.press("甲", key)
            await until(pilot, lambda: pilot.app.focused is composer(pilot))
            assert composer(pilot).text == "草稿"
            await until(pilot, lambda: chat_of(pilot).query_one("#bottom").size.height == 1)


async def test_tab_takes_the_match_too(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "hello world")
        await open_search(pilot)
        await pilot.press(*"WOR", "tab")
        await until(pilot, lambda: composer(pilot).text == "hello world")


async def test_nothing_found_is_said_and_enter_does_nothing(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await open_search(pilot)
        assert "没有匹配的消息" in screen_text(pilot.app)
        await pilot.press("x", "down", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.focused, Input)


async def test_a_sent_paste_comes_back_folded_in_its_place(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a")
        composer(pilot).post_message(events.Paste(LINES))
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        await open_search(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: composer(pilot).text == "a[粘贴 1,234 行]")
        assert composer(pilot).full_text == f"a{LINES}"


async def test_up_still_walks_only_this_session(home: Home) -> None:
    async with home.app(session="one").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一")
    async with home.app(session="two").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("up")
        assert composer(pilot).text == ""


def test_a_row_shows_the_match_and_is_one_line() -> None:
    [(text, row)] = matching(["x" * 100 + "\n阈值\t\x1b[31m 4000"], "阈值")
    assert text.startswith("xxx")
    assert row.plain == "…" + "x" * 15 + "⏎阈值 ␛[31m 4000"
    [span] = row.spans
    assert row.plain[span.start : span.end] == "阈值"


def test_any_case_any_sign() -> None:
    assert [text for text, _ in matching(["Foo (bar)", "foo"], "O (")] == ["Foo (bar)"]
