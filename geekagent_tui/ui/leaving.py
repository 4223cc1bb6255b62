"""Leaving in order: what was typed before the key that quits comes first, and a signal is the same way out."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress

from textual.message import Message
from textual.widget import Widget

_PATIENCE = 2.0
"""Seconds that keys already typed may take. They take milliseconds; a screen that hangs must not keep one in."""

_SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
"""Ctrl+C is a key here; SIGINT comes from ``kill -INT`` alone."""


class Passed(Message):
    """Goes the way that messages of a widget go, behind those that are on it. The screen calls ``seen`` for it."""

    def __init__(self, seen: Callable[[], None]) -> None:
        super().__init__()
        self.seen = seen


async def keys_done(widget: Widget) -> None:
    """Wait until ``widget`` has worked off the keys it was given, and the screen what came of them.

    The key that quits is taken by the app at once, while keys typed before it still wait in the focused widget.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            # The first one comes behind the keys, the second behind the messages that they led to.
            for _ in range(2):
                seen = asyncio.Event()
                if not widget.post_message(Passed(seen.set)):
                    return
                await seen.wait()


def on_signals(leave: Callable[[int], Awaitable[None]]) -> Callable[[], None]:
    """Call ``leave`` with the exit code when a signal asks the program to end. Returns what undoes this.

    The second signal of a kind ends the program as it would without us.
    """
    loop = asyncio.get_running_loop()
    leaving: set[asyncio.Future[None]] = set()
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]

    def came(number: int) -> None:
        loop.remove_signal_handler(number)
        task = asyncio.ensure_future(leave(128 + number))
        leaving.add(task)
        task.add_done_callback(leaving.discard)

    def undo() -> None:
        for number in numbers:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)

    for number in numbers:
        # Not on Windows, and only in the main thread.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, came, number)
    return undo
