"""A rough count of tokens, for the time before a service says the exact one."""

from __future__ import annotations

from collections.abc import Iterable

from geekagent_tui.agent.models.base import Message

_MESSAGE_OVERHEAD = 4
"""Tokens that a chat template puts around each message (OpenAI cookbook, "How to count tokens")."""


def estimate(text: str) -> int:
    """Tokens in ``text``, within about a third for the usual tokenizers: four ASCII characters, or one of any
    other kind, make a token."""
    ascii_count = sum(map(str.isascii, text)) if not text.isascii() else len(text)
    return -(-ascii_count // 4) + len(text) - ascii_count


def estimate_messages(messages: Iterable[Message]) -> int:
    """Tokens in a request's messages, tool calls included."""
    total = 0
    for message in messages:
        total += _MESSAGE_OVERHEAD + estimate(message.content)
        total += sum(estimate(call.name) + estimate(call.arguments) for call in message.tool_calls)
    return total
