"""Sessions and their turns in SQLite: what was said, and what was injected, as it was.

Write-ahead log, and every commit on disk before it returns (``synchronous=FULL``). Events are only ever appended; a
turn is what its events add up to. Texts are kept as ASCII JSON, so that a lone surrogate or a NUL survives (two
halves of a pair that follow each other become the one character they stand for).

Every method blocks and is safe to call from any thread: one connection behind one lock.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from geekagent_tui.agent.events import Event, RequestSent, TurnCancelled
from geekagent_tui.agent.record import Status, TurnLog, TurnRecord
from geekagent_tui.agent.settings import os_reason
from geekagent_tui.agent.wire import from_json, to_json
from geekagent_tui.texts.sessions import ZH, SessionTexts

_NAME_LENGTH = 64
_NAME_BYTES = 200
"""The name may become a file's; file systems take 255 bytes."""

CHECK_LIMIT = 64_000_000
"""Bytes of a database that is checked as a whole when it is opened."""

_MIGRATIONS = (
    """
CREATE TABLE sessions (
  name TEXT PRIMARY KEY, created_at REAL NOT NULL, updated_at REAL NOT NULL, draft TEXT NOT NULL DEFAULT '""');
CREATE TABLE turns (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL REFERENCES sessions(name)
    ON UPDATE CASCADE ON DELETE CASCADE,
  text TEXT NOT NULL, at REAL NOT NULL, status TEXT NOT NULL, owner TEXT NOT NULL);
CREATE INDEX turns_of_session ON turns(session, seq);
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, turn TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE, body TEXT NOT NULL);
CREATE INDEX events_of_turn ON events(turn, seq);
""",
    "CREATE TABLE reserved (name TEXT PRIMARY KEY, owner TEXT NOT NULL)",
    """
ALTER TABLE sessions ADD COLUMN choices TEXT NOT NULL DEFAULT '{}';
CREATE TABLE messages (key TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE requests (turn TEXT NOT NULL REFERENCES turns(id) ON DELETE CASCADE, round INTEGER NOT NULL,
  body TEXT NOT NULL, PRIMARY KEY (turn, round));
CREATE TABLE request_messages (turn TEXT NOT NULL, round INTEGER NOT NULL, at INTEGER NOT NULL,
  message TEXT NOT NULL REFERENCES messages(key), PRIMARY KEY (turn, round, at),
  FOREIGN KEY (turn, round) REFERENCES requests(turn, round) ON DELETE CASCADE);
CREATE INDEX request_messages_of ON request_messages(message);
""",
    """
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL REFERENCES sessions(name)
    ON UPDATE CASCADE ON DELETE CASCADE,
  path BLOB NOT NULL, before BLOB, after TEXT NOT NULL, at REAL NOT NULL);
CREATE INDEX changes_of_session ON changes(session, seq);
""",
)
"""What brings a database from version n to n + 1. Never changed, only added to."""
_VERSION = len(_MIGRATIONS)

_REASONS = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_CANTOPEN: "cant_open",
    sqlite3.SQLITE_IOERR: "io_error",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "corrupt",
    sqlite3.SQLITE_NOTADB: "corrupt",
}
"""SQLite's primary result code → the text for it."""


class SessionError(Exception):
    """A session can't be read or written. The text is for a person."""


class SessionNameError(SessionError):
    """No session can have that name."""


class TurnGoneError(SessionError):
    """The turn was removed meanwhile: another window has reset or deleted its session."""


class _DamagedError(sqlite3.DatabaseError):
    """SQLite's own check found damage."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class _NewerError(Exception):
    """A newer version wrote the database. It is left alone."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """``turns`` how many, ``updated_at`` seconds since the epoch, ``title`` the start of the first message."""

    name: str
    turns: int
    updated_at: float
    title: str


class SessionStore:
    """``now`` gives seconds since the epoch; ``owner`` names this process, so that its running turns are told from
    those a crash left behind. ``notice`` is "" or what the user must know about opening."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], float],
        *,
        owner: str | None = None,
        alive: Callable[[str], bool] | None = None,
        texts: SessionTexts = ZH,
        busy_ms: int = 5_000,
    ) -> None:
        """Open or create the database. A damaged one is put aside and a new one begun. Raises ``SessionError``."""
        self._path = path
        self._now = now
        self._owner = owner if owner is not None else process_token(os.getpid())
        self._alive = alive or process_alive
        self._texts = texts
        self._busy_ms = busy_ms
        self._lock = threading.Lock()
        self.notice = ""
        try:
            try:
                self._db = self._open()
            except sqlite3.DatabaseError as error:
                if _code(error) not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                    raise
                aside = self._put_aside()
                self.notice = texts.damaged.format(path=path.name, aside=aside.name, reason=error)
                self._db = self._open()
        except (sqlite3.Error, OSError, _NewerError) as error:
            raise SessionError(texts.unusable.format(path=path, reason=self._reason(error))) from error

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # -- sessions -------------------------------------------------------------------------------------------

    def free_name(self) -> str:
        """A name that no session has: the local time, ``s-20261201-1530``, with a number when that is taken.

        A session is in the database from its first message on. Until then the name is reserved for this process, so
        that two windows opened in the same minute do not talk into one session.
        """
        stem = datetime.fromtimestamp(self._now()).astimezone().strftime("s-%Y%m%d-%H%M")
        with self._writing() as db:
            owners = dict(db.execute("SELECT name, owner FROM reserved"))
            names = {name for (name,) in db.execute("SELECT name FROM sessions")}
            stale = [name for name, owner in owners.items() if name in names or not self._lives(owner)]
            others = {name for name, owner in owners.items() if owner != self._owner and name not in stale}
            name = next(name for name in _numbered(stem) if name not in names and name not in others)
            db.executemany("DELETE FROM reserved WHERE name = ?", [(each,) for each in stale])
            db.execute("INSERT OR IGNORE INTO reserved (name, owner) VALUES (?, ?)", (name, self._owner))
        return name

    def _lives(self, owner: str) -> bool:
        return owner == self._owner or self._alive(owner)

    def check_name(self, name: str) -> None:
        """Raise ``SessionError`` unless ``name`` is 1 to 64 letters and digits of any script, ``-``, ``_``, ``.``."""
        if not is_name(name):
            raise SessionNameError(self._texts.bad_name.format(name=name))

    def has(self, name: str) -> bool:
        with self._reading() as db:
            return db.execute("SELECT 1 FROM sessions WHERE name = ?", (name,)).fetchone() is not None

    def sessions(self) -> tuple[SessionInfo, ...]:
        """All sessions, the last used first."""
        query = """SELECT s.name, s.updated_at, COUNT(t.id),
            (SELECT text FROM turns WHERE session = s.name ORDER BY seq LIMIT 1)
            FROM sessions s LEFT JOIN turns t ON t.session = s.name GROUP BY s.name
            ORDER BY s.updated_at DESC, s.rowid DESC"""
        with self._reading() as db:
            rows = db.execute(query).fetchall()
        return tuple(SessionInfo(name, turns, at, _title(text)) for name, at, turns, text in rows)

    def last(self) -> SessionInfo | None:
        """The session used last, None when there is none."""
        return next(iter(self.sessions()), None)

    def create(self, name: str) -> None:
        """Bring a session that the user named into being; one that is there stays as it is."""
        self.check_name(name)
        with self._writing() as db:
            self._ensure(db, name)

    def rename(self, name: str, new: str) -> None:
        self.check_name(new)
        if self.has(new):
            raise SessionError(self._texts.name_taken.format(name=new))
        with self._writing() as db:
            db.execute("UPDATE sessions SET name = ? WHERE name = ?", (new, name))

    def delete(self, name: str) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM sessions WHERE name = ?", (name,))
            _sweep(db)

    def reset(self, name: str) -> None:
        """Remove the session's turns; the session itself stays."""
        with self._writing() as db:
            db.execute("DELETE FROM turns WHERE session = ?", (name,))
            _sweep(db)

    def save_draft(self, name: str, text: str) -> None:
        """Keep what stands in the composer. A session that nobody named and only a draft brought into being goes with
        its draft."""
        with self._writing() as db:
            if text:
                self._ensure(db, name)
            db.execute("UPDATE sessions SET draft = ? WHERE name = ?", (json.dumps(text), name))
            if not text:
                db.execute(
                    "DELETE FROM sessions WHERE name = ? AND choices = '{}'"
                    " AND NOT EXISTS (SELECT 1 FROM turns WHERE session = name)"
                    " AND NOT EXISTS (SELECT 1 FROM changes WHERE session = name)"
                    " AND EXISTS (SELECT 1 FROM reserved r WHERE r.name = sessions.name)",
                    (name,),
                )

    def draft(self, name: str) -> str:
        with self._reading() as db:
            row = db.execute("SELECT draft FROM sessions WHERE name = ?", (name,)).fetchone()
        return str(json.loads(row[0])) if row else ""

    def save_choices(self, name: str, choices: str) -> None:
        """Keep how the session recalls, as text. Brings the session into being."""
        with self._writing() as db:
            self._ensure(db, name)
            db.execute("UPDATE sessions SET choices = ? WHERE name = ?", (choices, name))

    def choices(self, name: str) -> str:
        """What ``save_choices`` was given, "{}" when nothing was."""
        with self._reading() as db:
            row = db.execute("SELECT choices FROM sessions WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else "{}"

    def inputs(self, limit: int = 1000) -> tuple[str, ...]:
        """What was sent in any session, the newest first, each text once."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT text FROM turns GROUP BY text ORDER BY MAX(seq) DESC LIMIT ?", (limit,)
            ).fetchall()
        return tuple(str(json.loads(text)) for (text,) in rows)

    # -- turns ----------------------------------------------------------------------------------------------

    def begin_turn(self, name: str, record: TurnRecord) -> None:
        """Keep a message, sent or queued. Brings the session into being; a second call changes nothing."""
        self.check_name(name)
        with self._writing() as db:
            self._ensure(db, name)
            db.execute(
                "INSERT OR IGNORE INTO turns (id, session, text, at, status, owner) VALUES (?, ?, ?, ?, 'open', ?)",
                (record.id, name, json.dumps(record.text), record.at, self._owner),
            )
            db.execute("UPDATE sessions SET updated_at = ? WHERE name = ?", (self._now(), name))

    def append(self, turn: str, events: Iterable[Event], *, status: Status | None = None) -> None:
        """Add events to a turn that has begun; with ``status`` the turn has ended so. Raises ``TurnGoneError``."""
        with self._writing() as db:
            if db.execute("SELECT 1 FROM turns WHERE id = ?", (turn,)).fetchone() is None:
                raise TurnGoneError(self._texts.turn_gone)
            events = tuple(events)
            db.executemany(
                "INSERT INTO events (turn, body) VALUES (?, ?)",
                [
                    (turn, json.dumps(to_json(event)))
                    for event in events
                    if not isinstance(event, RequestSent)
                ],
            )
            for event in events:
                if isinstance(event, RequestSent):
                    _keep_request(db, event)
            if status is not None:
                db.execute("UPDATE turns SET status = ? WHERE id = ?", (status, turn))

    def requests(self, turn: str) -> tuple[str, ...]:
        """The requests of a turn in order, each as the JSON text that was sent."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT round, body FROM requests WHERE turn = ? ORDER BY round", (turn,)
            ).fetchall()
            parts: dict[int, list[str]] = {number: [] for number, _ in rows}
            for number, body in db.execute(
                "SELECT r.round, m.body FROM request_messages r JOIN messages m ON m.key = r.message"
                " WHERE r.turn = ? ORDER BY r.round, r.at",
                (turn,),
            ):
                parts[number].append(body)
        return tuple(_whole_request(body, parts[number]) for number, body in rows)

    # -- what the tools changed -------------------------------------------------------------------------------

    def keep_change(self, name: str, path: str, before: bytes | None, after: str) -> int:
        """Write down that a file is about to be replaced; returns the change's number. See ``agent.changes``."""
        with self._writing() as db:
            self._ensure(db, name)
            row = db.execute(
                "INSERT INTO changes (session, path, before, after, at) VALUES (?, ?, ?, ?, ?) RETURNING seq",
                (name, os.fsencode(path), before, after, self._now()),
            ).fetchone()
        return int(row[0])

    def drop_change(self, number: int) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM changes WHERE seq = ?", (number,))

    def changes(self, name: str) -> tuple[tuple[int, str, bytes | None, str], ...]:
        """The session's changes in order: number, path, what was there, hash of what was written."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT seq, path, before, after FROM changes WHERE session = ? ORDER BY seq", (name,)
            ).fetchall()
        return tuple((seq, os.fsdecode(path), before, after) for seq, path, before, after in rows)

    def written_elsewhere(self) -> int:
        """A number that is another one when another process has written since it was asked for last."""
        with self._reading() as db:
            return int(db.execute("PRAGMA data_version").fetchone()[0])

    def turn_ids(self, name: str) -> tuple[str, ...]:
        """The ids of a session's turns in order."""
        with self._reading() as db:
            rows = db.execute("SELECT id FROM turns WHERE session = ? ORDER BY seq", (name,)).fetchall()
        return tuple(turn for (turn,) in rows)

    def turns(self, name: str, *, without: Collection[str] = ()) -> tuple[TurnRecord, ...]:
        """All turns of a session in order, but for those with an id among ``without``.

        One that a crash left open comes back as interrupted, with the text it had; so does a message that only waited
        in line: it was never answered, and ``/retry`` sends it. A turn whose process still runs stays open.
        """
        with self._reading() as db:
            rows = db.execute(
                "SELECT id, text, at, status, owner FROM turns WHERE session = ? ORDER BY seq", (name,)
            ).fetchall()
            rows = [row for row in rows if row[0] not in without]
            bodies: dict[str, list[str]] = {row[0]: [] for row in rows}
            events: Iterable[tuple[str, str]]
            if without:
                events = itertools.chain.from_iterable(
                    db.execute("SELECT turn, body FROM events WHERE turn = ? ORDER BY seq", (turn,))
                    for turn in bodies
                )
            else:
                events = db.execute(
                    "SELECT e.turn, e.body FROM events e JOIN turns t ON t.id = e.turn WHERE t.session = ?"
                    " ORDER BY e.seq",
                    (name,),
                )
            for turn, body in events:
                bodies[turn].append(body)
        return tuple(self._replay(row, bodies[row[0]]) for row in rows)

    def _replay(self, row: tuple[str, str, float, str, str], bodies: list[str]) -> TurnRecord:
        turn, text, at, status, owner = row
        log = TurnLog(TurnRecord(turn, json.loads(text), at))
        for body in bodies:
            # An event of a newer version, or a damaged row, must not take the rest of the turn with it.
            with suppress(ValueError, TypeError, RecursionError):
                log.apply(from_json(json.loads(body)))
        if status == "open" and not self._lives(owner):
            log.apply(TurnCancelled(turn, 0.0))
        return log.record()

    # -- plumbing -------------------------------------------------------------------------------------------

    def _ensure(self, db: sqlite3.Connection, name: str) -> None:
        now = self._now()
        db.execute(
            "INSERT OR IGNORE INTO sessions (name, created_at, updated_at) VALUES (?, ?, ?)", (name, now, now)
        )

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._db
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is on disk afterwards, or none."""
        try:
            with self._lock:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                    self._db.execute("COMMIT")
                except BaseException:
                    with suppress(sqlite3.Error):
                        self._db.execute("ROLLBACK")
                    raise
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    def _open(self) -> sqlite3.Connection:
        # Created by us first: SQLite would take the process's umask, and so would the files beside it.
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            with suppress(PermissionError):
                os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)
        db = sqlite3.connect(
            self._path, timeout=self._busy_ms / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            # First of all: the mode of the log is written into the file, and a newer one is not ours to touch.
            if _version(db) > _VERSION:
                raise _NewerError(self._texts.newer.format(version=_version(db)))
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            if _version(db) < _VERSION:
                db.execute("BEGIN IMMEDIATE")
                # Asked again: another window may have been first while we waited.
                for script in _MIGRATIONS[_version(db) :]:
                    for statement in script.split(";"):
                        db.execute(statement)
                db.execute(f"PRAGMA user_version={_VERSION}")
                db.execute("COMMIT")
            db.execute("SELECT COUNT(*) FROM sessions, turns WHERE 0").fetchone()
            self._check(db)
        except BaseException:
            db.close()
            raise
        return db

    def _check(self, db: sqlite3.Connection) -> None:
        """Raise for damage in the pages themselves: it would come up in the middle of a conversation. The time goes
        with the size, so that a very large database is not read through at every start."""
        if self._path.stat().st_size <= CHECK_LIMIT:
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise _DamagedError(" ".join(verdict.split()))

    def _put_aside(self) -> Path:
        stamp = datetime.fromtimestamp(self._now(), UTC).strftime("%Y%m%dT%H%M%SZ")
        stem = f"{self._path.name}.corrupt-{stamp}"
        aside = next(path for path in map(self._path.with_name, _numbered(stem)) if not path.exists())
        self._path.rename(aside)
        for suffix in ("-wal", "-shm"):
            beside = self._path.with_name(self._path.name + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
        return aside

    def _failed(self, error: Exception) -> SessionError:
        return SessionError(self._texts.failed.format(path=self._path, reason=self._reason(error)))

    def _reason(self, error: Exception) -> str:
        """What went wrong and what to do, for a person."""
        if isinstance(error, sqlite3.Error) and _code(error) in _REASONS:
            return str(getattr(self._texts, _REASONS[_code(error)]))
        if isinstance(error, OSError):
            return self._texts.os_error.format(reason=os_reason(error))
        return str(error)


def _keep_request(db: sqlite3.Connection, event: RequestSent) -> None:
    """A message that many requests hold is kept once: a session's requests would else grow with its square."""
    request = json.loads(event.body)
    messages = request.get("messages", [])
    request["messages"] = None  # its place among the fields
    db.execute("DELETE FROM requests WHERE turn = ? AND round = ?", (event.turn, event.round))
    db.execute(
        "INSERT INTO requests (turn, round, body) VALUES (?, ?, ?)",
        (event.turn, event.round, json.dumps(request)),
    )
    for at, message in enumerate(messages):
        body = json.dumps(message)
        key = hashlib.blake2b(body.encode(), digest_size=16).hexdigest()
        db.execute("INSERT OR IGNORE INTO messages (key, body) VALUES (?, ?)", (key, body))
        db.execute(
            "INSERT INTO request_messages (turn, round, at, message) VALUES (?, ?, ?, ?)",
            (event.turn, event.round, at, key),
        )


def _whole_request(body: str, messages: Iterable[str]) -> str:
    request = json.loads(body)
    request["messages"] = [json.loads(message) for message in messages]
    return json.dumps(request, ensure_ascii=False)


def _sweep(db: sqlite3.Connection) -> None:
    """Remove messages that no request holds any more."""
    db.execute("DELETE FROM messages WHERE key NOT IN (SELECT message FROM request_messages)")


def is_name(name: str) -> bool:
    """Whether a session may be called so: safe to show, to type and to be a file's name. Letters, marks and digits of
    any script, ``-``, ``_``, ``.``; neither a mark nor a dot comes first."""
    if not 1 <= len(name) <= _NAME_LENGTH or len(name.encode("utf-8", "replace")) > _NAME_BYTES:
        return False
    kinds = [unicodedata.category(char)[0] for char in name]
    if name[0] == "." or kinds[0] == "M":
        return False
    return all(
        (kind in "LMN" and char not in _FILLERS) or char in "-_."
        for char, kind in zip(name, kinds, strict=True)
    )


_FILLERS = "\u115f\u1160\u3164\uffa0"
"""Letters by the book that show nothing."""


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; -1 for an error of the module itself."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else -1


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _numbered(stem: str) -> Iterator[str]:
    """``stem``, ``stem-2``, ``stem-3`` …"""
    yield stem
    yield from (f"{stem}-{number}" for number in itertools.count(2))


def process_token(pid: int) -> str:
    """A name for a process that a later one with the same number does not have: pid and start time."""
    try:
        started = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="ascii", errors="replace")
            .rpartition(")")[2]
            .split()[19]
        )
    except (OSError, IndexError):
        started = ""
    return f"{pid}:{started}"


def process_alive(token: str) -> bool:
    """Whether the process that ``process_token`` named still runs."""
    pid, _, started = token.partition(":")
    if not pid.isdecimal():
        return False
    if started:
        return process_token(int(pid)) == token
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _title(text: str | None, limit: int = 40) -> str:
    line = " ".join(json.loads(text).split()) if text else ""
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
