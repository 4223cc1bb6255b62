"""Small builders of turns and events for tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime

from geekagent_tui.agent.models.base import ModelPiece, ModelRequest
from geekagent_tui.agent.record import Part, Status, TextPart, TurnRecord
from geekagent_tui.agent.tools.base import Gate, Policy, Tool
from geekagent_tui.agent.tools.clock import CurrentTime
from geekagent_tui.agent.tools.registry import RefuseAll, ToolRegistry
from geekagent_tui.agent.turn import Recaller, TurnContext
from geekagent_tui.memory.types import Hit, Recall, TermMatch
from geekagent_tui.texts.agent import ZH

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


class ScriptedModel:
    """Plays one list of pieces a request. A callable in a script is awaited: a gate, or a fault to raise."""

    label = "scripted"
    offline = False

    def __init__(self, *scripts: Sequence[ModelPiece | Callable[[], object]]) -> None:
        self._scripts = list(scripts)
        self.requests: list[ModelRequest] = []
        self.closed = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        self.requests.append(request)
        try:
            for piece in self._scripts.pop(0):
                if callable(piece):
                    waited = piece()
                    if hasattr(waited, "__await__"):
                        await waited
                else:
                    yield piece
        finally:
            self.closed += 1

    async def aclose(self) -> None:
        return None


class FixedRecaller:
    """Recalls the same thing each turn."""

    def __init__(self, recall: Recall | Exception, injected: str = "") -> None:
        self._recall = recall
        self._injected = injected

    def recall(self, query: str, previous: str) -> Recall:
        if isinstance(self._recall, Exception):
            raise self._recall
        return self._recall

    def injected(self, recall: Recall) -> str:
        return self._injected


def recall_of(query: str, *texts: str, term: str = "压缩") -> Recall:
    """A recall with one hit for each text, scores falling."""
    hits = []
    for at, text in enumerate(texts):
        start = text.find(term)
        spans = ((start, start + len(term)),) if start >= 0 else ()
        score = 4.0 / (at + 1)
        match = TermMatch(term, 1, len(spans), len(texts), 1.5, score, spans)
        hits.append(Hit(at + 1, 1, 0, text, score, (match,)))
    return Recall(query, (term,), tuple(hits), chunks=len(texts) + 1, elapsed_ms=1.25, profile="classic")


def nothing(query: str = "") -> Recall:
    return Recall(query, (), (), chunks=3, elapsed_ms=0.5, profile="classic")


def ended(turn: str, text: str, *parts: Part, status: Status = "finished") -> TurnRecord:
    return TurnRecord(turn, text, 0.0, status=status, parts=parts)


def said(turn: str, text: str, answer: str) -> TurnRecord:
    return ended(turn, text, TextPart(answer))


def registry(
    *tools: Tool, policies: dict[str, Policy] | None = None, gate: Gate | None = None
) -> ToolRegistry:
    """A registry of ``tools`` and the clock; every one allowed unless ``policies`` says otherwise."""
    every: tuple[Tool, ...] = (CurrentTime(lambda: NOON, ZH), *tools)
    allowed: dict[str, Policy] = {tool.name: "allow" for tool in every}
    return ToolRegistry(every, allowed | (policies or {}), gate or RefuseAll(), ZH)


def context(
    model: ScriptedModel, recaller: Recaller | None = None, tools: ToolRegistry | None = None
) -> TurnContext:
    return TurnContext(
        recaller=recaller or FixedRecaller(nothing()),
        model=model,
        tools=tools or registry(),
        project=lambda: "",
        skill="",
        texts=ZH,
        clock=lambda: 0.0,
        now=lambda: 1_000.0,
        max_rounds=4,
    )
