"""Slash commands. A module a subject; each gives its commands, and this is the list of modules.

Nothing else knows the commands by name: completion, help and the palette read the same list.
"""

from __future__ import annotations

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands import changes, connect, general, memory, recall, session
from geekagent_tui.ui.commands.base import Command, Host

_MODULES = (general, memory, session, changes, connect, recall)

__all__ = ["Command", "Host", "all_commands", "find", "matching"]


def all_commands(texts: UiTexts) -> tuple[Command, ...]:
    """Every command, in the order help lists them."""
    return tuple(command for module in _MODULES for command in module.commands(texts))


def find(commands: tuple[Command, ...], name: str) -> Command | None:
    """The command called ``name`` (without the slash), None when there is none."""
    return next((c for c in commands if name == c.name or name in c.aliases), None)


def matching(commands: tuple[Command, ...], typed: str) -> tuple[Command, ...]:
    """What to offer for ``typed``, the text of the composer: commands that begin so; once a space is typed, what may
    follow the command, as commands that are whole already."""
    if not typed.startswith("/") or any(space in typed for space in "\n\t"):
        return ()
    name, space, argument = typed[1:].partition(" ")
    if space:
        command = find(commands, name)
        options = command.options if command is not None else ()
        offered = tuple(option for option in options if option[0].startswith(argument))
        if command is None or argument in {option for option, _ in offered}:
            return ()
        return tuple(Command(f"{name} {option}", about, command.run) for option, about in offered)
    return tuple(command for command in commands if command.name.startswith(typed[1:].lower()))
