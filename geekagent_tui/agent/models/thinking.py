"""Reasoning that a model writes into its answer between tags, told apart while it streams."""

from __future__ import annotations

_TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"))
_FENCES = ("```", "~~~")


class ThinkSplitter:
    """Splits content into reasoning and text; a tag may be cut anywhere between pieces.

    A tag opens only at the start of a line outside a code fence, where models put it: an answer that speaks about
    the tag keeps it.
    """

    def __init__(self) -> None:
        self._pending = ""
        self._closing = ""
        self._fence = ""
        self._line_start = True
        self._trim = False

    def feed(self, text: str) -> list[tuple[bool, str]]:
        """What ``text`` makes certain, in order: (is reasoning, text)."""
        self._pending += text
        return _joined(self._take(last=False))

    def finish(self) -> list[tuple[bool, str]]:
        """The answer is over: what was held back."""
        return _joined(self._take(last=True))

    def _take(self, *, last: bool) -> list[tuple[bool, str]]:
        found: list[tuple[bool, str]] = []
        while self._pending:
            before = self._pending
            found.extend(self._reasoning(last) if self._closing else self._text(last))
            if self._pending == before:
                break
        return found

    def _reasoning(self, last: bool) -> list[tuple[bool, str]]:
        if self._trim:
            # The line breaks after the tag are part of neither reasoning nor answer.
            self._pending = self._pending.lstrip("\n")
            self._trim = not self._pending
        inside, closed, after = self._pending.partition(self._closing)
        if closed:
            self._pending = after
            self._closing = ""
            self._line_start = True
            self._trim = True
            return [(True, inside)]
        held = 0 if last else _held(self._pending, self._closing)
        cut = len(self._pending) - held
        inside, self._pending = self._pending[:cut], self._pending[cut:]
        return [(True, inside)]

    def _text(self, last: bool) -> list[tuple[bool, str]]:
        if not self._line_start:
            return self._rest_of_line()
        body = self._pending.lstrip()
        if not self._fence:
            for opening, closing in _TAGS:
                if body.startswith(opening):
                    self._pending = body.removeprefix(opening)
                    self._closing = closing
                    self._trim = True
                    return []
        marks = _FENCES if self._fence else (*_FENCES, *(opening for opening, _ in _TAGS))
        if not last and (not body or any(mark.startswith(body) for mark in marks)):
            return []
        if self._trim:
            # The white space between reasoning and the answer is part of neither.
            self._pending = body
            if body:
                self._trim = False
        for fence in _FENCES:
            if body.startswith(fence) and self._fence in ("", fence):
                self._fence = "" if self._fence else fence
                break
        self._line_start = False
        return self._rest_of_line(len(self._pending) - len(body))

    def _rest_of_line(self, skip: int = 0) -> list[tuple[bool, str]]:
        end = self._pending.find("\n", skip)
        if end < 0:
            text, self._pending = self._pending, ""
        else:
            text, self._pending = self._pending[: end + 1], self._pending[end + 1 :]
            self._line_start = True
        return [(False, text)]


def _held(text: str, tag: str) -> int:
    """How many characters at the end of ``text`` may be the beginning of ``tag``."""
    return next(
        (size for size in range(min(len(text), len(tag) - 1), 0, -1) if tag.startswith(text[-size:])), 0
    )


def _joined(pieces: list[tuple[bool, str]]) -> list[tuple[bool, str]]:
    """Neighbours of one kind as one piece, empty ones left out."""
    joined: list[tuple[bool, str]] = []
    for reasoning, text in pieces:
        if not text:
            continue
        if joined and joined[-1][0] == reasoning:
            joined[-1] = (reasoning, joined[-1][1] + text)
        else:
            joined.append((reasoning, text))
    return joined
