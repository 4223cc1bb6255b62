"""Unified diffs of texts, for people."""

from __future__ import annotations

import difflib

CONTEXT_LINES = 3
MAX_COMPARED = 20_000
"""Lines of both texts together that are compared line by line: ``difflib`` takes the square of them at worst."""


def unified(before: str, after: str, path: str) -> str:
    """The changes from ``before`` to ``after``, "" when there are none."""
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    if len(old) + len(new) > MAX_COMPARED:
        old, new, skipped = _trimmed(old, new)
    else:
        skipped = 0
    if len(old) + len(new) > MAX_COMPARED:
        rows = [f"@@ -{skipped + 1},{len(old)} +{skipped + 1},{len(new)} @@"]
        rows += [f"-{line}" for line in old] + [f"+{line}" for line in new]
        return "\n".join((f"--- {path}", f"+++ {path}", *rows))
    rows = list(difflib.unified_diff(old, new, path, path, lineterm="", n=CONTEXT_LINES))
    # The line without an end is the one change that lines do not show.
    if not rows and before != after:
        rows = [f"--- {path}", f"+++ {path}", "@@ @@", "\\ \\n"]
    return "\n".join(rows)


def counts(diff: str) -> tuple[int, int]:
    """Lines added and lines removed."""
    rows = diff.split("\n")[2:]
    return sum(row.startswith("+") for row in rows), sum(row.startswith("-") for row in rows)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def _trimmed(old: list[str], new: list[str]) -> tuple[list[str], list[str], int]:
    """Without the lines both begin and end with, and how many were taken off the beginning."""
    start = 0
    shortest = min(len(old), len(new))
    while start < shortest and old[start] == new[start]:
        start += 1
    end = 0
    while end < shortest - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end], start
