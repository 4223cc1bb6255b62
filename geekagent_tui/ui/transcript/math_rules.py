"""LaTeX in Markdown: ``$…$``, ``$$…$$``, ``\\(…\\)`` and ``\\[…\\]`` as tokens of markdown-it.

Own rules: the plugins take two shell variables or two prices for mathematics, and a display that isn't closed yet for
text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from geekagent_tui.ui.transcript.latex import looks_like_math

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_INLINE = re.compile(
    r"\$\$(?P<a>[^$]+)\$\$|\$(?P<b>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])|\\\((?P<c>.+?)\\\)|\\\[(?P<d>.+?)\\\]",
    re.DOTALL,
)
_CLOSING = {"$$": "$$", "\\[": "\\]"}


def add_math(parser: MarkdownIt) -> None:
    """Have ``parser`` make ``math_inline`` and ``math_block`` tokens."""
    parser.inline.ruler.before("escape", "math_inline", _inline)
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "math_block", _block, {"alt": interrupts})


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = _INLINE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    content = next(group for group in found.groups() if group is not None)
    if found["b"] is not None and (
        state.src[state.pos - 1 : state.pos].isalnum() or not looks_like_math(content)
    ):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = content
    state.pos = found.end()
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """From a line that begins with ``$$`` or ``\\[`` to one that ends with its partner; like a fence, to the end when
    that is missing."""
    if state.sCount[start] - state.blkIndent >= 4:
        return False
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    closing = _CLOSING.get(first[:2])
    if closing is None or closing in first[2:].rstrip()[:-2]:
        return False
    if silent:
        return True
    lines, line = [first[2:]], start
    while not lines[-1].rstrip().endswith(closing):
        line += 1
        if line >= end or (state.sCount[line] < state.blkIndent and not state.isEmpty(line)):
            break
        lines.append(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
    else:
        lines[-1] = lines[-1].rstrip()[:-2]
        line += 1
    state.line = line
    token = state.push("math_block", "math", 0)
    token.content = "\n".join(lines).strip()
    token.block = True
    token.map = [start, line]
    return True
