"""The built-in responder for when no model is configured: it quotes from what recall found, and stores on request.

It makes real tool calls through the same loop as a model, and needs no network.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator

from geekagent_tui.agent.models.base import Finish, Message, ModelPiece, ModelRequest, TextPiece, ToolCall
from geekagent_tui.agent.models.intent import asks_time, to_remember
from geekagent_tui.agent.models.quotes import Quote, best_quotes
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.memory import ZH as MEMORY_ZH
from geekagent_tui.texts.memory import MemoryTexts
from geekagent_tui.texts.models import ZH, ModelsTexts

_WRITE = "memory_write"
_CLOCK = "get_current_time"
_PIECE = 4
_START = 48
"""How many characters of a stored text the answer repeats."""


class OfflineResponder:
    """See ``ModelClient``."""

    offline = True

    def __init__(self, texts: ModelsTexts = ZH, memory_texts: MemoryTexts = MEMORY_ZH) -> None:
        """``memory_texts`` are the words that ``memory_write`` answers in."""
        self._texts = texts
        self._memory_texts = memory_texts

    @property
    def label(self) -> str:
        return self._texts.offline_label

    async def aclose(self) -> None:
        return None

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        """See ``ModelClient.stream``."""
        answer = self._answer(request)
        if isinstance(answer, ToolCall):
            yield Finish("stop", (answer,))
            return
        for at in range(0, len(answer), _PIECE):
            yield TextPiece(answer[at : at + _PIECE])
            await asyncio.sleep(0)
        yield Finish("stop")

    def _answer(self, request: ModelRequest) -> str | ToolCall:
        """The text of the answer, or the call to make first."""
        texts = self._texts
        last = request.messages[-1]
        if last.role == "tool":
            return self._first(request, self._after_tools(request.messages))
        content = to_remember(last.content)
        offered = {tool.name for tool in request.tools}
        call_id = f"offline-{len(request.messages)}"
        if content is not None:
            if not content:
                return texts.offline_remember_what
            if _WRITE not in offered:
                return texts.offline_cannot_write
            return ToolCall(call_id, _WRITE, json.dumps({"content": content}, ensure_ascii=False))
        if asks_time(last.content) and _CLOCK in offered:
            return ToolCall(call_id, _CLOCK, "{}")
        return self._first(request, self._from_memory(request.recall))

    def _first(self, request: ModelRequest, answer: str) -> str:
        """The first answer of a conversation also says how to configure a model."""
        said = any(message.role == "assistant" and message.content for message in request.messages)
        return answer if said else f"{answer}\n\n{self._texts.offline_configure}"

    def _after_tools(self, messages: tuple[Message, ...]) -> str:
        names = {call.id: call.name for message in messages for call in message.tool_calls}
        results: list[str] = []
        for message in reversed(messages):
            if message.role != "tool":
                break
            results.append(self._told(names.get(message.tool_call_id, ""), message.content))
        return "\n\n".join(reversed(results))

    def _told(self, name: str, result: str) -> str:
        """One line about one result."""
        texts, memory = self._texts, self._memory_texts
        if name == _CLOCK:
            return texts.offline_time.format(time=result)
        if name != _WRITE:
            return texts.offline_tool.format(name=name, result=result)
        for said, form in (
            (memory.remembered_cut, texts.offline_stored_cut),
            (memory.remembered, texts.offline_stored),
        ):
            before, _, after = said.partition("{entry}")
            if result.startswith(before) and result.endswith(after):
                entry = result[len(before) : len(result) - len(after)]
                return form.format(characters=len(entry), start=_start(entry))
        if result == memory.already_known:
            return texts.offline_known
        return texts.offline_not_stored.format(reason=result)

    def _from_memory(self, recall: Recall | None) -> str:
        texts = self._texts
        if recall is None:
            return texts.offline_no_recall
        if not recall.hits:
            return texts.offline_nothing if recall.chunks else texts.offline_no_memory
        found = best_quotes(recall)
        if found.enough:
            return "\n\n".join((texts.offline_found, *map(self._quoted, found.quotes)))
        if not found.related:
            return texts.offline_nothing
        best = found.quotes[0]
        maybe = texts.offline_maybe.format(entry=best.entry, segment=best.segment)
        return "\n\n".join(
            (maybe, *(_block(quote.text) for quote in found.quotes if quote.entry == best.entry))
        )

    def _quoted(self, quote: Quote) -> str:
        source = self._texts.offline_source.format(entry=quote.entry, segment=quote.segment)
        return f"{_block(quote.text)}\n>\n> — {source}"


def _block(text: str) -> str:
    """``text`` as a Markdown quotation."""
    return "\n".join(f"> {line}" if line.strip() else ">" for line in text.splitlines())


def _start(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _START else f"{line[:_START]}…"
