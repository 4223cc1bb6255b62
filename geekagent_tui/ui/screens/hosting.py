"""What slash commands and tools ask of the main screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geekagent_tui.ui.commands import find
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.panes.recall import RecallPane
from geekagent_tui.ui.panes.search_bar import SearchBar
from geekagent_tui.ui.screens.paned import PanedScreen
from geekagent_tui.ui.transcript import Transcript

if TYPE_CHECKING:
    from geekagent_tui.agent.models.local import LocalServer
    from geekagent_tui.agent.recalling import Choices
    from geekagent_tui.agent.tools.base import Answer, Question
    from geekagent_tui.agent.workspace import Workspace


class HostingScreen(PanedScreen):
    """The ``Host`` of the slash commands, and the gate that tools ask for permission."""

    def _banner(self) -> None:
        """Say anew what stands above all turns."""
        raise NotImplementedError

    async def run_command(self, text: str) -> None:
        """Run a command line such as ``/open work``. A path or a comment that only begins with a slash is told so."""
        name, _, argument = text[1:].partition(" ")
        command = find(self.commands, name)
        if command is None:
            self.say(self.texts.command_unknown.format(name=f"/{name}"), command=text, error=True)
            return
        await command.run(self, argument.strip())

    @property
    def workspace(self) -> Workspace | None:
        return self.driver.workspace

    @property
    def session(self) -> str:
        return self.driver.session

    @property
    def busy(self) -> bool:
        return self.driver.busy

    @property
    def local_servers(self) -> tuple[LocalServer, ...]:
        return self.driver.servers

    @property
    def choices(self) -> Choices:
        return self.driver.choices

    async def choose(self, choices: Choices) -> None:
        await self.driver.choose(choices)
        self.live.look()

    async def open_session(self, name: str, *, create: bool = False) -> None:
        await self.driver.show(name, create=create)

    async def reset_session(self) -> None:
        from geekagent_tui.ui.screens.confirm import ConfirmScreen

        texts = self.texts
        count = len(self.driver.conversation.records) if self.driver.conversation is not None else 0
        question = texts.reset_question.format(name=self.session, turns=count)

        def answered(yes: bool | None) -> None:
            if yes:
                self._start("session", self.driver.reset(), False)

        self.app.push_screen(
            ConfirmScreen("/reset", question, texts, yes=texts.yes_reset, no=texts.no_keep), answered
        )

    async def choose_session(self) -> None:
        from geekagent_tui.ui.screens.choice import ChoiceScreen

        rows = await self.driver.session_rows()
        if not rows:
            self.say(self.texts.sessions_none, command="/open")
            return

        def chosen(name: str | None) -> None:
            if name is not None:
                self._start("session", self.driver.show(name), False)

        self.app.push_screen(ChoiceScreen(rows, self.texts.sessions_title), chosen)

    async def undo_change(self) -> None:
        from geekagent_tui.ui.changing import undo_change

        await undo_change(self)

    async def show_changes(self) -> None:
        from geekagent_tui.ui.changing import show_changes

        await show_changes(self)

    async def retry(self) -> None:
        await self.driver.retry()

    async def look_for_servers(self) -> None:
        await self.driver.look_for_servers()

    async def use_server(self, server: LocalServer, model: str) -> None:
        await self.driver.use_server(server, model)
        self._banner()

    def show_help(self) -> None:
        from geekagent_tui.ui.screens.help import HelpScreen, key_rows
        from geekagent_tui.ui.screens.inspection import InspectionScreen
        from geekagent_tui.ui.screens.permit import PermitScreen

        texts = self.texts
        sections = (
            (texts.help_everywhere, (*key_rows(self.BINDINGS), *key_rows(type(self.app).BINDINGS))),
            (
                texts.help_composer,
                (
                    *key_rows(Composer.BINDINGS),
                    ("↑ ↓", texts.help_history),
                    ("Ctrl+← Ctrl+→", texts.help_words),
                    ("Ctrl+W Alt+Backspace", texts.help_delete_word),
                    ("/", texts.help_slash),
                ),
            ),
            (texts.help_chat, key_rows(Transcript.BINDINGS)),
            (texts.help_search, key_rows(SearchBar.BINDINGS)),
            (texts.help_recall, key_rows(RecallPane.BINDINGS)),
            (texts.help_inspection, key_rows(InspectionScreen.BINDINGS)),
            (texts.help_permit, key_rows(PermitScreen.BINDINGS)),
        )
        top_k = self.workspace.top_k if self.workspace is not None else 5
        self.app.push_screen(HelpScreen(sections, self.commands, texts, top_k=top_k))

    def edit_message(self) -> None:
        self.query_one(Composer).action_edit()

    def toggle_theme(self) -> None:
        self.app.action_toggle_dark()

    async def quit(self) -> None:
        # From the app: a command runs in the screen's queue, and leaving waits for what stands in it.
        self.app.call_later(self.app.action_quit)

    async def permit(self, question: Question) -> Answer:
        """Ask the user about one tool call, with exactly what it will do."""
        from geekagent_tui.ui.screens.permit import PermitScreen

        screen = PermitScreen(question, self.texts)
        try:
            return await self.app.push_screen_wait(screen)
        finally:
            # A turn that was stopped meanwhile has no use for the answer.
            if screen.is_current and screen.is_attached:
                screen.dismiss(None)
