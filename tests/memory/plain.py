"""The classic search as the specification says it, one plain loop: what the index is held against."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence


def normalise(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()


def chunk_texts(entry: str, size: int = 320, overlap: int = 80) -> list[str]:
    """Windows of a text without grapheme clusters."""
    found = []
    start = 0
    while entry:
        found.append(entry[start : start + size])
        if start + size >= len(entry):
            break
        start += size - overlap
    return found


def scores(chunks: Sequence[str], keywords: Sequence[str]) -> list[float]:
    """One score a chunk, by scanning every chunk for every term."""
    texts = [normalise(chunk) for chunk in chunks]
    if not texts:
        return []
    mean = sum(map(len, texts)) / len(texts)
    found = []
    for text in texts:
        score = 0.0
        for term in keywords:
            tf = text.count(term)
            df = sum(term in other for other in texts)
            idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
            score += idf * tf * (1.2 + 1) / (tf + 1.2 * (1 - 0.75 + 0.75 * len(text) / mean))
        found.append(score)
    return found
