"""/new, /open, /sessions, /reset: sessions by name."""

from __future__ import annotations

import asyncio

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _new(host: Host, argument: str) -> None:
    await host.open_session(argument, create=True)


async def _open(host: Host, argument: str) -> None:
    if argument:
        await host.open_session(argument)
    else:
        await host.choose_session()


async def _list(host: Host, argument: str) -> None:
    workspace = host.workspace
    if workspace is None:
        return
    texts = host.texts
    sessions = await asyncio.to_thread(workspace.sessions)
    if not sessions:
        host.say(texts.sessions_none, command="/sessions")
        return
    rows = [texts.sessions_heading.format(n=len(sessions))]
    for info in sessions:
        mark = texts.session_mark if info.name == host.session else "  "
        rows.append(
            mark
            + texts.session_row.format(
                name=info.name, turns=info.turns, when=workspace.local_time(info.updated_at), title=info.title
            )
        )
    host.say("\n".join(rows), command="/sessions")


async def _reset(host: Host, argument: str) -> None:
    await host.reset_session()


def commands(texts: UiTexts) -> tuple[Command, ...]:
    return (
        Command("new", texts.command_new, _new, texts.argument_session),
        Command("open", texts.command_open, _open, texts.argument_session),
        Command("sessions", texts.command_sessions, _list),
        Command("reset", texts.command_reset, _reset),
    )
