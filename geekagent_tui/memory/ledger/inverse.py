"""What takes a change back, in the list as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.memory.ledger.types import Change, Edit, Piece


@dataclass(frozen=True, slots=True)
class Lost:
    """A change can't be taken back: ``text``, which it wrote, is no longer there as it was; None: a text that it
    would bring back was removed for good."""

    text: str | None


def inverse(change: Change, entries: Sequence[str], kind: Literal["undo", "redo"], of: int) -> Edit | Lost:
    """The edit that takes ``change`` back. What it wrote must be there, where it is does not matter; what it took away
    returns to its place, unless someone has written it again meanwhile."""
    if any(piece.text is None for piece in change.before):
        return Lost(None)
    places: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        places.setdefault(entry, []).append(at)
    gone: list[Piece] = []
    moved = 0
    for piece in change.after:
        free = places.get(piece.text or "")
        if not free:
            return Lost(piece.text)
        at = min(free, key=lambda place, was=piece.position: abs(place - was))  # type: ignore[misc]
        free.remove(at)
        if not gone:
            moved = at - piece.position
        gone.append(Piece(at, piece.text))
    room = len(entries) - len(gone)
    back: list[Piece] = []
    for piece in sorted(change.before, key=lambda piece: piece.position):
        if places.get(piece.text or ""):
            continue
        least = back[-1].position + 1 if back else 0
        back.append(Piece(min(max(least, piece.position + moved), room + len(back)), piece.text))
    return Edit(kind, tuple(sorted(gone, key=lambda piece: piece.position)), tuple(back), of=of)
