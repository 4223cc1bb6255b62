"""A request as JSON data for ``POST /chat/completions``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from geekagent_tui.agent.models.base import Message, ToolCall, ToolSpec
from geekagent_tui.agent.models.surrogates import encodable


def messages_payload(messages: Iterable[Message], *, tools: bool) -> list[dict[str, Any]]:
    """The messages as the service takes them.

    ``tools`` is false for a model without tools: calls and results of earlier turns, which it would refuse, become
    plain text of the assistant.
    """
    out: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "tool" and not tools:
            _append_text(out, encodable(message.content))
            continue
        data: dict[str, Any] = {"role": message.role, "content": encodable(message.content)}
        if message.role == "tool":
            data["tool_call_id"] = encodable(message.tool_call_id)
        elif message.tool_calls and tools:
            data["tool_calls"] = [_call(call) for call in message.tool_calls]
        if not tools and message.role == "assistant" and out and out[-1]["role"] == "assistant":
            _append_text(out, data["content"])
        else:
            out.append(data)
    return out


def tools_payload(tools: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the service takes them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": encodable(tool.description),
                "parameters": tool.parameters or {"type": "object", "properties": {}},
            },
        }
        for tool in tools
    ]


def _append_text(out: list[dict[str, Any]], text: str) -> None:
    if out and out[-1]["role"] == "assistant":
        out[-1]["content"] = "\n\n".join(part for part in (out[-1]["content"], text) if part)
    else:
        out.append({"role": "assistant", "content": text})


def _call(call: ToolCall) -> dict[str, Any]:
    return {
        "id": encodable(call.id),
        "type": "function",
        "function": {"name": encodable(call.name), "arguments": _arguments(call.arguments)},
    }


def _arguments(text: str) -> str:
    """Arguments that aren't a JSON object make strict services refuse every later request: they go wrapped."""
    text = encodable(text)
    try:
        sound = isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        sound = False
    return text if sound else json.dumps({"malformed": text}, ensure_ascii=False)
