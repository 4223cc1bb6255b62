"""Only what is in sight is laid out, and what is read stays where it is."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.ui.transcript.column import Column, Place
from geekagent_tui.ui.transcript.lines import Line, Span
from geekagent_tui.ui.transcript.turn_view import Item, Rows


class Stub:
    """An item of ``true`` rows that guesses ``guess``."""

    def __init__(self, name: int, true: int, guess: int) -> None:
        self.name, self.true, self.guess = name, true, guess
        self.laid = 0

    def rows(self, width: int) -> Rows:
        self.laid += 1
        return Rows([Line((Span(f"{self.name}.{row}"),)) for row in range(self.true)], [0])

    def estimate(self, width: int) -> int:
        return self.guess

    def release(self) -> None:
        return None


def column(*sizes: tuple[int, int]) -> tuple[Column, list[Stub]]:
    stubs = [Stub(at, true, guess) for at, (true, guess) in enumerate(sizes)]
    made = Column()
    items: list[Item] = list(stubs)
    made.set_items(items)
    return made, stubs


def shown(made: Column, row: int, height: int) -> list[str]:
    found = [made.locate(at) for at in range(row, row + height)]
    lines = [made.line(*each) for each in found if each is not None]
    return [line.text for line in lines if line is not None]


def test_the_end_lays_out_the_end_alone() -> None:
    made, stubs = column(*[(5, 3)] * 2_000)
    row = made.settle(20, None)
    assert shown(made, row, 20)[-1] == "1999.4"
    assert sum(stub.laid > 0 for stub in stubs) <= 6


def test_going_up_by_a_line_shows_the_line_before() -> None:
    made, _ = column((9, 2), (9, 2), (9, 2))
    row = made.settle(9, Place(2, 0, 0))
    assert shown(made, row, 1) == ["2.0"]
    row = made.settle(9, made.place(row), -1)
    assert shown(made, row, 2) == ["1.8", "2.0"]


@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=30),
    st.lists(st.integers(-9, 9), max_size=30),
    st.integers(1, 15),
)
@settings(max_examples=200, deadline=None)
def test_scrolling_moves_by_what_it_says(sizes: list[tuple[int, int]], steps: list[int], height: int) -> None:
    """Each row on the screen before a step is ``step`` rows off after it, whatever the guesses were."""
    made, stubs = column(*sizes)
    row = made.settle(height, None)
    every = [f"{stub.name}.{at}" for stub in stubs for at in range(stub.true)]
    for wanted in steps:
        step = max(-height, min(wanted, height))
        before = every.index(shown(made, row, 1)[0])
        row = made.settle(height, made.place(row), step)
        expected = max(0, min(before + step, len(every) - height))
        assert shown(made, row, height) == every[expected : expected + height]


def test_a_place_survives_what_happens_above() -> None:
    made, stubs = column((3, 3), (3, 3), (4, 4))
    row = made.settle(4, Place(2, 0, 1))
    place = made.place(row)
    stubs[0].true = 30
    made.touch(0)
    assert place is not None
    row = made.settle(4, place)
    assert shown(made, row, 1) == ["2.0"]
    made.remove(0)
    assert made.height == 7


def test_what_was_out_of_sight_longest_is_released() -> None:
    made, stubs = column(*[(2, 2)] * 600)
    released: list[int] = []
    for stub in stubs:
        stub.release = lambda name=stub.name: released.append(name)  # type: ignore[method-assign,misc]  # a spy
    for row in range(0, 1_200, 10):
        made.settle(10, made.place(row))
    assert released[:3] == [0, 1, 2]
    assert len(released) > 400
    assert made.height == 1_200
