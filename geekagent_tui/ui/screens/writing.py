"""What the main screen does for one who writes: sending, commands and their completion, history, drafts."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from textual import on
from textual.timer import Timer
from textual.widgets import TextArea

from geekagent_tui.ui.commands import Command, matching
from geekagent_tui.ui.panes.command_menu import CommandMenu
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.screens.steering import SteeringScreen, is_command
from geekagent_tui.ui.transcript import Transcript

if TYPE_CHECKING:
    from geekagent_tui.ui.panes.history_search import HistorySearch

_DRAFT_SECONDS = 0.4
"""Silence after which the draft is stored."""


class WritingScreen(SteeringScreen):
    """Answers what the composer tells."""

    commands: tuple[Command, ...]
    _complete = False
    _draft_timer: Timer | None = None
    _begun = False

    def has_begun(self) -> bool:
        # What was typed a moment ago is in the composer before the screen hears of it.
        return self._begun or bool(self.query_one(Composer).text)

    def put_by(self, draft: str) -> None:
        composer = self.query_one(Composer)
        composer.remember([*composer.sent, draft])
        self.app.notify(self.texts.draft_put_by, markup=False)

    def say(self, text: str, *, command: str = "", error: bool = False) -> None:
        """Show something that is no part of the conversation."""
        raise NotImplementedError

    def _start(self, name: str, job: Awaitable[None], exclusive: bool) -> None:
        self.run_worker(job, name=name, group=name, exclusive=exclusive, exit_on_error=False)

    @on(Composer.Submitted)
    async def _submitted(self, event: Composer.Submitted) -> None:
        self._schedule_draft()
        text = event.text
        if is_command(text):
            await self.run_command(text.strip())
        else:
            self.query_one(Transcript).follow()
            self.driver.send(text, *self.live.sent(text))

    async def run_command(self, text: str) -> None:
        """Run a command line such as ``/open work``."""
        raise NotImplementedError

    @on(TextArea.Changed, "#composer")
    def _typed(self) -> None:
        self._begun = self._begun or bool(self.query_one(Composer).text)
        if not self._complete:
            return
        composer, menu = self.query_one(Composer), self.query_one(CommandMenu)
        offered = matching(self.commands, composer.text)
        menu.offer(offered)
        composer.completing = menu.open
        self._schedule_draft()
        self.draft_changed()

    @on(Composer.Steered)
    async def _steered(self, event: Composer.Steered) -> None:
        composer, menu = self.query_one(Composer), self.query_one(CommandMenu)
        chosen = menu.chosen
        if event.key == "up":
            menu.action_cursor_up()
        elif event.key == "down":
            menu.action_cursor_down()
        elif event.key == "escape" or chosen is None:
            menu.close()
            composer.completing = False
        elif event.key == "tab" or (chosen.argument and composer.text != f"/{chosen.name}"):
            composer.take(f"/{chosen.name}{' ' if chosen.argument else ''}")
            menu.close()
            composer.completing = False
        else:
            composer.take(f"/{chosen.name}")
            composer.action_submit()

    @on(Composer.SearchRequested)
    async def _search_history(self, event: Composer.SearchRequested) -> None:
        from geekagent_tui.ui.panes.history_search import HistorySearch

        if self._complete and not self.query("#history-search"):
            sent = dict.fromkeys((*event.sent, *await self.driver.inputs()))
            await self.mount(HistorySearch(tuple(sent), self.texts), before="#composer")

    async def on_history_search_done(self, event: HistorySearch.Done) -> None:
        await self.query("#history-search").remove()
        composer = self.query_one(Composer)
        # What it stood in keeps the height that it took with it otherwise.
        self.query_one("#bottom").refresh(layout=True)
        if event.text is not None:
            composer.put_all(event.text)
        composer.focus()

    def _schedule_draft(self) -> None:
        if self._draft_timer is not None:
            self._draft_timer.stop()
        self._draft_timer = self.set_timer(_DRAFT_SECONDS, self._save_draft)

    def _save_draft(self) -> None:
        text = self.query_one(Composer).full_text
        # A command that is being typed is not a message left unsent.
        if not is_command(text):
            self._start("draft", self.driver.save_draft(self.driver.session, text), False)
