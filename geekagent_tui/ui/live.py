"""The recall of the draft: what would go in if one sent now, a moment after the last key.

Asked in a thread, one after another; an answer about a text that is no longer there is dropped. Nothing is drawn here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from geekagent_tui.agent.recalling import Preview
    from geekagent_tui.memory.steering import Passage
    from geekagent_tui.ui.driver import Driver

QUIET_SECONDS = 0.06
"""Silence on the keys after which the draft is looked up."""

LONGEST = 8_000
"""Characters of a draft that is looked up while it is written. A longer one is a paste; sending looks it up."""


class Timer(Protocol):
    def stop(self) -> None: ...


class Live:
    """``text`` gives the draft as it would be sent ("" for none, or for a command); ``show`` is told every new preview,
    None when there is none any more; ``after`` starts a timer (seconds), ``start`` a worker that replaces the one
    before."""

    def __init__(
        self,
        driver: Driver,
        text: Callable[[], str],
        show: Callable[[Preview | None], None],
        after: Callable[[float, Callable[[], None]], Timer],
        start: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._driver = driver
        self._text = text
        self._show = show
        self._after = after
        self._start = start
        self._timer: Timer | None = None
        self._number = 0
        self._over = True
        self.preview: Preview | None = None
        self.excluded: tuple[Passage, ...] = ()

    def typed(self, *, empty: bool) -> None:
        """The draft changed; ``empty`` when there is nothing to look up now."""
        self._number += 1
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if empty:
            # What was taken out counts until the message is sent or another one begun: sending empties the draft first.
            self._over = True
            self._show(None)
            return
        if self._over:
            self._over = False
            self.preview, self.excluded = None, ()
        self._timer = self._after(QUIET_SECONDS, self.look)

    def look(self) -> None:
        """Look the draft up now."""
        self._number += 1
        text = self._text()
        if not text or self._over:
            return
        if len(text) > LONGEST or self._driver.workspace is None or self._driver.conversation is None:
            self.preview = None
            self._show(None)
            return
        self._start(self._looked(text, self._number))

    async def _looked(self, text: str, number: int) -> None:
        workspace, conversation = self._driver.workspace, self._driver.conversation
        assert workspace is not None
        assert conversation is not None
        choices, excluded = self._driver.choices, self.excluded
        previous = conversation.asked_before

        def ask() -> Preview:
            return workspace.recaller(choices, excluded=excluded).preview(text, previous)

        found = await asyncio.to_thread(ask)
        if number == self._number:
            self.preview = found
            self._show(found)

    def take_out(self, passage: Passage) -> bool:
        """Take ``passage`` out of the message being written, or put it back. True when it is out now."""
        left = tuple(each for each in self.excluded if not _meet(each, passage))
        out = len(left) == len(self.excluded)
        self.excluded = (*self.excluded, passage) if out else left
        self.look()
        return out

    def sent(self, text: str) -> tuple[tuple[Passage, ...], Preview | None]:
        """What belongs to the message that is sent now: what was taken out, and what was shown for it."""
        seen = self.preview if self.preview is not None and self.preview.query == text else None
        out = self.excluded
        self.preview, self.excluded, self._over = None, (), True
        return out, seen


def _meet(one: Passage, other: Passage) -> bool:
    return one.entry == other.entry and one.first <= other.last and other.first <= one.last
