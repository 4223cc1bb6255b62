"""The numbers that choose what is injected. Measured: see ``benchmarks/floor.py`` for the curve they lie on."""

from __future__ import annotations

from dataclasses import dataclass

BUDGET = 1600
"""Characters of injected text, headings included."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``floor``: the worth below which a passage stays out; ``distance``: the share of the best score below which one
    does; ``candidates``: passages that are looked at."""

    floor: float = 0.34
    distance: float = 0.0
    candidates: int = 24


NO_FLOOR = Rules(floor=0.0)
"""For a search on purpose: whoever asks with keywords of their own wants to see what there is."""
