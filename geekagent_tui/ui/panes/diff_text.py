"""A unified diff, or a command, as coloured text."""

from __future__ import annotations

from textual.content import Content

from geekagent_tui.harmless import harmless

_MAX_ROWS = 5_000
"""Rows that are coloured and laid out; the rest is named, not drawn."""


def diff_content(diff: str) -> Content:
    """Added lines green, removed lines red, places and file names dimmed."""
    rows = harmless(diff.replace("\r\n", "\n").replace("\r", "␍")).split("\n")
    shown = [Content.styled(row, _style(row)) for row in rows[:_MAX_ROWS]]
    if len(rows) > _MAX_ROWS:
        shown.append(Content.styled(f"… +{len(rows) - _MAX_ROWS:,}", "$text-muted"))
    return Content("\n").join(shown)


def plain_content(text: str, style: str = "$text") -> Content:
    return Content.styled(harmless(text.replace("\r\n", "\n").replace("\r", "␍")), style)


def _style(row: str) -> str:
    if row.startswith(("---", "+++")):
        return "bold $text-muted"
    if row.startswith("@@"):
        return "$text-accent"
    if row.startswith("+"):
        return "$text-success"
    if row.startswith("-"):
        return "$text-error"
    return "$text"
