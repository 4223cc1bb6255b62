"""Line breaking in terminal cells: Latin text at blanks, Chinese and the like at any character.

Rows never begin with closing punctuation nor end with opening punctuation where another place to break is left
(the core of kinsoku shori, JIS X 4051). A word longer than a row is cut, between grapheme clusters only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, get_character_cell_size, split_graphemes

from geekagent_tui.memory.graphemes import is_boundary
from geekagent_tui.ui.transcript.lines import Line, Span

if TYPE_CHECKING:
    from textual.content import Content

TAB = 4
"""Cells between tab stops."""

_NOT_FIRST = frozenset("，。、；：！？）」』】》〉〕］｝”’…—～·％‰℃,.;:!?)]}%ーっゃゅょッャュョ々")
_GLUE = "\N{NO-BREAK SPACE}"
_NOT_LAST = frozenset("（「『【《〈〔［｛“‘([{¥￥$")


_WIDE_ALONE = "\u3000-\u3029\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fff\uff01-\uff5e"
_ALONE = f"\x20-\x7e\u2014\u2018\u2019\u201c\u201d\u2026{_WIDE_ALONE}"
_NOT_ALONE = re.compile(f"[{_ALONE}]?(?:[^{_ALONE}]+[{_ALONE}]?)+")
"""What may be more than one character, with the neighbours it may take in. All else is characters that join nothing by
themselves: Latin, Chinese and kana, of one or two cells."""


def clusters(text: str) -> list[tuple[int, int, int]]:
    """``(start, end, cells)`` of each piece that a cut must leave whole."""
    if text.isascii():
        return [(at, at + 1, 1) for at in range(len(text))]
    found: list[tuple[int, int, int]] = []
    at = 0
    for other in _NOT_ALONE.finditer(text):
        found.extend(_alone(text, at, other.start()))
        begin = other.start()
        found.extend((begin + start, begin + end, size) for start, end, size in joined_clusters(other[0]))
        at = other.end()
    found.extend(_alone(text, at, len(text)))
    return found


def _alone(text: str, start: int, end: int) -> list[tuple[int, int, int]]:
    return [(at, at + 1, 2 if text[at] > "\u2fff" else 1) for at in range(start, end)]


def joined_clusters(text: str) -> list[tuple[int, int, int]]:
    """As ``clusters``, for any text: it looks at each character's properties."""
    spans, _ = split_graphemes(text)
    merged: list[tuple[int, int, int]] = []
    for start, end, _size in spans:
        if merged and (start == 0 or not is_boundary(text, start, merged[-1][0])):
            first = merged[-1][0]
            merged[-1] = (first, end, cell_len(text[first:end]))
        else:
            merged.append((start, end, cell_len(text[start:end])))
    return merged


def breaks(text: str, width: int) -> list[tuple[int, int]]:
    """``(start, end)`` of the rows of one paragraph (no newline in it), blanks at a break left out.

    Rows are no wider than ``width`` cells, unless a single cluster is.
    """
    width = max(1, width)
    if text.isascii():
        return _breaks_ascii(text, width)
    return _breaks_clusters(text, width)


def _breaks_ascii(text: str, width: int) -> list[tuple[int, int]]:
    rows: list[tuple[int, int]] = []
    start, size = 0, len(text)
    while size - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        if cut <= start or text[start:cut].isspace():
            rows.append((start, start + width))
            start += width
            continue
        end = cut
        while end > start and text[end - 1] == " ":
            end -= 1
        rows.append((start, end))
        start = cut + 1
        while start < size and text[start] == " ":
            start += 1
    if start < size or not rows:
        rows.append((start, size))
    return rows


def _breaks_clusters(text: str, width: int) -> list[tuple[int, int]]:
    rows: list[tuple[int, int]] = []
    pieces = clusters(text)
    first = at = 0  # indices of pieces: the row's first one, the one looked at
    used = 0  # cells of the row so far
    chance = -1  # where the row may end: index of the piece that would begin the next one
    seen = False  # the row has more than its indent
    while at < len(pieces):
        start, end, size = pieces[at]
        if seen and _may_break(text, pieces, at):
            chance = at
        if used + size <= width or at == first:
            used += size
            at += 1
            seen = seen or text[start] != " "
            continue
        if seen and text[start:end] == " ":  # blanks hang over the end of a row
            cut, after = at, at
            while after < len(pieces) and text[pieces[after][0] : pieces[after][1]] == " ":
                after += 1
        else:
            cut = after = chance if chance > first else at
        stop = pieces[cut - 1][1]
        while stop > pieces[first][0] and text[stop - 1] == " ":
            stop -= 1
        if stop == pieces[first][0]:  # nothing but blanks: an indent wider than the row
            stop = pieces[cut - 1][1]
        rows.append((pieces[first][0], stop))
        first = at = after
        used, chance, seen = 0, -1, False
    if first < len(pieces) or not rows:
        rows.append((pieces[first][0] if first < len(pieces) else len(text), len(text)))
    return rows


def _may_break(text: str, pieces: Sequence[tuple[int, int, int]], at: int) -> bool:
    """Whether a row may end before piece ``at``."""
    start, _, size = pieces[at]
    before_start, _, before_size = pieces[at - 1]
    before, after = text[before_start], text[start]
    if before == " " or after == " ":
        return after != " "
    if after in _NOT_FIRST or before in _NOT_LAST or _GLUE in (before, after):
        return False
    return size > 1 or before_size > 1


def wrap(spans: Iterable[Span], width: int) -> list[Line]:
    """Lay paragraphs (separated by newlines in the text) out in rows of at most ``width`` cells."""
    rows: list[Line] = []
    for paragraph in _paragraphs(spans):
        text = "".join(span.text for span in paragraph)
        rows.extend(rows_of(paragraph, breaks(text, width)))
    return rows


def rows_of(
    spans: Sequence[Span], ends: Sequence[tuple[int, int]], previous: int | None = None
) -> list[Line]:
    """The rows of one paragraph cut at ``ends``. ``previous`` is the end of the row before them, if any."""
    rows: list[Line] = []
    for start, end in ends:
        glue = None if previous is None else (" " if start > previous else "")
        rows.append(Line(tuple(_cut(spans, start, end)), glue=glue))
        previous = end
    return rows


def wrap_exact(spans: Sequence[Span], width: int) -> list[Line]:
    """Cut one source line (code) into rows at the width, every blank kept."""
    width = max(1, width)
    text = "".join(span.text for span in spans)
    if cell_len(text) <= width:
        return [Line(tuple(spans))]
    rows: list[Line] = []
    start = used = 0
    for at, _end, size in clusters(text):
        if used + size > width and at > start:
            rows.append(Line(tuple(_cut(spans, start, at)), glue="" if rows else None))
            start, used = at, 0
        used += size
    rows.append(Line(tuple(_cut(spans, start, len(text))), glue="" if rows else None))
    return rows


def expand_tabs(spans: Iterable[Span]) -> list[Span]:
    """Tabs as blanks up to the next tab stop, counted in cells from the line's start."""
    result: list[Span] = []
    column = 0
    for text, style in spans:
        if "\t" in text:
            pieces: list[str] = []
            for number, piece in enumerate(text.split("\t")):
                if number:
                    blanks = TAB - column % TAB
                    pieces.append(" " * blanks)
                    column += blanks
                pieces.append(piece)
                column += cell_len(piece)
            result.append(Span("".join(pieces), style))
        else:
            column += cell_len(text)
            result.append(Span(text, style))
    return result


def truncate(text: str, width: int) -> str:
    """``text`` cut to ``width`` cells, the last one an ellipsis when something is missing."""
    if cell_len(text) <= width:
        return text
    used, end = 0, 0
    for _start, stop, size in clusters(text[: max(width, 0) * 8 + 64]):
        if used + size > width - 1:
            break
        used, end = used + size, stop
    return f"{text[:end]}…" if width > 0 else ""


def is_wide(char: str) -> bool:
    return get_character_cell_size(char) > 1


def wrap_content(content: Content, width: int) -> Content:
    """A Textual ``Content`` with newlines put in where ``wrap`` would break it; styles stay on their text."""
    from textual.content import Content as Joined

    rows: list[Content] = []
    at = 0
    for paragraph in content.plain.split("\n"):
        rows.extend(content[at + start : at + end] for start, end in breaks(paragraph, width))
        at += len(paragraph) + 1
    return Joined("\n").join(rows)


def _paragraphs(spans: Iterable[Span]) -> Iterator[list[Span]]:
    paragraph: list[Span] = []
    for text, style in spans:
        pieces = text.split("\n")
        for number, piece in enumerate(pieces):
            if number:
                yield expand_tabs(paragraph)
                paragraph = []
            if piece:
                paragraph.append(Span(piece, style))
    yield expand_tabs(paragraph)


def _cut(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    at = 0
    for text, style in spans:
        stop = at + len(text)
        if stop > start and at < end:
            yield Span(text[max(0, start - at) : end - at], style)
        if stop >= end:
            return
        at = stop
