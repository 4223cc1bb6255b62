"""search: lines of files that match a regular expression, by ripgrep where it is installed."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress

from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.agent.tools.files.listing import folder_path
from geekagent_tui.agent.tools.files.reasons import refusal
from geekagent_tui.agent.tools.files.tree import MAX_FILE, Tree, escaped
from geekagent_tui.texts.tools import ToolTexts

MAX_LINES = 50
COLUMNS = 300
"""Characters of a line that are given at most."""
SECONDS = 20.0
_READ_LIMIT = 1_000_000


class SearchFilesArguments(Arguments):
    pattern: str
    path: str = "."
    glob: str = ""


class Search:
    """``ripgrep`` is the program's path, "" for the search of our own."""

    name = "search"
    arguments: type[Arguments] = SearchFilesArguments

    def __init__(
        self, tree: Tree, texts: ToolTexts, *, ripgrep: str | None = None, seconds: float = SECONDS
    ) -> None:
        self._tree = tree
        self._texts = texts
        self._seconds = seconds
        self._ripgrep = shutil.which("rg") or "" if ripgrep is None else ripgrep
        self.description = texts.search_about
        self.field_texts: Mapping[str, str] = {
            "pattern": texts.search_pattern,
            "path": texts.search_path,
            "glob": texts.search_glob,
        }

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, SearchFilesArguments)
        texts = self._texts
        try:
            folder, name = await asyncio.to_thread(self._where, arguments.path)
        except OSError as error:
            return refusal(error, arguments.path, texts)
        try:
            with self._tree.folder(folder) as descriptor:
                fallback = str(self._tree.root / folder)
                process = await self._begun(arguments, name, folder_path(descriptor, fallback))
        except OSError as error:
            return refusal(error, arguments.path, texts)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._answer(process, arguments, "" if folder == "." else f"{folder}/")
        except TimeoutError:
            return ToolResult(texts.search_slow.format(seconds=f"{self._seconds:g}"), ok=False)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _where(self, path: str) -> tuple[str, str]:
        """The folder to search in, and the name of the file when it is one."""
        shown = self._tree.shown(path)
        try:
            with self._tree.folder(shown):
                return shown, ""
        except NotADirectoryError:
            self._tree.read(shown)
            folder, _, name = shown.rpartition("/")
            return folder or ".", name

    async def _begun(self, arguments: SearchFilesArguments, name: str, cwd: str) -> Process:
        if self._ripgrep:
            program = [
                self._ripgrep,
                "--no-config",
                "--null",
                "--line-number",
                "--no-heading",
                "--with-filename",
            ]
            program += ["--color=never", "--sort=path", f"--max-filesize={MAX_FILE}", "--no-require-git"]
            program += [f"--max-columns={COLUMNS}", "--max-columns-preview", "--no-messages"]
            # Behind its own flag and behind "--": nothing the model writes is taken for an option.
            program += [f"--glob={arguments.glob}"] if arguments.glob else []
            program += [f"--regexp={arguments.pattern}", "--", f"./{name}"]
            return await asyncio.create_subprocess_exec(
                *program, cwd=cwd, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, limit=_READ_LIMIT
            )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "geekagent_tui.agent.tools.files.scan",
            cwd=cwd, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=_READ_LIMIT, env=_python_path(),
        )  # fmt: skip
        assert process.stdin is not None
        request = {
            "pattern": arguments.pattern,
            "name": name,
            "glob": arguments.glob,
            "limit": MAX_LINES + 1,
            "columns": COLUMNS,
        }
        with suppress(ConnectionError):
            process.stdin.write(json.dumps(request).encode())
            process.stdin.write_eof()
        return process

    async def _answer(self, process: Process, arguments: SearchFilesArguments, prefix: str) -> ToolResult:
        texts = self._texts
        assert process.stdout is not None
        assert process.stderr is not None
        rows: list[str] = []
        while len(rows) <= MAX_LINES and (line := await process.stdout.readline()):
            rows.append(_row(line, prefix))
        if len(rows) > MAX_LINES:
            return ToolResult("\n".join([*rows[:MAX_LINES], texts.search_more.format(shown=MAX_LINES)]))
        if rows:
            return ToolResult("\n".join(rows))
        reason = (await process.stderr.read(2_000)).decode("utf-8", "replace").strip()
        if await process.wait() > 1:
            return ToolResult(texts.search_failed.format(reason=reason), ok=False)
        return ToolResult(texts.search_none.format(pattern=arguments.pattern))


def _row(line: bytes, prefix: str) -> str:
    """``path NUL number:text`` as ``path:number: text``."""
    path, _, rest = line.partition(b"\0")
    number, _, text = rest.partition(b":")
    name = escaped(path.removeprefix(b"./").decode("utf-8", "surrogateescape"))
    shown = text.decode("utf-8", "replace").rstrip("\r\n")[: COLUMNS + 40]
    return f"{prefix}{name}:{number.decode('ascii', 'replace')}: {shown}"


def _python_path() -> dict[str, str]:
    """Our package for the child, and nothing of the folder it works in."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
