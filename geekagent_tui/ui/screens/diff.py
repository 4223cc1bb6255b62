"""A diff over the whole screen, to be read."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.panes.diff_text import diff_content


class DiffScreen(ModalScreen[None]):
    DEFAULT_CSS = """
    DiffScreen {
        & > VerticalScroll {
            border: round $border; border-title-color: $text-muted; background: $surface; padding: 0 1;
        }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", ZH.key_close),
        Binding("j,down", "scroll(1)", ZH.key_down),
        Binding("k,up", "scroll(-1)", ZH.key_up),
        Binding("g,home", "end(-1)", ZH.key_top),
        Binding("G,end", "end(1)", ZH.key_bottom),
    ]

    def __init__(self, diff: str, texts: UiTexts) -> None:
        super().__init__()
        self._diff = diff
        self._texts = texts

    def compose(self) -> ComposeResult:
        with VerticalScroll() as scroll:
            scroll.border_title = self._texts.diff_title
            yield Static(diff_content(self._diff))
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)

    def action_end(self, way: int) -> None:
        scroll = self.query_one(VerticalScroll)
        if way < 0:
            scroll.scroll_home(animate=False)
        else:
            scroll.scroll_end(animate=False)
