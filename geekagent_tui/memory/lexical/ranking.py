"""The best chunks for weighted terms, over all segments, without looking at chunks that can't be among them.

Terms are added up from the one that can give most to the one that can give least. Once what is left can't lift a
chunk without it over the worst of the best so far, only the chunks that are in reach are looked up (MaxScore: Turtle
and Flood, "Query evaluation: strategies and optimizations", 1995).
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

_LONG = 2048
"""Chunks in a posting list from which on it is worth finding out whether the list matters."""


_PROBED = 64
"""Chunks that are added up at once to learn what the best of them reach."""

_LEAST = 1e-9
"""Less than any term adds."""

_SLACK = 0.9999
"""Sums in 32 bits depend on their order: a floor is held a hair lower."""


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
    found: list[NDArray[np.int64]] = []
    scores: list[Scores] = []
    floor = 0.0
    base = 0
    for segment in segments:
        chunks, values = _of_segment(segment, keys, weights, supporting, scorer, mean, limit, floor)
        if chunks.size:
            found.append(chunks.astype(np.int64) + base)
            scores.append(values)
            held = np.concatenate(scores)
            if held.size > limit:
                keep = np.argpartition(held, held.size - limit)[held.size - limit :]
                found, scores = [np.concatenate(found)[keep]], [held[keep]]
                floor = float(scores[0].min())
        base += segment.size
    return [int(chunk) for chunks in found for chunk in chunks]


@dataclass(frozen=True, slots=True)
class _Holding:
    """A term's posting list in a segment. ``most``: what it adds to a chunk at most; ``factor``: the same before a
    chunk's length and the term's count in it are known."""

    factor: float
    most: float
    posting: Posting


class _Search:
    """One question in one segment. ``floor``: a score that the ``limit`` best are known to reach."""

    def __init__(
        self,
        segment: Segment,
        scorer: Bm25,
        mean: float,
        holdings: Sequence[_Holding],
        limit: int,
        floor: float,
    ) -> None:
        self.segment = segment
        self.damping = segment.damping(scorer.k1, scorer.b, mean)
        self.holdings = holdings
        # What all lists from the n-th on can add together.
        self.left = np.cumsum([0.0, *(one.most for one in reversed(holdings))])[::-1].tolist()
        self.limit = limit
        self.floor = floor
        self.totals = np.zeros(segment.size, np.float32)

    def run(self, finding: int) -> tuple[NDArray[np.intp], Scores]:
        """The best chunks and their scores. Only the first ``finding`` lists find chunks."""
        seen, probed = 0, False
        for at, one in enumerate(self.holdings[:finding]):
            if one.posting.chunks.size > _LONG:
                if not probed and seen >= self.limit:
                    self._probe(at)
                    probed = True
                if self.left[at] < self.floor:
                    return self._finished(at)
            self.totals[one.posting.chunks] += _gains(one.factor, one.posting, self.damping)
            seen += one.posting.chunks.size
        return self._finished(finding) if seen else (np.empty(0, np.intp), np.empty(0, np.float32))

    def _live(self, least: float) -> NDArray[np.intp]:
        """The live chunks with at least ``least`` so far."""
        chunks = np.flatnonzero(self.totals >= max(least, _LEAST))
        return chunks if self.segment.alive is None else chunks[self.segment.alive[chunks]]

    def _probe(self, at: int) -> None:
        """Raise the floor: add up all of what the lists from ``at`` on hold for the few that lead so far."""
        chunks = self._live(0.0)
        if chunks.size < self.limit:
            return
        leading = chunks[_largest(self.totals[chunks], max(self.limit, _PROBED))]
        scores = self._added(leading, self.totals[leading], at)[1]
        if scores.size >= self.limit:
            worst = np.partition(scores, scores.size - self.limit)[scores.size - self.limit]
            self.floor = max(self.floor, float(worst) * _SLACK)

    def _finished(self, at: int) -> tuple[NDArray[np.intp], Scores]:
        """Only chunks within reach of the floor get what the lists from ``at`` on hold for them."""
        if at < len(self.holdings):
            self._probe(at)
        chunks = self._live(self.floor - self.left[at])
        chunks, scores = self._added(chunks, self.totals[chunks], at)
        top = _largest(scores, self.limit)
        return chunks[top], scores[top]

    def _added(self, chunks: NDArray[np.intp], scores: Scores, at: int) -> tuple[NDArray[np.intp], Scores]:
        """``chunks`` with what the lists from ``at`` on add to them, less those that fall out of reach on the way."""
        local, damping = chunks.astype(np.uint16), self.damping[chunks]
        for number in range(at, len(self.holdings)):
            if chunks.size > _PROBED:
                near = scores >= self.floor - self.left[number]
                if 4 * np.count_nonzero(near) < 3 * chunks.size:
                    chunks, scores, local, damping = chunks[near], scores[near], local[near], damping[near]
            one = self.holdings[number]
            tf = one.posting.counts(local).astype(np.float32)
            gains = tf * np.float32(one.factor)
            gains /= tf + damping
            scores = scores + gains
        return chunks, scores


def _of_segment(
    segment: Segment,
    keys: Keys,
    weights: Sequence[float],
    supporting: Sequence[bool],
    scorer: Bm25,
    mean: float,
    limit: int,
    floor: float,
) -> tuple[NDArray[np.intp], Scores]:
    holdings: list[tuple[bool, _Holding]] = []
    least = segment.least_damping(scorer.k1, scorer.b, mean)
    for at, weight, supports in zip(segment.find(keys).tolist(), weights, supporting, strict=True):
        if at >= 0:
            posting = segment.posting(at)
            factor = weight * (scorer.k1 + 1)
            tf = float(posting.tf.max())
            holdings.append((supports, _Holding(factor, factor * tf / (tf + least), posting)))
    holdings.sort(key=lambda one: (one[0], -one[1].most))
    finding = sum(not supports for supports, _ in holdings)
    return _Search(segment, scorer, mean, [one for _, one in holdings], limit, floor).run(finding)


def _gains(factor: float, posting: Posting, damping: NDArray[np.float32]) -> Scores:
    below = damping[posting.chunks]
    below += posting.tf
    gains = posting.tf * np.float32(factor)
    gains /= below
    return gains


def _largest(scores: Scores, limit: int) -> NDArray[np.intp]:
    """Where the ``limit`` largest stand, unordered."""
    if scores.size <= limit:
        return np.arange(scores.size)
    return np.argpartition(scores, scores.size - limit)[scores.size - limit :]
