"""/undo, /diff, /todos: what the tools did to the files, and what is planned."""

from __future__ import annotations

from geekagent_tui.agent.plan import plan_row
from geekagent_tui.texts.tools import ZH as TOOLS
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _undo(host: Host, argument: str) -> None:
    await host.undo_change()


async def _diff(host: Host, argument: str) -> None:
    await host.show_changes()


async def _todos(host: Host, argument: str) -> None:
    if host.workspace is None:
        return
    plan = host.workspace.plans.of(host.session)
    host.say("\n".join(map(plan_row, plan)) or TOOLS.todo_none, command="/todos")


def commands(texts: UiTexts) -> tuple[Command, ...]:
    return (
        Command("undo", texts.command_undo, _undo),
        Command("diff", texts.command_diff, _diff),
        Command("todos", texts.command_todos, _todos),
    )
