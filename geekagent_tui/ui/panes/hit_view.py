"""One passage as the recall pane shows it: place, score, text with its matches marked, and why it came."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive

from geekagent_tui.harmless import harmless
from geekagent_tui.memory.types import Hit, TermMatch
from geekagent_tui.texts.ui import UiTexts
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
        &.-out { text-opacity: 60%; }
    }
    """

    detailed = reactive(False, layout=True)

    def __init__(self, texts: UiTexts) -> None:
        super().__init__()
        self._texts = texts
        self._shown: tuple[int, Hit, float] | None = None
        self._rule = ""

    @property
    def hit(self) -> Hit | None:
        return self._shown[1] if self._shown else None

    def show_hit(self, rank: int, hit: Hit, best: float, rule: str = "") -> None:
        """``rank`` from 1; ``best`` is the top hit's score, the bar's full length; ``rule``: ``excluded`` or
        ``lowered`` for a passage that the user keeps out, else "". What is shown already stays unfolded."""
        if self._shown == (rank, hit, best) and self._rule == rule:
            return
        same = self.hit is not None and _place(self.hit) == _place(hit)
        self._shown, self._rule = (rank, hit, best), rule
        self.set_class(bool(rule), "-out")
        if not same:
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
        rows = [self._head(rank, hit, best), *self._said(hit), _marked(hit), *self._cut(hit)]
        super().show(Content("\n").join([*rows, *self._why(hit)]))

    def _said(self, hit: Hit) -> list[Content]:
        """What the user said about the passage."""
        texts = self._texts
        if self._rule:
            mark = texts.mark_excluded if self._rule == "excluded" else texts.mark_lowered
            return [Content.styled(mark, "$text-warning")]
        return [Content.styled(texts.mark_pinned, "$text-accent")] if hit.pinned else []

    def _head(self, rank: int, hit: Hit, best: float) -> Content:
        form = self._texts.recall_hit_joined if hit.last_segment else self._texts.recall_hit
        label = form.format(rank=rank, entry=hit.entry, segment=hit.segment, last=hit.last_segment)
        if self._rule:
            label = label.partition(". ")[2]
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
        if not hit.terms:
            return []
        terms = sorted(hit.terms, key=lambda match: -match.contribution)
        if not self.detailed:
            listed = [
                self._texts.recall_term.format(
                    term=harmless(hit.word(match)), contribution=f"{match.contribution:.2f}"
                )
                for match in _leading(terms)
            ]
            packed = _packed(listed, " · ", self._texts.recall_why, self.content_size.width)
            return [Content.styled(row, "$text-muted") for row in packed]
        rows = [Content.styled(self._texts.recall_detail_head, "$text-muted")]
        rows.extend(Content.styled(self._detail(hit, match), "$text-muted") for match in terms)
        return rows

    def _detail(self, hit: Hit, match: TermMatch) -> str:
        form = self._texts.recall_detail if match.query_count == 1 else self._texts.recall_detail_repeat
        return form.format(
            term=harmless(self._named(hit, match)),
            count=match.query_count,
            tf=match.tf,
            df=match.df,
            idf=f"{match.idf:.2f}",
            contribution=f"{match.contribution:.2f}",
        )

    def _named(self, hit: Hit, match: TermMatch) -> str:
        """The word of the passage, with the term it was found by where that isn't the same."""
        word = hit.word(match)
        if word.casefold() == match.term.casefold():
            return word
        return self._texts.recall_word.format(word=word, term=match.term)


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


def _place(hit: Hit) -> tuple[int, int]:
    return hit.entry, hit.segment
