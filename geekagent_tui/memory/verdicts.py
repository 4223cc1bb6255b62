"""What was said to be "not useful here", kept in a small JSON file beside memory.

``[{"entry", "first", "last", "terms"}]``: a passage by its content, and the terms of the question it was of no use
to. No text of memory stands in it. Safe to use from several threads and processes.
"""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Any

from geekagent_tui.memory import durable
from geekagent_tui.memory.steering import ALIKE, Passage, Verdict, likeness

MOST = 2000
"""Verdicts that are kept; the oldest go first."""

LOCK_SECONDS = 5.0


class Verdicts:
    """The verdicts in one file. A file that is none counts as empty, and is replaced by the next verdict."""

    def __init__(self, path: Path, *, lock_seconds: float = LOCK_SECONDS) -> None:
        self._path = path
        self._lock_seconds = lock_seconds
        self._lock = Lock()
        self._stamp: tuple[int, int, int, int] | None = None
        self._all: tuple[Verdict, ...] = ()

    def all(self) -> tuple[Verdict, ...]:
        """The verdicts as the file says now: one ``stat`` when it did not change."""
        with self._lock:
            self._read()
            return self._all

    def toggle(self, passage: Passage, terms: frozenset[str]) -> bool:
        """Say that ``passage`` is of no use to such a question, or take that back. True when it counts now. Raises
        ``OSError`` or ``durable.LockTimeoutError``, and nothing is changed then."""
        with self._lock, durable.lock(self._path.with_name(f"{self._path.name}.lock"), self._lock_seconds):
            self._read()
            kept = tuple(each for each in self._all if not _said(each, passage, terms))
            counts = len(kept) == len(self._all)
            if counts:
                kept = (*kept, Verdict(passage, terms))[-MOST:]
            rows = [
                {
                    "entry": each.passage.entry,
                    "first": each.passage.first,
                    "last": each.passage.last,
                    "terms": sorted(each.terms),
                }
                for each in kept
            ]
            text = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
            durable.replace(self._path, text.encode("utf-8", "surrogatepass"))
            self._all, self._stamp = kept, durable.signature(self._path)
        return counts

    def _read(self) -> None:
        try:
            stamp = durable.signature(self._path)
            if stamp == self._stamp:
                return
            data = json.loads(durable.read(self._path).decode("utf-8", "surrogatepass")) if stamp else []
        except (OSError, ValueError, RecursionError):
            self._all, self._stamp = (), None
            return
        found = map(_verdict, data) if isinstance(data, list) else ()
        self._all, self._stamp = tuple(each for each in found if each is not None), stamp


def _said(verdict: Verdict, passage: Passage, terms: frozenset[str]) -> bool:
    """Whether ``verdict`` is what keeps ``passage`` away from a question with ``terms``."""
    held = verdict.passage
    meets = held.entry == passage.entry and held.first <= passage.last and passage.first <= held.last
    return meets and likeness(verdict.terms, terms) >= ALIKE


def _verdict(data: Any) -> Verdict | None:
    if not isinstance(data, dict):
        return None
    entry, first, last, terms = (data.get(name) for name in ("entry", "first", "last", "terms"))
    if not (isinstance(entry, str) and isinstance(first, int) and isinstance(last, int)):
        return None
    if not isinstance(terms, list) or not all(isinstance(term, str) for term in terms):
        return None
    return Verdict(Passage(entry, first, last), frozenset(terms))
