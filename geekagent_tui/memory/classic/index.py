"""Entries as chunks that can be scored: an inverted index kept in step with memory.

Chunks live in slots that are given out in rising order and never given out twice. Adding or removing an entry costs
that entry; when more slots are dead than alive, the index is built anew once.
"""

from __future__ import annotations

import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from geekagent_tui.memory.chunking import windows
from geekagent_tui.memory.classic.analysis import normalise
from geekagent_tui.memory.classic.matching import Floats, Matcher, Slots
from geekagent_tui.memory.classic.postings import Postings
from geekagent_tui.memory.profiles import Profile
from geekagent_tui.memory.types import Chunk

_BLOCK = 64
_KEPT_WEIGHTS = 4_000_000
"""Weights that are kept, 16 bytes each; past that, all are dropped and worked out again when asked for."""

_DEAD_ALLOWED = 4096
"""Dead slots that are never worth building anew for."""

_PIECE = 6
"""Chunks entered between two offers of the interpreter to other threads: about a millisecond of work."""


@dataclass(slots=True)
class _Entry:
    """An entry in the index. ``position`` counts from 0 and is only right while ``Index`` says so."""

    text: str
    position: int
    first_slot: int
    windows: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class TermWeights:
    """What each chunk gets for one occurrence of a term in the query. ``slots`` ascend."""

    idf: float
    df: int
    slots: Slots
    weights: Floats


@dataclass(frozen=True, slots=True)
class Scored:
    """A slot and its score."""

    slot: int
    score: float


class Index:
    """All chunks of all entries. Not thread-safe: the owner sees to that."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._reset()

    def _reset(self) -> None:
        self._texts: tuple[str, ...] = ()
        self._entries: list[_Entry] = []
        self._postings = Postings()
        self._matcher = Matcher(self._postings, self._normalised, self._live)
        self._in_file_order = True
        self._owners: list[_Entry | None] = []
        self._lengths = array("I")
        self._chunks = 0
        self._length = 0
        self._weights: dict[str, TermWeights] = {}
        self._kept = 0
        self._dampings: Floats | None = None

    @property
    def chunks(self) -> int:
        """How many chunks there are: the N of the formula."""
        return self._chunks

    @property
    def mean_length(self) -> float:
        """Mean normalised length of a chunk, in characters; 0 when there is none."""
        return self._length / self._chunks if self._chunks else 0.0

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Make the index that of ``texts``, in that order. Only entries whose text is new or gone cost anything.

        Offers the interpreter to other threads again and again. Returns False when ``should_stop`` said to stop
        on the way; the index is then incomplete and the next ``update`` goes on.
        """
        texts = tuple(texts)
        if texts is self._texts:
            return True
        kept = self._common_prefix(texts)
        self._texts = ()
        left: defaultdict[str, list[_Entry]] = defaultdict(list)
        for entry in reversed(self._entries[kept:]):
            left[entry.text].append(entry)
        del self._entries[kept:]
        fresh: list[tuple[int, str]] = []
        arranged: list[_Entry | None] = []
        for position, text in enumerate(texts[kept:], kept):
            same = left.get(text)
            arranged.append(same.pop() if same else None)
            if arranged[-1] is None:
                fresh.append((position, text))
        for gone in left.values():
            for entry in gone:
                self._remove(entry)
        if len(self._owners) - self._chunks > max(self._chunks, _DEAD_ALLOWED):
            return self._rebuild(texts, should_stop)
        done = self._enter(fresh, kept, arranged, should_stop)
        self._entries.extend(entry for entry in arranged if entry is not None)
        last = self._entries[kept - 1].first_slot if kept else -1
        for position, entry in enumerate(self._entries[kept:], kept):
            entry.position = position
            self._in_file_order &= entry.first_slot > last
            last = entry.first_slot
        self.forget()
        if done:
            self._texts = texts
        return done

    def weights(self, term: str) -> TermWeights:
        """The weights of a term, worked out once and kept until memory changes."""
        known = self._weights.get(term)
        if known is None:
            matches = self._matcher.matches(term, len(self._owners))
            df = matches.slots.size
            idf = self.profile.scorer.idf(self._chunks, df) if self._chunks else 0.0
            weights = self.profile.scorer.weight(idf, matches.tf, self._damping()[matches.slots])
            known = TermWeights(idf, df, matches.slots, weights)
            self._kept += df
            if self._kept > _KEPT_WEIGHTS:
                self._weights.clear()
                self._kept = df
            self._weights[term] = known
        return known

    def forget(self) -> None:
        """Drop what was worked out: every weight hangs on the number of chunks and their mean length."""
        self._weights = {}
        self._kept = 0
        self._dampings = None

    def best(self, keywords: Sequence[str], limit: int) -> list[Scored]:
        """The ``limit`` best chunks with a score above 0, best first, ties in entry and segment order.

        The sum runs over the keywords in their order, repeats again, so that it gives the bits of the plain loop.
        """
        found = [weights for weights in map(self.weights, keywords) if weights.df]
        if not found or limit <= 0:
            return []
        scores = np.bincount(
            np.concatenate([weights.slots for weights in found]),
            np.concatenate([weights.weights for weights in found]),
        ).astype(np.float64, copy=False)
        candidates = _top(scores, limit)
        ranked = zip((-scores[candidates]).tolist(), candidates.tolist(), strict=True)
        if self._in_file_order:
            order = sorted(ranked)
        else:
            order = sorted(ranked, key=lambda pair: (pair[0], self.place(pair[1])))
        return [Scored(slot, -negative) for negative, slot in order[:limit] if negative < 0]

    def place(self, slot: int) -> tuple[int, int]:
        """Entry and segment of a live slot, both from 0."""
        owner = self._owner(slot)
        return owner.position, slot - owner.first_slot

    def chunk(self, slot: int) -> Chunk:
        """The chunk in a live slot."""
        owner = self._owner(slot)
        segment = slot - owner.first_slot
        start, end = owner.windows[segment]
        return Chunk(owner.position, segment, start, owner.text[start:end])

    def damping(self, slot: int) -> float:
        """The scorer's damping of a live slot."""
        return float(self._damping()[slot])

    def _owner(self, slot: int) -> _Entry:
        owner = self._owners[slot]
        if owner is None:
            raise LookupError(f"slot {slot} is dead")
        return owner

    def _normalised(self, slot: int) -> str:
        owner = self._owner(slot)
        start, end = owner.windows[slot - owner.first_slot]
        return normalise(owner.text[start:end])

    def _live(self, first: int) -> list[int]:
        return [slot for slot, owner in enumerate(self._owners[first:], first) if owner is not None]

    def _common_prefix(self, texts: tuple[str, ...]) -> int:
        known = len(self._texts)
        if known and texts[:known] == self._texts:
            return known
        for at, (entry, text) in enumerate(zip(self._entries, texts, strict=False)):
            if entry.text is not text and entry.text != text:
                return at
        return min(len(self._entries), len(texts))

    def _enter(
        self,
        fresh: list[tuple[int, str]],
        base: int,
        arranged: list[_Entry | None],
        should_stop: Callable[[], bool],
    ) -> bool:
        waiting = 0
        for position, text in fresh:
            entry = self._add(position, text)
            arranged[position - base] = entry
            waiting += len(entry.windows)
            if waiting >= _PIECE:
                waiting = 0
                time.sleep(0)
                if should_stop():
                    return position == fresh[-1][0]
        return True

    def _rebuild(self, texts: tuple[str, ...], should_stop: Callable[[], bool]) -> bool:
        self._reset()
        return self.update(texts, should_stop=should_stop)

    def _add(self, position: int, text: str) -> _Entry:
        profile = self.profile
        entry = _Entry(
            text, position, len(self._owners), windows(text, profile.chunk_size, profile.chunk_overlap)
        )
        for slot, (start, end) in zip(count(entry.first_slot), entry.windows, strict=False):
            normalised = normalise(text[start:end])
            self._postings.add(slot, normalised)
            self._owners.append(entry)
            self._lengths.append(len(normalised))
            self._length += len(normalised)
        self._chunks += len(entry.windows)
        return entry

    def _remove(self, entry: _Entry) -> None:
        for segment in range(len(entry.windows)):
            slot = entry.first_slot + segment
            self._postings.remove(slot, self._normalised(slot))
            self._owners[slot] = None
            self._length -= self._lengths[slot]
        self._chunks -= len(entry.windows)
        self._matcher.forget()

    def _damping(self) -> Floats:
        if self._dampings is None:
            lengths = np.array(self._lengths, np.float64)
            self._dampings = self.profile.scorer.damping(lengths, self.mean_length or 1.0)
        return self._dampings


def _top(scores: Floats, limit: int) -> Slots:
    """Slots that hold all of the ``limit`` best scores above 0, and few others.

    The ``limit``-th best of the blocks' maxima is a score that ``limit`` chunks reach, found without sorting.
    """
    rows = scores.size // _BLOCK
    if rows <= limit:
        return np.flatnonzero(scores)
    # Block n is every rows-th score from n on, which lets the maximum run along the memory.
    best = scores[: rows * _BLOCK].reshape(_BLOCK, rows).max(axis=0)
    best.partition(rows - limit)
    floor = best[rows - limit]
    return np.flatnonzero(scores >= floor) if floor > 0 else np.flatnonzero(scores)
