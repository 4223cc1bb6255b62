"""Long-term memory as everyone else sees it: a file of entries that can be added to, and searched.

Safe to use from several threads. What a screen shows (``entries``, ``stats``, ``problem``) never waits for a search,
a write or the index; a search never waits for a write.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from geekagent_tui.memory.chunking import count_windows
from geekagent_tui.memory.outcomes import MemoryProblem, MemoryStats, Outcome
from geekagent_tui.memory.profiles import profile_named
from geekagent_tui.memory.rules import BUDGET
from geekagent_tui.memory.steering import Steer
from geekagent_tui.memory.store import LOCK_SECONDS, Store, utc_now
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.memory import ZH, MemoryTexts

if TYPE_CHECKING:
    # The index brings NumPy in, which takes longer to import than the first frame may take.
    from geekagent_tui.memory.recall import Finder
    from geekagent_tui.memory.scorer import Scorer

UNSTEERED = Steer()

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
        budget: int = BUDGET,
        cache: Path | None = None,
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], datetime] = utc_now,
        texts: MemoryTexts = ZH,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        """``path`` need not exist: nothing is created before the first write. ``budget``: characters of
        recalled text; ``cache``: folder where the index is kept between runs. ``clock`` counts seconds; ``now`` is
        the time in UTC; ``lock_seconds`` how long a write waits for another process. Raises ``ValueError`` for an
        unknown profile; a file that is no memory is not an error but a ``problem``."""
        self.path = path
        self.profile = profile_named(profile, texts)
        self._clock = clock
        self._store = Store(path, texts=texts, now=now, lock_seconds=lock_seconds)
        self._writing = Lock()
        self._searching = Lock()
        self._budget = budget
        self._cache = cache
        self._finder: Finder | None = None
        self._kept_chunks = 0
        self._searched: tuple[str, ...] = ()
        self._scorer: Scorer | None = None
        self._waiting = 0
        self._counting = Lock()
        self._warming = False
        self._store.refresh()
        self._snapshot = _Snapshot((), 0, None)
        self._snapshot = self._counted()

    @property
    def entries(self) -> tuple[str, ...]:
        """All entries, whole, in the order of the file."""
        return self._snapshot.entries

    @property
    def budget(self) -> int:
        """Characters of recalled text at most."""
        return self._budget

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

    def recall(
        self, query: str, limit: int = LIMIT, *, previous: str = "", steer: Steer = UNSTEERED
    ) -> Recall:
        """What comes to mind at a sentence: the ``limit`` best passages at most. ``previous`` is the question before,
        which "go on" asks again; ``steer`` what the user said about passages."""
        with self._asked() as (finder, pending):
            found = finder.recall(
                query,
                limit,
                budget=self._budget,
                previous=previous,
                entries=self._searched,
                steer=steer,
            )
        return replace(found, pending=pending) if pending else found

    def search(self, query: str, limit: int = LIMIT) -> Recall:
        """The ``limit`` best passages for keywords that are separated by white space."""
        with self._asked() as (finder, pending):
            found = finder.search(query, limit, entries=self._searched)
        return replace(found, pending=pending) if pending else found

    def warm(self, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Make the index now. False when ``should_stop`` ended it early.

        A search that comes in between is let in, and answers from what is ready.
        """
        self._warming = True
        try:
            while True:
                with self._searching:
                    done = self._indexed(lambda: should_stop() or self._waiting > 0)
                if done or should_stop():
                    return done
                while self._waiting:
                    time.sleep(0.001)
        finally:
            self._warming = False

    @property
    def progress(self) -> float:
        """How much of memory is indexed, 0 to 1; 1 too when what is missing is nothing that a search waits for."""
        total = self._snapshot.chunks
        ready = self._scorer.chunks if self._scorer is not None else 0
        return ready / total if self._warming and total - ready > _AT_ONCE else 1.0

    @contextmanager
    def _asked(self) -> Iterator[tuple[Finder, int]]:
        """The finder, for one search, and how many chunks it doesn't have yet."""
        self._look()
        with self._counting:
            self._waiting += 1
        try:
            self._searching.acquire()
        finally:
            with self._counting:
                self._waiting -= 1
        try:
            pending = self._snapshot.chunks - (self._scorer.chunks if self._scorer is not None else 0)
            if self._finder is None or not (self._warming and pending > _AT_ONCE):
                self._indexed(lambda: False)
                pending = 0
            assert self._finder is not None
            yield self._finder, max(0, pending)
        finally:
            self._searching.release()

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

    def _indexed(self, should_stop: Callable[[], bool]) -> bool:
        finder = self._finder or self._new_finder()
        # Kept only when the update came to its end or its stop in order: half a change would be wrong for ever.
        self._finder = None
        self._searched = self._snapshot.entries
        done = finder.scorer.update(self._searched, should_stop=should_stop)
        self._finder = finder
        return done

    def _new_finder(self) -> Finder:
        from geekagent_tui.memory.recall import Finder
        from geekagent_tui.memory.scorers import scorer_for

        scorer = self._scorer = scorer_for(self.profile)
        if self._cache is not None and scorer.load(self._cache):
            self._kept_chunks = scorer.chunks
        return Finder(scorer, self.profile, self._clock)

    def keep_index(self) -> bool:
        """Put the index into the cache when that saves the next start work. False when there was no need, or it could
        not be done: a cache is never missed."""
        if self._cache is None:
            return False
        with self._searching:
            if self._finder is None:
                return False
            chunks = self._finder.scorer.chunks
            if chunks < _WORTH_KEEPING or abs(chunks - self._kept_chunks) < chunks // 10:
                return False
            try:
                self._finder.scorer.save(self._cache)
            except OSError:
                return False
            self._kept_chunks = chunks
            return True


_AT_ONCE = 2000
"""Chunks that a search rather waits for than answers without."""

_WORTH_KEEPING = 2000
"""Chunks from which on reading the index is quicker than making it by enough to matter."""
