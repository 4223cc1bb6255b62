"""The bytes of memory.json to entries and back, and exactly where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from geekagent_tui.texts.json_reasons import json_reason
from geekagent_tui.texts.memory import MemoryTexts

_BOM = b"\xef\xbb\xbf"
_WHITE = " \t\n\r"


class ParseError(Exception):
    """The content is no memory. The text is for a person; ``line`` and ``column`` count from 1."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(reason)
        self.line = line
        self.column = column


def serialise(entries: Sequence[str]) -> bytes:
    """A JSON array, two spaces deep, non-ASCII as it is, with a newline at the end.

    A lone surrogate has no UTF-8 and becomes its JSON escape, so that nothing is lost.
    """
    text = json.dumps(list(entries), ensure_ascii=False, indent=2)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def parse(content: bytes, path: str, texts: MemoryTexts) -> list[str]:
    """Entries trimmed, empty ones dropped. ``path`` is named in the error. Raises ``ParseError``."""
    content = content.removeprefix(_BOM)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        line, column = _place(before, len(before))
        raise ParseError(
            texts.at_byte.format(
                fault=texts.not_strings, path=path, line=line, column=column, byte=error.start + 1
            ),
            line,
            column,
        ) from error
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise ParseError(
            texts.at_syntax.format(
                fault=texts.not_strings,
                path=path,
                line=error.lineno,
                column=error.colno,
                detail=json_reason(error.msg),
            ),
            error.lineno,
            error.colno,
        ) from error
    except (RecursionError, ValueError) as error:
        # Nested without end, or a number of more digits than Python converts: no array of strings either way.
        line, column = _place(text, _skip_white(text, 0))
        reason = texts.too_deep if isinstance(error, RecursionError) else texts.at_syntax
        raise ParseError(
            reason.format(fault=texts.not_strings, path=path, line=line, column=column, detail=error),
            line,
            column,
        ) from error
    if not isinstance(value, list):
        line, column = _place(text, _skip_white(text, 0))
        raise ParseError(
            texts.at_top.format(
                fault=texts.not_strings, path=path, line=line, column=column, kind=_kind(value, texts)
            ),
            line,
            column,
        )
    for number, item in enumerate(value):
        if not isinstance(item, str):
            line, column = _place(text, _item_offset(text, number))
            raise ParseError(
                texts.at_item.format(
                    fault=texts.not_strings,
                    path=path,
                    line=line,
                    column=column,
                    item=number + 1,
                    kind=_kind(item, texts),
                ),
                line,
                column,
            )
    return [entry for entry in map(str.strip, value) if entry]


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _skip_white(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE:
        at += 1
    return at


def _item_offset(text: str, number: int) -> int:
    """Where item ``number`` (from 0) of the array in ``text`` begins. The text is known to be valid."""
    decoder = json.JSONDecoder()
    at = _skip_white(text, _skip_white(text, 0) + 1)
    for _ in range(number):
        _, at = decoder.raw_decode(text, at)
        at = _skip_white(text, _skip_white(text, at) + 1)
    return at


def _kind(value: Any, texts: MemoryTexts) -> str:
    match value:
        case None:
            return texts.kind_null
        case bool():
            return texts.kind_boolean
        case dict():
            return texts.kind_object
        case list():
            return texts.kind_array
        case str():
            return texts.kind_string
        case _:
            return texts.kind_number
