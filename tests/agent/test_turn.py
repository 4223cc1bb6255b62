"""A turn's events: their order, what they hold, and that it always ends exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from geekagent_tui.agent.events import (
    Event,
    Notice,
    RecallDone,
    RequestStarted,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    Usage,
)
from geekagent_tui.agent.models.base import Finish, ModelError, TextPiece, ToolCall, UsagePiece
from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.agent.tools.clock import NoArguments
from geekagent_tui.agent.turn import MAX_CALLS, Turn
from geekagent_tui.texts.agent import ZH
from tests.support.turns import FixedRecaller, ScriptedModel, context, recall_of, registry

DONE = Finish("stop")


def fail(error: Exception) -> Callable[[], object]:
    def raise_it() -> object:
        raise error

    return raise_it


async def collect(turn: Turn) -> list[Event]:
    return [event async for event in turn.events()]


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


async def test_recall_comes_before_the_first_request() -> None:
    recall = recall_of("为什么", "历史压缩放第五天")
    model = ScriptedModel([TextPiece("因"), TextPiece("为"), UsagePiece(10, 2), DONE])
    turn = Turn("t", "为什么", (), context(model, FixedRecaller(recall, "自动唤起…")))
    events = await collect(turn)
    assert events == [
        TurnStarted("t", "为什么", 1_000.0, "scripted"),
        RecallDone("t", recall, "自动唤起…"),
        RequestStarted("t", 1),
        TextDelta("t", "因"),
        TextDelta("t", "为"),
        Usage("t", 10, 2, exact=True),
        TurnFinished("t", "stop", 0.0),
    ]
    system = model.requests[0].messages[0].content
    assert system.endswith(f"{ZH.recall_heading}\n自动唤起…")
    assert model.requests[0].recall is recall


async def test_the_passages_stay_through_all_rounds_of_the_turn() -> None:
    model = ScriptedModel(
        [Finish("stop", (ToolCall("c", "get_current_time", ""),))], [TextPiece("十二点"), DONE]
    )
    recaller = FixedRecaller(recall_of("几点", "午休在压缩后"), "段落")
    events = await collect(Turn("t", "几点", (), context(model, recaller)))
    assert kinds(events) == [
        "TurnStarted",
        "RecallDone",
        "RequestStarted",
        "Usage",
        "ToolCallStarted",
        "ToolCallFinished",
        "RequestStarted",
        "TextDelta",
        "Usage",
        "TurnFinished",
    ]
    assert all("段落" in request.messages[0].content for request in model.requests)
    assert [m.role for m in model.requests[1].messages] == ["system", "user", "assistant", "tool"]


async def test_a_model_error_ends_the_turn_readably_and_keeps_the_text() -> None:
    model = ScriptedModel([TextPiece("一半"), fail(ModelError("server", "HTTP 500", "稍后再试", 500))])
    events = await collect(Turn("t", "问", (), context(model)))
    assert TextDelta("t", "一半") in events
    assert events[-1] == TurnFailed("t", "server", "HTTP 500", "稍后再试", 0.0)


async def test_a_fault_of_ours_is_a_readable_end_too() -> None:
    events = await collect(Turn("t", "问", (), context(ScriptedModel([fail(RuntimeError("boom"))]))))
    end = events[-1]
    assert isinstance(end, TurnFailed)
    assert "RuntimeError" in end.message
    assert "boom" in end.message


async def test_a_memory_that_cannot_be_searched_does_not_lose_the_question() -> None:
    model = ScriptedModel([TextPiece("答"), DONE])
    events = await collect(Turn("t", "问", (), context(model, FixedRecaller(OSError("disk")))))
    assert any(isinstance(event, Notice) and "disk" in event.text for event in events)
    assert isinstance(events[-1], TurnFinished)


async def test_a_stream_without_an_end_is_marked_unknown() -> None:
    events = await collect(Turn("t", "问", (), context(ScriptedModel([TextPiece("答")]))))
    assert events[-1] == TurnFinished("t", "unknown", 0.0)


async def test_a_model_that_calls_without_end_is_stopped_and_it_is_said() -> None:
    again = [Finish("stop", (ToolCall("c", "get_current_time", ""),))]
    events = await collect(Turn("t", "问", (), context(ScriptedModel(again, again, again, again))))
    assert events[-2:] == [
        Notice("t", "warning", ZH.tool_limit.format(rounds=4)),
        TurnFinished("t", "tool_limit", 0.0),
    ]


async def test_a_reply_with_thousands_of_calls_runs_some_and_says_so() -> None:
    calls = tuple(ToolCall(f"c{number}", "get_current_time", "") for number in range(3_000))
    model = ScriptedModel([Finish("stop", calls)], [TextPiece("好了"), DONE])
    events = await collect(Turn("t", "几点", (), context(model)))
    assert kinds(events).count("ToolCallFinished") == MAX_CALLS
    assert Notice("t", "warning", ZH.calls_left.format(count=3_000 - MAX_CALLS, calls=MAX_CALLS)) in events
    # Every call that is sent back has its result.
    _, _, assistant, *results = model.requests[1].messages
    assert [call.id for call in assistant.tool_calls] == [result.tool_call_id for result in results]


async def test_an_estimate_is_marked_as_one() -> None:
    events = await collect(Turn("t", "问", (), context(ScriptedModel([TextPiece("答"), DONE]))))
    usage = next(event for event in events if isinstance(event, Usage))
    assert not usage.exact
    assert usage.prompt_tokens > 0
    assert usage.completion_tokens == 1


async def test_cancel_stops_the_request_at_once_and_keeps_the_text() -> None:
    model = ScriptedModel([TextPiece("一半"), asyncio.Event().wait])
    turn = Turn("t", "问", (), context(model))
    events = []
    async for event in turn.events():
        events.append(event)
        if isinstance(event, TextDelta):
            turn.cancel()
    assert isinstance(events[-1], TurnCancelled)
    assert TextDelta("t", "一半") in events
    assert model.closed == 1


async def test_a_turn_cancelled_before_it_began_ends_as_cancelled() -> None:
    turn = Turn("t", "问", (), context(ScriptedModel([DONE])))
    turn.cancel()
    events = await collect(turn)
    assert kinds(events)[-1] == "TurnCancelled"


async def test_leaving_the_events_early_stops_the_request() -> None:
    model = ScriptedModel([TextPiece("一半"), asyncio.Event().wait])
    stream = Turn("t", "问", (), context(model)).events()
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await stream.aclose()
    assert model.closed == 1


class Slow:
    """A tool that can't be undone once begun: it finishes although it was cancelled."""

    name = "slow"
    description = ""
    arguments: type[Arguments] = NoArguments
    field_texts: dict[str, str] = {}  # noqa: RUF012 - a test double

    def __init__(self, *, finishes: bool) -> None:
        self._finishes = finishes

    async def run(self, arguments: Arguments) -> ToolResult:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if not self._finishes:
                raise
        return ToolResult("写好了")


@pytest.mark.parametrize(("finishes", "result"), [(True, "写好了"), (False, ZH.call_interrupted)])
async def test_a_cancelled_call_still_has_its_true_result(finishes: bool, result: str) -> None:
    model = ScriptedModel([Finish("stop", (ToolCall("c", "slow", ""),))])
    turn = Turn("t", "问", (), context(model, tools=registry(Slow(finishes=finishes))))
    events = []
    async for event in turn.events():
        events.append(event)
        if isinstance(event, ToolCallStarted):
            # Let the tool get as far as it can before it is stopped.
            for _ in range(5):
                await asyncio.sleep(0)
            turn.cancel()
    finished = [event for event in events if isinstance(event, ToolCallFinished)]
    assert [event.result for event in finished] == [result]
    assert sum(isinstance(event, TurnEnd) for event in events) == 1
    assert isinstance(events[-1], TurnCancelled)
