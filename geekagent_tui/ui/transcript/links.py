"""Links: which addresses may be opened, how they stand in a row, and the bare ones in a text.

A span of a link has its address among its style names, after an ``@``: it stays on the text through wrapping, and no
colour belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from geekagent_tui.ui.transcript.lines import Line, Span

_ALLOWED = re.compile(r"(https?://|mailto:)[!-~]+", re.IGNORECASE)
_BARE = re.compile(r"https?://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
_TRAILING = ".,;:!?'\"*_~"


def style_of(address: str) -> str:
    """The style name of a link to ``address``; of one that nobody may open there is only the look."""
    return f"link @{address}" if _ALLOWED.fullmatch(address) else "link"


def address_of(style: str) -> str:
    """The address in a span's style, "" when it isn't a link."""
    return next((name[1:] for name in style.split() if name[0] == "@"), "") if "@" in style else ""


def address_at(line: Line, offset: int) -> str:
    """The address at a character of a row."""
    at = 0
    for text, style in line.spans:
        if at <= offset < at + len(text):
            return address_of(style)
        at += len(text)
    return ""


def addresses(lines: Iterable[Line]) -> tuple[str, ...]:
    """All of them, in order, each once."""
    found = (address_of(style) for line in lines for _, style in line.spans)
    return tuple(dict.fromkeys(address for address in found if address))


def with_links(text: str) -> Iterator[Span]:
    """``text`` with its bare addresses as links, without the punctuation after them."""
    at = 0
    for found in _BARE.finditer(text):
        address = found[0].rstrip(_TRAILING)
        while address.endswith((")", "]")) and address.count(address[-1]) > address.count(_open(address)):
            address = address[:-1].rstrip(_TRAILING)
        if found.start() > at:
            yield Span(text[at : found.start()])
        yield Span(address, style_of(address))
        at = found.start() + len(address)
    if at < len(text) or not at:
        yield Span(text[at:])


def _open(address: str) -> str:
    return "(" if address[-1] == ")" else "["


def without_addresses(names: Sequence[str]) -> list[str]:
    return [name for name in names if name[0] != "@"]
