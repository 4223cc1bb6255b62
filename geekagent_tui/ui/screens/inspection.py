"""One turn in full: what memory gave it and why, and the requests as they were sent."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.types import Hit, Recall
from geekagent_tui.texts.inspection import ZH, InspectionTexts
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.inspection import Seen, inspection_rows, pretty, start_of
from geekagent_tui.ui.panes.notice import NoticeLine
from geekagent_tui.ui.panes.rows import Row, Rows, laid_out

if TYPE_CHECKING:
    from geekagent_tui.agent.recalling import Choices
    from geekagent_tui.agent.workspace import Workspace

_MOST_CASES = 60
"""Entries that are offered for a case."""


class InspectionScreen(Screen[None]):
    """``record`` is the turn, ``earlier`` those before it; nothing that is done here changes the conversation."""

    DEFAULT_CSS = """
    InspectionScreen { layout: vertical; background: $background; & > Rows { height: 1fr; } }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", ZH.key_close),
        Binding("n", "choose(1)", ZH.key_passage),
        Binding("N", "choose(-1)", ZH.key_previous, show=False),
        Binding("r", "today", ZH.key_today, tooltip=ZH.tip_today),
        Binding("w", "without(False)", ZH.key_without, tooltip=ZH.tip_without),
        Binding("W", "without(True)", ZH.key_without_one, tooltip=ZH.tip_without_one),
        Binding("c", "case", ZH.key_case, tooltip=ZH.tip_case),
        Binding("y", "copy", ZH.key_copy),
        Binding("j,down", "scroll(1)", ZH.key_scroll, show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("g,home", "scroll(-1000000)", show=False),
        Binding("G,end", "scroll(1000000)", show=False),
    ]

    def __init__(
        self,
        record: TurnRecord,
        earlier: tuple[TurnRecord, ...],
        workspace: Workspace,
        choices: Choices,
        ui: UiTexts,
        texts: InspectionTexts = ZH,
    ) -> None:
        super().__init__()
        self._earlier = earlier
        self._workspace = workspace
        self._choices = choices
        self._ui = ui
        self._texts = texts
        self._seen = Seen(record, (), workspace.texts.recall_heading)
        self._rows: list[Row] = []

    def compose(self) -> ComposeResult:
        yield Rows(id="inspection")
        yield NoticeLine()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(Rows).focus()
        self._read()

    def on_resize(self) -> None:
        self._draw()

    @work(exclusive=True, group="inspection", exit_on_error=False)
    async def _read(self) -> None:
        requests = await asyncio.to_thread(self._workspace.requests, self._seen.record.id)
        self._seen = replace(self._seen, requests=requests)
        self._draw()

    @work(exclusive=True, group="rows", exit_on_error=False)
    async def _draw(self, anchor: str = "") -> None:
        rows, seen = self.query_one(Rows), self._seen
        if not rows.size.width:
            return
        width = rows.text_width

        def lay_out() -> list[Row]:
            return laid_out(inspection_rows(seen, self._texts, self._ui), width)

        rows.show(await asyncio.to_thread(lay_out))
        if anchor:
            self.call_after_refresh(rows.reveal, anchor)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        self.query_one(Rows).scroll_relative(y=step, animate=False)

    def action_choose(self, step: int) -> None:
        recall = self._seen.record.recall
        if recall is not None and recall.hits:
            chosen = min(max(0, self._seen.chosen + step), len(recall.hits) - 1)
            self._seen = replace(self._seen, chosen=chosen)
            self._draw(f"hit-{chosen}")

    def action_copy(self) -> None:
        requests = self._seen.requests
        if not requests:
            self.app.notify(self._ui.nothing_to_copy, severity="warning", markup=False)
            return
        text = "\n".join(map(pretty, requests))
        self.app.copy_to_clipboard(text)
        what = self._texts.what_request
        self.app.notify(self._ui.copied.format(what=what, count=len(text)), markup=False)

    @work(exclusive=True, group="today", exit_on_error=False)
    async def action_today(self) -> None:
        """Ask memory the same question as it is now, as the session recalls now."""
        record = self._seen.record
        recaller = self._workspace.recaller(self._choices)
        carried = record.recall.carried if record.recall is not None else ""
        found = await asyncio.to_thread(recaller.recall, record.text, carried)
        self._seen = replace(self._seen, today=found)
        self._draw("today")

    def action_without(self, one: bool) -> None:
        """Ask the model again without memory, or without the marked passage."""
        from geekagent_tui.ui.screens.compare import CompareScreen

        record, texts = self._seen.record, self._texts
        recall = record.recall
        if recall is None or not recall.hits:
            self.app.notify(texts.nothing_injected, severity="warning", markup=False)
            return
        label = texts.compare_without
        left: tuple[Hit, ...] = ()
        if one:
            gone = recall.hits[self._seen.chosen]
            label = texts.compare_without_one.format(entry=gone.entry, segment=gone.segment)
            left = tuple(hit for hit in recall.hits if hit is not gone)
        changed: Recall = replace(recall, hits=left)
        request = self._workspace.request_again(record, self._earlier, changed, recall_text(changed))
        self.app.push_screen(CompareScreen(record, request, self._workspace.model, label, texts))

    @work(exclusive=True, group="case", exit_on_error=False)
    async def action_case(self) -> None:
        """Choose what should have come, or should not have, and keep it as a case."""
        from geekagent_tui.ui.screens.choice import ChoiceScreen

        rows = await asyncio.to_thread(self._case_rows)
        if not rows:
            self.app.notify(self._texts.case_nothing, severity="warning", markup=False)
            return
        chosen = await self.app.push_screen_wait(ChoiceScreen(rows, self._texts.case_title))
        if chosen is not None:
            kind, _, number = chosen.partition(" ")
            await self._keep_case(int(number), wanted=kind == "wanted")

    def _case_rows(self) -> tuple[tuple[str, str], ...]:
        """What came and may be unwanted, then what may have been missed: near misses, what the words find, the rest."""
        texts, recall, memory = self._texts, self._seen.record.recall, self._workspace.memory
        memory.refresh()
        entries = memory.entries
        came = [hit.entry for hit in recall.hits if self._same(hit.entry, hit.text)] if recall else []
        near = (
            [miss.hit.entry for miss in recall.misses if self._same(miss.hit.entry, miss.hit.text)]
            if recall
            else []
        )
        found = [hit.entry for hit in memory.search(self._seen.record.text, 20).hits]
        others = dict.fromkeys((*near, *found, *range(len(entries), 0, -1)))
        rows = [(f"unwanted {entry}", texts.case_unwanted, entry) for entry in dict.fromkeys(came)]
        rows += [(f"wanted {entry}", texts.case_wanted, entry) for entry in others if entry not in came]
        return tuple(
            (value, form.format(entry=entry, start=start_of(entries[entry - 1])))
            for value, form, entry in rows[:_MOST_CASES]
        )

    def _same(self, entry: int, text: str) -> bool:
        """Whether the entry still is what the turn saw."""
        entries = self._workspace.memory.entries
        return entry <= len(entries) and text.strip() in entries[entry - 1]

    async def _keep_case(self, entry: int, *, wanted: bool) -> None:
        from geekagent_tui.agent.cases import CasesError, record_case
        from geekagent_tui.memory.durable import LockTimeoutError

        texts, workspace = self._texts, self._workspace
        try:
            await asyncio.to_thread(
                record_case,
                workspace.project.cases,
                workspace.memory.entries,
                self._seen.record.text,
                entry,
                wanted=wanted,
            )
        except (CasesError, OSError, LockTimeoutError) as error:
            self.app.notify(texts.case_failed.format(reason=error), severity="error", markup=False)
            return
        form = texts.case_done_wanted if wanted else texts.case_done_unwanted
        self.app.notify(form.format(entry=entry), markup=False)
