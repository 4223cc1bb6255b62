"""A question in, a ``Recall`` out: candidates → scores → floor → budget, whatever scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from geekagent_tui.memory.formatting import hit_line, recall_heading
from geekagent_tui.memory.profiles import Profile
from geekagent_tui.memory.rules import SEARCHED, Rules
from geekagent_tui.memory.scorer import Ranking, Scorer
from geekagent_tui.memory.selection import MOST_MISSES, select
from geekagent_tui.memory.smalltalk import is_onward, is_smalltalk
from geekagent_tui.memory.steering import Steer, Steered, steered
from geekagent_tui.memory.types import Hit, Miss, Recall

NO_BUDGET = 1 << 30
UNSTEERED = Steer()


class Finder:
    """Asks a scorer and applies a profile's rules. ``clock`` counts seconds."""

    def __init__(self, scorer: Scorer, profile: Profile, clock: Callable[[], float]) -> None:
        self.scorer = scorer
        self._profile = profile
        self._clock = clock

    def recall(
        self,
        query: str,
        limit: int,
        *,
        budget: int,
        previous: str,
        entries: Sequence[str],
        steer: Steer = UNSTEERED,
    ) -> Recall:
        """What a sentence brings to mind. ``previous``: the question before, which "go on" asks again; ``budget`` in
        characters; ``entries``: those the scorer holds; ``steer``: what the user said about passages."""
        started = self._clock()
        rules = self._profile.rules
        if rules is None:
            ranking = self.scorer.rank(query, limit + _room_for(steer))
            return self._all(query, ranking, limit, entries, started, steer)
        carried = previous if previous and is_onward(query) else ""
        if not carried and is_smalltalk(query):
            if not steer.pinned:
                return self._made(query, Ranking((), ()), started, silence="smalltalk")
            return self._chosen(
                query,
                Ranking((), ()),
                rules,
                limit,
                budget,
                entries,
                started,
                steer=steer,
                silence="smalltalk",
            )
        ranking = self.scorer.rank(carried or query, rules.candidates + _room_for(steer))
        return self._chosen(
            query, ranking, rules, limit, budget, entries, started, carried=carried, steer=steer
        )

    def search(self, query: str, limit: int, *, entries: Sequence[str]) -> Recall:
        """The best passages for keywords with white space between."""
        started = self._clock()
        if self._profile.rules is None:
            ranking = self.scorer.rank_keywords(query, limit)
            return self._made(query, ranking, started, hits=ranking.hits)
        ranking = self.scorer.rank_keywords(query, SEARCHED.candidates)
        return self._chosen(query, ranking, SEARCHED, limit, NO_BUDGET, entries, started)

    def _all(
        self, query: str, ranking: Ranking, limit: int, entries: Sequence[str], started: float, steer: Steer
    ) -> Recall:
        """For a profile without rules: the best, whatever they are worth, but for what the user said."""
        if not steer:
            return self._made(query, ranking, started, hits=ranking.hits)
        said = self._steered(ranking, steer, entries, 0.0)
        misses = tuple(Miss(hit, rule) for hit, rule in _left_out(said))[:MOST_MISSES]
        return self._made(query, ranking, started, hits=(*said.pinned, *said.ranked[:limit]), misses=misses)

    def _steered(self, ranking: Ranking, steer: Steer, entries: Sequence[str], floor: float) -> Steered:
        size, overlap = self._profile.chunk_size, self._profile.chunk_overlap
        return steered(
            ranking.hits, steer, ranking.keywords, entries, floor=floor, size=size, overlap=overlap
        )

    def _chosen(
        self,
        query: str,
        ranking: Ranking,
        rules: Rules,
        limit: int,
        budget: int,
        entries: Sequence[str],
        started: float,
        *,
        carried: str = "",
        steer: Steer = UNSTEERED,
        silence: str = "",
    ) -> Recall:
        room = budget - len(recall_heading(limit)) - 1
        said = (
            self._steered(ranking, steer, entries, rules.floor)
            if steer
            else Steered((), ranking.hits, (), ())
        )
        chosen = select(
            said.ranked,
            rules,
            limit,
            room,
            mark=self.scorer.mark,
            whole=lambda hit: entries[hit.entry - 1],
            line=hit_line,
            pinned=said.pinned,
        )
        # What the user took out comes first: it is what they look for when they want it back.
        left = tuple(Miss(self.scorer.mark(hit), rule) for hit, rule in _left_out(said))
        misses = (*left, *chosen.misses)[:MOST_MISSES]
        return self._made(
            query, ranking, started, hits=chosen.hits, misses=misses, silence=silence, carried=carried
        )

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


def _room_for(steer: Steer) -> int:
    """How many more passages to rank, so that as many are left when those the user spoke about are gone."""
    passages = (*steer.excluded, *steer.pinned, *(verdict.passage for verdict in steer.verdicts))
    return min(_MOST_EXTRA, sum(passage.last - passage.first + 1 for passage in passages))


def _left_out(said: Steered) -> list[tuple[Hit, str]]:
    return [*((hit, "excluded") for hit in said.taken), *((hit, "lowered") for hit in said.lowered)]


_MOST_EXTRA = 64
