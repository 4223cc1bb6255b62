"""The numbers that choose what is injected. Measured: see ``benchmarks/floor.py`` for the curve they lie on."""

from __future__ import annotations

from dataclasses import dataclass

BUDGET = 1600
"""Characters of injected text, headings included."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``floor``: the worth below which a passage stays out; ``candidates``: passages that are looked at."""

    floor: float = 0.34
    candidates: int = 24


SEARCHED = Rules(floor=0.0)
"""A search on purpose has no floor: whoever writes keywords wants to see what there is."""
