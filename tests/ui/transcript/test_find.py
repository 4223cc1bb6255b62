"""Search in what is shown."""

from __future__ import annotations

from geekagent_tui.agent.events import TextDelta
from geekagent_tui.agent.record import ToolPart
from geekagent_tui.ui.transcript.blocks import stacked
from geekagent_tui.ui.transcript.find import Piece, folded, hits
from geekagent_tui.ui.transcript.finder import Finder
from geekagent_tui.ui.transcript.flow import Flow
from tests.ui.transcript.shared import TranscriptApp, done, running
from tests.ui.transcript.test_view import SIZE, many


def places(source: str, query: str, width: int = 20) -> list[list[tuple[int, str]]]:
    lines = stacked(Flow.of(source).blocks, width)
    found = hits(lines, folded(query))
    return [[(p.row, lines[p.row].text[p.start : p.end]) for p in hit] for hit in found]


def test_hits_ignore_case_marks_and_row_ends() -> None:
    assert places("Ab **aB**", "ab") == [[(0, "Ab")], [(0, "aB")]]
    assert places("一**二三**四五六七八九十", "八九", 16) == [[(0, "八"), (1, "九")]]
    assert places("> 一二三四五六七八九十", "七八", 16) == [[(0, "七"), (1, "八")]]
    assert places("abc", "") == []
    assert hits([], "x") == []
    assert places("aaaa", "aa") == [[(0, "aa")], [(0, "aa")]]


def test_words_across_a_blank_that_ended_a_row() -> None:
    assert places("hello wonderful world", "wonderful world", 16) == [[(0, "wonderful"), (1, "world")]]


def test_letters_that_grow_when_folded_keep_their_places() -> None:
    assert places("İx abc", "abc") == [[(0, "abc")]]
    assert Piece(0, 1, 2).row == 0


class FinderApp(TranscriptApp):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[int, int]] = []

    def on_finder_searched(self, event: Finder.Searched) -> None:
        self.told.append((event.turns, event.at))


def marked(app: TranscriptApp) -> list[str]:
    """The texts on the screen that stand out, top to bottom."""
    transcript, found = app.transcript, []
    for y in range(transcript.window):
        place = transcript.column.locate(transcript.top_row + y)
        text = transcript.render_line(y).text
        for start, end, style in transcript.highlights(*place) if place is not None else ():
            found.append(text[start:end] + ("*" if style == "found-current" else ""))
    return found


async def test_search_goes_around_and_ends() -> None:
    app = FinderApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(
            [*many(10), done("x", "针", "草 针 草"), *(done(f"n{n}", "无", "无") for n in range(9))]
        )
        await pilot.press("g")
        app.transcript.find("针")
        await pilot.pause()
        assert app.told[-1] == (1, 1)
        assert app.transcript.selected_turn == "x"
        seen = []
        for _ in range(3):
            seen.append(marked(app))
            app.transcript.find_next(1)
        assert seen == [["针*", "针"], ["针", "针*"], ["针*", "针"]]
        app.transcript.find_next(-1)
        app.transcript.find_next(-1)
        assert marked(app) == ["针", "针*"]
        await pilot.press("n")
        assert marked(app) == ["针*", "针"]
        await pilot.press("N")
        assert marked(app) == ["针", "针*"]
        await pilot.press("escape")
        await pilot.pause()
        assert marked(app) == []
        assert app.told[-1] == (0, 0)
        assert not app.transcript.searching


async def test_search_opens_what_is_folded_over_the_place() -> None:
    app = FinderApp()
    log = "\n".join([*(f"第 {n} 行" for n in range(40)), "这里有针"])
    call = ToolPart("c", "read", "{}", 1, "草\n草里有线", True, 2.0)
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", log, "无"), done("b", "问", call)])
        await pilot.pause()
        app.transcript.find("针")
        await pilot.pause()
        assert app.told[-1] == (1, 1)
        assert marked(app) == ["针*"]
        app.transcript.find("草里")
        await pilot.pause()
        assert marked(app) == ["草里*"]


async def test_nothing_found_moves_nothing() -> None:
    app = FinderApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many(10))
        await pilot.pause()
        before = app.screen_rows()
        app.transcript.find("没有")
        app.transcript.find_next(1)
        await pilot.pause()
        assert app.told[-1] == (0, 0)
        assert app.screen_rows() == before


async def test_text_that_streams_is_found_as_it_comes() -> None:
    app = FinderApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([running("s")])
        app.transcript.find("新词")
        assert marked(app) == []
        app.transcript.apply(TextDelta("s", "这里有新词。"))
        app.transcript.flush()
        await pilot.pause()
        assert marked(app) == ["新词"]
