"""The data that memory hands out. Everything is frozen; offsets are Unicode code points."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A window of one entry.

    ``entry`` and ``segment`` count from 0 here and from 1 in every ``Hit`` and in all user-visible text.
    ``start`` is the offset of ``text`` in the entry, in code points.
    """

    entry: int
    segment: int
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class TermMatch:
    """What one distinct query term did for one chunk.

    ``query_count``: how often the term stands in the query (each repeat scores again).
    ``tf``: non-overlapping occurrences in the chunk; ``df``: chunks that contain the term.
    ``contribution``: the part of the hit's score that is this term's, repeats included.
    ``spans``: half-open (start, end) offsets into ``Hit.text``, in reading order.
    """

    term: str
    query_count: int
    tf: int
    df: int
    idf: float
    contribution: float
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage that came to mind. ``entry`` and ``segment`` count from 1.

    ``start`` is the chunk's offset in its entry; ``text`` the whole chunk as stored, untrimmed;
    ``score`` the sum of the contributions of ``terms``.
    """

    entry: int
    segment: int
    start: int
    text: str
    score: float
    terms: tuple[TermMatch, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The outcome of one search of memory: data, from which ``formatting`` makes the text.

    ``query`` as the user wrote it; ``keywords`` the terms that were looked up, in order, repeats kept;
    ``hits`` best first; ``chunks`` how many chunks were searched; ``elapsed_ms`` wall time of the search
    in milliseconds; ``profile`` the name of the scoring profile.
    """

    query: str
    keywords: tuple[str, ...]
    hits: tuple[Hit, ...]
    chunks: int
    elapsed_ms: float
    profile: str
