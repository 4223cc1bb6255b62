"""An open session: messages in line, one turn at a time, everything kept, nothing injected kept in what is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from geekagent_tui.agent.conversation import Conversation, Keeper, KeepNothing, RecordError, Totals
from geekagent_tui.agent.events import (
    Event,
    Notice,
    RecallDone,
    TextDelta,
    TurnCancelled,
    TurnFinished,
    TurnStarted,
)
from geekagent_tui.agent.models.base import Finish, ModelPiece, TextPiece, UsagePiece
from geekagent_tui.agent.record import NoticePart, TextPart, TurnRecord
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.agent import ZH
from tests.support.turns import FixedRecaller, ScriptedModel, context, recall_of, said

STOP = Finish("stop")
Script = Sequence[ModelPiece | Callable[[], object]]


class Noted:
    """Keeps what it is given, and fails while ``failing``."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.taken: list[Event] = []
        self.failing = False

    async def begin(self, record: TurnRecord) -> None:
        self.fail()
        self.begun.append(record.text)

    async def take(self, event: Event) -> None:
        self.fail()
        self.taken.append(event)

    async def again(self) -> None:
        self.fail()

    def fail(self) -> None:
        if self.failing:
            raise RecordError("磁盘已满")


class FreshRecaller(FixedRecaller):
    """Brings another passage to mind at every question."""

    def __init__(self) -> None:
        super().__init__(recall_of(""))

    def recall(self, query: str, previous: str) -> Recall:
        return recall_of(query, f"唤起：{query}")

    def injected(self, recall: Recall) -> str:
        return recall.hits[0].text


def conversation(
    model: ScriptedModel,
    *,
    keeper: Keeper | None = None,
    records: tuple[TurnRecord, ...] = (),
    recaller: FixedRecaller | None = None,
) -> Conversation:
    numbers = iter(range(1_000))
    return Conversation(
        "s",
        records,
        keeper=keeper or KeepNothing(),
        context=lambda: context(model, recaller),
        new_id=lambda: f"t{next(numbers)}",
        now=lambda: 5.0,
        texts=ZH,
    )


def answers(*texts: str) -> list[Script]:
    return [[TextPiece(text), STOP] for text in texts]


async def run(session: Conversation) -> list[Event]:
    async with aclosing(session.run_next()) as events:
        return [event async for event in events]


async def test_messages_are_answered_in_the_order_they_were_sent() -> None:
    session = conversation(ScriptedModel(*answers("一", "二")))
    for text in ("甲", "乙"):
        session.enqueue(text)
    assert [(record.text, record.status) for record in session.records] == [
        ("甲", "queued"),
        ("乙", "queued"),
    ]
    await run(session)
    assert session.queued == 1
    await run(session)
    assert [(record.text, record.answer) for record in session.records] == [("甲", "一"), ("乙", "二")]
    assert await run(session) == []


async def test_a_second_turn_does_not_start_beside_the_first() -> None:
    session = conversation(ScriptedModel(*answers("一", "二")))
    session.enqueue("甲")
    session.enqueue("乙")
    async with aclosing(session.run_next()) as events:
        assert isinstance(await anext(events), TurnStarted)
        assert session.running
        assert await run(session) == []
        async for _ in events:
            pass
    assert [record.status for record in session.records] == ["finished", "queued"]


async def test_everything_is_kept_before_it_is_shown() -> None:
    keeper = Noted()
    session = conversation(ScriptedModel(*answers("答")), keeper=keeper)
    record = session.enqueue("问")
    assert await session.keep(record) == ""
    async with aclosing(session.run_next()) as events:
        async for event in events:
            assert keeper.begun
            assert keeper.taken[-1] == event
    assert isinstance(keeper.taken[-1], TurnFinished)


async def test_a_disk_that_is_full_is_said_once_and_the_turn_goes_on() -> None:
    keeper = Noted()
    script: Script = [TextPiece("答"), lambda: setattr(keeper, "failing", True), TextPiece("案"), STOP]
    session = conversation(ScriptedModel(script), keeper=keeper)
    session.enqueue("问")
    events = await run(session)
    (notice,) = [event for event in events if isinstance(event, Notice)]
    assert "磁盘已满" in notice.text
    assert isinstance(events[-1], TurnFinished)
    (record,) = session.records
    assert [part.text for part in record.parts if isinstance(part, TextPart)]
    assert [part for part in record.parts if isinstance(part, NoticePart)]
    assert record.status == "finished"


async def test_a_disk_that_has_room_again_is_said_in_the_turn_or_when_tried_again() -> None:
    class OneFails(Noted):
        async def take(self, event: Event) -> None:
            self.failing = event == TextDelta("t0", "答")
            await super().take(event)

    keeper = OneFails()
    session = conversation(ScriptedModel([TextPiece("答"), TextPiece("案"), STOP]), keeper=keeper)
    session.enqueue("问")
    notices = [event for event in await run(session) if isinstance(event, Notice)]
    assert [notice.level for notice in notices] == ["error", "info"]
    assert not await session.keep_again()
    keeper.failing = True
    assert "磁盘已满" in await session.keep(session.enqueue("再问"))
    again = [await session.keep_again()]
    keeper.failing = False
    again += [await session.keep_again(), await session.keep_again()]
    assert again == [False, True, False]


async def test_turns_of_another_window_come_in_once_and_grow() -> None:
    session = conversation(ScriptedModel(*answers("答", "再答")))
    session.enqueue("问")
    await run(session)
    begun = TurnRecord("other", "那边问", 1.0, status="running")
    assert session.take_in((begun, session.records[0])) == (begun,)
    assert session.take_in((begun,)) == ()
    assert session.ended == {"t0"}
    ended = replace(
        begun, status="finished", parts=(TextPart("那边答"),), end=TurnFinished("other", "stop", 1.0)
    )
    assert session.take_in((ended,)) == (ended,)
    assert session.ended == {"t0", "other"}
    waiting = session.enqueue("再问")
    assert session.take_in((waiting,)) == ()
    assert [record.text for record in session.records] == ["问", "那边问", "再问"]


async def test_a_message_that_could_not_be_kept_is_said_by_whoever_sent_it_and_not_again() -> None:
    keeper = Noted()
    keeper.failing = True
    session = conversation(ScriptedModel(*answers("答")), keeper=keeper)
    record = session.enqueue("问")
    assert "磁盘已满" in await session.keep(record)
    events = await run(session)
    assert not [event for event in events if isinstance(event, Notice)]
    assert isinstance(events[-1], TurnFinished)


async def test_cancelling_keeps_the_text_and_the_next_turn_works() -> None:
    script: Script = [TextPiece("答到一半"), lambda: asyncio.Event().wait()]
    model = ScriptedModel(script, *answers("好"))
    session = conversation(model)
    assert not session.cancel()
    session.enqueue("问")
    async with aclosing(session.run_next()) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                assert session.cancel()
    assert isinstance(event, TurnCancelled)
    assert model.closed == 1
    session.enqueue("再问")
    await run(session)
    first, second = session.records
    assert (first.status, first.answer) == ("cancelled", "答到一半")
    assert (second.status, second.answer) == ("finished", "好")
    roles = [message.role for message in model.requests[1].messages]
    assert roles == ["system", "user", "assistant", "user"]


async def test_settle_waits_for_the_end_of_the_turn() -> None:
    asked = asyncio.Event()
    session = conversation(ScriptedModel([asked.set, lambda: asyncio.Event().wait()]))
    await session.settle()
    session.enqueue("问")
    running = asyncio.create_task(run(session))
    await asked.wait()
    settling = asyncio.create_task(session.settle())
    await asyncio.sleep(0)
    assert not settling.done()
    session.cancel()
    await settling
    assert [record.status for record in session.records] == ["cancelled"]
    await running


async def test_what_a_turn_spent_is_added_to_what_came_before() -> None:
    model = ScriptedModel([TextPiece("答"), UsagePiece(10, 5), STOP], [TextPiece("答"), STOP])
    session = conversation(model)
    assert session.totals == Totals()
    session.enqueue("一")
    await run(session)
    assert session.totals == Totals(10, 5, True)
    session.enqueue("二")
    await run(session)
    assert session.totals.prompt_tokens > 10
    assert not session.totals.exact
    again = conversation(ScriptedModel(), records=session.records)
    assert again.totals == session.totals


async def test_a_hundred_turns_on_the_request_holds_one_recall_block() -> None:
    model = ScriptedModel(*answers(*("答" for _ in range(100))))
    session = conversation(model, recaller=FreshRecaller())
    for number in range(100):
        session.enqueue(f"问{number}")
        events = await run(session)
        assert [event.injected for event in events if isinstance(event, RecallDone)] == [f"唤起：问{number}"]
    sent = [message.content for message in model.requests[-1].messages]
    assert sum(content.count("唤起：问") for content in sent) == 1
    assert "唤起：问99" in sent[0]
    assert len(sent) == 1 + 2 * 99 + 1
    assert [record.injected for record in session.records] == [f"唤起：问{n}" for n in range(100)]


async def test_a_session_that_was_stored_goes_on_where_it_was() -> None:
    model = ScriptedModel(*answers("二"))
    session = conversation(model, records=(said("old", "甲", "一"),))
    session.enqueue("乙")
    await run(session)
    assert [message.content for message in model.requests[0].messages[1:]] == ["甲", "一", "乙"]
    assert session.latest is not None
    assert session.latest.text == "乙"
