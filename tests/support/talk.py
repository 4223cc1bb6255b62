"""A whole conversation with a service on the loopback: real client, real turn, one tool that says what it got."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from geekagent_tui.agent.conversation import Conversation, KeepNothing
from geekagent_tui.agent.events import Event, TurnFailed, TurnFinished
from geekagent_tui.agent.models.base import ModelClient
from geekagent_tui.agent.record import NoticePart, ReasoningPart, TextPart, ToolPart, TurnRecord
from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.texts.agent import ZH
from tests.support.turns import NOON, FixedRecaller, ScriptedModel, context, recall_of, registry

RECALLED = "【回忆】缓存预热要十分钟"


class Anything(Arguments):
    """Whatever a call brings."""

    x: Any = None


class Note:
    """Notes what it is called with."""

    name = "note"
    description = "记一笔"
    arguments = Anything
    field_texts: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.got: list[Any] = []

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, Anything)
        self.got.append(arguments.x)
        return ToolResult(f"记下 {arguments.x}")


class Talk:
    """``say`` asks ``model`` and returns the turn as it ended; every turn recalls ``RECALLED``."""

    def __init__(self, model: ModelClient) -> None:
        self.note = Note()
        self.events: list[Event] = []
        recaller = FixedRecaller(recall_of("缓存", RECALLED), RECALLED)
        tools = registry(self.note)
        ids = iter(range(1_000_000))
        self.conversation = Conversation(
            "talk",
            (),
            keeper=KeepNothing(),
            context=lambda: replace(context(ScriptedModel(), recaller, tools), model=model),
            new_id=lambda: f"turn-{next(ids)}",
            now=NOON.timestamp,
            texts=ZH,
        )

    async def say(self, text: str = "缓存怎么样") -> TurnRecord:
        self.conversation.enqueue(text)
        async with aclosing(self.conversation.run_next()) as events:
            async for event in events:
                self.events.append(event)
        record = self.conversation.records[-1]
        assert record.end is not None
        return record


def reasoning(record: TurnRecord) -> str:
    return "".join(part.text for part in record.parts if isinstance(part, ReasoningPart))


def notices(record: TurnRecord) -> list[str]:
    return [part.text for part in record.parts if isinstance(part, NoticePart)]


def results(record: TurnRecord) -> list[str | None]:
    """What the calls of a turn came to."""
    return [part.result for part in record.parts if isinstance(part, ToolPart)]


def texts(record: TurnRecord) -> list[str]:
    return [part.text for part in record.parts if isinstance(part, TextPart)]


def finished(record: TurnRecord, reason: str = "stop") -> TurnRecord:
    """The turn, which must have ended well and so."""
    assert isinstance(record.end, TurnFinished), record.end
    assert record.end.reason == reason
    return record


def failed(record: TurnRecord, kind: str) -> TurnFailed:
    """The end of a turn, which must have failed so and readably: one line that says what, another what to do."""
    assert isinstance(record.end, TurnFailed), record.end
    assert record.end.kind == kind, record.end
    readable(record.end)
    return record.end


def readable(end: TurnFailed) -> None:
    """A person can do something with it: no braces left over, no line breaks, no names of Python's own."""
    assert end.message.strip()
    assert end.hint.strip()
    for text in (end.message, end.hint):
        assert "\n" not in text
        assert "Traceback" not in text
        assert "object at 0x" not in text
    assert end.kind not in ("unexpected", "unknown"), end


def sound_history(messages: list[dict[str, Any]]) -> None:
    """What strict services ask for: one system message, first; user and assistant in turn; after a message with calls
    one result for each of them, at once and in order; all arguments JSON objects."""
    assert messages[0]["role"] == "system"
    wanted: list[str] = []
    before = "system"
    for message in messages[1:]:
        role = message["role"]
        if wanted or role == "tool":
            assert role == "tool", f"no result for {wanted}"
            assert message["tool_call_id"] == wanted.pop(0)
            before = "tool"
            continue
        allowed = {"system": "user", "user": "assistant", "assistant": "user", "tool": "assistant"}
        assert role == allowed[before], f"{role} after {before}"
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            wanted.append(call["id"])
        before = role
    assert not wanted
    assert messages[-1]["role"] in ("user", "tool")
