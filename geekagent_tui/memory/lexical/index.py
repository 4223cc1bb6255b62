"""All chunks of all entries as segments, kept in step with memory.

Chunks are numbered in the order they came, over all segments, and a number is never given out twice. Adding, changing
or removing an entry costs that entry; small segments are put together as they gather, and when more chunks are dead
than alive, the index is built anew once.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.memory.chunking import windows
from geekagent_tui.memory.lexical.ranking import best
from geekagent_tui.memory.lexical.segment import MOST_CHUNKS, Segment, build, merge, purged
from geekagent_tui.memory.lexical.tokens import Keys, Tokenizer, Tokens, joined
from geekagent_tui.memory.types import Chunk

_PIECE = 256
"""Chunks read between two offers of the interpreter to other threads: a few milliseconds of work."""

_BATCH = 2048
"""Chunks entered between two looks at whether to stop: less than a tenth of a second of work."""

_SMALL = 128
"""Chunks of the segment that single entries are added to; each addition makes it anew."""

_OF_A_KIND = 8

_DEAD_ALLOWED = 4096

_NO_DIGEST = bytes(16)


class LexicalIndex:
    """Not thread-safe: the owner sees to that. Entries are those of the last ``update``, by position."""

    def __init__(self, scorer: Bm25, size: int, overlap: int, tokenizer: Tokenizer | None = None) -> None:
        self.scorer = scorer
        self._size = size
        self._overlap = overlap
        self.tokenizer = tokenizer or Tokenizer()
        self._reset()

    def _reset(self) -> None:
        self._texts: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self.segments: list[Segment] = []
        # By entry in the order they came: digest, first chunk, chunks; where it stands now (from 0), -1 when gone.
        self.digests: list[bytes] = []
        self.firsts: list[int] = []
        self.counts: list[int] = []
        self.positions: NDArray[np.intp] = np.empty(0, np.intp)
        self._arranged: NDArray[np.intp] = np.empty(0, np.intp)
        self._total = 0
        self.chunks = 0
        self._length = 0

    @property
    def mean_length(self) -> float:
        """Mean number of terms of a chunk; 0 when there is none."""
        return self._length / self.chunks if self.chunks else 0.0

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool] = lambda: False) -> bool:
        """Make the index that of ``texts``, in that order. False when it was stopped; a next call goes on."""
        texts = tuple(texts)
        if texts is self._texts and len(texts) == self._arranged.size:
            return True
        before = self._texts
        kept = _common(before, texts)
        tail = _common(before[: kept - 1 if kept else None : -1], texts[: kept - 1 if kept else None : -1])
        gone = self._arranged[kept : self._arranged.size - tail].tolist()
        known_text = dict(zip(gone, before[kept : len(before) - tail], strict=False))
        left: defaultdict[bytes, list[int]] = defaultdict(list)
        for entry in reversed(gone):
            left[self.digests[entry]].append(entry)
        middle: list[int] = []
        fresh: list[tuple[int, str, bytes]] = []
        for place, text in enumerate(texts[kept : len(texts) - tail]):
            digest = digest_of(text)
            same = left.get(digest)
            middle.append(same.pop() if same else -1)
            if middle[-1] < 0:
                fresh.append((place, text, digest))
        # Half a change would be wrong for ever: until the end, nothing is taken as known.
        self._texts = ()
        self._remove([entry for entries in left.values() for entry in entries], known_text)
        if self._total - self.chunks > max(self.chunks, _DEAD_ALLOWED):
            self._reset()
            return self.update(texts, should_stop=should_stop)
        done = self._enter(fresh, middle, should_stop)
        self._shown = texts
        arranged = np.concatenate(
            (self._arranged[:kept], np.array(middle, np.intp), self._arranged[self._arranged.size - tail :])
        )
        if self.positions.size < len(self.digests):
            grown = np.full(2 * len(self.digests), -1, np.intp)
            grown[: self.positions.size] = self.positions
            self.positions = grown
        there = np.flatnonzero(arranged[kept:] >= 0) + kept
        self.positions[arranged[there]] = there
        if not done:
            # What is in is in: the next call goes on from the texts that are.
            texts = tuple(texts[at] for at in np.flatnonzero(arranged >= 0).tolist())
            arranged = arranged[arranged >= 0]
        self._arranged, self._texts = arranged, texts
        return done

    def restore(
        self,
        segments: Sequence[Segment],
        digests: Sequence[bytes],
        firsts: Sequence[int],
        counts: Sequence[int],
        held: Sequence[bool],
    ) -> None:
        """Take over what a cache kept: see ``cache``. The next ``update`` says which entries there still are."""
        self._reset()
        self.segments = list(segments)
        self.digests, self.firsts, self.counts = list(digests), list(firsts), list(counts)
        self.positions = np.full(len(self.digests), -1, np.intp)
        self._arranged = np.flatnonzero(np.array(held, np.bool_))
        self._total = sum(segment.size for segment in segments)
        self.chunks = sum(self.counts[entry] for entry in self._arranged.tolist())
        self._length = sum(segment.live_length for segment in segments)

    def purge(self) -> None:
        """Let go of all that removed entries left behind: terms, postings, lengths and digests."""
        self.segments = [purged(segment) for segment in self.segments]
        for entry in np.flatnonzero(self.positions[: len(self.digests)] < 0).tolist():
            self.digests[entry] = _NO_DIGEST

    def document_frequencies(self, keys: Keys) -> list[int]:
        """In how many live chunks each term stands."""
        totals = [0] * keys.size
        for segment in self.segments:
            for at, place in enumerate(segment.find(keys).tolist()):
                if place >= 0:
                    totals[at] += segment.posting(place).df
        return totals

    def best(
        self, keys: Keys, weights: Sequence[float], limit: int, supporting: Sequence[bool] = ()
    ) -> list[int]:
        """The numbers of the ``limit`` best chunks, unordered. See ``ranking``."""
        supports = supporting or [False] * keys.size
        return best(self.segments, keys, weights, supports, self.scorer, self.mean_length, limit)

    def term_counts(self, keys: Keys, chunks: Sequence[int]) -> NDArray[np.int64]:
        """How often each term (a row each) stands in each chunk (a column each)."""
        counts = np.zeros((keys.size, len(chunks)), np.int64)
        numbers = np.array(chunks, np.int64)
        base = 0
        for segment in self.segments:
            own = np.flatnonzero((numbers >= base) & (numbers < base + segment.size))
            if own.size:
                local = (numbers[own] - base).astype(np.uint16)
                for row, place in enumerate(segment.find(keys).tolist()):
                    if place >= 0:
                        counts[row, own] = segment.posting(place).counts(local)
            base += segment.size
        return counts

    def length(self, chunk: int) -> int:
        """Terms of a chunk."""
        for segment in self.segments:
            if chunk < segment.size:
                return int(segment.lengths[chunk])
            chunk -= segment.size
        raise LookupError(chunk)

    def chunk(self, number: int) -> Chunk:
        """The live chunk of that number."""
        entry = bisect_right(self.firsts, number) - 1
        position = int(self.positions[entry])
        text = self._shown[position]
        segment = number - self.firsts[entry]
        start, end = windows(text, self._size, self._overlap)[segment]
        return Chunk(position, segment, start, text[start:end])

    def _enter(
        self, fresh: Sequence[tuple[int, str, bytes]], arranged: list[int], should_stop: Callable[[], bool]
    ) -> bool:
        first_new = len(self.segments)
        # Built when a segment is full or nothing more comes: sorting once is cheaper than merging what was sorted.
        read: list[Tokens] = []
        at = 0
        while at < len(fresh):
            pieces: list[str] = []
            counts: list[int] = []
            while at + len(counts) < len(fresh) and len(pieces) < _BATCH:
                text = fresh[at + len(counts)][1]
                cut = windows(text, self._size, self._overlap)
                counts.append(len(cut))
                pieces.extend(text[start:end] for start, end in cut)
            # One entry alone can have more chunks than a segment takes.
            for start in range(0, len(pieces), MOST_CHUNKS):
                part = pieces[start : start + MOST_CHUNKS]
                if sum(one.lengths.size for one in read) + len(part) > MOST_CHUNKS:
                    self._build(read)
                self._read(part, read)
            for count in counts:
                place, _text, digest = fresh[at]
                arranged[place] = len(self.digests)
                self.digests.append(digest)
                self.firsts.append(self._total)
                self.counts.append(count)
                self._total += count
                self.chunks += count
                at += 1
            if should_stop():
                break
        self._build(read)
        self._put_together(first_new)
        return at == len(fresh)

    def _build(self, read: list[Tokens]) -> None:
        """Make a segment of what was read; ``read`` is empty then."""
        if read:
            tokens = joined(read)
            read.clear()
            self.segments.append(build(tokens, tokens.lengths.size))
            self._length += self.segments[-1].live_length

    def _read(self, pieces: Sequence[str], read: list[Tokens]) -> None:
        """Add the terms of ``pieces`` to ``read``."""
        for first in range(0, len(pieces), _PIECE):
            read.append(self.tokenizer.tokens(pieces[first : first + _PIECE]))
            time.sleep(0)

    def _put_together(self, first_new: int) -> None:
        """Make few segments of many: as large as they may be of those that came together, and none of a few chunks
        beside another."""
        at = first_new
        if at and self.segments[at:] and self.segments[at - 1].size + self.segments[at].size <= _SMALL:
            at -= 1
        whole: list[Segment] = []
        group: list[Segment] = []
        for segment in self.segments[at:]:
            if group and sum(one.size for one in group) + segment.size > MOST_CHUNKS:
                whole.append(merge(group))
                group = []
            group.append(segment)
        self.segments[at:] = [*whole, *([merge(group)] if group else [])]
        # Many additions leave many small segments behind; eight of a kind become one, so each chunk moves seldom.
        while len(self.segments) >= _OF_A_KIND:
            last = self.segments[-_OF_A_KIND:]
            kinds = {segment.size.bit_length() // 3 for segment in last}
            if len(kinds) > 1 or sum(segment.size for segment in last) > MOST_CHUNKS:
                return
            self.segments[-_OF_A_KIND:] = [merge(last)]

    def _remove(self, entries: Sequence[int], texts: dict[int, str]) -> None:
        unseen: defaultdict[int, list[int]] = defaultdict(list)
        for entry in entries:
            self.positions[entry] = -1
            first, count = self.firsts[entry], self.counts[entry]
            text = texts.get(entry)
            cut = windows(text, self._size, self._overlap) if text is not None else []
            for offset in range(count):
                at, local = self._place(first + offset)
                segment = self.segments[at]
                self._length -= int(segment.lengths[local])
                if text is not None:
                    start, end = cut[offset]
                    segment.remove(local, self.tokenizer.tokens([text[start:end]]).keys)
                else:
                    unseen[at].append(local)
            self.chunks -= count
        for at, local_chunks in unseen.items():
            self.segments[at].remove_unseen(local_chunks)

    def _place(self, number: int) -> tuple[int, int]:
        for at, segment in enumerate(self.segments):
            if number < segment.size:
                return at, number
            number -= segment.size
        raise LookupError(number)


def digest_of(text: str) -> bytes:
    """What an entry is known by between two runs: 16 bytes of its text's BLAKE2 hash."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many texts both begin with. Halves the interval: comparing a slice is far quicker than a loop."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
