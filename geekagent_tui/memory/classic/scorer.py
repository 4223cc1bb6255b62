"""The classic score as a ``Scorer``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from geekagent_tui.memory.classic.index import Index
from geekagent_tui.memory.classic.recall import recall, search
from geekagent_tui.memory.profiles import Profile
from geekagent_tui.memory.scorer import Ranking
from geekagent_tui.memory.types import Hit, Recall


class ClassicScorer:
    """Every hit above 0 counts, as in the original program."""

    def __init__(self, profile: Profile) -> None:
        self._index = Index(profile)

    @property
    def chunks(self) -> int:
        return self._index.chunks

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool]) -> bool:
        return self._index.update(texts, should_stop=should_stop)

    def rank(self, query: str, limit: int) -> Ranking:
        return _ranking(recall(self._index, query, limit, lambda: 0.0))

    def rank_keywords(self, query: str, limit: int) -> Ranking:
        return _ranking(search(self._index, query, limit, lambda: 0.0))

    def mark(self, hit: Hit) -> Hit:
        return hit

    def load(self, folder: Path) -> bool:
        return False

    def saver(self) -> Callable[[Path], None]:
        """Nothing is kept: the postings of substrings are made faster than read."""
        return lambda folder: None

    def purge(self) -> None:
        """Nothing is left: postings of removed entries go with them."""

    def discard(self, folder: Path) -> None:
        """There is nothing kept."""


def _ranking(found: Recall) -> Ranking:
    return Ranking(found.keywords, found.hits)
