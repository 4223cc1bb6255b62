"""A folded paste, opened to be read, to be put into the message as it is, or to be edited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar, Literal

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Footer

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.editing.rows import row_starts

_STEP = 20
"""Rows laid out between two looks at the event loop: about 5 ms of Chinese."""


class PasteView(ScrollView, can_focus=True):
    """The text in rows. The first are there at once, the rest while one reads."""

    DEFAULT_CSS = """
    PasteView {
        height: 1fr; padding: 0 1; background: $surface;
        overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", ZH.key_down, show=False),
        Binding("k", "scroll_up", ZH.key_up, show=False),
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._rows: list[str] = []

    def on_resize(self) -> None:
        width = self.scrollable_content_region.width
        if width > 0:
            self._lay_out(width)

    @work(exclusive=True, exit_on_error=False)
    async def _lay_out(self, width: int) -> None:
        rows = rows_of(self._text, width)
        self._rows = []
        while step := list(islice(rows, _STEP)):
            self._rows += step
            self.virtual_size = Size(width, len(self._rows))
            if len(self._rows) <= self.scroll_offset.y + self.size.height + _STEP:
                self.refresh()
            await asyncio.sleep(0)

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else ""
        strip = Strip([Segment(row, self.rich_style)])
        return strip.adjust_cell_length(self.scrollable_content_region.width, self.rich_style)


class PasteScreen(ModalScreen[Literal["unfold", "edit"] | None]):
    """``label`` is what stands for the text in the message."""

    DEFAULT_CSS = """
    PasteScreen {
        & > PasteView { border: round $primary; border-title-color: $text-primary; }
        & > Footer { background: $panel; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,ctrl+o", "dismiss(None)", ZH.key_close),
        Binding("enter,u", "dismiss('unfold')", ZH.key_unfold),
        Binding("f8,e", "dismiss('edit')", ZH.key_editor),
    ]

    def __init__(self, label: str, text: str) -> None:
        super().__init__()
        self._label = label
        self._text = text

    def compose(self) -> ComposeResult:
        view = PasteView(self._text)
        view.border_title = harmless(self._label.strip("[]"))
        yield view
        yield Footer(show_command_palette=False, compact=True)


def rows_of(text: str, width: int) -> Iterator[str]:
    """Rows of ``width`` cells, one after another: each costs what it is long, however long its line."""
    for line in text.split("\n"):
        shown = harmless(line.expandtabs(4))
        at = 0
        while True:
            piece = shown[at : at + 2 * width]
            starts = row_starts(piece, width)
            end = starts[0] if starts else len(piece)
            yield piece[:end]
            at += end
            if at >= len(shown):
                break
