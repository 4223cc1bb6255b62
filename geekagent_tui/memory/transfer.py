"""Entries from elsewhere and to elsewhere: a JSON array, a Markdown list, or plain lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.memory.ledger.likeness import Likeness
from geekagent_tui.memory.outcomes import Masked
from geekagent_tui.memory.secrets import mask_entry
from geekagent_tui.memory.store import fitted

Format = Literal["json", "markdown", "lines"]
FORMATS: tuple[Format, ...] = ("json", "markdown", "lines")
Status = Literal["new", "duplicate", "near", "refused"]

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Item:
    """One text that was read, from ``line`` (from 1) on. ``status``: ``near`` and ``duplicate`` name the entry that is
    like it (``like``, None for one earlier in the same file); ``reason`` of a refusal: ``empty``, ``long``,
    ``not_text`` or ``json``."""

    line: int
    text: str
    status: Status
    like: Likeness | None = None
    reason: str = ""
    masked: tuple[Masked, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do. Nothing has changed yet; give ``texts()`` to ``Memory.import_many``."""

    format: Format
    items: tuple[Item, ...]

    def texts(self, *, near: bool = True) -> tuple[str, ...]:
        """What would be added; ``near``: also what nearly is there."""
        wanted = ("new", "near") if near else ("new",)
        return tuple(item.text for item in self.items if item.status in wanted)

    def count(self, status: Status) -> int:
        return sum(item.status == status for item in self.items)


def planned(
    content: str,
    entries: Sequence[str],
    similar: Callable[[str], tuple[Likeness, ...]],
    form: Format | None = None,
) -> ImportPlan:
    """Read ``content`` (``form`` None: as it looks) and say of every text what would become of it. ``similar``: the
    entries that are like a text, the most alike first."""
    content = content.removeprefix("\ufeff")
    form = form or format_of(content)
    there = {entry: number for number, entry in reversed(list(enumerate(entries, 1)))}
    seen: set[str] = set()
    items: list[Item] = []
    for line, raw in _read(content, form):
        if not isinstance(raw, str):
            items.append(Item(line, "", "refused", reason="json" if raw is None else "not_text"))
            continue
        clean, found = mask_entry(raw)
        text, cut = fitted(clean)
        if not text or cut:
            items.append(Item(line, text, "refused", reason="long" if cut else "empty", masked=found))
            continue
        like: Likeness | None = None
        status: Status = "new"
        if text in there:
            status, like = "duplicate", Likeness(there[text], text, 1.0, "same")
        elif text in seen:
            status = "duplicate"
        elif alike := similar(text):
            status, like = "near", alike[0]
        seen.add(text)
        items.append(Item(line, text, status, like, masked=found))
    return ImportPlan(form, tuple(items))


def format_of(content: str) -> Format:
    """What the content looks like."""
    if content.lstrip().startswith("["):
        return "json"
    lines = [line for line in content.splitlines() if line.strip() and not line.startswith((" ", "\t", "#"))]
    return (
        "markdown" if lines and sum(bool(_ITEM.match(line)) for line in lines) * 2 >= len(lines) else "lines"
    )


def exported(entries: Sequence[str], form: Format) -> str:
    """All entries in a format that an import reads back: as they are from JSON and Markdown; plain lines have no place
    for a line break, which becomes a space."""
    if form == "json":
        return json.dumps(list(entries), ensure_ascii=False, indent=2) + "\n"
    if form == "markdown":
        return "".join("- " + "\n  ".join(entry.splitlines()) + "\n" for entry in entries)
    return "".join(" ".join(entry.split()) + "\n" for entry in entries)


def _read(content: str, form: Format) -> list[tuple[int, object]]:
    """(line from 1, text) of every item; None in the place of a text for JSON that is none."""
    if form == "json":
        return _json_items(content)
    lines = content.splitlines()
    if form == "lines":
        return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    found: list[tuple[int, object]] = []
    open_text: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _ITEM.match(line)
        if match and not (match["indent"] and open_text):
            _close(found, open_text)
            open_text = [match["text"]]
            found.append((number, ""))
        elif open_text and (line.startswith(("  ", "\t")) or not line.strip()):
            open_text.append(line[2:] if line.startswith("  ") else line.lstrip("\t"))
        elif line.strip():
            _close(found, open_text)
            open_text = []
            if not line.startswith("#"):
                found.append((number, line))
    _close(found, open_text)
    return found


def _close(found: list[tuple[int, object]], text: list[str]) -> None:
    if text:
        found[-1] = (found[-1][0], "\n".join(text))


def _json_items(content: str) -> list[tuple[int, object]]:
    decoder = json.JSONDecoder()
    at = content.index("[") + 1 if "[" in content else 0
    found: list[tuple[int, object]] = []
    while True:
        at = re.compile(r"[\s,]*").match(content, at).end()  # type: ignore[union-attr]
        line = content.count("\n", 0, at) + 1
        if content.startswith("]", at):
            return found
        try:
            value, at = decoder.raw_decode(content, at)
        except (ValueError, RecursionError):
            return [*found, (line, None)]
        found.append((line, value if isinstance(value, str) else 0))
