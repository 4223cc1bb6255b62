"""Standard input and output as the commands use them: UTF-8 whatever the locale, harmless on a terminal."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Iterator
from typing import Any, TextIO

from geekagent_tui.harmless import harmless


class Console:
    """``out`` for results, ``err`` for what a person must know. Results may be piped and are then left as they are,
    except that a lone surrogate, which UTF-8 can't carry, becomes a replacement character."""

    def __init__(self, stdin: TextIO | None, out: TextIO | None, err: TextIO | None) -> None:
        """A stream that the caller has closed may be None: nothing comes from it, nothing reaches it."""
        self._in = stdin or io.StringIO()
        self._nowhere = io.StringIO() if out is None else None
        self._out: TextIO = self._nowhere or out or io.StringIO()
        self._err = err or io.StringIO()
        for stream in (self._in, self._out, self._err):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")

    def print(self, text: str, *, end: str = "\n") -> None:
        self._out.write((harmless(text) if self._out.isatty() else _encodable(text)) + end)

    def json(self, data: Any, *, indent: int | None = None) -> None:
        """One JSON document on one line (or indented). Lone surrogates stay JSON escapes: nothing is lost."""
        text = json.dumps(data, ensure_ascii=False, indent=indent)
        if not _encodes(text):
            text = json.dumps(data, ensure_ascii=True, indent=indent)
        self._out.write(text + "\n")
        self._out.flush()

    def error(self, text: str) -> None:
        self._err.write(harmless(text) + "\n")
        self._err.flush()

    def read(self) -> str:
        """All of standard input."""
        return self._in.read()

    def lines(self) -> Iterator[str]:
        """Standard input line by line, without line ends."""
        for line in self._in:
            yield line.rstrip("\r\n")

    def flush(self) -> None:
        """Raises ``OSError`` when something was said and standard output is full or closed."""
        self._out.flush()
        if self._nowhere is not None and self._nowhere.getvalue():
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def drop(self) -> None:
        """Whoever read the results has left, as ``head`` does: what is still buffered goes nowhere. Python would
        complain about it when it closes the stream."""
        if self._nowhere is not None:
            return
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, self._out.fileno())
        finally:
            os.close(null)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _encodable(text: str) -> str:
    return text if _encodes(text) else text.translate(_REPLACED)


_REPLACED = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")
