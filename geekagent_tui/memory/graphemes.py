"""Where a text may be cut: between grapheme clusters, never inside one.

A small reading of Unicode UAX #29 (extended grapheme clusters): CR LF, combining and spacing marks, variation
selectors, joiners, emoji modifiers, tags and joined emoji, regional-indicator pairs, Hangul jamo. Left out:
prepended marks and the Indic conjuncts of version 15.1, for which the standard library has no data.
"""

from __future__ import annotations

import unicodedata

_ZWNJ = "\u200c"
_ZWJ = "\u200d"
_MARKS = frozenset(("Mn", "Me", "Mc"))


def is_boundary(text: str, at: int, floor: int = 0) -> bool:
    """Whether a cut at offset ``at`` leaves both sides whole.

    ``floor`` is an earlier offset that is known to be a boundary; nothing before it is looked at. The ends of the
    text are boundaries.
    """
    if at <= floor or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return not (before == "\r" and after == "\n") and not (before == _ZWJ and after in "©®")
    if _extends(after):
        return False
    if before == _ZWJ and _is_pictograph(after):
        return False
    if _is_indicator(before) and _is_indicator(after):
        first = at - 1
        while first > floor and _is_indicator(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 0
    return not _joins_syllable(before, after)


def cluster_start(text: str, at: int, floor: int = 0) -> int:
    """The last boundary at or before ``at`` and after ``floor``; ``at`` itself when there is none, so that one
    endless cluster can still be cut."""
    cut = at
    while cut > floor and not is_boundary(text, cut, floor):
        cut -= 1
    return cut if cut > floor else at


def _extends(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.category(char) in _MARKS
        or char in (_ZWNJ, _ZWJ, "\uff9e", "\uff9f")
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xE0020 <= code <= 0xE007F
    )


def _is_pictograph(char: str) -> bool:
    """Roughly Extended_Pictographic: symbols, and the emoji planes whether assigned yet or not."""
    return unicodedata.category(char) == "So" or 0x1F000 <= ord(char) <= 0x1FAFF or char in "‼⁉ℹ〰↔"


def _is_indicator(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _joins_syllable(before: str, after: str) -> bool:
    left, right = _jamo(before), _jamo(after)
    return (
        (left == "L" and right in ("L", "V", "LV", "LVT"))
        or (left in ("V", "LV") and right in ("V", "T"))
        or (left in ("T", "LVT") and right == "T")
    )


def _jamo(char: str) -> str:
    """Hangul_Syllable_Type by the ranges of the Unicode block charts, "" for anything else."""
    code = ord(char)
    if 0x1100 <= code <= 0x115F or 0xA960 <= code <= 0xA97C:
        return "L"
    if 0x1160 <= code <= 0x11A7 or 0xD7B0 <= code <= 0xD7C6:
        return "V"
    if 0x11A8 <= code <= 0x11FF or 0xD7CB <= code <= 0xD7FB:
        return "T"
    if 0xAC00 <= code <= 0xD7A3:
        return "LV" if (code - 0xAC00) % 28 == 0 else "LVT"
    return ""
