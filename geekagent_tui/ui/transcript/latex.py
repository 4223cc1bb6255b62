"""LaTeX as one would write it without LaTeX: ``\\frac{a}{b}`` → a/b, ``x^2`` → x², ``\\alpha`` → α.

Own code: of the libraries, pylatexenc turns ``\\frac{a+b}{c}`` into a+b/c and ``e^{i\\pi}`` into e^iπ, which say
something else, and the others know less. What isn't known here stays as it was written.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from rich.cells import cell_len

from geekagent_tui.ui.transcript.latex_names import (
    ACCENTS,
    CURLY,
    DOUBLE,
    DOWN,
    FUNCTIONS,
    NOTHING,
    PLAIN,
    SPACES,
    SYMBOLS,
    UP,
)

_TOKEN = re.compile(r"\\([A-Za-z]+)\*? ?|\\(.)|([{}^_&~])|([^\\{}^_&~]+|\\\Z)", re.DOTALL)
_SIMPLE = re.compile(r"[\w.∞′]*\Z")
_DEEPEST = 40

_LOOKS = re.compile(r"[\\^_=<>+*/|]|\A[A-Za-z]\Z|\A\d+\Z|\d")


def looks_like_math(text: str) -> bool:
    """Whether what stands between two dollar signs is meant as mathematics: prices and shell variables are not."""
    return _LOOKS.search(text) is not None


def readable(source: str) -> str:
    """``source`` without its commands. Never raises; half-written LaTeX comes out half-written."""
    tokens = [*_TOKEN.finditer(source)]
    try:
        text = _Reader(tokens).group(0)
    except RecursionError:
        return source
    return re.sub(r" *\n *", "\n", re.sub(r" {2,}", " ", text)).strip()


class _Reader:
    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._at = 0

    def group(self, depth: int) -> str:
        """Up to the brace that closes it, or the end."""
        pieces: list[str] = []
        while self._at < len(self._tokens):
            found = self._tokens[self._at]
            if found[3] == "}":
                self._at += 1
                break
            pieces.append(self._one(depth))
        return "".join(pieces)

    def _one(self, depth: int) -> str:
        """The next thing: a command with what it takes, a group, a script, or text."""
        found = self._tokens[self._at]
        self._at += 1
        if found[1] is not None:
            return self._command(found[1], found[0], depth)
        if found[2] is not None:
            return (
                "\n"
                if found[2] == "\\"
                else " "
                if found[2] in SPACES
                else ""
                if found[2] == "!"
                else found[2]
            )
        if found[3] == "{":
            return self.group(depth + 1) if depth < _DEEPEST else ""
        if found[3] in ("^", "_"):
            return self._script(found[3], depth)
        return " " if found[3] in ("&", "~") else (found[4] or "")

    def _argument(self, depth: int) -> str:
        """What follows: a group, or one character."""
        if self._at >= len(self._tokens) or depth >= _DEEPEST:
            return ""
        found = self._tokens[self._at]
        if found[4] is None:
            return self._one(depth + 1) if found[3] != "}" else ""
        text = found[4].lstrip()
        self._at += 1
        if len(text) > 1:
            self._tokens.insert(self._at, _text(text[1:]))
        return text[:1]

    def _command(self, name: str, source: str, depth: int) -> str:
        if name in SYMBOLS:
            return SYMBOLS[name] + (" " if source.endswith(" ") else "")
        if name in FUNCTIONS:
            return name + (" " if source.endswith(" ") else "")
        if name in NOTHING:
            return ""
        if name in SPACES:
            return " "
        if name in PLAIN:
            return self._argument(depth)
        if name in ("begin", "end"):
            self._argument(depth)
            return "\n" if name == "begin" else ""
        if name in ACCENTS:
            text = self._argument(depth)
            return normalize("NFC", text[:1] + ACCENTS[name]) if len(text) < 2 else text
        if name in ("mathbb", "mathcal", "mathscr"):
            text, table = self._argument(depth), DOUBLE if name == "mathbb" else CURLY
            return "".join(table.get(char, char) for char in text)
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return f"{_bracketed(self._argument(depth))}/{_bracketed(self._argument(depth))}"
        if name == "binom":
            return f"C({self._argument(depth)}, {self._argument(depth)})"
        if name == "sqrt":
            return f"√{_bracketed(self._argument(depth))}"
        if self._at < len(self._tokens) and self._tokens[self._at][3] == "{":
            return f"{source}{{{self._argument(depth)}}}"
        return source

    def _script(self, mark: str, depth: int) -> str:
        text = self._argument(depth).strip()
        table = UP if mark == "^" else DOWN
        if text and all(char in table for char in text):
            return "".join(table[char] for char in text)
        if text in ("∘", "°"):
            return "°"
        return f"{mark}{text}" if len(text) < 2 else f"{mark}({text})"


def _bracketed(text: str) -> str:
    """In brackets, unless it is one thing anyway."""
    text = text.strip()
    return text if _SIMPLE.match(text) and cell_len(text) <= 12 else f"({text})"


def _text(text: str) -> re.Match[str]:
    found = _TOKEN.match(text)
    assert found is not None
    return found
