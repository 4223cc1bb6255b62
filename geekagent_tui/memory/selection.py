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
    pinned: Sequence[Hit] = (),
) -> Selection:
    """Apply the rules. ``pinned`` hits come first, need no floor and are not counted against ``limit``, but only what
    of them the budget holds goes in. ``budget`` is in characters of the text that is made of the hits, by ``line``
    (rank, hit), a line break between; ``mark`` gives a hit its spans, ``whole`` the entry that a hit is of."""
    hits: list[Hit] = []
    said: dict[int, str] = {}
    # A hit is known by its rank before the rules, which stays while its place here moves.
    misses: list[tuple[Hit, str, int]] = []
    for at, hit in enumerate(pinned):
        # Those that the question did not find have no rank: theirs lie below all ranks, each its own.
        hit = hit if hit.rank else replace(hit, rank=-1 - at)
        around = len(line(len(hits) + 1, hit)) - len(hit.text.strip())
        fit = fitted(mark(hit), budget - _length(hits, line) - around - 1)
        if fit is None:
            misses.append((hit, "budget", 0))
        else:
            hits.append(fit)
            said[fit.rank] = signature(fit.text)
    limit += len(hits)
    for hit in ranked[: rules.candidates]:
        if hit.worth < rules.floor:
            misses.append((hit, "floor", 0))
            continue
        beside = [other for other in hits if _touch(hit, other)]
        if beside:
            first, *others = beside
            joined = _joined(first, mark(hit), whole(hit))
            for other in others:  # the passage between two that were apart
                joined = _joined(joined, other, whole(hit))
            after = [joined if each is first else each for each in hits if each not in others]
            if any(other.cut for other in beside) or _length(after, line) > budget:
                misses.append((hit, "budget", 0))
                continue
            hits = after
            gone = {other.rank for other in others}
            misses = [(miss, rule, first.rank if at in gone else at) for miss, rule, at in misses]
            misses.extend((each, "neighbour", first.rank) for each in (hit, *others))
            continue
        signed = signature(hit.text)
        same = next((each for each in hits if said[each.rank] == signed and each.entry != hit.entry), None)
        if same is not None:
            misses.append((hit, "duplicate", same.rank))
            continue
        if len(hits) == limit:
            misses.append((hit, "limit", 0))
            continue
        rank = len(hits) + 1
        around = len(line(rank, hit)) - len(hit.text.strip())
        fit = fitted(mark(hit), budget - _length(hits, line) - around - 1)
        if fit is None:
            misses.append((hit, "budget", 0))
            continue
        hits.append(fit)
        said[hit.rank] = signed
    places = {hit.rank: place for place, hit in enumerate(hits, 1)}
    near = sorted(misses, key=lambda miss: miss[0].rank)[:MOST_MISSES]
    return Selection(
        tuple(map(_ranked, hits)),
        tuple(Miss(_ranked(mark(hit)), rule, places.get(at, 0)) for hit, rule, at in near),
    )


def _ranked(hit: Hit) -> Hit:
    """As it is handed out: 0 for a pinned passage that the question did not find."""
    return hit if hit.rank >= 0 else replace(hit, rank=0)


def _length(hits: Sequence[Hit], line: Callable[[int, Hit], str]) -> int:
    """Characters of the text that is made of the hits, a line break after each."""
    return sum(len(line(rank, hit)) + 1 for rank, hit in enumerate(hits, 1))


def _touch(one: Hit, other: Hit) -> bool:
    """Whether two passages of one entry overlap or meet."""
    return (
        one.entry == other.entry
        and one.start <= other.start + len(other.text)
        and other.start <= one.start + len(one.text)
    )


def _joined(one: Hit, other: Hit, entry: str) -> Hit:
    """``one``, the better, with the text of its neighbour: its score and reasons stay, its marks move along."""
    if not one.terms:  # pinned, and not found by the question: the neighbour was
        reasons = tuple(replace(match, spans=()) for match in other.terms)
        one = replace(one, score=other.score, terms=reasons, coverage=other.coverage, worth=other.worth)
    start = min(one.start, other.start)
    end = max(one.start + len(one.text), other.start + len(other.text))
    segments = (one.segment, one.last_segment, other.segment, other.last_segment)
    terms = []
    for match in one.terms:
        also = next((term.spans for term in other.terms if term.term == match.term), ())
        moved = {(first + one.start - start, last + one.start - start) for first, last in match.spans}
        moved |= {(first + other.start - start, last + other.start - start) for first, last in also}
        terms.append(replace(match, spans=tuple(sorted(moved))))
    return replace(
        one,
        segment=min(one.segment, other.segment),
        last_segment=max(segments),
        start=start,
        text=entry[start:end],
        terms=tuple(terms),
    )
