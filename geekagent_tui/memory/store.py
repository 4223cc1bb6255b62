"""memory.json: whole entries in a plain JSON array, never overwritten while it is not one."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from geekagent_tui.memory import durable
from geekagent_tui.memory.graphemes import cluster_start
from geekagent_tui.memory.ledger.types import (
    UNKNOWN,
    Author,
    Change,
    Edit,
    LedgerError,
    Piece,
    applied,
)
from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    Changed,
    ChangeOutcome,
    EmptyContent,
    MemoryProblem,
    NotUndone,
    Outcome,
    ReadOnly,
    Refusal,
    Remembered,
    Stale,
    WriteFailed,
)
from geekagent_tui.memory.parsing import ParseError, parse, serialise
from geekagent_tui.texts.memory import ZH, MemoryTexts

if TYPE_CHECKING:
    # SQLite is not needed before the first write.
    from geekagent_tui.memory.ledger.ledger import Ledger

MAX_CHARACTERS = 4000
LOCK_SECONDS = 5.0
_SETTLED_NS = 50_000_000
"""A file younger than this when read may change again without its times changing: clocks of file systems tick."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def utc_now() -> datetime:
    return datetime.now(UTC)


class Store:
    """The entries of one file and the only writer of it in this process. Not thread-safe: the owner sees to that."""

    def __init__(
        self,
        path: Path,
        *,
        texts: MemoryTexts = ZH,
        now: Callable[[], datetime] = utc_now,
        lock_seconds: float = LOCK_SECONDS,
        ledger: Callable[[], Ledger] | None = None,
    ) -> None:
        """``path`` need not exist. ``lock_seconds`` is how long a write waits for another process; ``ledger`` gives
        the journal that every change goes into, None for a file without one."""
        self.path = path
        self.entries: tuple[str, ...] = ()
        self.problem: MemoryProblem | None = None
        self._texts = texts
        self._now = now
        self._lock_seconds = lock_seconds
        self._signature: tuple[int, int, int, int] | None = None
        self._settled = False
        self._loaded = False
        self._ledger = ledger
        self._unusable = ""
        self._fingerprint = b""

    def refresh(self) -> bool:
        """Read the file when it was changed by someone else. True when entries or problem are others now.

        Never raises: what goes wrong becomes ``problem``, and the entries stay those of the last good file.
        """
        try:
            signature = durable.signature(self.path)
        except OSError as error:
            self._loaded = False
            return self._settle(self.entries, self._os_problem(error))
        if self._loaded and self._settled and signature == self._signature:
            return False
        return self._load()

    def remember(self, content: str, author: Author = UNKNOWN) -> Outcome:
        """Append an entry: on the disk when this returns ``Remembered``, and nothing changed otherwise."""
        entry, cut = fitted(content)
        if not entry:
            return EmptyContent()

        def plan(entries: tuple[str, ...]) -> Edit | Refusal:
            if entry in entries:
                return AlreadyKnown(entries.index(entry) + 1)
            return Edit("add", after=(Piece(len(entries), entry),))

        outcome = self.change(plan, author)
        if isinstance(outcome, Changed):
            return Remembered(entry, cut, outcome.numbers[0], outcome.change.id)
        assert not isinstance(outcome, Stale | NotUndone)
        return outcome

    def change(
        self, plan: Callable[[tuple[str, ...]], Edit | Refusal], author: Author = UNKNOWN
    ) -> ChangeOutcome:
        """Change the file as ``plan`` says when it is given the entries as they are now, which nobody else changes
        meanwhile. On the disk, and in the journal, when this returns ``Changed``; nothing changed otherwise."""
        try:
            with self.locked():
                return self._journalled(plan, author)
        except durable.LockTimeoutError:
            return WriteFailed(self._texts.locked.format(path=self.path, seconds=f"{self._lock_seconds:g}"))
        except LedgerError as error:
            return WriteFailed(self._ledger_reason(error))
        except OSError as error:
            return WriteFailed(self._texts.unwritable.format(path=self.path, reason=self._why(error)))

    def _journalled(self, plan: Callable[[tuple[str, ...]], Edit | Refusal], author: Author) -> ChangeOutcome:
        """A journal that is damaged or can't be written must not cost a memory: what is only added is kept without."""
        aside = self._put_aside()
        try:
            outcome = self._change(plan, author)
        except LedgerError as error:
            if self._put_aside() != aside:
                # Damaged, and out of the way now: a new one is begun.
                return self._change(plan, author)
            if not self._only_adds(plan):
                raise
            self._unusable = self._ledger_reason(error)
            return self._change(plan, author, journal=False)
        self._unusable = ""
        return outcome

    @property
    def journal_notice(self) -> str:
        """What is wrong with the journal, for a person; "" while it is well."""
        if self._unusable:
            return self._texts.unjournalled.format(reason=self._unusable)
        aside = self._put_aside()
        return self._texts.journal_anew.format(aside=aside.name) if aside is not None else ""

    def journal_problem(self) -> str:
        """Why the journal can't be read now, for a person; "" when it can, or when there is none."""
        if self._ledger is None:
            return ""
        try:
            self._ledger().changes(limit=1)
        except LedgerError as error:
            return self._ledger_reason(error)
        return ""

    def _put_aside(self) -> Path | None:
        """Where the last damaged journal went."""
        return self._ledger().aside if self._ledger is not None else None

    def _only_adds(self, plan: Callable[[tuple[str, ...]], Edit | Refusal]) -> bool:
        edit = plan(self.entries)
        return isinstance(edit, Edit) and edit.kind == "add"

    def reconcile(self) -> bool:
        """Write down in the journal what someone else did to the file, without waiting for another writer. Whether it
        is up to date now."""
        try:
            with self.locked(0):
                self._load()
                return self.problem is None and self._agreed() is not None
        except (durable.LockTimeoutError, LedgerError, OSError):
            return False  # the next write does it

    @contextmanager
    def locked(self, seconds: float | None = None) -> Iterator[Path]:
        """Keep other processes from writing; gives the file itself, behind its links. Raises ``LockTimeoutError`` after
        ``seconds`` (by default this store's), and ``OSError``."""
        target = Path(os.path.realpath(self.path))
        durable.make_folder(target.parent)
        wait = self._lock_seconds if seconds is None else seconds
        with durable.lock(target.with_name(f"{target.name}.lock"), wait):
            yield target

    def _change(
        self, plan: Callable[[tuple[str, ...]], Edit | Refusal], author: Author, *, journal: bool = True
    ) -> ChangeOutcome:
        # Whatever someone else wrote since we last looked stays: read again, under the lock.
        self._load()
        if self.problem is not None:
            return ReadOnly(self.problem)
        ledger = self._agreed() if journal else None
        edit = plan(self.entries)
        if not isinstance(edit, Edit):
            return edit
        target = Path(os.path.realpath(self.path))
        entries = applied(self.entries, edit)
        content = serialise(entries)
        at = self._now().timestamp()
        change = Change(0, edit.kind, author, at, edit.before, edit.after, edit.of)
        if ledger is not None:
            change = ledger.begin(edit, author, at, content)
        try:
            durable.sweep(target)
            durable.replace(target, content)
        except BaseException:
            if ledger is not None:
                with suppress(LedgerError):  # else the next one to look sees that it was never written
                    ledger.drop(change)
            raise
        self._fingerprint = durable.fingerprint(content)
        self._note(durable.signature(self.path))
        self.entries = entries
        if ledger is not None:
            with suppress(LedgerError):  # written it is: the next one to look finishes the journal
                ledger.finish(change)
        pieces = tuple(piece for piece in edit.after if piece.text is not None)
        return Changed(
            change,
            tuple(piece.position + 1 for piece in pieces),
            tuple(piece.text or "" for piece in pieces),
        )

    def _agreed(self) -> Ledger | None:
        """The ledger, in line with what was read a moment ago, under the lock. Raises ``LedgerError``."""
        if self._ledger is None:
            return None
        ledger = self._ledger()
        now = self._now().timestamp()
        edited = min(now, self._signature[0] / 1e9) if self._signature else now
        ledger.reconcile(self.entries, self._fingerprint, edited)
        return ledger

    def _ledger_reason(self, error: LedgerError) -> str:
        texts = self._texts
        reason = texts.ledger_newer if error.reason == "newer" else error.reason
        return texts.unwritable.format(path=error.path, reason=reason)

    def _load(self) -> bool:
        try:
            signature = durable.signature(self.path)
            if signature is None:
                self._fingerprint = durable.fingerprint(b"")
                self._note(None)
                return self._settle((), None)
            content = durable.read(self.path)
        except OSError as error:
            self._loaded = False
            return self._settle(self.entries, self._os_problem(error))
        self._note(signature)
        if self._ledger is not None:
            self._fingerprint = durable.fingerprint(content)
        try:
            entries = parse(content, str(self.path), self._texts)
        except ParseError as error:
            copy = self._keep_copy(content)
            problem = MemoryProblem(self.path, str(error), error.line, error.column, copy)
            return self._settle(self.entries, problem)
        return self._settle(tuple(entries), None)

    def _settle(self, entries: tuple[str, ...], problem: MemoryProblem | None) -> bool:
        changed = problem != self.problem
        if entries != self.entries:
            # Only then: whoever compares by identity need not look at entries that are the same.
            self.entries = entries
            changed = True
        self.problem = problem
        return changed

    def _note(self, signature: tuple[int, int, int, int] | None) -> None:
        self._signature = signature
        self._loaded = True
        age = self._now().timestamp() * 1e9 - signature[0] if signature else _SETTLED_NS
        self._settled = age >= _SETTLED_NS

    def _keep_copy(self, content: bytes) -> Path | None:
        """Put the content beside the file, once however often it is met. None when that can't be done."""
        try:
            for kept in sorted(self.path.parent.glob(f"{self.path.name}.corrupt-*")):
                if kept.stat().st_size == len(content) and durable.read(kept) == content:
                    return kept
            stamp = self._now().strftime("%Y%m%dT%H%M%S.%fZ")
            copy = self.path.with_name(f"{self.path.name}.corrupt-{stamp}")
            durable.replace(copy, content)
        except OSError:
            return None
        return copy

    def _os_problem(self, error: OSError) -> MemoryProblem:
        reason = self._texts.unreadable.format(path=self.path, reason=self._why(error))
        return MemoryProblem(self.path, reason)

    def _why(self, error: OSError) -> str:
        texts = self._texts
        if isinstance(error, durable.NotRegularError):
            return texts.os_not_regular
        known = {
            errno.EACCES: texts.os_permission,
            errno.EPERM: texts.os_permission,
            errno.ENOSPC: texts.os_full,
            errno.EDQUOT: texts.os_full,
            errno.EROFS: texts.os_read_only,
            errno.EISDIR: texts.os_folder,
            errno.ENOTDIR: texts.os_no_folder,
            errno.EEXIST: texts.os_no_folder,
            errno.ELOOP: texts.os_loop,
        }
        return known.get(error.errno or 0, error.strerror or str(error))


def fitted(content: str) -> tuple[str, bool]:
    """``content`` as an entry, and whether it had to be cut: trimmed, at most ``MAX_CHARACTERS`` code points.

    Surrogates that make a pair become the character they stand for, as they would in the file.
    """
    entry = content.strip()
    if not entry.isascii() and _SURROGATE.search(entry):
        entry = entry.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if len(entry) <= MAX_CHARACTERS:
        return entry, False
    return entry[: cluster_start(entry, MAX_CHARACTERS)].rstrip(), True
