"""What earlier turns send: alternating roles, a result for every call, nothing that was injected."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.agent.history import history
from geekagent_tui.agent.models.base import Message
from geekagent_tui.agent.record import NoticePart, Part, ReasoningPart, Status, TextPart, ToolPart, TurnRecord
from geekagent_tui.texts.agent import ZH
from tests.support.turns import ended, said


def test_a_finished_turn_is_question_and_answer() -> None:
    assert history([said("a", "问", "答")], ZH) == (Message("user", "问"), Message("assistant", "答"))


def test_a_call_is_followed_by_its_result_and_then_the_answer() -> None:
    record = ended(
        "a",
        "几点了",
        TextPart("我看看"),
        ToolPart("c1", "get_current_time", "{}", 1, "12:00"),
        TextPart("十二点"),
    )
    roles = [(m.role, m.content, [c.id for c in m.tool_calls], m.tool_call_id) for m in history([record], ZH)]
    assert roles == [
        ("user", "几点了", [], ""),
        ("assistant", "我看看", ["c1"], ""),
        ("tool", "12:00", [], "c1"),
        ("assistant", "十二点", [], ""),
    ]


def test_an_interrupted_answer_stays_and_says_so() -> None:
    messages = history([ended("a", "问", TextPart("答到一半"), status="cancelled")], ZH)
    assert messages[-1].content == f"答到一半\n\n{ZH.turn_interrupted}"


def test_a_turn_cancelled_before_its_first_word_still_alternates() -> None:
    messages = history([ended("a", "问", status="cancelled"), said("b", "再问", "答")], ZH)
    assert [m.role for m in messages] == ["user", "assistant", "user", "assistant"]


def test_a_turn_that_failed_with_nothing_is_left_out() -> None:
    assert history([ended("a", "问", status="failed")], ZH) == ()


def test_reasoning_and_notices_are_never_sent() -> None:
    record = ended("a", "问", ReasoningPart("想"), NoticePart("info", "说明"), TextPart("答"))
    assert [m.content for m in history([record], ZH)] == ["问", "答"]


def test_waiting_turns_are_not_history() -> None:
    assert history([TurnRecord("a", "问", 0.0), TurnRecord("b", "问", 0.0, status="running")], ZH) == ()


def test_two_rounds_of_calls_stay_two_messages() -> None:
    record = ended(
        "a", "问", ToolPart("c1", "x", "{}", 1, "1"), ToolPart("c2", "x", "{}", 2, "2"), TextPart("答")
    )
    assert [m.role for m in history([record], ZH)] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "assistant",
    ]


_parts: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, st.sampled_from(["一", "two"])),
    st.builds(ReasoningPart, st.just("想")),
    st.builds(NoticePart, st.just("info"), st.just("n")),
    st.builds(
        ToolPart,
        st.sampled_from(["c1", "c2", "c3"]),
        st.just("tool"),
        st.just("{}"),
        st.integers(1, 3),
        st.sampled_from([None, "result"]),
    ),
)
_statuses: st.SearchStrategy[Status] = st.sampled_from(
    ["queued", "running", "finished", "failed", "cancelled"]
)
_records = st.builds(
    lambda status, parts: ended("t", "问", *parts, status=status), _statuses, st.lists(_parts, max_size=6)
)


@given(st.lists(_records, max_size=5))
def test_any_history_is_one_that_strict_services_take(records: list[TurnRecord]) -> None:
    messages = history(records, ZH)
    for before, after in pairwise(messages):
        if before.role == "user":
            assert after.role == "assistant"
        if before.role == "assistant":
            assert after.role == ("tool" if before.tool_calls else "user")
        if after.role == "tool":
            assert before.role in ("assistant", "tool")
    if messages:
        assert messages[0].role == "user"
        assert messages[-1].role == "assistant"
        assert not messages[-1].tool_calls
    called = [call.id for message in messages for call in message.tool_calls]
    answered = [message.tool_call_id for message in messages if message.role == "tool"]
    assert called == answered
