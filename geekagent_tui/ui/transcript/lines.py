"""What a laid-out row is made of: spans of text, each with the names of its styles.

Nothing here knows colours: a style is a string of names separated by blanks (``"strong code"``) that
``palette`` resolves when a row is drawn. So a change of theme costs no new layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

ORNAMENT = "ornament"
"""Style name of what the layout added (bars, indents, separators): drawn, never copied."""


class Span(NamedTuple):
    text: str
    style: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One row. ``fill`` is the style of the row as a whole, to its very end. ``glue`` is what stood between this
    row and the one above when it only continues it ("" or a blank), None for a row of its own."""

    spans: tuple[Span, ...] = ()
    fill: str = ""
    glue: str | None = None

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def cells(self) -> int:
        return cells(self.spans)

    def offset_at(self, cell: int) -> int:
        """The character at a cell; the row's length when the cell is behind it."""
        used = 0
        for at, char in enumerate(self.text):
            used += cell_len(char)
            if cell < used:
                return at
        return len(self.text)

    def copied(self, start: int = 0, end: int | None = None) -> str:
        """The text between two offsets into ``text``, without ornaments."""
        pieces: list[str] = []
        at = 0
        for text, style in self.spans:
            if not is_ornament(style):
                stop = len(text) if end is None else end - at
                pieces.append(text[max(0, start - at) : max(0, stop)])
            at += len(text)
        return "".join(pieces)


BLANK = Line()


def is_ornament(style: str) -> bool:
    return style.startswith(ORNAMENT)


def cells(spans: Iterable[Span]) -> int:
    """Width in terminal cells."""
    return sum(cell_len(span.text) for span in spans)


def styled(spans: Iterable[Span], style: str) -> list[Span]:
    """``spans`` with one more style name underneath their own."""
    return [Span(text, f"{style} {own}" if own else style) for text, own in spans]


def prefixed(lines: Sequence[Line], first: Span, rest: Span) -> list[Line]:
    """``lines`` with ``first`` before the first row and ``rest`` before the others.

    A row that only continues the one above gets its prefix as an ornament: joined again, it must not show.
    """
    result: list[Line] = []
    for at, line in enumerate(lines):
        prefix = first if at == 0 else rest
        if at and line.glue is not None and not is_ornament(prefix.style):
            prefix = Span(prefix.text, f"{ORNAMENT} {prefix.style}".rstrip())
        result.append(Line((prefix, *line.spans), line.fill, line.glue))
    return result


def joined(lines: Iterable[Line]) -> str:
    """The text of whole rows as one would copy it: no ornaments, wrapped rows in one piece."""
    pieces: list[str] = []
    for at, line in enumerate(lines):
        if at:
            pieces.append("\n" if line.glue is None else line.glue)
        pieces.append(line.copied())
    return "".join(pieces)
