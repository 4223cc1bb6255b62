"""UTF-16 surrogates in text: JSON may carry half of a character, or both halves in different pieces."""

from __future__ import annotations

import re

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


def join_pairs(text: str) -> str:
    """``text`` with each high and low half side by side made into their character; a lone half stays."""
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)


def encodable(text: str) -> str:
    """``text`` as UTF-8 can carry it: pairs joined, each lone half replaced by U+FFFD."""
    return text if text.isascii() else _LONE.sub("\ufffd", join_pairs(text))


class PairJoiner:
    """Joins halves that came in two pieces, by holding a high half at the end of a piece back."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        if not self._held and text.isascii():
            return text
        text = self._held + text
        self._held = ""
        if "\ud800" <= text[-1:] <= "\udbff":
            self._held = text[-1]
            text = text[:-1]
        return join_pairs(text)

    def finish(self) -> str:
        held, self._held = self._held, ""
        return held
