"""How much of a question a passage answers to: what the floor is held against.

A score says which passage is best, not whether the best is any good. So the score is set against the *mass* of the
question (the idf of everything that it asks about) and against what other passages score for it: a passage that is
meant stands out from those that are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set

from geekagent_tui.memory.lexical.folding import codes_of, tables
from geekagent_tui.memory.lexical.question import Question

RUN_MASS = 1.35
"""What one character of a run weighs: a pair and half a single character can score for it."""

FOREIGN_MASS = 0.25
"""What is left of a run's mass where the passage has no such script: a Chinese question can match an English memory
by its names and numbers only, and those say the more."""

USUAL_FROM, USUAL_TO = 5, 15
"""The ranks (from 0) whose scores are the usual ones."""

USUAL_CONTRAST, MOST_CONTRAST = 2.0, 6.0
"""By how much a passage that is meant stands out where there are too few passages to say, and at most."""

SHARE_WORTH = 1.15
"""A passage that holds 30 % of the question's telling terms is worth what the floor asks."""


class Measure:
    """Measures passages against one question. ``idfs`` are those of the question's terms."""

    def __init__(self, question: Question, idfs: Sequence[float]) -> None:
        self._question = question
        # A pair across the border of two words is rarer than either: the least idf around is the word's.
        self._places = [
            (place, min(idfs[number] for number in place.terms) * (RUN_MASS if place.run else 1.0))
            for place in question.places
        ]
        self._words = math.fsum(weight for place, weight in self._places if not place.run)
        self._runs = math.fsum(weight for place, weight in self._places if place.run)

    def __call__(self, text: str, held: Set[int], score: float, usual: float) -> tuple[float, float]:
        """Coverage (0 to 1) and worth of a passage that holds the terms ``held``."""
        foreign = bool(self._runs and self._words) and not _has_runs(text)
        mass = self._words + self._runs * (FOREIGN_MASS if foreign else 1.0)
        covered = math.fsum(weight for place, weight in self._places if not held.isdisjoint(place.terms))
        contrast = min(score / usual, MOST_CONTRAST) if usual else MOST_CONTRAST
        worth = max(
            score / (1 + mass) * math.sqrt(contrast),
            self._question.share(held, words_only=foreign) * SHARE_WORTH,
        )
        return min(covered / mass, 1.0) if mass else 0.0, worth


def usual_score(scores: Sequence[float]) -> float:
    """What passages that are not meant score. ``scores`` descend and are not empty."""
    usual = scores[USUAL_FROM:USUAL_TO]
    missing = USUAL_TO - USUAL_FROM - len(usual)
    return (math.fsum(usual) + missing * scores[0] / USUAL_CONTRAST) / (USUAL_TO - USUAL_FROM)


def _has_runs(text: str) -> bool:
    return not text.isascii() and bool(tables().kinds[codes_of(text)].any())
