"""memory.json: whole entries in a plain JSON array, never overwritten while it is not one."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from geekagent_tui.memory import durable
from geekagent_tui.memory.graphemes import cluster_start
from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    EmptyContent,
    MemoryProblem,
    Outcome,
    ReadOnly,
    Remembered,
    WriteFailed,
)
from geekagent_tui.memory.parsing import ParseError, parse, serialise
from geekagent_tui.texts.memory import ZH, MemoryTexts

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
    ) -> None:
        """``path`` need not exist. ``lock_seconds`` is how long a write waits for another process."""
        self.path = path
        self.entries: tuple[str, ...] = ()
        self.problem: MemoryProblem | None = None
        self._texts = texts
        self._now = now
        self._lock_seconds = lock_seconds
        self._signature: tuple[int, int, int, int] | None = None
        self._settled = False
        self._loaded = False

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

    def remember(self, content: str) -> Outcome:
        """Append an entry: on the disk when this returns ``Remembered``, and nothing changed otherwise."""
        entry, cut = fitted(content)
        if not entry:
            return EmptyContent()
        target = Path(os.path.realpath(self.path))
        try:
            durable.make_folder(target.parent)
            with durable.lock(target.with_name(f"{target.name}.lock"), self._lock_seconds):
                return self._append(target, entry, cut)
        except durable.LockTimeoutError:
            return WriteFailed(self._texts.locked.format(path=self.path, seconds=f"{self._lock_seconds:g}"))
        except OSError as error:
            return WriteFailed(self._texts.unwritable.format(path=self.path, reason=self._why(error)))

    def _append(self, target: Path, entry: str, cut: bool) -> Outcome:
        # Whatever someone else wrote since we last looked stays: read again, under the lock.
        self._load()
        if self.problem is not None:
            return ReadOnly(self.problem)
        if entry in self.entries:
            return AlreadyKnown(self.entries.index(entry) + 1)
        durable.sweep(target)
        entries = (*self.entries, entry)
        durable.replace(target, serialise(entries))
        self._note(durable.signature(self.path))
        self.entries = entries
        return Remembered(entry, cut, len(entries))

    def _load(self) -> bool:
        try:
            signature = durable.signature(self.path)
            if signature is None:
                self._note(None)
                return self._settle((), None)
            content = durable.read(self.path)
        except OSError as error:
            self._loaded = False
            return self._settle(self.entries, self._os_problem(error))
        self._note(signature)
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
