"""Recall beside rank_bm25, bm25s and SQLite FTS5: the same chunks, the same terms, one run.

    python -m benchmarks.recall [--sizes 1000,10000,100000]

Every system gets the question's terms ready made and gives its five best. The peers match whole tokens and measure a
chunk in tokens, the classic score matches substrings and measures characters; so their order is alike, not equal,
and the table says how alike. Ours is also held against the plain loop, which must agree exactly.
"""

from __future__ import annotations

import argparse
import gc
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.corpus import Corpus
from geekagent_tui.memory.classic import analysis
from geekagent_tui.memory.classic.index import Index
from geekagent_tui.memory.classic.recall import recall
from geekagent_tui.memory.profiles import CLASSIC

TOP = 5
QUESTIONS = 200
SEED = 20261201
Search = Callable[[list[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Measured:
    """``median_ms`` a question over ``questions`` of them, ``build_s`` for the index; ``alike`` is the share of the
    five best that ours has too, None for ours itself."""

    name: str
    build_s: float
    median_ms: float
    questions: int
    alike: float | None = None


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print a table for each size. 0, or 1 when ours and the plain loop disagree."""
    parser = argparse.ArgumentParser(prog="benchmarks.recall", description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of chunks, with commas between")
    options = parser.parse_args(argv)
    agreed = True
    for size in map(int, options.sizes.split(",")):
        agreed &= measure(size)
    return 0 if agreed else 1


def measure(size: int) -> bool:
    """One table, for ``size`` chunks. Whether ours agrees with the plain loop."""
    corpus = Corpus(SEED)
    entries = corpus.entries(size)
    questions = [corpus.question(entries[at * len(entries) // QUESTIONS]) for at in range(QUESTIONS)]
    terms = [analysis.query_terms(question) for question in questions]

    started = time.perf_counter()
    index = Index(CLASSIC)
    index.update(entries)
    built = time.perf_counter() - started
    chunks = [index.chunk(slot).text for slot in range(index.chunks)]
    characters = sum(map(len, entries))
    touched = statistics.mean(sum(index.weights(term).df for term in query) for query in terms)
    print(
        f"\n{index.chunks:,} chunks, {characters:,} characters; a question has {statistics.mean(map(len, terms)):.1f}"
        f" terms that stand in {touched / index.chunks:.2f} × the chunks"
    )

    def best(query: list[str]) -> list[int]:
        return [scored.slot for scored in index.best(query, TOP)]

    ours = [best(query) for query in terms]
    rows = [
        Measured("ours, five best", built, timed(best, terms), len(terms)),
        Measured(
            "ours, five best, each term for the first time", built, first_time(index, terms), len(terms)
        ),
        Measured("ours, whole recall with reasons", built, whole(index, questions), len(terms)),
    ]
    tokens = [analysis.terms(chunk) for chunk in chunks]
    few = terms[: 60 if size <= 1000 else 20 if size <= 10_000 else 4]
    for name, make, asked in (
        ("bm25s", bm25s_search, terms),
        ("SQLite FTS5, bigram tokens", fts_search, terms[:100]),
        ("rank_bm25", rank_search, few),
    ):
        gc.collect()
        started = time.perf_counter()
        search = make(tokens)
        built = time.perf_counter() - started
        shares = [
            len(set(search(query)) & set(own)) / max(1, len(own))
            for query, own in zip(asked, ours, strict=False)
        ]
        rows.append(Measured(name, built, timed(search, asked), len(asked), statistics.mean(shares)))
        del search
    show(rows, characters)
    return check(index, chunks, terms)


def timed(search: Search, queries: Sequence[list[str]]) -> float:
    """Median milliseconds a query, after one round that warms every system's caches."""
    rounds = 3 if len(queries) >= QUESTIONS else 1
    for query in queries[: 20 * rounds]:
        search(query)
    taken = []
    for _ in range(rounds):
        for query in queries:
            started = time.perf_counter()
            search(query)
            taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def first_time(index: Index, queries: Sequence[list[str]]) -> float:
    """Median milliseconds when nothing about a question's terms is known, as right after memory changed."""
    taken = []
    for query in queries:
        index.forget()
        started = time.perf_counter()
        index.best(query, TOP)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def whole(index: Index, questions: Sequence[str]) -> float:
    """Median milliseconds from the sentence to hits with their reasons, by recall's own clock."""
    for question in questions:
        recall(index, question, TOP, time.perf_counter)
    return statistics.median(
        recall(index, question, TOP, time.perf_counter).elapsed_ms for question in questions
    )


def bm25s_search(tokens: list[list[str]]) -> Search:
    import bm25s

    retriever = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    retriever.index(tokens, show_progress=False)

    def search(query: list[str]) -> list[int]:
        found, scores = retriever.retrieve([query], k=TOP, show_progress=False)
        return [int(at) for at, score in zip(found[0], scores[0], strict=True) if score > 0]

    return search


def rank_search(tokens: list[list[str]]) -> Search:
    from rank_bm25 import BM25Okapi

    ranker = BM25Okapi(tokens, k1=1.2, b=0.75)

    def search(query: list[str]) -> list[int]:
        scores = ranker.get_scores(query)
        found = np.argpartition(scores, -TOP)[-TOP:]
        return [int(at) for at in found if scores[at] > 0]

    return search


def fts_search(tokens: list[list[str]]) -> Search:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE chunk USING fts5(terms, content='')")
    database.executemany(
        "INSERT INTO chunk (rowid, terms) VALUES (?, ?)",
        ((at, " ".join(row)) for at, row in enumerate(tokens)),
    )
    database.commit()

    def search(query: list[str]) -> list[int]:
        wanted = " OR ".join(f'"{term}"' for term in query)
        rows = database.execute(
            "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT ?", (wanted, TOP)
        )
        return [row[0] for row in rows]

    return search


def show(rows: Sequence[Measured], characters: int) -> None:
    """Print the table; ratios are against ours, five best."""
    base = rows[0].median_ms
    print(f"{'':48}{'build s':>9}{'M char/s':>9}{'ms':>10}{'ratio':>10}{'alike':>8}{'asked':>7}")
    for row in rows:
        alike = "" if row.alike is None else f"{row.alike:.0%}"
        print(
            f"{row.name:48}{row.build_s:9.2f}{characters / row.build_s / 1e6:9.2f}{row.median_ms:10.4f}"
            f"{row.median_ms / base:9.1f}×{alike:>8}{row.questions:7}"
        )


def check(index: Index, chunks: Sequence[str], queries: Sequence[list[str]]) -> bool:
    """Hold a few questions against the plain loop over all chunks."""
    texts = [analysis.normalise(chunk) for chunk in chunks]
    mean = sum(map(len, texts)) / len(texts)
    scorer = CLASSIC.scorer
    for query in queries[:: len(queries) // 5]:
        scores = [0.0] * len(texts)
        for term in query:
            idf = scorer.idf(len(texts), sum(term in text for text in texts))
            for at, text in enumerate(texts):
                scores[at] += scorer.weight(idf, text.count(term), scorer.damping(len(text), mean))
        expected = sorted(range(len(texts)), key=lambda at: (-scores[at], at))[:TOP]
        found = index.best(query, TOP)
        if [(one.slot, one.score) for one in found] != [
            (at, scores[at]) for at in expected if scores[at] > 0
        ]:
            print(f"DISAGREES with the plain loop: {query}")
            return False
    print("agrees with the plain loop, bit for bit")
    return True


if __name__ == "__main__":
    raise SystemExit(main())
