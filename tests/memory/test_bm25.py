from __future__ import annotations

import math

import numpy as np
import pytest

from geekagent_tui.memory.bm25 import Bm25


def test_the_formula_by_hand() -> None:
    scorer = Bm25()
    idf = scorer.idf(10, 2)
    assert idf == math.log(1 + 8.5 / 2.5)
    weight = scorer.weight(idf, 3, scorer.damping(100, 200))
    assert weight == pytest.approx(idf * 3 * 2.2 / (3 + 1.2 * (0.25 + 0.75 * 0.5)))


def test_idf_is_never_negative() -> None:
    assert Bm25().idf(10, 10) > 0


def test_arrays_give_the_bits_of_numbers() -> None:
    scorer = Bm25()
    lengths = np.arange(1.0, 400.0)
    tf = np.arange(1.0, 400.0) % 7 + 1
    damping = scorer.damping(lengths, 211.3)
    weights = scorer.weight(1.234567, tf, damping)
    for at in range(lengths.size):
        one = scorer.weight(1.234567, float(tf[at]), scorer.damping(float(lengths[at]), 211.3))
        assert float(weights[at]) == one
