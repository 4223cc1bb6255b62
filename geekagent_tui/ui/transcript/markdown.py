"""Markdown source as blocks. The parser is markdown-it-py, loaded at the first use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript.blocks import Block, Heading, Item, Paragraph, Plain, Quote, Rule
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.inline import inline_spans
from geekagent_tui.ui.transcript.latex import readable
from geekagent_tui.ui.transcript.lines import Span
from geekagent_tui.ui.transcript.math_rules import add_math
from geekagent_tui.ui.transcript.table import Cell, Table

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BULLETS = "•◦▪"
_TASK = re.compile(r"\[([ xX])\] +")
_MAX_NESTING = 60
"""Quotes and lists in each other; what stands deeper the parser leaves out."""

Env = dict[str, Any]
"""markdown-it's own bag: holds the link definitions found so far."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A top-level block (of a list: an item) and its source lines, from ``start`` up to ``end``.

    ``number`` is that of an item in an ordered list, else None; ``follows`` says that the item isn't its list's
    first."""

    block: Block
    start: int
    end: int
    number: int | None = None
    follows: bool = False


@cache
def parser() -> MarkdownIt:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    made = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    # References needn't be defined yet while text streams; definitions stay where they are written.
    add_math(made)
    return made.use(footnote_plugin, inline=False, move_to_end=False, always_match_refs=True)


def parse(source: str, env: Env, continued: Piece | None = None, depth: int = 0) -> list[Piece]:
    """The top-level blocks of ``source``, in order.

    ``source`` has no carriage returns and went through ``harmless``. Definitions found are added to ``env``.
    ``continued`` is the item before, when ``source`` begins in the middle of a list; ``depth`` how many lists it
    stands in.
    """
    tokens = parser().parse(source, env)
    pieces: list[Piece] = []
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        pieces.extend(_pieces(tokens[at:end], depth, continued if at == 0 else None))
        at = end
    return pieces


def _pieces(tokens: Sequence[Token], depth: int, continued: Piece | None = None) -> list[Piece]:
    """One block's tokens, from its opening to its closing one, as pieces."""
    first = tokens[0]
    start, end = first.map or (0, 0)
    inner = tokens[1:-1]
    match first.type:
        case "heading_open":
            return [Piece(Heading(_inline(inner), int(first.tag[1:])), start, end)]
        case "paragraph_open":
            return [Piece(Paragraph(_inline(inner)), start, end)]
        case "blockquote_open":
            return [Piece(Quote(_children(inner, depth)), start, end)]
        case "bullet_list_open" | "ordered_list_open":
            return _items(first, inner, depth, continued)
        case "fence" | "code_block":
            return [Piece(CodeBlock(language(first.info), first.content), start, end)]
        case "hr":
            return [Piece(Rule(), start, end)]
        case "html_block":
            return [Piece(Plain(first.content.strip("\n"), "html"), start, end)]
        case "math_block":
            return [Piece(Plain(readable(harmless(first.content)), "math"), start, end)]
        case "table_open":
            return [Piece(_table(inner), start, end)]
        case "footnote_reference_open":
            label = harmless(str(first.meta.get("label", "")))
            return [Piece(Item(f"[{label}]", "footnote", _children(inner, depth), joins=False), start, end)]
        case _:
            return []


def _children(tokens: Sequence[Token], depth: int) -> list[Block]:
    blocks: list[Block] = []
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        made = [piece.block for piece in _pieces(tokens[at:end], depth)]
        if made and isinstance(made[0], Item) and len(blocks) == 1 and depth:
            made[0].joins = True  # a nested list right under its item's line
        blocks.extend(made)
        at = end
    return blocks


def _items(first: Token, tokens: Sequence[Token], depth: int, continued: Piece | None) -> list[Piece]:
    ordered = first.type == "ordered_list_open"
    number = int(first.attrs.get("start", 1)) if ordered else None
    joins = continued is not None
    if continued is not None and continued.number is not None and number is not None:
        number = continued.number + 1
    pieces: list[Piece] = []
    at = 0
    while at < len(tokens):
        end = _closing(tokens, at)
        start, stop = tokens[at].map or (0, 0)
        children = _children(tokens[at + 1 : end - 1], depth + 1)
        mark = _BULLETS[min(depth, len(_BULLETS) - 1)] if number is None else f"{number}{first.markup}"
        style = "marker"
        if (done := take_task(children)) is not None:
            mark, style = ("☑", "task-done") if done else ("☐", "task")
        block = Item(mark, style, children, joins=joins)
        pieces.append(Piece(block, start, stop, number, joins))
        number = None if number is None else number + 1
        joins = True
        at = end
    return pieces


def take_task(children: list[Block]) -> bool | None:
    """Remove ``[x] `` from an item's beginning: whether it was ticked, None when there was none."""
    lead = children[0] if children else None
    if not isinstance(lead, Paragraph) or not lead.spans or lead.spans[0].style:
        return None
    found = _TASK.match(lead.spans[0].text)
    if found is None:
        return None
    rest = Span(lead.spans[0].text[found.end() :])
    children[0] = Paragraph((rest, *lead.spans[1:]))
    return found[1] != " "


def _table(tokens: Sequence[Token]) -> Table:
    header: list[Cell] = []
    aligns: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    row: list[Cell] = []
    for at, token in enumerate(tokens):
        match token.type:
            case "tr_open":
                row = []
            case "th_open" | "td_open":
                row.append(tuple(_inline([tokens[at + 1]])))
                if token.type == "th_open":
                    style = str(token.attrs.get("style", ""))
                    aligns.append(style.removeprefix("text-align:") or "left")
            case "tr_close":
                if header:
                    rows.append(tuple(row))
                else:
                    header = row
            case _:
                pass
    return Table(tuple(header), tuple(aligns), rows)


def inline(source: str, env: Env) -> list[Span]:
    """Text of a paragraph as spans."""
    return _inline(parser().parseInline(source, env))


def _inline(tokens: Sequence[Token]) -> list[Span]:
    return [span for token in tokens for span in inline_spans(token.children or ())]


def _closing(tokens: Sequence[Token], at: int) -> int:
    """Index after the block that begins at ``at``."""
    level = 0
    for end in range(at, len(tokens)):
        level += tokens[end].nesting
        if level <= 0:
            return end + 1
    return len(tokens)


def language(info: str) -> str:
    """The language of a fence from its info string, such as ``python title=x`` or ``{.python}``."""
    words = harmless(info).split()
    return words[0].strip("{}.").lower() if words else ""
