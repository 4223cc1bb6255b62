"""The answers of a dialog, and what becomes of the keys behind one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from geekagent_tui.ui.terminal.precedence import KeysFirstApp


class Answers(OptionList):
    """What is typed behind the answer that was given is not the list's any more: it goes to who has the focus then, in
    the order it was typed. ``keys`` are answers by their place; ``answer`` gets the place and the key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # A few answers need no pages; what they are about does.
        Binding("pagedown", "screen.scroll(1)", show=False),
        Binding("pageup", "screen.scroll(-1)", show=False),
    ]

    def __init__(
        self, answers: Sequence[str], keys: Mapping[str, int], answer: Callable[[int, str], None]
    ) -> None:
        super().__init__(*answers, markup=False, compact=True)
        self._keys = keys
        self._answer = answer
        self.given = False

    async def on_event(self, event: events.Event) -> None:
        # Before bindings: those run after a key's way through all parents, when the next ones are here already.
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif self.given:
            event.stop()
            below = self.app.focused
            if below is not None and below is not self:
                below.post_message(events.Key(event.key, event.character))
        elif event.key in self._keys or event.key == "enter":
            event.stop()
            at = self.highlighted if event.key == "enter" else self._keys[event.key]
            if at is not None:
                self.give(at, event.key)
        else:
            await super().on_event(event)

    def give(self, at: int, key: str = "enter") -> None:
        """Give an answer; a second one changes nothing."""
        if not self.given:
            self.given = True
            app = self.app
            if isinstance(app, KeysFirstApp):
                app.keys_pass(self)
            self._answer(at, key)
