"""The terminal's cursor stands where the next character goes, whatever the layout does."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.support.app import Home, composer, ready, say, until
from tests.support.loopback import DONE, Gate, LoopbackServer, Reply, chunk

SIZE = (80, 24)


def cell_after(pilot: Pilot[int], text: str) -> tuple[int, int]:
    """Cell (x, y) right of the last ``text`` on the screen, counted from what is drawn."""
    strips = pilot.app.screen._compositor.render_strips()
    for y in range(len(strips) - 1, -1, -1):
        line = "".join(segment.text for segment in strips[y])
        if text in line:
            before = line[: line.rindex(text) + len(text)]
            return sum(1 + (ord(char) > 0x2FFF) for char in before), y
    raise AssertionError(f"{text!r} is not on the screen")


@pytest.mark.parametrize(
    ("typed", "last"),
    [
        ("hello", "hello"),
        ("你好世界", "世界"),
        ("a\n你好\nthird 行", "third 行"),
        ("很长的一行中文" * 9 + "终点", "终点"),
        ("word " * 20 + "end", "end"),
    ],
)
async def test_after_the_last_character(home: Home, typed: str, last: str) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot).insert(typed)
        await pilot.pause()
        assert tuple(pilot.app.cursor_position) == cell_after(pilot, last)


async def test_it_follows_when_the_window_changes(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot).insert("很长的一行中文" * 9 + "终点")
        for size in ((60, 20), (40, 12), (120, 36)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert tuple(pilot.app.cursor_position) == cell_after(pilot, "终点")


async def test_it_stays_while_an_answer_streams(home: Home) -> None:
    gate = Gate()
    with LoopbackServer.in_thread() as server:
        home.serve(server.base_url)
        server.add(Reply((chunk({"content": "第一段\n\n" * 40}), gate, chunk({"content": "再一段"}), DONE)))
        async with home.app().run_test(size=SIZE) as pilot:
            await ready(pilot)
            await say(pilot, "问")
            composer(pilot).insert("边等边写")
            await until(pilot, lambda: "第一段" in str(pilot.app.screen._compositor.render_strips()))
            assert tuple(pilot.app.cursor_position) == cell_after(pilot, "边等边写")
            gate.open()


async def test_none_is_drawn_where_the_terminal_shows_its_own(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        assert composer(pilot)._draw_cursor
        monkeypatch.setattr("geekagent_tui.ui.app.GeekAgentApp.real_cursor", True)
        assert not composer(pilot)._draw_cursor
