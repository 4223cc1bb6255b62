"""Permission, redaction and reporting at the registry; calls side by side in a turn."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.agent.events import Event, ToolCallFinished, ToolCallStarted, ToolProgress
from geekagent_tui.agent.models.base import Finish, TextPiece, ToolCall
from geekagent_tui.agent.permissions import allow_always
from geekagent_tui.agent.redaction import Redacting, Redactor
from geekagent_tui.agent.tools.base import Answer, Arguments, Preview, Question, Running, ToolResult
from geekagent_tui.agent.tools.registry import AllowNamed, ToolRegistry
from geekagent_tui.agent.turn import Turn
from geekagent_tui.texts.agent import ZH
from tests.support.turns import ScriptedModel, context

SECRET = "sk-0123456789"


class Place(Arguments):
    path: str = ""


class Reader:
    """Stands for a reading tool: waits until as many calls have begun as it wants beside it."""

    name = "read"
    description = ""
    arguments: type[Arguments] = Place
    field_texts = {}  # type: ignore[var-annotated]  # noqa: RUF012

    def __init__(self, together: int) -> None:
        self._barrier = asyncio.Barrier(together)
        self.begun: list[str] = []

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, Place)
        self.begun.append(arguments.path)
        await self._barrier.wait()
        return ToolResult(f"text of {arguments.path}")


class Teller:
    """Says a secret in pieces, then asks something of its own when told so."""

    name = "teller"
    description = ""
    arguments: type[Arguments] = Place
    field_texts = {}  # type: ignore[var-annotated]  # noqa: RUF012

    def __init__(self, explicit: bool = False) -> None:
        self._explicit = explicit

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        return Preview("command", f"use {SECRET}", explicit=self._explicit)

    async def run(self, arguments: Arguments) -> ToolResult:
        raise AssertionError("run_live is to be used")

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        for piece in ("key: sk-01234", "5678", "9.", " end"):
            running.report(piece)
        return ToolResult(f"key: {SECRET}")


class Gate:
    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.questions: list[Question] = []

    async def permit(self, question: Question) -> Answer:
        self.questions.append(question)
        return self.answers.pop(0)


def registry(gate: Gate | AllowNamed, config: Path | None = None, *, explicit: bool = False) -> ToolRegistry:
    redactor = Redactor({"MY_API_KEY": SECRET})
    keep = (lambda name: allow_always(config, name)) if config is not None else None
    return ToolRegistry(
        [Teller(explicit)], {"teller": "ask"}, gate, ZH, redact=lambda: redactor, keep_policy=keep
    )


CALL = ToolCall("c", "teller", "{}")


async def test_once_and_no_and_a_sentence_for_the_model() -> None:
    gate = Gate(Answer("once"), Answer("no"), Answer("no", "先跑测试"))
    tools = registry(gate)
    assert (await tools.run(CALL)).ok
    assert (await tools.run(CALL)).text == ZH.tool_refused.format(name="teller")
    assert "先跑测试" in (await tools.run(CALL)).text
    assert gate.questions[0].preview.text == "use [REDACTED:MY_API_KEY]"


async def test_a_permission_for_the_session_is_asked_for_once_there_and_again_elsewhere() -> None:
    from geekagent_tui.agent.tools.base import Origin

    gate = Gate(Answer("session"), Answer("no"))
    tools = registry(gate)
    for _ in range(3):
        assert (await tools.run(CALL, origin=Origin("one", "t"))).ok
    assert not (await tools.run(CALL, origin=Origin("two", "t"))).ok
    assert len(gate.questions) == 2


async def test_always_is_written_down_and_nothing_else_is_changed(tmp_path: Path) -> None:
    config = tmp_path / "GeekAgent.json"
    before = {"root": "..", "tools": {"teller": "ask", "write": "deny"}, "recall": {"top_k": 3}}
    config.write_text(json.dumps(before))
    config.chmod(0o600)
    tools = registry(Gate(Answer("always")), config)
    assert (await tools.run(CALL)).ok
    assert (await tools.run(CALL)).ok
    assert json.loads(config.read_text()) == before | {"tools": {"teller": "allow", "write": "deny"}}
    assert config.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["GeekAgent.json"]  # noqa: PTH208


async def test_a_configuration_that_is_damaged_stays_as_it_is(tmp_path: Path) -> None:
    config = tmp_path / "GeekAgent.json"
    config.write_text('{"tools": ')
    tools = registry(Gate(Answer("always")), config)
    assert (await tools.run(CALL)).ok
    assert config.read_text() == '{"tools": '
    assert tools.policy("teller") == "ask"


async def test_where_only_a_yes_counts_no_standing_permission_does() -> None:
    gate = Gate(Answer("always"), Answer("no"))
    tools = registry(gate, explicit=True)
    assert (await tools.run(CALL)).ok
    assert not (await tools.run(CALL)).ok
    assert not (await registry(AllowNamed(["teller"]), explicit=True).run(CALL)).ok
    assert (await registry(AllowNamed(["teller"])).run(CALL)).ok
    assert not (await registry(AllowNamed(["other"])).run(CALL)).ok


async def test_secrets_leave_neither_in_results_nor_in_what_streams() -> None:
    seen: list[str] = []
    result = await registry(AllowNamed(["teller"])).run(CALL, report=seen.append)
    assert result.text == "key: [REDACTED:MY_API_KEY]"
    assert "".join(seen) == "key: [REDACTED:MY_API_KEY]. end"


@given(st.text("abc", max_size=30), st.lists(st.text("abc", min_size=4, max_size=8), max_size=4), st.data())
def test_a_stream_is_redacted_as_a_whole_text_is(text: str, values: list[str], data: st.DataObject) -> None:
    redact = Redactor({f"TOKEN_{at}": value for at, value in enumerate(values)})
    stream = Redacting(redact)
    out, rest = [], text
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        out.append(stream.feed(rest[:size]))
        rest = rest[size:]
    assert "".join((*out, stream.flush())) == redact(text)


def test_what_is_a_secret() -> None:
    redact = Redactor(
        {
            "MAX_TOKENS": "4096",
            "DB_PASSWORD": "1234",
            "KEYS_ON": "true",
            "KEYMAP": "us",
            "github_token": "ghp_abc",
        }
    )
    assert (
        redact("4096 1234 true us ghp_abc") == "4096 [REDACTED:DB_PASSWORD] true us [REDACTED:github_token]"
    )


def names(events: list[Event]) -> list[tuple[str, str]]:
    return [
        (type(event).__name__, event.call)
        for event in events
        if isinstance(event, ToolCallStarted | ToolCallFinished)
    ]


def reading(count: int) -> tuple[ScriptedModel, Reader, ToolRegistry]:
    calls = tuple(ToolCall(f"c{n}", "read", json.dumps({"path": f"f{n}"})) for n in range(count))
    model = ScriptedModel([Finish("tool_calls", calls)], [TextPiece("done"), Finish("stop")])
    reader = Reader(count)
    return model, reader, ToolRegistry([reader], {"read": "allow"}, AllowNamed([]), ZH)


async def test_reading_calls_run_side_by_side_and_answer_in_the_models_order() -> None:
    """The barrier opens only when all three run at once: one after another they would wait for ever."""
    model, _, tools = reading(3)
    async with asyncio.timeout(20):
        events = [event async for event in Turn("t", "x", (), context(model, tools=tools)).events()]
    assert [name for name, _ in names(events)] == ["ToolCallStarted"] * 3 + ["ToolCallFinished"] * 3
    results = [message for message in model.requests[1].messages if message.role == "tool"]
    assert [message.content for message in results] == ["text of f0", "text of f1", "text of f2"]
    assert [message.tool_call_id for message in results] == ["c0", "c1", "c2"]


async def test_a_cancel_closes_every_call_before_the_turn() -> None:
    model, reader, _ = reading(2)
    reader._barrier = asyncio.Barrier(3)
    tools = ToolRegistry([reader], {"read": "allow"}, AllowNamed([]), ZH)
    turn = Turn("t", "x", (), context(model, tools=tools))
    events: list[Event] = []
    async for event in turn.events():
        events.append(event)
        if isinstance(event, ToolCallStarted) and event.call == "c1":
            turn.cancel()
    assert sorted(names(events)) == sorted(
        [
            ("ToolCallStarted", "c0"),
            ("ToolCallStarted", "c1"),
            ("ToolCallFinished", "c0"),
            ("ToolCallFinished", "c1"),
        ]
    )
    assert type(events[-1]).__name__ == "TurnCancelled"


async def test_progress_is_an_event_and_secrets_in_any_message_stay_here() -> None:
    model = ScriptedModel([Finish("tool_calls", (CALL,))], [TextPiece("ok"), Finish("stop")])
    turn = Turn("t", f"my key is {SECRET}", (), context(model, tools=registry(AllowNamed(["teller"]))))
    events = [event async for event in turn.events()]
    progress = [event.text for event in events if isinstance(event, ToolProgress)]
    assert "".join(progress) == "key: [REDACTED:MY_API_KEY]. end"
    assert all(SECRET not in str(request) for request in model.requests)


@pytest.mark.parametrize("arguments", ["{", "[]"])
async def test_nobody_is_asked_about_a_call_that_can_not_run(arguments: str) -> None:
    gate = Gate()
    assert not (await registry(gate).run(ToolCall("c", "teller", arguments))).ok
    assert gate.questions == []
