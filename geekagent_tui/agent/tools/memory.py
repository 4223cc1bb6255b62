"""Long-term memory as the model reaches for it on purpose: write, search, update, forget."""

from __future__ import annotations

import asyncio

from geekagent_tui.agent.diffs import unified
from geekagent_tui.agent.tools.base import (
    NOWHERE,
    Arguments,
    Choice,
    Chooser,
    LikeEntry,
    Origin,
    Preview,
    ToolResult,
    Written,
)
from geekagent_tui.agent.tools.finishing import finished
from geekagent_tui.memory.formatting import as_written, change_text, search_text, write_text
from geekagent_tui.memory.ledger.likeness import Likeness
from geekagent_tui.memory.ledger.types import Author
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import AlreadyKnown, Changed, ChangeOutcome, Masked, Outcome, Remembered
from geekagent_tui.memory.secrets import mask_entry
from geekagent_tui.texts.agent import AgentTexts

_LEAST = 6
"""Characters that tell an entry from another."""


class WriteArguments(Arguments):
    """``content``: what to remember."""

    content: str = ""


class SearchArguments(Arguments):
    """``query``: keywords separated by white space."""

    query: str


class UpdateArguments(Arguments):
    """``number``: the entry's, from 1; ``expected``: its text or a part of it; ``content``: what comes in its place."""

    number: int
    expected: str
    content: str = ""


class ForgetArguments(Arguments):
    """``number``: the entry's, from 1; ``expected``: its text or a part of it."""

    number: int
    expected: str


class MemoryWrite:
    """Stores one entry. What memory has already is not stored again, recalled text that comes back among it; about one
    that is like another the user decides where there is one to ask, else both are kept and it is said."""

    name = "memory_write"
    arguments: type[Arguments] = WriteArguments

    def __init__(self, memory: Memory, texts: AgentTexts, chooser: Chooser | None = None) -> None:
        self._memory = memory
        self._texts = texts
        self._chooser = chooser
        self.description = texts.memory_write_description
        self.field_texts = {"content": texts.memory_write_content}

    async def run(self, arguments: Arguments) -> ToolResult:
        return await self.run_from(arguments, NOWHERE)

    async def run_from(self, arguments: Arguments, origin: Origin) -> ToolResult:
        assert isinstance(arguments, WriteArguments)
        author = Author("model", origin.session, origin.turn)
        content = as_written(arguments.content)
        known, alike = await asyncio.to_thread(self._looked_up, content)
        if known:
            return ToolResult(write_text(AlreadyKnown(known)), known=True)
        choice: Choice = "both"
        if alike is not None and self._chooser is not None:
            new, _ = mask_entry(content)
            like = LikeEntry(alike.number, alike.text, new, alike.relation)
            choice = await self._chooser.choose(like)
        if choice == "cancel":
            assert alike is not None
            return ToolResult(self._texts.memory_kept.format(number=alike.number), ok=False)
        if choice == "replace":
            assert alike is not None
            number, old = alike.number, alike.text
            changed = await finished(asyncio.to_thread(self._memory.replace, number, old, content, author))
            return changed_result(changed, self._texts.memory_replaced, old, self._texts)
        outcome = await finished(asyncio.to_thread(self._memory.remember, content, author))
        return self._stored(outcome, alike if self._chooser is None else None)

    def _looked_up(self, content: str) -> tuple[int, Likeness | None]:
        """The number of the entry that says just this (0: none), and else the one that is most like it."""
        if not content.strip():
            return 0, None
        clean, _ = mask_entry(content)
        if number := self._memory.entry_with(clean):
            return number, None
        found = self._memory.similar(clean, limit=1)
        if found and found[0].relation == "same":
            return found[0].number, None
        return 0, found[0] if found else None

    def _stored(self, outcome: Outcome, alike: Likeness | None) -> ToolResult:
        text = write_text(outcome)
        if not isinstance(outcome, Remembered):
            known = isinstance(outcome, AlreadyKnown)
            return ToolResult(text, ok=known, known=known)
        remarks = masked_remarks(outcome.masked, self._texts)
        if alike is not None:
            relation = getattr(self._texts, f"memory_like_{alike.relation}")
            remark = self._texts.memory_alike.format(number=alike.number, relation=relation, old=alike.text)
            remarks = (*remarks, remark)
        written = Written(outcome.change, "add", outcome.number, outcome.entry)
        return ToolResult(text, written=(written,), remarks=remarks)


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


class _ByNumber:
    """What both tools share that name an entry by number and expected text."""

    def __init__(self, memory: Memory, texts: AgentTexts) -> None:
        self._memory = memory
        self._texts = texts

    def _entry(self, number: int, expected: str) -> str | ToolResult:
        """The whole entry. The model may have seen a part of it only, so a part that tells it is enough."""
        self._memory.refresh()
        entries, expected = self._memory.entries, expected.strip()
        if not 1 <= number <= len(entries):
            return ToolResult(self._texts.memory_no_entry.format(number=number), ok=False)
        entry = entries[number - 1]
        if entry == expected or (len(expected) >= _LEAST and expected in entry):
            return entry
        return ToolResult(self._texts.memory_stale.format(number=number, found=entry), ok=False)


class MemoryUpdate(_ByNumber):
    """Writes an entry anew, or the part of it that was expected; the rest of it stays."""

    name = "memory_update"
    arguments: type[Arguments] = UpdateArguments

    def __init__(self, memory: Memory, texts: AgentTexts) -> None:
        super().__init__(memory, texts)
        self.description = texts.memory_update_description
        self.field_texts = {
            "number": texts.memory_number,
            "expected": texts.memory_expected,
            "content": texts.memory_new_content,
        }

    def _versions(self, arguments: UpdateArguments) -> tuple[str, str] | ToolResult:
        """The whole entry, and what it will be."""
        number, expected, content = arguments.number, arguments.expected.strip(), arguments.content.strip()
        entry = self._entry(number, expected)
        if isinstance(entry, ToolResult):
            return entry
        if entry.count(expected) > 1:
            return ToolResult(self._texts.memory_ambiguous.format(number=number), ok=False)
        return entry, entry.replace(expected, content) if content else ""

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        assert isinstance(arguments, UpdateArguments)
        found = await asyncio.to_thread(self._versions, arguments)
        if isinstance(found, ToolResult):
            return found
        entry, new = found
        name = self._texts.memory_entry.format(number=arguments.number)
        return Preview("diff", unified(entry, mask_entry(new)[0], name))

    async def run(self, arguments: Arguments) -> ToolResult:
        return await self.run_from(arguments, NOWHERE)

    async def run_from(self, arguments: Arguments, origin: Origin) -> ToolResult:
        assert isinstance(arguments, UpdateArguments)
        number = arguments.number
        found = await asyncio.to_thread(self._versions, arguments)
        if isinstance(found, ToolResult):
            return found
        entry, new = found
        author = Author("model", origin.session, origin.turn)
        changed = await finished(asyncio.to_thread(self._memory.replace, number, entry, new, author))
        return changed_result(changed, self._texts.memory_updated, entry, self._texts)


class MemoryForget(_ByNumber):
    """Takes an entry out. It stays in the journal, so that the user can have it back."""

    name = "memory_forget"
    arguments: type[Arguments] = ForgetArguments

    def __init__(self, memory: Memory, texts: AgentTexts) -> None:
        super().__init__(memory, texts)
        self.description = texts.memory_forget_description
        self.field_texts = {"number": texts.memory_number, "expected": texts.memory_expected}

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        assert isinstance(arguments, ForgetArguments)
        entry = await asyncio.to_thread(self._entry, arguments.number, arguments.expected)
        if isinstance(entry, ToolResult):
            return entry
        return Preview("diff", unified(entry, "", self._texts.memory_entry.format(number=arguments.number)))

    async def run(self, arguments: Arguments) -> ToolResult:
        return await self.run_from(arguments, NOWHERE)

    async def run_from(self, arguments: Arguments, origin: Origin) -> ToolResult:
        assert isinstance(arguments, ForgetArguments)
        number = arguments.number
        entry = await asyncio.to_thread(self._entry, number, arguments.expected)
        if isinstance(entry, ToolResult):
            return entry
        author = Author("model", origin.session, origin.turn)
        changed = await finished(asyncio.to_thread(self._memory.delete, number, entry, author))
        return changed_result(changed, self._texts.memory_forgotten, entry, self._texts)


def changed_result(outcome: ChangeOutcome, form: str, before: str, texts: AgentTexts) -> ToolResult:
    """What model and user are told of a change, by ``form`` with ``number`` and ``entry``."""
    if not isinstance(outcome, Changed):
        return ToolResult(change_text(outcome), ok=False, known=isinstance(outcome, AlreadyKnown))
    change = outcome.change
    number = outcome.numbers[0] if outcome.numbers else change.before[0].position + 1
    entry = outcome.entries[0] if outcome.entries else ""
    written = Written(change.id, change.kind, number, entry, before)
    return ToolResult(
        form.format(number=number, entry=entry or before),
        written=(written,),
        remarks=masked_remarks(outcome.masked, texts),
    )


def masked_remarks(masked: tuple[Masked, ...], texts: AgentTexts) -> tuple[str, ...]:
    """What the user is told of secrets that were left out."""
    if not masked:
        return ()
    kinds = "、".join(dict.fromkeys(found.kind for found in masked))
    return (texts.memory_masked.format(count=len(masked), kinds=kinds),)
