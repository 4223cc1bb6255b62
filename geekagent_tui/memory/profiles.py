"""Ways to read and score: a name for each. ``classic`` reproduces the original program exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from geekagent_tui.memory import analysis, chunking
from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.texts.memory import ZH, MemoryTexts


@dataclass(frozen=True, slots=True)
class Profile:
    """``terms`` turns a sentence into what is looked up, ``keywords`` does so for a search on purpose; ``scorer``
    weighs the terms; ``chunk_size`` and ``chunk_overlap`` are in code points."""

    name: str
    terms: Callable[[str], list[str]]
    keywords: Callable[[str], list[str]]
    scorer: Bm25
    chunk_size: int = chunking.SIZE
    chunk_overlap: int = chunking.OVERLAP


CLASSIC = Profile("classic", analysis.query_terms, analysis.query_keywords, Bm25())
PROFILES: Mapping[str, Profile] = MappingProxyType({CLASSIC.name: CLASSIC})


def profile_named(name: str, texts: MemoryTexts = ZH) -> Profile:
    """The profile of that name. Raises ``ValueError`` with a line for a person when there is none."""
    try:
        return PROFILES[name]
    except KeyError:
        raise ValueError(texts.profile_unknown.format(name=name, names="、".join(PROFILES))) from None
