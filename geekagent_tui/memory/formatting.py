"""The one place where the data of memory becomes text, for the model and for the user alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    Changed,
    ChangeOutcome,
    EmptyContent,
    NotUndone,
    Outcome,
    ReadOnly,
    Remembered,
    Stale,
    WriteFailed,
)
from geekagent_tui.memory.types import Hit, Recall
from geekagent_tui.texts.memory import ZH, MemoryTexts


def recall_text(recall: Recall, texts: MemoryTexts = ZH) -> str:
    """What goes into the system prompt, "" when nothing came to mind."""
    return _listed(recall, texts.recall_heading, texts) if recall.hits else ""


def search_text(recall: Recall, texts: MemoryTexts = ZH) -> str:
    """The answer of ``memory_search``."""
    return _listed(recall, texts.search_heading, texts) if recall.hits else texts.search_nothing


def write_text(outcome: Outcome, texts: MemoryTexts = ZH) -> str:
    """The answer of ``memory_write``."""
    match outcome:
        case Remembered():
            form = texts.remembered_cut if outcome.cut else texts.remembered
            return form.format(entry=outcome.entry)
        case AlreadyKnown():
            return texts.already_known
        case EmptyContent():
            return texts.content_missing
        case WriteFailed():
            return texts.write_failed.format(reason=outcome.reason)
        case ReadOnly():
            return texts.read_only.format(reason=outcome.problem)


def change_text(outcome: ChangeOutcome, texts: MemoryTexts = ZH) -> str:
    """What became of any other change, in one line."""
    match outcome:
        case Changed():
            return texts.changed.format(change=outcome.change.id)
        case Stale():
            if outcome.found is None:
                return texts.no_entry.format(number=outcome.number)
            return texts.stale.format(number=outcome.number, found=outcome.found)
        case NotUndone():
            form: str = getattr(texts, f"not_undone_{outcome.reason}")
            return form.format(change=outcome.change, text=outcome.text)
        case AlreadyKnown():
            return texts.already_known
        case EmptyContent():
            return texts.nothing_left
        case WriteFailed():
            return texts.write_failed.format(reason=outcome.reason)
        case ReadOnly():
            return texts.read_only.format(reason=outcome.problem)


def as_written(text: str, texts: MemoryTexts = ZH) -> str:
    """A text without the headings and numbers that recall put before it: what a model that repeats a memory means."""
    heading, hit = (_pattern(form) for form in (texts.recall_heading, texts.hit))
    rows = (hit.sub("", row, count=1) for row in text.splitlines() if not heading.fullmatch(row.strip()))
    return "\n".join(rows) if hit.search(text) or heading.search(text) else text


def _pattern(form: str) -> re.Pattern[str]:
    literal = re.escape(form.removesuffix("{text}"))
    return re.compile(r"^\s*" + re.sub(r"\\\{\w+\\\}", r"[\\d–]+", literal), re.MULTILINE)


def list_text(entries: Sequence[str], texts: MemoryTexts = ZH) -> str:
    """All entries, whole and numbered from 1."""
    if not entries:
        return texts.list_empty
    rows = (texts.list_row.format(number=at, entry=entry) for at, entry in enumerate(entries, 1))
    return "\n".join((texts.list_heading.format(entries=len(entries)), *rows))


def recall_heading(hits: int, texts: MemoryTexts = ZH) -> str:
    """The line above what was recalled."""
    return texts.recall_heading.format(hits=hits)


def hit_line(rank: int, hit: Hit, texts: MemoryTexts = ZH) -> str:
    """One hit, as model and user see it."""
    form = texts.hit if not hit.last_segment else texts.hit_joined
    return form.format(
        rank=rank, entry=hit.entry, segment=hit.segment, last=hit.last_segment, text=hit.text.strip()
    )


def _listed(recall: Recall, heading: str, texts: MemoryTexts) -> str:
    rows = (hit_line(rank, hit, texts) for rank, hit in enumerate(recall.hits, 1))
    return "\n".join((heading.format(hits=len(recall.hits)), *rows))
