"""The open end as it is shown: steady while it is half written, and cheap when it is one long paragraph."""

from __future__ import annotations

import re

from geekagent_tui.ui.transcript.blocks import Block, Paragraph
from geekagent_tui.ui.transcript.lines import Span
from geekagent_tui.ui.transcript.markdown import Env, inline

_MARKER_AT_END = re.compile(r"(?<![\\])(\*{1,3}|_{1,3}|~{1,2}|`+|\\[(\[]?)\Z")

_CLOSED_MATH = re.compile(r"\$[^$\n]+\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_OPEN_MATH = re.compile(r"\\([(\[])|(?<![\w$\\])(\$)(?=[^\s$\d])[^$\n]*[\\^_]")

LONG_PARAGRAPH = 600
"""Characters of a paragraph that are parsed again at each change. What stands before is settled, where it can be."""

_CUT = re.compile(r"[。，；！？](?=[\u4e00-\u9fffA-Za-z0-9])|(?<=[A-Za-z0-9][.,;!?]) (?=[A-Za-z0-9])")
"""Where a paragraph may be cut: no mark's meaning depends on what stands on the other side."""

_MARKS = frozenset("*_`~[]<>&\\!$")
_LITERAL = frozenset(("code", "url", "html", "math"))
"""Text in which a mark is no mark."""


class LongParagraph:
    """Parses only the end of a paragraph that grows. ``begin`` after a whole parse, then ``grown``."""

    def __init__(self) -> None:
        self._source = ""
        self._settled = 0
        self._spans: tuple[Span, ...] = ()

    def begin(self, source: str, blocks: list[Block]) -> None:
        """``source`` was parsed as ``blocks``."""
        alone = len(blocks) == 1 and isinstance(blocks[0], Paragraph)
        plain = "\n" not in source and source[:1].isalnum() and not source[:12].rstrip(".) ").isdecimal()
        self._source = source if alone and plain and len(source) > LONG_PARAGRAPH else ""
        self._settled, self._spans = 0, ()

    def grown(self, source: str, shown: list[Block], env: Env) -> list[Block] | None:
        """The blocks of ``source``, when it is the paragraph of before with more at its end. Else None."""
        if not self._source or "\n" in source or not source.startswith(self._source) or len(shown) != 1:
            return None
        self._source = source
        self._settle(env)
        end = steadied(source[self._settled :]).rstrip()
        return [Paragraph(_joined(self._spans, inline(end, env)))]

    def _settle(self, env: Env) -> None:
        """Put more of the beginning away, unless marks in it are still open."""
        last = len(self._source) - LONG_PARAGRAPH // 2
        if last - self._settled < LONG_PARAGRAPH:
            return
        cuts = [found.end() for found in _CUT.finditer(self._source, self._settled, last)]
        if not cuts:
            return
        settling = self._source[self._settled : cuts[-1]]
        if "\\" in _CLOSED_MATH.sub("", settling):
            return  # perhaps the beginning of a formula
        spans = inline(settling, env)
        if all(_LITERAL & {*span.style.split()} or _MARKS.isdisjoint(span.text) for span in spans):
            self._spans = _joined(self._spans, spans)
            self._settled = cuts[-1]


def _joined(one: tuple[Span, ...], other: list[Span]) -> tuple[Span, ...]:
    if one and other and one[-1].style == other[0].style:
        return (*one[:-1], Span(one[-1].text + other[0].text, one[-1].style), *other[1:])
    return (*one, *other)


def steadied(source: str) -> str:
    """``source`` with what its last paragraph leaves half written closed for show, so that nothing flickers.

    Emphasis and code that are open get their end; markers at the very end, with nothing after them yet, are left
    out. Only the picture of the open end is made from this, never what stays.
    """
    head, gap, last = source.rpartition("\n\n")
    if "```" in last or "~~~" in last or not any(mark in last for mark in "*_`~$\\"):
        return source
    last = _MARKER_AT_END.sub("", last) if not last[-1:].isspace() else last
    ticks: list[str] = re.findall(r"`+", last)
    if len(ticks) % 2:
        return head + gap + last + ticks[-1]
    plain = re.sub(r"(`+).*?\1", "", last, flags=re.S)
    formula = _OPEN_MATH.search(_CLOSED_MATH.sub("", plain))
    if formula is not None and not last.endswith(("\\", " ", "\n")):
        closing = "$" if formula[2] else "\\)" if formula[1] == "(" else "\\]"
        return head + gap + last + closing
    for mark in ("**", "__", "~~"):
        if plain.count(mark) % 2 and not last[-1:].isspace():
            return head + gap + last + mark
    return head + gap + last
