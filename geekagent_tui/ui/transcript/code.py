"""Code blocks: highlighted by Pygments in chunks, so that an open fence costs its last lines and no more.

Where a chunk ends depends on the lines alone and not on how they arrived: a streamed block looks like one that
came whole. Pygments is loaded at the first block that names a language.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from geekagent_tui.ui.transcript.blocks import Block
from geekagent_tui.ui.transcript.lines import ORNAMENT, Line, Span
from geekagent_tui.ui.transcript.wrap import expand_tabs, wrap_exact

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_CHUNK = 60
"""Lines after which a chunk ends at the next good place."""

_LONGEST = 2_000
"""Characters of a line beyond which its chunk is not highlighted: a lexer may need seconds for it."""

_STYLES = (
    ("Token.Comment", "code-comment"),
    ("Token.Keyword.Constant", "code-number"),
    ("Token.Keyword", "code-keyword"),
    ("Token.Operator.Word", "code-keyword"),
    ("Token.Operator", "code-operator"),
    ("Token.Literal.String", "code-string"),
    ("Token.Literal.Number", "code-number"),
    ("Token.Name.Function", "code-function"),
    ("Token.Name.Class", "code-type"),
    ("Token.Name.Exception", "code-type"),
    ("Token.Name.Builtin", "code-function"),
    ("Token.Name.Decorator", "code-function"),
    ("Token.Name.Tag", "code-keyword"),
    ("Token.Name.Attribute", "code-type"),
    ("Token.Name.Constant", "code-number"),
    ("Token.Generic.Deleted", "code-deleted"),
    ("Token.Generic.Inserted", "code-inserted"),
    ("Token.Generic.Heading", "code-keyword"),
    ("Token.Generic.Subheading", "code-function"),
)

Highlighted = tuple[Span, ...]


@lru_cache(maxsize=64)
def lexer_for(language: str) -> Lexer | None:
    """The Pygments lexer for a fence's language, None for an unknown one or none."""
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _style(token: str) -> str:
    return next((style for prefix, style in _STYLES if token.startswith(prefix)), "")


def highlight(lines: Sequence[str], lexer: Lexer | None) -> list[Highlighted]:
    """Spans for each of ``lines``."""
    if lexer is None or not lines or max(map(len, lines)) > _LONGEST:
        return [(Span(line),) for line in lines]
    result: list[Highlighted] = []
    row: list[Span] = []
    for token, text in lexer.get_tokens("\n".join(lines)):
        style = _style(str(token))
        for number, piece in enumerate(text.split("\n")):
            if number:
                result.append(tuple(row))
                row = []
            if piece:
                row.append(Span(piece, style))
    if row:
        result.append(tuple(row))
    # A lexer that swallowed or added lines must not lose text.
    if ["".join(span.text for span in spans) for spans in result[: len(lines)]] != list(lines):
        return [(Span(line),) for line in lines]
    return result[: len(lines)]


class CodeBlock(Block):
    """``append`` adds whole lines; ``partial`` is an unfinished last one."""

    code: ClassVar[bool] = True

    def __init__(self, language: str, content: str = "") -> None:
        super().__init__()
        self.language = language
        self._source: list[str] = []
        self._partial = ""
        self._settled: list[Highlighted] = []
        self._settled_rows: list[Line] = []
        self._settled_width = -1
        self._laid = 0
        if content:
            self.append(content.removesuffix("\n").split("\n"))

    @property
    def text(self) -> str:
        """The code as written."""
        lines = [*self._source, self._partial] if self._partial else self._source
        return "\n".join(lines).rstrip("\n")

    @property
    def partial(self) -> str:
        return self._partial

    @partial.setter
    def partial(self, line: str) -> None:
        if line != self._partial:
            self._partial = line
            self.changed()

    def append(self, lines: Sequence[str]) -> None:
        self._partial = ""
        self._source.extend(lines)
        while self._settle():
            pass
        self.changed()

    def _settle(self) -> bool:
        """Close the chunk that is open when a good place for it has come: a line that begins at the margin after a
        blank one, and not inside a string or comment."""
        start = len(self._settled)
        source = self._source
        for cut in range(start + _CHUNK, len(source)):
            if not source[cut] or source[cut][0] in " \t}])" or source[cut - 1].strip():
                continue
            if cut - start < 8 * _CHUNK and self._inside(start, cut):
                continue
            self._settled.extend(highlight(source[start:cut], self._lexer))
            return True
        return False

    def _inside(self, start: int, cut: int) -> bool:
        """Whether ``cut`` lies within a string or comment of many lines."""
        spans = highlight(self._source[start : cut + 1], self._lexer)[-1]
        return bool(spans) and spans[0].style == "code-string"

    @property
    def _lexer(self) -> Lexer | None:
        return lexer_for(self.language)

    def _lay_out(self, width: int) -> Sequence[Line]:
        if width != self._settled_width:
            self._settled_rows, self._settled_width, self._laid = [], width, 0
        for spans in self._settled[self._laid :]:
            self._settled_rows.extend(_rows(spans, width))
        self._laid = len(self._settled)
        tail = self._source[self._laid :]
        if self._partial:
            tail.append(self._partial)
        while tail and not tail[-1].strip():
            tail.pop()
        rows = [row for spans in highlight(tail, self._lexer) for row in _rows(spans, width)]
        label = Line((Span(f" {self.language}", f"{ORNAMENT} code-label"),), "code-block")
        top = [label] if self.language else []
        return [*top, *self._settled_rows, *rows] or [Line((), "code-block")]


def _rows(spans: Highlighted, width: int) -> list[Line]:
    margin = Span(" ", ORNAMENT)
    rows = wrap_exact(expand_tabs(spans), max(8, width - 2))
    return [Line((margin, *row.spans), "code-block", row.glue) for row in rows]
