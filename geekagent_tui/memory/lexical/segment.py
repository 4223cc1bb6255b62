"""A part of the index: up to 65,536 chunks and their posting lists, as arrays that never change.

Chunks are numbered from 0 within their segment, in 16 bits. Posting lists lie one behind the other in the order of
their keys. A chunk that was taken out stays where it is and is marked dead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from geekagent_tui.memory.lexical.tokens import Keys, Tokens

Locals: TypeAlias = NDArray[np.uint16]

MOST_CHUNKS = 1 << 16


@dataclass(frozen=True, slots=True)
class Posting:
    """The chunks of one segment that hold a term, ascending, and how often (255 at most).

    ``df`` leaves the dead out.
    """

    chunks: Locals
    tf: NDArray[np.uint8]
    df: int

    def counts(self, chunks: Locals) -> NDArray[np.uint8]:
        """How often each of ``chunks`` holds the term."""
        at = self.chunks.searchsorted(chunks)
        # An array of its own: the list itself never changes.
        tf = self.tf.take(at, mode="clip")
        tf *= self.chunks.take(at, mode="clip") == chunks
        return tf


@dataclass(slots=True)
class Segment:
    """``keys`` ascend; the postings of ``keys[n]`` are ``starts[n]`` to ``starts[n + 1]`` of ``chunks`` and ``tf``.
    ``lengths``: terms of each chunk. ``alive`` and ``gone`` (dead postings by key) are None while nothing is dead."""

    keys: Keys
    starts: NDArray[np.uint32]
    chunks: Locals
    tf: NDArray[np.uint8]
    lengths: NDArray[np.uint16]
    alive: NDArray[np.bool_] | None = None
    gone: NDArray[np.uint32] | None = None
    _damping: tuple[float, NDArray[np.float32]] | None = field(default=None, repr=False)
    _least_damping: float = field(default=0.0, repr=False)

    @property
    def size(self) -> int:
        """How many chunks there are, dead ones too."""
        return int(self.lengths.size)

    @property
    def postings(self) -> int:
        return int(self.chunks.size)

    @property
    def live(self) -> int:
        return self.size if self.alive is None else int(np.count_nonzero(self.alive))

    @property
    def live_length(self) -> int:
        """Terms of all live chunks together."""
        lengths = self.lengths if self.alive is None else self.lengths[self.alive]
        return int(lengths.sum(dtype=np.int64))

    def find(self, keys: Keys) -> NDArray[np.intp]:
        """Where each key stands in ``keys``, -1 when it doesn't."""
        if not self.keys.size:
            return np.full(keys.size, -1, np.intp)
        at = np.searchsorted(self.keys, keys)
        at[at == self.keys.size] = 0
        return np.where(self.keys[at] == keys, at, -1)

    def posting(self, at: int) -> Posting:
        """The posting list of ``keys[at]``."""
        first, end = int(self.starts[at]), int(self.starts[at + 1])
        gone = 0 if self.gone is None else int(self.gone[at])
        return Posting(self.chunks[first:end], self.tf[first:end], end - first - gone)

    def damping(self, k1: float, b: float, mean: float) -> NDArray[np.float32]:
        """What each chunk sets against its term counts (see ``bm25``); kept until the mean length changes."""
        if self._damping is None or self._damping[0] != mean:
            damping = k1 * (1 - b + b * self.lengths.astype(np.float32) / np.float32(mean or 1))
            self._damping = (mean, damping.astype(np.float32))
            self._least_damping = float(self._damping[1].min())
        return self._damping[1]

    @property
    def least_damping(self) -> float:
        """The least of the last ``damping``."""
        return self._least_damping

    def remove(self, chunk: int, keys: Keys) -> None:
        """Mark a chunk dead. ``keys`` are those it was entered with, repeats and all."""
        if self.alive is None or self.gone is None:
            self.alive = np.ones(self.size, np.bool_)
            self.gone = np.zeros(self.keys.size, np.uint32)
        self.alive[chunk] = False
        at = self.find(np.unique(keys))
        self.gone[at[at >= 0]] += 1

    def remove_unseen(self, dead: Sequence[int]) -> None:
        """Mark chunks dead whose text is no longer known: their postings are looked for."""
        if self.alive is None or self.gone is None:
            self.alive = np.ones(self.size, np.bool_)
            self.gone = np.zeros(self.keys.size, np.uint32)
        marks = np.zeros(self.size, np.bool_)
        marks[list(dead)] = True
        marks &= self.alive
        self.alive[marks] = False
        at = np.searchsorted(self.starts, np.flatnonzero(marks[self.chunks]), "right") - 1
        self.gone += np.bincount(at, minlength=self.keys.size).astype(np.uint32)


def purged(segment: Segment) -> Segment:
    """The segment without any posting, term or length of its dead chunks, whose numbers stay."""
    if segment.alive is None:
        return segment
    keep = segment.alive[segment.chunks]
    widths = (
        np.add.reduceat(keep, segment.starts[:-1], dtype=np.uint32) if segment.keys.size else segment.gone
    )
    assert widths is not None
    kept = np.flatnonzero(widths)
    starts = np.concatenate(([0], np.cumsum(widths[kept]))).astype(np.uint32)
    left = Segment(
        segment.keys[kept], starts, segment.chunks[keep], segment.tf[keep], segment.lengths * segment.alive
    )
    left.alive, left.gone = segment.alive.copy(), np.zeros(kept.size, np.uint32)
    return left


def build(tokens: Tokens, chunks: int) -> Segment:
    """The segment of ``chunks`` chunks (at most ``MOST_CHUNKS``) that have these terms."""
    packed = tokens.keys << np.uint64(16)
    packed |= tokens.chunks.astype(np.uint64)
    packed.sort()
    first = _changes(packed)
    tf = np.empty(first.size, np.uint8)
    np.minimum(np.diff(first), 255, out=tf[:-1], casting="unsafe")
    tf[-1:] = min(packed.size - int(first[-1]), 255) if first.size else 0
    return _from_packed(packed[first], tf, tokens.lengths)


def merge(segments: Sequence[Segment]) -> Segment:
    """Neighbours as one, dead chunks and all. Together they have at most ``MOST_CHUNKS`` chunks."""
    if len(segments) == 1:
        return segments[0]
    packed, tf, gone_keys, gone = [], [], [], []
    base = 0
    for segment in segments:
        keys = np.repeat(segment.keys, np.diff(segment.starts))
        packed.append((keys << np.uint64(16)) | (segment.chunks.astype(np.uint64) + np.uint64(base)))
        tf.append(segment.tf)
        base += segment.size
        if segment.gone is not None:
            gone_keys.append(segment.keys)
            gone.append(segment.gone)
    whole = np.concatenate(packed)
    order = np.argsort(whole, kind="stable")
    merged = _from_packed(
        whole[order], np.concatenate(tf)[order], np.concatenate([segment.lengths for segment in segments])
    )
    if gone:
        merged.alive = np.concatenate(
            [np.ones(one.size, np.bool_) if one.alive is None else one.alive for one in segments]
        )
        merged.gone = np.zeros(merged.keys.size, np.uint32)
        np.add.at(merged.gone, merged.find(np.concatenate(gone_keys)), np.concatenate(gone))
    return merged


def _from_packed(packed: Keys, tf: NDArray[np.uint8], lengths: NDArray[np.uint16]) -> Segment:
    keys = packed >> np.uint64(16)
    first = _changes(keys)
    starts = np.empty(first.size + 1, np.uint32)
    starts[:-1] = first
    starts[-1] = packed.size
    return Segment(keys[first], starts, packed.astype(np.uint16), tf, lengths)


def _changes(values: Keys) -> NDArray[np.intp]:
    """Where a sorted array begins and where it goes on with another value."""
    changed = np.ones(values.size, np.bool_)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return np.flatnonzero(changed)
