"""Bytes of a terminal, cut into keys and what came whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.ui.terminal.splitter import InputSplitter, Typed, Whole


def composed(text: str, *, key: str = "0", modifiers: str = "") -> str:
    """What the kitty protocol sends for an input method's text."""
    return f"\x1b[{key};{modifiers};{':'.join(str(ord(char)) for char in text)}u"


def all_of(*reads: str, gap: float = 0.001) -> list[Typed | Whole]:
    """Every piece of these reads, ``gap`` seconds apart, and what is let go when all is quiet; typed text joined."""
    splitter = InputSplitter()
    pieces: list[Typed | Whole] = []
    now = 0.0
    for read in reads:
        pieces += splitter.due(now)
        pieces += splitter.feed(read, now)
        now += gap
    pieces += splitter.due(now + 1)
    joined: list[Typed | Whole] = []
    for piece in pieces:
        if isinstance(piece, Typed) and joined and isinstance(joined[-1], Typed):
            joined[-1] = Typed(joined[-1].data + piece.data)
        else:
            joined.append(piece)
    return joined


@pytest.mark.parametrize("text", ["你好", "有很大差别", "中" * 400, "👨‍👩‍👧 家人", "𠮷野家の牛丼を食べる"])
@pytest.mark.parametrize("key", ["0", "32"])
def test_an_input_method_s_text_of_any_length_is_one_piece(text: str, key: str) -> None:
    assert all_of(composed(text, key=key)) == [Whole(text)]


def test_single_keys_of_the_kitty_protocol_stay_keys() -> None:
    data = "\x1b[97;;97u\x1b[13;2u\x1b[27u"
    assert all_of(data) == [Typed(data)]


def test_composed_text_between_keys_keeps_its_place() -> None:
    assert all_of("a" + composed("你好世界啊") + "\x1b[A") == [
        Typed("a"),
        Whole("你好世界啊"),
        Typed("\x1b[A"),
    ]


@given(st.integers(1, 60))
def test_a_sequence_cut_by_a_read_is_put_together(at: int) -> None:
    data = composed("我需要中文打字啊")
    cut = 2 + at % (len(data) - 3)
    assert all_of(data[:cut], data[cut:]) == [Whole("我需要中文打字啊")]


def test_a_beginning_that_nothing_follows_is_let_go() -> None:
    splitter = InputSplitter()
    assert splitter.feed("\x1b[1", 5.0) == []
    assert splitter.wait(5.0) == pytest.approx(0.1)
    assert splitter.due(5.05) == []
    assert splitter.due(5.11) == [Typed("\x1b[1")]
    assert splitter.wait(5.2) is None


def test_code_points_that_are_no_text_are_left_out() -> None:
    assert all_of("\x1b[0;;20320:7:55296:1114112:22909u") == [Whole("你好")]


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r\x1b"), max_size=80), st.data()
)
def test_a_bracketed_paste_in_random_reads_is_one_piece(text: str, data: st.DataObject) -> None:
    stream = f"a\x1b[200~{text}\x1b[201~b"
    cuts = sorted(data.draw(st.lists(st.integers(9, len(stream)), max_size=5)))
    reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert all_of(*reads) == [Typed("a"), Whole(text), Typed("b")]


def test_a_paste_may_hold_sequences_and_both_newlines() -> None:
    assert all_of("\x1b[200~\x1b[31mred\x1b[0m\r\nnext\rlast\x1b[201~") == [
        Whole("\x1b[31mred\x1b[0m\nnext\nlast")
    ]


@pytest.mark.parametrize(
    "reads",
    [
        ("first\rsecond\rthird",),
        ("first\r", "second\r", "third"),
        ("fir", "st\rsec", "ond\rthird"),
        ("first\r\nsecond\r\nthird",),
    ],
)
def test_a_paste_without_brackets_does_not_send_its_first_line(reads: tuple[str, ...]) -> None:
    pieces = all_of(*reads)
    text = "".join(piece.text if isinstance(piece, Whole) else piece.data for piece in pieces)
    assert text == "first\nsecond\nthird"
    assert not any("\r" in piece.data for piece in pieces if isinstance(piece, Typed))


def test_a_long_line_without_brackets_is_one_piece() -> None:
    assert all_of("长" * 3000, "文" * 3000) == [Whole("长" * 3000 + "文" * 3000)]


@pytest.mark.parametrize(
    "reads", [("h", "i", "\r"), ("hi\r",), ("\r",), ("jjjj",), ("你好世界",), ("hi", "\r")]
)
def test_what_is_typed_stays_typed(reads: tuple[str, ...]) -> None:
    assert all_of(*reads, gap=0.2) == [Typed("".join(reads))]


def test_one_line_and_enter_waits_only_until_it_is_quiet() -> None:
    splitter = InputSplitter()
    assert splitter.feed("hi\r", 1.0) == []
    assert splitter.wait(1.0) == pytest.approx(0.05)
    assert splitter.due(1.06) == [Typed("hi\r")]


def test_a_key_ends_a_burst() -> None:
    assert all_of("one\rtwo", "\x1b[A") == [Whole("one\ntwo"), Typed("\x1b[A")]


def test_a_line_end_that_two_reads_share_is_one() -> None:
    assert all_of("1\r", "2\r", "\n\x1b[A") == [Whole("1\n2\n"), Typed("\x1b[A")]


@given(st.lists(st.text(st.sampled_from("ab你\r\n\t \x1b[;:1u~M\x01"), max_size=12), max_size=8))
def test_nothing_typed_is_lost_or_reordered(reads: list[str]) -> None:
    shown = "".join(piece.text if isinstance(piece, Whole) else piece.data for piece in all_of(*reads))
    # Whether line ends in two reads are one or two depends on the time between them: that is tested above.
    assert re.sub("[\r\n]+", "\n", shown) == re.sub("[\r\n]+", "\n", "".join(reads))
