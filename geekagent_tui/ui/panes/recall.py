"""The recall pane: what was put into the selected turn's prompt, with scores and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.harmless import harmless
from geekagent_tui.memory.types import Hit, Miss, Recall
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.panes.budget_bar import budget_line
from geekagent_tui.ui.panes.hit_view import HitView
from geekagent_tui.ui.panes.wrapped import Wrapped

if TYPE_CHECKING:
    from geekagent_tui.agent.recalling import Preview

Saying = Literal["take_out", "pin", "not_useful"]
_KEPT_OUT = ("excluded", "lowered")
"""Rules that are the user's own: such passages are shown whole, so that they can be had back."""


class RecallPane(VerticalScroll, can_focus=True):
    """Shows one turn's recall. ``show`` is called when the selection or the turn changes."""

    DEFAULT_CSS = """
    RecallPane {
        border: round $border-blurred;
        border-title-color: $text-muted;
        padding: 0 0 0 1;
        scrollbar-size-vertical: 1;
        &:focus { border: round $primary; border-title-color: $text-primary; }
        &:focus HitView.-cursor { border-left: outer $primary; background: $surface; }
        & > #recall-head, & > #recall-misses { height: auto; margin-bottom: 1; color: $text-muted; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", ZH.key_down),
        Binding("k,up", "move(-1)", ZH.key_up),
        Binding("g,home", "move(-1000)", ZH.key_top, show=False),
        Binding("G,end", "move(1000)", ZH.key_bottom, show=False),
        Binding("enter", "detail", ZH.key_detail, tooltip=ZH.tip_detail),
        Binding("space", "say('take_out')", ZH.key_take_out, tooltip=ZH.tip_take_out),
        Binding("p", "say('pin')", ZH.key_pin, tooltip=ZH.tip_pin),
        Binding("x", "say('not_useful')", ZH.key_not_useful, tooltip=ZH.tip_not_useful),
        Binding("i", "inspect", ZH.key_inspect, tooltip=ZH.tip_inspect),
        Binding("y,c", "copy", ZH.key_copy, show=False, tooltip=ZH.tip_copy_chunk),
    ]

    @dataclass
    class Said(Message):
        """The user said something about a passage of ``recall``; ``preview``: of a message that isn't sent yet."""

        saying: Saying
        hit: Hit
        recall: Recall
        preview: bool

    @dataclass
    class InspectRequested(Message):
        """The user wants to see all of a turn's recall."""

        turn: str

    @dataclass
    class CopyRequested(Message):
        text: str
        what: str

    cursor = reactive(0)

    def __init__(self, texts: UiTexts) -> None:
        super().__init__(id="recall")
        self._texts = texts
        self._views: list[HitView] = []
        self._shown = 0
        self._record: TurnRecord | None = None
        self._recall: Recall | None = None
        self.previewing = False
        self._turns = 0

    def compose(self) -> ComposeResult:
        self.border_title = self._texts.recall_title
        yield Wrapped(self._texts.recall_none_yet, id="recall-head")
        misses = Wrapped("", id="recall-misses")
        misses.display = False
        yield misses

    def show(self, record: TurnRecord | None, number: int, turns: int) -> None:
        """Show what came to mind in ``record``, turn ``number`` (from 1) of the session's ``turns``."""
        if _looks_the_same(record, self._record):
            if record is not None and turns != self._turns:
                self._turns = turns
                self.query_one("#recall-head", Wrapped).show(self._head(record, number))
            return
        self._record, self._turns = record, turns
        self.previewing = False
        self.border_title = self._texts.recall_title
        self.query_one("#recall-head", Wrapped).show(self._head(record, number))
        self._present(record.recall if record is not None else None)
        self.cursor = 0
        self._mark()
        self.scroll_home(animate=False)

    def show_preview(self, preview: Preview, budget: int) -> None:
        """Show what goes in if the draft is sent now. The cursor stays on its passage; ``budget`` in characters."""
        at = self._hit_at_cursor()
        self._record, self.previewing = None, True
        self.border_title = self._texts.recall_preview_title
        self.query_one("#recall-head", Wrapped).show(self._preview_head(preview, budget))
        self._present(preview.recall)
        places = [(view.hit.entry, view.hit.segment) for view in self._views[: self._shown] if view.hit]
        kept = (at.entry, at.segment) if at is not None else None
        self.cursor = places.index(kept) if kept in places else min(self.cursor, max(0, self._shown - 1))
        self._mark()

    def _preview_head(self, preview: Preview, budget: int) -> Content:
        texts, recall = self._texts, preview.recall
        said = _why_silent(recall, texts) or (
            texts.recall_preview if recall.hits else texts.recall_preview_none
        )
        rows = [Content.styled(said, "$text")]
        if recall.hits:
            rows.append(Content.styled(budget_line(preview.injected, budget, texts), "$text-primary"))
        found = texts.recall_summary.format(
            hits=len(recall.hits),
            characters=len(preview.injected),
            elapsed=f"{recall.elapsed_ms:.1f}",
            chunks=recall.chunks,
        )
        rows.append(Content.styled("\n".join((found, *self._notes(recall))), "$text-muted"))
        return Content("\n").join(rows)

    def _present(self, recall: Recall | None) -> None:
        """Draw the passages: those that go in, then those that the user keeps out, then the near misses."""
        self._recall = recall
        hits = recall.hits if recall is not None else ()
        out = [miss for miss in recall.misses if miss.rule in _KEPT_OUT] if recall is not None else []
        shown = [(hit, "") for hit in hits] + [(miss.hit, miss.rule) for miss in out]
        while len(self._views) < len(shown):
            view = HitView(self._texts)
            self._views.append(view)
            self.mount(view, before="#recall-misses")
        best = max((hit.score for hit, _ in shown), default=0.0)
        for at, view in enumerate(self._views):
            view.display = at < len(shown)
            if at < len(shown):
                view.show_hit(at + 1, shown[at][0], best, shown[at][1])
        self._shown = len(shown)
        misses = self._misses(recall)
        below = self.query_one("#recall-misses", Wrapped)
        below.display = bool(misses)
        below.show(Content("\n").join(misses))

    def _hit_at_cursor(self) -> Hit | None:
        return self._views[self.cursor].hit if self._shown else None

    def watch_cursor(self) -> None:
        self._mark()

    def _mark(self) -> None:
        for at, view in enumerate(self._views):
            view.set_class(at == self.cursor, "-cursor")

    def _head(self, record: TurnRecord | None, number: int) -> Content:
        texts = self._texts
        if record is None:
            return Content(texts.recall_none_yet)
        # An earlier turn stays in the pane while one writes on: it says that it isn't the latest.
        form = texts.recall_turn if number >= self._turns else texts.recall_turn_earlier
        title = form.format(number=number, turns=self._turns, text=_one_line(record.text, 40))
        return Content.assemble((title, "$text"), "\n", (self._summary(record), "$text-muted"))

    def _summary(self, record: TurnRecord) -> str:
        texts = self._texts
        if record.never_begun:
            return texts.recall_never
        if record.recall is None:
            waiting = {"queued": texts.recall_queued, "running": texts.recall_running}
            return waiting.get(record.status, texts.recall_failed)
        recall = record.recall
        if recall.silence and not recall.hits:
            return _why_silent(recall, texts)
        if not recall.hits:
            summary = texts.recall_summary.format(
                hits=0, characters=0, elapsed=f"{recall.elapsed_ms:.1f}", chunks=recall.chunks
            )
            taken = recall.taken_out
            empty = texts.recall_taken_out.format(taken=taken) if taken else texts.recall_empty
            return f"{empty}\n{summary}"
        summary = texts.recall_summary.format(
            hits=len(recall.hits),
            characters=len(record.injected),
            elapsed=f"{recall.elapsed_ms:.1f}",
            chunks=recall.chunks,
        )
        return "\n".join((summary, *self._notes(recall)))

    def _notes(self, recall: Recall) -> list[str]:
        texts = self._texts
        notes = []
        if recall.carried:
            notes.append(texts.recall_carried.format(query=_one_line(recall.carried, 40)))
        if recall.pending:
            notes.append(texts.recall_pending.format(pending=recall.pending))
        if recall.renewed:
            notes.append(texts.recall_renewed)
        return notes

    def _misses(self, recall: Recall | None) -> list[Content]:
        """The passages that were near and stayed out, each with the rule that kept it out."""
        near = [miss for miss in recall.misses if miss.rule not in _KEPT_OUT] if recall is not None else []
        if not near:
            return []
        rows = [Content.styled(self._texts.recall_misses, "bold $text-muted")]
        rows.extend(Content.styled(self._miss(miss), "$text-muted") for miss in near)
        return rows

    def _miss(self, miss: Miss) -> str:
        return self._texts.recall_miss.format(
            entry=miss.hit.entry,
            segment=miss.hit.segment,
            score=f"{miss.hit.score:.2f}",
            rule=rule_text(miss, self._texts),
        )

    def action_move(self, step: int) -> None:
        if not self._shown:
            return
        self.cursor = min(max(0, self.cursor + step), self._shown - 1)
        self.scroll_to_widget(self._views[self.cursor], animate=False)

    def action_detail(self) -> None:
        if self._shown:
            view = self._views[self.cursor]
            view.detailed = not view.detailed

    def action_say(self, saying: Saying) -> None:
        hit = self._hit_at_cursor()
        if hit is None or self._recall is None:
            self.app.notify(self._texts.passage_none, severity="warning", markup=False)
        else:
            self.post_message(self.Said(saying, hit, self._recall, self.previewing))

    def action_inspect(self) -> None:
        if self._record is not None:
            self.post_message(self.InspectRequested(self._record.id))

    def action_copy(self) -> None:
        hit = self._hit_at_cursor()
        self.post_message(self.CopyRequested(hit.text if hit else "", self._texts.what_chunk))


def rule_text(miss: Miss, texts: UiTexts) -> str:
    """The rule that kept a passage out, for a person."""
    rules = {
        "floor": texts.rule_floor,
        "neighbour": texts.rule_neighbour,
        "duplicate": texts.rule_duplicate,
        "budget": texts.rule_budget,
        "limit": texts.rule_limit,
        "excluded": texts.rule_excluded,
        "lowered": texts.rule_lowered,
    }
    form = rules.get(miss.rule, miss.rule)
    return form.format(other=miss.other, coverage=f"{miss.hit.coverage:.0%}")


def _why_silent(recall: Recall, texts: UiTexts) -> str:
    """Why nothing was looked up, "" when it was."""
    silences = {
        "smalltalk": texts.recall_silence,
        "off": texts.recall_off,
        "private": texts.recall_private,
    }
    return silences.get(recall.silence, "") if not recall.hits else ""


def _looks_the_same(record: TurnRecord | None, shown: TurnRecord | None) -> bool:
    """Whether the pane already shows this: an unchanged turn keeps its cursor and its scroll."""
    if record is None or shown is None:
        return False
    return (record.id, record.status) == (shown.id, shown.status) and record.recall is shown.recall


def _one_line(text: str, limit: int) -> str:
    line = " ".join(harmless(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
