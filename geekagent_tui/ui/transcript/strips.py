"""Rows to strips: the last step to the screen, done for rows in sight only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from geekagent_tui.ui.transcript.lines import Line
from geekagent_tui.ui.transcript.palette import Palette

GUTTER = 2
"""Cells left of the text: the bar of the selected turn and the mark of a foldable block."""

MARGIN = 1
"""Cells right of it."""

_KEPT = 256
"""Rows that are remembered: a few screens. Each is some sixty objects for the garbage collector to walk through."""


class Mark(NamedTuple):
    """Characters ``start`` to ``end`` (-1: the row's end) of a row, its gutter counted, drawn on top in ``style``."""

    start: int
    end: int
    style: str


class Strips:
    """Draws rows and remembers them until ``clear``."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._kept: LRUCache[tuple[Line | None, str, str, int], Strip] = LRUCache(_KEPT)
        self._marked: LRUCache[tuple[Line, str, str, int, tuple[Mark, ...]], Strip] = LRUCache(_KEPT)
        self._overlaid: tuple[Strip, str, Strip] | None = None

    def clear(self) -> None:
        self._kept.clear()
        self._marked.clear()
        self._overlaid = None

    def strip(self, line: Line | None, bar: str, fold: str, width: int) -> Strip:
        """``line`` on ``width`` cells. ``bar`` is the style name of the bar in the gutter, "" for none; ``fold`` the
        character beside it."""
        key = (line, bar, fold, width)
        strip = self._kept.get(key)
        if strip is None:
            strip = self._kept[key] = self._made(line or Line(), bar, fold, width)
        return strip

    def marked(self, line: Line, bar: str, fold: str, width: int, marks: tuple[Mark, ...]) -> Strip:
        """As ``strip``, with ``marks`` on it, the last one uppermost."""
        key = (line, bar, fold, width, marks)
        made = self._marked.get(key)
        if made is None:
            strip = self.strip(line, bar, fold, width)
            size, segments = GUTTER + len(line.text), list(strip)
            for start, end, name in marks:
                stop = size if end == -1 else min(end, size)
                segments = list(
                    _marked(segments, max(start, GUTTER), stop, self._palette.over(line.fill, name))
                )
            made = self._marked[key] = Strip(segments, strip.cell_length)
        return made

    def overlay(self, strip: Strip, text: str, width: int) -> Strip:
        """``strip`` with ``text`` laid over its right end."""
        room = cell_len(text)
        if room > width:
            return strip
        last = self._overlaid
        if last is not None and last[0] is strip and last[1] == text:
            return last[2]
        label = Segment(text, self._palette.style("", "unseen"))
        made = Strip([*strip.crop(0, width - room), label], width)
        self._overlaid = (strip, text, made)
        return made

    def _made(self, line: Line, bar: str, fold: str, width: int) -> Strip:
        style = self._palette.style
        mark = "▌" if bar == "cursor" else "▎" if bar else " "
        segments = [Segment(mark, style("", bar)), Segment(fold or " ", style("", "fold"))]
        segments.extend(Segment(text, style(line.fill, name)) for text, name in line.spans if text)
        room = width - GUTTER - MARGIN
        rest = room - line.cells
        if rest > 0:
            segments.append(Segment(" " * rest, style(line.fill, "")))
        elif rest < 0:
            segments = list(Strip(segments).crop(0, width - MARGIN))
        segments.append(Segment(" " * MARGIN, style("", "")))
        return Strip(segments, width)


def _marked(segments: list[Segment], start: int, end: int, style: Style) -> Iterator[Segment]:
    at = 0
    for text, own, _ in segments:
        before, after = max(0, min(len(text), start - at)), max(0, min(len(text), end - at))
        if before:
            yield Segment(text[:before], own)
        if after > before:
            yield Segment(text[before:after], own + style if own else style)
        if after < len(text) and max(before, after) < len(text):
            yield Segment(text[max(before, after) :], own)
        at += len(text)
