"""Text from models, tools, memories and files, made safe to draw. Pure, and one code point in is one out."""

from __future__ import annotations

_PICTURES = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
"""C0 controls and DEL as Unicode control pictures (U+2400 block): visible, and dead to a terminal."""

_REPLACED = (
    *range(0x80, 0xA0),  # C1 controls: CSI and OSC in eight bits
    *range(0xD800, 0xE000),  # lone surrogates: UTF-8 can't carry them, writing one would raise
    0x061C,
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),  # bidi marks, embeddings and overrides: they reorder what stands beside them
    *range(0x2066, 0x206A),
    0xFFFE,
    0xFFFF,
)

_TABLE = {code: picture for code, picture in _PICTURES.items() if code not in (0x09, 0x0A)} | dict.fromkeys(
    _REPLACED, 0xFFFD
)


def harmless(text: str) -> str:
    """``text`` with everything a terminal could act on made visible; ``\\n`` and ``\\t`` stay.

    The result has as many code points as ``text``, so offsets into one hold in the other.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_TABLE)
