"""memory.db: one short connection for each piece of work, and nothing is held open between two.

Rollback journal and not a write-ahead log: nothing lies beside the file between two changes, and it works on every
file system. ``secure_delete`` overwrites what is deleted with zeros. Texts are UTF-8 bytes, lone surrogates included.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from geekagent_tui.memory import durable

_MIGRATIONS = (
    """
CREATE TABLE texts (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, text BLOB);
CREATE TABLE facts (
  text INTEGER PRIMARY KEY REFERENCES texts(id), at REAL, author TEXT NOT NULL, session TEXT NOT NULL,
  turn TEXT NOT NULL, recalls INTEGER NOT NULL DEFAULT 0, recalled_at REAL);
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, author TEXT NOT NULL, session TEXT NOT NULL,
  turn TEXT NOT NULL, at REAL, of INTEGER NOT NULL DEFAULT 0, undone_by INTEGER NOT NULL DEFAULT 0,
  target BLOB, open INTEGER NOT NULL);
CREATE INDEX open_changes ON changes(open) WHERE open;
CREATE TABLE pieces (
  change INTEGER NOT NULL REFERENCES changes(id), side INTEGER NOT NULL, place INTEGER NOT NULL,
  position INTEGER NOT NULL, text INTEGER NOT NULL REFERENCES texts(id), PRIMARY KEY (change, side, place)
) WITHOUT ROWID;
CREATE INDEX pieces_of_text ON pieces(text);
CREATE TABLE parents (
  change INTEGER NOT NULL REFERENCES changes(id), child INTEGER NOT NULL REFERENCES texts(id),
  parent INTEGER NOT NULL REFERENCES texts(id), PRIMARY KEY (child, change, parent)) WITHOUT ROWID;
CREATE TABLE current (rank INTEGER PRIMARY KEY, text INTEGER NOT NULL REFERENCES texts(id));
CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), fingerprint BLOB NOT NULL);
""",
)
"""What brings a database from version n to n + 1. Never changed, only added to."""
VERSION = len(_MIGRATIONS)


class NewerLedgerError(Exception):
    """A newer version wrote the database. It is left alone."""


class Database:
    """``busy_ms``: how long one waits for another process."""

    def __init__(self, path: Path, *, busy_ms: int = 5_000) -> None:
        self.path = path
        self._busy_ms = busy_ms

    @property
    def exists(self) -> bool:
        return self.path.exists()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for looking. Raises ``sqlite3.Error``, ``OSError`` or ``NewerLedgerError``."""
        connection = self._connected()
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: on disk when the block ends, as if it had never been when it raises."""
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def put_aside(self, stamp: str) -> Path:
        """Move a damaged database out of the way, for its owner to look at, and return where to."""
        aside = self.path.with_name(f"{self.path.name}.corrupt-{stamp}")
        self.path.replace(aside)
        with suppress(OSError):
            self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)
        return aside

    def compact(self) -> None:
        """Write the file anew without what was deleted. Call it outside a transaction."""
        with self.reading() as connection:
            connection.execute("VACUUM")

    def _connected(self) -> sqlite3.Connection:
        if not self.path.exists():
            # Made by us, so that it is private from its first moment; SQLite's own files take its mode.
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, durable.FILE_MODE))
        connection = sqlite3.connect(self.path, timeout=self._busy_ms / 1000, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise NewerLedgerError(str(self.path))
        if version == VERSION:
            return
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for statements in _MIGRATIONS[version:]:
            for statement in statements.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")


DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file is no database, or no longer a whole one."""
    return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in DAMAGED
