"""When two passages say the same: they differ in function words, punctuation, width or case at most.

Deliberately strict. One other number, name, weekday or negation makes another memory, and both are shown.
"""

from __future__ import annotations

import re

from geekagent_tui.memory.lexical.folding import folded_text, plain
from geekagent_tui.memory.lexical.stopwords import ENGLISH

_IDLE = re.compile("[的了呢吧啊呀嘛哦]")
_LETTERS = re.compile(r"[^\W_]+")


def signature(text: str) -> str:
    """What two passages that say the same have in common. A text without a letter is its own signature."""
    folded = _IDLE.sub("", folded_text(plain(text).text))
    return "".join(word for word in _LETTERS.findall(folded) if word not in ENGLISH) or text.strip()
