"""Which of the injected passages an answer seems to have drawn on. An estimate, and to be labelled as one."""

from __future__ import annotations

from collections.abc import Sequence

from geekagent_tui.memory.classic.analysis import query_terms

LEAST = 3
"""Distinctive terms that answer and passage must share: two that are shared may be chance."""


def drawn_on(answer: str, question: str, passages: Sequence[str]) -> tuple[int, ...]:
    """For each passage, how many of its distinctive terms stand in the answer; 0 below ``LEAST``.

    Distinctive is a term (a Han bigram or a word) that neither the question nor another passage has: those may have
    come from there.
    """
    said, asked = frozenset(query_terms(answer)), frozenset(query_terms(question))
    terms = [frozenset(query_terms(passage)) for passage in passages]
    counts = []
    for at, own in enumerate(terms):
        others = frozenset().union(*(each for other, each in enumerate(terms) if other != at))
        shared = len((own - asked - others) & said)
        counts.append(shared if shared >= LEAST else 0)
    return tuple(counts)
