from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.classic.analysis import (
    normalise,
    query_keywords,
    query_terms,
    source_offsets,
    spans_of,
    terms,
)
from tests.memory import plain

MIXED = st.text(alphabet="历史压缩的了aB1 \t\n\u3000_-İΣ。🙂e\u0301カ", max_size=60)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("历史压缩", ["历史", "史压", "压缩"]),
        ("MAX_HISTORY_CHARS", ["max", "history", "chars"]),
        ("猫", ["猫"]),
        ("我用 git2 吗？", ["我用", "git2", "吗"]),
        ("prod环境", ["prod", "环境"]),
        ("，。！ ー é", []),
        ("𠮷野家〇", ["𠮷野", "野家", "家〇"]),
        ("", []),
    ],
)
def test_terms(text: str, found: list[str]) -> None:
    assert terms(text) == found


def test_stop_words_leave_a_query_and_repeats_stay() -> None:
    assert query_terms("的 json 一个 json 我们") == ["json", "json"]


def test_keywords_are_taken_as_they_are() -> None:
    assert query_keywords("  GEN-itgc\t历史压缩 的　？ ") == ["gen-itgc", "历史压缩", "？"]


@given(MIXED)
def test_normalise_is_the_plain_definition(text: str) -> None:
    assert normalise(text) == plain.normalise(text).lower()


def test_white_space_is_folded_and_kept_at_the_ends() -> None:
    assert normalise("  A\t\n b\u3000") == " a b "


@given(MIXED, st.text(alphabet="历史压缩aİ ", min_size=1, max_size=3))
def test_spans_lie_on_what_matched(text: str, wanted: str) -> None:
    term = normalise(wanted)
    spans = spans_of(term, normalise(text), source_offsets(text, normalise(text)))
    assert len(spans) == normalise(text).count(term)
    for start, end in spans:
        assert term in normalise(text[start:end])
    assert spans == sorted(spans)


def test_spans_count_in_the_text_as_written() -> None:
    text = "İx  历史"
    spans = spans_of("历史", normalise(text), source_offsets(text, normalise(text)))
    assert [text[start:end] for start, end in spans] == ["历史"]


def test_a_run_that_shrinks_and_a_letter_that_grows_do_not_cancel_out() -> None:
    text = "  猫 İ"
    spans = spans_of("猫", normalise(text), source_offsets(text, normalise(text)))
    assert [text[start:end] for start, end in spans] == ["猫"]


def test_only_one_letter_grows() -> None:
    assert [char for char in map(chr, range(0x110000)) if len(char.lower()) != 1] == ["\u0130"]
