"""Chinese words from a segmenter in a process of its own.

Loading its dictionary takes 0.2 to 0.6 s and holds the interpreter's lock all the while: in a thread of this process
the screen would stand still. There it costs nobody anything, and nothing before the first key that asks for words.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Iterable, Sequence
from importlib.util import find_spec

_MODULE = "rjieba"
_CHILD = (
    f"import json, sys, {_MODULE}\n"
    f"for line in sys.stdin: print(json.dumps({_MODULE}.cut(json.loads(line))), flush=True)\n"
)
_SECONDS = 5.0
"""What a process may take for its first answer before it is given up."""

_KNOWN = 256
"""Runs remembered."""


class Segmenter:
    """``learn`` asks, ``cut`` answers from what was learned: characters where nothing was, or nothing is installed.

    ``command`` reads a JSON string a line and answers each with a JSON list of its words; None asks for the module
    that may be installed.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._process: Process | None = None
        self._usable = True
        self._known: dict[str, list[str]] = {}

    def cut(self, run: str) -> Iterable[str]:
        return self._known.get(run, run)

    async def learn(self, runs: Iterable[str]) -> None:
        """Know the words of these runs from now on, if there is a segmenter that knows them."""
        unknown = [run for run in runs if run not in self._known]
        if not unknown or not self._usable:
            return
        try:
            async with asyncio.timeout(_SECONDS):
                process = self._process or await self._start()
                for run in unknown:
                    words = await _ask(process, run)
                    if len(self._known) >= _KNOWN:
                        self._known.clear()
                    self._known[run] = words if "".join(words) == run else list(run)
        except (OSError, ValueError, TypeError, TimeoutError):
            # Not there or not well: characters do.
            self._usable = False
            await self.close()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.communicate()

    async def _start(self) -> Process:
        command = self._command
        if command is None:
            if await asyncio.to_thread(find_spec, _MODULE) is None:
                raise OSError(f"{_MODULE} is not installed")
            command = (sys.executable, "-c", _CHILD)
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
        return self._process


async def _ask(process: Process, run: str) -> list[str]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(run).encode() + b"\n")
    await process.stdin.drain()
    words = json.loads(await process.stdout.readline())
    if not isinstance(words, list):
        raise TypeError(f"a list of words was expected, not {words!r}")
    return [str(word) for word in words]
