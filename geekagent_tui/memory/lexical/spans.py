"""Where the terms of a question stand in a passage: offsets to mark."""

from __future__ import annotations

from functools import lru_cache

from geekagent_tui.memory.lexical.folding import codes_of, folded_text, plain, tables
from geekagent_tui.memory.lexical.tokens import Tokenizer
from geekagent_tui.memory.lexical.words import WORD

Span = tuple[int, int]


@lru_cache(maxsize=4096)
def _is_run(term: str) -> bool:
    """Whether a term is of a script without spaces throughout."""
    return bool(tables().kinds[codes_of(term)].all())


class Reading:
    """A passage, read once for all its terms."""

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self._plain = plain(text)
        self._folded = folded_text(self._plain.text)
        self._tokenizer = tokenizer
        self._words: dict[str, list[Span]] | None = None

    def spans(self, term: str) -> tuple[Span, ...]:
        """Half-open offsets into the passage, in reading order, none overlapping."""
        found = None if _is_run(term) else self._where(term)
        if found is None:
            found = []
            at = self._folded.find(term)
            while at >= 0:
                found.append((at, at + len(term)))
                at = self._folded.find(term, at + len(term))
        starts, ends = self._plain.starts, self._plain.ends
        if starts is None or ends is None:
            return tuple(found)
        return tuple((starts[first], ends[last - 1]) for first, last in found)

    def _where(self, term: str) -> list[Span] | None:
        if self._words is None:
            self._words = {}
            for match in WORD.finditer(self._plain.text):
                for part in self._tokenizer.parts(match[0]):
                    self._words.setdefault(part, []).append(match.span())
        return self._words.get(term)
