"""Earlier turns as the messages that a service gets.

What was injected into a turn is never among them: only the turn at hand has a recall block. The messages hold
what strict services ask for: user and assistant alternate, every tool call is followed at once by its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from geekagent_tui.agent.models.base import Message, ToolCall
from geekagent_tui.agent.record import Part, TextPart, ToolPart, TurnRecord
from geekagent_tui.texts.agent import AgentTexts


def history(records: Iterable[TurnRecord], texts: AgentTexts) -> tuple[Message, ...]:
    """The messages of all turns that have ended.

    A turn that failed before it brought anything is left out, question and all: it will be asked again. One that
    the user interrupted stays, with a remark in place of what is missing.
    """
    messages: list[Message] = []
    for record in records:
        if record.status in ("queued", "running"):
            continue
        answered = any(isinstance(part, TextPart | ToolPart) for part in record.parts)
        if record.status == "failed" and not answered:
            continue
        messages.append(Message("user", record.text))
        messages.extend(_reply(record, texts))
    return tuple(messages)


def rounds(parts: Iterable[Part]) -> Iterator[tuple[str, list[ToolPart]]]:
    """The turn's requests in order: the text of each and the calls it made."""
    text: list[str] = []
    calls: list[ToolPart] = []
    for part in parts:
        starts_next = bool(calls) and (
            isinstance(part, TextPart) or (isinstance(part, ToolPart) and part.round != calls[-1].round)
        )
        if starts_next:
            yield "\n\n".join(text), calls
            text, calls = [], []
        if isinstance(part, TextPart):
            text.append(part.text)
        elif isinstance(part, ToolPart):
            calls.append(part)
    if text or calls:
        yield "\n\n".join(text), calls


def _reply(record: TurnRecord, texts: AgentTexts) -> Iterator[Message]:
    remark = {"cancelled": texts.turn_interrupted, "failed": texts.turn_failed}.get(record.status, "")
    closed = False
    for text, calls in rounds(record.parts):
        closed = not calls
        if closed:
            yield Message("assistant", f"{text}\n\n{remark}" if remark else text)
            continue
        yield Message("assistant", text, tuple(ToolCall(c.call, c.name, c.arguments) for c in calls))
        for call in calls:
            result = texts.call_interrupted if call.result is None else call.result
            yield Message("tool", result, tool_call_id=call.call)
    if not closed:
        yield Message("assistant", remark or texts.turn_interrupted)
