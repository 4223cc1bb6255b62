"""The main screen: chat, context sidebar and recall pane, and the keys between them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.worker import WorkerFailed

from geekagent_tui.agent.events import Event, ReasoningDelta, RecallDone, TextDelta, TurnEnd, TurnStarted
from geekagent_tui.agent.record import NoticePart, TurnRecord
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.commands import all_commands
from geekagent_tui.ui.driver import JOBS as DRIVER_JOBS
from geekagent_tui.ui.driver import Driver
from geekagent_tui.ui.leaving import Passed, keys_done
from geekagent_tui.ui.panes.command_menu import CommandMenu
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.panes.key_line import KeyLine
from geekagent_tui.ui.panes.notice import NoticeLine
from geekagent_tui.ui.panes.recall import RecallPane
from geekagent_tui.ui.panes.search_bar import SearchBar
from geekagent_tui.ui.panes.sidebar import Sidebar, SidebarState
from geekagent_tui.ui.panes.status import StatusLine
from geekagent_tui.ui.screens.hosting import HostingScreen
from geekagent_tui.ui.screens.paned import ROOM_FOR_PANES
from geekagent_tui.ui.screens.writing import is_command
from geekagent_tui.ui.sidebar_state import sidebar_state
from geekagent_tui.ui.transcript import Transcript
from geekagent_tui.ui.transcript.turn_view import NOTE

if TYPE_CHECKING:
    from geekagent_tui.agent.workspace import Workspace

_OUTSIDE_SECONDS = 1.0
"""How often memory.json and the session are looked at for changes by someone else: one ``stat``, one pragma."""


class ChatScreen(HostingScreen):
    """Draws what the driver tells, and turns keys into intents. Also the ``Host`` of the slash commands."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it so
        (0, "-tiny"),
        (70, "-narrow"),
        (ROOM_FOR_PANES, "-wide"),
        (150, "-broad"),
    ]

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", ZH.key_stop, tooltip=ZH.tip_stop),
        Binding("escape", "back", ZH.key_back, tooltip=ZH.tip_back),
        Binding("f1,question_mark", "help", ZH.key_help),
        Binding("f3", "pane('recall')", ZH.key_recall, tooltip=ZH.tip_recall),
        Binding("f4", "pane('sidebar')", ZH.key_sidebar, tooltip=ZH.tip_sidebar),
        Binding("f5", "pane('transcript')", ZH.key_chat, show=False, tooltip=ZH.tip_chat),
        # First of all: in the composer the key would delete a word, which Ctrl+Delete does as well.
        Binding("ctrl+f", "search", ZH.key_search, show=False, priority=True, tooltip=ZH.tip_search),
        Binding("tab", "app.focus_next", ZH.key_next_pane, show=False),
        Binding("shift+tab", "app.focus_previous", ZH.key_previous_pane, show=False),
    ]

    def __init__(self, texts: UiTexts) -> None:
        super().__init__()
        self.texts = texts
        self.commands = all_commands(texts)
        self.driver = Driver(self, texts, self._start)
        self._state = SidebarState()
        self._notes = 0
        self._busy = False

    # -- layout ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """What the first frame shows; ``complete`` fills the places that are kept for the rest."""
        with Horizontal(id="body"):
            with Vertical(id="chat"):
                yield Transcript(id="transcript")
            yield Vertical(id="side")
        with Vertical(id="bottom"):
            yield Composer(self.texts.placeholder_booting)

    async def complete(self) -> None:
        """Mount what the first frame did without: nobody reads an empty pane while the project still opens."""
        with self.app.batch_update():
            await self.mount(StatusLine(self.texts), before="#body")
            await self.mount(NoticeLine(), KeyLine())
            await self.query_one("#side").mount(Sidebar(self.texts), RecallPane(self.texts))
            await self.query_one("#chat").mount(SearchBar(self.texts))
            await self.query_one("#bottom").mount(CommandMenu(), before="#composer")
        self._complete = True
        self.refresh_bindings()
        self._typed()

    def on_mount(self) -> None:
        self._banner()
        composer = self.query_one(Composer)
        composer.focus()

    def _banner(self) -> None:
        texts = self.texts
        lines = [texts.banner, texts.banner_about]
        if self._state.offline:
            lines.append(texts.banner_offline)
        self.query_one(Transcript).banner = (*lines, texts.banner_keys)

    # -- opening --------------------------------------------------------------------------------------------

    async def open_workspace(self, workspace: Workspace, name: str | None, *, resume: bool) -> None:
        """Called once, when the app has opened the project in the background."""
        self.query_one(Composer).placeholder = self.texts.placeholder
        await self.driver.open(workspace, name, resume=resume)
        self.state_changed()
        self._banner()
        self.set_interval(_OUTSIDE_SECONDS, self._watch_outside)
        self._warm_memory()
        if self._state.offline:
            self._look_for_servers()
        else:
            self._warm_model()

    @work(exclusive=True, group="index", exit_on_error=False)
    async def _warm_memory(self) -> None:
        await self.driver.warm_memory()
        self.state_changed()

    @work(exclusive=True, group="servers", exit_on_error=False)
    async def _look_for_servers(self) -> None:
        await self.driver.look_for_servers()

    @work(exclusive=True, group="warm", exit_on_error=False)
    async def _warm_model(self) -> None:
        assert self.workspace is not None
        await self.workspace.warm_model()

    @work(exclusive=True, group="memory", exit_on_error=False)
    async def _watch_outside(self) -> None:
        await self.driver.look_outside()
        if self._state.indexing < 1:
            self.state_changed()

    # -- what the driver tells (View) -----------------------------------------------------------------------

    def set_draft_aside(self) -> str:
        composer = self.query_one(Composer)
        return composer.folds.set_aside(composer.text)

    def session_shown(self, records: tuple[TurnRecord, ...], draft: str | None) -> None:
        transcript = self.query_one(Transcript)
        transcript.set_turns(records)
        composer = self.query_one(Composer)
        composer.remember([record.text for record in records])
        if draft is not None:
            composer.take(draft)
            if draft:
                self.app.notify(self.texts.draft_restored, markup=False)
        self.query_one(RecallPane).show(records[-1] if records else None, len(records), len(records))
        self.state_changed()

    def turn_queued(self, record: TurnRecord) -> None:
        transcript = self.query_one(Transcript)
        transcript.add(record)
        if transcript.selected_turn is not None:
            # It may have become an earlier one.
            self._show_recall(transcript.selected_turn)

    def turn_event(self, event: Event) -> None:
        transcript = self.query_one(Transcript)
        transcript.apply(event)
        if isinstance(event, TurnStarted) and not self._selection_is_older(event.turn):
            transcript.selected_turn = event.turn
        if event.turn == transcript.selected_turn and isinstance(event, TurnStarted | RecallDone | TurnEnd):
            self._show_recall(event.turn)
        if not isinstance(event, TextDelta | ReasoningDelta):
            self.state_changed()

    def turns_taken_in(self, records: tuple[TurnRecord, ...], waiting: tuple[TurnRecord, ...]) -> None:
        transcript = self.query_one(Transcript)
        at_end = transcript.follows
        for record in records:
            transcript.add(record)
        for record in waiting:
            transcript.remove_turn(record.id)
            transcript.add(record)
        if at_end and not waiting:
            transcript.selected_turn = records[-1].id
        if transcript.selected_turn is not None:
            self._show_recall(transcript.selected_turn)

    def state_changed(self) -> None:
        if not self._complete:
            return
        state = sidebar_state(self.driver, self.texts)
        offline, self._state = self._state.offline, state
        if state.offline != offline:
            self._banner()
        self.query_one(Sidebar).show(state)
        record = self._selected()
        recalled = len(record.recall.hits) if record is not None and record.recall is not None else None
        self.query_one(StatusLine).show(state, recalled)
        composer = self.query_one(Composer)
        if self.driver.conversation is not None:
            busy = self.driver.busy
            composer.placeholder = self.texts.placeholder_running if busy else self.texts.placeholder
            if busy != self._busy:
                self._busy = busy
                self.refresh_bindings()

    def say(self, text: str, *, command: str = "", error: bool = False) -> None:
        self._notes += 1
        note = TurnRecord(
            f"{NOTE}{self._notes}",
            command,
            0.0,
            status="finished",
            parts=(NoticePart("error" if error else "info", text),),
        )
        self.query_one(Transcript).add(note)

    # -- recall of the selected turn ------------------------------------------------------------------------

    def _selected(self) -> TurnRecord | None:
        transcript = self.query_one(Transcript)
        return transcript.current_record(transcript.selected_turn) if transcript.selected_turn else None

    def _selection_is_older(self, turn: str) -> bool:
        """Whether the user looks at an earlier turn on purpose: then a new one does not take the pane away."""
        transcript = self.query_one(Transcript)
        return not transcript.follows and transcript.selected_turn not in (None, turn)

    def _show_recall(self, turn: str) -> None:
        record = self.query_one(Transcript).current_record(turn)
        if record is None or record.id.startswith(NOTE):
            return
        conversation = self.driver.conversation
        ids = [each.id for each in conversation.records] if conversation is not None else []
        number = ids.index(turn) + 1 if turn in ids else len(ids)
        self.query_one(RecallPane).show(record, number, len(ids))

    def show_recall_of(self, turn: str) -> None:
        self._show_recall(turn)
        if self._complete and not self.query_one(RecallPane).has_focus:
            self.action_pane("recall")

    @on(Transcript.TurnSelected)
    def _turn_selected(self, event: Transcript.TurnSelected) -> None:
        if event.turn_id is not None:
            self._show_recall(event.turn_id)
        self.state_changed()

    # -- keys -----------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc does one thing at a time, and the footer names it: stop the answer, else go back to the composer."""
        if action == "stop":
            return self.driver.busy
        if action == "back":
            composers = self.query(Composer)
            away = not composers or not composers.first().has_focus
            open_beside = self._pane_called_up() or bool(self.query("SearchBar.-open"))
            return (away or open_beside) and not self.driver.busy
        return super().check_action(action, parameters)

    def action_stop(self) -> None:
        self.driver.cancel()
        self.query_one(Composer).focus()

    def action_back(self) -> None:
        self.remove_class("-recall-open", "-sidebar-open")
        self.close_search()
        self.query_one(Composer).focus()
        self.refresh_bindings()

    def action_help(self) -> None:
        self.show_help()

    @on(Transcript.CopyRequested)
    @on(RecallPane.CopyRequested)
    def _copy(self, event: Transcript.CopyRequested | RecallPane.CopyRequested) -> None:
        texts = self.texts
        if not event.text:
            self.app.notify(texts.nothing_to_copy, severity="warning", markup=False)
            return
        self.app.copy_to_clipboard(event.text)
        self.app.notify(texts.copied.format(what=event.what, count=len(event.text)), markup=False)

    # -- leaving ------------------------------------------------------------------------------------------

    async def something_to_keep(self) -> bool:
        """Whether something was written that no session has yet."""
        await keys_done(self.query_one(Composer))
        return bool(self.driver.waiting or self.query_one(Composer).text.strip())

    @on(Passed)
    def _passed(self, event: Passed) -> None:
        event.seen()

    async def leave(self) -> None:
        """Stop and store everything before the app ends: also what was sent a moment ago."""
        composer = self.query_one(Composer)
        await keys_done(composer)
        text = composer.full_text
        await self.driver.stop("" if is_command(text) else text)
        jobs = [worker for worker in self.workers if worker.group in DRIVER_JOBS and not worker.is_finished]
        if jobs:
            with suppress(WorkerFailed):
                await self.workers.wait_for_complete(jobs)
        await self.driver.close()
