"""The ledger of one memory.json: facts about its entries, and a journal of every change.

A change is written in three steps: what is meant (``begin``), the file itself, and that it is done (``finish``). Who
comes next after a crash sees from the file which of the two it is. Not for two writers at once: the store's lock sees
to that. Looking is safe at any time and from any thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from geekagent_tui.memory import durable
from geekagent_tui.memory.ledger import rows
from geekagent_tui.memory.ledger.database import Database, NewerLedgerError, is_damaged
from geekagent_tui.memory.ledger.types import (
    HAND,
    UNKNOWN,
    Author,
    Change,
    Edit,
    Facts,
    LedgerError,
    Piece,
    Version,
    applied,
)

Answer = TypeVar("Answer")


class Ledger:
    """``stamp`` names the copy of a damaged database that is put aside, for example by the time."""

    def __init__(self, path: Path, *, stamp: Callable[[], str], busy_ms: int = 5_000) -> None:
        self.path = path
        self.aside: Path | None = None
        self._database = Database(path, busy_ms=busy_ms)
        self._stamp = stamp

    @property
    def exists(self) -> bool:
        return self._database.exists

    # -- a change, under the store's lock -------------------------------------------------------------------

    def reconcile(self, entries: Sequence[str], fingerprint: bytes, edited_at: float | None) -> Change | None:
        """Bring the ledger in line with the file as it is: what a crash left open is settled, and what someone else
        changed becomes one change by hand, which is returned. ``fingerprint``: of the file;
        ``edited_at``: when the file was last written, seconds since the epoch. Raises ``LedgerError``."""
        now = fingerprint
        if self.exists:
            # Nearly always there is nothing to do, and looking needs no disk to wait for.
            with suppress(sqlite3.Error, NewerLedgerError), self._database.reading() as db:
                if rows.fingerprint(db) == now and not rows.open_changes(db):
                    return None
        with self._writing() as db:
            self._settle(db, entries, now)
            known = rows.fingerprint(db)
            if known == now:
                return None
            if known is None:
                if entries:
                    pieces = tuple(Piece(at, entry) for at, entry in enumerate(entries))
                    change = rows.begin(db, Edit("found", after=pieces), UNKNOWN, None, now)
                    rows.finish(db, change)
                else:
                    rows.set_fingerprint(db, now)
                return None
            from geekagent_tui.memory.ledger.compare import compared

            edit = compared(rows.current(db), entries)
            if edit is None:  # written in another way, but the same
                rows.set_fingerprint(db, now)
                return None
            change = rows.begin(db, edit, HAND, edited_at, now)
            rows.finish(db, change)
            return change

    def begin(self, edit: Edit, author: Author, at: float, content: bytes) -> Change:
        """Write down what is meant, before the file is written with ``content``. Raises ``LedgerError``."""
        with self._writing() as db:
            return rows.begin(db, edit, author, at, durable.fingerprint(content))

    def finish(self, change: Change) -> None:
        """The file is written. Raises ``LedgerError``; the next ``reconcile`` finds out then."""
        with self._writing() as db:
            rows.finish(db, change)

    def drop(self, change: Change) -> None:
        """The file could not be written: the change has never been. Raises ``LedgerError``."""
        with self._writing() as db:
            rows.drop(db, change.id)

    def _settle(self, db: sqlite3.Connection, entries: Sequence[str], now: bytes) -> None:
        for change, target in rows.open_changes(db):
            if target == now or (rows.fingerprint(db) != now and _shows(change, entries, rows.current(db))):
                rows.finish(db, change)
            else:
                rows.drop(db, change.id)

    # -- looking --------------------------------------------------------------------------------------------

    def changes(self, *, limit: int = 100, before: int = 0) -> tuple[Change, ...]:
        """The journal, newest first; ``before``: only changes with a smaller id (0: all). Raises ``LedgerError``."""
        return self._looked(lambda db: tuple(rows.changes(db, limit, before)), ())

    def change(self, number: int) -> Change | None:
        """The change with that id. Raises ``LedgerError``."""
        return self._looked(lambda db: rows.change(db, number), None)

    def last_undoable(self) -> Change | None:
        """The newest change of ours that stands. What was changed by hand is taken back by its id only."""
        return self._looked(rows.last_undoable, None)

    def last_redoable(self) -> Change | None:
        """The newest undo that was not taken back, and after which nothing else was changed."""
        return self._looked(rows.last_redoable, None)

    def facts(self, entries: Iterable[str]) -> tuple[Facts, ...]:
        """What is known of these texts, one for each, in order. Raises ``LedgerError``."""
        texts = tuple(entries)
        none: dict[str, Facts] = {}
        found = self._looked(lambda db: rows.facts(db, texts), none)
        return tuple(found.get(text) or Facts(text) for text in texts)

    def versions(self, text: str) -> tuple[Version, ...]:
        """The earlier texts of an entry, the latest first. Raises ``LedgerError``."""
        return self._looked(lambda db: tuple(rows.versions(db, text)), ())

    def history(self, text: str, *, limit: int = 100) -> tuple[Change, ...]:
        """The changes that wrote this text or took it away, newest first. Raises ``LedgerError``."""
        return self._looked(lambda db: tuple(rows.changes_of(db, text, limit)), ())

    def note_recalled(self, texts: Iterable[str], at: float) -> None:
        """These entries were injected. One that the ledger doesn't know yet is not counted. Raises ``LedgerError``."""
        if self.exists:
            with self._writing() as db:
                rows.note_recalled(db, texts, at)

    def forget(self, texts: Iterable[str]) -> int:
        """Remove these texts, and what only they explain, from journal and facts, and write the file anew. How many
        were there. Call it under the store's lock. Raises ``LedgerError``."""
        if not self.exists:
            return 0
        with self._writing() as db:
            count = rows.forget(db, texts)
        try:
            self._database.compact()
        except (sqlite3.Error, OSError) as error:
            raise self._readable(error) from error
        return count

    def texts_with(self, text: str) -> tuple[str, ...]:
        """All texts that the ledger keeps which contain ``text``. Raises ``LedgerError``."""
        return self._looked(lambda db: tuple(rows.texts_with(db, text)), ())

    # -- below ----------------------------------------------------------------------------------------------

    def _looked(self, look: Callable[[sqlite3.Connection], Answer], nothing: Answer) -> Answer:
        if not self.exists:
            return nothing
        try:
            with self._database.reading() as db:
                return look(db)
        except (sqlite3.Error, OSError, NewerLedgerError) as error:
            raise self._readable(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with ExitStack() as stack:
                try:
                    db = stack.enter_context(self._database.writing())
                except sqlite3.Error as error:
                    if not is_damaged(error):
                        raise
                    self._put_aside()
                    db = stack.enter_context(self._database.writing())
                yield db
        except (sqlite3.Error, NewerLedgerError) as error:
            if isinstance(error, sqlite3.Error) and is_damaged(error):
                self._put_aside()  # the next write begins anew
            raise self._readable(error) from error

    def _put_aside(self) -> None:
        """Keep a damaged database for its owner to look at: memory.json is the truth, and the journal begins anew."""
        self.aside = self._database.put_aside(self._stamp())

    def _readable(self, error: Exception) -> LedgerError:
        return LedgerError(self.path, "newer" if isinstance(error, NewerLedgerError) else str(error))


def _shows(change: Change, entries: Sequence[str], known: Sequence[str]) -> bool:
    """Whether the file, changed again since, has what an open change meant: then it had been written."""
    edit = Edit(change.kind, change.before, change.after)
    try:
        meant = applied(known, edit)
    except ValueError:
        return False
    wanted, unwanted = set(meant) - set(known), set(known) - set(meant)
    there = set(entries)
    return bool(wanted | unwanted) and wanted <= there and not (unwanted & there)
