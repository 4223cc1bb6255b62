"""What a model client is: one method that streams one answer to one request."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from geekagent_tui.memory.types import Recall


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A finished call as the model wrote it. ``arguments`` is JSON text, parsed only where the tool runs."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation. ``tool_calls`` only on ``assistant``, ``tool_call_id`` only on ``tool``."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; ``parameters`` is a JSON Schema object."""

    name: str
    description: str
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """``messages`` begins with the one system message. ``recall`` is what was injected this turn: a service never
    sees it (the system message already holds its text); the offline responder quotes from it."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    recall: Recall | None = None


@dataclass(frozen=True, slots=True)
class SentPiece:
    """A request leaves with this ``body``: the JSON data for the service, as text."""

    body: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    text: str


@dataclass(frozen=True, slots=True)
class UsagePiece:
    """Tokens as the service counted them. When several come, the last counts."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class NoticePiece:
    """Something the user should know about how the request went (a retry, an option left out)."""

    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The last piece of every stream that did not raise. ``reason`` as in ``events.TurnFinished``.

    ``tool_calls`` are complete calls; a call that was cut is left out.
    """

    reason: str
    tool_calls: tuple[ToolCall, ...] = ()


ModelPiece = SentPiece | TextPiece | ReasoningPiece | UsagePiece | NoticePiece | Finish


class ModelError(Exception):
    """A request failed in a way that a person can read.

    ``kind``: ``auth``, ``not_found``, ``rate_limit``, ``timeout``, ``connection``, ``tls``, ``bad_request``,
    ``context_length``, ``server``, ``interrupted``, ``protocol``, ``cancelled_by_service`` or ``unknown``.
    ``message`` says what happened and where, ``hint`` what to do. Neither ever holds a key.
    """

    def __init__(self, kind: str, message: str, hint: str, status: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.status = status


class ModelClient(Protocol):
    """One model. ``label`` is what the sidebar shows; ``offline`` is true only for the built-in responder."""

    @property
    def label(self) -> str: ...

    @property
    def offline(self) -> bool: ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        """Stream one answer, ending with one ``Finish``. Raises ``ModelError``.

        Closing the generator (or cancelling the task that reads it) ends the request at once.
        """
        ...

    async def aclose(self) -> None: ...
