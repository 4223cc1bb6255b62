from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.parsing import ParseError, parse, serialise
from geekagent_tui.texts.memory import EN, ZH

NASTY = [
    "历史",
    'a"b\\c',
    "\x00nul",
    "\x1b[31mred\x1b[0m",
    "lone \ud83d end",
    "\udc00",
    "🙂",
    "a\u2028b",
    "x\ny",
]


def test_the_file_is_plain_json_as_the_original_writes_it() -> None:
    assert serialise(["历史", "a\nb"]) == '[\n  "历史",\n  "a\\nb"\n]\n'.encode()
    assert serialise([]) == b"[]\n"


def test_nothing_is_lost() -> None:
    content = serialise(NASTY)
    assert parse(content, "m", ZH) == NASTY
    assert json.loads(content.decode("utf-8")) == NASTY


@given(st.lists(st.text(st.characters(), min_size=1).map(str.strip).filter(bool)))
def test_any_text_comes_back(entries: list[str]) -> None:
    assert parse(serialise(entries), "m", ZH) == entries


def test_loading_trims_and_drops_empty_entries() -> None:
    assert parse(b'[" a ", "", "  ", "b\\n"]', "m", ZH) == ["a", "b"]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parse(b'\xef\xbb\xbf["a"]', "m", ZH) == ["a"]


@pytest.mark.parametrize(
    ("content", "line", "column", "said"),
    [
        (b"", 1, 1, "JSON"),
        (b'["a",\n  "b"\n  "c"]', 3, 3, "JSON"),
        (b'["a', 1, 2, "JSON"),
        (b'["a"] tail', 1, 7, "JSON"),
        (b'\n {"a": 1}', 2, 2, "对象"),
        (b'"text"', 1, 1, "字符串"),
        (b'[\n  "a",\n  ["[,", {"x": "]"}]\n]', 3, 3, "第 2 项是数组"),
        (b'["a", 7]', 1, 7, "第 2 项是数字"),
        (b"[true]", 1, 2, "第 1 项是布尔值"),
        (b'[ "\\u4e00" ,null]', 1, 13, "第 2 项是null"),
        ('["历史",\n "'.encode() + b'\xff"]', 2, 3, "第 14 个字节"),
        (b"\xff\xfe[\x00", 1, 1, "第 1 个字节"),
        (b"[" * 100_000, 1, 1, "嵌套太深"),
        (b"[" + b"9" * 5000 + b"]", 1, 1, "JSON"),
    ],
)
def test_a_file_that_is_no_memory(content: bytes, line: int, column: int, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(content, "here/memory.json", ZH)
    assert (caught.value.line, caught.value.column) == (line, column)
    text = str(caught.value)
    assert text.startswith("memory.json 必须是字符串数组")
    assert f"here/memory.json 第 {line} 行第 {column} 列" in text
    assert said in text


def test_in_english() -> None:
    with pytest.raises(
        ParseError, match="must be an array of strings: m line 1 column 2, item 1 is a number"
    ):
        parse(b"[1]", "m", EN)
