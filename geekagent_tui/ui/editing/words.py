"""Words of a line, for the keys that move and delete by words. Chinese is cut by a segmenter, or by characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

Cut = Callable[[str], Iterable[str]]
"""Cuts a run of Chinese or Japanese into words that joined give the run."""

_HAN = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECES = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W{_HAN}]+|(?P<space>\s+)|[^\w\s]+")


def by_characters(run: str) -> Iterable[str]:
    """Without a segmenter every character is a word: a key too many is better than a sentence lost."""
    return run


def chinese_runs(line: str) -> list[str]:
    """The runs of ``line`` that a segmenter has something to say about."""
    return [match["han"] for match in _PIECES.finditer(line) if match["han"]]


def word_left(line: str, column: int, cut: Cut = by_characters) -> int:
    """Start of the word before ``column``, blanks between them passed over; 0 when there is none."""
    starts = [start for start, end, blank in _words(line, cut) if start < column and not blank]
    return starts[-1] if starts else 0


def word_right(line: str, column: int, cut: Cut = by_characters) -> int:
    """End of the word after ``column``, blanks between them passed over; the line's end when there is none."""
    ends = (end for start, end, blank in _words(line, cut) if end > column and not blank)
    return next(ends, len(line))


def _words(line: str, cut: Cut) -> Iterator[tuple[int, int, bool]]:
    """``(start, end, is blank)`` of each piece of the line."""
    for match in _PIECES.finditer(line):
        start, end = match.span()
        if match["han"]:
            for word in cut(match[0]):
                yield start, start + len(word), False
                start += len(word)
        else:
            yield start, end, bool(match["space"])
