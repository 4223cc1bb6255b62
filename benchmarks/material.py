"""What the systems in ``benchmarks.lexical`` are fed, on disk: entries as they are, chunks as lines of their terms.

Each system is measured in a process of its own and reads only what it needs, so that its memory is its own too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpus import Corpus
from geekagent_tui.memory.chunking import windows
from geekagent_tui.memory.lexical.folding import plain
from geekagent_tui.memory.lexical.question import read
from geekagent_tui.memory.lexical.tokens import PAIR_TAG, Tokenizer
from geekagent_tui.memory.lexical.words import WORD, key_of
from geekagent_tui.memory.profiles import LEXICAL

QUESTIONS = 200
CHANGES = 50
"""Entries that are added, one after another, and as many that are removed."""

SEED = 20261201
_BATCH = 1000
_CODE = (1 << 21) - 1


@dataclass(frozen=True, slots=True)
class Asked:
    """``questions`` as sentences, ``queries`` the same as terms, repeats kept. ``added``: entries to come, and
    ``added_lines`` the lines of their chunks; ``removed``: entries to go, from 0, ascending. ``characters`` of all
    entries."""

    questions: list[str]
    queries: list[list[str]]
    added: list[str]
    added_lines: list[list[str]]
    removed: list[int]
    characters: int


def make(folder: Path, size: int) -> Asked:
    """Write the material for ``size`` chunks."""
    corpus = Corpus(SEED)
    entries = corpus.entries(size)
    tokenizer = Tokenizer()
    names: dict[int, str] = {}
    with (folder / "entries").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    chunks: list[str] = []
    with (
        (folder / "lines").open("w", encoding="utf-8") as file,
        (folder / "counts").open("w", encoding="utf-8") as counts,
    ):
        for entry in entries:
            own = _chunks(entry)
            counts.write(f"{len(own)}\n")
            chunks += own
            if len(chunks) >= _BATCH:
                file.writelines(line + "\n" for line in lines(chunks, tokenizer, names))
                chunks.clear()
        file.writelines(line + "\n" for line in lines(chunks, tokenizer, names))
    questions = [corpus.question(entries[at * len(entries) // QUESTIONS]) for at in range(QUESTIONS)]
    added = [corpus.entry() for _ in range(CHANGES)]
    asked = Asked(
        questions,
        [
            [term.text for term in read(question, tokenizer).terms for _ in range(term.count)]
            for question in questions
        ],
        added,
        [lines(_chunks(entry), tokenizer, names) for entry in added],
        [int((at + 0.5) * len(entries) / CHANGES) for at in range(CHANGES)],
        sum(map(len, entries)),
    )
    (folder / "asked").write_text(json.dumps(asdict(asked), ensure_ascii=False), encoding="utf-8")
    return asked


def lines(chunks: Sequence[str], tokenizer: Tokenizer, names: dict[int, str]) -> list[str]:
    """The terms that our index keeps of each chunk, repeats and all, as text with blanks between. ``names`` remembers
    what words the keys of words stand for."""
    for chunk in chunks:
        for word in WORD.findall(plain(chunk).text):
            for part in tokenizer.parts(word):
                names.setdefault(key_of(part), part)
    tokens = tokenizer.tokens(chunks)
    keys = tokens.keys[np.argsort(tokens.chunks, kind="stable")].tolist()
    ends = np.cumsum(np.bincount(tokens.chunks, minlength=len(chunks))).tolist()
    return [
        " ".join(names.get(key) or names.setdefault(key, _characters(key)) for key in keys[first:end])
        for first, end in zip([0, *ends], ends, strict=False)
    ]


def read_entries(folder: Path) -> tuple[str, ...]:
    return tuple(json.loads(line) for line in _read(folder / "entries"))


def read_lines(folder: Path) -> list[str]:
    """A line of terms for each chunk."""
    return list(_read(folder / "lines"))


def read_firsts(folder: Path) -> list[int]:
    """The number of each entry's first chunk, and at the end the number of chunks."""
    firsts = [0]
    for count in _read(folder / "counts"):
        firsts.append(firsts[-1] + int(count))
    return firsts


def read_asked(folder: Path) -> Asked:
    return Asked(**json.loads((folder / "asked").read_text(encoding="utf-8")))


def _read(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line[:-1]


def _chunks(entry: str) -> list[str]:
    return [entry[start:end] for start, end in windows(entry, LEXICAL.chunk_size, LEXICAL.chunk_overlap)]


def _characters(key: int) -> str:
    """The one or two characters of a key that is not a word's."""
    return chr(key >> 21 & _CODE) + chr(key & _CODE) if key & PAIR_TAG else chr(key)
