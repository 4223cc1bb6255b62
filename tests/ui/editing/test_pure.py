"""Folds, stops, words and rows: what needs no widget."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.editing.folds import Folds, is_long_paste
from geekagent_tui.ui.editing.rows import row_starts
from geekagent_tui.ui.editing.stops import following, previous, snap
from geekagent_tui.ui.editing.words import chinese_runs, word_left, word_right

FAMILY = "👨‍👩‍👧"


def test_a_label_says_how_much_and_stands_for_its_text() -> None:
    folds = Folds(ZH)
    lines, characters = "\n".join(["x"] * 1234), "y" * 200_000
    assert (one := folds.fold(lines)) == "[粘贴 1,234 行]"
    assert (two := folds.fold(characters)) == "[粘贴 200,000 字]"
    assert folds.fold(lines) == one
    assert (other := folds.fold("\n".join(["z"] * 1234))) == "[粘贴 1,234 行 #2]"
    assert folds.unfold(f"a {one}{two} b {other}") == f"a {lines}{characters} b " + "\n".join(["z"] * 1234)


def test_what_comes_out_of_a_label_is_not_unfolded_again() -> None:
    folds = Folds(ZH)
    inner = folds.fold("\n" * 20)
    outer = folds.fold(f"{inner}\n" * 30)
    assert folds.unfold(outer) == f"{inner}\n" * 30


@pytest.mark.parametrize(
    ("text", "long"), [("x" * 1000, False), ("x" * 1001, True), ("\n" * 9, False), ("\n" * 10, True)]
)
def test_what_is_folded(text: str, long: bool) -> None:
    assert is_long_paste(text) is long


def test_the_cursor_steps_over_graphemes_and_labels() -> None:
    line = f"a{FAMILY}é[xx]b"
    label = (line.index("["), line.index("]") + 1)
    column, seen = 0, [0]
    while column < len(line):
        column = following(line, column, [label])
        seen.append(column)
    assert [line[a:b] for a, b in pairwise(seen)] == ["a", FAMILY, "é", "[xx]", "b"]
    back = [len(line)]
    while back[-1]:
        back.append(previous(line, back[-1], [label]))
    assert back[::-1] == seen
    assert snap(line, label[0] + 2, [label], forward=True) == label[1]
    assert snap(line, label[0] + 2, [label], forward=False) == label[0]


def test_words_by_characters_never_take_a_sentence() -> None:
    line = "把 config.json 里的阈值，改成4000 "
    stops, column = [], len(line)
    while column:
        column = word_left(line, column)
        stops.append(line[column:])
    assert [piece.strip() for piece in stops[:4]] == ["4000", "成4000", "改成4000", "，改成4000"]
    assert all(len(a) - len(b) <= len("config") + 1 for a, b in zip(stops[1:], stops, strict=False))


def test_words_with_a_segmenter() -> None:
    def cut(run: str) -> list[str]:
        return {"历史压缩放在第五天": ["历史", "压缩", "放在", "第五天"]}[run]

    line = "历史压缩放在第五天 ok"
    assert [word_left(line, at, cut) for at in (12, 10, 9, 6, 3)] == [10, 6, 6, 4, 2]
    assert [word_right(line, at, cut) for at in (0, 2, 3, 9)] == [2, 4, 4, 12]


@given(st.text(st.sampled_from("ab 你好，。_-\t👍"), max_size=30), st.integers(0, 30))
def test_word_steps_always_get_on(line: str, at: int) -> None:
    at = min(at, len(line))
    assert word_left(line, at) < at or at == 0
    assert word_right(line, at) > at or at == len(line)


def test_the_runs_a_segmenter_is_asked_about() -> None:
    assert chinese_runs("a 你好，b世界 한국 かな") == ["你好", "世界", "かな"]


def rows(line: str, width: int, folded: tuple[tuple[int, int], ...] = ()) -> list[str]:
    starts = [0, *row_starts(line, width, folded=folded), len(line)]
    return [line[a:b] for a, b in pairwise(starts)]


def test_chinese_breaks_anywhere_latin_at_blanks() -> None:
    assert rows("hello 你好世界很长", 11) == ["hello 你好", "世界很长"]
    assert rows("one two three", 8) == ["one two ", "three"]
    assert rows("a" * 12, 5) == ["a" * 5, "a" * 5, "aa"]


def test_a_row_does_not_begin_with_a_closing_mark() -> None:
    assert rows("一二三四，五六", 8) == ["一二三", "四，五六"]


def test_a_label_stays_in_one_row_if_it_can() -> None:
    line = "看 [粘贴 1,234 行] 吧"
    span = (line.index("["), line.index("]") + 1)
    assert rows(line, 18, (span,)) == ["看 ", "[粘贴 1,234 行] 吧"]
    assert "".join(rows(line, 6, (span,))) == line


@given(st.text(st.sampled_from("ab 你好，。（「é👍\u200d👩"), max_size=60), st.integers(2, 20))
def test_rows_fit_and_lose_nothing(line: str, width: int) -> None:
    broken = rows(line, width)
    assert "".join(broken) == line
    assert all(cell_len(row) <= width or len(row) <= 8 for row in broken)
