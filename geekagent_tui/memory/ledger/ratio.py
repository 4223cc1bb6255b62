"""How many characters two texts have in common."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

_LONG = 800
"""Characters from which on matching blocks cost too much, and pairs of characters are counted instead."""


def ratio(one: str, other: str, *, at_least: float = 0.0) -> float:
    """How alike two texts are, 0 to 1 (twice the characters in common by all characters: Ratcliff and Obershelp 1988;
    for long texts Dice 1945 over pairs of characters). 0 when it can be told early that it is below ``at_least``."""
    if one == other:
        return 1.0
    if len(one) > _LONG or len(other) > _LONG:
        return _dice(one, other)
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < at_least or matcher.quick_ratio() < at_least:
        return 0.0
    return matcher.ratio()


def _dice(one: str, other: str) -> float:
    pairs, others = (Counter(pairwise(text)) for text in (one, other))
    total = pairs.total() + others.total()
    return 2 * (pairs & others).total() / total if total else 0.0
