"""The recall pane: what was put into the selected turn's prompt, with scores and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.harmless import harmless
from geekagent_tui.memory.types import Hit, Miss, TermMatch
from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.panes.wrapped import Wrapped

_BAR_CELLS = 12
_EIGHTHS = " ▏▎▍▌▋▊▉█"


class HitView(Wrapped):
    """One passage: rank and place, score as bar and number, the chunk with its matches marked, the terms."""

    DEFAULT_CSS = """
    HitView {
        height: auto;
        padding: 0 1;
        margin-bottom: 1;
        border-left: outer $surface;
        &.-cursor { border-left: outer $border-blurred; }
    }
    """

    detailed = reactive(False, layout=True)

    def __init__(self, texts: UiTexts) -> None:
        super().__init__()
        self._texts = texts
        self._shown: tuple[int, Hit, float] | None = None

    @property
    def hit(self) -> Hit | None:
        return self._shown[1] if self._shown else None

    def show_hit(self, rank: int, hit: Hit, best: float) -> None:
        """``rank`` from 1; ``best`` is the top hit's score, the bar's full length."""
        self._shown = (rank, hit, best)
        self.detailed = False
        self._draw()

    def watch_detailed(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        rank, hit, best = self._shown
        super().show(
            Content("\n").join([self._head(rank, hit, best), _marked(hit), *self._cut(hit), *self._why(hit)])
        )

    def _head(self, rank: int, hit: Hit, best: float) -> Content:
        form = self._texts.recall_hit_joined if hit.last_segment else self._texts.recall_hit
        label = form.format(rank=rank, entry=hit.entry, segment=hit.segment, last=hit.last_segment)
        score = self._texts.recall_score.format(score=f"{hit.score:.2f}")
        if hit.coverage:
            score = self._texts.recall_coverage.format(score=score, coverage=f"{hit.coverage:.0%}")
        full, empty = _bar(hit.score / best if best > 0 else 0.0)
        return Content.assemble(
            (label, "bold"),
            "\n",
            (full, "$primary"),
            (empty, "$primary-muted"),
            " ",
            (score, "$text-primary"),
        )

    def _cut(self, hit: Hit) -> list[Content]:
        return [Content.styled(self._texts.recall_cut, "$text-muted")] if hit.cut else []

    def _why(self, hit: Hit) -> list[Content]:
        terms = sorted(hit.terms, key=lambda match: -match.contribution)
        if not self.detailed:
            listed = [
                self._texts.recall_term.format(
                    term=harmless(match.term), contribution=f"{match.contribution:.2f}"
                )
                for match in _leading(terms)
            ]
            packed = _packed(listed, " · ", self._texts.recall_why, self.content_size.width)
            return [Content.styled(row, "$text-muted") for row in packed]
        rows = [Content.styled(self._texts.recall_detail_head, "$text-muted")]
        rows.extend(Content.styled(self._detail(match), "$text-muted") for match in terms)
        return rows

    def _detail(self, match: TermMatch) -> str:
        form = self._texts.recall_detail if match.query_count == 1 else self._texts.recall_detail_repeat
        return form.format(
            term=harmless(match.term),
            count=match.query_count,
            tf=match.tf,
            df=match.df,
            idf=f"{match.idf:.2f}",
            contribution=f"{match.contribution:.2f}",
        )


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
        Binding("enter,space", "detail", ZH.key_detail, tooltip=ZH.tip_detail),
        Binding("y,c", "copy", ZH.key_copy, tooltip=ZH.tip_copy_chunk),
    ]

    @dataclass
    class CopyRequested(Message):
        text: str
        what: str

    cursor = reactive(0)

    def __init__(self, texts: UiTexts) -> None:
        super().__init__(id="recall")
        self._texts = texts
        self._views: list[HitView] = []
        self._record: TurnRecord | None = None
        self._hits = 0
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
        hits = record.recall.hits if record is not None and record.recall is not None else ()
        self.query_one("#recall-head", Wrapped).show(self._head(record, number))
        self._hits = len(hits)
        while len(self._views) < len(hits):
            view = HitView(self._texts)
            self._views.append(view)
            self.mount(view, before="#recall-misses")
        best = hits[0].score if hits else 0.0
        for at, view in enumerate(self._views):
            view.display = at < len(hits)
            if at < len(hits):
                view.show_hit(at + 1, hits[at], best)
        misses = self._misses(record)
        below = self.query_one("#recall-misses", Wrapped)
        below.display = bool(misses)
        below.show(Content("\n").join(misses))
        self.cursor = 0
        self._mark()
        self.scroll_home(animate=False)

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
        if record.recall is None:
            return texts.recall_running if record.status in ("queued", "running") else texts.recall_failed
        recall = record.recall
        if recall.silence:
            return texts.recall_silence
        if not recall.hits:
            summary = texts.recall_summary.format(
                hits=0, characters=0, elapsed=f"{recall.elapsed_ms:.1f}", chunks=recall.chunks
            )
            return f"{texts.recall_empty}\n{summary}"
        summary = texts.recall_summary.format(
            hits=len(recall.hits),
            characters=len(record.injected),
            elapsed=f"{recall.elapsed_ms:.1f}",
            chunks=recall.chunks,
        )
        notes = []
        if recall.carried:
            notes.append(texts.recall_carried.format(query=_one_line(recall.carried, 40)))
        if recall.pending:
            notes.append(texts.recall_pending.format(pending=recall.pending))
        return "\n".join((summary, *notes))

    def _misses(self, record: TurnRecord | None) -> list[Content]:
        """The passages that were near and stayed out, each with the rule that kept it out."""
        recall = record.recall if record is not None else None
        if recall is None or not recall.misses:
            return []
        rows = [Content.styled(self._texts.recall_misses, "bold $text-muted")]
        rows.extend(Content.styled(self._miss(miss), "$text-muted") for miss in recall.misses)
        return rows

    def _miss(self, miss: Miss) -> str:
        texts = self._texts
        rules = {
            "floor": texts.rule_floor,
            "neighbour": texts.rule_neighbour,
            "duplicate": texts.rule_duplicate,
            "budget": texts.rule_budget,
            "limit": texts.rule_limit,
        }
        rule = rules.get(miss.rule, miss.rule).format(other=miss.other, coverage=f"{miss.hit.coverage:.0%}")
        return texts.recall_miss.format(
            entry=miss.hit.entry, segment=miss.hit.segment, score=f"{miss.hit.score:.2f}", rule=rule
        )

    def action_move(self, step: int) -> None:
        if not self._hits:
            return
        self.cursor = min(max(0, self.cursor + step), self._hits - 1)
        self.scroll_to_widget(self._views[self.cursor], animate=False)

    def action_detail(self) -> None:
        if self._hits:
            view = self._views[self.cursor]
            view.detailed = not view.detailed

    def action_copy(self) -> None:
        hit = self._views[self.cursor].hit if self._hits else None
        self.post_message(self.CopyRequested(hit.text if hit else "", self._texts.what_chunk))


def _looks_the_same(record: TurnRecord | None, shown: TurnRecord | None) -> bool:
    """Whether the pane already shows this: an unchanged turn keeps its cursor and its scroll."""
    if record is None or shown is None:
        return False
    return (record.id, record.status) == (shown.id, shown.status) and record.recall is shown.recall


def _marked(hit: Hit) -> Content:
    """The chunk on one paragraph, its matches marked. Same length as the chunk, so the spans hold."""
    content = Content(harmless(hit.text).replace("\n", " ").replace("\t", " "))
    for match in _leading(hit.terms):
        for start, end in match.spans:
            content = content.stylize("bold $text-warning on $warning-muted", start, end)
    return content


def _leading(terms: Sequence[TermMatch]) -> list[TermMatch]:
    """Without the single characters that only support a longer match: the details list them all."""
    return [
        match
        for match in terms
        if len(match.term) > 1 or not any(match.term in other.term for other in terms if len(other.term) > 1)
    ]


def _packed(items: Sequence[str], between: str, form: str, width: int) -> list[str]:
    """``items`` in ``form`` ("{terms}"), in rows of at most ``width`` cells that end between two of them: what stands
    behind a term belongs to it. Without a width yet, one row."""
    rows: list[str] = []
    row = ""
    for item in items:
        longer = f"{row}{between}{item}" if row else item if rows else form.format(terms=item)
        if row and width and cell_len(longer) > width:
            rows.append(f"{row}{between.rstrip()}")
            longer = item
        row = longer
    return [*rows, row or form.format(terms="")]


def _bar(share: float) -> tuple[str, str]:
    """A bar of eighths of a cell and the rest of its track; never empty for a score above nothing."""
    eighths = max(1, min(_BAR_CELLS * 8, round(share * _BAR_CELLS * 8)))
    full, rest = divmod(eighths, 8)
    filled = "█" * full + (_EIGHTHS[rest] if rest else "")
    return filled, "░" * (_BAR_CELLS - len(filled))


def _one_line(text: str, limit: int) -> str:
    line = " ".join(harmless(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
