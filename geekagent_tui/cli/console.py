"""Standard input and output as the commands use them: UTF-8 whatever the locale, harmless on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from geekagent_tui.harmless import harmless


class Console:
    """``out`` for results, ``err`` for what a person must know. Results may be piped and are then left as they are,
    except that a lone surrogate, which UTF-8 can't carry, becomes a replacement character."""

    def __init__(self, stdin: TextIO, out: TextIO, err: TextIO) -> None:
        self._in = stdin
        self._out = out
        self._err = err
        for stream in (out, err):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8", errors="replace")
        if hasattr(stdin, "reconfigure"):
            stdin.reconfigure(encoding="utf-8", errors="replace")

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
        self._out.flush()


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _encodable(text: str) -> str:
    return text if _encodes(text) else text.encode("utf-8", "replace").decode("utf-8")
