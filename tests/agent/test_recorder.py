"""The keeper gathers text, writes at its limits, and loses nothing when the store fails for a while."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from geekagent_tui.agent.conversation import RecordError
from geekagent_tui.agent.events import (
    Event,
    ReasoningDelta,
    TextDelta,
    TurnCancelled,
    TurnFinished,
    TurnStarted,
)
from geekagent_tui.agent.record import Status, TextPart, TurnRecord
from geekagent_tui.agent.recorder import FLUSH_CHARACTERS, FLUSH_SECONDS, SessionKeeper
from geekagent_tui.agent.sessions import SessionError, SessionStore


class Store(SessionStore):
    """The real store, which notes what it is asked to write and can be told to fail."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, lambda: 1_000.0)
        self.failing: SessionError | None = None
        self.only_beginning = False
        self.written: list[list[Event]] = []
        self.entered = threading.Event()
        self.let_go = threading.Event()
        self.let_go.set()

    def begin_turn(self, name: str, record: TurnRecord) -> None:
        if self.failing is not None:
            raise self.failing
        super().begin_turn(name, record)

    def append(self, turn: str, events: Iterable[Event], *, status: Status | None = None) -> None:
        if not self.entered.is_set():
            self.entered.set()
            assert self.let_go.wait(10)
        if self.failing is not None and not self.only_beginning:
            raise self.failing
        self.written.append(list(events))
        super().append(turn, self.written[-1], status=status)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "geekagent.db")
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keeper(store: Store, clock: Clock) -> SessionKeeper:
    return SessionKeeper(store, "s", clock)


RECORD = TurnRecord("t", "问", 1.0)
STARTED = TurnStarted("t", "问", 1.0, "m")
FINISHED = TurnFinished("t", "stop", 2.0)


async def test_text_is_gathered_until_another_event_comes(store: Store, keeper: SessionKeeper) -> None:
    await keeper.begin(RECORD)
    await keeper.take(STARTED)
    for piece in ("想", "一想"):
        await keeper.take(ReasoningDelta("t", piece))
    for piece in "答案是四千":
        await keeper.take(TextDelta("t", piece))
    assert store.written == [[STARTED]]
    await keeper.take(FINISHED)
    assert store.written[1:] == [[ReasoningDelta("t", "想一想"), TextDelta("t", "答案是四千"), FINISHED]]
    (record,) = store.turns("s")
    assert (record.status, record.answer) == ("finished", "答案是四千")


async def test_text_is_written_when_it_is_old_enough(
    store: Store, keeper: SessionKeeper, clock: Clock
) -> None:
    await keeper.begin(RECORD)
    await keeper.take(STARTED)
    clock.now += FLUSH_SECONDS * 0.9
    await keeper.take(TextDelta("t", "a"))
    assert len(store.written) == 1
    clock.now += FLUSH_SECONDS * 0.2
    await keeper.take(TextDelta("t", "b"))
    assert store.written[1:] == [[TextDelta("t", "ab")]]
    await keeper.take(TextDelta("t", "c"))
    assert len(store.written) == 2


async def test_text_is_written_when_there_is_enough_of_it(store: Store, keeper: SessionKeeper) -> None:
    await keeper.begin(RECORD)
    await keeper.take(STARTED)
    piece = "x" * 64
    for _ in range(FLUSH_CHARACTERS // len(piece) - 1):
        await keeper.take(TextDelta("t", piece))
    assert len(store.written) == 1
    await keeper.take(TextDelta("t", piece))
    assert store.written[1:] == [[TextDelta("t", "x" * FLUSH_CHARACTERS)]]


async def test_what_could_not_be_written_is_written_with_the_next(
    store: Store, keeper: SessionKeeper
) -> None:
    await keeper.begin(RECORD)
    store.failing = SessionError("磁盘已满")
    with pytest.raises(RecordError, match="磁盘已满"):
        await keeper.take(STARTED)
    await keeper.take(TextDelta("t", "答"))
    store.failing = None
    await keeper.take(FINISHED)
    (record,) = store.turns("s")
    assert (record.status, record.answer, record.model) == ("finished", "答", "m")


@pytest.mark.parametrize("only_beginning", [False, True])
async def test_a_message_that_could_not_be_begun_is_begun_with_the_next(
    store: Store, keeper: SessionKeeper, only_beginning: bool
) -> None:
    store.failing = SessionError("磁盘已满")
    store.only_beginning = only_beginning
    for attempt in (keeper.begin(RECORD), keeper.take(STARTED)):
        with pytest.raises(RecordError, match="磁盘已满"):
            await attempt
    store.failing = None
    await keeper.take(FINISHED)
    assert [(record.status, record.model) for record in store.turns("s")] == [("finished", "m")]


async def test_a_turn_that_could_not_be_ended_is_ended_with_the_next_turn(
    store: Store, keeper: SessionKeeper
) -> None:
    await keeper.begin(RECORD)
    await keeper.take(STARTED)
    store.failing = SessionError("磁盘已满")
    await keeper.take(TextDelta("t", "答"))
    with pytest.raises(RecordError):
        await keeper.take(TurnCancelled("t", 2.0))
    store.failing = None
    await keeper.begin(TurnRecord("u", "再问", 2.0))
    await keeper.take(TurnStarted("u", "再问", 2.0, "m"))
    first, second = store.turns("s")
    assert (first.status, first.parts) == ("cancelled", (TextPart("答"),))
    assert (second.status, second.text) == ("running", "再问")


async def test_events_of_a_turn_removed_elsewhere_are_not_tried_for_ever(
    store: Store, keeper: SessionKeeper
) -> None:
    await keeper.begin(RECORD)
    store.reset("s")
    with pytest.raises(RecordError, match="清空"):
        await keeper.take(STARTED)
    await keeper.begin(TurnRecord("u", "再问", 2.0))
    await keeper.take(TurnFinished("u", "stop", 2.0))
    assert [(record.id, record.status) for record in store.turns("s")] == [("u", "finished")]


async def test_a_message_put_in_line_meanwhile_does_not_overtake(store: Store, keeper: SessionKeeper) -> None:
    await keeper.begin(RECORD)
    store.let_go.clear()
    first = asyncio.create_task(keeper.take(STARTED))
    assert await asyncio.to_thread(store.entered.wait, 10)
    queued = asyncio.create_task(keeper.begin(TurnRecord("u", "排队", 2.0)))
    late = asyncio.create_task(keeper.take(FINISHED))
    for _ in range(10):
        # Whoever does not wait has had the chance to go first.
        await asyncio.to_thread(store.sessions)
    store.let_go.set()
    await asyncio.gather(first, queued, late)
    assert [event for events in store.written for event in events] == [STARTED, FINISHED]
    assert [(record.id, record.status) for record in store.turns("s")] == [
        ("t", "finished"),
        ("u", "queued"),
    ]
