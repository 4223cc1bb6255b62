"""What the main screen does for one who reads: search, links, other programs, asking again."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.widget import Widget

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.panes.search_bar import SearchBar
from geekagent_tui.ui.terminal.precedence import KeysFirstScreen
from geekagent_tui.ui.transcript import Transcript

if TYPE_CHECKING:
    from geekagent_tui.ui.app import GeekAgentApp
    from geekagent_tui.ui.driver import Driver


class ReadingScreen(KeysFirstScreen):
    """Answers what the transcript and its search ask for."""

    texts: UiTexts
    driver: Driver
    _searched_from: Widget | None = None

    @property
    def geekagent(self) -> GeekAgentApp:
        return cast("GeekAgentApp", self.app)

    def show_recall_of(self, turn: str) -> None:
        """Show and focus the pane with what the turn recalled."""
        raise NotImplementedError

    def action_search(self) -> None:
        for bar in self.query(SearchBar):
            if not bar.has_focus_within:
                self._searched_from = self.focused
            bar.open()

    @on(SearchBar.Changed)
    def _search(self, event: SearchBar.Changed) -> None:
        self.query_one(Transcript).find(event.words)

    @on(SearchBar.Stepped)
    def _search_step(self, event: SearchBar.Stepped) -> None:
        self.query_one(Transcript).find_next(event.step)

    @on(SearchBar.Left)
    def _search_left(self) -> None:
        self.query_one(Transcript).focus()

    @on(SearchBar.Closed)
    def _search_closed(self) -> None:
        """Back to where the search was called: whoever wrote goes on writing."""
        self.close_search()
        came_from, self._searched_from = self._searched_from, None
        (came_from or self.query_one(Transcript)).focus()

    def close_search(self) -> None:
        for bar in self.query(SearchBar):
            bar.close()
        self.query_one(Transcript).find("")

    @on(Transcript.Searched)
    def _searched(self, event: Transcript.Searched) -> None:
        bar, transcript = self.query_one(SearchBar), self.query_one(Transcript)
        bar.show(event.turns, event.at)
        if not transcript.searching and transcript.has_focus:
            bar.close()

    @on(Transcript.LinksRequested)
    def _links(self, event: Transcript.LinksRequested) -> None:
        from geekagent_tui.ui.screens.choice import ChoiceScreen

        if not event.addresses:
            self.app.notify(self.texts.links_none, severity="warning", markup=False)
            return

        def chosen(address: str | None) -> None:
            if address is not None:
                self.geekagent.open_address(address)

        self.app.push_screen(
            ChoiceScreen(tuple((each, each) for each in event.addresses), self.texts.links_title), chosen
        )

    @on(Transcript.OpenRequested)
    def _open(self, event: Transcript.OpenRequested) -> None:
        self.geekagent.show_outside(event.text, event.suffix, event.program)

    @on(Transcript.AskAgainRequested)
    def _ask_again(self, event: Transcript.AskAgainRequested) -> None:
        if event.text.startswith("/"):
            return  # what a command printed is no turn
        self.query_one(Transcript).follow()
        self.driver.send(event.text)

    @on(Transcript.RecallRequested)
    def _recall(self, event: Transcript.RecallRequested) -> None:
        self.show_recall_of(event.turn_id)
