"""The best chunks for weighted terms, over all segments, without looking at chunks that can't be among them.

Terms are added up from the one that can give most to the one that can give least. Once what is left can't lift a
chunk without it over the worst of the best so far, only the chunks that are in reach are looked up (MaxScore: Turtle
and Flood, "Query evaluation: strategies and optimizations", 1995).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.memory.lexical.segment import Posting, Segment
from geekagent_tui.memory.lexical.tokens import Keys

Scores: TypeAlias = NDArray[np.float32]

_LONG = 2048
"""Chunks in a posting list from which on it is worth finding out whether the list matters."""


_LEAST = 1e-9
"""Less than any term adds."""


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
    top = scorer.k1 + 1
    found = [
        (supports, weight * top, segment.posting(at))
        for at, weight, supports in zip(segment.find(keys).tolist(), weights, supporting, strict=True)
        if at >= 0
    ]
    found.sort(key=lambda one: (one[0], -one[1]))
    lists = [(most, posting) for _, most, posting in found]
    finding = sum(not supports for supports, _, _ in found)
    left = np.cumsum([0.0, *(most for most, _ in reversed(lists))])[::-1].tolist()
    totals = np.zeros(segment.size, np.float32)
    damping = segment.damping(scorer.k1, scorer.b, mean)
    seen = 0
    for at, (most, posting) in enumerate(lists[:finding]):
        if posting.chunks.size > _LONG and seen >= limit:
            floor = max(floor, _nth_best(totals, limit, segment.alive))
            if left[at] < floor:
                return _finished(segment, totals, lists[at:], left[at], damping, limit, floor)
        totals[posting.chunks] += _gains(most, posting, damping)
        seen += posting.chunks.size
    if finding < len(lists) and seen:
        floor = max(floor, _nth_best(totals, limit, segment.alive))
        return _finished(segment, totals, lists[finding:], left[finding], damping, limit, floor)
    if segment.alive is not None:
        totals *= segment.alive
    return _top(totals, limit, floor)


def _finished(
    segment: Segment,
    totals: Scores,
    rest: Sequence[tuple[float, Posting]],
    left: float,
    damping: NDArray[np.float32],
    limit: int,
    floor: float,
) -> tuple[NDArray[np.intp], Scores]:
    """Only chunks within reach of ``floor`` get what the other lists hold for them."""
    # A hair of slack: sums in 32 bits depend on their order.
    chunks = np.flatnonzero(totals >= max((floor - left) * 0.9999, _LEAST))
    if segment.alive is not None:
        chunks = chunks[segment.alive[chunks]]
    values = totals[chunks]
    for most, posting in rest:
        at, hit = located(posting, chunks)
        tf = posting.tf[at].astype(np.float32) * hit
        values += np.float32(most) * tf / (tf + damping[chunks])
    top, best_values = _top(values, limit, 0.0)
    return chunks[top], best_values


def located(posting: Posting, chunks: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where ``chunks`` stand in a posting list, and whether they do."""
    at = np.searchsorted(posting.chunks, chunks.astype(np.uint16))
    at[at == posting.chunks.size] = 0
    return at, posting.chunks[at] == chunks


def _gains(most: float, posting: Posting, damping: NDArray[np.float32]) -> Scores:
    below = damping[posting.chunks]
    below += posting.tf
    gains = posting.tf * np.float32(most)
    gains /= below
    return gains


def _nth_best(totals: Scores, limit: int, alive: NDArray[np.bool_] | None) -> float:
    live = totals if alive is None else totals[alive]
    if live.size <= limit:
        return 0.0
    return float(np.partition(live, live.size - limit)[live.size - limit])


def _top(totals: Scores, limit: int, floor: float) -> tuple[NDArray[np.intp], Scores]:
    chunks = np.flatnonzero(totals >= floor) if floor > 0 else np.flatnonzero(totals)
    if chunks.size > limit:
        values = totals[chunks]
        chunks = chunks[np.argpartition(values, values.size - limit)[values.size - limit :]]
    return chunks, totals[chunks]
