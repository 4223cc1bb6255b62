"""/help, /edit, /retry, /theme, /exit."""

from __future__ import annotations

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _help(host: Host, argument: str) -> None:
    host.show_help()


async def _edit(host: Host, argument: str) -> None:
    host.edit_message()


async def _retry(host: Host, argument: str) -> None:
    await host.retry()


async def _theme(host: Host, argument: str) -> None:
    host.toggle_theme()


async def _exit(host: Host, argument: str) -> None:
    await host.quit()


def commands(texts: UiTexts) -> tuple[Command, ...]:
    return (
        Command("help", texts.command_help, _help),
        Command("edit", texts.command_edit, _edit),
        Command("retry", texts.command_retry, _retry),
        Command("theme", texts.command_theme, _theme),
        Command("exit", texts.command_exit, _exit, aliases=("quit",)),
    )
