"""Answers of five kinds, of any length: what a model streams, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from types import MappingProxyType

END = "STREAM-END"
"""The last word of every answer: when it is on the screen, the answer is."""

_SENTENCE = (
    "历史压缩放在第五天，因为 context length 第一次成为瓶颈；阈值 `MAX_HISTORY_CHARS` 默认 **4000** 字符。"
)
_CODE = '''def step_{n}(history: list[str], limit: int = {n}) -> str:
    """第 {n} 步。"""
    kept = [line for line in history if len(line) < limit]  # 留下短的
    return "\\n".join(kept)

'''


def _prose() -> Iterator[str]:
    for n in count(1):
        yield f"第 {n} 段。{_SENTENCE}\n\n"


def _code() -> Iterator[str]:
    yield "```python\n"
    for n in count(1):
        yield _CODE.format(n=n)


def _list() -> Iterator[str]:
    for n in count(1):
        yield f"- 第 {n} 项：**要点** {_SENTENCE[:24]}\n  - 细节 `detail_{n}`\n    - 更深一层 {n}\n"


def _nested() -> Iterator[str]:
    yield "- 一项，里面很长\n"
    for n in count(1):
        yield f"  - 第 {n} 件：**要点** {_SENTENCE[:24]}\n"


def _table() -> Iterator[str]:
    yield "| 步骤 | 做法 | 毫秒 |\n|---|---|---:|\n"
    for n in count(1):
        yield f"| 第 {n} 步 | 压缩 `keep={n}` 条，**先试** | {n * 7} |\n"


def _paragraph() -> Iterator[str]:
    for n in count(1):
        yield f"{n} {_SENTENCE}"


KINDS: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {
        "prose": _prose,
        "code": _code,
        "list": _list,
        "table": _table,
        "paragraph": _paragraph,
        "nested": _nested,
    }
)
"""The sixth, one item that holds the whole list, is the worst case of a parser that works by top-level blocks."""


def answer(kind: str, characters: int) -> str:
    """``characters`` of ``kind``, then ``END``."""
    text = ""
    for piece in KINDS[kind]():
        text += piece
        if len(text) >= characters:
            break
    text = text[: characters - len(END) - 8]
    return f"{text}\n```\n{END}\n" if kind == "code" else f"{text}\n\n{END}\n"


def tokens(text: str, size: int = 2) -> list[str]:
    """``text`` in pieces of ``size`` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]
