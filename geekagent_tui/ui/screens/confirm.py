"""A question with two answers, on top of the chat. Letters and arrows both work; Esc is always no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts


class ConfirmScreen(ModalScreen[bool]):
    """``body`` says exactly what will happen; it is shown as it is. ``careful``: Enter alone is no."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        & > Vertical {
            width: 80%; max-width: 90; height: auto; max-height: 90%;
            border: round $warning; border-title-color: $text-warning; border-subtitle-color: $text-muted;
            background: $surface; padding: 0 1;
            & > VerticalScroll { height: auto; max-height: 16; }
            & > OptionList { height: 2; border: none; margin-top: 1; background: $surface; }
        }
    }
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
        with Vertical() as box:
            box.border_title = harmless(self._title)
            with VerticalScroll(can_focus=False):
                body = self._body
                yield Static(harmless(body) if isinstance(body, str) else body, markup=False)
            yield OptionList(*self._answers, markup=False, compact=True)
            box.border_subtitle = self._texts.dialog_keys

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        # The careful answer is the one that a stray Enter gives.
        options.highlighted = int(self._careful)
        options.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index == 0)

    def action_point(self, answer: int) -> None:
        self.query_one(OptionList).highlighted = answer

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
