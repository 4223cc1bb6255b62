"""Rows are as wide as they may be, break where they may, and lose nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from geekagent_tui.memory.graphemes import is_boundary
from geekagent_tui.ui.transcript import wrap as module
from geekagent_tui.ui.transcript.lines import Span, joined
from geekagent_tui.ui.transcript.wrap import (
    breaks,
    clusters,
    expand_tabs,
    joined_clusters,
    truncate,
    wrap,
    wrap_content,
    wrap_exact,
)

TEXT = st.text(
    alphabet=st.sampled_from("ab cd  ef，。（）！压缩记忆—…e\u0301\u200d👩👧🇨🇳🇩🇪ﾞ각—\ufe0f☁"), max_size=60
)


def cut(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in breaks(text, width)]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("hello world foo", 7, ["hello", "world", "foo"]),
        ("中文每个字都能断", 6, ["中文每", "个字都", "能断"]),
        ("你好，世界。完", 10, ["你好，世", "界。完"]),
        ("说（明白）了", 4, ["说", "（明", "白）", "了"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("见 https://a.example/long", 10, ["见", "https://a.", "example/lo", "ng"]),
        ("用English写", 6, ["用", "Englis", "h写"]),
        ("", 5, [""]),
    ],
)
def test_breaks(text: str, width: int, expected: list[str]) -> None:
    assert cut(text, width) == expected


@given(TEXT, st.integers(1, 12))
@settings(max_examples=300, deadline=None)
def test_rows_fit_and_lose_only_blanks(text: str, width: int) -> None:
    spans = breaks(text, width)
    at = 0
    for start, end in spans:
        assert text[at:start].strip(" ") == ""
        assert is_boundary(text, start) or start == end
        piece = text[start:end]
        assert cell_len(piece) <= width or len(module.clusters(piece)) == 1
        at = end
    assert text[at:].strip(" ") == ""


@given(st.text(alphabet="ab c,.(", max_size=50), st.integers(1, 12))
@settings(max_examples=300, deadline=None)
def test_the_quick_way_for_ascii_is_the_same_way(text: str, width: int) -> None:
    assert breaks(text, width) == module._breaks_clusters(text, width)


def test_wrapped_rows_copy_as_one_line() -> None:
    spans = [Span("一二三四 "), Span("five six", "strong"), Span("\n下一行")]
    assert joined(wrap(spans, 6)) == "一二三四 five six\n下一行"


def test_styles_stay_on_their_text() -> None:
    lines = wrap([Span("一二"), Span("三四", "strong")], 6)
    assert [line.spans for line in lines] == [(Span("一二"), Span("三", "strong")), (Span("四", "strong"),)]


def test_code_keeps_every_blank() -> None:
    assert [line.text for line in wrap_exact([Span("  ab    cd")], 4)] == ["  ab", "    ", "cd"]


def test_tabs_go_to_the_next_stop_in_cells() -> None:
    assert expand_tabs([Span("a\t中\tb")]) == [Span("a   中  b")]


def test_truncate() -> None:
    assert truncate("你好世界", 8) == "你好世界"
    assert truncate("你好世界", 7) == "你好世…"
    assert truncate("你好世界", 6) == "你好…"
    assert truncate("abc", 0) == ""


def test_wrap_content_keeps_styles() -> None:
    content = Content("压缩记忆 works").stylize("bold", 2, 4)
    wrapped = wrap_content(content, 6)
    assert wrapped.plain == "压缩记\n忆\nworks"
    bold = [wrapped.plain[span.start : span.end] for span in wrapped.spans if "bold" in str(span.style)]
    assert "".join(bold).replace("\n", "") == "记忆"


ALL_ALONE = "".join(map(chr, range(0x20, 0x10000))).encode("utf-8", "ignore").decode()


def test_characters_that_join_nothing_are_measured_as_any_other() -> None:
    """Each one that the short way takes, between two others."""
    alone = re.findall(f"[{module._ALONE}]", ALL_ALONE)
    assert len(alone) > 20_000
    text = "".join(f"{char}中" for char in alone)
    assert clusters(text) == joined_clusters(text)


MARKS = ("\u0301", "\u3099", "\ufe0f", "\u20e3", "\u200d", "\u1100", "\u1161", "\u302a", "\u00ad", "\u200b")
"""What joins, widens or hides: combining, jamo, joiners, spaces without width."""


@given(
    st.lists(
        st.sampled_from([*"中。a1 …“か👩👧🏽🇨🇳é각©〰㊗", *MARKS, "กำ"]),
        max_size=20,
    ).map("".join)
)
@settings(max_examples=1000, deadline=None)
def test_the_short_way_cuts_as_the_long_one(text: str) -> None:
    if not text.isascii():
        assert clusters(text) == joined_clusters(text)
