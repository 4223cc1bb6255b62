"""Search in what the transcript shows: which turns may hold it, and where in their rows it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from geekagent_tui.agent.record import NoticePart, TextPart, ToolPart, TurnRecord
from geekagent_tui.ui.transcript.lines import Line, is_ornament

_MARKUP = re.compile(r"[*_`~\\]")


class Piece(NamedTuple):
    """Characters ``start`` to ``end`` of a row's text."""

    row: int
    start: int
    end: int


Hit = tuple[Piece, ...]
"""One place where the words stand: of several pieces when a row ended in the middle."""


def folded(text: str) -> str:
    """``text`` without case, every character still in its place."""
    small = text.lower()
    return (
        small if len(small) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    )


def searched(record: TurnRecord) -> str:
    """What of a turn can be found, without case and without Markdown's marks."""
    texts = [record.text]
    for part in record.parts:
        if isinstance(part, TextPart):
            texts.append(_MARKUP.sub("", part.text))
        elif isinstance(part, ToolPart):
            texts.append(f"{part.name} {part.arguments} {part.result or ''}")
        elif isinstance(part, NoticePart):
            texts.append(part.text)
        else:
            texts.append(part.text)
    return folded("\n".join(texts))


def hits(lines: Sequence[Line], query: str) -> list[Hit]:
    """Where ``query`` (folded) stands in rows, top to bottom; a row that was wrapped is one text with the next."""
    found: list[Hit] = []
    if not query:
        return found
    group: list[tuple[int, Line]] = []
    for number, line in enumerate(lines):
        if line.glue is None:
            found.extend(_in(group, query))
            group = []
        group.append((number, line))
    found.extend(_in(group, query))
    return found


def _in(group: Sequence[tuple[int, Line]], query: str) -> list[Hit]:
    """The places in rows that are one text."""
    whole = "".join(f"{line.glue or ''}{line.copied()}" for _, line in group)
    small = folded(whole)
    if query not in small:
        return []
    places = [place for number, line in group for place in _places(number, line)]
    found: list[Hit] = []
    start = small.find(query)
    while start >= 0:
        end = start + len(query)
        pieces: dict[int, tuple[int, int]] = {}
        for row, at in places[start:end]:
            if row >= 0:
                pieces[row] = (pieces.get(row, (at, at))[0], at + 1)
        found.append(tuple(Piece(row, *ends) for row, ends in pieces.items()))
        start = small.find(query, end)
    return [hit for hit in found if hit]


def _places(number: int, line: Line) -> list[tuple[int, int]]:
    """Row and offset of each character of a row that is copied; (-1, 0) for what stood before it."""
    places = [(-1, 0)] * len(line.glue or "")
    at = 0
    for text, style in line.spans:
        if not is_ornament(style):
            places.extend((number, at + offset) for offset in range(len(text)))
        at += len(text)
    return places
