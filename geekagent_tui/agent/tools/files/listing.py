"""ls, glob and read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from itertools import islice

from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.agent.tools.files.ignoring import walk
from geekagent_tui.agent.tools.files.patterns import PathPattern
from geekagent_tui.agent.tools.files.reasons import refusal
from geekagent_tui.agent.tools.files.text import BinaryError, decode
from geekagent_tui.agent.tools.files.tree import Tree, escaped
from geekagent_tui.texts.tools import ToolTexts

MAX_PATHS = 200
READ_CHARACTERS = 20_000
"""Characters that one call of read gives at most."""
LINE_CHARACTERS = 2_000
"""Characters of one line that are given at most."""


class ListArguments(Arguments):
    path: str = "."
    all: bool = False


class GlobArguments(Arguments):
    pattern: str


class ReadArguments(Arguments):
    path: str
    offset: int = 1


class Ls:
    """What is in one folder: folders with a slash, files with their size in bytes."""

    name = "ls"
    arguments: type[Arguments] = ListArguments

    def __init__(self, tree: Tree, texts: ToolTexts) -> None:
        self._tree = tree
        self._texts = texts
        self.description = texts.ls_about
        self.field_texts: Mapping[str, str] = {"path": texts.ls_path, "all": texts.ls_all}

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, ListArguments)
        try:
            rows = await asyncio.to_thread(self._rows, arguments)
        except OSError as error:
            return refusal(error, arguments.path, self._texts)
        return _listed(rows, self._texts.ls_empty, self._texts)

    def _rows(self, arguments: ListArguments) -> list[str]:
        with self._tree.folder(arguments.path) as folder:
            found = islice(walk(folder, deep=False, hidden=arguments.all), MAX_PATHS + 1)
            return [
                f"{escaped(each.path)}/"
                if each.folder
                else self._texts.size.format(path=escaped(each.path), size=f"{each.size:,}")
                for each in found
            ]


class Glob:
    """Files whose path matches a wildcard pattern."""

    name = "glob"
    arguments: type[Arguments] = GlobArguments

    def __init__(self, tree: Tree, texts: ToolTexts) -> None:
        self._tree = tree
        self._texts = texts
        self.description = texts.glob_about
        self.field_texts: Mapping[str, str] = {"pattern": texts.glob_pattern}

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, GlobArguments)
        pattern = arguments.pattern
        try:
            parts = self._tree.parts(pattern)
            if ".." in parts:
                return ToolResult(self._texts.outside.format(path=pattern), ok=False)
            rows = await asyncio.to_thread(self._rows, "/".join(parts))
        except OSError as error:
            return refusal(error, pattern, self._texts)
        return _listed(rows, self._texts.glob_none.format(pattern=pattern), self._texts)

    def _rows(self, pattern: str) -> list[str]:
        wanted = PathPattern(pattern)
        with self._tree.folder() as folder:
            hits = (each.path for each in walk(folder) if not each.folder and wanted.matches(each.path))
            return [escaped(path) for path in islice(hits, MAX_PATHS + 1)]


class Read:
    """A text file from a line on, as many lines as fit."""

    name = "read"
    arguments: type[Arguments] = ReadArguments

    def __init__(self, tree: Tree, texts: ToolTexts) -> None:
        self._tree = tree
        self._texts = texts
        self.description = texts.read_about.format(limit=f"{READ_CHARACTERS:,}")
        self.field_texts: Mapping[str, str] = {"path": texts.path, "offset": texts.read_offset}

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, ReadArguments)
        try:
            return await asyncio.to_thread(self._page, arguments.path, max(1, arguments.offset))
        except (OSError, BinaryError) as error:
            return refusal(error, arguments.path, self._texts)

    def _page(self, path: str, offset: int) -> ToolResult:
        texts = self._texts
        lines = decode(self._tree.read(path)).text.replace("\r\n", "\n").split("\n")
        if lines[-1] == "":
            lines.pop()
        total = len(lines)
        if not total:
            return ToolResult(texts.read_empty.format(path=path))
        if offset > total:
            return ToolResult(texts.read_past.format(path=path, total=total, offset=offset), ok=False)
        shown: list[str] = []
        room = READ_CHARACTERS
        for line in lines[offset - 1 :]:
            if len(line) > LINE_CHARACTERS:
                line = line[:LINE_CHARACTERS] + texts.line_cut.format(length=f"{len(line):,}")
            room -= len(line) + 1
            if room < 0 and shown:
                break
            shown.append(line)
        last = offset - 1 + len(shown)
        rows = [texts.read_head.format(path=path, first=offset, last=last, total=total), *shown]
        if last < total:
            rows.append(texts.read_next.format(next=last + 1))
        return ToolResult("\n".join(rows))


def _listed(rows: Iterable[str], nothing: str, texts: ToolTexts) -> ToolResult:
    rows = list(rows)
    if not rows:
        return ToolResult(nothing)
    if len(rows) > MAX_PATHS:
        rows = [*rows[:MAX_PATHS], texts.more_paths.format(shown=MAX_PATHS)]
    return ToolResult("\n".join(rows))


def folder_path(descriptor: int, fallback: str) -> str:
    """A path that leads to an open folder whatever happens to its names (Linux), else ``fallback``."""
    path = f"/proc/self/fd/{descriptor}"
    return path if os.path.exists(path) else fallback  # noqa: PTH110 - a descriptor's name
