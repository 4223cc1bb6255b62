"""Ways to read, score and choose: a name for each. ``classic`` reproduces the original program exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from geekagent_tui.memory import chunking
from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.memory.rules import Rules
from geekagent_tui.texts.memory import ZH, MemoryTexts


@dataclass(frozen=True, slots=True)
class Profile:
    """``scorer`` weighs the terms; ``chunk_size`` and ``chunk_overlap`` are in code points; ``rules`` choose what is
    injected, None for everything that scores."""

    name: str
    scorer: Bm25
    chunk_size: int = chunking.SIZE
    chunk_overlap: int = chunking.OVERLAP
    rules: Rules | None = None


CLASSIC = Profile("classic", Bm25())
LEXICAL = Profile("lexical", Bm25(k1=0.9, b=0.6), rules=Rules())
PROFILES: Mapping[str, Profile] = MappingProxyType({CLASSIC.name: CLASSIC, LEXICAL.name: LEXICAL})
AUTO_PROFILE = LEXICAL.name
"""What ``auto`` means."""


def profile_named(name: str, texts: MemoryTexts = ZH) -> Profile:
    """The profile of that name. Raises ``ValueError`` with a line for a person when there is none."""
    try:
        return PROFILES[name]
    except KeyError:
        raise ValueError(texts.profile_unknown.format(name=name, names="、".join(PROFILES))) from None
