"""Where in a line the cursor may stand: between grapheme clusters, and not inside a folded paste. Pure.

``folded`` are the ``(start, end)`` columns of the labels in the line; columns are code points from 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from geekagent_tui.memory.graphemes import is_boundary

Spans = Sequence[tuple[int, int]]


def snap(line: str, column: int, folded: Spans, *, forward: bool) -> int:
    """The stop at ``column``, or else the next one in the direction of travel."""
    for start, end in folded:
        if start < column < end:
            return end if forward else start
    step = 1 if forward else -1
    while not is_boundary(line, column):
        column += step
    return column


def following(line: str, column: int, folded: Spans) -> int:
    """The stop right of ``column``; ``column`` must not be the line's end."""
    return snap(line, column + 1, folded, forward=True)


def previous(line: str, column: int, folded: Spans) -> int:
    """The stop left of ``column``; ``column`` must not be 0."""
    return snap(line, column - 1, folded, forward=False)
