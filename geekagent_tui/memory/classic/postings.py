"""The inverted index: from pieces of text to the slots of the chunks that hold them.

A piece is a Han bigram, an ASCII word, or the last character of a Han run. A posting list holds ascending slots, so
adding is appending, and removing is cutting one place out.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from operator import add

from geekagent_tui.memory.classic.analysis import RUNS


@dataclass(frozen=True, slots=True)
class Posting:
    """The chunks that hold one piece: ``slots`` ascending and, beside it, in how many places each has the piece.

    ``counts`` is None when every count is one. Both are the index's own: read them before it changes again.
    """

    slots: array[int]
    counts: array[int] | None


def pieces(normalised: str) -> list[str]:
    """The pieces of a normalised text, one for every place where one begins."""
    found: list[str] = []
    for han, word in RUNS.findall(normalised):
        if word:
            found.append(word)
        else:
            found.extend(map(add, han, han[1:]))
            found.append(han[-1])
    return found


class Postings:
    """Posting lists by piece, with what is needed to find them by a part of a piece."""

    def __init__(self) -> None:
        # More than half of all pieces stand in one chunk only: its bare slot takes a fifth of the room of an array,
        # and nothing of the garbage collector's time. Counts are kept for the few pieces that repeat in a chunk.
        self._slots: dict[str, int | array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._words: list[str] = []
        self._containing: dict[str, tuple[int, list[str]]] = {}
        self._leading: dict[str, list[str]] = {}

    def add(self, slot: int, normalised: str) -> None:
        """Enter a chunk. ``slot`` must be higher than every slot entered before."""
        known, repeated = self._slots, self._counts
        for piece, count in Counter(pieces(normalised)).items():
            before = known.get(piece)
            if before is None:
                self._enter(piece)
                known[piece] = slot
            elif isinstance(before, int):
                known[piece] = array("I", (before, slot))
            else:
                before.append(slot)
            if count > 1:
                self._repeat(piece, count, before)
            elif piece in repeated:
                repeated[piece].append(1)

    def remove(self, slot: int, normalised: str) -> None:
        """Take a chunk out again, given the text that it was entered with."""
        for piece in set(pieces(normalised)):
            slots = self._slots[piece]
            if isinstance(slots, int):
                # Never forgotten altogether: the lists of words and leading characters name it still.
                slots = self._slots[piece] = array("I", (slots,))
            at = bisect_left(slots, slot)
            del slots[at]
            if piece in self._counts:
                del self._counts[piece][at]

    def of(self, piece: str) -> Posting | None:
        """The posting list of exactly this piece, None when no chunk holds it."""
        slots = self._slots.get(piece)
        if isinstance(slots, int):
            slots = array("I", (slots,))
        return Posting(slots, self._counts.get(piece)) if slots else None

    def words_with(self, part: str) -> list[str]:
        """The ASCII words that contain ``part``. Only words that are new since the last time are looked at."""
        seen, found = self._containing.get(part, (0, []))
        if seen < len(self._words):
            found = found + [word for word in self._words[seen:] if part in word]
            if len(self._containing) >= _REMEMBERED_PARTS:
                self._containing.clear()
            self._containing[part] = (len(self._words), found)
        return found

    def pieces_from(self, char: str) -> list[str]:
        """The Han pieces that begin with ``char``: together they hold it once for every place it stands at."""
        return self._leading.get(char, [])

    def _enter(self, piece: str) -> None:
        if piece.isascii():
            self._words.append(piece)
        else:
            self._leading.setdefault(piece[0], []).append(piece)

    def _repeat(self, piece: str, count: int, before: int | array[int] | None) -> None:
        counts = self._counts.get(piece)
        if counts is None:
            earlier = 0 if before is None else 1 if isinstance(before, int) else len(before) - 1
            counts = self._counts[piece] = array("H", [1]) * earlier
        counts.append(count)


_REMEMBERED_PARTS = 4096
"""Parts whose words are remembered; past that, all are forgotten and found again when asked for."""
