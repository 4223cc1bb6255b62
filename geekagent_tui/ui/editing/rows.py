"""How an editor's lines are broken into rows: Latin text at blanks, Chinese at any character.

Textual takes a run of Chinese for one word and moves all of it to the next row. Unlike in the transcript no blank is
left out at a break: the cursor stands on each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.document._document import DocumentBase, Location
from textual.document._wrapped_document import WrappedDocument
from textual.expand_tabs import get_tab_widths
from textual.geometry import Offset

from geekagent_tui.ui.transcript.wrap import clusters

_NOT_FIRST = frozenset("，。、；：！？）」』】》〉〕］｝”’…—～·％,.;:!?)]}%")
_NOT_LAST = frozenset("（「『【《〈〔［｛“‘([{￥")

Folded = Callable[[str], Sequence[tuple[int, int]]]


class Rows(WrappedDocument):
    """``folded`` gives the columns of a line that stay in one row if they can."""

    def __init__(self, document: DocumentBase, folded: Folded, tab_width: int) -> None:
        self._folded = folded
        self.row_end: Location | None = None
        """A place between two rows of a line that counts as the end of the upper one: the cursor came there so."""
        super().__init__(document, tab_width=tab_width)

    def wrap(self, width: int, tab_width: int | None = None) -> None:
        self._width = width
        self._tab_width = tab_width or self._tab_width
        self._wrap_offsets, self._tab_width_cache = self._broken(self.document.lines)
        self._number_rows()

    def wrap_range(self, start: Location, old_end: Location, new_end: Location) -> None:
        last = len(self._wrap_offsets) - 1
        top = min(start[0], old_end[0], last)
        bottom = min(max(start[0], old_end[0]), last)
        new_bottom = max(start[0], new_end[0])
        offsets, tabs = self._broken(self.document.lines[top : new_bottom + 1])
        self._wrap_offsets[top : bottom + 1] = offsets
        self._tab_width_cache[top : bottom + 1] = tabs
        self._number_rows()

    def location_to_offset(self, location: Location) -> Offset:
        # While an edit of many lines is undone, the scroll bar goes away before the cursor is put right, and asks.
        row = min(location[0], len(self._wrap_offsets) - 1)
        line = self.document.get_line(row)
        column = min(location[1], len(line))
        if location == self.row_end and column > 0 and column in self._wrap_offsets[row]:
            start, _, cells = clusters(line[:column])[-1]
            before = super().location_to_offset((row, start))
            return Offset(before.x + cells, before.y)
        return super().location_to_offset((row, column))

    def _broken(self, lines: Sequence[str]) -> tuple[list[list[int]], list[list[int]]]:
        tabs = [[width for _, width in get_tab_widths(line, self._tab_width)] for line in lines]
        if not self._width:
            return [[] for _ in lines], tabs
        offsets = [
            row_starts(line, self._width, widths, self._folded(line))
            for line, widths in zip(lines, tabs, strict=True)
        ]
        return offsets, tabs

    def _number_rows(self) -> None:
        """Rows count from the top of the text; a message has few enough to count them anew."""
        self._offset_to_line_info = [
            (line, section)
            for line, offsets in enumerate(self._wrap_offsets)
            for section in range(len(offsets) + 1)
        ]
        self._line_index_to_offsets = [[] for _ in self._wrap_offsets]
        for row, (line, _) in enumerate(self._offset_to_line_info):
            self._line_index_to_offsets[line].append(row)


def row_starts(
    line: str, width: int, tabs: Sequence[int] = (), folded: Sequence[tuple[int, int]] = ()
) -> list[int]:
    """Columns where the second and later rows of ``line`` begin, for rows of ``width`` cells.

    ``tabs`` are the cells of its tabs, one after another.
    """
    if len(line) <= width // 2 and not tabs:
        return []
    starts: list[int] = []
    tab = iter(tabs)
    inside = {column for start, end in folded for column in range(start + 1, end)}
    used = since_chance = 0  # cells of the row, and of the row after the last place to break
    chance = first = 0
    before = ""
    for start, end, cells in clusters(line):
        piece = line[start:end]
        size = next(tab, 0) if piece == "\t" else cells
        if start > first and start not in inside and _may_break(before, piece, cells):
            chance, since_chance = start, 0
        while used + size > width and start > first:
            if chance == first:
                chance, since_chance = start, 0
            starts.append(chance)
            first, used = chance, since_chance
        used += size
        since_chance += size
        before = piece
    return starts


def _may_break(before: str, after: str, cells: int) -> bool:
    if after in " \t":
        return False
    if before in " \t":
        return True
    wide = cells > 1 or before >= "\u2e80"
    return wide and after not in _NOT_FIRST and before not in _NOT_LAST
