"""memory_write and memory_search: long-term memory as the model reaches for it on purpose."""

from __future__ import annotations

import asyncio

from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.memory.formatting import search_text, write_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import AlreadyKnown, Remembered
from geekagent_tui.texts.agent import AgentTexts


class WriteArguments(Arguments):
    """``content``: what to remember."""

    content: str = ""


class SearchArguments(Arguments):
    """``query``: keywords separated by white space."""

    query: str


class MemoryWrite:
    """Stores one entry. Once begun it is finished even when the turn is cancelled: a write is on disk or it is
    not, and the turn has to say which."""

    name = "memory_write"
    arguments: type[Arguments] = WriteArguments

    def __init__(self, memory: Memory, texts: AgentTexts) -> None:
        self._memory = memory
        self.description = texts.memory_write_description
        self.field_texts = {"content": texts.memory_write_content}

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, WriteArguments)
        write = asyncio.ensure_future(asyncio.to_thread(self._memory.remember, arguments.content))
        while not write.done():
            try:
                await asyncio.shield(write)
            except asyncio.CancelledError:
                continue
        outcome = write.result()
        return ToolResult(write_text(outcome), ok=isinstance(outcome, Remembered | AlreadyKnown))


class MemorySearch:
    """Searches with the keywords the model wrote; the same text as active recall, under its own heading."""

    name = "memory_search"
    arguments: type[Arguments] = SearchArguments

    def __init__(self, memory: Memory, top_k: int, texts: AgentTexts) -> None:
        self._memory = memory
        self._top_k = top_k
        self.description = texts.memory_search_description
        self.field_texts = {"query": texts.memory_search_query}

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, SearchArguments)
        found = await asyncio.to_thread(self._memory.search, arguments.query, self._top_k)
        return ToolResult(search_text(found))
