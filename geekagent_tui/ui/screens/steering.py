"""What the main screen does for one who steers recall: the preview of the draft, and what is said about passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from geekagent_tui.ui.live import Live
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.panes.recall import RecallPane
from geekagent_tui.ui.screens.reading import ReadingScreen
from geekagent_tui.ui.transcript import Transcript

if TYPE_CHECKING:
    from geekagent_tui.agent.recalling import Preview


class SteeringScreen(ReadingScreen):
    """``live`` holds the draft's recall; the pane shows it until another turn is looked at."""

    live: Live

    def make_live(self) -> Live:
        return Live(
            self.driver,
            self._draft,
            self._show_preview,
            self.set_timer,
            lambda job: self.run_worker(
                job, name="preview", group="preview", exclusive=True, exit_on_error=False
            ),
        )

    def _draft(self) -> str:
        text = self.query_one(Composer).full_text
        return "" if is_command(text) or not text.strip() else text

    def draft_changed(self) -> None:
        text = self.query_one(Composer).text
        self.live.typed(empty=not text.strip() or is_command(text))

    def show_turn_in_pane(self) -> None:
        """Show the selected turn in the recall pane again."""
        raise NotImplementedError

    def _show_preview(self, preview: Preview | None) -> None:
        for pane in self.query(RecallPane):
            workspace = self.driver.workspace
            if preview is not None and workspace is not None:
                pane.show_preview(preview, workspace.memory.budget)
            elif pane.previewing:
                self.show_turn_in_pane()

    @on(RecallPane.Said)
    async def _said(self, event: RecallPane.Said) -> None:
        from geekagent_tui.memory.steering import passage_of

        texts, workspace, hit = self.texts, self.driver.workspace, event.hit
        passage = passage_of(hit, workspace.memory.entries) if workspace is not None else None
        if passage is None:
            self.app.notify(texts.passage_gone, severity="warning", markup=False)
            return
        if event.saying == "take_out":
            if not event.preview:
                self.app.notify(texts.only_before_sending, severity="warning", markup=False)
                return
            form = texts.taken_out if self.live.take_out(passage) else texts.put_back
        elif event.saying == "pin":
            choices = self.driver.choices.pinned(passage)
            await self.driver.choose(choices)
            form = texts.pinned if passage in choices.pins else texts.unpinned
        else:
            terms = frozenset(event.recall.keywords)
            counts = await self.driver.say_not_useful(passage, terms)
            if counts is None:
                return
            form = texts.not_useful if counts else texts.useful_again
        if event.saying != "take_out":
            self.live.look()
        self.app.notify(form.format(entry=hit.entry, segment=hit.segment), markup=False)

    @on(RecallPane.InspectRequested)
    @on(Transcript.InspectRequested)
    def _inspect(self, event: RecallPane.InspectRequested | Transcript.InspectRequested) -> None:
        from geekagent_tui.ui.screens.inspection import InspectionScreen

        conversation, workspace = self.driver.conversation, self.driver.workspace
        records = conversation.records if conversation is not None else ()
        at = next((at for at, record in enumerate(records) if record.id == event.turn), -1)
        if at >= 0 and workspace is not None:
            self.app.push_screen(
                InspectionScreen(records[at], records[:at], workspace, self.driver.choices, self.texts)
            )


def is_command(text: str) -> bool:
    return text.startswith("/") and "\n" not in text.strip()
