"""What the tests of the model clients share: a model for a loopback server, and a whole answer in one value."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from geekagent_tui.agent.models.base import (
    Finish,
    Message,
    ModelError,
    ModelPiece,
    ModelRequest,
    NoticePiece,
    ReasoningPiece,
    TextPiece,
    ToolCall,
    ToolSpec,
    UsagePiece,
)
from geekagent_tui.agent.models.openai_client import OpenAIModel
from tests.support.loopback import LoopbackServer

KEY = "sk-test-0123456789"
CLOCK = ToolSpec("get_current_time", "现在的时间", {"type": "object", "properties": {}})


@dataclass(slots=True)
class Outcome:
    """All pieces of one answer; ``error`` is what ended it when it did not finish."""

    pieces: list[ModelPiece]
    error: ModelError | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, TextPiece))

    @property
    def reasoning(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, ReasoningPiece))

    @property
    def notices(self) -> list[str]:
        return [piece.text for piece in self.pieces if isinstance(piece, NoticePiece)]

    @property
    def usage(self) -> UsagePiece | None:
        counted = [piece for piece in self.pieces if isinstance(piece, UsagePiece)]
        return counted[-1] if counted else None

    @property
    def finish(self) -> Finish:
        last = self.pieces[-1]
        assert isinstance(last, Finish)
        assert sum(isinstance(piece, Finish) for piece in self.pieces) == 1
        return last

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return self.finish.tool_calls


def model_for(server: LoopbackServer, **options: Any) -> OpenAIModel:
    """A client of ``server``; ids that it makes are ``made-1``, ``made-2``, …"""
    numbers = count(1)
    options = {"new_id": lambda: f"made-{next(numbers)}", **options}
    return OpenAIModel(
        options.pop("base_url", server.base_url), options.pop("key", KEY), "test-model", **options
    )


def request_of(*messages: Message | str, tools: tuple[ToolSpec, ...] = ()) -> ModelRequest:
    """A request with a system message; texts are the user's."""
    said = tuple(Message("user", message) if isinstance(message, str) else message for message in messages)
    return ModelRequest((Message("system", "你是助手"), *said), tools)


async def collect(stream: AsyncGenerator[ModelPiece, None]) -> Outcome:
    """The whole answer; a ``ModelError`` is part of the outcome."""
    outcome = Outcome([])
    async with aclosing(stream):
        try:
            async for piece in stream:
                outcome.pieces.append(piece)
        except ModelError as error:
            outcome.error = error
    return outcome


async def ask(model: OpenAIModel, request: ModelRequest | None = None) -> Outcome:
    """One answer of ``model``, which is closed afterwards."""
    try:
        return await collect(model.stream(request or request_of("你好")))
    finally:
        await model.aclose()


async def failure(model: OpenAIModel, request: ModelRequest | None = None) -> ModelError:
    """The error that the request must end in. No text of it may hold the key."""
    outcome = await ask(model, request)
    if outcome.error is None:
        pytest.fail("the request did not fail")
    assert KEY not in f"{outcome.error.message} {outcome.error.hint} {outcome.error}"
    assert "{" not in outcome.error.hint
    return outcome.error
