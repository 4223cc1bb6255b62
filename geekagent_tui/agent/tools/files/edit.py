"""write and patch: a file's whole content, or places in it. The user sees the diff first, undo brings back what was."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from geekagent_tui.agent.diffs import counts, unified
from geekagent_tui.agent.tools.base import NOWHERE, Arguments, Origin, Preview, Running, ToolResult
from geekagent_tui.agent.tools.files.reasons import refusal
from geekagent_tui.agent.tools.files.text import BinaryError, Decoded, decode
from geekagent_tui.agent.tools.files.tree import Tree
from geekagent_tui.agent.tools.finishing import finished
from geekagent_tui.texts.tools import ToolTexts

Answer = TypeVar("Answer")


class Journal(Protocol):
    """Where what was replaced is kept. See ``agent.changes``."""

    def keep(self, session: str, path: str, before: bytes | None, after: bytes) -> int: ...

    def forget(self, number: int) -> None: ...


class JournalError(Exception):
    """What would be replaced can't be kept."""


class Hunk(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    old: str
    new: str


class _PathArguments(Arguments):
    path: str


class WriteFileArguments(_PathArguments):
    content: str


class PatchArguments(_PathArguments):
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    path: str
    before: bytes | None
    after: bytes
    diff: str


class _Editing:
    """What the two have in common: work the change out, show it, write it if the file is still the same.
    ``protected`` is a folder below the root that is not to be changed ("" for none)."""

    def __init__(self, tree: Tree, texts: ToolTexts, journal: Journal | None, protected: str = "") -> None:
        self._tree = tree
        self._texts = texts
        self._journal = journal
        self._protected = protected

    def _changed(self, arguments: Arguments, path: str, before: bytes | None) -> bytes | ToolResult:
        raise NotImplementedError

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        change = await asyncio.to_thread(self._worked_out, arguments)
        if isinstance(change, ToolResult):
            return change
        warning = "" if change.before is not None else self._texts.new_file.format(path=change.path)
        # Both sides: what the user agreed to is this change and no other.
        return Preview("diff", change.diff, warning, basis=_basis(change))

    async def run(self, arguments: Arguments) -> ToolResult:
        return await asyncio.to_thread(self._write, arguments, NOWHERE, None)

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        basis = running.agreed.basis if running.agreed is not None else None
        # Once begun it is finished: the file is written and said to be, or neither.
        return await finished(asyncio.to_thread(self._write, arguments, running.origin, basis))

    def _worked_out(self, arguments: Arguments) -> _Change | ToolResult:
        assert isinstance(arguments, _PathArguments)
        asked = arguments.path
        texts = self._texts
        try:
            path = self._tree.shown(asked)
            if self._protected and (path + "/").startswith(self._protected + "/"):
                return ToolResult(texts.protected.format(path=asked), ok=False)
            try:
                before: bytes | None = self._tree.read(path)
            except FileNotFoundError:
                before = None
            after = self._changed(arguments, path, before)
            if isinstance(after, ToolResult):
                return after
            old = _text(before)
            return _Change(path, before, after, unified(old, _text(after), path))
        except (OSError, BinaryError) as error:
            return refusal(error, asked, texts)

    def _write(self, arguments: Arguments, origin: Origin, basis: bytes | None) -> ToolResult:
        texts = self._texts
        change = self._worked_out(arguments)
        if isinstance(change, ToolResult):
            return change
        if basis is not None and basis != _basis(change):
            return ToolResult(texts.changed.format(path=change.path), ok=False)
        if change.before == change.after:
            return ToolResult(texts.unchanged.format(path=change.path))
        number = None
        try:
            if self._journal is not None and origin.session:
                number = self._journal.keep(origin.session, change.path, change.before, change.after)
            self._tree.write(change.path, change.after, expect=change.before, check=True)
        except JournalError as error:
            return ToolResult(texts.no_journal.format(path=change.path, reason=error), ok=False)
        except OSError as error:
            if number is not None and self._journal is not None:
                self._journal.forget(number)
            return refusal(error, change.path, texts)
        added, removed = counts(change.diff)
        if change.before is None:
            return ToolResult(texts.written_new.format(path=change.path, lines=added))
        return ToolResult(texts.written.format(path=change.path, added=added, removed=removed))


class Write(_Editing):
    name = "write"
    arguments: type[Arguments] = WriteFileArguments

    def __init__(self, tree: Tree, texts: ToolTexts, journal: Journal | None, protected: str = "") -> None:
        super().__init__(tree, texts, journal, protected)
        self.description = texts.write_about
        self.field_texts: Mapping[str, str] = {"path": texts.path, "content": texts.write_content}

    def _changed(self, arguments: Arguments, path: str, before: bytes | None) -> bytes | ToolResult:
        assert isinstance(arguments, WriteFileArguments)
        return arguments.content.encode("utf-8", "surrogateescape")


class Patch(_Editing):
    name = "patch"
    arguments: type[Arguments] = PatchArguments

    def __init__(self, tree: Tree, texts: ToolTexts, journal: Journal | None, protected: str = "") -> None:
        super().__init__(tree, texts, journal, protected)
        self.description = texts.patch_about
        self.field_texts: Mapping[str, str] = {"path": texts.path, "hunks": texts.patch_hunks}

    def _changed(self, arguments: Arguments, path: str, before: bytes | None) -> bytes | ToolResult:
        assert isinstance(arguments, PatchArguments)
        texts = self._texts
        if before is None:
            return ToolResult(texts.missing.format(path=path), ok=False)
        if not arguments.hunks:
            return ToolResult(texts.hunks_none, ok=False)
        file = decode(before)
        text = file.text
        crlf = "\r\n" in text
        for number, hunk in enumerate(arguments.hunks, 1):
            if not hunk.old:
                return ToolResult(texts.hunk_empty.format(number=number), ok=False)
            old, new = hunk.old, hunk.new
            if crlf and old not in text:
                # What the model has read came with plain line ends.
                old, new = _with_crlf(old), _with_crlf(new)
            count = _occurrences(text, old)
            if count != 1:
                said = texts.hunk_many if count else texts.hunk_none
                return ToolResult(said.format(number=number, path=path, count=count), ok=False)
            text = text.replace(old, new)
        return Decoded(text, file.encoding).encode(text)


def _occurrences(text: str, part: str) -> int:
    """How often ``part`` stands in ``text``, overlapping ones counted; two are as good as many."""
    first = text.find(part)
    if first < 0:
        return 0
    return 1 if text.find(part, first + 1) < 0 else max(2, text.count(part))


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _text(data: bytes | None) -> str:
    return decode(data).text if data is not None else ""


def _basis(change: _Change) -> bytes:
    before = b"0" if change.before is None else b"1" + change.before
    return len(before).to_bytes(8, "big") + before + change.after
