"""The best chunks for weighted terms, over all segments, without looking at chunks that can't be among them.

Terms are added up from the one that can give most to the one that can give least. Once what is left can't lift a
chunk without it over the worst of the best so far, only the chunks that are in reach are looked up (MaxScore: Turtle
and Flood, "Query evaluation: strategies and optimizations", 1995). A few promising chunks are finished first, so that
the worst of the best is high before all others are held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.memory.lexical.segment import Posting, Segment
from geekagent_tui.memory.lexical.tokens import Keys

Scores: TypeAlias = NDArray[np.float32]
Numbers: TypeAlias = NDArray[np.intp]

_LONG = 2048
"""Chunks in a posting list from which on it is worth finding out whether the list matters."""

_BLOCKS = 1024
"""Chunks whose scores are compared for a threshold: one out of each of so many blocks."""

_PROMISING = 4
"""Times ``limit``: chunks that are finished before the others."""

_SLACK = 1e-5
"""Of a score: sums in 32 bits depend on their order."""

_LEAST = 1e-9
"""Less than any term adds."""

_GATHER_COST = 16
"""Looking one chunk up by halving costs as much as writing this many postings into a row by chunk."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A term's posting list. ``most``: its gain with no damping; ``bound``: the most that it can add here."""

    supports: bool
    most: float
    bound: float
    posting: Posting


def best(
    segments: Sequence[Segment],
    keys: Keys,
    weights: Sequence[float],
    supporting: Sequence[bool],
    scorer: Bm25,
    mean: float,
    limit: int,
) -> list[int]:
    """The ``limit`` best live chunks by their number over all segments, in no particular order.

    ``weights[n]``: what ``keys[n]`` adds to a score at most before saturation: idf times its count and factor. A
    ``supporting`` term adds to chunks that another term has found and finds none itself.
    """
    found = np.empty(0, np.int64)
    scores = np.empty(0, np.float32)
    floor = 0.0
    base = 0
    for segment in segments:
        damping = segment.damping(scorer.k1, scorer.b, mean)
        lists = _listed(segment, keys, weights, supporting, scorer)
        chunks, values = _Search(segment, lists, damping, limit, floor).run()
        if chunks.size:
            found = np.concatenate((found, chunks + base))
            scores = np.concatenate((scores, values))
            if scores.size >= limit:
                keep = _best_of(scores, limit)
                found, scores = found[keep], scores[keep]
                floor = float(scores.min())
        base += segment.size
    return [int(number) for number in found]


def _listed(
    segment: Segment, keys: Keys, weights: Sequence[float], supporting: Sequence[bool], scorer: Bm25
) -> list[_Listed]:
    """The posting lists that the segment has, finding ones first, each kind from the one that can give most."""
    least = segment.least_damping
    found = []
    for at, weight, supports in zip(segment.find(keys).tolist(), weights, supporting, strict=True):
        if at >= 0:
            posting = segment.posting(at)
            tf, most = int(posting.tf.max()), weight * (scorer.k1 + 1)
            found.append(_Listed(supports, most, most * tf / (tf + least), posting))
    found.sort(key=lambda one: (one.supports, -one.bound))
    return found


class _Search:
    """One question to one segment. ``floor``: a score that ``limit`` chunks of other segments reach."""

    def __init__(
        self, segment: Segment, lists: list[_Listed], damping: Scores, limit: int, floor: float
    ) -> None:
        self._segment, self._lists, self._damping = segment, lists, damping
        self._limit, self._floor = limit, floor
        # left[n]: the most that lists n, n + 1, … can add together.
        self._left = np.cumsum([0.0, *(one.bound for one in reversed(lists))])[::-1].tolist()
        self._totals = np.zeros(segment.size, np.float32)
        self._row = np.zeros(0, np.uint8)

    def run(self) -> tuple[Numbers, Scores]:
        """The best chunks that reach the floor, by their number here, and their scores."""
        finding = sum(not one.supports for one in self._lists)
        done = seen = 0
        while done < finding:
            if self._left[done] < self._reach:
                break
            size = self._lists[done].posting.chunks.size
            if size > _LONG and seen >= self._limit:
                self._raise_floor()
                if self._left[done] < self._reach:
                    break
            self._add(self._lists[done])
            seen += size
            done += 1
        if not seen:
            return np.empty(0, np.intp), np.empty(0, np.float32)
        if self._segment.alive is not None:
            self._totals *= self._segment.alive
        self._raise_floor()
        chunks = np.flatnonzero(self._totals >= max(self._reach - self._left[done], _LEAST))
        values = self._totals[chunks]
        if done < len(self._lists) and chunks.size > (some := self._limit * _PROMISING):
            first = _best_of(values, some)
            _, finished = self._finished(chunks[first], values[first], done)
            if finished.size >= self._limit:
                self._floor = max(self._floor, _nth_best(finished, self._limit))
            near = values >= self._reach - self._left[done]
            chunks, values = chunks[near], values[near]
        chunks, values = self._finished(chunks, values, done)
        keep = _best_of(values, self._limit)
        return chunks[keep], values[keep]

    @property
    def _reach(self) -> float:
        return self._floor * (1 - _SLACK)

    def _add(self, one: _Listed) -> None:
        chunks = one.posting.chunks.astype(np.intp)
        below = self._damping.take(chunks)
        below += one.posting.tf
        gains = one.posting.tf * np.float32(one.most)
        gains /= below
        np.add.at(self._totals, chunks, gains)

    def _raise_floor(self) -> None:
        """The best of every block are as many different chunks, so the last of the best of them is surpassed by none
        but the best of all."""
        totals = self._totals if self._segment.alive is None else self._totals * self._segment.alive
        rows = totals.size // _BLOCKS
        if rows > 1:
            totals = totals[: rows * _BLOCKS].reshape(rows, _BLOCKS).max(0)
        if totals.size >= self._limit:
            self._floor = max(self._floor, _nth_best(totals, self._limit))

    def _finished(self, chunks: Numbers, values: Scores, done: int) -> tuple[Numbers, Scores]:
        """``chunks`` with what the lists from ``done`` on add to their ``values``; those that fall out of reach of the
        floor on the way are left out."""
        damping = self._damping.take(chunks)
        values = values.copy()
        for at, one in enumerate(self._lists[done:], done):
            if not chunks.size:
                break
            tf = self._counts(one.posting, chunks).astype(np.float32)
            gains = tf * np.float32(one.most)
            tf += damping
            gains /= tf
            values += gains
            if chunks.size > self._limit:
                near = values >= self._reach - self._left[at + 1]
                if np.count_nonzero(near) < 0.7 * chunks.size:
                    chunks, values, damping = chunks[near], values[near], damping[near]
        near = values >= self._reach
        return chunks[near], values[near]

    def _counts(self, posting: Posting, chunks: Numbers) -> NDArray[np.uint8]:
        if chunks.size * _GATHER_COST < posting.chunks.size:
            return posting.counts(chunks.astype(np.uint16))
        if self._row.size:
            self._row.fill(0)
        else:
            self._row = np.zeros(self._segment.size, np.uint8)
        self._row[posting.chunks.astype(np.intp)] = posting.tf
        return self._row.take(chunks)


def _nth_best(values: Scores, limit: int) -> float:
    return float(np.partition(values, values.size - limit)[values.size - limit])


def _best_of(values: Scores, limit: int) -> Numbers:
    """The places of the ``limit`` best; of equals, those that stand first."""
    if values.size <= limit:
        return np.arange(values.size)
    last = _nth_best(values, limit)
    above = np.flatnonzero(values > last)
    return np.sort(np.concatenate((above, np.flatnonzero(values == last)[: limit - above.size])))
