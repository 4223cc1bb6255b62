"""Code blocks: highlighted by Pygments in chunks, so that an open fence costs its last lines and no more.

Where a chunk ends depends on the lines alone and not on how they arrived: a streamed block looks like one that
came whole. Pygments is loaded at the first block that names a language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from geekagent_tui.ui.transcript.blocks import Block
from geekagent_tui.ui.transcript.lines import ORNAMENT, Line, Span
from geekagent_tui.ui.transcript.wrap import expand_tabs, wrap_exact

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

_CHUNK = 32
"""Lines after which a chunk ends at the next good place: a line at the margin after a blank one."""

_ANYWHERE = 2 * _CHUNK
"""Lines after which any place will do that isn't within a string or comment."""

_AT_LAST = 8 * _CHUNK
"""Lines after which it ends whatever stands there."""

_LOOK_BACK = 10
"""Lines before new ones in an open chunk that are highlighted with them. Only when they come out as they are known is
the lexer in the state it would be in after the whole chunk, as far as one can see."""

_SPANNING = ('"""', "'''", "/*", "<!--", "`")
"""What may begin a string or comment of many lines."""

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
def _style(token: _TokenType) -> str:
    name = str(token)
    return next((style for prefix, style in _STYLES if name.startswith(prefix)), "")


def highlight(lines: Sequence[str], lexer: Lexer | None) -> list[Highlighted]:
    """Spans for each of ``lines``."""
    if lexer is None or not lines or max(map(len, lines)) > _LONGEST:
        return [(Span(line),) for line in lines]
    result: list[Highlighted] = []
    row: list[Span] = []
    for token, text in lexer.get_tokens("\n".join(lines)):
        style = _style(token)
        for number, piece in enumerate(text.split("\n")):
            if number:
                result.append(tuple(row))
                row = []
            if piece and row and row[-1].style == style:
                row[-1] = Span(row[-1].text + piece, style)
            elif piece:
                row.append(Span(piece, style))
    if row:
        result.append(tuple(row))
    result.extend([()] * (len(lines) - len(result)))  # blank lines at the end
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
        self._tail_rows: list[tuple[Highlighted, list[Line]]] = []
        self._tried = 0
        self._open: list[Highlighted] = []
        self._open_count = -1
        label = Span(f" {language}", f"{ORNAMENT} code-label")
        self._top = [Line((label,), "code-block", "")] if language else []
        if content:
            self.append(content.removesuffix("\n").split("\n"))

    @property
    def text(self) -> str:
        """The code as written."""
        lines = [*self._source, self._partial] if self._partial else self._source
        return "\n".join(lines).rstrip("\n")

    @property
    def suffix(self) -> str:
        """How a file with this code ends."""
        pattern = next(iter(self._lexer.filenames), "") if self._lexer is not None else ""
        return pattern[1:] if re.fullmatch(r"\*\.\w+", pattern) else ".txt"

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
        """Close the open chunk when a good place for its end has come."""
        start, source = len(self._settled), self._source
        for cut in range(max(start + _CHUNK, self._tried), len(source)):
            self._tried = cut + 1
            if self._may_cut(start, cut):
                self._settled.extend(highlight(source[start:cut], self._lexer))
                self._open, self._open_count = [], -1
                return True
        return False

    def _may_cut(self, start: int, cut: int) -> bool:
        """Whether the chunk from ``start`` may end before line ``cut``: by the lines up to there alone."""
        line, before = self._source[cut], self._source[cut - 1]
        if not line.strip() or cut - start >= _AT_LAST:
            return bool(line.strip())
        at_margin = line[0] not in " \t})]" and not before.strip()
        if not at_margin and cut - start < _ANYWHERE:
            return False
        chunk = self._source[start : cut + 1]
        if self._lexer is None or not _may_span(chunk):
            return True
        first = highlight(chunk, self._lexer)[-1][0]
        return first.style not in ("code-string", "code-comment") or first.text.startswith(("#", "//", "--"))

    def _tail(self) -> list[Highlighted]:
        """The open chunk: whole lines are highlighted when one is added, an unfinished one each time, alone."""
        lines = self._source[len(self._settled) :]
        if self._open_count != len(self._source):
            self._open, self._open_count = self._highlighted(lines, self._open), len(self._source)
        if self._partial and _may_span(lines):
            shown = self._highlighted([*lines, self._partial], self._open)
        else:
            shown = [*self._open, *(highlight([self._partial], self._lexer) if self._partial else ())]
        while shown and not "".join(span.text for span in shown[-1]).strip():
            shown.pop()
        return shown

    def _highlighted(self, lines: Sequence[str], known: list[Highlighted]) -> list[Highlighted]:
        """``lines`` of the open chunk, the first of which may be ``known``."""
        if _LOOK_BACK < len(known) < len(lines):
            look = highlight(lines[len(known) - _LOOK_BACK :], self._lexer)
            if look[:_LOOK_BACK] == known[-_LOOK_BACK:]:
                return [*known, *look[_LOOK_BACK:]]
        return highlight(lines, self._lexer)

    def close(self) -> None:
        """No more lines come: what is highlighted is so as a whole."""
        if self._open_count >= 0:
            self._open, self._open_count = [], -1
            self.changed()

    @property
    def _lexer(self) -> Lexer | None:
        return lexer_for(self.language)

    def _lay_out(self, width: int) -> Sequence[Line]:
        if width != self._settled_width:
            self._settled_rows, self._settled_width, self._laid = [], width, 0
            self._tail_rows = []
        # Lines that look as before keep their rows, and so what is drawn of them.
        before, settled = self._tail_rows, self._settled[self._laid :]
        for at, spans in enumerate(settled):
            self._settled_rows.extend(_kept_rows(before, at, spans, width))
        self._laid = len(self._settled)
        self._tail_rows = [
            (spans, _kept_rows(before, at, spans, width))
            for at, spans in enumerate(self._tail(), len(settled))
        ]
        rows = [row for _, made in self._tail_rows for row in made]
        return [*self._top, *self._settled_rows, *rows] or [Line((), "code-block")]


def _may_span(lines: Sequence[str]) -> bool:
    return any(mark in line for line in lines for mark in _SPANNING)


def _rows(spans: Highlighted, width: int) -> list[Line]:
    margin = Span(" ", ORNAMENT)
    rows = wrap_exact(expand_tabs(spans), max(8, width - 2))
    return [Line((margin, *row.spans), "code-block", row.glue) for row in rows]


def _kept_rows(
    kept: Sequence[tuple[Highlighted, list[Line]]], at: int, spans: Highlighted, width: int
) -> list[Line]:
    """The rows of ``spans``: those in place ``at`` of ``kept`` when they are of the same."""
    return kept[at][1] if at < len(kept) and kept[at][0] == spans else _rows(spans, width)
