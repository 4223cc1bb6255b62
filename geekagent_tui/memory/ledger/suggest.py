"""What a person might want to tidy up in memory. Suggestions only: nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.memory.ledger.likeness import Likeness
from geekagent_tui.memory.ledger.types import Facts
from geekagent_tui.memory.secrets import mask

Reason = Literal["unused", "same", "near", "newer", "contrary", "secret"]

UNUSED_SECONDS = 60 * 86_400.0
"""An entry that is older than that, by the ledger, and never came to mind."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``numbers`` (from 1) and ``texts``: the entry, or the two, that it is about, in the order of the file; ``ratio``:
    how alike two are, 0 to 1."""

    reason: Reason
    numbers: tuple[int, ...]
    texts: tuple[str, ...]
    ratio: float = 0.0


def suggestions(
    entries: Sequence[str],
    facts: Sequence[Facts],
    similar: Callable[[str], tuple[Likeness, ...]],
    now: float,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Suggestion, ...]:
    """All suggestions, pairs first, the most alike first. ``now``: seconds since the epoch. ``should_stop`` ends it
    with what was found. An entry whose age nobody knows is never called unused."""
    pairs: dict[tuple[int, int], Suggestion] = {}
    alone: list[Suggestion] = []
    for number, (entry, known) in enumerate(zip(entries, facts, strict=True), 1):
        if should_stop():
            break
        for like in similar(entry):
            one, other = sorted((number, like.number))
            if one != other and (one, other) not in pairs:
                texts = (entries[one - 1], entries[other - 1])
                pairs[one, other] = Suggestion(like.relation, (one, other), texts, like.ratio)
        if mask(entry)[1]:
            alone.append(Suggestion("secret", (number,), (entry,)))
        if known.at is not None and not known.recalls and now - known.at > UNUSED_SECONDS:
            alone.append(Suggestion("unused", (number,), (entry,)))
    return (*sorted(pairs.values(), key=lambda each: (-each.ratio, each.numbers)), *alone)
