"""A question in, a ``Recall`` out: candidates, scores, the best few, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from geekagent_tui.memory.classic.analysis import (
    normalise,
    query_keywords,
    query_terms,
    source_offsets,
    spans_of,
)
from geekagent_tui.memory.classic.index import Index, Scored, TermWeights
from geekagent_tui.memory.types import Hit, Recall, TermMatch


def recall(index: Index, query: str, limit: int, clock: Callable[[], float]) -> Recall:
    """Look a sentence up. ``clock`` counts seconds."""
    started = clock()
    return _looked_up(index, query, query_terms(query), limit, started, clock)


def search(index: Index, query: str, limit: int, clock: Callable[[], float]) -> Recall:
    """Look keywords up that are separated by white space."""
    started = clock()
    return _looked_up(index, query, query_keywords(query), limit, started, clock)


def _looked_up(
    index: Index,
    query: str,
    keywords: Sequence[str],
    limit: int,
    started: float,
    clock: Callable[[], float],
) -> Recall:
    best = index.best(keywords, limit)
    asked = [(term, count, index.weights(term)) for term, count in Counter(keywords).items()] if best else []
    hits = tuple(_explained(index, scored, asked) for scored in best)
    elapsed = (clock() - started) * 1000
    return Recall(query, tuple(keywords), hits, index.chunks, elapsed, index.profile.name)


def _explained(index: Index, scored: Scored, asked: Sequence[tuple[str, int, TermWeights]]) -> Hit:
    chunk = index.chunk(scored.slot)
    normalised = normalise(chunk.text)
    offsets = source_offsets(chunk.text, normalised)
    damping = index.damping(scored.slot)
    weight = index.profile.scorer.weight
    matches: list[TermMatch] = []
    for term, query_count, weights in asked:
        if term in normalised:
            spans = tuple(spans_of(term, normalised, offsets))
            tf = len(spans)
            contribution = query_count * weight(weights.idf, tf, damping)
            matches.append(TermMatch(term, query_count, tf, weights.df, weights.idf, contribution, spans))
    return Hit(chunk.entry + 1, chunk.segment + 1, chunk.start, chunk.text, scored.score, tuple(matches))
