"""The scorer of a profile."""

from __future__ import annotations

from geekagent_tui.memory.classic.scorer import ClassicScorer
from geekagent_tui.memory.lexical.scorer import LexicalScorer
from geekagent_tui.memory.profiles import CLASSIC, Profile
from geekagent_tui.memory.scorer import Scorer


def scorer_for(profile: Profile) -> Scorer:
    """An empty scorer of that profile."""
    return ClassicScorer(profile) if profile.name == CLASSIC.name else LexicalScorer(profile)
