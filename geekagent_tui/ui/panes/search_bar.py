"""The line in which one types what to look for in the transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label

from geekagent_tui.texts.transcript import ZH as KEYS
from geekagent_tui.texts.ui import UiTexts


class SearchBar(Horizontal):
    """Hidden until ``open``; Esc closes it."""

    DEFAULT_CSS = """
    SearchBar {
        display: none;
        height: 1;
        background: $surface;
        &.-open { display: block; }
        & > Label { width: auto; padding: 0 1; color: $text-muted; }
        & > Input { width: 1fr; border: none; height: 1; padding: 0; background: $surface; }
        & > Input:focus { border: none; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down", "step(1)", KEYS.key_find_next),
        Binding("shift+enter,up", "step(-1)", KEYS.key_find_previous),
        Binding("tab", "read", KEYS.key_find_read),
        Binding("escape", "close", KEYS.key_find_close),
    ]

    @dataclass
    class Changed(Message):
        """Look for ``words``; "" ends the search."""

        words: str

    @dataclass
    class Stepped(Message):
        """Go to the next (1) or previous (-1) place."""

        step: Literal[1, -1]

    class Left(Message):
        """Read on where the words are: the search stays, the transcript has the keys."""

    class Closed(Message):
        """The search is over."""

    def __init__(self, texts: UiTexts) -> None:
        super().__init__(id="search")
        self._texts = texts

    def compose(self) -> ComposeResult:
        yield Label(self._texts.search_label, markup=False)
        yield Input(placeholder=self._texts.search_placeholder, compact=True, select_on_focus=True)
        yield Label("", id="search-count", markup=False)

    def open(self) -> None:
        self.add_class("-open")
        self.query_one(Input).focus()

    def close(self) -> None:
        self.remove_class("-open")
        with self.prevent(Input.Changed):
            self.query_one(Input).value = ""
        self.show(0, 0)

    def show(self, turns: int, at: int) -> None:
        """In how many turns the words are, and in which of them one is."""
        words, texts = self.query_one(Input).value, self._texts
        text = texts.search_count.format(at=at, turns=turns) if turns else texts.search_none if words else ""
        self.query_one("#search-count", Label).update(text)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Stepped(1))

    def action_step(self, step: Literal[1, -1]) -> None:
        self.post_message(self.Stepped(step))

    def action_read(self) -> None:
        self.post_message(self.Left())

    def action_close(self) -> None:
        self.post_message(self.Closed())
