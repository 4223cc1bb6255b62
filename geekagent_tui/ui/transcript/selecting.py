"""Text selection: rows named so that they keep their names while heights above them change."""

from __future__ import annotations

from textual.selection import Selection

from geekagent_tui.ui.transcript.column import Column
from geekagent_tui.ui.transcript.strips import GUTTER

_ROWS = 1_000_000
"""More rows than any item has: a row's name is its item's number times this, plus its own."""


def row_key(item: int, row: int) -> int:
    """The ordinate Textual's selection knows row ``row`` of item ``item`` by."""
    return item * _ROWS + row


def selected_text(column: Column, selection: Selection) -> str:
    """The text between the selection's ends, as one would have typed it."""
    first = selection.start.y // _ROWS if selection.start is not None else 0
    last = selection.end.y // _ROWS if selection.end is not None else len(column.items) - 1
    pieces: list[str] = []
    for at in range(max(0, first), min(last + 1, len(column.items))):
        for row, line in enumerate(column.items[at].rows(column.width).lines):
            span = selection.get_span(row_key(at, row))
            if span is None:
                continue
            start, end = span
            if pieces:
                pieces.append("\n" if line.glue is None else line.glue)
            pieces.append(line.copied(max(0, start - GUTTER), None if end == -1 else max(0, end - GUTTER)))
    return "".join(pieces)
