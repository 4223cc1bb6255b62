"""The seam where a way of scoring plugs in: entries and a question in, ranked passages out.

Recall is candidates → scores → floor → budget. A ``Scorer`` does the first two, ``selection`` the others. A semantic
scorer or an external index is another ``Scorer``; one that fuses two is a ``Scorer`` too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from geekagent_tui.memory.types import Hit, QueryTerm


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a scorer found. ``hits`` best first, each with its score, reasons and worth, not marked yet."""

    keywords: tuple[str, ...]
    hits: tuple[Hit, ...]
    terms: tuple[QueryTerm, ...] = ()


class Scorer(Protocol):
    """Holds all entries, ready to be asked. Need not be thread-safe."""

    @property
    def chunks(self) -> int:
        """How many chunks there are to search now."""

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool]) -> bool:
        """Hold these entries, in this order. False when ``should_stop`` ended it early; what is in can be asked."""

    def rank(self, query: str, limit: int) -> Ranking:
        """The ``limit`` best passages for a sentence."""

    def rank_keywords(self, query: str, limit: int) -> Ranking:
        """The ``limit`` best passages for keywords with white space between."""

    def mark(self, hit: Hit) -> Hit:
        """The hit with the spans of its terms, which a ranking leaves out."""

    def load(self, folder: Path) -> bool:
        """Take over what an earlier run kept in ``folder``. False when there was nothing fit for use."""

    def saver(self) -> Callable[[Path], None]:
        """What keeps what took time to make, as it is now, in a folder. Calling it may go on beside everything else
        that is done with the scorer, and raises ``OSError``."""

    def purge(self) -> None:
        """Let go of everything that removed entries left behind, so that what is kept has no trace of them."""

    def discard(self, folder: Path) -> None:
        """Delete what was kept in ``folder``, whole or half. Raises ``OSError``."""
