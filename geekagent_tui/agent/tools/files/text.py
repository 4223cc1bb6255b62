"""Bytes of a file as text and back, without changing what nobody asked to change."""

from __future__ import annotations

from dataclasses import dataclass

_SNIFFED = 8_192
"""Bytes among which a NUL says that a file is binary: what git and ripgrep look at."""


class BinaryError(ValueError):
    """Not a text file."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """``text`` with its line ends as they are; ``encoding`` brings it back to the same bytes."""

    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """``text`` in the file's encoding; in UTF-8 when that lacks a character."""
        try:
            return text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8", "surrogateescape")


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:_SNIFFED]


def decode(data: bytes) -> Decoded:
    """UTF-8, else GB 18030, the usual other one here. Raises ``BinaryError``."""
    if is_binary(data):
        raise BinaryError
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "latin-1")
    # GB 18030 has more than one spelling of some characters: then the bytes would change.
    return (
        Decoded(text, "gb18030")
        if text.encode("gb18030") == data
        else Decoded(data.decode("latin-1"), "latin-1")
    )
