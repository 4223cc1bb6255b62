"""A program in a pseudo-terminal: started, watched, typed into."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

_ANSWERS = {
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",
}
"""What a terminal replies to the queries that programs send at start."""

_FRAME_END = b"\x1b[?2026l"
"""What ends a synchronized update."""


class Terminal:
    """``size`` is columns and rows. Use as a context manager: leaving it kills the program."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str,
        environ: Mapping[str, str],
        size: tuple[int, int] = (120, 36),
    ) -> None:
        self._command = command
        self._cwd = cwd
        self._environ = {**environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._size = size
        self.started = 0.0
        self.pid = 0
        self.output = b""
        """Everything the program has written."""

    def __enter__(self) -> Terminal:
        self.started = time.perf_counter()
        pid, self._descriptor = pty.fork()
        if pid == 0:
            os.chdir(self._cwd)
            os.execvpe(self._command[0], list(self._command), dict(self._environ))
        self.pid = pid
        columns, rows = self._size
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._descriptor)

    def type(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def wait_for(self, text: str, seconds: float = 20.0) -> float:
        """Seconds from now until ``text`` came. Raises ``TimeoutError``."""
        begun = time.perf_counter()
        wanted = text.encode()
        seen = b""
        while wanted not in seen:
            left = begun + seconds - time.perf_counter()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError(f"{text!r} did not come; the last that came: {seen[-200:]!r}")
            data = os.read(self._descriptor, 65_536)
            for query, answer in _ANSWERS.items():
                if query in data:
                    os.write(self._descriptor, answer)
            seen += data
            self.output += data
        return time.perf_counter() - begun

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the kernel tells the program."""
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def frame(self, size: int, seconds: float = 20.0) -> float:
        """Seconds from now until a frame has ended, with at least ``size`` bytes since. Raises ``TimeoutError``."""
        begun = time.perf_counter()
        seen = b""
        while len(seen) < size or not seen.endswith(_FRAME_END):
            left = begun + seconds - time.perf_counter()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError(f"no frame of {size} bytes; the last that came: {seen[-200:]!r}")
            seen += os.read(self._descriptor, 65_536)
        return time.perf_counter() - begun

    def drain(self, seconds: float) -> None:
        """Read for ``seconds``: a blinking cursor never lets a terminal fall silent."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._descriptor], [], [], left)[0]:
                self.output += os.read(self._descriptor, 65_536)

    def resident(self) -> float:
        """Resident memory in megabytes."""
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def cpu(self) -> float:
        """Processor seconds used so far."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
