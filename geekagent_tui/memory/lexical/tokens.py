"""Texts to keys of terms, many at a time.

A key is a number of 44 bits: two bits for its kind (one character, a pair of characters, a word), the rest its code
points, or the hash of the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.lexical.folding import HAN, codes_of, plain, tables
from geekagent_tui.memory.lexical.words import WORD, Stem, english_stemmer, key_of, parts

Keys: TypeAlias = NDArray[np.uint64]
Slots: TypeAlias = NDArray[np.uint32]

PAIR_TAG = 1 << 42
_KNOWN_WORDS = 400_000
"""Words whose keys are remembered; past that, all are forgotten."""


_KNOWN_PARTS = 20_000
"""Words whose parts are remembered as text, for questions and for marking what matched."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The terms of some chunks, in no particular order: ``keys``, and beside it the number of its chunk from 0.
    ``lengths``: how many terms each chunk has, single characters inside a longer run left out."""

    keys: Keys
    chunks: Slots
    lengths: NDArray[np.uint16]


def joined(parts: Sequence[Tokens]) -> Tokens:
    """The terms of all parts, chunks numbered through."""
    sizes = [part.keys.size for part in parts]
    keys, chunks = np.empty(sum(sizes), np.uint64), np.empty(sum(sizes), np.uint32)
    at = first = 0
    for part, size in zip(parts, sizes, strict=True):
        keys[at : at + size] = part.keys
        np.add(part.chunks, np.uint32(first), out=chunks[at : at + size])
        at += size
        first += part.lengths.size
    return Tokens(keys, chunks, np.concatenate([part.lengths for part in parts]))


class Tokenizer:
    """Remembers the keys of words it has seen. Not thread-safe."""

    def __init__(self, stem: Stem | None = None) -> None:
        self._stem = stem or english_stemmer()
        self._known: dict[str, tuple[int, ...]] = {}
        self._parts: dict[str, tuple[str, ...]] = {}

    def tokens(self, texts: Sequence[str]) -> Tokens:
        """The terms of every text."""
        ready = [text if text.isascii() else plain(text).text for text in texts]
        word_keys, word_chunks = self._words(ready)
        pair_keys, pair_chunks, single_keys, single_chunks, alone = _pairs(ready)
        counted = np.concatenate((word_chunks, pair_chunks, single_chunks[alone]))
        lengths = (
            np.bincount(counted, minlength=len(texts)) if counted.size else np.zeros(len(texts), np.int64)
        )
        return Tokens(
            np.concatenate((word_keys, pair_keys, single_keys)),
            np.concatenate((word_chunks, pair_chunks, single_chunks)),
            np.minimum(lengths, 65_535).astype(np.uint16),
        )

    def parts(self, word: str) -> tuple[str, ...]:
        """The terms of one word or identifier."""
        known = self._parts.get(word)
        if known is None:
            if len(self._parts) >= _KNOWN_PARTS:
                self._parts.clear()
            known = self._parts[word] = parts(word, self._stem)
        return known

    def _words(self, texts: Sequence[str]) -> tuple[Keys, Slots]:
        known, find = self._known, WORD.findall
        if len(known) > _KNOWN_WORDS:
            known.clear()
        rows: list[list[str]] = [find(text) for text in texts]
        for word in set(chain.from_iterable(rows)).difference(known):
            known[word] = tuple(map(key_of, parts(word, self._stem)))
        found: list[tuple[int, ...]] = [known[word] for row in rows for word in row]
        if not found:
            return np.empty(0, np.uint64), np.empty(0, np.uint32)
        widths = np.fromiter(map(len, found), np.intp, len(found))
        owners = np.repeat(np.arange(len(rows), dtype=np.uint32), [len(row) for row in rows])
        keys = np.fromiter(chain.from_iterable(found), np.uint64, int(widths.sum()))
        return keys, np.repeat(owners, widths)


def _pairs(texts: Sequence[str]) -> tuple[Keys, Slots, Keys, Slots, NDArray[np.bool_]]:
    """Pairs of neighbours in runs of scripts without spaces, single Han characters, and single characters that stand
    alone; with the last an array that says which of the singles these are."""
    wide = [at for at, text in enumerate(texts) if not text.isascii()]
    if not wide:
        empty, none = np.empty(0, np.uint64), np.empty(0, np.uint32)
        return empty, none, empty, none, np.empty(0, np.bool_)
    codes = codes_of("\n".join([texts[at] for at in wide]))
    lengths = np.fromiter((len(texts[at]) + 1 for at in wide), np.intp, len(wide))
    owners = np.repeat(np.array(wide, np.uint32), lengths)[: codes.size]
    folds = tables()
    kinds = folds.kinds[codes]
    letters = kinds > 0
    folded = folds.folded[codes].astype(np.uint64)
    joined = letters[:-1] & letters[1:]
    first = np.flatnonzero(joined)
    pairs = (folded[first] << np.uint64(21)) | folded[first + 1] | np.uint64(PAIR_TAG)
    inside = np.zeros(codes.size, np.bool_)
    inside[:-1] |= joined
    inside[1:] |= joined
    single = np.flatnonzero((kinds == HAN) | (letters & ~inside))
    return pairs, owners[first], folded[single], owners[single], ~inside[single]


def single_key(folded: str) -> int:
    """The key of one character."""
    return ord(folded)


def pair_key(folded: str) -> int:
    """The key of two neighbours."""
    return PAIR_TAG | ord(folded[0]) << 21 | ord(folded[1])
