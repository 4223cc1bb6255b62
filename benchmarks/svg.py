"""Mends Rich's SVG export for wide characters.

Rich writes ``textLength`` from the number of characters, so a browser squeezes Chinese into half its width; and some
renderers swallow the blanks a text begins with. Length and place are set again from the cells that the text takes in
a terminal.
"""

from __future__ import annotations

import html
import re

from rich.cells import cell_len

_TEXT = re.compile(
    r'<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"([^>]*)>([^<]*)</text>'
)
_BLANK = "\N{NO-BREAK SPACE}"


def mend(svg: str) -> str:
    """``svg`` with every text placed and stretched by cells. The cell's width is read off the picture itself."""
    width = _cell_width(svg)

    def fixed(match: re.Match[str]) -> str:
        css, x, y, _, rest, escaped = match.groups()
        text = html.unescape(escaped)
        shown = text.lstrip(_BLANK)
        left = float(x) + (len(text) - len(shown)) * width
        shown = shown.rstrip(_BLANK)
        if not shown:
            return ""
        body = html.escape(shown, quote=False).replace(_BLANK, "&#160;")
        length = cell_len(shown) * width
        return f'<text class="{css}" x="{left:.1f}" y="{y}" textLength="{length:.1f}"{rest}>{body}</text>'

    return _TEXT.sub(fixed, svg)


def _cell_width(svg: str) -> float:
    """Pixels a cell, from the first text that holds narrow characters only."""
    for match in _TEXT.finditer(svg):
        text = html.unescape(match.group(6))
        if text and cell_len(text) == len(text):
            return float(match.group(4)) / len(text)
    raise ValueError("no text in this SVG to measure a cell by")
