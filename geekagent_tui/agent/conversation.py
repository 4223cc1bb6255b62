"""An open session: its turns, the messages that wait, and the way to run the next one.

This is the one place where the state of a session lives. The interface and the command line read it and send it
intents; they never keep a second copy of who said what.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from geekagent_tui.agent.events import Event, Notice, TurnEnd, Usage
from geekagent_tui.agent.history import history
from geekagent_tui.agent.record import TurnLog, TurnRecord
from geekagent_tui.agent.turn import Turn, TurnContext
from geekagent_tui.texts.agent import AgentTexts


class RecordError(Exception):
    """A turn could not be stored. The text is for a person."""


class Keeper(Protocol):
    """Where turns are kept. Raises ``RecordError``; the turn itself goes on."""

    async def begin(self, record: TurnRecord) -> None:
        """Keep a message the moment it is sent or queued, before anything else happens to it. A second call for
        the same record does nothing."""
        ...

    async def take(self, event: Event) -> None:
        """Keep an event; a ``TurnEnd`` is on disk when this returns."""
        ...


class KeepNothing:
    """The keeper of a conversation that is not kept."""

    async def begin(self, record: TurnRecord) -> None:
        return None

    async def take(self, event: Event) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Totals:
    """Tokens over all requests of the session; ``exact`` when the service counted every one of them."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    exact: bool = True


class Conversation:
    """``name`` is the session's; ``context`` builds what a turn works with, anew for every turn."""

    def __init__(
        self,
        name: str,
        records: tuple[TurnRecord, ...],
        *,
        keeper: Keeper,
        context: Callable[[], TurnContext],
        new_id: Callable[[], str],
        now: Callable[[], float],
        texts: AgentTexts,
    ) -> None:
        self.name = name
        self._done = list(records)
        self._spent = Totals()
        for record in records:
            self._spent = _added(self._spent, record.usage)
        self._queue: list[TurnRecord] = []
        self._log: TurnLog | None = None
        self._turn: Turn | None = None
        self._keeper = keeper
        self._context = context
        self._new_id = new_id
        self._now = now
        self._texts = texts
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def records(self) -> tuple[TurnRecord, ...]:
        """All turns in order: ended, running, queued."""
        running = (self._log.record(),) if self._log is not None else ()
        return (*self._done, *running, *self._queue)

    @property
    def running(self) -> bool:
        return self._turn is not None

    @property
    def queued(self) -> int:
        return len(self._queue)

    @property
    def latest(self) -> TurnRecord | None:
        """The turn that runs, else the last one that ran."""
        if self._log is not None:
            return self._log.record()
        return self._done[-1] if self._done else None

    @property
    def totals(self) -> Totals:
        """Tokens of all turns so far, the running one's requests that have ended included."""
        running = self._log.record().usage if self._log is not None else ()
        return _added(self._spent, running)

    def enqueue(self, text: str) -> TurnRecord:
        """Put a message in line. It runs with ``run_next``, at once when nothing else does."""
        record = TurnRecord(self._new_id(), text, self._now())
        self._queue.append(record)
        return record

    async def keep(self, record: TurnRecord) -> str:
        """Store a message that was just put in line. Returns "" or what went wrong, for a person."""
        try:
            await self._keeper.begin(record)
        except RecordError as error:
            return self._texts.record_failed.format(reason=error)
        return ""

    async def keep_queued(self) -> None:
        """Store the messages that wait in line: they come back as not answered."""
        for record in tuple(self._queue):
            await self.keep(record)

    def cancel(self) -> bool:
        """Stop the turn that runs. False when none does."""
        if self._turn is None:
            return False
        self._turn.cancel()
        return True

    async def settle(self) -> None:
        """Wait until no turn runs: the last one's end is stored then."""
        await self._idle.wait()

    async def run_next(self) -> AsyncGenerator[Event, None]:
        """Run the first waiting message and pass its events on, each one stored first. Yields nothing when none
        waits or another turn still runs."""
        if self._turn is not None or not self._queue:
            return
        record = self._queue.pop(0)
        turn = Turn(
            record.id, record.text, history(self._done, self._texts), self._context(), self._asked_before()
        )
        self._turn = turn
        self._idle.clear()
        self._log = TurnLog(replace(record, status="running"))
        warned = bool(await self.keep(record))
        try:
            async with aclosing(turn.events()) as events:
                async for event in events:
                    self._log.apply(event)
                    problem = await self._store(event)
                    if problem and not warned:
                        warned = True
                        notice = Notice(record.id, "error", problem)
                        if not isinstance(event, TurnEnd):
                            self._log.apply(notice)
                        yield notice
                    yield event
        finally:
            record = self._log.record()
            self._done.append(record)
            self._spent = _added(self._spent, record.usage)
            self._turn = None
            self._log = None
            self._idle.set()

    def _asked_before(self) -> str:
        """What recall looked up last: small talk looks nothing up, a "go on" looks up what it carries on."""
        recalls = (record.recall for record in reversed(self._done) if record.recall is not None)
        return next((recall.carried or recall.query for recall in recalls if not recall.silence), "")

    async def _store(self, event: Event) -> str:
        try:
            await self._keeper.take(event)
        except RecordError as error:
            return self._texts.record_failed.format(reason=error)
        return ""


def _added(totals: Totals, usage: tuple[Usage, ...]) -> Totals:
    return Totals(
        totals.prompt_tokens + sum(use.prompt_tokens for use in usage),
        totals.completion_tokens + sum(use.completion_tokens for use in usage),
        totals.exact and all(use.exact for use in usage),
    )
