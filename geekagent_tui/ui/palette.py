"""The command palette: every slash command, by its name or its explanation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from geekagent_tui.ui.commands import Command

if TYPE_CHECKING:
    from geekagent_tui.ui.screens.chat import ChatScreen


class CommandProvider(Provider):
    """Offers the chat screen's commands. One that needs an argument is put into the composer instead of run."""

    @property
    def _chat(self) -> ChatScreen:
        return cast("ChatScreen", self.screen)

    async def discover(self) -> Hits:
        for command in self._chat.commands:
            yield DiscoveryHit(f"/{command.name}", self._runner(command), help=command.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._chat.commands:
            label = f"/{command.name} {command.help}"
            score = matcher.match(label)
            if score > 0:
                yield Hit(score, matcher.highlight(label), self._runner(command))

    def _runner(self, command: Command) -> Callable[[], Awaitable[None]]:
        return partial(self._chat.run_command, f"/{command.name}")
