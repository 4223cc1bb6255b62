"""Long-term memory as everyone else sees it: a file of entries that can be added to, and searched.

Safe to use from several threads. What a screen shows (``entries``, ``stats``, ``problem``) never waits for a search,
a write or the index; a search never waits for a write.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from geekagent_tui.memory.chunking import count_windows
from geekagent_tui.memory.outcomes import MemoryProblem, MemoryStats, Outcome
from geekagent_tui.memory.profiles import profile_named
from geekagent_tui.memory.store import LOCK_SECONDS, Store, utc_now
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.memory import ZH, MemoryTexts

if TYPE_CHECKING:
    # The index brings NumPy in, which takes longer to import than the first frame may take.
    from geekagent_tui.memory.index import Index

LIMIT = 5
"""Hits of one recall, by the specification."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    entries: tuple[str, ...]
    chunks: int
    problem: MemoryProblem | None


class Memory:
    """The memory in one file. Opening reads the file and counts; the index is made by ``warm`` or the first search."""

    def __init__(
        self,
        path: Path,
        *,
        profile: str = "classic",
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], datetime] = utc_now,
        texts: MemoryTexts = ZH,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        """``path`` need not exist: nothing is created before the first write. ``clock`` counts seconds; ``now`` is
        the time in UTC; ``lock_seconds`` how long a write waits for another process. Raises ``ValueError`` for an
        unknown profile; a file that is no memory is not an error but a ``problem``."""
        self.path = path
        self.profile = profile_named(profile, texts)
        self._clock = clock
        self._store = Store(path, texts=texts, now=now, lock_seconds=lock_seconds)
        self._writing = Lock()
        self._searching = Lock()
        self._index: Index | None = None
        self._store.refresh()
        self._snapshot = _Snapshot((), 0, None)
        self._snapshot = self._counted()

    @property
    def entries(self) -> tuple[str, ...]:
        """All entries, whole, in the order of the file."""
        return self._snapshot.entries

    @property
    def problem(self) -> MemoryProblem | None:
        """Why memory is read-only now, None when it is not. The entries are those of the last good file."""
        return self._snapshot.problem

    def stats(self) -> MemoryStats:
        """How many entries and chunks there are."""
        snapshot = self._snapshot
        return MemoryStats(len(snapshot.entries), snapshot.chunks)

    def refresh(self) -> bool:
        """Take over what someone else did to the file. True when entries or problem changed."""
        with self._writing:
            return self._refresh()

    def remember(self, content: str) -> Outcome:
        """Store an entry. It is on the disk, and found by the next search, when this returns ``Remembered``."""
        with self._writing:
            outcome = self._store.remember(content)
            self._publish()
            return outcome

    def recall(self, query: str, limit: int = LIMIT) -> Recall:
        """What comes to mind at a sentence: the ``limit`` best chunks."""
        from geekagent_tui.memory.recall import recall

        self._look()
        with self._searching:
            return recall(self._current(), query, limit, self._clock)

    def search(self, query: str, limit: int = LIMIT) -> Recall:
        """The ``limit`` best chunks for keywords that are separated by white space."""
        from geekagent_tui.memory.recall import search

        self._look()
        with self._searching:
            return search(self._current(), query, limit, self._clock)

    def warm(self, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Make the index now, in small pieces. False when ``should_stop`` ended it early; a search then goes on."""
        with self._searching:
            return self._indexed(should_stop)

    def _look(self) -> None:
        # A writer may be waiting for another process: then what we know has to do.
        if self._writing.acquire(blocking=False):
            try:
                self._refresh()
            finally:
                self._writing.release()

    def _refresh(self) -> bool:
        changed = self._store.refresh()
        if changed:
            self._publish()
        return changed

    def _publish(self) -> None:
        store, snapshot = self._store, self._snapshot
        if store.entries is not snapshot.entries or store.problem is not snapshot.problem:
            self._snapshot = self._counted()

    def _counted(self) -> _Snapshot:
        size, overlap = self.profile.chunk_size, self.profile.chunk_overlap
        before, entries = self._snapshot, self._store.entries
        kept = len(before.entries)
        appended = entries[:kept] == before.entries
        chunks = before.chunks if appended else 0
        new = entries[kept:] if appended else entries
        chunks += sum(count_windows(entry, size, overlap) for entry in new)
        return _Snapshot(entries, chunks, self._store.problem)

    def _current(self) -> Index:
        self._indexed(lambda: False)
        assert self._index is not None
        return self._index

    def _indexed(self, should_stop: Callable[[], bool]) -> bool:
        from geekagent_tui.memory.index import Index

        index = self._index or Index(self.profile)
        # Kept only when the update came to its end or its stop in order: half a change would be wrong for ever.
        self._index = None
        done = index.update(self._snapshot.entries, should_stop=should_stop)
        self._index = index
        return done
