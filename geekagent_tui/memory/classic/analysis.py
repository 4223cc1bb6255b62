"""Text to terms: how memory reads a chunk and a question.

Everything here is a pure function of the text. Offsets and lengths are in Unicode code points.
"""

from __future__ import annotations

import re
from operator import add

HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufa6d\ufa70-\ufad9\U00016fe2\U00016fe3\U00016ff0\U00016ff1\U00020000-\U0002a6df"
    "\U0002a700-\U0002ebe0\U0002ebf0-\U0002ee5d\U0002f800-\U0002fa1d\U00030000-\U000323af"
)
"""Script=Han of Unicode Scripts.txt (UAX #24), as the inside of a character class."""

STOP_WORDS = frozenset((*"的了在是和一个也就都把被从到给与及这那并而等有没不", "我们", "一个", "可以"))

RUNS = re.compile(f"([{HAN}]+)|([a-z0-9]+)")
"""The runs of a normalised text that terms are made of: group 1 a Han run, group 2 an ASCII word."""

_FOLD = re.compile(r"[^\S ]\s*| \s+")
"""A run of white space that is not one space already, so that usual text is searched and not rebuilt."""

_LONGER = "\u0130"
"""The one character whose lower case is longer than itself (Unicode SpecialCasing.txt)."""


def normalise(text: str) -> str:
    """Lower case, and every run of white space as one space; nothing is trimmed."""
    # Splitting twice is several times faster than the expression, and most texts have nothing to fold.
    if text.split() != text.split(" "):
        text = _FOLD.sub(" ", text)
    return text.lower()


def terms(text: str) -> list[str]:
    """All terms of ``text`` in order, repeats and stop words kept: Han bigrams and ASCII words."""
    found: list[str] = []
    for han, word in RUNS.findall(normalise(text)):
        if word:
            found.append(word)
        elif len(han) == 1:
            found.append(han)
        else:
            found.extend(map(add, han, han[1:]))
    return found


def query_terms(text: str) -> list[str]:
    """The terms that a sentence is looked up by: its terms without the stop words."""
    return [term for term in terms(text) if term not in STOP_WORDS]


def query_keywords(text: str) -> list[str]:
    """The keywords of a search on purpose: split on white space, stop words dropped, each as it is."""
    return [keyword for keyword in normalise(text).split() if keyword not in STOP_WORDS]


def source_offsets(text: str, normalised: str) -> tuple[list[int], list[int]] | None:
    """Where each character of ``normalised``, the normalised form of ``text``, comes from.

    Two lists by offset in the normalised text: start and end of its source in ``text``. None when both texts line
    up one to one, which is nearly always.
    """
    if len(normalised) == len(text) and _LONGER not in text:
        return None
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at].isspace():
            while end < len(text) and text[end].isspace():
                end += 1
        width = 1 if end - at > 1 else len(text[at].lower())
        starts.extend([at] * width)
        ends.extend([end] * width)
        at = end
    return starts, ends


def spans_of(
    term: str, normalised: str, offsets: tuple[list[int], list[int]] | None
) -> list[tuple[int, int]]:
    """Non-overlapping occurrences of ``term``, left to right, as half-open offsets into the source text.

    ``offsets`` is what ``source_offsets`` said of that source.
    """
    spans: list[tuple[int, int]] = []
    width = len(term)
    at = normalised.find(term)
    while at >= 0:
        end = at + width
        spans.append((at, end) if offsets is None else (offsets[0][at], offsets[1][end - 1]))
        at = normalised.find(term, end)
    return spans
