"""delegate_task: one request with a clean context and no tools; its conclusion comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import aclosing

from geekagent_tui.agent.models.base import (
    Finish,
    Message,
    ModelClient,
    ModelError,
    ModelRequest,
    TextPiece,
    UsagePiece,
)
from geekagent_tui.agent.redaction import Redactor
from geekagent_tui.agent.tokens import estimate, estimate_messages
from geekagent_tui.agent.tools.base import NOWHERE, Arguments, Running, Spent, ToolResult
from geekagent_tui.texts.tools import ToolTexts


class DelegateArguments(Arguments):
    task: str


class DelegateTask:
    """``model`` gives the client of now, ``redact`` the secrets of now: the task leaves for a service."""

    name = "delegate_task"
    arguments: type[Arguments] = DelegateArguments

    def __init__(
        self, model: Callable[[], ModelClient], redact: Callable[[], Redactor], texts: ToolTexts
    ) -> None:
        self._model = model
        self._redact = redact
        self._texts = texts
        self.description = texts.delegate_about
        self.field_texts: Mapping[str, str] = {"task": texts.delegate_task}

    async def run(self, arguments: Arguments) -> ToolResult:
        async def nobody(preview: object) -> ToolResult | None:
            return None

        return await self.run_live(arguments, Running(NOWHERE, lambda text: None, lambda spent: None, nobody))

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        assert isinstance(arguments, DelegateArguments)
        texts = self._texts
        task = self._redact()(arguments.task)
        request = ModelRequest((Message("system", texts.delegate_prompt), Message("user", task)), (), None)
        pieces: list[str] = []
        counted: UsagePiece | None = None
        finish = Finish("unknown")
        try:
            async with aclosing(self._model().stream(request)) as stream:
                async for piece in stream:
                    match piece:
                        case TextPiece():
                            pieces.append(piece.text)
                            running.report(piece.text)
                        case UsagePiece():
                            counted = piece
                        case Finish():
                            finish = piece
        except ModelError as error:
            return ToolResult(f"{error.message} {error.hint}".strip(), ok=False)
        finally:
            # Also for a request that was cut: the service has counted those tokens too.
            if counted is not None:
                running.spend(Spent(counted.prompt_tokens, counted.completion_tokens, exact=True))
            elif pieces:
                sent = estimate_messages(request.messages)
                running.spend(Spent(sent, estimate("".join(pieces)), exact=False))
        text = "".join(pieces).strip()
        if not text:
            return ToolResult(texts.delegate_nothing, ok=False)
        if finish.reason in ("length", "unknown"):
            text = f"{text}\n{texts.delegate_cut}"
        return ToolResult(text)
