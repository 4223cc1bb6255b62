"""Words and identifiers to the terms they are found by: whole, in parts, English ones by their stem."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from hashlib import blake2b

from geekagent_tui.memory.lexical.folding import (
    HAN_RANGES,
    UNSPACED_RANGES,
    fold_slowly,
)

_UNSPACED = "".join(f"{chr(first)}-{chr(end - 1)}" for first, end in (*HAN_RANGES, *UNSPACED_RANGES))
_LETTERS = f"[^\\W_{_UNSPACED}]+"
_ATOM = f"{_LETTERS}(?:['’]{_LETTERS})*"

WORD = re.compile(rf"{_ATOM}(?:(?:[-./:@\\]|_+){_ATOM})*(?:\+\+|#)?(?![^\W_{_UNSPACED}])")
"""A word or an identifier with its joints. Works on ``Plain`` text, case kept: capitals are joints too."""

_JOINT = re.compile(r"[-./:@\\+#]|_+")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DIGITS = re.compile(r"\d+|\D+")
_STEMMED = re.compile(r"[a-z][a-z']{2,}")

MOST_PARTS = 24
"""Parts of one identifier that are terms; what is longer is no identifier."""

Stem = Callable[[str], str]


@cache
def english_stemmer() -> Stem:
    """Porter's second stemmer for English, from Snowball."""
    import snowballstemmer

    stem: Stem = snowballstemmer.stemmer("english").stemWord
    return stem


def parts(word: str, stem: Stem) -> tuple[str, ...]:
    """The terms of a match of ``WORD``, its whole first, each once.

    ``MAX_HISTORY_CHARS`` → ``max_history_chars`` ``max`` ``histori`` ``char``; ``camelCase`` → ``camelcase`` ``camel``
    ``case``; ``C++`` → ``c++`` ``c``.
    """
    atoms = [atom for atom in _JOINT.split(word) if atom]
    found: dict[str, None] = {}
    if len(atoms) > 1 or atoms[0] != word:
        found[fold_slowly(word)] = None
    for atom in atoms[:MOST_PARTS]:
        found[_stemmed(fold_slowly(atom), stem)] = None
        humps = (_HUMPS if atom.isascii() else _DIGITS).findall(atom)
        if len(humps) > 1 and "'" not in atom:
            for hump in humps[:MOST_PARTS]:
                found[_stemmed(fold_slowly(hump), stem)] = None
    return tuple(found)


def key_of(term: str) -> int:
    """A term's key: 42 bits of a hash, the same on every machine and in every process."""
    return (
        _WORD_TAG
        | int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 22
    )


def _stemmed(folded: str, stem: Stem) -> str:
    return stem(folded.replace("’", "'")) if _STEMMED.fullmatch(folded.replace("’", "'")) else folded


_WORD_TAG = 2 << 42
