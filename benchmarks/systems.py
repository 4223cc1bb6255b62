"""The systems that ``benchmarks.lexical`` sets side by side, each behind the same few operations.

All but ours are given terms ready made. Files lie in a folder in memory where the machine has one, so nobody waits for
a disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from benchmarks.material import Asked, read_entries
from benchmarks.peers import TOP, Bm25s, Fts5, RankBm25, Tantivy
from geekagent_tui.memory.lexical.index import LexicalIndex
from geekagent_tui.memory.lexical.question import Question, read
from geekagent_tui.memory.lexical.scorer import BACKGROUND, LexicalScorer
from geekagent_tui.memory.profiles import LEXICAL
from geekagent_tui.memory.recall import Finder
from geekagent_tui.memory.rules import BUDGET
from geekagent_tui.memory.types import Recall


class System(Protocol):
    """Made with the material's folder, one for its own files, and what is asked; ``build`` is what takes its time.

    ``search`` takes the number of a query; ``numbers`` turns what it gives into chunk numbers. ``warm`` answers that
    query from what ``keep`` left on disk. ``add`` and ``remove`` take the number of a change; once they are done, a
    search sees it, and ``chunks`` says how many there are. Who can't raises ``Unable``.
    """

    def build(self) -> None: ...
    def search(self, at: int) -> Any: ...
    def numbers(self, found: Any) -> list[int]: ...
    def keep(self) -> None: ...
    def warm(self, at: int) -> object: ...
    def add(self, at: int) -> None: ...
    def remove(self, at: int) -> None: ...
    def chunks(self) -> int: ...


class Ours:
    def __init__(self, source: Path, files: Path, asked: Asked) -> None:
        self._entries = read_entries(source)
        self._files, self._asked = files, asked
        self._scorer = LexicalScorer(LEXICAL)
        self._questions = [read(question, self._scorer._index.tokenizer) for question in asked.questions]
        self._finder = Finder(self._scorer, LEXICAL, time.perf_counter)

    def build(self) -> None:
        self._scorer.update(self._entries, should_stop=_never)

    def search(self, at: int) -> list[int]:
        return _best(self._scorer._index, self._questions[at])

    def recall(self, at: int) -> Recall:
        """All that a turn does: from the sentence to passages with reasons, after floor and budget."""
        return self._finder.recall(
            self._asked.questions[at], TOP, budget=BUDGET, previous="", entries=self._entries
        )

    def numbers(self, found: list[int]) -> list[int]:
        return found

    def keep(self) -> None:
        self._scorer.saver()(self._files)

    def warm(self, at: int) -> object:
        scorer = LexicalScorer(LEXICAL)
        if not scorer.load(self._files):
            raise RuntimeError("the cache did not load")
        scorer.update(self._entries, should_stop=_never)
        return _best(scorer._index, self._questions[at])

    def add(self, at: int) -> None:
        self._entries = (*self._entries, self._asked.added[at])
        self._scorer.update(self._entries, should_stop=_never)

    def remove(self, at: int) -> None:
        entry = self._asked.removed[at] - at  # those removed before stood in front of it
        self._entries = self._entries[:entry] + self._entries[entry + 1 :]
        self._scorer.update(self._entries, should_stop=_never)

    def chunks(self) -> int:
        return self._scorer.chunks


OURS = "ours"
SYSTEMS: Mapping[str, Callable[[Path, Path, Asked], System]] = {
    OURS: Ours,
    "tantivy": Tantivy,
    "bm25s": Bm25s,
    "SQLite FTS5": Fts5,
    "rank_bm25": RankBm25,
}
MOST_CHUNKS: Mapping[str, int] = {"rank_bm25": 10_000}
"""Past this a system would take all day."""

FEW: Mapping[str, int] = {"SQLite FTS5": 40, "rank_bm25": 20}
"""Questions that a slow system is asked."""


def _best(index: LexicalIndex, question: Question) -> list[int]:
    """The five best, weighed the way the scorer weighs its candidates."""
    dfs = index.document_frequencies(question.keys)
    weights = [
        LEXICAL.scorer.idf(index.chunks + BACKGROUND, df) * term.factor * term.count
        for term, df in zip(question.terms, dfs, strict=True)
    ]
    return index.best(question.keys, weights, TOP, [not term.telling for term in question.terms])


def _never() -> bool:
    return False
