"""Long-term memory as everyone else sees it: a file of entries that can be added to, and searched.

Safe to use from several threads. What a screen shows (``entries``, ``stats``, ``problem``) never waits for a search,
a write or the index; a search never waits for a write.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from geekagent_tui.memory.changing import Plan
from geekagent_tui.memory.chunking import count_windows
from geekagent_tui.memory.journalled import Journalled
from geekagent_tui.memory.ledger.purge import blot, files_beside, holds
from geekagent_tui.memory.ledger.types import Author
from geekagent_tui.memory.outcomes import ChangeOutcome, MemoryProblem, MemoryStats, Outcome
from geekagent_tui.memory.profiles import profile_named
from geekagent_tui.memory.rules import BUDGET
from geekagent_tui.memory.steering import Steer
from geekagent_tui.memory.store import LOCK_SECONDS, Store, utc_now
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.memory import ZH, MemoryTexts

if TYPE_CHECKING:
    # The index brings NumPy in, which takes longer to import than the first frame may take.
    from geekagent_tui.memory.ledger.ledger import Ledger
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


class Memory(Journalled):
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
        scope: str = "project",
    ) -> None:
        """``path`` need not exist: nothing is created before the first write. ``scope`` names whose memory it is
        (``project`` or ``personal``). ``budget``: characters of
        recalled text; ``cache``: folder where the index is kept between runs. ``clock`` counts seconds; ``now`` is
        the time in UTC; ``lock_seconds`` how long a write waits for another process. Raises ``ValueError`` for an
        unknown profile; a file that is no memory is not an error but a ``problem``."""
        self.path = path
        self.scope = scope
        self.forgetting: list[Callable[[Sequence[str]], None]] = []
        """Called with texts that are forgotten for good, by ``purge``: whoever keeps something of entries elsewhere."""
        self.profile = profile_named(profile, texts)
        self._clock = clock
        self._now = now
        self._ledger: Ledger | None = None
        self._store = Store(path, texts=texts, now=now, lock_seconds=lock_seconds, ledger=lambda: self.ledger)
        self._writing = Lock()
        self._searching = Lock()
        self._keeping = Lock()
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

    @property
    def journal_notice(self) -> str:
        """What is wrong with the journal of changes, for a person; "" while it is well."""
        return self._store.journal_notice

    def journal_problem(self) -> str:
        """Why the journal can't be read now, for a person; "" when it can, or when there is none yet. Looks."""
        return self._store.journal_problem()

    def stats(self) -> MemoryStats:
        """How many entries and chunks there are."""
        snapshot = self._snapshot
        return MemoryStats(len(snapshot.entries), snapshot.chunks)

    @property
    def ledger(self) -> Ledger:
        """The journal and the facts, in ``memory.db`` beside the file. Nothing is created before the first change."""
        if self._ledger is None:
            from geekagent_tui.memory.ledger.ledger import Ledger

            real = Path(os.path.realpath(self.path))
            self._ledger = Ledger(
                real.with_suffix(".db"), stamp=lambda: self._now().strftime("%Y%m%dT%H%M%S.%fZ")
            )
        return self._ledger

    def refresh(self) -> bool:
        """Take over what someone else did to the file, and write it down in the journal if there is one. True when
        entries or problem changed."""
        with self._writing:
            changed = self._refresh()
            if changed and self.problem is None and self.ledger.exists:
                self._store.reconcile()
                self._publish()
            return changed

    def _append(self, text: str, author: Author) -> Outcome:
        with self._writing:
            outcome = self._store.remember(text, author)
            self._publish()
            return outcome

    def _apply(self, plan: Plan, author: Author) -> ChangeOutcome:
        with self._writing:
            outcome = self._store.change(plan, author)
            self._publish()
            return outcome

    def _candidates(self, text: str) -> list[tuple[int, str]]:
        with self._asked() as (finder, _):
            entries = self._searched
            ranked = finder.scorer.rank(text[:_LIKENESS_QUERY], _LIKENESS_CANDIDATES).hits
        return [(number, entries[number - 1]) for number in dict.fromkeys(hit.entry for hit in ranked)]

    def _files(self) -> list[Path]:
        return files_beside(Path(os.path.realpath(self.path)).parent, self._cache)

    def _forgotten(self, texts: Sequence[str], wanted: Sequence[bytes]) -> int:
        with self._writing, self._store.locked() as target:
            count = self.ledger.forget(texts)
            for name in (self.path.name, target.name, self.ledger.path.name):
                for copy in {
                    *self.path.parent.glob(f"{name}.corrupt-*"),
                    *target.parent.glob(f"{name}.corrupt-*"),
                }:
                    if holds(copy, wanted):
                        blot(copy, wanted)
        self.purge_index()
        for forget in self.forgetting:
            forget(texts)
        return count

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
        with self._keeping:
            with self._searching:
                if self._finder is None:
                    return False
                chunks = self._finder.scorer.chunks
                if chunks < _WORTH_KEEPING or abs(chunks - self._kept_chunks) < chunks // 10:
                    return False
                save = self._finder.scorer.saver()
            # A search need not wait for the disk.
            try:
                save(self._cache)
            except OSError:
                return False
            self._kept_chunks = chunks
            return True

    def purge_index(self) -> None:
        """See to it that neither the index nor its cache holds anything of entries that memory no longer has: no
        term, no count, no hash. Raises ``OSError`` when the cache can't be deleted; one that can't be written anew is
        never missed."""
        self._look()
        with self._keeping:
            with self._searching:
                self._indexed(lambda: False)
                assert self._finder is not None
                scorer = self._finder.scorer
                scorer.purge()
                chunks, save = scorer.chunks, scorer.saver()
            if self._cache is None:
                return
            # First the old one goes, so that no failure on the way can leave it.
            scorer.discard(self._cache)
            self._kept_chunks = 0
            if chunks >= _WORTH_KEEPING:
                with suppress(OSError):
                    save(self._cache)
                    self._kept_chunks = chunks


_LIKENESS_QUERY = 600
"""Characters of a text with which entries like it are looked for."""

_LIKENESS_CANDIDATES = 16
"""Passages that are compared with a text, the best by score."""

_AT_ONCE = 2000
"""Chunks that a search rather waits for than answers without."""

_WORTH_KEEPING = 2000
"""Chunks from which on reading the index is quicker than making it by enough to matter."""
