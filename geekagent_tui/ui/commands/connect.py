"""/connect: use a model service that runs on this machine. It is offered, never taken unasked."""

from __future__ import annotations

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _connect(host: Host, argument: str) -> None:
    texts = host.texts
    if not host.local_servers:
        await host.look_for_servers()
    servers = host.local_servers
    if not servers:
        host.say(texts.connect_none, command="/connect")
        return
    number, _, model = argument.strip().partition(" ")
    if not number and len(servers) == 1 and len(servers[0].models) == 1:
        await host.use_server(servers[0], servers[0].models[0])
        return
    if not number:
        rows = [texts.connect_pick]
        for at, server in enumerate(servers, 1):
            models = "、".join(server.models[:12]) or texts.none
            rows.append(
                texts.connect_row.format(number=at, name=server.name, url=server.base_url, models=models)
            )
        host.say("\n".join(rows), command="/connect")
        return
    if not number.isdecimal() or not 1 <= int(number) <= len(servers):
        host.say(texts.connect_unknown.format(number=number), command="/connect", error=True)
        return
    server = servers[int(number) - 1]
    model = model.strip() or (server.models[0] if server.models else "")
    await host.use_server(server, model)


def commands(texts: UiTexts) -> tuple[Command, ...]:
    return (Command("connect", texts.command_connect, _connect, texts.argument_connect),)
