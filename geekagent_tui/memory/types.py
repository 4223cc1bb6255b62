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

    ``start`` is the passage's offset in its entry; ``text`` the whole chunk as stored, untrimmed, or what the budget
    left of it (``cut``); ``score`` the sum of the contributions of ``terms``. ``last_segment``: where neighbouring
    chunks were put together, the last of them, else 0.

    A profile with a floor says too: ``rank``, the place by score before any rule, from 1; ``coverage``, how much of
    what was asked the passage holds, 0 to 1; ``worth``, what the floor is held against. ``pinned``: it is here because
    the user pinned it, whatever was asked; then ``rank`` is 0 where the question did not find it.
    """

    entry: int
    segment: int
    start: int
    text: str
    score: float
    terms: tuple[TermMatch, ...]
    last_segment: int = 0
    rank: int = 0
    coverage: float = 0.0
    worth: float = 0.0
    cut: bool = False
    pinned: bool = False

    def word(self, match: TermMatch) -> str:
        """The term as it stands in the passage: an English term is a stem, which nobody wrote."""
        return " ".join(self.text[slice(*match.spans[0])].split()) if match.spans else match.term


@dataclass(frozen=True, slots=True)
class Miss:
    """A passage that was near and stayed out. ``rule``: ``floor``, ``neighbour``, ``duplicate``, ``budget``,
    ``limit``, ``excluded`` (the user took it out) or ``lowered`` (the user said "not useful" to a question like this);
    ``other``: the rank (from 1) of the hit that holds its place, for a neighbour or a duplicate."""

    hit: Hit
    rule: str
    other: int = 0


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term as a question was read. ``factor`` scales what it adds to a score; ``idf`` is 0 when no chunk has it."""

    term: str
    count: int
    factor: float
    df: int
    idf: float


@dataclass(frozen=True, slots=True)
class Recall:
    """The outcome of one search of memory: data, from which ``formatting`` makes the text.

    ``query`` as the user wrote it; ``keywords`` the terms that were looked up, in order, repeats kept;
    ``hits`` best first; ``chunks`` how many chunks were searched; ``elapsed_ms`` wall time of the search
    in milliseconds; ``profile`` the name of the scoring profile. ``misses`` by score, those that the user took out
    first. ``silence``: why nothing was looked up: ``smalltalk``, ``off`` or ``private`` (the user wants no recall) or
    "". ``carried``: the earlier question whose passages a "go on" keeps, else "".
    ``pending``: chunks that were not indexed yet and so not searched. ``renewed``: it is another one than what the user
    was shown before sending, because memory changed in between.
    """

    query: str
    keywords: tuple[str, ...]
    hits: tuple[Hit, ...]
    chunks: int
    elapsed_ms: float
    profile: str
    misses: tuple[Miss, ...] = ()
    terms: tuple[QueryTerm, ...] = ()
    silence: str = ""
    carried: str = ""
    pending: int = 0
    renewed: bool = False

    @property
    def taken_out(self) -> int:
        """Passages that would have gone in, had the user not taken them out."""
        return sum(miss.rule == "excluded" for miss in self.misses)
