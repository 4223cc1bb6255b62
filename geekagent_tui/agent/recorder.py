"""Keeps a conversation's turns in the session store while they run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from geekagent_tui.agent.conversation import RecordError
from geekagent_tui.agent.events import (
    Event,
    ReasoningDelta,
    TextDelta,
    ToolProgress,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
)
from geekagent_tui.agent.record import Status, TurnRecord
from geekagent_tui.agent.sessions import SessionError, SessionStore, TurnGoneError

FLUSH_SECONDS = 0.5
FLUSH_CHARACTERS = 4_096
"""A crash loses at most so much of an answer that streams."""


@dataclass(slots=True)
class _Batch:
    """What is not on disk yet: messages that have not begun there, and events by turn. ``problem`` says why."""

    records: dict[str, TurnRecord] = field(default_factory=dict)
    events: dict[str, list[Event]] = field(default_factory=dict)
    problem: str = ""
    final: bool = False


class SessionKeeper:
    """The keeper of one session. Text is gathered and written at every other event, and at the limits above, so that
    a fast stream does not become thousands of commits. What can't be written is kept, and written with the next event
    that can. ``clock`` counts seconds."""

    def __init__(self, store: SessionStore, name: str, clock: Callable[[], float]) -> None:
        self._store = store
        self._name = name
        self._clock = clock
        self._waiting = _Batch()
        self._writing = asyncio.Lock()
        self._characters = 0
        self._flushed = clock()

    async def begin(self, record: TurnRecord) -> None:
        self._waiting.records[record.id] = record
        await self._write()

    async def take(self, event: Event) -> None:
        if isinstance(event, ToolProgress):
            return
        self._gather(event)
        if isinstance(event, TextDelta | ReasoningDelta):
            due = self._clock() - self._flushed >= FLUSH_SECONDS
            if not due and self._characters < FLUSH_CHARACTERS:
                return
        self._characters = 0
        self._flushed = self._clock()
        await self._write()

    async def again(self) -> None:
        if self._waiting.records or self._waiting.events:
            await self._write()

    def _gather(self, event: Event) -> None:
        events = self._waiting.events.setdefault(event.turn, [])
        last = events[-1] if events else None
        if isinstance(event, TextDelta | ReasoningDelta):
            self._characters += len(event.text)
        if isinstance(last, TextDelta) and isinstance(event, TextDelta):
            events[-1] = TextDelta(event.turn, last.text + event.text)
        elif isinstance(last, ReasoningDelta) and isinstance(event, ReasoningDelta):
            events[-1] = ReasoningDelta(event.turn, last.text + event.text)
        else:
            events.append(event)

    async def _write(self) -> None:
        # One at a time: a message put in line while a turn streams must not overtake the turn's events.
        async with self._writing:
            batch, self._waiting = self._waiting, _Batch()
            left = await asyncio.to_thread(self._store_batch, batch)
            # What came meanwhile goes behind what is left.
            came = self._waiting
            self._waiting = _Batch(left.records | came.records, left.events)
            for turn, events in came.events.items():
                self._waiting.events.setdefault(turn, []).extend(events)
        if left.problem:
            raise RecordError(left.problem, final=left.final)

    def _store_batch(self, batch: _Batch) -> _Batch:
        """Write what can be written; returns the rest. Runs in a thread."""
        left = _Batch()
        for turn, record in batch.records.items():
            try:
                self._store.begin_turn(self._name, record)
            except SessionError as error:
                left.records[turn], left.problem = record, str(error)
        for turn, events in batch.events.items():
            if turn in left.records:
                left.events[turn] = events
                continue
            try:
                self._store.append(turn, events, status=_status(events))
            except TurnGoneError as error:
                # Removed on purpose: nothing to try again.
                left.problem, left.final = str(error), not left.records and not left.events
            except SessionError as error:
                left.events[turn], left.problem, left.final = events, str(error), False
        return left


def _status(events: Sequence[Event]) -> Status | None:
    last = events[-1]
    return _ending(last) if isinstance(last, TurnEnd) else None


def _ending(event: TurnEnd) -> Status:
    match event:
        case TurnFinished():
            return "finished"
        case TurnFailed():
            return "failed"
        case TurnCancelled():
            return "cancelled"
