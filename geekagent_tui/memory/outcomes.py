"""What can become of a write, and what can be wrong with the file. Data only; ``formatting`` makes the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MemoryProblem:
    """Why memory can't be written now. ``str()`` is one line for a person.

    ``line`` and ``column`` count from 1 and are 0 when the problem has no place in the text; ``copy`` is where the
    content was kept, None when there was nothing to keep or keeping it failed.
    """

    path: Path
    reason: str
    line: int = 0
    column: int = 0
    copy: Path | None = None

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """The size of memory: whole entries, and the chunks they are searched by."""

    entries: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """``entry`` is what was stored, ``cut`` whether it was too long, ``number`` its place from 1."""

    entry: str
    cut: bool
    number: int


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """The very same entry is there already, at place ``number`` from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class EmptyContent:
    """There was nothing to remember."""


@dataclass(frozen=True, slots=True)
class WriteFailed:
    """The file could not be written and memory is as it was. ``reason`` is for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """The file is not a memory that we may overwrite."""

    problem: MemoryProblem


Outcome = Remembered | AlreadyKnown | EmptyContent | WriteFailed | ReadOnly
