"""The one vocabulary of a turn.

The interface, the command line, the session database and the tests all consume these events. A turn is:
``TurnStarted``, ``RecallDone``, then for each request ``RequestStarted`` followed by deltas, tool calls and
usage, and at the end exactly one of ``TurnFinished``, ``TurnFailed``, ``TurnCancelled``.

Every event names its turn, so that a late one can never be drawn into another turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from geekagent_tui.memory.types import Recall


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """``text`` is the user's message as typed; ``at`` the start in seconds since the epoch, UTC."""

    turn: str
    text: str
    at: float
    model: str


@dataclass(frozen=True, slots=True)
class RecallDone:
    """Recall is over, before the first request. ``injected`` is the exact text for the prompt ("" for none)."""

    turn: str
    recall: Recall
    injected: str


@dataclass(frozen=True, slots=True)
class RequestStarted:
    """A request leaves for the model. ``round`` counts from 1 within the turn."""

    turn: str
    round: int


@dataclass(frozen=True, slots=True)
class RequestSent:
    """The body of a request, as JSON text with the very data that went to the service; never a header. A request that
    had to be sent in another way comes again, and the last one counts."""

    turn: str
    round: int
    body: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    turn: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """``arguments`` is the JSON text exactly as the model wrote it."""

    turn: str
    call: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """A call still runs. ``text`` is what it has put out since the last such event ("" for nothing), ``elapsed_ms`` how
    long it has run. Not stored: the result has it all."""

    turn: str
    call: str
    text: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class ToolCallFinished:
    """``result`` is the text that the model gets; ``ok`` is false when the tool refused or failed."""

    turn: str
    call: str
    name: str
    result: str
    ok: bool
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request. ``exact`` is true when the service counted them, false for an estimate."""

    turn: str
    prompt_tokens: int
    completion_tokens: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that neither model nor tool said."""

    turn: str
    level: Literal["info", "warning", "error"]
    text: str


@dataclass(frozen=True, slots=True)
class MemoryWritten:
    """A tool changed memory. ``kind``: ``add``, ``replace``, ``edit`` or ``delete``; ``text`` what is stored now,
    exactly ("" after a delete), ``before`` what stood there; ``number`` its place from 1; ``change`` the id in the
    journal, with which exactly this is undone (``Memory.undo``)."""

    turn: str
    change: int
    kind: str
    number: int
    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """``reason``: ``stop``, ``length`` (the service cut the answer), ``filter``, ``tool_limit`` or ``unknown``
    (the stream ended without one: the text may be cut)."""

    turn: str
    reason: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended in an error. Text so far is kept. ``message`` says what happened, ``hint`` what to do."""

    turn: str
    kind: str
    message: str
    hint: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    """The user stopped the turn. Text so far is kept and marked as interrupted."""

    turn: str
    elapsed_ms: float


Event = (
    TurnStarted
    | RecallDone
    | RequestStarted
    | RequestSent
    | TextDelta
    | ReasoningDelta
    | ToolCallStarted
    | ToolProgress
    | ToolCallFinished
    | Usage
    | Notice
    | MemoryWritten
    | TurnFinished
    | TurnFailed
    | TurnCancelled
)
TurnEnd = TurnFinished | TurnFailed | TurnCancelled
