"""What one types is on the screen before more of an answer is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from geekagent_tui.agent.events import TextDelta
from geekagent_tui.ui.terminal.precedence import Precedence
from tests.support.app import Home, chat_of, composer, ready, screen_text, transcript
from tests.ui.transcript.shared import running


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_key_is_waited_for_until_it_is_shown_or_for_a_moment() -> None:
    clock = Clock()
    keys = Precedence(clock)

    def state() -> tuple[bool, bool, bool]:
        return keys.waiting, keys.paints, keys.typing

    assert state() == (False, False, False)
    keys.came()
    assert state() == (True, True, True)
    keys.shown()
    assert state() == (False, False, True)
    keys.came()
    assert state() == (True, False, True), "a burst of keys is not painted key by key"
    clock.now += 0.05
    assert state() == (True, True, True)
    clock.now += 0.05
    assert state() == (False, False, True), "a key that changes nothing must not hold answers up"
    clock.now += 1.0
    assert state() == (False, False, False)


async def test_a_frame_of_an_answer_stands_back_for_a_key(home: Home) -> None:
    async with home.app().run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        app, view = chat_of(pilot).geekagent, transcript(pilot)
        app.precedence = Precedence(Clock(1.0))
        view.add(running("t"))
        app.precedence.came()
        view.apply(TextDelta("t", "later"))
        view._frame()
        assert view._timer is not None
        assert "later" not in "".join(line.text for line in view.column.items[-1].rows(60).lines)
        app.precedence.shown()
        view._frame()
        assert "later" in "".join(line.text for line in view.column.items[-1].rows(60).lines)


async def test_an_echo_does_not_wait_for_the_next_frame(home: Home) -> None:
    """Textual's own frames never come here, and still each key is on the screen."""
    async with home.app().run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await pilot.pause()
        now = [1.0]
        chat_of(pilot).geekagent.precedence = Precedence(lambda: now[0])
        composer(pilot).focus()
        await pilot.pause()
        screen = chat_of(pilot)
        screen._update_timer.resume = lambda: None  # type: ignore[method-assign]
        painted: list[str] = []
        paint = screen._on_timer_update

        def painting() -> None:
            paint()
            painted.append(composer(pilot).text)

        screen._on_timer_update = painting  # type: ignore[method-assign]
        for char in "abc":
            now[0] += 1
            await pilot.press(char)
        assert list(dict.fromkeys(painted)) == ["a", "ab", "abc"]
        assert "abc" in screen_text(pilot.app)
