"""Blocks: what an answer is made of, each laid out once a width.

A block knows its content and turns it into rows; it knows no colours, no screen and no Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len

from geekagent_tui.ui.transcript.lines import BLANK, ORNAMENT, Line, Span, cells, prefixed, styled
from geekagent_tui.ui.transcript.wrap import breaks, rows_of, wrap

_NARROWEST = 8
"""Cells that nested content keeps, however deep it stands."""


class Block:
    """``lines`` is kept until the width changes or ``changed`` is called. ``joins``: no blank row before it."""

    code: ClassVar[bool] = False
    foldable: bool = False

    def __init__(self, *, joins: bool = False) -> None:
        self.joins = joins
        self._width = -1
        self._lines: Sequence[Line] = ()

    def lines(self, width: int) -> Sequence[Line]:
        """The rows at ``width`` cells; at least one."""
        if width != self._width:
            self._lines = self._lay_out(width)
            self._width = width
        return self._lines

    def changed(self) -> None:
        self._width = -1

    def parts(self) -> Sequence[Block]:
        """The blocks inside, stacked; none for most."""
        return ()

    def inner_width(self, width: int) -> int:
        """The width of the blocks inside when this one has ``width``."""
        return width

    def _lay_out(self, width: int) -> Sequence[Line]:
        raise NotImplementedError


class Paragraph(Block):
    """Running text. While it streams, ``like`` hands on the rows of its earlier, shorter state."""

    def __init__(self, spans: Sequence[Span], *, joins: bool = False) -> None:
        super().__init__(joins=joins)
        self.spans = tuple(spans)
        self._text = "".join(span.text for span in self.spans)
        self._ends: list[tuple[int, int]] = []

    def _lay_out(self, width: int) -> Sequence[Line]:
        if "\n" in self._text or "\t" in self._text:
            return wrap(self.spans, width)
        self._ends = breaks(self._text, width)
        return rows_of(self.spans, self._ends)

    def like(self, earlier: Paragraph) -> None:
        """Take over the rows that more text can't change: those of the common beginning but for the last two."""
        if not earlier._ends or earlier._width < 0 or "\n" in self._text or "\t" in self._text:
            return
        same = _common(earlier.spans, self.spans)
        kept = sum(end < same for _, end in earlier._ends) - 2
        if kept < 1:
            return
        begin, previous = earlier._ends[kept][0], earlier._ends[kept - 1][1]
        rest = [(begin + start, begin + end) for start, end in breaks(self._text[begin:], earlier._width)]
        self._ends = [*earlier._ends[:kept], *rest]
        self._lines = [*earlier._lines[:kept], *rows_of(self.spans, rest, previous)]
        self._width = earlier._width


class Heading(Block):
    """Its level shows in how it is drawn. The marks of the source are not there, as those of bold text aren't."""

    def __init__(self, spans: Sequence[Span], level: int) -> None:
        super().__init__()
        self.spans = tuple(spans)
        self.level = level

    def _lay_out(self, width: int) -> Sequence[Line]:
        return wrap(styled(self.spans, f"heading-{min(self.level, 4)}"), width)


class Rule(Block):
    def _lay_out(self, width: int) -> Sequence[Line]:
        return [Line((Span("─" * width, f"{ORNAMENT} rule"),))]


class Plain(Block):
    """Text shown exactly as written (HTML): wrapped, no markup read."""

    def __init__(self, text: str, style: str, *, joins: bool = False) -> None:
        super().__init__(joins=joins)
        self.text = text
        self.style = style

    def _lay_out(self, width: int) -> Sequence[Line]:
        return wrap([Span(self.text, self.style)], width)


class Quote(Block):
    def __init__(self, children: Sequence[Block]) -> None:
        super().__init__()
        self.children = tuple(children)

    def parts(self) -> Sequence[Block]:
        return self.children

    def inner_width(self, width: int) -> int:
        return max(_NARROWEST, width - 2)

    def _lay_out(self, width: int) -> Sequence[Line]:
        inner = stacked(self.children, self.inner_width(width))
        bar = Span("▎ ", f"{ORNAMENT} quote-bar")
        return prefixed([Line(tuple(styled(i.spans, "quote")), i.fill, i.glue) for i in inner], bar, bar)


class Item(Block):
    """One item of a list. ``marker`` is drawn before it and copied with it."""

    def __init__(self, marker: str, style: str, children: Sequence[Block], *, joins: bool) -> None:
        super().__init__(joins=joins)
        self.marker = marker
        self.style = style
        self.children = tuple(children)
        self._laid: list[Sequence[Line]] = []
        self._laid_rows: list[Line] = []
        self._laid_width = -1

    def show(self, children: Sequence[Block]) -> None:
        """Have other children, most of them the same as before: what those look like is kept."""
        self.children = tuple(children)
        self.changed()

    def parts(self) -> Sequence[Block]:
        return self.children

    def inner_width(self, width: int) -> int:
        return max(_NARROWEST, width - cell_len(self.marker) - 1)

    def _lay_out(self, width: int) -> Sequence[Line]:
        first, rest = Span(f"{self.marker} ", self.style), Span(" " * (cell_len(self.marker) + 1))
        if not self.children:
            return prefixed([BLANK], first, rest)
        if width != self._laid_width:
            self._laid, self._laid_rows, self._laid_width = [], [], width
        made = [child.lines(self.inner_width(width)) for child in self.children]
        same = rows = 0
        for was, now, child in zip(self._laid, made, self.children, strict=False):
            if was is not now:
                break
            rows += len(now) + (1 if same and not child.joins else 0)
            same += 1
        added: list[Line] = []
        for at in range(same, len(made)):
            if at and not self.children[at].joins:
                added.append(BLANK)
            added.extend(made[at])
        kept = self._laid_rows[:rows]
        self._laid, self._laid_rows = made, kept + prefixed(added, rest if kept else first, rest)
        return self._laid_rows


def stacked(children: Sequence[Block], width: int) -> list[Line]:
    """Blocks below each other, a blank row between those that don't join."""
    rows: list[Line] = []
    for child in children:
        if rows and not child.joins:
            rows.append(BLANK)
        rows.extend(child.lines(width))
    return rows


def targets(blocks: Sequence[Block], width: int) -> Iterator[tuple[int, int, Block]]:
    """``(first row, rows, block)`` of what a cursor can stand on: code and foldable blocks, also nested ones."""
    row = 0
    for at, block in enumerate(blocks):
        row += bool(at) and not block.joins
        height = len(block.lines(width))
        if block.code or block.foldable:
            yield row, height, block
        elif block.parts():
            for inner, size, part in targets(block.parts(), block.inner_width(width)):
                yield row + inner, size, part
        row += height


def estimate(text: str, width: int) -> int:
    """A guess at the rows ``text`` needs: cheap, for what is far from the screen."""
    width = max(1, width)
    size = len(text) if text.isascii() else len(text) * 7 // 4
    return text.count("\n") + 1 + size // width


def natural(spans: Sequence[Span]) -> int:
    """Cells of the widest line of ``spans``."""
    text = "".join(span.text for span in spans)
    return max(cell_len(line) for line in text.split("\n"))


def padded(line: Sequence[Span], width: int, align: str) -> list[Span]:
    """``line`` filled up to ``width`` cells; ``align`` is left, center or right."""
    room = max(0, width - cells(line))
    left = room if align == "right" else room // 2 if align == "center" else 0
    return [
        *([Span(" " * left)] if left else ()),
        *line,
        *([Span(" " * (room - left))] if room - left else ()),
    ]


def _common(one: Sequence[Span], other: Sequence[Span]) -> int:
    """Length of the beginning that two texts share, styles included."""
    at = 0
    for mine, yours in zip(one, other, strict=False):
        if mine == yours:
            at += len(mine.text)
            continue
        if mine.style == yours.style:
            shorter = min(len(mine.text), len(yours.text))
            same = shorter if mine.text[:shorter] == yours.text[:shorter] else 0
            at += same
        break
    return at
