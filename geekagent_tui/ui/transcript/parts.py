"""The blocks of a turn that aren't Markdown: message, reasoning, tool calls, notices and how it ended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

from rich.cells import cell_len

from geekagent_tui.agent.events import TurnCancelled, TurnEnd, TurnFailed, TurnFinished
from geekagent_tui.agent.record import NoticePart, ToolPart
from geekagent_tui.harmless import harmless
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts.transcript import TranscriptTexts
from geekagent_tui.ui.transcript.blocks import Block
from geekagent_tui.ui.transcript.lines import ORNAMENT, Line, Span, prefixed
from geekagent_tui.ui.transcript.wrap import truncate, wrap

_LEVELS = {
    "info": ("· ", "notice-info"),
    "warning": ("! ", "notice-warning"),
    "error": ("✗ ", "notice-error"),
}


_TAIL_ROWS = 8
"""Rows of a running call's output that are shown without opening it."""
_TAIL_CHARACTERS = 2_000
_LONG_LINES = 24
_LONG_CHARACTERS = 4_000
"""A message of the user's that is longer is folded: a screenful is read, more is looked up."""
_HEAD_LINES = 10
_HEAD_CHARACTERS = 800
"""How much of it shows while it is folded."""
FOLDED_ROWS = _HEAD_LINES + 3
"""A guess at the rows of a folded message and what stands around it."""
_PLAIN_ARGUMENT = {"run_shell": "command", "delegate_task": "task"}
"""Tools whose one argument says it all: it is shown as text, not as JSON."""


def shown(text: str) -> str:
    """Text as written, fit to be drawn."""
    return harmless(text.replace("\r\n", "\n").replace("\r", "\n"))


class Remark(Block):
    """One line about the turn, or a few: a status, a notice, an error."""

    def __init__(self, text: str, style: str, *, mark: str = "", joins: bool = False) -> None:
        super().__init__(joins=joins)
        self._text = shown(text).strip("\n")
        self._style = style
        self._mark = mark

    def _lay_out(self, width: int) -> Sequence[Line]:
        indent = cell_len(self._mark)
        rows = wrap([Span(self._text, self._style)], max(8, width - indent))
        return prefixed(rows, Span(self._mark, f"{ORNAMENT} {self._style}"), Span(" " * indent, ORNAMENT))


class Foldable(Block):
    """A block of one row that opens to more."""

    foldable = True

    def __init__(self, *, folded: bool = True, joins: bool = False) -> None:
        super().__init__(joins=joins)
        self.folded = folded

    def toggle(self) -> None:
        self.folded = not self.folded
        self.changed()

    def _lay_out(self, width: int) -> Sequence[Line]:
        head = self._head(width)
        return [head] if self.folded else [head, *self._body(width)]

    def _head(self, width: int) -> Line:
        raise NotImplementedError

    def _body(self, width: int) -> Sequence[Line]:
        raise NotImplementedError


class Message(Foldable):
    """What the user wrote. Of a long one, a pasted log say, the beginning is shown until it is opened."""

    def __init__(self, text: str, texts: TranscriptTexts, *, folded: bool = True) -> None:
        super().__init__(folded=folded and long_message(text))
        self.foldable = long_message(text)
        self._text = shown(text).strip("\n")
        self._texts = texts

    def _lay_out(self, width: int) -> Sequence[Line]:
        text = _beginning(self._text) if self.folded else self._text
        rows = wrap([Span(text, "user")], max(8, width - 3))
        filled = [Line(row.spans, "user", row.glue) for row in rows]
        if self.folded:
            rest = self._texts.message_folded.format(
                lines=f"{self._text.count(chr(10)) + 1:,}", count=f"{len(self._text):,}"
            )
            filled.append(Line((Span(truncate(rest, max(1, width - 3)), f"{ORNAMENT} receipt"),), "user"))
        return prefixed(filled, Span("❯ ", f"{ORNAMENT} user-mark"), Span("  ", ORNAMENT))


def long_message(text: str) -> bool:
    """Whether a message is long enough that it is shown folded."""
    return len(text) > _LONG_CHARACTERS or text.count("\n") >= _LONG_LINES


def _beginning(text: str) -> str:
    return "\n".join(text[:_HEAD_CHARACTERS].split("\n")[:_HEAD_LINES])


class Receipt(Block):
    """One line: what memory gave to the turn. The cursor can stand on it; it opens elsewhere."""

    foldable = True

    def __init__(self, recall: Recall, characters: int, texts: TranscriptTexts) -> None:
        super().__init__(joins=True)
        none = texts.receipt_taken_out if recall.taken_out else texts.receipt_none
        form = texts.receipt if recall.hits else texts.receipt_silent.get(recall.silence, none)
        self._text = form.format(
            hits=len(recall.hits),
            characters=characters,
            elapsed=f"{recall.elapsed_ms:.0f}",
            taken=recall.taken_out,
        )

    def _lay_out(self, width: int) -> Sequence[Line]:
        return [Line((Span(truncate(self._text, width), f"{ORNAMENT} receipt"),))]


class Reasoning(Foldable):
    def __init__(self, text: str, texts: TranscriptTexts, *, running: bool, folded: bool = True) -> None:
        super().__init__(folded=folded)
        self._text = text
        self._label = texts.reasoning_running if running else texts.reasoning

    def _head(self, width: int) -> Line:
        label = self._label.format(count=f"{len(self._text):,}")
        return Line((Span(truncate(label, width), f"{ORNAMENT} reasoning-head"),))

    def _body(self, width: int) -> Sequence[Line]:
        bar = Span("│ ", f"{ORNAMENT} rule")
        return prefixed(wrap([Span(shown(self._text).strip("\n"), "reasoning")], max(8, width - 2)), bar, bar)


class ToolCall(Foldable):
    """``ended``: the turn is over, so a call without a result never gets one."""

    def __init__(
        self, part: ToolPart, texts: TranscriptTexts, *, ended: bool, folded: bool = True, joins: bool = False
    ) -> None:
        super().__init__(folded=folded, joins=joins)
        self._part = part
        self._texts = texts
        self._ended = ended

    def _head(self, width: int) -> Line:
        part, texts = self._part, self._texts
        name = " ".join(shown(part.name).split())
        if part.result is None:
            result = texts.tool_no_result if self._ended else texts.tool_running
            if part.elapsed_ms and not self._ended:
                result = texts.tool_running_for.format(seconds=f"{part.elapsed_ms / 1000:.0f}")
        else:
            result = " ".join(shown(part.result[: 8 * width + 64]).split()) or texts.tool_empty
        room = width - cell_len(texts.tool_line.format(name=name, result=""))
        line = texts.tool_line.format(name=name, result=truncate(result, max(1, room)))
        return Line((Span(truncate(line, width), "tool" if part.ok else "tool-failed"),))

    def _body(self, width: int) -> Sequence[Line]:
        part, texts = self._part, self._texts
        rows = self._section(*self._called_with(), width)
        if part.result is None and part.output:
            rows.extend(self._section(texts.tool_running, part.output, width))
        if part.result is not None:
            label = (texts.tool_result if part.ok else texts.tool_failure).format(
                elapsed=f"{part.elapsed_ms:.0f}"
            )
            rows.extend(self._section(label, part.result or texts.tool_empty, width))
        return rows

    def _lay_out(self, width: int) -> Sequence[Line]:
        part = self._part
        if not self.folded or self._ended or part.result is not None or not part.output:
            return super()._lay_out(width)
        # What a running call puts out is seen without opening it.
        bar = Span("│ ", f"{ORNAMENT} rule")
        text = shown(part.output[-_TAIL_CHARACTERS:]).rstrip("\n")
        rows = wrap([Span(text, "tool-text")], max(8, width - 2))
        return [self._head(width), *prefixed(list(rows)[-_TAIL_ROWS:], bar, bar)]

    def _called_with(self) -> tuple[str, str]:
        """Label and text of the arguments."""
        part, texts = self._part, self._texts
        field = _PLAIN_ARGUMENT.get(part.name)
        if field is not None:
            try:
                data = json.loads(part.arguments)
            except (ValueError, RecursionError):
                data = None
            if isinstance(data, dict) and isinstance(data.get(field), str):
                return (texts.tool_task if field == "task" else texts.tool_command), data[field]
        return texts.tool_arguments, part.arguments or "{}"

    def _section(self, label: str, text: str, width: int) -> list[Line]:
        bar = Span("│ ", f"{ORNAMENT} rule")
        head = Line((Span(truncate(label, width - 2), f"{ORNAMENT} tool-label"),), glue="")
        body = wrap([Span(shown(text).strip("\n"), "tool-text")], max(8, width - 2))
        return prefixed([head, *body], bar, bar)


def notice(part: NoticePart) -> Block:
    mark, style = _LEVELS[part.level]
    return Remark(part.text, style, mark=mark)


def ending(end: TurnEnd, texts: TranscriptTexts) -> list[Block]:
    """How the turn ended, when there is something to say about it."""
    match end:
        case TurnCancelled():
            return [Remark(texts.interrupted, "interrupted")]
        case TurnFailed():
            blocks: list[Block] = [Remark(texts.failed.format(message=end.message), "failed")]
            if end.hint:
                blocks.append(Remark(texts.failed_hint.format(hint=end.hint), "hint", mark="  ", joins=True))
            return blocks
        case TurnFinished():
            said = {"length": texts.cut_length, "filter": texts.cut_filter, "unknown": texts.cut_unknown}
            return [Remark(said[end.reason], "cut")] if end.reason in said else []


def pending(status: Literal["queued", "running"], texts: TranscriptTexts) -> Block:
    return Remark(texts.queued if status == "queued" else texts.waiting, "waiting")
