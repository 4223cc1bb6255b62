"""Which chunks hold a term, and how often: exact substring counts out of the posting lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.classic.analysis import RUNS
from geekagent_tui.memory.classic.postings import Posting, Postings

Slots: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]


_LOOKED_THROUGH = 64
"""New chunks that are looked through one by one rather than looking the term up again."""

_KEPT_MATCHES = 4_000_000
"""Matches that are kept, 16 bytes each; past that, all are dropped and found again when asked for."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The chunks that hold a term: ``slots`` ascending, and ``tf`` beside it."""

    slots: Slots
    tf: Floats


NO_MATCHES = Matches(np.empty(0, np.intp), np.empty(0, np.float64))


class Matcher:
    """Looks terms up, and keeps what it found as long as chunks are only added.

    ``text_of`` gives the normalised text of a live slot, ``live`` the live slots from a given one on, ascending.
    """

    def __init__(
        self, postings: Postings, text_of: Callable[[int], str], live: Callable[[int], Sequence[int]]
    ) -> None:
        self._postings = postings
        self._text_of = text_of
        self._live = live
        self._known: dict[str, tuple[int, Matches]] = {}
        self._kept = 0

    def matches(self, term: str, slots: int) -> Matches:
        """The chunks whose normalised text holds ``term``, counted as ``str.count`` counts.

        ``slots`` is how many slots have been given out so far.
        """
        seen, matches = self._known.get(term, (0, None))
        if matches is None or slots - seen > _LOOKED_THROUGH:
            matches = self._found(term)
        elif seen < slots:
            added = self._verified(term, self._live(seen))
            if added.slots.size:
                matches = Matches(
                    np.concatenate((matches.slots, added.slots)), np.concatenate((matches.tf, added.tf))
                )
        else:
            return matches
        self._kept += matches.slots.size
        if self._kept > _KEPT_MATCHES:
            self.forget()
            self._kept = matches.slots.size
        self._known[term] = slots, matches
        return matches

    def forget(self) -> None:
        """Drop what was found: chunks were taken out."""
        self._known.clear()
        self._kept = 0

    def _found(self, term: str) -> Matches:
        run = RUNS.fullmatch(term)
        if run is None:
            return self._verified(term, self._candidates(term))
        if run[2]:
            return _counted(self._in_words(term))
        if len(term) == 1:
            return _counted(self._starting_with(term))
        if len(term) == 2 and term[0] != term[1]:
            return _counted(self._exactly(term))
        return self._verified(term, self._candidates(term))

    def _exactly(self, piece: str) -> list[Posting]:
        posting = self._postings.of(piece)
        return [] if posting is None else [posting]

    def _in_words(self, part: str) -> list[Posting]:
        found: list[Posting] = []
        for word in self._postings.words_with(part):
            found += self._exactly(word) * word.count(part)  # once for every time the word holds it
        return found

    def _starting_with(self, char: str) -> list[Posting]:
        return [posting for piece in self._postings.pieces_from(char) for posting in self._exactly(piece)]

    def _candidates(self, term: str) -> Iterable[int]:
        """Slots that may hold ``term``: those that hold every piece of it. All of them when it has no piece."""
        sets: list[Slots] = []
        for han, word in RUNS.findall(term):
            if word:
                sets.append(_counted(self._in_words(word)).slots)
            elif len(han) == 1:
                sets.append(_counted(self._starting_with(han)).slots)
            else:
                for at in range(len(han) - 1):
                    sets.append(_counted(self._exactly(han[at : at + 2])).slots)
        if not sets:
            return self._live(0)
        sets.sort(key=len)
        common = sets[0]
        for slots in sets[1:]:
            common = np.intersect1d(common, slots, assume_unique=True)
        candidates: list[int] = common.tolist()
        return candidates

    def _verified(self, term: str, candidates: Iterable[int]) -> Matches:
        slots: list[int] = []
        tf: list[int] = []
        for slot in candidates:
            count = self._text_of(slot).count(term)
            if count:
                slots.append(slot)
                tf.append(count)
        return Matches(np.array(slots, np.intp), np.array(tf, np.float64)) if slots else NO_MATCHES


def _counted(postings: list[Posting]) -> Matches:
    """The chunks of all lists together, their counts added up."""
    if not postings:
        return NO_MATCHES
    # The views must not outlive this function: an array can't grow while one looks at it.
    if len(postings) == 1:
        slots = np.frombuffer(postings[0].slots, np.uintc).astype(np.intp)
        return Matches(slots, _counts(postings[0]).astype(np.float64))
    every = np.concatenate([np.frombuffer(posting.slots, np.uintc) for posting in postings])
    tf = np.bincount(every, np.concatenate([_counts(posting) for posting in postings]))
    slots = np.flatnonzero(tf)
    return Matches(slots, tf[slots].astype(np.float64, copy=False))


def _counts(posting: Posting) -> NDArray[np.ushort]:
    if posting.counts is None:
        return np.ones(len(posting.slots), np.ushort)
    return np.frombuffer(posting.counts, np.ushort)
