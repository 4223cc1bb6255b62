"""Many rows of text that scroll: wrapped once a width, drawn only where they are in sight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript.wrap import breaks


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph: runs of (text, style), style "" or one of ``Rows.COMPONENT_CLASSES`` without its prefix. ``anchor``
    names it for ``Rows.reveal``."""

    spans: tuple[tuple[str, str], ...]
    anchor: str = ""


def row(text: str = "", style: str = "", anchor: str = "") -> tuple[Row, ...]:
    """The rows of a text, one a line."""
    return tuple(Row(((line, style),), anchor) for line in harmless(text).split("\n"))


def laid_out(rows: Iterable[Row], width: int) -> list[Row]:
    """The rows wrapped to ``width`` cells: each fits."""
    out: list[Row] = []
    for each in rows:
        text = "".join(span for span, _ in each.spans)
        for start, end in breaks(text, max(8, width)):
            out.append(Row(tuple(_cut(each.spans, start, end)), each.anchor))
    return out


def _cut(spans: Sequence[tuple[str, str]], start: int, end: int) -> Iterable[tuple[str, str]]:
    at = 0
    for text, style in spans:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            yield piece, style
        at += len(text)


class Rows(ScrollView, can_focus=True):
    """``show`` sets rows that are laid out already for ``text_width``."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "rows--head",
        "rows--muted",
        "rows--memory",
        "rows--chosen",
        "rows--good",
        "rows--bad",
    }
    DEFAULT_CSS = """
    Rows {
        padding: 0 1;
        scrollbar-size-vertical: 1;
        & > .rows--head { color: $text-primary; text-style: bold; }
        & > .rows--muted { color: $text-muted; }
        & > .rows--memory { color: $text-warning; background: $warning-muted; }
        & > .rows--chosen { color: $text-accent; text-style: bold; }
        & > .rows--good { color: $text-success; }
        & > .rows--bad { color: $text-error; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._rows: list[Row] = []
        self._width = 0

    @property
    def text_width(self) -> int:
        return max(8, self.scrollable_content_region.width or self.size.width - 3)

    @property
    def text(self) -> str:
        """All that is shown."""
        return "\n".join("".join(text for text, _ in each.spans) for each in self._rows)

    def show(self, rows: list[Row]) -> None:
        self._rows = rows
        self.virtual_size = Size(self.text_width, len(rows))
        self.refresh()

    def reveal(self, anchor: str) -> None:
        at = next((at for at, each in enumerate(self._rows) if each.anchor == anchor), None)
        if at is not None:
            self.scroll_to(y=max(0, at - 1), animate=False)

    def on_resize(self, event: events.Resize) -> None:
        self.virtual_size = Size(self.text_width, len(self._rows))

    def render_line(self, y: int) -> Strip:
        at = y + int(self.scroll_offset.y)
        base = self.rich_style
        width = self.scrollable_content_region.width
        if not 0 <= at < len(self._rows):
            return Strip.blank(width, base)
        segments = [
            Segment(
                text.replace("\t", " "), self.get_component_rich_style(f"rows--{style}") if style else base
            )
            for text, style in self._rows[at].spans
        ]
        return Strip(segments).adjust_cell_length(width, base)
