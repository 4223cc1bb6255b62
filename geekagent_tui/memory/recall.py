"""A question in, a ``Recall`` out: candidates → scores → floor → budget, whatever scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from geekagent_tui.memory.formatting import hit_line, recall_heading
from geekagent_tui.memory.profiles import Profile
from geekagent_tui.memory.rules import SEARCHED, Rules
from geekagent_tui.memory.scorer import Ranking, Scorer
from geekagent_tui.memory.selection import select
from geekagent_tui.memory.smalltalk import is_onward, is_smalltalk
from geekagent_tui.memory.types import Hit, Miss, Recall

NO_BUDGET = 1 << 30


class Finder:
    """Asks a scorer and applies a profile's rules. ``clock`` counts seconds."""

    def __init__(self, scorer: Scorer, profile: Profile, clock: Callable[[], float]) -> None:
        self.scorer = scorer
        self._profile = profile
        self._clock = clock

    def recall(self, query: str, limit: int, *, budget: int, previous: str, entries: Sequence[str]) -> Recall:
        """What a sentence brings to mind. ``previous``: the question before, which "go on" asks again; ``budget`` in
        characters; ``entries``: those the scorer holds."""
        started = self._clock()
        rules = self._profile.rules
        if rules is None:
            ranking = self.scorer.rank(query, limit)
            return self._made(query, ranking, started, hits=ranking.hits)
        carried = previous if previous and is_onward(query) else ""
        if not carried and is_smalltalk(query):
            return self._made(query, Ranking((), ()), started, silence="smalltalk")
        ranking = self.scorer.rank(carried or query, rules.candidates)
        return self._chosen(query, ranking, rules, limit, budget, entries, started, carried)

    def search(self, query: str, limit: int, *, entries: Sequence[str]) -> Recall:
        """The best passages for keywords with white space between."""
        started = self._clock()
        if self._profile.rules is None:
            ranking = self.scorer.rank_keywords(query, limit)
            return self._made(query, ranking, started, hits=ranking.hits)
        ranking = self.scorer.rank_keywords(query, SEARCHED.candidates)
        return self._chosen(query, ranking, SEARCHED, limit, NO_BUDGET, entries, started, "")

    def _chosen(
        self,
        query: str,
        ranking: Ranking,
        rules: Rules,
        limit: int,
        budget: int,
        entries: Sequence[str],
        started: float,
        carried: str,
    ) -> Recall:
        room = budget - len(recall_heading(limit)) - 1
        chosen = select(
            ranking.hits,
            rules,
            limit,
            room,
            mark=self.scorer.mark,
            whole=lambda hit: entries[hit.entry - 1],
            line=hit_line,
        )
        return self._made(query, ranking, started, hits=chosen.hits, misses=chosen.misses, carried=carried)

    def _made(
        self,
        query: str,
        ranking: Ranking,
        started: float,
        *,
        hits: tuple[Hit, ...] = (),
        misses: tuple[Miss, ...] = (),
        silence: str = "",
        carried: str = "",
    ) -> Recall:
        return Recall(
            query,
            ranking.keywords,
            hits,
            self.scorer.chunks,
            (self._clock() - started) * 1000,
            self._profile.name,
            misses=misses,
            terms=ranking.terms,
            silence=silence,
            carried=carried,
        )
