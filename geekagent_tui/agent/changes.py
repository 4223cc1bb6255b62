"""What write and patch replaced, by session: the undo stack, which a restart does not lose.

A change is written down before the file is: after a crash in between there is one change too many, which undoing finds
out, never one too few. The bytes are kept as they were, secrets included: a file that undo brings back must be the
file. Every method blocks.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.agent.diffs import unified
from geekagent_tui.agent.sessions import SessionError, SessionStore
from geekagent_tui.agent.tools.files.edit import JournalError
from geekagent_tui.agent.tools.files.text import BinaryError, decode
from geekagent_tui.agent.tools.files.tree import ChangedError, Tree


@dataclass(frozen=True, slots=True)
class Change:
    """``before`` is the file's content then, None when there was none; ``after`` the SHA-256 of what was written."""

    number: int
    path: str
    before: bytes | None
    after: str


@dataclass(frozen=True, slots=True)
class Undo:
    """What undoing would do now. ``state``: ``clean`` (the file is as the change left it), ``changed`` (someone changed
    it since), ``done`` (it already is what undoing would make it). ``now`` is its content, None without one."""

    change: Change
    state: Literal["clean", "changed", "done"]
    now: bytes | None
    diff: str


def digest(data: bytes | None) -> str:
    return hashlib.sha256(data).hexdigest() if data is not None else ""


class Changes:
    """The changes of one database, to files of one tree."""

    def __init__(self, store: SessionStore, tree: Tree) -> None:
        self._store = store
        self._tree = tree

    def keep(self, session: str, path: str, before: bytes | None, after: bytes) -> int:
        """Write a change down; returns its number. Raises ``JournalError``."""
        try:
            return self._store.keep_change(session, path, before, digest(after))
        except SessionError as error:
            raise JournalError(str(error)) from error

    def forget(self, number: int) -> None:
        """The file was not written after all, or the change is undone. Raises ``SessionError``."""
        self._store.drop_change(number)

    def next_undo(self, session: str) -> Undo | None:
        """What ``undo`` would do, None when there is nothing. Raises ``SessionError`` and ``OSError``."""
        rows = self._store.changes(session)
        if not rows:
            return None
        change = Change(*rows[-1])
        now = self._now(change.path)
        if now == change.before:
            state: Literal["clean", "changed", "done"] = "done"
        else:
            state = "clean" if digest(now) == change.after else "changed"
        return Undo(change, state, now, _diff(now, change.before, change.path))

    def undo(self, undo: Undo) -> None:
        """Put the file back. It must still be as ``undo`` found it. Raises ``ChangedError``, ``OSError``,
        ``SessionError``."""
        if undo.state != "done":
            self._tree.write(undo.change.path, undo.change.before, expect=undo.now, check=True)
        elif self._now(undo.change.path) != undo.now:
            raise ChangedError
        self.forget(undo.change.number)

    def since_start(self, session: str) -> str:
        """The diff of all that the session's changes made of the files, as they are now. Raises as above."""
        first: dict[str, bytes | None] = {}
        for row in self._store.changes(session):
            change = Change(*row)
            first.setdefault(change.path, change.before)
        diffs = (_diff(before, self._now(path), path) for path, before in first.items())
        return "\n".join(diff for diff in diffs if diff)

    def _now(self, path: str) -> bytes | None:
        try:
            return self._tree.read(path)
        except FileNotFoundError:
            return None


def _diff(before: bytes | None, after: bytes | None, path: str) -> str:
    try:
        texts = [decode(data).text if data is not None else "" for data in (before, after)]
    except BinaryError:
        return f"--- {path}\n+++ {path}\n@@ @@"
    return unified(texts[0], texts[1], path) or (f"--- {path}\n+++ {path}" if before != after else "")
