"""What can become of a write, and what can be wrong with the file. Data only; ``formatting`` makes the text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from geekagent_tui.memory.ledger.types import Change


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
class Masked:
    """A secret that was masked before it reached the disk: its kind, and the place in the text as it was given, in code
    points. The secret itself is nowhere."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """``entry`` is what was stored, ``cut`` whether it was too long, ``number`` its place from 1; ``change`` the id of
    the change in the journal, with which just this write is undone; ``masked`` the secrets that were left out."""

    entry: str
    cut: bool
    number: int
    change: int = 0
    masked: tuple[Masked, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """A change is on the disk and in the journal. ``entries``: the texts it wrote, as stored; ``numbers`` their places
    from 1; ``cut`` whether one was too long; ``masked`` the secrets that were left out."""

    change: Change
    numbers: tuple[int, ...] = ()
    entries: tuple[str, ...] = ()
    cut: bool = False
    masked: tuple[Masked, ...] = ()


@dataclass(frozen=True, slots=True)
class AlreadyKnown:
    """The very same entry is there already, at place ``number`` from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class EmptyContent:
    """There was nothing to remember."""


@dataclass(frozen=True, slots=True)
class Stale:
    """Entry ``number`` (from 1) is not the expected one. ``found``: what stands there, None for no such number;
    ``now``: the places from 1 where the expected text stands now."""

    number: int
    found: str | None
    now: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotUndone:
    """Nothing was taken back. ``reason``: ``nothing`` (to undo or redo), ``unknown`` (no such change), ``done`` (it is
    undone already), ``kind`` (such a change has no way back), ``changed`` (``text``, which it wrote, was changed
    since) or ``purged`` (what it would bring back was removed for good)."""

    reason: Literal["nothing", "unknown", "done", "kind", "changed", "purged"]
    change: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class WriteFailed:
    """The file could not be written and memory is as it was. ``reason`` is for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """The file is not a memory that we may overwrite."""

    problem: MemoryProblem


Failure = WriteFailed | ReadOnly
Outcome = Remembered | AlreadyKnown | EmptyContent | WriteFailed | ReadOnly
"""Of adding one entry."""
ChangeOutcome = Changed | AlreadyKnown | EmptyContent | Stale | NotUndone | WriteFailed | ReadOnly
"""Of every other change."""
Refusal = AlreadyKnown | EmptyContent | Stale | NotUndone
"""Why a change was not even tried."""
