"""The rows of the ledger. Every function works inside the transaction of its caller."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from geekagent_tui.memory.ledger.types import Author, Change, Edit, Facts, Piece, Version, applied

_GAP = 1 << 20
"""Between the ranks of two neighbours, so that one can be put between them without touching the rest."""

_SINGLY = 64
"""Pieces up to which the list is changed in place; more are quicker written anew."""

_COLUMNS = "id, kind, author, session, turn, at, of, undone_by"
_REVERSING = "('undo', 'redo', 'found', 'hand', 'purge')"


def encoded(text: str) -> bytes:
    """Text as it is kept: half a surrogate pair survives too."""
    return text.encode("utf-8", "surrogatepass")


def decoded(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "surrogatepass")


def key_of(text: str) -> bytes:
    """The key of a text: SHA-256 of its UTF-8."""
    return hashlib.sha256(encoded(text)).digest()


def _id_of(db: sqlite3.Connection, text: str | None) -> int:
    assert text is not None
    key = key_of(text)
    row = db.execute("SELECT id FROM texts WHERE key = ?", (key,)).fetchone()
    if row is None:
        row = (db.execute("INSERT INTO texts (key, text) VALUES (?, ?)", (key, encoded(text))).lastrowid,)
    return int(row[0])


# -- a change ------------------------------------------------------------------------------------------------


def begin(db: sqlite3.Connection, edit: Edit, author: Author, at: float | None, target: bytes) -> Change:
    """An open change, and the fingerprint of the file once it is done."""
    number = db.execute(
        "INSERT INTO changes (kind, author, session, turn, at, of, target, open) VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
        (edit.kind, author.kind, author.session, author.turn, at, edit.of, target),
    ).lastrowid
    ids: list[list[int]] = []
    for side, pieces in enumerate((edit.before, edit.after)):
        ids.append([_id_of(db, piece.text) for piece in pieces])
        db.executemany(
            "INSERT INTO pieces VALUES (?, ?, ?, ?, ?)",
            [
                (number, side, place, piece.position, text)
                for place, (piece, text) in enumerate(zip(pieces, ids[side], strict=True))
            ],
        )
    db.executemany(
        "INSERT OR IGNORE INTO parents VALUES (?, ?, ?)",
        [(number, ids[1][child], ids[0][parent]) for child, parent in edit.parents],
    )
    return Change(int(number or 0), edit.kind, author, at, edit.before, edit.after, edit.of)


def finish(db: sqlite3.Connection, change: Change) -> None:
    """The change is in the file: list, facts and fingerprint follow. A second call does nothing."""
    row = db.execute("SELECT target FROM changes WHERE id = ? AND open", (change.id,)).fetchone()
    if row is None:
        return
    _follow(db, change)
    if change.kind in ("undo", "redo"):
        by = change.id if change.kind == "undo" else 0
        db.execute("UPDATE changes SET undone_by = ? WHERE id = ?", (by, change.of))
    else:
        _note(db, change)
    db.execute("UPDATE changes SET open = 0, target = NULL WHERE id = ?", (change.id,))
    set_fingerprint(db, row[0])


def drop(db: sqlite3.Connection, number: int) -> None:
    """The change has never been."""
    texts = [text for (text,) in db.execute("SELECT text FROM pieces WHERE change = ?", (number,))]
    for table in ("pieces", "parents"):
        db.execute(f"DELETE FROM {table} WHERE change = ?", (number,))
    db.execute("DELETE FROM changes WHERE id = ?", (number,))
    db.executemany(
        "DELETE FROM texts WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM pieces WHERE text = ?1) "
        "AND NOT EXISTS (SELECT 1 FROM current WHERE text = ?1) AND NOT EXISTS (SELECT 1 FROM facts WHERE text = ?1)",
        [(text,) for text in texts],
    )


def open_changes(db: sqlite3.Connection) -> list[tuple[Change, bytes]]:
    """What was begun and never finished, with the fingerprint it was to lead to."""
    found = db.execute(f"SELECT {_COLUMNS}, target FROM changes WHERE open ORDER BY id").fetchall()
    return [(_change(db, row[:-1]), row[-1]) for row in found]


def fingerprint(db: sqlite3.Connection) -> bytes | None:
    """Of the file as the ledger knows it, None before the first look."""
    row = db.execute("SELECT fingerprint FROM state").fetchone()
    return row[0] if row else None


def set_fingerprint(db: sqlite3.Connection, value: bytes) -> None:
    db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (value,))


# -- the list as the ledger knows it -------------------------------------------------------------------------


def current(db: sqlite3.Connection) -> list[str]:
    query = "SELECT t.text FROM current c JOIN texts t ON t.id = c.text ORDER BY c.rank"
    return [decoded(text) or "" for (text,) in db.execute(query)]


def _follow(db: sqlite3.Connection, change: Change) -> None:
    if len(change.before) + len(change.after) > _SINGLY:
        _renumber(db, applied(current(db), Edit(change.kind, change.before, change.after)))
        return
    for piece in sorted(change.before, key=lambda piece: -piece.position):
        db.execute("DELETE FROM current WHERE rank = ?", (_rank(db, piece.position),))
    for piece in sorted(change.after, key=lambda piece: piece.position):
        _insert(db, piece)


def _insert(db: sqlite3.Connection, piece: Piece) -> None:
    above = _rank(db, piece.position - 1) if piece.position else 0
    below = _rank(db, piece.position)
    if above is None:
        raise ValueError(f"no place {piece.position}")
    rank = above + _GAP if below is None else (above + below) // 2
    if rank in (above, below):
        entries = current(db)
        entries.insert(piece.position, piece.text or "")
        _renumber(db, entries)
        return
    db.execute("INSERT INTO current VALUES (?, ?)", (rank, _id_of(db, piece.text)))


def _rank(db: sqlite3.Connection, position: int) -> int | None:
    (count,) = db.execute("SELECT count(*) FROM current").fetchone()
    if position >= count:
        return None
    # From the nearer end: what is new is at the end, and a long list is not walked for it.
    order, offset = ("", position) if position < count // 2 else (" DESC", count - 1 - position)
    row = db.execute(f"SELECT rank FROM current ORDER BY rank{order} LIMIT 1 OFFSET ?", (offset,)).fetchone()
    return int(row[0])


def _renumber(db: sqlite3.Connection, entries: Sequence[str]) -> None:
    db.execute("DELETE FROM current")
    db.executemany(
        "INSERT INTO current VALUES (?, ?)",
        [(at * _GAP, _id_of(db, entry)) for at, entry in enumerate(entries, 1)],
    )


# -- facts ---------------------------------------------------------------------------------------------------


def _note(db: sqlite3.Connection, change: Change) -> None:
    author = change.author
    stayed = Counter(piece.text for piece in change.before)
    parents: dict[int, list[int]] = {}
    for child, parent in db.execute("SELECT child, parent FROM parents WHERE change = ?", (change.id,)):
        parents.setdefault(child, []).append(parent)
    for piece in change.after:
        text = _id_of(db, piece.text)
        if stayed[piece.text] > 0:  # moved, or mentioned again
            stayed[piece.text] -= 1
            continue
        new = db.execute(
            "INSERT OR IGNORE INTO facts (text, at, author, session, turn) VALUES (?, ?, ?, ?, ?)",
            (text, change.at, author.kind, author.session, author.turn),
        ).rowcount
        if not new:
            db.execute(
                "UPDATE facts SET at = ?, author = ?, session = ?, turn = ? WHERE text = ?",
                (change.at, author.kind, author.session, author.turn, text),
            )
            continue
        for parent in parents.get(text, ()):
            db.execute(
                "UPDATE facts SET recalls = facts.recalls + p.recalls, recalled_at = max(coalesce(facts.recalled_at, "
                "p.recalled_at), coalesce(p.recalled_at, facts.recalled_at)) "
                "FROM facts p WHERE facts.text = ? AND p.text = ?",
                (text, parent),
            )


def facts(db: sqlite3.Connection, texts: Sequence[str]) -> dict[str, Facts]:
    wanted = {key_of(text): text for text in texts}
    query = (
        "SELECT t.key, f.at, f.author, f.session, f.turn, f.recalls, f.recalled_at FROM facts f "
        "JOIN texts t ON t.id = f.text"
    )
    found: list[tuple[Any, ...]] = []
    if len(wanted) > 500:
        found = db.execute(query).fetchall()
    else:
        for key in wanted:
            found.extend(db.execute(f"{query} WHERE t.key = ?", (key,)))
    return {
        wanted[key]: Facts(wanted[key], Author(kind, session, turn), at, recalls, recalled)
        for key, at, kind, session, turn, recalls, recalled in found
        if key in wanted
    }


def note_recalled(db: sqlite3.Connection, texts: Iterable[str], at: float) -> None:
    db.executemany(
        "UPDATE facts SET recalls = recalls + 1, recalled_at = ? WHERE text = (SELECT id FROM texts WHERE key = ?)",
        [(at, key_of(text)) for text in dict.fromkeys(texts)],
    )


def versions(db: sqlite3.Connection, text: str) -> Iterator[Version]:
    row = db.execute("SELECT id FROM texts WHERE key = ?", (key_of(text),)).fetchone()
    if row is None:
        return
    query = (
        "SELECT p.parent, t.text, c.id, c.at, c.author, c.session, c.turn FROM parents p "
        "JOIN texts t ON t.id = p.parent JOIN changes c ON c.id = p.change "
        "WHERE p.child = ? AND p.parent != p.child AND c.undone_by = 0 AND NOT c.open ORDER BY c.id DESC"
    )
    seen, waiting = {int(row[0])}, [int(row[0])]
    found = []
    while waiting:
        for parent, old, number, at, kind, session, turn in db.execute(query, (waiting.pop(),)):
            if parent not in seen:
                seen.add(parent)
                waiting.append(parent)
                found.append(Version(decoded(old), number, at, Author(kind, session, turn)))
    yield from sorted(found, key=lambda version: -version.change)


# -- the journal ---------------------------------------------------------------------------------------------


def changes(db: sqlite3.Connection, limit: int, before: int) -> Iterator[Change]:
    query = f"SELECT {_COLUMNS} FROM changes WHERE NOT open AND (? = 0 OR id < ?) ORDER BY id DESC LIMIT ?"
    for row in db.execute(query, (before, before, limit)).fetchall():
        yield _change(db, row)


def changes_of(db: sqlite3.Connection, text: str, limit: int) -> Iterator[Change]:
    query = (
        f"SELECT {_COLUMNS} FROM changes WHERE NOT open AND id IN (SELECT p.change FROM pieces p "
        "JOIN texts t ON t.id = p.text WHERE t.key = ?) ORDER BY id DESC LIMIT ?"
    )
    for row in db.execute(query, (key_of(text), limit)).fetchall():
        yield _change(db, row)


def change(db: sqlite3.Connection, number: int) -> Change | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM changes WHERE id = ? AND NOT open", (number,)).fetchone()
    return _change(db, row) if row else None


def last_undoable(db: sqlite3.Connection) -> Change | None:
    row = db.execute(
        f"SELECT {_COLUMNS} FROM changes WHERE NOT open AND undone_by = 0 AND kind NOT IN {_REVERSING} "
        "ORDER BY id DESC LIMIT 1"
    ).fetchone()
    return _change(db, row) if row else None


def last_redoable(db: sqlite3.Connection) -> Change | None:
    row = db.execute(
        f"SELECT {', '.join('u.' + name for name in _COLUMNS.split(', '))} FROM changes u JOIN changes c "
        "ON c.id = u.of AND c.undone_by = u.id WHERE u.kind = 'undo' AND NOT u.open AND NOT EXISTS "
        f"(SELECT 1 FROM changes n WHERE n.id > u.id AND n.kind NOT IN {_REVERSING}) ORDER BY u.id DESC LIMIT 1"
    ).fetchone()
    return _change(db, row) if row else None


def _change(db: sqlite3.Connection, row: Sequence[Any]) -> Change:
    number, kind, author, session, turn, at, of, undone_by = row
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    query = (
        "SELECT p.side, p.position, t.text FROM pieces p JOIN texts t ON t.id = p.text WHERE p.change = ? "
        "ORDER BY p.side, p.place"
    )
    for side, position, text in db.execute(query, (number,)):
        sides[side].append(Piece(position, decoded(text)))
    return Change(
        number, kind, Author(author, session, turn), at, tuple(sides[0]), tuple(sides[1]), of, undone_by
    )


# -- for good ------------------------------------------------------------------------------------------------


def forget(db: sqlite3.Connection, texts: Iterable[str]) -> int:
    """Empty these texts. Their rows stay, so that the journal still says that something was there; the key, from which
    a short text could be guessed, becomes a random one."""
    count = 0
    for text in texts:
        key = key_of(text)
        db.execute("DELETE FROM facts WHERE text = (SELECT id FROM texts WHERE key = ?)", (key,))
        count += db.execute(
            "UPDATE texts SET text = NULL, key = randomblob(32) WHERE key = ?", (key,)
        ).rowcount
    return count


def texts_with(db: sqlite3.Connection, text: str) -> Iterator[str]:
    for (found,) in db.execute("SELECT text FROM texts WHERE instr(text, ?)", (encoded(text),)):
        yield decoded(found) or ""
