"""The app: opens the project in the background, and is otherwise only wiring."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import SuspendNotSupported, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.clipboard import system_clipboard
from geekagent_tui.ui.editing.external import interrupts_are_its_own
from geekagent_tui.ui.leaving import on_signals
from geekagent_tui.ui.outside import Outside, Program
from geekagent_tui.ui.panes.notice import NoticeLine
from geekagent_tui.ui.screens.chat import ChatScreen
from geekagent_tui.ui.terminal.cursor import CursorApp
from geekagent_tui.ui.terminal.precedence import KeysFirstApp
from geekagent_tui.ui.theme import DARK, LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.command import Provider
    from textual.driver import Driver
    from textual.notifications import SeverityLevel

    from geekagent_tui.agent.tools.base import Gate
    from geekagent_tui.agent.workspace import Workspace


_OPENING_PATIENCE = 10.0
"""Seconds that one who leaves waits for a project that is still being opened, when something was written for it."""


def command_provider() -> type[Provider]:
    """The palette's commands, imported when the palette opens."""
    from geekagent_tui.ui.palette import CommandProvider

    return CommandProvider


class StartError(Exception):
    """The project can't be opened. The text says why, for a person."""


class GeekAgentApp(KeysFirstApp, CursorApp):
    """``open_workspace`` builds the workspace: called once in a thread after the first paint, with the gate that
    asks for permission. It raises ``StartError``. ``environ`` names the user's editor; ``afterwards`` runs in a
    thread when the session is shown."""

    TITLE = "GeekAgent"
    CSS_PATH = Path(__file__).with_name("app.tcss")
    COMMANDS: ClassVar = {command_provider}
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", ZH.key_palette, priority=True, tooltip=ZH.tip_palette),
        Binding("ctrl+q", "quit", ZH.key_quit, priority=True),
    ]

    def __init__(
        self,
        open_workspace: Callable[[Gate], Workspace],
        *,
        session: str | None = None,
        resume: bool = False,
        texts: UiTexts = ZH,
        clipboard: Callable[[str], None] = system_clipboard,
        driver: type[Driver] | None = None,
        environ: Mapping[str, str] = MappingProxyType({}),
        outside: Outside | None = None,
        afterwards: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(driver_class=driver)
        self._environ = environ
        self._outside = outside if outside is not None else Outside(environ)
        self._afterwards = afterwards
        self._clipboard_of_system = clipboard
        self.texts = texts
        self._open_workspace = open_workspace
        self._session = session
        self._resume = resume
        self._leaving = False
        self._booted = asyncio.Event()
        self._ignore_signals: Callable[[], None] | None = None
        self.start_error = ""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[None]:
        return ChatScreen(self.texts)

    @property
    def chat(self) -> ChatScreen:
        """The main screen, also while another one lies on top of it."""
        screen = self.screen_stack[0]
        assert isinstance(screen, ChatScreen)
        return screen

    def on_mount(self) -> None:
        # Only a program on a terminal: in a test the signals belong to the test runner.
        if not self.is_headless:
            self._ignore_signals = on_signals(self._leave)
        # Only after the first paint: what is imported to open a project costs more than the paint itself.
        self.call_after_refresh(self._boot)

    @work(exclusive=True, group="boot", exit_on_error=False)
    async def _boot(self) -> None:
        try:
            await self._open()
        finally:
            self._booted.set()

    async def _open(self) -> None:
        chat = self.chat
        await chat.complete()
        try:
            workspace = await asyncio.to_thread(self._open_workspace, chat)
        except StartError as error:
            self.start_error = str(error)
            self.exit(3)
            return
        except Exception as error:  # noqa: BLE001 - an app that can't open must say so and end, not wait for ever
            self.start_error = self.texts.start_failed.format(kind=type(error).__name__, reason=error)
            self.exit(1)
            return
        if workspace.theme in self.available_themes:
            self.theme = workspace.theme
        self.theme_changed_signal.subscribe(self, lambda theme: self._remember_theme(theme.name))
        await chat.open_workspace(workspace, self._session, resume=self._resume)
        if self._afterwards is not None:
            await asyncio.to_thread(self._afterwards)

    @work(group="theme", exit_on_error=False)
    async def _remember_theme(self, name: str) -> None:
        workspace = self.chat.workspace
        if workspace is not None:
            await asyncio.to_thread(workspace.remember_theme, name)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy through the terminal (OSC 52, also over SSH) and, where there is one, to the system's clipboard."""
        # UTF-8 can't carry a lone surrogate, and neither clipboard takes one.
        text = text.encode("utf-8", "replace").decode("utf-8")
        super().copy_to_clipboard(text)
        self._copy_to_system(text)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Say something in passing; see ``NoticeLine``. Before it is there, and over a dialog, as Textual does."""
        lines = self.screen.query(NoticeLine)
        if lines:
            lines.first().tell(message, severity, timeout or self.NOTIFICATION_TIMEOUT)
        else:
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    async def edit_outside(self, text: str) -> str:
        """``text`` as the user's editor left it. Raises ``EditorError``."""
        from geekagent_tui.ui.editing.external import edit_outside, editor_command

        return await edit_outside(self, text, editor_command(self._environ), self.texts)

    @work(thread=True, group="clipboard", exit_on_error=False)
    def _copy_to_system(self, text: str) -> None:
        # No clipboard on this system is no error: the terminal has been asked already.
        with suppress(Exception):
            self._clipboard_of_system(text)

    @work(group="browser", exit_on_error=False)
    async def open_address(self, address: str) -> None:
        """Open an address that the user has seen."""
        opened = await asyncio.to_thread(self._outside.browse, address)
        said = self.texts.link_opened if opened else self.texts.link_failed
        self.notify(said.format(address=address), severity="information" if opened else "error", markup=False)

    @work(exclusive=True, group="outside", exit_on_error=False)
    async def show_outside(self, text: str, suffix: str, program: Program) -> None:
        """Leave the terminal to the user's pager or editor. What streams meanwhile goes on and is kept."""
        texts, command = self.texts, self._outside.command(program)
        problem = ""
        if not command:
            name = texts.outside_pager if program == "pager" else texts.outside_editor
            problem = texts.outside_none.format(program=name, variable=f"${program.upper()}")
        else:
            try:
                # Nothing is drawn while another program has the screen.
                with self.batch_update(), self.suspend(), interrupts_are_its_own():
                    await asyncio.to_thread(self._outside.show, text, suffix, program)
            except OSError as error:
                problem = texts.outside_failed.format(command=command[0], reason=error.strerror or error)
            except SuspendNotSupported:
                problem = texts.outside_impossible
        if problem:
            self.notify(problem, severity="error", markup=False)

    def action_toggle_dark(self) -> None:
        self.theme = LIGHT.name if self.current_theme.dark else DARK.name

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is said, never thrown: a traceback with locals may hold a key."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            error = event.worker.error
            self.log.error(f"worker {event.worker.name}: {error!r}")
            self.chat.say(
                self.texts.thread_failed.format(kind=type(error).__name__, reason=error), error=True
            )

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        return ()

    def action_command_palette(self) -> None:
        from textual.command import CommandPalette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(
                CommandPalette(placeholder=self.texts.palette_placeholder, id="--command-palette")
            )

    def action_help_quit(self) -> None:
        """Ctrl+C with nothing to copy or to put away: who meant to quit is told how."""
        self.notify(self.texts.how_to_quit, markup=False)

    async def action_quit(self) -> None:
        """Leave: asks nothing, loses nothing. Pressed twice, it is the same one leaving."""
        await self._leave(0)

    async def _leave(self, code: int) -> None:
        if self._leaving:
            return
        self._leaving = True
        if await self.chat.something_to_keep():
            # It is kept in the session, which is still being opened.
            with suppress(TimeoutError):
                async with asyncio.timeout(_OPENING_PATIENCE):
                    await self._booted.wait()
        await self.chat.leave()
        self.exit(code, return_code=code)

    def on_unmount(self) -> None:
        if self._ignore_signals is not None:
            self._ignore_signals()
