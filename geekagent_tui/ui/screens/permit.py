"""The permission question: what a tool call will do, and four answers. Esc is always no."""

from __future__ import annotations

from typing import ClassVar, Literal

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from geekagent_tui.agent.tools.base import Answer, Preview, Question
from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.panes.diff_text import diff_content, plain_content
from geekagent_tui.ui.screens.answers import Answers
from geekagent_tui.ui.screens.dialog import Dialog

Kind = Literal["once", "session", "always", "no"]
_SENTENCE_LIMIT = 2_000
_GIVES: dict[str, Kind] = {
    "y": "once",
    "a": "session",
    "A": "always",
    "shift+a": "always",
    "n": "no",
    "escape": "no",
}
_FRAME_ROWS = 2
_FLAT = 10
"""Rows of a window below which there is no blank row between details and answers."""


class PermitScreen(Dialog[Answer]):
    """Dismissed with the answer; a no may carry a sentence for the model."""

    DEFAULT_CSS = """
    PermitScreen > .box {
        max-height: 100%;
        & > .warning { color: $text-warning; height: auto; }
        & > VerticalScroll { height: auto; }
        & > OptionList { height: auto; border: none; margin-top: 1; background: $surface; }
        & > Input { border: none; height: 1; padding: 0; margin-top: 1; display: none; }
    }
    PermitScreen > .box.-saying {
        & > OptionList { display: none; }
        & > Input { display: block; }
    }
    PermitScreen.-flat > .box > OptionList, PermitScreen.-flat > .box > Input { margin-top: 0; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer('once')", ZH.key_allow),
        Binding("a", "answer('session')", ZH.key_allow_session),
        Binding("A,shift+a", "answer('always')", ZH.key_allow_always),
        Binding("n", "answer('no')", ZH.key_refuse),
        Binding("escape", "leave", ZH.key_refuse, priority=True),
        Binding("pageup", "scroll(-1)", ZH.key_page),
        Binding("pagedown", "scroll(1)", ZH.key_page),
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
        places = {kind: at for at, kind in enumerate(self._kinds)}
        self._keys = {key: places[kind] for key, kind in _GIVES.items() if kind in places}
        lines = (question.preview.warning, texts.permit_only_once if question.preview.explicit else "")
        self._warning = "\n".join(line for line in lines if line)
        self._labels = tuple(texts_of[kind].format(name=question.name) for kind in self._kinds)

    def compose(self) -> ComposeResult:
        question, texts = self._question, self._texts
        preview = question.preview
        with Vertical(classes="box -warning") as box:
            box.border_title = harmless(texts.permit_title.format(name=question.name))
            box.border_subtitle = texts.permit_keys_once if preview.explicit else texts.permit_keys
            if self._warning:
                yield Static(plain_content(self._warning, "$text-warning"), classes="warning")
            with VerticalScroll(can_focus=False):
                yield Static(_content(preview))
            yield Answers(self._labels, self._keys, self._give)
            yield Input(placeholder=texts.permit_sentence, max_length=_SENTENCE_LIMIT)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        # The careful answer is the one that a stray Enter gives.
        options.highlighted = len(self._kinds) - 1
        options.focus()

    def on_resize(self, event: events.Resize) -> None:
        """The answers come first: what they are about has what is left, and scrolls in it."""
        width = max(8, min(94, event.size.width * 9 // 10) - 4)
        rows = sum(1 + (cell_len(label) - 1) // width for label in self._labels)
        rows += sum(1 + cell_len(line) // width for line in self._warning.splitlines())
        spare = _FRAME_ROWS + rows + (event.size.height >= _FLAT)
        self.query_one(VerticalScroll).styles.max_height = max(1, event.size.height - spare)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.query_one(Answers).give(event.option_index)

    @on(Input.Submitted)
    def _said(self, event: Input.Submitted) -> None:
        self.dismiss(Answer("no", event.value.strip()))

    def _give(self, at: int, key: str) -> None:
        """``n`` is a no with room for a sentence; every other answer is the last word."""
        if key != "n":
            self.dismiss(Answer(self._kinds[at]))
            return
        self.query_one(".box").add_class("-saying")
        field = self.query_one(Input)
        self.set_focus(field)

    def action_answer(self, kind: Kind) -> None:
        if kind in self._kinds:
            self.query_one(Answers).give(self._kinds.index(kind), "n" if kind == "no" else kind)

    def action_leave(self) -> None:
        self.dismiss(Answer("no"))

    def action_scroll(self, pages: int) -> None:
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
