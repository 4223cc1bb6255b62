"""The permission question: what a tool call will do, and four answers. Esc is always no."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from geekagent_tui.agent.tools.base import Answer, Preview, Question
from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.panes.diff_text import diff_content, plain_content

Kind = Literal["once", "session", "always", "no"]
_SENTENCE_LIMIT = 2_000


class PermitScreen(ModalScreen[Answer]):
    """Dismissed with the answer; a no may carry a sentence for the model."""

    DEFAULT_CSS = """
    PermitScreen {
        align: center middle;
        & > Vertical {
            width: 90%; max-width: 110; height: auto; max-height: 95%;
            border: round $warning; border-title-color: $text-warning; border-subtitle-color: $text-muted;
            background: $surface; padding: 0 1;
            & > .warning { color: $text-warning; height: auto; }
            & > VerticalScroll { height: auto; max-height: 50vh; min-height: 1; }
            & > OptionList { height: auto; border: none; margin-top: 1; background: $surface; }
            & > Input { border: none; height: 1; padding: 0; margin-top: 1; display: none; }
            & > Input.-open { display: block; }
            &.-saying > OptionList { display: none; }
        }
        &.-low > Vertical > VerticalScroll { max-height: 33vh; }
    }
    """

    # In a low window the answers must all be seen, the careful one first of all.
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-high")]  # noqa: RUF012 - Textual declares it so

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('once')", ZH.key_allow),
        Binding("a", "answer('session')", ZH.key_allow_session),
        Binding("A,shift+a", "answer('always')", ZH.key_allow_always),
        Binding("n", "refuse", ZH.key_refuse),
        Binding("escape", "answer('no')", ZH.key_refuse, priority=True),
        Binding("pageup", "page(-1)", ZH.key_page, priority=True),
        Binding("pagedown", "page(1)", ZH.key_page, priority=True),
        # With an input method on, letters become pinyin; none of these do.
        Binding("left,shift+tab", "step(-1)", show=False),
        Binding("right,tab", "step(1)", show=False),
    ]

    def __init__(self, question: Question, texts: UiTexts) -> None:
        super().__init__()
        self._question = question
        self._texts = texts
        texts_of = {
            "once": texts.permit_once,
            "session": texts.permit_session,
            "always": texts.permit_always,
            "no": texts.permit_no,
        }
        self._kinds: tuple[Kind, ...] = (
            ("once", "no") if question.preview.explicit else ("once", "session", "always", "no")
        )
        self._labels = tuple(texts_of[kind].format(name=question.name) for kind in self._kinds)

    def compose(self) -> ComposeResult:
        question, texts = self._question, self._texts
        preview = question.preview
        warning = "\n".join(
            line for line in (preview.warning, texts.permit_only_once if preview.explicit else "") if line
        )
        with Vertical() as box:
            box.border_title = harmless(texts.permit_title.format(name=question.name))
            box.border_subtitle = texts.permit_keys_once if preview.explicit else texts.permit_keys
            if warning:
                yield Static(plain_content(warning, "$text-warning"), classes="warning")
            with VerticalScroll(can_focus=False):
                yield Static(_content(preview))
            yield OptionList(*(Option(Content(label)) for label in self._labels), compact=True)
            yield Input(placeholder=texts.permit_sentence, max_length=_SENTENCE_LIMIT)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        # The careful answer is the one that a stray Enter gives.
        options.highlighted = len(self._kinds) - 1
        options.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(Answer(self._kinds[event.option_index]))

    @on(Input.Submitted)
    def _said(self, event: Input.Submitted) -> None:
        self.dismiss(Answer("no", event.value.strip()))

    def action_answer(self, kind: Kind) -> None:
        if kind in self._kinds:
            self.dismiss(Answer(kind))

    def action_refuse(self) -> None:
        """No, and room for a sentence."""
        field = self.query_one(Input)
        field.add_class("-open")
        self.query_one(Vertical).add_class("-saying")
        field.focus()

    def action_page(self, pages: int) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_relative(y=pages * max(1, scroll.size.height - 1), animate=False)

    def action_step(self, step: int) -> None:
        options = self.query_one(OptionList)
        at = (options.highlighted or 0) + step
        options.highlighted = min(max(at, 0), len(self._kinds) - 1)


def _content(preview: Preview) -> Content:
    match preview.kind:
        case "diff":
            return diff_content(preview.text)
        case "command":
            return plain_content(f"$ {preview.text}", "bold $text")
        case "url":
            return plain_content(preview.text, "bold $text-primary")
        case "text":
            return plain_content(preview.text)
