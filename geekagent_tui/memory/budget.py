"""A passage cut to the room there is, at the ends of sentences."""

from __future__ import annotations

import re
from dataclasses import replace

from geekagent_tui.memory.types import Hit, TermMatch

LEAST = 40
"""Characters below which what is left of a passage says too little to be injected."""

_SENTENCE = re.compile(r"[^。！？!?；;\n]*?(?:[。！？!?；;\n]+[”’\"'）)」』]*|\.(?=\s)|\Z)\s*")


def fitted(hit: Hit, room: int) -> Hit | None:
    """The hit, or as many of its sentences as fit into ``room`` characters.

    They start at its beginning or, where the first match would not fit then, with the sentence that matched. None when
    no sentence fits, or too little would be left.
    """
    if len(hit.text.strip()) <= room:
        return hit
    sentences = [(match.start(), match.end()) for match in _SENTENCE.finditer(hit.text) if match[0]]
    matched = min((first for term in hit.terms for first, _ in term.spans), default=0)
    # From the passage's beginning if that leaves the match in, else from the sentence that matched.
    begin = next((start for start, end in sentences if start <= matched < end and end > room), 0)
    end = begin
    for _, last in (sentence for sentence in sentences if sentence[0] >= begin):
        if len(hit.text[begin:last].strip()) > room:
            break
        end = last
    if len(hit.text[begin:end].strip()) < LEAST:
        return None
    terms = tuple(_moved(match, begin, end) for match in hit.terms)
    return replace(hit, start=hit.start + begin, text=hit.text[begin:end], terms=terms, cut=True)


def _moved(match: TermMatch, begin: int, end: int) -> TermMatch:
    spans = tuple(
        (first - begin, last - begin) for first, last in match.spans if begin <= first and last <= end
    )
    return replace(match, spans=spans)
