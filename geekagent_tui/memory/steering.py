"""What a person said about passages: taken out of a turn, pinned to a session, not useful for such questions.

A passage is known by its content, so that it keeps what was said about it when entries before it come or go, and a
changed entry is another one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from geekagent_tui.memory.chunking import windows
from geekagent_tui.memory.types import Hit

ALIKE = 0.5
"""Likeness of two questions from which on a verdict about one counts for the other."""


@dataclass(frozen=True, slots=True)
class Passage:
    """``entry`` is the entry's ``entry_key``; ``first`` and ``last`` its segments, from 1, as chunks."""

    entry: str
    first: int
    last: int

    def covers(self, segment: int) -> bool:
        return self.first <= segment <= self.last


@dataclass(frozen=True, slots=True)
class Verdict:
    """ "Not useful here": ``passage`` was of no use for a question that was read as ``terms``."""

    passage: Passage
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Steer:
    """What counts for one recall. ``excluded`` stays out, ``pinned`` goes in first, ``verdicts`` lower."""

    excluded: tuple[Passage, ...] = ()
    pinned: tuple[Passage, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.excluded or self.pinned or self.verdicts)


@dataclass(frozen=True, slots=True)
class Steered:
    """What became of a ranking. ``taken`` and ``lowered`` stay out for those reasons; ``ranked`` goes on."""

    pinned: tuple[Hit, ...]
    ranked: tuple[Hit, ...]
    taken: tuple[Hit, ...]
    lowered: tuple[Hit, ...]


def entry_key(text: str) -> str:
    """A name for an entry with that text: its length in code points, and 128 bits of BLAKE2b of its UTF-8."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{len(text)}-{digest}"


def passage_of(hit: Hit, entries: Sequence[str]) -> Passage | None:
    """The passage that a hit shows; None when ``entries`` are others than those it was found in."""
    if not 1 <= hit.entry <= len(entries):
        return None
    entry = entries[hit.entry - 1]
    if entry[hit.start : hit.start + len(hit.text)] != hit.text:
        return None
    return Passage(entry_key(entry), hit.segment, max(hit.segment, hit.last_segment))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two questions are, 0 to 1: Dice's coefficient of their distinct terms (2·common / (a + b))."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def steered(
    ranked: Sequence[Hit],
    steer: Steer,
    terms: Iterable[str],
    entries: Sequence[str],
    *,
    floor: float,
    size: int,
    overlap: int,
) -> Steered:
    """Apply what was said. ``terms`` are the question's; ``floor`` the worth below which a passage stays out (0 for
    none); ``size`` and ``overlap`` of the chunks, in code points.

    A verdict takes the likeness of the two questions off a passage's worth and score, as a share: for the same
    question nothing is left. Where there is no floor to fall under, a passage with a verdict stays out.
    """
    keys: dict[int, str] = {}

    def key(hit: Hit) -> str:
        if hit.entry not in keys:
            keys[hit.entry] = entry_key(entries[hit.entry - 1])
        return keys[hit.entry]

    asked = frozenset(terms)
    pinned = [
        hit
        for passage in steer.pinned
        if not _named(passage, steer.excluded)
        and (hit := _pinned(passage, ranked, entries, size, overlap)) is not None
    ]
    taken: list[Hit] = []
    lowered: list[Hit] = []
    kept: list[Hit] = []
    for hit in ranked:
        if _within(key(hit), hit.segment, steer.excluded):
            taken.append(hit)
        elif _within(key(hit), hit.segment, steer.pinned):
            continue
        else:
            loss = max(
                (
                    likeness(verdict.terms, asked)
                    for verdict in steer.verdicts
                    if verdict.passage.entry == key(hit) and verdict.passage.covers(hit.segment)
                ),
                default=0.0,
            )
            if loss < ALIKE:
                kept.append(hit)
                continue
            worth = hit.worth * (1 - loss)
            if not floor or (worth < floor <= hit.worth):
                lowered.append(hit)
            else:
                kept.append(replace(hit, worth=worth, score=hit.score * (1 - loss)))
    # Stable: without a verdict the order is the ranking's.
    kept.sort(key=lambda hit: -hit.score)
    return Steered(tuple(pinned), tuple(kept), tuple(taken), tuple(lowered))


def _named(passage: Passage, among: Iterable[Passage]) -> bool:
    return any(
        other.entry == passage.entry and other.first <= passage.first and passage.last <= other.last
        for other in among
    )


def _within(entry: str, segment: int, passages: Iterable[Passage]) -> bool:
    return any(passage.entry == entry and passage.covers(segment) for passage in passages)


def _pinned(
    passage: Passage, ranked: Sequence[Hit], entries: Sequence[str], size: int, overlap: int
) -> Hit | None:
    """The hit of a pinned passage, with its score and terms where the question found it too; None when no entry has
    that content any more."""
    number = _number(passage.entry, ranked, entries)
    if not number:
        return None
    text = entries[number - 1]
    cuts = windows(text, size, overlap)
    if not 1 <= passage.first <= passage.last <= len(cuts):
        return None
    start, end = cuts[passage.first - 1][0], cuts[passage.last - 1][1]
    last = passage.last if passage.last > passage.first else 0
    best = next((hit for hit in ranked if hit.entry == number and passage.covers(hit.segment)), None)
    if best is None:
        return Hit(number, passage.first, start, text[start:end], 0.0, (), last, pinned=True)
    return replace(
        best,
        segment=passage.first,
        last_segment=last,
        start=start,
        text=text[start:end],
        terms=tuple(
            replace(
                match,
                spans=tuple(
                    (first + best.start - start, second + best.start - start) for first, second in match.spans
                ),
            )
            for match in best.terms
        ),
        pinned=True,
    )


def _number(key: str, ranked: Sequence[Hit], entries: Sequence[str]) -> int:
    """The number from 1 of the entry with that key, 0 when there is none. Hashes only entries of the right length."""
    for hit in ranked:
        if entry_key(entries[hit.entry - 1]) == key:
            return hit.entry
    length = key.partition("-")[0]
    if not length.isdecimal():
        return 0
    wanted = int(length)
    return next(
        (at for at, text in enumerate(entries, 1) if len(text) == wanted and entry_key(text) == key), 0
    )
