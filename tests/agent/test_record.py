"""Events add up to a record, and their JSON form comes back as the same events."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.agent.events import (
    Event,
    Notice,
    ReasoningDelta,
    RecallDone,
    RequestStarted,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnCancelled,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    Usage,
)
from geekagent_tui.agent.record import (
    NoticePart,
    ReasoningPart,
    TextPart,
    ToolPart,
    TurnLog,
    TurnRecord,
    unanswered,
)
from geekagent_tui.agent.wire import from_json, to_json
from tests.support.turns import recall_of

RECALL = recall_of("问", "历史压缩", "压缩阈值")
EVENTS: list[Event] = [
    TurnStarted("t", "问", 5.0, "m"),
    RecallDone("t", RECALL, "自动唤起"),
    RequestStarted("t", 1),
    ReasoningDelta("t", "想"),
    TextDelta("t", "我"),
    TextDelta("t", "看看"),
    ToolCallStarted("t", "c", "memory_search", '{"query": "压缩"}'),
    ToolCallFinished("t", "c", "memory_search", "没有找到相关记忆", True, 2.0),
    Usage("t", 7, 3, True),
    RequestStarted("t", 2),
    TextDelta("t", "没有"),
    Notice("t", "warning", "注意"),
    TurnFinished("t", "stop", 9.0),
]


def test_events_add_up() -> None:
    record = TurnLog.replay(TurnRecord("t", "问", 0.0), EVENTS).record()
    assert record.parts == (
        ReasoningPart("想"),
        TextPart("我看看"),
        ToolPart("c", "memory_search", '{"query": "压缩"}', 1, "没有找到相关记忆", True, 2.0),
        TextPart("没有"),
        NoticePart("warning", "注意"),
    )
    assert (record.status, record.model, record.at, record.recall) == ("finished", "m", 5.0, RECALL)
    assert record.answer == "我看看\n\n没有"


def test_another_turns_events_and_those_after_the_end_change_nothing() -> None:
    log = TurnLog.replay(TurnRecord("t", "问", 0.0), EVENTS)
    before = log.record()
    log.apply(TextDelta("other", "x"))
    log.apply(TextDelta("t", "late"))
    assert log.record() == before


@pytest.mark.parametrize(
    "event",
    [*EVENTS, TurnFailed("t", "auth", "HTTP 401", "换个密钥", 3.0), TurnCancelled("t", 1.0)],
    ids=lambda event: type(event).__name__,
)
def test_an_event_survives_its_json_form(event: Event) -> None:
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_survives_its_json_form(text: str) -> None:
    event = TextDelta("t", text)
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(ValueError, match="no_such"):
        from_json({"event": "no_such"})


def turn(text: str, status: str, model: str = "m") -> TurnRecord:
    return TurnRecord(text, text, 0.0, model=model, status=status)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("records", "texts"),
    [
        ((), ()),
        ((turn("a", "finished"),), ()),
        ((turn("a", "finished"), turn("b", "failed")), ("b",)),
        ((turn("a", "failed"), turn("b", "failed"), turn("a", "failed")), ("a", "b")),
        # Never begun: it stood in line when the program ended.
        ((turn("a", "failed"), turn("b", "cancelled", "")), ("a", "b")),
        # Stopped by the user: the others before it are another matter.
        ((turn("a", "failed"), turn("b", "cancelled")), ("b",)),
        # A later turn did not take it away, except the one that answered it.
        ((turn("a", "failed"), turn("b", "finished")), ("a",)),
        ((turn("a", "failed"), turn("a", "finished")), ()),
        ((turn("a", "failed"), turn("a", "finished"), turn("a", "failed")), ("a",)),
    ],
)
def test_what_retry_asks_again(records: tuple[TurnRecord, ...], texts: tuple[str, ...]) -> None:
    assert unanswered(records) == texts
