"""The geometry of the transcript: a column of items, of which only those in sight are laid out.

An item that was never in sight has an estimated height. When it comes into sight its true height replaces the
guess, and ``settle`` moves the window so that what stood on the screen stays there.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from geekagent_tui.ui.transcript.lines import Line
from geekagent_tui.ui.transcript.turn_view import Item

_KEPT = 120
"""Laid-out items that are kept when they are out of sight."""


@dataclass(frozen=True, slots=True)
class Place:
    """A row, named so that it survives a new layout: item, block in it, row in the block."""

    item: int
    block: int
    row: int


class Column:
    """Rows are counted from 0 at the top of the first item."""

    def __init__(self, width: int = 80) -> None:
        self.width = width
        self.items: list[Item] = []
        self._heights: list[int] = []
        self._exact: list[bool] = []
        self._tops: list[int] = [0]
        self._laid: dict[Item, None] = {}

    def set_items(self, items: list[Item]) -> None:
        self.items = list(items)
        self.forget()

    def set_width(self, width: int) -> None:
        if width != self.width:
            self.width = width
            self.forget()

    def forget(self) -> None:
        """Guess all heights anew."""
        self._heights = [item.estimate(self.width) for item in self.items]
        self._exact = [False] * len(self.items)
        self._tops = [0]
        self._laid.clear()

    def append(self, item: Item) -> None:
        self.items.append(item)
        self._heights.append(item.estimate(self.width))
        self._exact.append(False)

    def replace(self, at: int, item: Item) -> None:
        self._laid.pop(self.items[at], None)
        self.items[at] = item
        self._exact[at] = True
        self._measure(at)

    def remove(self, at: int) -> None:
        self._laid.pop(self.items[at], None)
        del self.items[at], self._heights[at], self._exact[at]
        del self._tops[at + 1 :]

    def touch(self, at: int) -> None:
        """Item ``at`` has changed. One whose height is known is measured again at once: that is cheap."""
        if self._exact[at]:
            self._measure(at)

    @property
    def height(self) -> int:
        return self.top(len(self.items))

    def top(self, at: int) -> int:
        """The first row of item ``at``."""
        tops = self._tops
        while len(tops) <= at:
            tops.append(tops[-1] + self._heights[len(tops) - 1])
        return tops[at]

    def is_exact(self, at: int) -> bool:
        return self._exact[at]

    def locate(self, row: int) -> tuple[int, int] | None:
        """The item at ``row`` and the row within it, None outside."""
        if not 0 <= row < self.height:
            return None
        at = bisect_right(self._tops, row, hi=len(self.items) + 1) - 1
        return at, row - self._tops[at]

    def line(self, at: int, row: int) -> Line | None:
        """Row ``row`` of item ``at``, None past its end. Lays the item out when need be."""
        lines = self.items[at].rows(self.width).lines
        return lines[row] if row < len(lines) else None

    def place(self, row: int) -> Place | None:
        found = self.locate(row)
        if found is None:
            return None
        at, inner = found
        if not self._exact[at]:
            return Place(at, 0, inner)
        starts = self.items[at].rows(self.width).starts
        block = max(0, bisect_right(starts, inner) - 1)
        return Place(at, block, inner - (starts[block] if starts else 0))

    def row_of(self, place: Place) -> int:
        """The row of ``place`` as things stand."""
        if place.item >= len(self.items):
            return self.height
        top = self.top(place.item)
        if not self._exact[place.item]:
            return top + min(place.row, max(0, self._heights[place.item] - 1))
        rows = self.items[place.item].rows(self.width)
        if not rows.starts:
            return top
        block = min(place.block, len(rows.starts) - 1)
        end = rows.starts[block + 1] if block + 1 < len(rows.starts) else len(rows.lines)
        return top + min(rows.starts[block] + place.row, max(rows.starts[block], end - 1))

    def settle(self, height: int, place: Place | None, shift: int = 0) -> int:
        """Lay out what a window of ``height`` rows shows: the window's top row.

        The window begins ``shift`` rows below ``place``, or shows the end of the column when ``place`` is None.
        """
        while True:
            row = self.height - height if place is None else self.row_of(place) + shift
            row = max(0, min(row, self.height - height))
            unknown = [at for at in self._between(row, row + height) if not self._exact[at]]
            if not unknown:
                self._trim([self.items[at] for at in self._between(row, row + height)])
                return row
            # From the end where the eye is; one at a time, as each may push the others out of sight.
            self._measure(unknown[-1] if place is None or shift < 0 else unknown[0])

    def _between(self, start: int, end: int) -> range:
        first, last = self.locate(max(0, start)), self.locate(min(end, self.height) - 1)
        return range(first[0], last[0] + 1) if first and last else range(0)

    def _measure(self, at: int) -> None:
        item = self.items[at]
        height = len(item.rows(self.width).lines)
        if height != self._heights[at]:
            self._heights[at] = height
            del self._tops[at + 1 :]
        self._exact[at] = True

    def _trim(self, shown: list[Item]) -> None:
        """Release the items that were in sight longest ago; their heights stay known."""
        for item in shown:
            self._laid.pop(item, None)
            self._laid[item] = None
        for item in list(self._laid)[: max(0, len(self._laid) - max(_KEPT, len(shown)))]:
            del self._laid[item]
            item.release()
