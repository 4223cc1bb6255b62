"""/memory: the whole entries, numbered."""

from __future__ import annotations

import asyncio

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _list(host: Host, argument: str) -> None:
    workspace = host.workspace
    if workspace is None:
        return
    from geekagent_tui.memory.formatting import list_text

    await asyncio.to_thread(workspace.memory.refresh)
    host.say(list_text(workspace.memory.entries), command="/memory")


def commands(texts: UiTexts) -> tuple[Command, ...]:
    return (Command("memory", texts.command_memory, _list),)
