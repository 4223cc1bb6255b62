"""A question with two answers, on top of the chat. Letters and arrows both work; Esc is always no."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.screens.dialog import Dialog
from geekagent_tui.ui.terminal.precedence import KeysFirstApp

_GIVES = {"y": True, "n": False, "escape": False}
"""Keys that are an answer."""

_FRAME_ROWS = 4
"""Rows of the border and of the answers."""

_FLAT = 10
"""Rows of a window below which there is no blank row between details and answers."""


class Answers(OptionList):
    """The answers. What is typed behind the one that was given is not the dialog's any more: it goes to who has the
    focus below, in the order it was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Two answers need no pages; what they are about does.
        Binding("pagedown", "screen.scroll(1)", show=False),
        Binding("pageup", "screen.scroll(-1)", show=False),
    ]

    def __init__(self, answers: tuple[str, str], answer: Callable[[bool], None]) -> None:
        super().__init__(*answers, markup=False, compact=True)
        self._answer = answer
        self.given = False

    async def on_event(self, event: events.Event) -> None:
        # Before bindings: those run after a key's way through all parents, when the next ones are here already.
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif self.given:
            event.stop()
            below = self.app.focused
            if below is not None and below is not self:
                below.post_message(events.Key(event.key, event.character))
        elif event.key in _GIVES or event.key == "enter":
            event.stop()
            self.give(self.highlighted == 0 if event.key == "enter" else _GIVES[event.key])
        else:
            await super().on_event(event)

    def give(self, yes: bool) -> None:
        """Give an answer; a second one changes nothing."""
        if not self.given:
            self.given = True
            app = self.app
            if isinstance(app, KeysFirstApp):
                app.keys_pass(self)
            self._answer(yes)


class ConfirmScreen(Dialog[bool]):
    """``body`` says exactly what will happen; it is shown as it is."""

    DEFAULT_CSS = """
    ConfirmScreen > .box {
        & > VerticalScroll { height: auto; }
        & > OptionList { height: 2; border: none; margin-top: 1; background: $surface; }
    }
    ConfirmScreen.-flat > .box > OptionList { margin-top: 0; }
    ConfirmScreen > .box { max-height: 100%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", ZH.key_allow),
        Binding("n,escape", "answer(False)", ZH.key_refuse),
        # The list has ↑ ↓ and Enter of its own. With an input method on, letters become pinyin; none of these do.
        Binding("left,shift+tab", "point(0)", show=False),
        Binding("right,tab", "point(1)", show=False),
    ]

    def __init__(self, title: str, body: str, texts: UiTexts, *, yes: str, no: str) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._texts = texts
        self._answers = (yes, no)

    def compose(self) -> ComposeResult:
        with Vertical(classes="box -warning") as box:
            box.border_title = harmless(self._title)
            with VerticalScroll(can_focus=False):
                yield Static(harmless(self._body), markup=False)
            yield Answers(self._answers, self._give)
            box.border_subtitle = self._texts.dialog_keys

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        # The careful answer is the one that a stray Enter gives.
        options.highlighted = 1
        options.focus()

    def on_resize(self, event: events.Resize) -> None:
        """The answers come first: the details have what is left, and scroll in it."""
        height = event.size.height
        spare = _FRAME_ROWS if height < _FLAT else _FRAME_ROWS + 1 + height // 10
        self.query_one(VerticalScroll).styles.max_height = max(1, height - spare)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.query_one(Answers).give(event.option_index == 0)

    def _give(self, yes: bool) -> None:
        self.dismiss(yes)

    def action_point(self, answer: int) -> None:
        self.query_one(OptionList).highlighted = answer

    def action_scroll(self, step: int) -> None:
        """Scroll the details by what is in sight."""
        details = self.query_one(VerticalScroll)
        details.scroll_relative(y=step * max(1, details.size.height - 1), animate=False)

    def action_answer(self, yes: bool) -> None:
        self.query_one(Answers).give(yes)
