"""The editor under the keys of a person."""

from __future__ import annotations

import sys

import pytest
from textual import events
from textual.pilot import Pilot

from geekagent_tui.ui.editing.segmenter import Segmenter
from tests.support.app import Home, ask, composer, ready, screen_text, transcript, until

SIZE = (80, 24)
PAIRS = [
    sys.executable,
    "-c",
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    text = json.loads(line)\n"
    "    print(json.dumps([text[at:at + 2] for at in range(0, len(text), 2)]), flush=True)\n",
]
"""A segmenter that takes every two characters for a word."""
LINES = "\n".join(f"第 {number} 行" for number in range(1234))
LABEL = "[粘贴 1,234 行]"


async def paste(pilot: Pilot[int], text: str) -> None:
    composer(pilot).post_message(events.Paste(text))
    await pilot.pause()


async def test_a_long_paste_folds_and_is_sent_in_full(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a", "space")
        await paste(pilot, LINES)
        await pilot.press("space", "b")
        assert composer(pilot).text == f"a {LABEL} b"
        assert LABEL in screen_text(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: transcript(pilot).turns)
        assert transcript(pilot).turns[-1].text == f"a {LINES} b"


async def test_a_short_paste_stands_as_it_is(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await paste(pilot, "一行\n二行")
        assert composer(pilot).text == "一行\n二行"


async def test_a_folded_paste_is_one_unit(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a")
        await paste(pilot, LINES)
        await pilot.press("b")
        area = composer(pilot)
        columns = []
        for key in ("left", "left", "left", "right", "right", "ctrl+left", "shift+right"):
            await pilot.press(key)
            columns.append(area.cursor_location[1])
        end = 1 + len(LABEL)
        assert columns == [end, 1, 0, 1, end, 1, end]
        assert area.selected_text == LABEL
        await pilot.press("right", "backspace")
        assert area.text == "ab"
        await pilot.press("ctrl+z")
        assert area.text == f"a{LABEL}b"
        await pilot.press("ctrl+y")
        assert area.text == "ab"
        await pilot.press("ctrl+z", "home", "right", "delete")
        assert area.text == "ab"


async def test_words_and_lines_take_a_folded_paste_whole(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await paste(pilot, LINES)
        await pilot.press("ctrl+w")
        assert composer(pilot).text == ""
        await pilot.press("ctrl+z", "home", "alt+d")
        assert composer(pilot).text == ""


async def test_copied_and_cut_text_is_the_full_one(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("x")
        await paste(pilot, LINES)
        await pilot.press("f7", "ctrl+c")
        await until(pilot, lambda: home.copied)
        assert home.copied[-1] == f"x{LINES}"
        assert composer(pilot).text == f"x{LABEL}"
        await pilot.press("ctrl+x")
        await until(pilot, lambda: len(home.copied) == 2)
        assert (home.copied[-1], composer(pilot).text) == (f"x{LINES}", "")
        await pilot.press("ctrl+v")
        assert composer(pilot).full_text == f"x{LINES}"


async def test_ctrl_c_puts_the_draft_away_and_up_or_undo_brings_it_back(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("x")
        await paste(pilot, LINES)
        await pilot.press("ctrl+c")
        assert composer(pilot).text == ""
        await pilot.press("up")
        assert (composer(pilot).text, composer(pilot).full_text) == (f"x{LABEL}", f"x{LINES}")
        await pilot.press("ctrl+c", "ctrl+z")
        assert composer(pilot).full_text == f"x{LINES}"


async def test_ctrl_c_with_nothing_there_says_how_to_quit(home: Home) -> None:
    async with home.app().run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "退出请按 Ctrl+Q" in screen_text(pilot.app))


async def test_history_keeps_the_full_text(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await paste(pilot, LINES)
        await pilot.press("enter")
        await until(pilot, lambda: transcript(pilot).turns)
        await pilot.press("up")
        assert (composer(pilot).text, composer(pilot).full_text) == (LABEL, LINES)
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot).take("")
        await pilot.press("up")
        assert (composer(pilot).text, composer(pilot).full_text) == (LABEL, LINES)


async def test_undo_and_redo_by_the_word(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press(*"hello", "ctrl+w", "ctrl+z")
        assert composer(pilot).text == "hello"
        await pilot.press("ctrl+y")
        assert composer(pilot).text == ""
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+shift+z")
        assert composer(pilot).text == "hello"


@pytest.mark.parametrize("key", ["ctrl+w", "alt+backspace", "ctrl+backspace"])
async def test_a_word_is_deleted_never_a_sentence(home: Home, key: str) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot)._segmenter = Segmenter(["/nowhere/at/all"])
        composer(pilot).insert("历史压缩放在第五天")
        await pilot.press(key)
        assert composer(pilot).text == "历史压缩放在第五"


async def test_words_come_from_the_segmenter_that_is_there(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        area = composer(pilot)
        area._segmenter = segmenter = Segmenter(PAIRS)
        area.insert("abc")
        await pilot.press("ctrl+left", "end")
        assert not segmenter._known
        area.insert(" 历史压缩天")
        await pilot.press("ctrl+w", "ctrl+w")
        assert area.text == "abc 历史"
        columns = []
        for key in ("ctrl+left", "ctrl+left", "ctrl+right", "ctrl+right", "alt+b", "alt+f"):
            await pilot.press(key)
            columns.append(area.cursor_location[1])
        assert columns == [4, 0, 3, 6, 4, 6]
        process = segmenter._process
    assert process is not None
    assert process.returncode is not None


async def test_up_and_down_count_cells(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        area = composer(pilot)
        area.insert("abcdefgh\n你好世界\nabcdefgh")
        area.move_cursor((0, 4))
        places = []
        for key in ("down", "down", "up", "up"):
            await pilot.press(key)
            places.append(area.cursor_location)
        assert places == [(1, 2), (2, 4), (1, 2), (0, 4)]


async def test_home_and_end_go_to_the_row_then_to_the_line(home: Home) -> None:
    async with home.app().run_test(size=(40, 12)) as pilot:
        await ready(pilot)
        area = composer(pilot)
        area.insert("很长的一行中文" * 10)
        await pilot.pause()
        starts = area.wrapped_document.get_offsets(0)
        area.move_cursor((0, starts[0] + 3))
        columns = []
        for key in ("home", "home", "end", "end"):
            await pilot.press(key)
            columns.append(area.cursor_location[1])
        assert columns == [starts[0], 0, starts[0], 70]


async def test_the_end_of_a_row_is_behind_its_last_character(home: Home) -> None:
    """The place is the next row's start as well: how one came there tells which of the two is meant."""
    async with home.app().run_test(size=(40, 12)) as pilot:
        await ready(pilot)
        area = composer(pilot)
        area.insert("很长的一行中文" * 10)
        await pilot.pause()
        first, second = area.wrapped_document.get_offsets(0)[:2]

        def shown() -> tuple[int, int]:
            x, y = area.wrapped_document.location_to_offset(area.cursor_location)
            return x, y

        area.move_cursor((0, 3))
        await pilot.press("end")
        assert area.cursor_location == (0, first)
        assert shown() == (2 * first, 0)
        await pilot.press("home")
        assert area.cursor_location == (0, 0)
        await pilot.press("end", "down")
        assert area.cursor_location == (0, second - 1)
        await pilot.press("up")
        assert shown() == (2 * first - 2, 0)
        await pilot.press("end", "x")
        assert area.text[first] == "x"
        assert area.cursor_location == (0, first + 1)
        # Whoever comes to the same place by another way stands at the start of the next row.
        area.move_cursor((0, first))
        assert shown() == (0, 1)
        await pilot.press("end")
        assert shown()[1] == 1
        # Blanks at a break leave a place of their own before them.
        area.load_text("word " * 20)
        await pilot.pause()
        await pilot.press("home")
        area.move_cursor((0, 2))
        await pilot.press("end")
        assert area.text[area.cursor_location[1] - 1] == "d"
        assert shown()[1] == 0


async def test_the_cursor_never_stands_inside_a_grapheme(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot).insert("a👨‍👩‍👧b")
        await pilot.press("left", "backspace")
        assert composer(pilot).text == "ab"


async def test_a_message_typed_by_hand_is_not_folded_by_history(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        typed = "\n".join("abcdefghijklmn")
        composer(pilot).insert(typed)
        await pilot.press("enter")
        await until(pilot, lambda: transcript(pilot).turns)
        await pilot.press("up")
        assert composer(pilot).text == typed
        await ask(pilot, "done")
