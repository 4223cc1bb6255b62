"""The footer: keys of the place one is in, the most important first, as a narrow window cuts the last ones off."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

_FIRST = ("escape", "enter", "ctrl+j", "f1,question_mark", "f1", "ctrl+q")
"""What one can't do without, how to get help, how to get out. The others follow as they are declared."""


class KeyLine(Footer):
    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)

    def compose(self) -> ComposeResult:
        yield from sorted(super().compose(), key=_rank)


def _rank(widget: Widget) -> int:
    if not isinstance(widget, FooterKey):
        return len(_FIRST)
    return next((at for at, key in enumerate(_FIRST) if key == widget.key), len(_FIRST))
