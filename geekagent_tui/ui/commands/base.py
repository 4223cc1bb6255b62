"""What a slash command is, and what it may ask of the interface."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from geekagent_tui.texts.ui import UiTexts

if TYPE_CHECKING:
    from geekagent_tui.agent.models.local import LocalServer
    from geekagent_tui.agent.recalling import Choices
    from geekagent_tui.agent.workspace import Workspace


class Host(Protocol):
    """The interface as a command sees it. ``say`` prints under the command, outside the conversation."""

    @property
    def texts(self) -> UiTexts: ...

    @property
    def workspace(self) -> Workspace | None: ...

    @property
    def session(self) -> str: ...

    @property
    def busy(self) -> bool: ...

    @property
    def local_servers(self) -> tuple[LocalServer, ...]: ...

    def say(self, text: str, *, command: str = "", error: bool = False) -> None: ...

    async def open_session(self, name: str, *, create: bool = False) -> None: ...

    async def reset_session(self) -> None: ...

    async def choose_session(self) -> None: ...

    async def undo_change(self) -> None: ...

    async def show_changes(self) -> None: ...

    async def retry(self) -> None: ...

    async def look_for_servers(self) -> None: ...

    async def use_server(self, server: LocalServer, model: str) -> None: ...

    @property
    def choices(self) -> Choices: ...

    async def choose(self, choices: Choices) -> None:
        """Raises ``ValueError`` for a profile that there is not."""
        ...

    def show_help(self) -> None: ...

    def edit_message(self) -> None: ...

    def toggle_theme(self) -> None: ...

    async def quit(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Command:
    """``name`` without the slash; ``argument`` names what may follow ("" for nothing), for help and completion."""

    name: str
    help: str
    run: Callable[[Host, str], Awaitable[None]]
    argument: str = ""
    aliases: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    """What may follow, each with its help, to be completed."""

    @property
    def usage(self) -> str:
        """As it is typed: ``/open 名字``."""
        return f"/{self.name} {self.argument}".rstrip()
