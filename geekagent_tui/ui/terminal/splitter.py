"""What a terminal sends, cut into what was typed and what came whole: pastes and an input method's text.

Textual's parser looks at one character after another and gives up on a sequence of more than 32 characters, so that
five Chinese characters of an input method (kitty protocol) become thirty-six keys, and 200 KB of paste take a fifth
of a second of Python. Here both are found by searching; only the rest goes to that parser.

A terminal without bracketed paste sends a paste as if it were typed. Nobody types a line, Enter and more within one
read, so that is taken as a paste too: otherwise its first line would be sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_START = "\x1b[200~"
_END = "\x1b[201~"

_COMPOSED = re.compile(r"\x1b\[[\d:]*;[\d:]*;(\d+(?::\d+)+)u")
"""A key of the kitty protocol that brings two characters or more (``CSI key ; modifiers ; c:c:c u``)."""

_UNFINISHED = re.compile(r"\x1b\[[\d:;]*\Z")
"""A sequence cut off by the end of a read, if it may be one of those looked for here."""

_PLAIN = re.compile(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*\Z")
"""Text as a paste has it: no control characters but tab and newlines."""

_LINE_AND_ENTER = re.compile(r"[^\r\n][\r\n]")
_ONE_LINE = re.compile(r"[^\r\n]*[\r\n]?\Z")

_LONG = 128
"""Characters in one read that nobody can have typed, not even a held key over a slow line."""

_QUIET = 0.05
"""Seconds without input after which a paste without brackets has ended."""

_PATIENCE = 0.1
"""Seconds that the rest of a sequence is waited for."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Keys, mouse and reports, for the parser."""

    data: str


@dataclass(frozen=True, slots=True)
class Whole:
    """Text that arrived at once and is inserted at once; newlines are ``\\n``."""

    text: str


class InputSplitter:
    """Give it every read with the time (seconds, any origin); it gives the pieces that are complete."""

    def __init__(self) -> None:
        self._paste: list[str] | None = None
        self._tail = ""
        """End of an open paste: it may hold the beginning of the closing sequence."""
        self._held = ""
        self._run: list[str] = []
        self._due = 0.0

    def wait(self, now: float) -> float | None:
        """Seconds until ``due`` should be called, None when nothing is held back."""
        return max(0.0, self._due - now) if self._run or self._held else None

    def feed(self, data: str, now: float) -> list[Typed | Whole]:
        """The pieces that are complete with ``data``, in their order."""
        data, self._held = self._held + data, ""
        pieces: list[Typed | Whole] = []
        while data:
            if self._paste is not None:
                data = self._pasted(data, pieces)
                continue
            before, start, data = data.partition(_START)
            if start:
                pieces += self._let_go()
                self._paste = []
            pieces += self._typed(before, now, last=not start)
        return pieces

    def due(self, now: float) -> list[Typed | Whole]:
        """What was held back long enough."""
        return self._let_go() if (self._run or self._held) and now >= self._due else []

    def _pasted(self, data: str, pieces: list[Typed | Whole]) -> str:
        """Take what belongs to the open paste; the rest of ``data``."""
        assert self._paste is not None
        body, end, rest = (self._tail + data).partition(_END)
        if not end:
            keep = len(_END) - 1
            self._paste.append(body[:-keep])
            self._tail = body[-keep:]
            return ""
        text = "".join((*self._paste, body))
        self._paste, self._tail = None, ""
        pieces.append(Whole(_newlines(text.replace("\0", ""))))
        return rest

    def _typed(self, data: str, now: float, *, last: bool) -> list[Typed | Whole]:
        if not data:
            return []
        if self._in_a_burst(data):
            self._run.append(data)
            self._due = now + _QUIET
            return []
        if self._run and self._run[-1].endswith("\r") and data.startswith("\n"):
            # A line end that two reads share.
            self._run.append("\n")
            data = data[1:]
        pieces = self._let_go()
        if last and (unfinished := _UNFINISHED.search(data)):
            data, self._held = data[: unfinished.start()], unfinished[0]
            self._due = now + _PATIENCE
        at = 0
        for match in _COMPOSED.finditer(data):
            pieces.append(Typed(data[at : match.start()]))
            pieces.append(Whole(_characters(match[1])))
            at = match.end()
        pieces.append(Typed(data[at:]))
        return [piece for piece in pieces if piece != Typed("")]

    def _in_a_burst(self, data: str) -> bool:
        if not _PLAIN.match(data):
            return False
        return bool(self._run) or len(data) >= _LONG or bool(_LINE_AND_ENTER.search(data))

    def _let_go(self) -> list[Typed | Whole]:
        held, self._held = self._held, ""
        run, self._run = "".join(self._run), []
        pieces: list[Typed | Whole] = []
        if run:
            # One short line and Enter, nothing after it: a slow line or a script that types, and it means Enter.
            typed = len(run) < _LONG and _ONE_LINE.match(run)
            pieces.append(Typed(run) if typed else Whole(_newlines(run)))
        if held:
            pieces.append(Typed(held))
        return pieces


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _characters(codes: str) -> str:
    """Text of decimal code points between colons, without those that are none or are controls."""
    numbers = (int(code) for code in codes.split(":"))
    return "".join(
        chr(code)
        for code in numbers
        if 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 and code != 0x7F
    )
