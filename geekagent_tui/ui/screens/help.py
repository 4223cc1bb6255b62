"""Help: written from the bindings of the panes and the list of commands, so it can't fall behind them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.commands import Command
from geekagent_tui.ui.panes.wrapped import Wrapped
from geekagent_tui.ui.screens.dialog import Dialog

_KEY_CELLS = 22
_NAMES = {
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "escape": "Esc",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}


class HelpScreen(Dialog[None]):
    """``sections`` are (title, bindings); ``commands`` all slash commands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,question_mark", "dismiss(None)", ZH.key_close),
        Binding("j", "scroll(1)", ZH.key_down, show=False),
        Binding("k", "scroll(-1)", ZH.key_up, show=False),
    ]

    def __init__(
        self,
        sections: tuple[tuple[str, tuple[tuple[str, str], ...]], ...],
        commands: tuple[Command, ...],
        texts: UiTexts,
        *,
        top_k: int,
    ) -> None:
        super().__init__()
        self._sections = sections
        self._commands = commands
        self._texts = texts
        self._top_k = top_k

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box") as box:
            box.border_title = self._texts.help_title
            yield Wrapped(self._text())

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def action_scroll(self, step: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def _text(self) -> Content:
        lines = [Content(self._texts.help_about.format(top_k=self._top_k)), Content("")]
        usages = tuple((command.usage, command.help) for command in self._commands)
        for title, rows in ((self._texts.help_commands, usages), *self._sections):
            lines.append(Content.styled(title, "bold $text-primary"))
            lines.extend(_row(keys, what) for keys, what in rows)
            lines.append(Content(""))
        return Content("\n").join(lines[:-1])


def key_rows(bindings: Iterable[BindingType]) -> tuple[tuple[str, str], ...]:
    """Rows (keys, what they do) of a widget's own bindings."""
    rows = []
    for binding in bindings:
        if isinstance(binding, Binding) and binding.description:
            keys = " ".join(_named(key.strip()) for key in binding.key.split(","))
            rows.append((keys, binding.tooltip or binding.description))
    return tuple(rows)


def _named(key: str) -> str:
    """A key as it is printed on a keyboard: ``ctrl+p`` → ``Ctrl+P``, ``f1`` → ``F1``, ``j`` stays ``j``."""
    *modifiers, last = key.split("+")
    shown = _NAMES.get(last, last if len(last) == 1 and not modifiers else last.capitalize())
    return "+".join((*(modifier.capitalize() for modifier in modifiers), shown))


def _row(keys: str, what: str) -> Content:
    pad = " " * max(2, _KEY_CELLS - cell_len(keys))
    return Content.assemble("  ", (keys, "bold"), pad, what)
