"""A list on top of the chat, to choose one line of."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.screens.dialog import Dialog


class ChoiceScreen(Dialog[str | None]):
    """``rows`` are (value, line to show). Gives the chosen value, None on Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", ZH.key_close),
        Binding("j", "move(1)", ZH.key_down, show=False),
        Binding("k", "move(-1)", ZH.key_up, show=False),
    ]

    def __init__(self, rows: tuple[tuple[str, str], ...], title: str) -> None:
        super().__init__()
        self._rows = rows
        self._heading = title

    def compose(self) -> ComposeResult:
        options = OptionList(*(harmless(line) for _, line in self._rows), markup=False, classes="box")
        options.border_title = self._heading
        yield options

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = 0
        options.focus()

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        if step > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._rows[event.option_index][0])
