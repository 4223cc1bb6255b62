"""The one place where the data of memory becomes text, for the model and for the user alike."""

from __future__ import annotations

from collections.abc import Sequence

from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    EmptyContent,
    Outcome,
    ReadOnly,
    Remembered,
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
