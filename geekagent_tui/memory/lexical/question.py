"""A question, read: the terms it is looked up by, and what it is about.

Terms score. *Places* measure: one for every word and every character of the question that says something, each with
the terms that would cover it. How much of the places a chunk covers is how much of the question it answers to.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from geekagent_tui.memory.lexical.folding import HAN, codes_of, folded_text, plain, tables
from geekagent_tui.memory.lexical.stopwords import CHINESE_WORDS, ENGLISH
from geekagent_tui.memory.lexical.tokens import Keys, Tokenizer, pair_key, single_key
from geekagent_tui.memory.lexical.words import WORD, key_of

SINGLE_FACTOR = 0.5
"""What a single Han character counts against a pair: by measurement; it helps ranking and says little alone."""

_SHORT_RUN = 4
"""Characters up to which a run that stands alone is one keyword and not a sentence."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a question. ``factor`` scales its score; ``count``: how often it stands there; ``telling``: whether it
    counts where matched terms are counted, as single characters inside a run don't."""

    text: str
    key: int
    factor: float
    count: int
    telling: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One thing that is asked about: the terms (by number) any of which covers it. ``unit``: the keyword it is a part
    of, from 1; 0 in a run that is a sentence. ``run``: it is one character of a run."""

    terms: tuple[int, ...]
    unit: int
    run: bool


@dataclass(frozen=True, slots=True)
class Question:
    """``terms`` each once, in reading order, ``keys`` beside them; ``keywords`` as they stand there, repeats kept."""

    text: str
    terms: tuple[Term, ...]
    places: tuple[Place, ...]
    keys: Keys
    keywords: tuple[str, ...]

    def share(self, held: Set[int], *, words_only: bool = False) -> float:
        """How much of the question's telling terms ``held`` is, 0 to 1. In a question of keywords each keyword counts
        as one, however long it is. ``words_only`` leaves runs out, as if they had not been asked."""
        places = [place for place in self.places if not (words_only and place.run)]
        if places and all(place.unit for place in places):
            units: dict[int, list[bool]] = {}
            for place in places:
                units.setdefault(place.unit, []).append(not held.isdisjoint(place.terms))
            return sum(sum(found) / len(found) for found in units.values()) / len(units)
        telling = [number for number, term in enumerate(self.terms) if term.telling]
        return sum(number in held for number in telling) / len(telling) if telling else 0.0


class _Reader:
    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.terms: list[Term] = []
        self.keywords: list[str] = []
        self.places: list[Place] = []
        self.units = 0

    def term(self, text: str, key: int, factor: float = 1.0, *, telling: bool = True) -> int:
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.terms)
            self.terms.append(Term(text, key, factor, 1, telling))
        else:
            old = self.terms[number]
            self.terms[number] = Term(
                old.text, key, max(old.factor, factor), old.count + 1, old.telling or telling
            )
        if telling:
            self.keywords.append(text)
        return number

    def place(self, terms: tuple[int, ...], unit: int, *, run: bool = False) -> None:
        self.places.append(Place(terms, unit, run))

    def unit(self) -> int:
        self.units += 1
        return self.units


def read(text: str, tokenizer: Tokenizer) -> Question:
    """Read a question. A question of nothing but function words is looked up by them, as there is nothing else."""
    for strict in (True, False):
        reader = _Reader()
        _read(plain(text).text, tokenizer, reader, strict=strict)
        if reader.terms:
            break
    keys = np.array([term.key for term in reader.terms], np.uint64)
    return Question(text, tuple(reader.terms), tuple(reader.places), keys, tuple(reader.keywords))


def _read(text: str, tokenizer: Tokenizer, reader: _Reader, *, strict: bool) -> None:
    folded = folded_text(text)
    kinds = tables().kinds[codes_of(text)] if text else np.empty(0, np.uint8)
    edges = np.flatnonzero(np.diff(kinds > 0, prepend=False, append=False)).tolist()
    runs = list(zip(edges[::2], edges[1::2], strict=True))
    words = [(match.start(), match.end()) for match in WORD.finditer(text)]
    for start, end in sorted((*runs, *words)):
        if kinds[start]:
            _read_run(folded[start:end], (kinds[start:end] == HAN).tolist(), reader, strict=strict)
        else:
            word = text[start:end]
            if strict and folded[start:end].replace("’", "'") in ENGLISH:
                continue
            _read_word(tokenizer.parts(word), reader)


def _read_word(parts: tuple[str, ...], reader: _Reader) -> None:
    unit = reader.unit()
    numbers = [reader.term(part, key_of(part)) for part in parts]
    if len(numbers) == 1:
        reader.place((numbers[0],), unit)
        return
    # The whole covers every part of it.
    for number in numbers[1:]:
        reader.place((numbers[0], number), unit)


def _read_run(run: str, han: list[bool], reader: _Reader, *, strict: bool) -> None:
    idle = [False] * len(run)
    if strict:
        for match in CHINESE_WORDS.finditer(run):
            idle[match.start() : match.end()] = [True] * (match.end() - match.start())
    shared = reader.unit() if len(run) <= _SHORT_RUN else 0
    if len(run) == 1:
        if not idle[0]:
            reader.place((reader.term(run, single_key(run)),), shared)
        return
    pairs: list[int | None] = []
    for at in range(len(run) - 1):
        # Two function words side by side say nothing, one beside a word says where the word ends.
        if idle[at] and idle[at + 1]:
            pairs.append(None)
        else:
            pairs.append(reader.term(run[at : at + 2], pair_key(run[at : at + 2])))
    for at, char in enumerate(run):
        if idle[at]:
            continue
        if han[at]:
            reader.term(char, single_key(char), SINGLE_FACTOR, telling=False)
        around = (pairs[at - 1] if at else None, pairs[at] if at < len(pairs) else None)
        covering = tuple(number for number in around if number is not None)
        if covering:
            reader.place(covering, shared, run=True)
