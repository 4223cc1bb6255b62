"""The profile ``lexical`` as a ``Scorer``: BM25 over terms, and how much of the question each passage answers to."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from geekagent_tui.memory.lexical import cache
from geekagent_tui.memory.lexical.index import LexicalIndex
from geekagent_tui.memory.lexical.measure import USUAL_TO, Measure, usual_score
from geekagent_tui.memory.lexical.question import Question, read
from geekagent_tui.memory.lexical.spans import Reading, Span
from geekagent_tui.memory.profiles import Profile
from geekagent_tui.memory.scorer import Ranking
from geekagent_tui.memory.types import Hit, QueryTerm, TermMatch

BACKGROUND = 100
"""Chunks that say nothing of what is asked, added in thought to every store: in a store of three entries a word that
one of them has is telling all the same."""


class LexicalScorer:
    """See the module's text."""

    def __init__(self, profile: Profile) -> None:
        self._scorer = profile.scorer
        self._index = LexicalIndex(profile.scorer, profile.chunk_size, profile.chunk_overlap)

    @property
    def chunks(self) -> int:
        return self._index.chunks

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool]) -> bool:
        return self._index.update(texts, should_stop=should_stop)

    def rank(self, query: str, limit: int) -> Ranking:
        return self._ranked(read(query, self._index.tokenizer), max(limit, USUAL_TO))

    def rank_keywords(self, query: str, limit: int) -> Ranking:
        return self.rank(query, limit)

    def load(self, folder: Path) -> bool:
        return cache.load(self._index, folder)

    def saver(self) -> Callable[[Path], None]:
        return partial(cache.write, cache.taken(self._index))

    def purge(self) -> None:
        self._index.purge()

    def discard(self, folder: Path) -> None:
        cache.delete(folder)

    def _ranked(self, question: Question, limit: int) -> Ranking:
        index, scorer = self._index, self._scorer
        dfs = index.document_frequencies(question.keys)
        idfs = [scorer.idf(index.chunks + BACKGROUND, df) for df in dfs]
        asked = tuple(
            QueryTerm(term.text, term.count, term.factor, df, idf if df else 0.0)
            for term, df, idf in zip(question.terms, dfs, idfs, strict=True)
        )
        weights = [idf * term.factor * term.count for term, idf in zip(question.terms, idfs, strict=True)]
        supporting = [not term.telling for term in question.terms]
        numbers = index.best(question.keys, weights, limit, supporting) if question.terms else []
        if not numbers:
            return Ranking(question.keywords, (), asked)
        counts = index.term_counts(question.keys, numbers)
        mean = index.mean_length
        damping = np.array([scorer.damping(index.length(number), mean) for number in numbers])
        gains = np.array(weights)[:, None] * counts * (scorer.k1 + 1) / (counts + damping[None, :])
        scores = [math.fsum(column) for column in gains.T.tolist()]
        chunks = [index.chunk(number) for number in numbers]
        order = sorted(
            range(len(numbers)), key=lambda at: (-scores[at], chunks[at].entry, chunks[at].segment)
        )
        usual = usual_score([scores[at] for at in order], index.chunks)
        measure = Measure(question, idfs)
        hits = []
        for rank, at in enumerate(order, 1):
            matched = np.flatnonzero(counts[:, at]).tolist()
            chunk = chunks[at]
            coverage, worth = measure(chunk.text, set(matched), scores[at], usual)
            matches = tuple(
                TermMatch(
                    question.terms[number].text,
                    question.terms[number].count,
                    int(counts[number, at]),
                    dfs[number],
                    idfs[number],
                    float(gains[number, at]),
                    (),
                )
                for number in matched
            )
            hits.append(
                Hit(
                    chunk.entry + 1,
                    chunk.segment + 1,
                    chunk.start,
                    chunk.text,
                    scores[at],
                    matches,
                    rank=rank,
                    coverage=coverage,
                    worth=worth,
                )
            )
        return Ranking(question.keywords, tuple(hits), asked)

    def mark(self, hit: Hit) -> Hit:
        reading = Reading(hit.text, self._index.tokenizer)
        return replace(hit, terms=tuple(_marked(match, reading.spans(match.term)) for match in hit.terms))


def _marked(match: TermMatch, spans: tuple[Span, ...]) -> TermMatch:
    # Not ``replace``: this runs a hundred times a recall, and that is eight times as slow.
    return TermMatch(match.term, match.query_count, match.tf, match.df, match.idf, match.contribution, spans)
