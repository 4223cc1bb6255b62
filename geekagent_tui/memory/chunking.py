"""Entries to chunks: overlapping windows that never cut a grapheme cluster."""

from __future__ import annotations

from geekagent_tui.memory.graphemes import cluster_start

SIZE = 320
OVERLAP = 80


def windows(text: str, size: int = SIZE, overlap: int = OVERLAP) -> list[tuple[int, int]]:
    """The half-open (start, end) windows over ``text``, in code points, in order.

    Windows lie at 0, step, 2 · step, … with step = size - overlap and stop with the first that reaches the end; a
    cut that would fall inside a grapheme cluster moves back to the cluster's start. Every character is covered; a
    cluster longer than a window is cut where the window ends. Raises ``ValueError`` unless 0 <= overlap < size.
    """
    step = _step(size, overlap)
    length = len(text)
    if length <= size:
        return [(0, length)] if text else []
    safe = text.isascii() and "\r" not in text
    found: list[tuple[int, int]] = []
    start = 0
    for at in range(0, length, step):
        start = at if safe or not at else cluster_start(text, at, start)
        end = min(at + size, length)
        found.append((start, end if safe else cluster_start(text, end, start)))
        if at + size >= length:
            break
    return found


def count_windows(text: str, size: int = SIZE, overlap: int = OVERLAP) -> int:
    """``len(windows(text, size, overlap))`` without making them."""
    step = _step(size, overlap)
    if len(text) <= size:
        return 1 if text else 0
    return 1 - (size - len(text)) // step


def _step(size: int, overlap: int) -> int:
    if not 0 <= overlap < size:
        raise ValueError(
            f"chunk overlap must be at least 0 and less than the size: size {size}, overlap {overlap}"
        )
    return size - overlap
