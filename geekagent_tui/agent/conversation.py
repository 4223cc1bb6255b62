"""An open session: its turns, the messages that wait, and the way to run the next one.

This is the one place where the state of a session lives. The interface and the command line read it and send it
intents; they never keep a second copy of who said what.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from geekagent_tui.agent.events import Event, Notice, TurnEnd, Usage
from geekagent_tui.agent.history import history
from geekagent_tui.agent.record import TurnLog, TurnRecord
from geekagent_tui.agent.turn import Turn, TurnContext
from geekagent_tui.texts.agent import AgentTexts


class RecordError(Exception):
    """A turn could not be stored. The text is for a person; ``final`` when there is no use in trying again."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final


class Keeper(Protocol):
    """Where turns are kept. Raises ``RecordError``; the turn itself goes on."""

    async def begin(self, record: TurnRecord) -> None:
        """Keep a message the moment it is sent or queued, before anything else happens to it. A second call for
        the same record does nothing."""
        ...

    async def take(self, event: Event) -> None:
        """Keep an event; a ``TurnEnd`` is on disk when this returns."""
        ...

    async def again(self) -> None:
        """Keep what could not be kept before, if there is any."""
        ...


class KeepNothing:
    """The keeper of a conversation that is not kept."""

    async def begin(self, record: TurnRecord) -> None:
        return None

    async def take(self, event: Event) -> None:
        return None

    async def again(self) -> None:
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
        self._unkept = False

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
        return await self._kept(self._keeper.begin(record))

    async def keep_again(self) -> bool:
        """Try to store what could not be stored. True when that was so until now and all of it is stored."""
        return self._unkept and not await self._kept(self._keeper.again())

    async def _kept(self, keeping: Awaitable[None]) -> str:
        """Wait for the keeper. Returns "" or what went wrong, for a person."""
        try:
            await keeping
        except RecordError as error:
            self._unkept = not error.final
            return self._texts.record_failed.format(reason=error)
        self._unkept = False
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
            record.id,
            record.text,
            history(self._done, self._texts),
            replace(self._context(), session=self.name),
            self._asked_before(),
        )
        self._turn = turn
        self._idle.clear()
        self._log = TurnLog(replace(record, status="running"))
        warned = bool(await self.keep(record))
        try:
            async with aclosing(turn.events()) as events:
                async for event in events:
                    self._log.apply(event)
                    problem = await self._kept(self._keeper.take(event))
                    if bool(problem) != warned:
                        warned = bool(problem)
                        notice = self._about_keeping(record.id, problem)
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

    def take_in(self, records: Iterable[TurnRecord]) -> tuple[TurnRecord, ...]:
        """Turns of this session that another window wrote: new ones come after ours, and one that was not ended is
        brought up to date. Returns those that are not as they were."""
        places = {record.id: at for at, record in enumerate(self._done)}
        ours = {record.id for record in self._queue} | ({self._log.record().id} if self._log else set())
        changed = []
        for record in records:
            at = places.get(record.id)
            if record.id in ours or (at is not None and self._done[at] == record):
                continue
            if at is None:
                self._done.append(record)
            else:
                self._done[at] = record
            if record.end is not None:
                self._spent = _added(self._spent, record.usage)
            changed.append(record)
        return tuple(changed)

    @property
    def kept(self) -> bool:
        """Whether all of it that has ended is stored."""
        return not self._unkept and not isinstance(self._keeper, KeepNothing)

    @property
    def ended(self) -> frozenset[str]:
        """The ids of the turns that will not change any more."""
        return frozenset(record.id for record in self._done if record.end is not None)

    def _asked_before(self) -> str:
        """What recall looked up last: small talk looks nothing up, a "go on" looks up what it carries on."""
        recalls = (record.recall for record in reversed(self._done) if record.recall is not None)
        return next((recall.carried or recall.query for recall in recalls if not recall.silence), "")

    def _about_keeping(self, turn: str, problem: str) -> Notice:
        if problem:
            return Notice(turn, "error", problem)
        return Notice(turn, "info", self._texts.record_recovered)


def _added(totals: Totals, usage: tuple[Usage, ...]) -> Totals:
    return Totals(
        totals.prompt_tokens + sum(use.prompt_tokens for use in usage),
        totals.completion_tokens + sum(use.completion_tokens for use in usage),
        totals.exact and all(use.exact for use in usage),
    )
