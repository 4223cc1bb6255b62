"""Letters that mean the same, made the same: width, case, accents, traditional and simplified characters.

Folding works on code points through one table, so a batch of chunks is folded in one step of NumPy. What can't be
done one code point for one (ligatures, marks that combine, characters without width) is rewritten before, by ``plain``.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources
from itertools import chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint32]

HAN = 1
UNSPACED = 2
"""Classes of ``Tables.kinds``: Han, and the other scripts that are written without a space between words (kana,
hangul, which glues particles to its words, Thai, Lao, Khmer, Burmese, bopomofo). 0 is everything else."""

_LIMIT = 0x323B0
"""Code points from here on are none that fold, and no letters."""

_REWRITE = 0xFFFFFFFF

VOICING = "\uff9e\uff9f"
"""Half-width marks that belong to the kana before them."""

HAN_RANGES = (
    *(
        (0x2E80, 0x2FD6),
        (0x3005, 0x3006),
        (0x3007, 0x3008),
        (0x3021, 0x302A),
        (0x3400, 0x4DC0),
        (0x4E00, 0xA000),
    ),
    *((0xF900, 0xFAFF), (0x16FE2, 0x16FE4), (0x20000, 0x2FA20), (0x30000, 0x323B0)),
)
UNSPACED_RANGES = (
    *((0x0E00, 0x0E5A), (0x0E80, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x1200), (0x1780, 0x17DE)),
    *(
        (0x3041, 0x3097),
        (0x309D, 0x30A0),
        (0x30A1, 0x30FB),
        (0x30FC, 0x3100),
        (0x3105, 0x3130),
        (0x3131, 0x318F),
    ),
    *((0x31A0, 0x3200), (0xA960, 0xA97D), (0xAC00, 0xD7A4), (0xD7B0, 0xD7FC), (0xFF66, 0xFF9E)),
)
_FOLDED_RANGES = (
    *(
        (0x80, 0x2400),
        (0x2460, 0x24FF),
        (0x2C00, 0x2E00),
        (0x2E80, 0x2FD6),
        (0x3000, 0x3400),
        (0xA640, 0xAC00),
    ),
    *((0xF900, 0x10000), (0x10400, 0x10600), (0x118A0, 0x118E0), (0x16E40, 0x16E80), (0x1D400, 0x1D800)),
    *((0x10780, 0x107C0), (0x10C80, 0x10CC0), (0x1E900, 0x1E944), (0x1EE00, 0x1EEC0), (0x1F100, 0x1F252)),
    *((0x1FBF0, 0x1FBFA), (0x2F800, 0x2FA20)),
)

_MARKS = "".join(
    map(chr, chain(range(0x300, 0x370), range(0x591, 0x5C8), range(0x64B, 0x660), range(0x1AB0, 0x1B00)))
) + "".join(map(chr, chain([0x670], range(0x1DC0, 0x1E00), range(0x20D0, 0x2100), range(0xFE20, 0xFE30))))
_NO_MARKS = str.maketrans("", "", _MARKS)


class Tables(NamedTuple):
    """By code point: ``folded`` what it becomes, ``kinds`` what script it is of."""

    folded: Codes
    kinds: NDArray[np.uint8]


class Plain(NamedTuple):
    """A text of which every code point folds to one. ``starts`` and ``ends`` say by offset where each character comes
    from in the source; None when both texts are the same."""

    text: str
    starts: list[int] | None
    ends: list[int] | None


@cache
def traditional() -> dict[int, int]:
    """Traditional characters to simplified ones, as code points."""
    file = resources.files(__package__).joinpath("traditional.txt")
    pairs = "".join(line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return dict(zip(map(ord, pairs[::2]), map(ord, pairs[1::2]), strict=True))


@cache
def tables() -> Tables:
    """The tables, made from Unicode's own data the first time they are asked for (some 100 ms)."""
    folded = np.arange(_LIMIT + 1, dtype=np.uint32)
    folded[:0x80] = [ord(chr(code).lower()) for code in range(0x80)]
    for first, end in _FOLDED_RANGES:
        for code in range(first, end):
            char = chr(code)
            if char.isprintable() and unicodedata.is_normalized("NFKD", char) and char.casefold() == char:
                if unicodedata.combining(char):
                    folded[code] = _REWRITE
                continue
            result = fold_slowly(char)
            if result and char not in VOICING and not any(map(str.isalnum, result)):
                continue  # an ellipsis or a bracket: nobody looks for it
            if len(result) != 1 or unicodedata.combining(char) or char in VOICING:
                folded[code] = _REWRITE
            else:
                folded[code] = ord(result)
    folded[0x1100:0x1200] = _REWRITE
    simple = traditional()
    folded[list(simple)] = list(simple.values())
    folded[_LIMIT] = _LIMIT
    kinds = np.zeros(_LIMIT + 1, np.uint8)
    for ranges, kind in ((UNSPACED_RANGES, UNSPACED), (HAN_RANGES, HAN)):
        for first, end in ranges:
            kinds[first:end] = kind
    for code in chain(range(0x0E4F, 0x0E5A), range(0x1040, 0x1050)):
        kinds[code] = 0
    return Tables(folded, kinds)


def fold_slowly(text: str) -> str:
    """What a whole text folds to, by Unicode's rules: NFKC, case folding, no accents, nothing without width."""
    composed = _without_marks(unicodedata.normalize("NFKC", text)).casefold()
    if composed.isascii():
        return composed
    # Case folding can bring marks in: the dotted capital i.
    seen = "".join(char for char in _without_marks(composed) if not _unseen(char))
    return unicodedata.normalize("NFKC", seen).translate(traditional())


def _without_marks(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_NO_MARKS))


def codes_of(text: str) -> Codes:
    """The code points of a text, those that are no letters for certain as one."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.minimum(codes, _LIMIT) if codes.size else codes


def folded_codes(text: str) -> Codes:
    """The folded code points of a ``Plain`` text, one for each character of it."""
    codes = codes_of(text)
    folded = tables().folded[codes]
    # Jamo and marks that stand alone have nothing to join.
    return np.where(folded == _REWRITE, codes, folded) if folded.size and folded.max() == _REWRITE else folded


def folded_text(text: str) -> str:
    """``folded_codes`` as a string: the same length as the ``Plain`` text it is given."""
    return str(folded_codes(text).tobytes(), "utf-32-le", "surrogatepass")


def plain(text: str) -> Plain:
    """Rewrite what doesn't fold one for one. Nearly always there is nothing to rewrite."""
    if text.isascii() or not (tables().folded[codes_of(text)] == _REWRITE).any():
        return Plain(text, None, None)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and _joins(text[end]):
            end += 1
        part = _rewritten(text[at:end])
        parts.append(part)
        starts.extend([at] * len(part))
        ends.extend([end] * len(part))
        at = end
    return Plain("".join(parts), starts, ends)


def _rewritten(cluster: str) -> str:
    composed = unicodedata.normalize("NFKC", cluster)
    bare = unicodedata.normalize("NFC", unicodedata.normalize("NFD", composed).translate(_NO_MARKS))
    seen = "".join(char for char in bare if not _unseen(char))
    # Case is kept, it shows where the parts of an identifier begin, but for letters that fold to several.
    return "".join(char if len(char.casefold()) == 1 else fold_slowly(char) for char in seen)


def _joins(char: str) -> bool:
    return bool(unicodedata.combining(char)) or "\u1160" <= char <= "\u11ff" or char in VOICING


def _unseen(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or "\ufe00" <= char <= "\ufe0f"
