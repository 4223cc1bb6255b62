"""run_shell: one command in bash, in a process group of its own that ends with the call."""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import Field

from geekagent_tui.agent.tools.base import Arguments, Preview, Running, ToolResult
from geekagent_tui.agent.tools.finishing import finished
from geekagent_tui.texts.tools import ToolTexts

SECONDS = 10
KEPT = 20_000
"""Characters of output that go to the model: the first and the last half of it."""
GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL."""

_KILLED = 1.0
"""Seconds that SIGKILL may take to work. It takes milliseconds, unless the machine is busy."""
_TICK = 1.0
"""Seconds after which a command that says nothing is shown to be running still."""
_BATCH = 0.1
"""Seconds of output that are reported together."""
_QUIET = {
    # Nobody sits at its keyboard: no pagers, no editors, no questions, no colours.
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "NO_COLOR": "1",
}


class ShellArguments(Arguments):
    command: str
    timeout: Annotated[int, Field(ge=1, le=600)] = SECONDS


class Kept:
    """The beginning and the end of a text that comes in pieces, and how long it was. Lengths in characters."""

    def __init__(self, limit: int = KEPT) -> None:
        self._half = limit // 2
        self._head: list[str] = []
        self._tail = ""
        self._head_length = 0
        self.length = 0

    def add(self, text: str) -> None:
        self.length += len(text)
        room = self._half - self._head_length
        if room > 0:
            self._head.append(text[:room])
            self._head_length += len(self._head[-1])
            text = text[room:]
        self._tail = (self._tail + text)[-self._half :]

    def text(self, note: str) -> str:
        """All of it, or its two ends with ``note`` between; ``{length}`` and ``{left}`` are filled in."""
        head = "".join(self._head)
        left = self.length - len(head) - len(self._tail)
        if not left:
            return head + self._tail
        return head + note.format(length=f"{self.length:,}", left=f"{left:,}") + self._tail


class RunShell:
    """``folder`` is where commands run, ``environ`` what they see. ``grace`` in seconds."""

    name = "run_shell"
    arguments: type[Arguments] = ShellArguments

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        clock: Callable[[], float],
        texts: ToolTexts,
        *,
        grace: float = GRACE,
    ) -> None:
        self._folder = folder
        self._environ = {**environ, **_QUIET}
        self._clock = clock
        self._texts = texts
        self._grace = grace
        self.description = texts.shell_about.format(seconds=SECONDS)
        self.field_texts: Mapping[str, str] = {
            "command": texts.shell_command,
            "timeout": texts.shell_timeout,
        }

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        assert isinstance(arguments, ShellArguments)
        return Preview("command", arguments.command)

    async def run(self, arguments: Arguments) -> ToolResult:
        return await self._run(arguments, lambda text: None)

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        return await self._run(arguments, running.report)

    async def _run(self, arguments: Arguments, report: Callable[[str], None]) -> ToolResult:
        assert isinstance(arguments, ShellArguments)
        texts = self._texts
        begun = self._clock()
        try:
            process = await asyncio.create_subprocess_exec(
                "bash", "-c", arguments.command,
                cwd=self._folder, env=self._environ, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
                start_new_session=True,
            )  # fmt: skip
        except FileNotFoundError:
            return ToolResult(texts.shell_no_bash, ok=False)
        except ValueError as error:
            return ToolResult(str(error), ok=False)
        kept = Kept()
        ending = ""
        reading = asyncio.create_task(_read(process, kept, report))
        try:
            async with asyncio.timeout(arguments.timeout):
                await asyncio.shield(reading)
                await process.wait()
        except TimeoutError:
            ending = texts.shell_timed_out.format(limit=arguments.timeout)
        except asyncio.CancelledError:
            # What came out so far is kept; the turn ends when the processes have.
            ending = texts.shell_cancelled
        if ending:
            await finished(self._end(process, reading))
        return self._result(process, kept, ending, self._clock() - begun)

    async def _end(self, process: Process, reading: asyncio.Task[None]) -> None:
        """End the whole group: SIGTERM, and SIGKILL for what is still there after the grace."""
        group = process.pid
        if _signal(group, signal.SIGTERM):
            await _gone(group, self._grace)
            if _signal(group, signal.SIGKILL):
                # Killed is not ended yet: who reads that it is may start the same server again at once.
                await _gone(group, _KILLED)
        await process.wait()
        # A process that left the group may hold the pipe: it is not waited for.
        await asyncio.wait([reading], timeout=0.2)
        reading.cancel()
        await asyncio.wait([reading])

    def _result(self, process: Process, kept: Kept, ending: str, seconds: float) -> ToolResult:
        texts = self._texts
        output = kept.text(texts.shell_cut).rstrip("\n") or texts.shell_empty
        code = process.returncode if process.returncode is not None else -1
        took = f"{seconds:.1f}"
        if not ending:
            if code < 0:
                with suppress(ValueError):
                    name = signal.Signals(-code).name
                    ending = texts.shell_signalled.format(signal=name, seconds=took)
            ending = ending or texts.shell_ended.format(code=code, seconds=took)
        return ToolResult(f"{output}\n{ending}", ok=code == 0)


async def _read(process: Process, kept: Kept, report: Callable[[str], None]) -> None:
    """Take output in until the pipe is closed. It is reported in batches, and a sign of life is when none comes."""
    assert process.stdout is not None
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    loop = asyncio.get_running_loop()
    waiting: list[str] = []
    sent = loop.time()
    more = asyncio.ensure_future(process.stdout.read(65_536))
    try:
        while True:
            await asyncio.wait([more], timeout=_BATCH if waiting else _TICK)
            now = loop.time()
            if more.done():
                data = more.result()
                text = decoder.decode(data, final=not data)
                kept.add(text)
                if text:
                    waiting.append(text)
                if not data:
                    break
                more = asyncio.ensure_future(process.stdout.read(65_536))
            if now - sent >= (_BATCH if waiting else _TICK):
                report("".join(waiting))
                waiting, sent = [], now
    finally:
        more.cancel()
        if waiting:
            report("".join(waiting))


async def _gone(group: int, seconds: float) -> None:
    """Wait until no process of the group is left, or the time is over: one that has ended and that nobody collects
    stays in it."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while _signal(group, 0) and loop.time() < deadline:  # noqa: ASYNC110 - nothing tells when a group is empty
        await asyncio.sleep(0.02)


def _signal(group: int, number: int) -> bool:
    """Whether there was a process in the group to signal."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
