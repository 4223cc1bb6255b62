"""The completion list over the composer: commands that match what was typed after a slash."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from geekagent_tui.ui.commands import Command


class CommandMenu(OptionList, can_focus=False):
    """Steered by the composer, which keeps the focus."""

    DEFAULT_CSS = """
    CommandMenu {
        display: none;
        height: auto;
        max-height: 8;
        border: none;
        border-left: outer $border-blurred;
        background: $panel;
        padding: 0 1;
        &.-open { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__(id="command-menu", compact=True, markup=False)
        self._commands: tuple[Command, ...] = ()

    @property
    def open(self) -> bool:
        return self.has_class("-open")

    @property
    def chosen(self) -> Command | None:
        if self.highlighted is None or not self._commands:
            return None
        return self._commands[self.highlighted]

    def offer(self, commands: Iterable[Command]) -> None:
        """Show these commands; none closes the list."""
        self._commands = tuple(commands)
        self.set_class(bool(self._commands), "-open")
        self.clear_options()
        width = max((cell_len(command.usage) for command in self._commands), default=0)
        self.add_options([Option(_row(command, width)) for command in self._commands])
        self.highlighted = 0 if self._commands else None

    def close(self) -> None:
        self.offer(())


def _row(command: Command, width: int) -> Content:
    pad = " " * (width - cell_len(command.usage) + 2)
    return Content.assemble((command.usage, "bold"), pad, (command.help, "$text-muted"))
