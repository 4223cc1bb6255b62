"""Inline Markdown: the tokens inside a paragraph as spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript.latex import readable
from geekagent_tui.ui.transcript.lines import Span
from geekagent_tui.ui.transcript.links import style_of, with_links

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKS = {"strong": "strong", "em": "em", "s": "strike", "link": "link"}
_BREAKS = frozenset(("<br>", "<br/>", "<br />"))


def inline_spans(tokens: Sequence[Token]) -> list[Span]:
    """Spans for inline ``tokens``. Line breaks of the source stay: a model that breaks a line means it."""
    spans: list[Span] = []
    marks: list[str] = []
    links: list[tuple[str, int]] = []
    for token in tokens:
        name, _, side = token.type.rpartition("_")
        if name in _MARKS and side == "open":
            mark = _MARKS[name]
            if name == "link":
                links.append((str(token.attrs.get("href", "")), len(spans)))
                mark = style_of(_one_line(links[-1][0]))
            marks.append(mark)
        elif name in _MARKS and side == "close":
            if name == "link" and links:
                _close_link(spans, *links.pop(), marks)
            if marks:
                marks.pop()
        elif token.type == "text" and "://" in token.content and not links:
            for text, style in with_links(_one_line(token.content)):
                _add(spans, text, style, marks)
        else:
            _add(spans, *_leaf(token), marks)
    return spans


def _leaf(token: Token) -> tuple[str, str]:
    """Text and style name of a token without children."""
    match token.type:
        case "softbreak" | "hardbreak":
            return "\n", ""
        case "code_inline":
            return _one_line(token.content), "code"
        case "html_inline":
            if token.content.lower() in _BREAKS:
                return "\n", ""
            return _one_line(token.content), "html"
        case "image":
            label = _one_line(token.content) or _one_line(str(token.attrs.get("src", "")))
            return f"[{label}]", "link"
        case "math_inline" | "math_inline_double":
            return readable(_one_line(token.content)), "math"
        case "footnote_ref":
            return f"[{_one_line(str(token.meta.get('label', '')))}]", "footnote"
        case _:
            return _one_line(token.content), ""


def _close_link(spans: list[Span], href: str, start: int, marks: Sequence[str]) -> None:
    """After a link's text comes its address, when the text isn't the address already."""
    shown = "".join(span.text for span in spans[start:])
    address = _one_line(href)
    if address and shown not in (address, address.removeprefix("mailto:")):
        outer = [mark for mark in marks if not mark.startswith("link")]
        opened = style_of(address).removeprefix("link").strip()
        _add(spans, " (", "url", outer)
        _add(spans, address, f"url {opened}".rstrip(), outer)
        _add(spans, ")", "url", outer)


def _add(spans: list[Span], text: str, style: str, marks: Sequence[str]) -> None:
    if not text:
        return
    names = " ".join([*marks, style] if style else marks)
    if spans and spans[-1].style == names:
        spans[-1] = Span(spans[-1].text + text, names)
    else:
        spans.append(Span(text, names))


def _one_line(text: str) -> str:
    """Entities can hold what the source can't: controls and newlines."""
    return harmless(text).replace("\n", " ")
