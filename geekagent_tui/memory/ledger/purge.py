"""Forgetting for good: out of every file beside memory.json, and a look into each of them afterwards.

What files can promise is promised: the bytes are gone from every file. What a file system, an SSD or a backup keeps of
an earlier version of a file is beyond a program.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from geekagent_tui.memory import durable

_WINDOW = 48
"""Code points that are looked for in one piece: a database may part a longer text."""

_SHORT = 4
"""A text of fewer code points can't be looked for: it stands everywhere."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file that was looked into. ``had``: the text stood there when the looking began; ``has``: it still does, and
    is not ours to remove (a conversation in which it was said)."""

    path: Path
    had: bool
    has: bool


@dataclass(frozen=True, slots=True)
class Purged:
    """``texts``: how many texts of the journal were removed, earlier versions included; ``places``: every file that was
    looked into; ``kept``: numbers (from 1) of entries that contain the text and are still there; ``change``: the id of
    the row that says that something was removed, and not what."""

    change: int
    texts: int
    places: tuple[Place, ...]
    kept: tuple[int, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether no file has it."""
        return not any(place.has for place in self.places)


def needles(texts: Iterable[str], others: Sequence[str]) -> tuple[bytes, ...]:
    """The bytes that tell that one of ``texts`` is in a file: as UTF-8, and as JSON has them. A piece that also stands
    in ``others``, which stay, tells nothing."""
    found: dict[bytes, None] = {}
    for text in texts:
        if len(text) < _SHORT:
            continue
        starts = [*range(0, max(1, len(text) - _WINDOW), _WINDOW), max(0, len(text) - _WINDOW)]
        for start in starts:
            piece = text[start : start + _WINDOW]
            if any(piece in other for other in others):
                continue
            found[piece.encode("utf-8", "surrogatepass")] = None
            for ascii_only in (False, True):
                written = json.dumps(piece, ensure_ascii=ascii_only)[1:-1]
                found[written.encode("utf-8", "backslashreplace")] = None
    return tuple(found)


def files_beside(folder: Path, cache: Path | None) -> list[Path]:
    """Every file that may hold something of memory: those beside it, and the cache's."""
    found: list[Path] = []
    for each in (folder, *((cache,) if cache is not None else ())):
        with suppress(OSError):
            found.extend(path for path in sorted(each.iterdir()) if path.is_file() and path not in found)
    return found


def holds(path: Path, wanted: Sequence[bytes]) -> bool:
    """Whether any of these bytes is in the file. One that can't be read is said to hold them: nobody knows."""
    try:
        content = durable.read(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return any(needle in content for needle in wanted)


def blot(path: Path, wanted: Sequence[bytes]) -> None:
    """Put asterisks in the place of these bytes in a copy that was kept aside. Raises ``OSError``."""
    content = durable.read(path)
    for needle in wanted:
        content = content.replace(needle, b"*" * len(needle))
    durable.replace(path, content)
