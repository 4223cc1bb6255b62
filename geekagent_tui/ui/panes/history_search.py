"""Ctrl+R over the composer: what was ever sent in this project, found while one types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts

_SHOWN = 50
"""Matches in the list at most: whoever wants more types another character."""

_LOOKED_AT = 2000
"""Characters of each message that are searched."""

_BEFORE, _AFTER = 16, 200
"""Characters shown before and after the beginning of a match."""


class HistorySearch(Vertical):
    """``texts_sent`` are the newest first. Tells what was chosen, or None when nothing was."""

    DEFAULT_CSS = """
    HistorySearch {
        height: auto;
        border-left: outer $primary;
        padding: 0 1;
        background: $panel;
        & > OptionList {
            height: auto; max-height: 8; border: none; background: $panel;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        & > Horizontal { height: 1; }
        & Static { width: auto; color: $text-primary; }
        & Input { width: 1fr; border: none; height: 1; padding: 0; background: $panel; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,tab", "choose", ZH.key_take),
        Binding("down,ctrl+r", "move(1)", ZH.key_older),
        Binding("up,ctrl+s", "move(-1)", ZH.key_newer),
        Binding("escape,ctrl+g,ctrl+c", "cancel", ZH.key_close),
    ]

    @dataclass
    class Done(Message):
        """The search has ended with this message, or without one."""

        text: str | None

    def __init__(self, texts_sent: Sequence[str], texts: UiTexts) -> None:
        super().__init__(id="history-search")
        self._sent = texts_sent
        self._texts = texts
        self._found: list[str] = []

    def compose(self) -> ComposeResult:
        options = OptionList(markup=False, compact=True)
        options.can_focus = False
        yield options
        line = Input(placeholder=self._texts.history_placeholder, compact=True)
        line.cursor_blink = False
        with Horizontal():
            yield Static(self._texts.history_prompt, markup=False)
            yield line

    def on_mount(self) -> None:
        self._search("")
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._search(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_choose()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        at = self.query_one(OptionList).highlighted
        if at is not None and at < len(self._found):
            self.post_message(self.Done(self._found[at]))

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        if self._found:
            at = (options.highlighted or 0) + step
            options.highlighted = max(0, min(at, len(self._found) - 1))

    def action_cancel(self) -> None:
        self.post_message(self.Done(None))

    def _search(self, wanted: str) -> None:
        self._found, rows = [], []
        for text, row in matching(self._sent, wanted):
            self._found.append(text)
            rows.append(Option(row))
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(rows or [Option(self._texts.history_nothing, disabled=True)])
        options.highlighted = 0 if rows else None


def matching(sent: Sequence[str], wanted: str) -> list[tuple[str, Content]]:
    """The messages that contain ``wanted`` (any case), with the row that shows where, in their order."""
    pattern = re.compile(re.escape(wanted), re.IGNORECASE)
    found = []
    for text in sent:
        match = pattern.search(text, 0, _LOOKED_AT)
        if match is not None:
            found.append((text, _row(text, *match.span())))
            if len(found) == _SHOWN:
                break
    return found


def _row(text: str, start: int, end: int) -> Content:
    first = max(0, start - _BEFORE)
    pieces = (text[first:start], text[start:end], text[end : end + _AFTER])
    before, match, after = (harmless(piece).replace("\n", "⏎").replace("\t", " ") for piece in pieces)
    return Content.assemble("…" if first else "", before, (match, "bold $text-accent"), after)
