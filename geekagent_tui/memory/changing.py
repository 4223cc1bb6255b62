"""The changes one can make to memory, as plans: the entries as they are in, an edit or the reason for none out.

Every plan names its entry by number and expected text, so that a number that is out of date can't hit another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from geekagent_tui.memory.ledger.inverse import Lost, inverse
from geekagent_tui.memory.ledger.types import Change, Edit, Piece
from geekagent_tui.memory.outcomes import AlreadyKnown, EmptyContent, NotUndone, Refusal, Stale

if TYPE_CHECKING:
    from geekagent_tui.memory.ledger.ledger import Ledger

Plan: TypeAlias = Callable[[tuple[str, ...]], Edit | Refusal]
Target: TypeAlias = tuple[int, str]
"""An entry: its number from 1, and the text that is expected there."""
Replacing: TypeAlias = Literal["edit", "replace", "merge", "split"]


def replacing(targets: Sequence[Target], texts: Sequence[str], kind: Replacing) -> Plan:
    """Put ``texts`` in the place of the first of ``targets``; all of them go, and are the earlier versions of each.
    A text that is an entry elsewhere already makes the plan fail, unless it is one of those that go."""

    def plan(entries: tuple[str, ...]) -> Edit | Refusal:
        gone = _located(entries, targets)
        if isinstance(gone, Stale):
            return gone
        if not texts or not all(texts):
            return EmptyContent()
        places = {piece.position for piece in gone}
        for at, entry in enumerate(entries):
            if at not in places and entry in texts:
                return AlreadyKnown(at + 1)
        if [piece.text for piece in gone] == list(texts):
            return AlreadyKnown(gone[0].position + 1)
        first = gone[0].position
        start = first - sum(piece.position < first for piece in gone)
        after = tuple(Piece(start + at, text) for at, text in enumerate(dict.fromkeys(texts)))
        parents = tuple((child, parent) for child in range(len(after)) for parent in range(len(gone)))
        return Edit(kind, gone, after, parents)

    return plan


def deleting(target: Target, kind: Literal["delete", "purge"] = "delete") -> Plan:
    def plan(entries: tuple[str, ...]) -> Edit | Refusal:
        gone = _located(entries, (target,))
        return gone if isinstance(gone, Stale) else Edit(kind, gone)

    return plan


def importing(texts: Sequence[str]) -> Plan:
    """Append all of these that aren't there yet, as one change."""

    def plan(entries: tuple[str, ...]) -> Edit | Refusal:
        there = set(entries)
        new = [text for text in dict.fromkeys(texts) if text and text not in there]
        if not new:
            return EmptyContent()
        return Edit("import", after=tuple(Piece(len(entries) + at, text) for at, text in enumerate(new)))

    return plan


def undoing(ledger: Ledger, number: int = 0) -> Plan:
    """Take back change ``number``, 0 for the last one of ours that stands."""

    def plan(entries: tuple[str, ...]) -> Edit | Refusal:
        change = ledger.change(number) if number else ledger.last_undoable()
        if change is None:
            return NotUndone("unknown" if number else "nothing", number)
        if change.undone_by:
            return NotUndone("done", change.id)
        if change.kind in ("undo", "redo", "found", "purge"):
            return NotUndone("kind", change.id)
        return _inverse(change, entries, "undo", change.id)

    return plan


def redoing(ledger: Ledger) -> Plan:
    """Do again what was undone last."""

    def plan(entries: tuple[str, ...]) -> Edit | Refusal:
        change = ledger.last_redoable()
        return NotUndone("nothing") if change is None else _inverse(change, entries, "redo", change.of)

    return plan


def _inverse(
    change: Change, entries: tuple[str, ...], kind: Literal["undo", "redo"], of: int
) -> Edit | NotUndone:
    edit = inverse(change, entries, kind, of)
    if isinstance(edit, Lost):
        return NotUndone("purged", of) if edit.text is None else NotUndone("changed", of, edit.text)
    return edit


def _located(entries: Sequence[str], targets: Sequence[Target]) -> tuple[Piece, ...] | Stale:
    for number, expected in targets:
        found = entries[number - 1] if 1 <= number <= len(entries) else None
        if found != expected:
            now = tuple(at for at, entry in enumerate(entries, 1) if entry == expected)
            return Stale(number, found, now)
    unique = dict.fromkeys(targets)
    return tuple(Piece(number - 1, text) for number, text in unique)
