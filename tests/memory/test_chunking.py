from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.chunking import count_windows, windows
from geekagent_tui.memory.graphemes import is_boundary

CLUSTERED = st.lists(
    st.sampled_from(
        [
            "压",
            "a",
            " ",
            "e\u0301",
            "👍🏽",
            "👨\u200d👩\u200d👧",
            "🇨🇳",
            "🇨",
            "\r\n",
            "\r",
            "\u1112\u1161\u11ab",
        ]
    ),
    max_size=120,
).map("".join)


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (0, []),
        (1, [(0, 1)]),
        (320, [(0, 320)]),
        (321, [(0, 320), (240, 321)]),
        (560, [(0, 320), (240, 560)]),
        (561, [(0, 320), (240, 560), (480, 561)]),
    ],
)
@pytest.mark.parametrize("char", ["a", "压"])
def test_plain_windows(char: str, length: int, expected: list[tuple[int, int]]) -> None:
    assert windows(char * length) == expected


def test_size_and_overlap_are_parameters() -> None:
    assert windows("字" * 1600, 800, 80) == [(0, 800), (720, 1520), (1440, 1600)]


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (80, 80), (10, -1)])
def test_windows_that_never_end_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        windows("abc", size, overlap)


@given(CLUSTERED, st.integers(1, 40), st.data())
def test_every_character_is_covered_in_order(text: str, size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    found = windows(text, size, overlap)
    assert len(found) == count_windows(text, size, overlap)
    reached = 0
    last = -1
    for number, (start, end) in enumerate(found):
        planned = number * (size - overlap)
        assert last < start <= min(reached, planned)
        assert start < end <= planned + size
        reached = max(reached, end)
        last = start
    assert reached == len(text)


@given(CLUSTERED)
def test_no_window_cuts_a_cluster(text: str) -> None:
    for start, end in windows(text, 24, 6):
        assert is_boundary(text, start)
        assert is_boundary(text, end)


def test_a_cut_moves_back_to_the_start_of_the_cluster() -> None:
    family = "👨\u200d👩\u200d👧"
    text = "字" * 238 + family + "字" * 75 + family + "字" * 40
    assert windows(text)[:2] == [(0, 318), (238, len(text))]


def test_one_cluster_longer_than_a_window_is_cut_hard() -> None:
    text = "a" + "\u0301" * 3999
    found = windows(text)
    assert found[0] == (0, 320)
    assert found[-1][1] == 4000
    assert len(found) == count_windows(text)
