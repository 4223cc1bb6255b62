"""Keeps a conversation's turns in the session store while they run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from geekagent_tui.agent.conversation import RecordError
from geekagent_tui.agent.events import (
    Event,
    ReasoningDelta,
    TextDelta,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
)
from geekagent_tui.agent.record import Status, TurnRecord
from geekagent_tui.agent.sessions import SessionError, SessionStore

FLUSH_SECONDS = 0.5
FLUSH_CHARACTERS = 4_096
"""A crash loses at most so much of an answer that streams."""


class SessionKeeper:
    """The keeper of one session. Text is gathered and written at every other event, and at the limits above, so that
    a fast stream does not become thousands of commits. ``clock`` counts seconds."""

    def __init__(self, store: SessionStore, name: str, clock: Callable[[], float]) -> None:
        self._store = store
        self._name = name
        self._clock = clock
        self._pending: list[Event] = []
        self._characters = 0
        self._flushed = clock()

    async def begin(self, record: TurnRecord) -> None:
        await self._call(self._store.begin_turn, self._name, record)

    async def take(self, event: Event) -> None:
        if isinstance(event, TextDelta | ReasoningDelta):
            self._gather(event)
            due = self._clock() - self._flushed >= FLUSH_SECONDS
            if not due and self._characters < FLUSH_CHARACTERS:
                return
        else:
            self._pending.append(event)
        events, self._pending = self._pending, []
        self._characters = 0
        self._flushed = self._clock()
        status = _ending(event) if isinstance(event, TurnEnd) else None
        try:
            await self._call(lambda: self._store.append(event.turn, events, status=status))
        except RecordError:
            # Not written: kept, so that the next try writes all of it.
            self._pending = [*events, *self._pending]
            raise

    def _gather(self, event: TextDelta | ReasoningDelta) -> None:
        self._characters += len(event.text)
        last = self._pending[-1] if self._pending else None
        if isinstance(last, TextDelta) and isinstance(event, TextDelta):
            self._pending[-1] = TextDelta(event.turn, last.text + event.text)
        elif isinstance(last, ReasoningDelta) and isinstance(event, ReasoningDelta):
            self._pending[-1] = ReasoningDelta(event.turn, last.text + event.text)
        else:
            self._pending.append(event)

    async def _call(self, work: Callable[..., None], *arguments: object) -> None:
        try:
            await asyncio.to_thread(work, *arguments)
        except SessionError as error:
            raise RecordError(str(error)) from error


def _ending(event: TurnEnd) -> Status:
    match event:
        case TurnFinished():
            return "finished"
        case TurnFailed():
            return "failed"
        case TurnCancelled():
            return "cancelled"
