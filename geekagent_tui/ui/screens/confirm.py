"""A question with two answers, on top of the chat. Letters and arrows both work; Esc is always no."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.screens.answers import Answers
from geekagent_tui.ui.screens.dialog import Dialog

_GIVES = {"y": 0, "n": 1, "escape": 1}
"""Keys that are an answer, with its place."""

_FRAME_ROWS = 4
"""Rows of the border and of the answers."""

_FLAT = 10
"""Rows of a window below which there is no blank row between details and answers."""


class ConfirmScreen(Dialog[bool]):
    """``body`` says exactly what will happen; it is shown as it is. ``careful``: Enter alone is no."""

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

    def __init__(
        self, title: str, body: str | Content, texts: UiTexts, *, yes: str, no: str, careful: bool = True
    ) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._texts = texts
        self._answers = (yes, no)
        self._careful = careful

    def compose(self) -> ComposeResult:
        with Vertical(classes="box -warning") as box:
            box.border_title = harmless(self._title)
            with VerticalScroll(can_focus=False):
                body = self._body
                yield Static(harmless(body) if isinstance(body, str) else body, markup=False)
            yield Answers(self._answers, _GIVES, self._give)
            box.border_subtitle = self._texts.dialog_keys

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        # The careful answer is the one that a stray Enter gives.
        options.highlighted = int(self._careful)
        options.focus()

    def on_resize(self, event: events.Resize) -> None:
        """The answers come first: the details have what is left, and scroll in it."""
        height = event.size.height
        spare = _FRAME_ROWS if height < _FLAT else _FRAME_ROWS + 1 + height // 10
        self.query_one(VerticalScroll).styles.max_height = max(1, height - spare)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.query_one(Answers).give(event.option_index)

    def _give(self, at: int, key: str) -> None:
        self.dismiss(at == 0)

    def action_point(self, answer: int) -> None:
        self.query_one(OptionList).highlighted = answer

    def action_scroll(self, step: int) -> None:
        """Scroll the details by what is in sight."""
        details = self.query_one(VerticalScroll)
        details.scroll_relative(y=step * max(1, details.size.height - 1), animate=False)

    def action_answer(self, yes: bool) -> None:
        self.query_one(Answers).give(int(not yes))
