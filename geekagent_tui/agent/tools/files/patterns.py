"""Wildcard paths: ``*`` within a name, ``**`` over any number of folders."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache


class PathPattern:
    """Matches paths with ``/``. Time is bounded by names × parts of the pattern, whatever the pattern."""

    def __init__(self, pattern: str) -> None:
        parts = [part for part in pattern.removeprefix("./").split("/") if part not in ("", ".")]
        self._parts: list[re.Pattern[str] | None] = []
        for part in parts:
            if part != "**":
                self._parts.append(_name(part))
            elif not self._parts or self._parts[-1] is not None:
                self._parts.append(None)

    def matches(self, path: str) -> bool:
        names = path.split("/")
        # Positions in the pattern at which one can be after the names so far.
        at = self._skipped({0})
        for name in names:
            ahead = set()
            for position in at:
                if position == len(self._parts):
                    continue
                part = self._parts[position]
                if part is None:
                    ahead.add(position)
                elif part.match(name):
                    ahead.add(position + 1)
            at = self._skipped(ahead)
            if not at:
                return False
        return len(self._parts) in at

    def _skipped(self, at: set[int]) -> set[int]:
        """``**`` may stand for no folder at all."""
        return at | {p + 1 for p in at if p < len(self._parts) and self._parts[p] is None}


@lru_cache(maxsize=256)
def _name(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))
