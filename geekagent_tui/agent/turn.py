"""One turn: recall, then request and tool calls until the model has nothing more to call.

The work runs in a task of its own and hands its events over through a queue, so that cancelling is one explicit
call which ends the request at once and still closes the turn in order: every call gets a result, and the last
event is always exactly one of finished, failed, cancelled.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Protocol

from geekagent_tui.agent.claims import claims_to_remember, without_secrets
from geekagent_tui.agent.events import (
    Event,
    MemoryWritten,
    Notice,
    ReasoningDelta,
    RecallDone,
    RequestSent,
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
from geekagent_tui.agent.models.base import (
    Finish,
    Message,
    ModelClient,
    ModelError,
    ModelRequest,
    NoticePiece,
    ReasoningPiece,
    SentPiece,
    TextPiece,
    ToolCall,
    UsagePiece,
)
from geekagent_tui.agent.prompt import system_prompt
from geekagent_tui.agent.tokens import estimate, estimate_messages
from geekagent_tui.agent.tools.base import Origin, Spent, ToolResult
from geekagent_tui.agent.tools.registry import ToolRegistry
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.agent import AgentTexts

MAX_ROUNDS = 20
"""Requests in one turn. A model that calls tools without end stops here and the user is told."""


MAX_CALLS = 64
"""Calls of one reply that are run. Thousands are a model gone wrong, and each is stored and drawn."""


class Recaller(Protocol):
    """What a turn needs of memory. ``recall`` may be slow: it is called in a thread."""

    def recall(self, query: str, previous: str) -> Recall:
        """``previous`` is the question before that recall looked up, which a "go on" asks again; "" without one."""

    def injected(self, recall: Recall) -> str:
        """The exact text for the system prompt, "" when nothing came to mind."""
        ...


@dataclass(frozen=True, slots=True)
class TurnContext:
    """All that a turn works with. ``clock`` counts seconds from anywhere, ``now`` seconds since the epoch."""

    recaller: Recaller
    model: ModelClient
    tools: ToolRegistry
    project: Callable[[], str]
    skill: str
    texts: AgentTexts
    clock: Callable[[], float]
    now: Callable[[], float]
    max_rounds: int = MAX_ROUNDS
    session: str = ""


class Turn:
    """A turn on its way. Iterate ``events()`` once; call ``cancel()`` at any time."""

    def __init__(
        self, turn: str, text: str, history: tuple[Message, ...], context: TurnContext, previous: str = ""
    ) -> None:
        """``turn`` is the id that every event carries, ``history`` the messages before this turn, ``previous`` the
        question before that recall looked up."""
        self.id = turn
        self.text = text
        self._history = history
        self._previous = previous
        self._context = context
        self._queue: asyncio.Queue[Event] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._cancelled = False
        self._started = 0.0
        self._stored = False

    def cancel(self) -> None:
        """End the turn at once. It closes with ``TurnCancelled``; a turn that has ended is left alone."""
        self._cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def events(self) -> AsyncGenerator[Event, None]:
        """The turn's events, the last one a ``TurnEnd``. Closing the generator early cancels the turn."""
        self._started = self._context.clock()
        self._task = asyncio.create_task(self._run(), name=f"turn {self.id}")
        # A task that is cancelled before its first step never runs `_run`, which puts the end otherwise.
        self._task.add_done_callback(lambda _: self._put(TurnCancelled(self.id, self._elapsed())))
        if self._cancelled:
            self._task.cancel()
        try:
            while True:
                event = await self._queue.get()
                yield event
                if isinstance(event, TurnEnd):
                    return
        finally:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _elapsed(self) -> float:
        return (self._context.clock() - self._started) * 1000.0

    def _put(self, event: Event) -> None:
        self._queue.put_nowait(event)

    async def _run(self) -> None:
        try:
            end = await self._rounds()
        except asyncio.CancelledError:
            end = TurnCancelled(self.id, self._elapsed())
        except ModelError as error:
            end = TurnFailed(self.id, error.kind, error.message, error.hint, self._elapsed())
        except Exception as error:  # noqa: BLE001 - a fault of ours must end the turn readably, not the app
            texts = self._context.texts
            message = texts.unexpected.format(kind=type(error).__name__, reason=error)
            end = TurnFailed(self.id, "unexpected", message, texts.unexpected_hint, self._elapsed())
        self._put(end)

    async def _rounds(self) -> TurnEnd:
        context = self._context
        self._put(TurnStarted(self.id, self.text, context.now(), context.model.label))
        recall, injected = await self._recall()
        messages = [*self._history, Message("user", self.text)]
        for number in range(1, context.max_rounds + 1):
            # Rebuilt for every request: the passages stay through all rounds, and AGENTS.md may have changed.
            project = await asyncio.to_thread(context.project)
            prompt = system_prompt(context.texts, project=project, skill=context.skill, injected=injected)
            sent = (Message("system", prompt), *messages)
            request = ModelRequest(self._redacted(sent), context.tools.specs(), recall)
            self._put(RequestStarted(self.id, number))
            text, finish = await self._request(request, number)
            if not finish.tool_calls:
                if not self._stored and claims_to_remember(text):
                    self._put(Notice(self.id, "warning", context.texts.nothing_stored))
                return TurnFinished(self.id, finish.reason, self._elapsed())
            calls, left = finish.tool_calls[:MAX_CALLS], len(finish.tool_calls) - MAX_CALLS
            if left > 0:
                self._put(
                    Notice(self.id, "warning", context.texts.calls_left.format(count=left, calls=MAX_CALLS))
                )
            messages.append(Message("assistant", text, calls))
            for call, result in zip(calls, await self._calls(calls), strict=True):
                messages.append(Message("tool", result.text, tool_call_id=call.id))
        self._put(Notice(self.id, "warning", context.texts.tool_limit.format(rounds=context.max_rounds)))
        return TurnFinished(self.id, "tool_limit", self._elapsed())

    async def _recall(self) -> tuple[Recall | None, str]:
        """Recall in a thread. A memory that can't be searched is said, and the turn goes on without it."""
        recaller = self._context.recaller
        try:
            recall = await asyncio.to_thread(recaller.recall, self.text, self._previous)
            injected = recaller.injected(recall)
        except Exception as error:  # noqa: BLE001 - never lose the user's question to a fault of recall
            reason = f"{type(error).__name__}: {error}"
            self._put(Notice(self.id, "error", self._context.texts.recall_failed.format(reason=reason)))
            return None, ""
        self._put(RecallDone(self.id, recall, injected))
        return recall, injected

    async def _request(self, request: ModelRequest, number: int) -> tuple[str, Finish]:
        pieces: list[str] = []
        counted: UsagePiece | None = None
        finish = Finish("unknown")
        try:
            async with aclosing(self._context.model.stream(request)) as stream:
                async for piece in stream:
                    match piece:
                        case SentPiece():
                            self._put(RequestSent(self.id, number, piece.body))
                        case TextPiece():
                            pieces.append(piece.text)
                            self._put(TextDelta(self.id, piece.text))
                        case ReasoningPiece():
                            self._put(ReasoningDelta(self.id, piece.text))
                        case UsagePiece():
                            counted = piece
                        case NoticePiece():
                            self._put(Notice(self.id, "info", piece.text))
                        case Finish():
                            finish = piece
        finally:
            # Also for a request that was cut: the service has counted those tokens too.
            if pieces or counted or finish.tool_calls or finish.reason != "unknown":
                self._put(self._usage(request, "".join(pieces), finish, counted))
        return "".join(pieces), finish

    def _usage(self, request: ModelRequest, text: str, finish: Finish, counted: UsagePiece | None) -> Usage:
        if counted is not None:
            return Usage(self.id, counted.prompt_tokens, counted.completion_tokens, exact=True)
        reply = Message("assistant", text, finish.tool_calls)
        written = estimate_messages([reply]) if finish.tool_calls else estimate(text)
        return Usage(self.id, estimate_messages(request.messages), written, exact=False)

    def _redacted(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What leaves for the service: files, memory and the user's own words may hold a secret."""
        redacted = self._context.tools.redacted
        return tuple(
            message if text == message.content else replace(message, content=text)
            for message, text in ((message, redacted(message.content)) for message in messages)
        )

    async def _calls(self, calls: tuple[ToolCall, ...]) -> list[ToolResult]:
        """Results in the model's order. Neighbours that only read run side by side."""
        results: list[ToolResult] = []
        for together, group in itertools.groupby(calls, self._context.tools.side_by_side):
            if not together:
                results.extend([await self._call(call) for call in group])
                continue
            tasks = [asyncio.create_task(self._call(call)) for call in group]
            try:
                results.extend(await asyncio.gather(*tasks))
            except asyncio.CancelledError:
                # Each puts its own end; the turn's comes after all of them.
                await asyncio.wait(tasks)
                raise
        return results

    async def _call(self, call: ToolCall) -> ToolResult:
        """Run one call. On cancel the tool may still finish what can't be undone, and its result is kept."""
        tools, clock = self._context.tools, self._context.clock
        self._put(ToolCallStarted(self.id, call.id, call.name, tools.redacted(without_secrets(call))))
        begun = clock()

        def report(text: str) -> None:
            self._put(ToolProgress(self.id, call.id, text, (clock() - begun) * 1000.0))

        def spend(spent: Spent) -> None:
            self._put(Usage(self.id, spent.prompt_tokens, spent.completion_tokens, spent.exact))

        origin = Origin(self._context.session, self.id)
        task = asyncio.create_task(tools.run(call, origin, report=report, spend=spend))
        try:
            result = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.cancel()
            await asyncio.wait([task])
            result = (
                ToolResult(self._context.texts.call_interrupted, ok=False)
                if task.cancelled()
                else task.result()
            )
            self._finished(call, result, begun)
            raise
        self._finished(call, result, begun)
        return result

    def _finished(self, call: ToolCall, result: ToolResult, begun: float) -> None:
        elapsed = (self._context.clock() - begun) * 1000.0
        self._put(ToolCallFinished(self.id, call.id, call.name, result.text, result.ok, elapsed))
        for written in result.written:
            self._put(
                MemoryWritten(
                    self.id, written.change, written.kind, written.number, written.text, written.before
                )
            )
        for remark in result.remarks:
            self._put(Notice(self.id, "warning", remark))
        self._stored |= bool(result.written) or result.known
