"""Which entry became which, when someone changed the file in an editor: equal texts first, then the most alike."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from geekagent_tui.memory.ledger.ratio import ratio
from geekagent_tui.memory.ledger.types import Edit, Piece

ALIKE = 0.5
"""From which ratio on (0 to 1) a text that came is taken for a version of one that went. Lower would tie strangers
together; what is not tied is kept all the same, as one deleted and one added."""

_MOST_PAIRS = 20_000
"""Pairs of texts that are compared. Beyond it only neighbours at the same place are, so that a file that was replaced
altogether does not hold up a write."""


def compared(old: Sequence[str], new: Sequence[str]) -> Edit | None:
    """The change from ``old`` to ``new``, None when they are equal. Entries that only moved are in it too, as the
    parent of themselves."""
    if tuple(old) == tuple(new):
        return None
    before: list[Piece] = []
    after: list[Piece] = []
    runs: list[tuple[range, range]] = []
    for tag, first, last, start, end in _opcodes(old, new):
        if tag == "equal":
            continue
        runs.append(
            (range(len(before), len(before) + last - first), range(len(after), len(after) + end - start))
        )
        before.extend(Piece(at, old[at]) for at in range(first, last))
        after.extend(Piece(at, new[at]) for at in range(start, end))
    return Edit("hand", tuple(before), tuple(after), tuple(_parents(before, after, runs)))


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """As ``SequenceMatcher``'s, for the middle that differs only: most of a long list is as it was."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(a) * len(b) > 4_000_000:
        return [("replace", head, head + len(a), head, head + len(b))]
    return [
        (tag, first + head, last + head, start + head, end + head)
        for tag, first, last, start, end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    ]


def _parents(
    before: list[Piece], after: list[Piece], runs: list[tuple[range, range]]
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    left, right = dict.fromkeys(range(len(before))), dict.fromkeys(range(len(after)))
    places: dict[str | None, list[int]] = {}
    for at, piece in enumerate(before):
        places.setdefault(piece.text, []).append(at)
    for at, piece in enumerate(after):  # moved, word for word
        if places.get(piece.text):
            parent = places[piece.text].pop(0)
            pairs.append((at, parent))
            del left[parent], right[at]
    if len(left) * len(right) <= _MOST_PAIRS:
        candidates = [(child, parent) for child in right for parent in left]
    else:
        candidates = [
            (child, parent) for gone, come in runs for child, parent in zip(come, gone, strict=False)
        ]
    here = {(child, parent) for gone, come in runs for child in come for parent in gone}
    scored = sorted(
        (-score, (child, parent) not in here, child, parent)
        for child, parent in candidates
        if child in right and parent in left
        if (score := ratio(before[parent].text or "", after[child].text or "", at_least=ALIKE)) >= ALIKE
    )
    for _, _, child, parent in scored:
        if child in right and parent in left:
            pairs.append((child, parent))
            del left[parent], right[child]
    return sorted(pairs)
