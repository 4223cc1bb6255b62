"""A turn as it stands: what its events add up to.

``TurnLog`` is fed events and is the only place that knows how they add up; ``TurnRecord`` is its frozen
snapshot, and what panes draw, the history is built from and the session database gives back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from geekagent_tui.agent.events import (
    Event,
    MemoryWritten,
    Notice,
    ReasoningDelta,
    RecallDone,
    RequestStarted,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    ToolProgress,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    Usage,
)
from geekagent_tui.memory.types import Recall

OUTPUT_KEPT = 8_000
"""Characters of a running call's output that are kept to be shown."""

Status = Literal["queued", "running", "finished", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A run of the answer, as Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    text: str


@dataclass(frozen=True, slots=True)
class ToolPart:
    """``result`` is None while the call runs, or when the turn ended before it did. ``round`` is the request
    (from 1) that made the call, ``output`` the end of what came while it runs."""

    call: str
    name: str
    arguments: str
    round: int
    result: str | None = None
    ok: bool = True
    elapsed_ms: float = 0.0
    output: str = ""


@dataclass(frozen=True, slots=True)
class NoticePart:
    level: Literal["info", "warning", "error"]
    text: str


Part = TextPart | ReasoningPart | ToolPart | NoticePart


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """``text`` is the user's message, ``parts`` what came back in order, ``usage`` one entry a request, ``written``
    what the turn did to memory."""

    id: str
    text: str
    at: float
    model: str = ""
    status: Status = "queued"
    recall: Recall | None = None
    injected: str = ""
    parts: tuple[Part, ...] = ()
    usage: tuple[Usage, ...] = ()
    end: TurnEnd | None = None
    written: tuple[MemoryWritten, ...] = ()

    @property
    def answer(self) -> str:
        """The text of the answer without reasoning, tools and notices; runs joined by a blank line."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def never_begun(self) -> bool:
        """It was taken out of the queue before its turn came: nothing was searched or sent."""
        return self.status == "cancelled" and not self.model


def unanswered(records: Sequence[TurnRecord]) -> tuple[str, ...]:
    """The messages to ask again, in order: all at the end that failed one after another, or were never begun; with
    none there, the last one anywhere that failed or was stopped and that no later turn has answered."""
    end: list[str] = []
    answered: set[str] = set()
    for record in reversed(records):
        if record.status == "failed" or record.never_begun:
            end.append(record.text)
        else:
            break
    if end:
        return tuple(dict.fromkeys(reversed(end)))
    for record in reversed(records):
        if record.status in ("failed", "cancelled") and record.text not in answered:
            return (record.text,)
        if record.status == "finished":
            answered.add(record.text)
    return ()


class TurnLog:
    """Adds events up. Deltas are collected as pieces, so a long answer costs its length and not its square."""

    def __init__(self, record: TurnRecord) -> None:
        self._record = record
        self._parts: list[Part] = list(record.parts)
        self._open: type[TextPart] | type[ReasoningPart] | None = None
        self._pieces: list[str] = []
        self._round = 0

    @classmethod
    def replay(cls, record: TurnRecord, events: Iterable[Event]) -> TurnLog:
        """The log after ``events``, of which only those of ``record``'s turn count."""
        log = cls(record)
        for event in events:
            log.apply(event)
        return log

    def apply(self, event: Event) -> None:
        """Take one event in. An event of another turn, or one after the end, changes nothing."""
        if event.turn != self._record.id or self._record.end is not None:
            return
        match event:
            case TurnStarted():
                self._record = replace(
                    self._record, text=event.text, at=event.at, model=event.model, status="running"
                )
            case RecallDone():
                self._record = replace(self._record, recall=event.recall, injected=event.injected)
            case RequestStarted():
                self._close()
                self._round = event.round
            case TextDelta():
                self._extend(TextPart, event.text)
            case ReasoningDelta():
                self._extend(ReasoningPart, event.text)
            case ToolCallStarted():
                self._close()
                self._parts.append(ToolPart(event.call, event.name, event.arguments, self._round))
            case ToolProgress():
                self._progress(event)
            case ToolCallFinished():
                self._finish_call(event)
            case Usage():
                self._record = replace(self._record, usage=(*self._record.usage, event))
            case MemoryWritten():
                self._record = replace(self._record, written=(*self._record.written, event))
            case Notice():
                self._close()
                self._parts.append(NoticePart(event.level, event.text))
            case TurnFinished():
                self._end(event, "finished")
            case TurnFailed():
                self._end(event, "failed")
            case TurnCancelled():
                self._end(event, "cancelled")

    def record(self) -> TurnRecord:
        """The turn as it stands now."""
        parts = self._parts
        if self._open is not None:
            parts = [*parts, self._open("".join(self._pieces))]
        return replace(self._record, parts=tuple(parts))

    def _extend(self, kind: type[TextPart] | type[ReasoningPart], text: str) -> None:
        if not text:
            return
        if self._open is not kind:
            self._close()
            self._open = kind
        self._pieces.append(text)

    def _close(self) -> None:
        if self._open is not None:
            self._parts.append(self._open("".join(self._pieces)))
            self._open = None
            self._pieces = []

    def _progress(self, event: ToolProgress) -> None:
        for at in range(len(self._parts) - 1, -1, -1):
            part = self._parts[at]
            if isinstance(part, ToolPart) and part.call == event.call and part.result is None:
                output = (part.output + event.text)[-OUTPUT_KEPT:]
                self._parts[at] = replace(part, output=output, elapsed_ms=event.elapsed_ms)
                return

    def _finish_call(self, event: ToolCallFinished) -> None:
        for at in range(len(self._parts) - 1, -1, -1):
            part = self._parts[at]
            if isinstance(part, ToolPart) and part.call == event.call and part.result is None:
                self._parts[at] = replace(
                    part, result=event.result, ok=event.ok, elapsed_ms=event.elapsed_ms, output=""
                )
                return

    def _end(self, event: TurnEnd, status: Status) -> None:
        self._close()
        self._record = replace(self._record, end=event, status=status)
