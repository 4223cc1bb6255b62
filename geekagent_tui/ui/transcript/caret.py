"""Selection by keys: a caret that walks over the text, and what lies between it and where it was set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len
from textual.actions import SkipAction
from textual.geometry import Offset
from textual.selection import Selection

from geekagent_tui.ui.transcript.lines import Line
from geekagent_tui.ui.transcript.selecting import row_key, selected_text
from geekagent_tui.ui.transcript.strips import GUTTER, Mark
from geekagent_tui.ui.transcript.walker import Walker
from geekagent_tui.ui.transcript.wrap import clusters

_WORD = re.compile(r"[一-鿿぀-ヿ]|[^\W一-鿿぀-ヿ]+|[^\w\s]+")


class Caret(NamedTuple):
    """A character: item, row in it, offset in the row's text."""

    item: int
    row: int
    at: int


class CaretWalker(Walker):
    """``v`` sets the caret. While it is set the walking keys move it, and what it passes over is selected."""

    _caret: Caret | None = None
    """Where it is, None while it isn't set."""

    _anchor = Caret(0, 0, 0)
    """Where it was set."""

    _goal = 0
    """The cells it keeps to when it walks over rows."""

    @property
    def selecting(self) -> bool:
        return self._caret is not None

    def forgotten(self) -> None:
        super().forgotten()
        self._caret = None

    def selected(self) -> str:
        """What is selected, by keys or by mouse."""
        selection = self.text_selection
        return selected_text(self.column, selection) if selection is not None else ""

    def action_select(self) -> None:
        """Set the caret, or take it away."""
        if self._caret is not None:
            self.stop_selecting()
            return
        found = self.column.locate(self._first_row())
        if found is not None:
            self.hold()
            self._anchor = Caret(*found, self._text_start(self.column.line(*found)))
            self._put_caret(self._anchor, goal=True)

    def stop_selecting(self) -> None:
        self._caret = None
        self.screen.selections = {}
        if self.top_row + self.window >= self.column.height:
            self.follow()
        self.refresh()

    def _first_row(self) -> int:
        """The cursor's row, else the first of the selected turn that is in sight, else the first in sight."""
        top, bottom = self.top_row, min(self.top_row + self.window, self.column.height) - 1
        at = self._index.get(self.selected_turn or "")
        if at is None:
            return top
        target = self._target()
        row = self.column.top(at) + (target.row if target is not None else 0)
        return max(top, min(row, bottom))

    @staticmethod
    def _text_start(line: Line | None) -> int:
        """The first character of a row that isn't an ornament."""
        at = 0
        for span in line.spans if line is not None else ():
            if line is not None and line.copied(at, at + len(span.text)):
                return at
            at += len(span.text)
        return 0

    def _put_caret(self, caret: Caret, *, goal: bool = False) -> None:
        self._caret = caret
        self.reveal(caret.item, caret.row, 1)
        self.hold()
        line = self.column.line(caret.item, caret.row)
        if goal and line is not None:
            self._goal = cell_len(line.text[: caret.at])
        first, last = sorted((self._anchor, caret))
        end = self._after(last)
        start = Offset(GUTTER + first.at, row_key(first.item, first.row))
        self.screen.selections = {self: Selection(start, Offset(GUTTER + end, row_key(last.item, last.row)))}

    def _after(self, caret: Caret) -> int:
        """The offset behind the character at ``caret``."""
        line = self.column.line(caret.item, caret.row)
        ends = (end for _, end, _ in clusters(line.text if line is not None else "") if end > caret.at)
        return next(ends, caret.at)

    def highlights(self, item: int, row: int) -> Iterable[Mark]:
        yield from super().highlights(item, row)
        caret = self._caret
        if caret is not None and (caret.item, caret.row) == (item, row):
            yield Mark(GUTTER + caret.at, GUTTER + self._after(caret), "caret")

    # -- moving ---------------------------------------------------------------------------------------------

    def action_line(self, step: int) -> None:
        if self._caret is None:
            super().action_line(step)
        else:
            self._caret_to(self.column.top(self._caret.item) + self._caret.row + step)

    def action_page(self, step: int) -> None:
        if self._caret is None:
            super().action_page(step)
            return
        inside = self.column.top(self._caret.item) + self._caret.row - self.top_row
        super().action_page(step)
        self._caret_to(self.top_row + inside)

    def action_top(self) -> None:
        super().action_top()
        if self._caret is not None:
            self._caret_to(0)

    def action_bottom(self) -> None:
        super().action_bottom()
        if self._caret is not None:
            self._caret_to(self.column.height - 1)
            self.hold()

    def action_edge(self, side: int) -> None:
        """To the first or last character of the row."""
        caret, line = self._standing()
        size = len(line.text.rstrip())
        at = (
            self._text_start(line)
            if side < 0
            else next((s for s, e, _ in clusters(line.text) if e >= size), 0)
        )
        self._put_caret(caret._replace(at=at), goal=True)

    def action_character(self, step: int) -> None:
        caret, line = self._standing()
        starts = [start for start, _, _ in clusters(line.text)]
        self._to_stop(caret, starts, step)

    def action_word(self, step: int) -> None:
        caret, line = self._standing()
        self._to_stop(caret, [found.start() for found in _WORD.finditer(line.text)], step)

    def _standing(self) -> tuple[Caret, Line]:
        """The caret and its row. Without a caret the key is somebody else's."""
        line = self.column.line(self._caret.item, self._caret.row) if self._caret is not None else None
        if self._caret is None or line is None:
            raise SkipAction
        return self._caret, line

    def _to_stop(self, caret: Caret, stops: list[int], step: int) -> None:
        """To the next of ``stops``, or over the row's edge."""
        beyond = [at for at in stops if (at > caret.at if step > 0 else at < caret.at)]
        if beyond:
            self._put_caret(caret._replace(at=beyond[0] if step > 0 else beyond[-1]), goal=True)
            return
        row = self.column.top(caret.item) + caret.row + step
        if 0 <= row < self.column.height:
            self._goal = 0 if step > 0 else 1 << 30
            self._caret_to(row, goal=True)

    def _caret_to(self, row: int, *, goal: bool = False) -> None:
        """To ``row`` of the column, at the cells the caret came from."""
        found = self.column.locate(max(0, min(row, self.column.height - 1)))
        if found is None:
            return
        self.reveal(*found, 1)
        line = self.column.line(*found)
        at = used = 0
        for start, _, size in clusters(line.text if line is not None else ""):
            at = start
            used += size
            if used > self._goal:
                break
        at = max(at, self._text_start(line)) if goal else at
        self._put_caret(Caret(*found, at), goal=goal)
