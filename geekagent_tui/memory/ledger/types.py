"""The data of the ledger. Everything is frozen; positions count from 0, entry numbers for people from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

AuthorKind = Literal["user", "model", "tool", "import", "hand", "unknown"]
Kind = Literal[
    "found", "add", "edit", "delete", "merge", "split", "replace", "import", "hand", "undo", "redo", "purge"
]
"""``found``: entries that were there before the ledger; ``hand``: someone else changed the file."""


class LedgerError(Exception):
    """The ledger at ``path`` can't be used. ``reason``: ``newer``, or what SQLite or the system said."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Author:
    """Who changes memory. ``session`` and ``turn`` are "" outside a session."""

    kind: AuthorKind
    session: str = ""
    turn: str = ""


USER = Author("user")
UNKNOWN = Author("unknown")
HAND = Author("hand")


@dataclass(frozen=True, slots=True)
class Piece:
    """An entry at its place, from 0. ``text`` is None in a journal from which it was removed for good."""

    position: int
    text: str | None


@dataclass(frozen=True, slots=True)
class Edit:
    """A change as it is meant. ``before``: what goes, at its place in the list as it is; ``after``: what comes, at its
    place in the list as it will be. ``parents``: (child, parent) indexes into ``after`` and ``before``: which text is a
    version of which. ``of``: the change that is undone or redone."""

    kind: Kind
    before: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()
    parents: tuple[tuple[int, int], ...] = ()
    of: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the journal. ``at``: seconds since the epoch, None when nobody knows; ``undone_by``: the change that
    took this one back, 0 while it stands."""

    id: int
    kind: Kind
    author: Author
    at: float | None
    before: tuple[Piece, ...] = ()
    after: tuple[Piece, ...] = ()
    of: int = 0
    undone_by: int = 0


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier text of an entry, and the change that replaced it. ``text`` is None when it was removed for good."""

    text: str | None
    change: int
    at: float | None
    author: Author


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one entry. ``at``: when this text was written, seconds since the epoch; ``recalls``: how often
    it was injected, its earlier versions' included. What nobody knows is None. Equal texts share their facts."""

    text: str
    author: Author = UNKNOWN
    at: float | None = None
    recalls: int = 0
    recalled_at: float | None = None


def applied(entries: Sequence[str], edit: Edit) -> tuple[str, ...]:
    """The entries after an edit. Raises ``ValueError`` when one that should go is not at its place."""
    result = list(entries)
    for piece in sorted(edit.before, key=lambda piece: -piece.position):
        if not 0 <= piece.position < len(result) or result[piece.position] != piece.text:
            raise ValueError(f"entry {piece.position + 1} is another one")
        del result[piece.position]
    for piece in sorted(edit.after, key=lambda piece: piece.position):
        if piece.text is None:
            raise ValueError("a text that was removed for good can't come back")
        result.insert(piece.position, piece.text)
    return tuple(result)
