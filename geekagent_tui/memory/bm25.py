"""The classic score, as pure functions.

Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) with the
idf that Lucene uses, ln(1 + …), which is never negative. ``tf``, ``df`` and the lengths are those of substrings and
characters: see ``analysis``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Bm25:
    """``k1`` says how fast repeats of a term stop counting, ``b`` how much long chunks are held back."""

    k1: float = 1.2
    b: float = 0.75

    def idf(self, chunks: int, df: int) -> float:
        """How telling a term is that ``df`` of ``chunks`` chunks contain."""
        return math.log(1 + (chunks - df + 0.5) / (df + 0.5))

    @overload
    def damping(self, length: float, mean_length: float) -> float: ...
    @overload
    def damping(self, length: Floats, mean_length: float) -> Floats: ...
    def damping(self, length: Any, mean_length: float) -> Any:
        """What a chunk of ``length`` characters sets against its term counts, where the mean is ``mean_length``."""
        return self.k1 * (1 - self.b + self.b * length / mean_length)

    @overload
    def weight(self, idf: float, tf: float, damping: float) -> float: ...
    @overload
    def weight(self, idf: float, tf: Floats, damping: Floats) -> Floats: ...
    def weight(self, idf: float, tf: Any, damping: Any) -> Any:
        """What one occurrence of a term in the query adds to the score of a chunk that has it ``tf`` times.

        Takes numbers or arrays: the same operations in the same order, so both give the same bits.
        """
        return idf * tf * (self.k1 + 1) / (tf + damping)
