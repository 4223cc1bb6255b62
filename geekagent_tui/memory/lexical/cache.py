"""The index on disk, so that the next start need not read every entry again.

One file of arrays, without pickles. It may be deleted at any time: what it says is checked, and made anew when it is
missing, damaged, of another version, or of entries that are no longer there.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.lexical.index import LexicalIndex
from geekagent_tui.memory.lexical.segment import Segment

VERSION = 2
"""Goes up with every change of terms, folding, chunks or layout."""

_NAME = "lexical.index"
_MAGIC = b"GEEKAGENT-INDEX\n"

_ALIGNED = 64
"""Bytes. Every array begins at a multiple: NumPy copies one that doesn't whenever something is looked up in it."""

_LONGEST_HEAD = 1 << 22
_FIELDS: tuple[tuple[str, str], ...] = (
    ("keys", "<u8"),
    ("starts", "<u4"),
    ("chunks", "<u2"),
    ("tf", "u1"),
    ("lengths", "<u2"),
)


@dataclass(frozen=True, slots=True)
class Kept:
    """An index as it was at one moment: nothing that is done to it afterwards shows here."""

    head: dict[str, Any]
    arrays: tuple[NDArray[Any], ...]


def taken(index: LexicalIndex) -> Kept:
    """What there is to keep. Costs a copy of what says who is dead; all else never changes."""
    arrays: list[NDArray[Any]] = [
        np.frombuffer(b"".join(index.digests), np.uint8),
        np.array(index.firsts, "<u4"),
        np.array(index.counts, "<u4"),
        index.positions[: len(index.digests)] >= 0,
    ]
    head: dict[str, Any] = {"version": VERSION, "entries": len(index.digests), "segments": []}
    for segment in index.segments:
        dead = np.empty(0, np.bool_) if segment.alive is None else segment.alive.copy()
        gone = np.empty(0, np.uint32) if segment.gone is None else segment.gone.copy()
        arrays += [getattr(segment, name) for name, _ in _FIELDS] + [dead, gone]
        head["segments"].append([len(getattr(segment, name)) for name, _ in _FIELDS] + [dead.size, gone.size])
    return Kept(head, tuple(arrays))


def write(kept: Kept, folder: Path) -> None:
    """Write what was taken. Readers see the old file or the new one; what a write that was cut short left there goes.
    Raises ``OSError``."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for stale in folder.glob(f".{_NAME}.*"):
        stale.unlink(missing_ok=True)
    with NamedTemporaryFile(dir=folder, prefix=f".{_NAME}.", delete=False) as file:
        try:
            checksum = 0
            blobs: list[memoryview | bytes] = []
            for array in kept.arrays:
                if array.size:
                    blobs += [
                        np.ascontiguousarray(array).view(np.uint8).data,
                        bytes(-array.nbytes % _ALIGNED),
                    ]
            for blob in blobs:
                checksum = zlib.crc32(blob, checksum)
            line = json.dumps({**kept.head, "crc32": checksum}).encode()
            line += b" " * (-(len(_MAGIC) + len(line) + 1) % _ALIGNED) + b"\n"
            file.write(_MAGIC + line)
            for blob in blobs:
                file.write(blob)
            file.close()
            Path(file.name).replace(folder / _NAME)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def delete(folder: Path) -> None:
    """Leave no index there, whole or half. Raises ``OSError``."""
    for file in (folder / _NAME, *folder.glob(f".{_NAME}.*")):
        file.unlink(missing_ok=True)


def load(index: LexicalIndex, folder: Path) -> bool:
    """Restore the index. False when there is no file, or none that is whole and of this version."""
    try:
        content = np.fromfile(folder / _NAME, np.uint8)
    except OSError:
        return False
    try:
        return _restored(index, content)
    except (ValueError, KeyError, TypeError, IndexError):
        return False


def _restored(index: LexicalIndex, content: NDArray[np.uint8]) -> bool:
    if content[: len(_MAGIC)].tobytes() != _MAGIC:
        return False
    end = len(_MAGIC) + content[len(_MAGIC) : len(_MAGIC) + _LONGEST_HEAD].tobytes().index(b"\n")
    head = json.loads(content[len(_MAGIC) : end].tobytes())
    body = content[end + 1 :]
    if head["version"] != VERSION or zlib.crc32(body.data) != head["crc32"]:
        return False
    at = 0

    def take(count: int, kind: str) -> NDArray[Any]:
        nonlocal at
        size = count * np.dtype(kind).itemsize
        array = body[at : at + size].view(kind)
        if array.size != count:
            raise ValueError("the file is shorter than it says")
        at += size + -size % _ALIGNED
        return array

    entries = int(head["entries"])
    digests = take(entries * 16, "u1").tobytes()
    firsts, counts, held = take(entries, "<u4").tolist(), take(entries, "<u4").tolist(), take(entries, "?")
    segments = []
    for sizes in head["segments"]:
        values = {name: take(size, kind) for (name, kind), size in zip(_FIELDS, sizes, strict=False)}
        alive, gone = take(sizes[5], "?"), take(sizes[6], "<u4")
        segment = Segment(values["keys"], values["starts"], values["chunks"], values["tf"], values["lengths"])
        if alive.size:  # what can change must be the segment's own
            segment.alive, segment.gone = alive.copy(), gone.copy()
        segments.append(segment)
    index.restore(
        segments,
        [digests[place : place + 16] for place in range(0, len(digests), 16)],
        firsts,
        counts,
        held.tolist(),
    )
    return True
