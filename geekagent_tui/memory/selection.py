"""Which of the ranked passages are worth injecting: floor, neighbours, duplicates, number, budget.

Every rule says what it left out, so that a near miss can be explained.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from geekagent_tui.memory.budget import fitted
from geekagent_tui.memory.rules import Rules
from geekagent_tui.memory.sameness import signature
from geekagent_tui.memory.types import Hit, Miss

MOST_MISSES = 8
"""Near misses that are kept with a recall."""


@dataclass(frozen=True, slots=True)
class Selection:
    """``hits`` best first, ``misses`` by score."""

    hits: tuple[Hit, ...]
    misses: tuple[Miss, ...]


def select(
    ranked: Sequence[Hit],
    rules: Rules,
    limit: int,
    budget: int,
    mark: Callable[[Hit], Hit],
    whole: Callable[[Hit], str],
    line: Callable[[int, Hit], str],
) -> Selection:
    """Apply the rules. ``budget`` is in characters of the text that is made of the hits, by ``line`` (rank, hit), a
    line break between; ``mark`` gives a hit its spans, ``whole`` the entry that a hit is of."""
    hits: list[Hit] = []
    known: list[str] = []
    misses: list[Miss] = []
    best = ranked[0].score if ranked else 0.0
    left = budget
    for hit in ranked[: rules.candidates]:
        if hit.worth < rules.floor or hit.score < rules.distance * best:
            misses.append(Miss(hit, "floor"))
            continue
        beside = _beside(hit, hits)
        if beside is not None:
            joined = _joined(hits[beside], mark(hit), whole(hit))
            more = len(line(beside + 1, joined)) - len(line(beside + 1, hits[beside]))
            if more <= left:
                hits[beside] = joined
                left -= more
            misses.append(Miss(hit, "neighbour", beside + 1))
            continue
        said = signature(hit.text)
        same = next(
            (at for at, other in enumerate(known) if other == said and hits[at].entry != hit.entry), None
        )
        if same is not None:
            misses.append(Miss(hit, "duplicate", same + 1))
            continue
        if len(hits) == limit:
            misses.append(Miss(hit, "limit"))
            continue
        rank = len(hits) + 1
        fit = fitted(mark(hit), left - (len(line(rank, hit)) - len(hit.text.strip())) - 1)
        if fit is None:
            misses.append(Miss(hit, "budget"))
            continue
        left -= len(line(rank, fit)) + 1
        hits.append(fit)
        known.append(said)
    return Selection(tuple(hits), tuple(replace(miss, hit=mark(miss.hit)) for miss in misses[:MOST_MISSES]))


def _beside(hit: Hit, hits: Sequence[Hit]) -> int | None:
    """The hit whose text overlaps this one's, or meets it."""
    for at, other in enumerate(hits):
        if (
            other.entry == hit.entry
            and not other.cut
            and hit.start <= other.start + len(other.text)
            and other.start <= hit.start + len(hit.text)
        ):
            return at
    return None


def _joined(one: Hit, other: Hit, entry: str) -> Hit:
    """``one``, the better, with the text of its neighbour: its score and reasons stay, its marks move along."""
    start = min(one.start, other.start)
    end = max(one.start + len(one.text), other.start + len(other.text))
    segments = (one.segment, one.last_segment or one.segment, other.segment)
    terms = []
    for match in one.terms:
        also = next((term.spans for term in other.terms if term.term == match.term), ())
        moved = {(first + one.start - start, last + one.start - start) for first, last in match.spans}
        moved |= {(first + other.start - start, last + other.start - start) for first, last in also}
        terms.append(replace(match, spans=tuple(sorted(moved))))
    return replace(
        one,
        segment=min(segments),
        last_segment=max(segments),
        start=start,
        text=entry[start:end],
        terms=tuple(terms),
    )
