"""Tables that fit: columns shrink and their cells wrap; when even that is too narrow, a row becomes a list."""

from __future__ import annotations

from collections.abc import Sequence

from geekagent_tui.ui.transcript.blocks import Block, natural, padded
from geekagent_tui.ui.transcript.lines import BLANK, ORNAMENT, Line, Span, prefixed, styled
from geekagent_tui.ui.transcript.wrap import wrap

Cell = tuple[Span, ...]
Row = tuple[Cell, ...]

_BETWEEN = Span(" │ ", f"{ORNAMENT} rule")
_NARROWEST = 4
"""Cells below which a column is not worth reading."""


class Table(Block):
    """``append`` adds rows. While the columns keep their widths, rows already laid out stay."""

    def __init__(self, header: Row, aligns: Sequence[str], rows: Sequence[Row] = ()) -> None:
        super().__init__()
        self.header = header
        self.aligns = tuple(aligns)
        self._rows: list[Row] = []
        self._natural = [max(1, natural(cell)) for cell in header]
        self._partial: Sequence[Row] = ()
        self._laid: list[Line] = []
        self._laid_count = 0
        self._laid_widths: tuple[int, ...] = ()
        self.append(rows)

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def append(self, rows: Sequence[Row]) -> None:
        self._rows.extend(rows)
        self._grow(rows, self._natural)
        self._partial = ()
        self.changed()

    def show_partial(self, rows: Sequence[Row]) -> None:
        """Show ``rows`` at the end, until the next call or ``append``."""
        if rows or self._partial:
            self._partial = tuple(rows)
            self.changed()

    @staticmethod
    def _grow(rows: Sequence[Row], widths: list[int]) -> None:
        for row in rows:
            for at, cell in enumerate(row[: len(widths)]):
                widths[at] = max(widths[at], natural(cell))

    def _lay_out(self, width: int) -> Sequence[Line]:
        wanted = list(self._natural)
        self._grow(self._partial, wanted)
        widths = fit(wanted, width - len(_BETWEEN.text) * (len(wanted) - 1))
        if widths is None:
            return self._stacked(width)
        if widths != self._laid_widths:
            self._laid, self._laid_count, self._laid_widths = [], 0, widths
        for row in self._rows[self._laid_count :]:
            self._laid.extend(self._row(row, widths, ""))
        self._laid_count = len(self._rows)
        line = "─┼─".join("─" * size for size in widths)
        rule = Line((Span(line, f"{ORNAMENT} rule"),), glue="")
        rows = [*self._row(self.header, widths, "table-header"), rule, *self._laid]
        for row in self._partial:
            rows.extend(self._row(row, widths, ""))
        return rows

    def _row(self, row: Row, widths: Sequence[int], style: str) -> list[Line]:
        columns = [
            wrap(styled(cell, style) if style else cell, size)
            for cell, size in zip(row, widths, strict=False)
        ]
        height = max((len(column) for column in columns), default=1)
        lines: list[Line] = []
        for at in range(height):
            spans: list[Span] = []
            for number, size in enumerate(widths):
                if number:
                    spans.append(_BETWEEN)
                column = columns[number] if number < len(columns) else []
                spans.extend(padded(column[at].spans if at < len(column) else (), size, self.aligns[number]))
            lines.append(Line(tuple(spans)))
        return lines

    def _stacked(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for row in (*self._rows, *self._partial):
            if lines:
                lines.append(BLANK)
            for name, cell in zip(self.header, row, strict=False):
                label = [*styled(name, "table-header"), Span(": ", "table-header")]
                entry = wrap([*label, *cell], max(8, width - 2))
                lines.extend(prefixed(entry, Span(""), Span("  ", ORNAMENT)))
        return lines or wrap([span for name in self.header for span in (*name, Span(" "))], width)


def fit(wanted: Sequence[int], room: int) -> tuple[int, ...] | None:
    """Column widths that add up to at most ``room`` cells: the widest give way first, evenly. None when columns
    would get too narrow."""
    if sum(wanted) <= room:
        return tuple(wanted)
    if room < sum(min(size, _NARROWEST) for size in wanted):
        return None
    cap = next(cap for cap in range(max(wanted), 0, -1) if sum(min(size, cap) for size in wanted) <= room)
    widths = [min(size, cap) for size in wanted]
    spare = room - sum(widths)
    for at, size in enumerate(wanted):
        if spare and size > widths[at]:
            widths[at] += 1
            spare -= 1
    return tuple(widths)
