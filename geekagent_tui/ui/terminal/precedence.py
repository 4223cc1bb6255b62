"""Keys before answers: what one types is on the screen before more of an answer is drawn.

Textual paints at most sixty times a second, and whatever stands in its queues takes its turn: while an answer
streams, a key waits for the frame that is being made and then for the next one. Here its echo is painted as soon as it
is there, and frames of the answer stand back meanwhile, and come less often for as long as one types.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

_PATIENCE = 0.06
"""Seconds that a key is waited for. Not every key is seen."""

_TYPING = 0.6
"""Seconds after a key in which one still types."""

_APART = 1 / 60
"""Seconds between two echoes painted at once: a burst of keys waits for Textual's own frames."""


class Precedence:
    """Knows whether a key is on its way to the screen. ``clock`` counts seconds."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._came = float("-inf")
        self._shown = True
        self._painted = float("-inf")

    def came(self) -> None:
        """A key or a paste has arrived."""
        self._came = self._clock()
        self._shown = False

    def shown(self) -> None:
        """What it did is on the screen."""
        self._shown = True
        self._painted = self._clock()

    @property
    def paints(self) -> bool:
        """Whether its echo is to be painted at once."""
        return self.waiting and self._clock() - self._painted >= _APART

    @property
    def waiting(self) -> bool:
        """Whether a key is not on the screen yet, and will be in a moment."""
        return not self._shown and self._clock() - self._came < _PATIENCE

    @property
    def typing(self) -> bool:
        """Whether somebody is typing."""
        return self._clock() - self._came < _TYPING


class KeysFirstApp(App[int]):
    """Notes when keys come."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.precedence = Precedence()
        self._passing: Widget | None = None

    def keys_pass(self, widget: Widget) -> None:
        """``widget`` hands on the keys that come to it from now on. New ones go behind those it still has."""
        self._passing = widget

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self.precedence.came()
            if isinstance(event, events.Key) and self._behind_others(event):
                return
        await super().on_event(event)

    def _behind_others(self, event: events.Key) -> bool:
        """Put a key that writes behind those that are still being handed on; False when there are none."""
        passing = self._passing
        if passing is None or not (event.is_printable or event.key in ("enter", "backspace")):
            return False
        if passing.message_queue_size and passing.post_message(events.Key(event.key, event.character)):
            return True
        self._passing = None
        return False


class KeysFirstScreen(Screen[None]):
    """Paints at once what a key did to the focused widget, instead of at the next frame."""

    def on_idle(self) -> None:
        app = self.app
        if not isinstance(app, KeysFirstApp) or not app.precedence.paints or not self.is_current:
            return
        focused: Widget | None = self.focused
        if focused is not None and (focused in self._dirty_widgets or self._layout_required):
            app.precedence.shown()
            self._on_timer_update()
