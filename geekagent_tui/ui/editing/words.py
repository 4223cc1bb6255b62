"""Words of a line, for the keys that move and delete by words. Chinese is cut by a segmenter, or by characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec

Cut = Callable[[str], Iterable[str]]
"""Cuts a run of Chinese or Japanese into words that joined give the run."""

_HAN = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECES = re.compile(rf"(?P<han>[{_HAN}]+)|[^\W{_HAN}]+|(?P<space>\s+)|[^\w\s]+")
_SEGMENTER = "rjieba"


def by_characters(run: str) -> Iterable[str]:
    """Without a segmenter every character is a word: a key too many is better than a sentence lost."""
    return run


def load_segmenter() -> Cut:
    """The segmenter that is installed (takes 0.2 s: not on the event loop), else ``by_characters``."""
    if find_spec(_SEGMENTER) is None:
        return by_characters
    try:
        cut: Cut = import_module(_SEGMENTER).cut
    except (ImportError, AttributeError):
        return by_characters
    return cut


def has_chinese(line: str) -> bool:
    """Whether a segmenter would have anything to cut in ``line``."""
    return any(match["han"] for match in _PIECES.finditer(line))


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
        if match["han"] and cut is not by_characters:
            for word in cut(match[0]):
                yield start, start + len(word), False
                start += len(word)
        elif match["han"]:
            yield from ((at, at + 1, False) for at in range(start, end))
        else:
            yield start, end, bool(match["space"])
