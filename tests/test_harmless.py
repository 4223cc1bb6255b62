"""Text that a terminal could act on is shown, not obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.harmless import harmless

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain", "plain"),
        ("压缩 👨‍👩‍👧 e\u0301 naïve", "压缩 👨‍👩‍👧 e\u0301 naïve"),
        ("line\nnext\tcolumn", "line\nnext\tcolumn"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\x00b\rc\x7f", "a␀b␍c␡"),
        ("\x9b31m\x85", "\ufffd31m\ufffd"),
        ("\ud800\udfff", "\ufffd\ufffd"),
        ("[/] [a=1,b=2] [/some/path]", "[/] [a=1,b=2] [/some/path]"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert harmless(text) == shown


@pytest.mark.parametrize("mark", BIDI, ids=lambda mark: f"U+{ord(mark):04X}")
def test_no_mark_reorders_what_stands_beside_it(mark: str) -> None:
    assert harmless(f"a{mark}b") == "a\ufffdb"


@given(st.text(st.characters(codec=None)))
def test_nothing_dangerous_is_left_and_offsets_hold(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert not {c for c in shown if unicodedata.category(c) in ("Cc", "Cs")} - {"\n", "\t"}
    assert not set(shown) & set(BIDI)
    assert harmless(shown) == shown
    shown.encode("utf-8")
