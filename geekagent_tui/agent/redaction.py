"""Secrets out of text: the values of variables whose name says KEY, TOKEN, SECRET or PASSWORD.

A value in a call's output may arrive in two pieces; ``Redacting`` holds back what could be the beginning of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_PLAIN = re.compile(r"true|false|none|null|auto|yes|no|on|off|always|never|local", re.IGNORECASE)
SHORTEST = 4
"""Characters. A shorter value or a switch is no secret, nor is a small number (``MAX_TOKENS=4096``) unless its name
says PASSWORD or SECRET: taking those out of every text would make the texts useless."""
_NUMBER = re.compile(r"\d{1,7}")
_SURE = re.compile(r"SECRET|PASSWORD", re.IGNORECASE)


class Redactor:
    """Replaces every secret by ``[REDACTED:NAME]``. Longer secrets win over those they contain."""

    def __init__(self, *variables: Mapping[str, str]) -> None:
        self._names: dict[str, str] = {}
        for each in variables:
            for name, raw in each.items():
                value = raw.strip()
                if _NAME.search(name) and _is_secret(name, value):
                    self._names.setdefault(value, name)
        values = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, values))) if values else None
        self._starts = tuple(values)

    def __call__(self, text: str) -> str:
        if self._pattern is None or not text:
            return text
        return self._pattern.sub(lambda found: f"[REDACTED:{self._names[found[0]]}]", text)

    def settled(self, text: str) -> int:
        """Up to where nothing that follows can change what is redacted. The rest may be the beginning of a secret, or
        of a longer one than the one it holds."""
        if self._pattern is None:
            return len(text)
        longest = 0
        for value in self._starts:
            for size in range(min(len(value) - 1, len(text)), longest, -1):
                if text.endswith(value[:size]):
                    longest = size
                    break
        end = len(text) - longest
        for found in self._pattern.finditer(text):
            if found.start() < end < found.end():
                return found.start()
        return end


def _is_secret(name: str, value: str) -> bool:
    if len(value) < SHORTEST or _PLAIN.fullmatch(value):
        return False
    return bool(_SURE.search(name)) or not _NUMBER.fullmatch(value)


class Redacting:
    """A stream of text through a ``Redactor``."""

    def __init__(self, redact: Redactor) -> None:
        self._redact = redact
        self._held = ""

    def feed(self, text: str) -> str:
        """What of the stream can be shown now."""
        text = self._held + text
        end = self._redact.settled(text)
        self._held = text[end:]
        return self._redact(text[:end])

    def flush(self) -> str:
        """The rest, when nothing more comes."""
        held, self._held = self._held, ""
        return self._redact(held)
