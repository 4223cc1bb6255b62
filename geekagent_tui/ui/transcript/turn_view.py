"""A turn as blocks and rows. What is drawn is a function of its record; an update reuses what stayed the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from geekagent_tui.agent.record import NoticePart, Part, ReasoningPart, TextPart, ToolPart, TurnRecord
from geekagent_tui.texts.transcript import TranscriptTexts
from geekagent_tui.ui.transcript.blocks import Block, estimate, targets
from geekagent_tui.ui.transcript.find import folded, searched
from geekagent_tui.ui.transcript.flow import Flow
from geekagent_tui.ui.transcript.lines import BLANK, Line, Span
from geekagent_tui.ui.transcript.parts import (
    FOLDED_ROWS,
    Foldable,
    Message,
    Reasoning,
    Receipt,
    ToolCall,
    ending,
    long_message,
    notice,
    pending,
)
from geekagent_tui.ui.transcript.wrap import wrap

NOTE = "note:"
"""Prefix of the ids of what a command printed: shown among the turns, no part of the conversation."""

_MESSAGE = -1
"""The message's place among the parts, for what is unfolded."""

_FENCES = ("```", "~~~", "\n    ")


@dataclass(frozen=True, slots=True)
class Target:
    """What the cursor can stand on: a code or foldable block, with its first row and its number of rows."""

    row: int
    height: int
    block: Block


@dataclass(frozen=True, slots=True)
class Rows:
    """A laid-out item: its rows, and the row at which each of its blocks begins."""

    lines: Sequence[Line]
    starts: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Section:
    """What a part of the record became. ``live``: it may still change."""

    part: Part
    made: Flow | Block
    live: bool


class Item(Protocol):
    """What the column stacks."""

    def rows(self, width: int) -> Rows: ...

    def estimate(self, width: int) -> int:
        """A cheap guess at the number of rows."""

    def release(self) -> None:
        """Forget what can be laid out again."""


class Banner:
    """The lines above all turns. The first is the title."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._texts = tuple(lines)

    def rows(self, width: int) -> Rows:
        rows: list[Line] = []
        for at, text in enumerate(self._texts):
            rows.extend(wrap([Span(text, "banner" if at else "banner-title")], width))
        return Rows([*rows, BLANK] if rows else [], [0] if rows else [])

    def estimate(self, width: int) -> int:
        return len(self.rows(width).lines)

    def release(self) -> None:
        return None


class TurnView:
    """One turn. ``update`` takes a later state of its record."""

    def __init__(self, record: TurnRecord, texts: TranscriptTexts) -> None:
        self.record = record
        self._texts = texts
        self._unfolded: set[int] = set()
        self._message: Message | None = None
        self._sections: list[_Section] | None = None
        self._rows: Rows | None = None
        self._targets: list[Target] | None = None
        self._width = -1

    def update(self, record: TurnRecord) -> None:
        """Show ``record``; text that only grew costs what is new."""
        if record.text != self.record.text:
            self._message = None
        self.record = record
        self._rows = None
        if self._sections is None:
            return
        kept = self._sections
        sections: list[_Section] = []
        for at, part in enumerate(record.parts):
            live = self._is_live(at)
            old = kept[at] if at < len(kept) else None
            if old is not None and old.part is part and old.live == live:
                sections.append(old)
            elif old is not None and isinstance(old.made, Flow) and isinstance(part, TextPart):
                flow = self._fed(old.made, old.part, part)
                if not live:
                    flow.finish()
                sections.append(_Section(part, flow, live))
            else:
                sections.append(self._made(at))
        self._sections = sections

    def _is_live(self, at: int) -> bool:
        """Whether part ``at`` may still change: text and reasoning while they are last, a call until the end."""
        record = self.record
        if record.end is not None or record.status != "running":
            return False
        return at == len(record.parts) - 1 or isinstance(record.parts[at], ToolPart)

    def _fed(self, flow: Flow, old: Part, new: TextPart) -> Flow:
        if isinstance(old, TextPart) and new.text.startswith(old.text):
            if len(new.text) == len(old.text):
                return flow
            if not flow.finished:
                flow.feed(new.text[len(old.text) :])
                return flow
        fresh = Flow()
        fresh.feed(new.text)
        return fresh

    def _made(self, at: int) -> _Section:
        part, live, shut = self.record.parts[at], self._is_live(at), at not in self._unfolded
        match part:
            case TextPart():
                flow = Flow()
                flow.feed(part.text)
                if not live:
                    flow.finish()
                return _Section(part, flow, live)
            case ReasoningPart():
                return _Section(part, Reasoning(part.text, self._texts, running=live, folded=shut), live)
            case ToolPart():
                joins = at > 0 and isinstance(self.record.parts[at - 1], ToolPart)
                call = ToolCall(part, self._texts, ended=not live, folded=shut, joins=joins)
                return _Section(part, call, live)
            case NoticePart():
                return _Section(part, notice(part), live)

    def _built(self) -> list[_Section]:
        if self._sections is None:
            self._sections = [self._made(at) for at in range(len(self.record.parts))]
        return self._sections

    def blocks(self) -> list[Block]:
        """All blocks, top to bottom."""
        record = self.record
        blocks: list[Block] = []
        if record.text:
            self._message = self._message or Message(
                record.text, self._texts, folded=_MESSAGE not in self._unfolded
            )
            blocks.append(self._message)
        if record.recall is not None:
            blocks.append(Receipt(record.recall, len(record.injected), self._texts))
        for section in self._built():
            if isinstance(section.made, Flow):
                blocks.extend(section.made.blocks)
            else:
                blocks.append(section.made)
        if record.end is not None:
            blocks.extend(ending(record.end, self._texts))
        elif record.status == "queued" or (record.status == "running" and not record.parts):
            blocks.append(pending(record.status, self._texts))
        return blocks

    def rows(self, width: int) -> Rows:
        if self._rows is None or self._width != width:
            lines: list[Line] = []
            starts: list[int] = []
            for block in self.blocks():
                if lines and not block.joins:
                    lines.append(BLANK)
                starts.append(len(lines))
                lines.extend(block.lines(width))
            lines.append(BLANK)
            self._rows, self._width, self._targets = Rows(lines, starts), width, None
        return self._rows

    def targets(self, width: int) -> list[Target]:
        """What the cursor can stand on, top to bottom."""
        self.rows(width)
        if self._targets is None:
            self._targets = [Target(*found) for found in targets(self.blocks(), width)]
        return self._targets

    @property
    def may_have_code(self) -> bool:
        """Whether a look at the blocks is worth it, without making them."""
        answers = [part.text for part in self.record.parts if isinstance(part, TextPart)]
        return any(mark in text for text in answers for mark in _FENCES) or any(
            text.startswith("    ") for text in answers
        )

    @property
    def may_fold(self) -> bool:
        record = self.record
        return long_message(record.text) or any(
            isinstance(part, ToolPart | ReasoningPart) for part in record.parts
        )

    def toggle(self, block: Block) -> bool:
        """Fold or unfold ``block``; whether it is one of this turn's that can."""
        for at, foldable in self._foldables():
            if foldable is block:
                self._toggle(at, foldable)
                return True
        return False

    def unfold_holding(self, query: str) -> bool:
        """Open what has ``query`` (folded, see ``find``) in its hidden text; whether there was such a block."""
        opened = [
            (at, block) for at, block in self._foldables() if block.folded and query in self._hidden(at)
        ]
        for at, block in opened:
            self._toggle(at, block)
        return bool(opened)

    def _foldables(self) -> list[tuple[int, Foldable]]:
        """What can be folded, with its place among the parts."""
        self.blocks()
        found: list[tuple[int, Foldable]] = []
        if self._message is not None and self._message.foldable:
            found.append((_MESSAGE, self._message))
        for at, section in enumerate(self._built()):
            if isinstance(section.made, Foldable):
                found.append((at, section.made))
        return found

    def _toggle(self, at: int, block: Foldable) -> None:
        block.toggle()
        self._unfolded ^= {at}
        self._rows = None

    def _hidden(self, at: int) -> str:
        record = self.record
        if at == _MESSAGE:
            return folded(record.text)
        return searched(replace(record, text="", parts=(record.parts[at],)))

    def estimate(self, width: int) -> int:
        record = self.record
        rows = estimate(record.text, width - 3) + 2 if record.text else 1
        if _MESSAGE not in self._unfolded and long_message(record.text):
            rows = min(rows, FOLDED_ROWS)
        for part in record.parts:
            rows += 2 if isinstance(part, ToolPart | ReasoningPart) else estimate(part.text, width) + 1
        return rows + (record.end is not None and record.status != "finished")

    def release(self) -> None:
        if self.record.end is not None or self.record.status == "finished":
            self._sections = self._rows = self._message = None
