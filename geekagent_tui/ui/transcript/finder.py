"""Search in the transcript: every place in sight stands out, and the cursor goes from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Literal

from textual.actions import SkipAction
from textual.message import Message

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.texts.transcript import ZH, TranscriptTexts
from geekagent_tui.ui.transcript.caret import CaretWalker
from geekagent_tui.ui.transcript.find import Hit, folded, hits, searched
from geekagent_tui.ui.transcript.strips import GUTTER, Mark
from geekagent_tui.ui.transcript.turn_view import Rows, TurnView
from geekagent_tui.ui.transcript.walk import Kind


class Finder(CaretWalker):
    """``find`` as one types, then ``find_next``; ``find("")`` ends it."""

    @dataclass
    class Searched(Message):
        """``turns`` hold the words; the current place is in the ``at``-th of them (from 1; 0: in none)."""

        turns: int
        at: int

    def __init__(
        self,
        texts: TranscriptTexts = ZH,
        *,
        clock: Callable[[], float] = perf_counter,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(texts, clock=clock, id=id, classes=classes)
        self._query = ""
        self._current: tuple[int, int] | None = None
        self._texts_of: dict[str, tuple[TurnRecord, str]] = {}
        self._found: dict[int, tuple[Rows, str, list[Hit]]] = {}

    def forgotten(self) -> None:
        super().forgotten()
        self._current = None
        self._texts_of.clear()
        self._found.clear()

    @property
    def searching(self) -> bool:
        return bool(self._query)

    def find(self, words: str) -> None:
        """Show where ``words`` stand, and go to the nearest place from the top of the window on."""
        self._query = folded(words)
        self._current = None
        self._found.clear()
        self.refresh()
        if self._query:
            start = self.column.locate(self.top_row) or (0, 0)
            self._go(start, 1)
        else:
            self.post_message(self.Searched(0, 0))

    def find_next(self, step: Literal[1, -1]) -> None:
        """Go to the next or previous place; after the last comes the first."""
        if not self._query:
            return
        if self._current is None:
            self._go(self.column.locate(self.top_row) or (0, 0), step)
            return
        at, number = self._current
        if 0 <= number + step < len(self._hits(at)):
            self._arrive(at, number + step)
        else:
            self._go((at + step, 0), step)

    def action_walk(self, step: Literal[1, -1], kind: Kind) -> None:
        if self._query and kind == "code":
            self.find_next(step)
        else:
            super().action_walk(step, kind)

    def action_leave(self) -> None:
        """Take away the caret, else the search; with neither, the key is somebody else's."""
        if self.selecting:
            self.stop_selecting()
        elif self._query:
            self.find("")
        else:
            raise SkipAction

    def _go(self, start: tuple[int, int], step: Literal[1, -1]) -> None:
        """To the first place from item and row ``start`` on, around the end and back."""
        count = len(self.column.items)
        for distance in range(count + 1):
            at = (start[0] + step * distance) % count
            found = self._opened_hits(at) if self._may_hold(at) else []
            if distance == 0 and step > 0:
                numbers = [number for number, hit in enumerate(found) if hit[0].row >= start[1]]
            else:
                numbers = list(range(len(found)))
            if numbers:
                self._arrive(at, numbers[0] if step > 0 else numbers[-1])
                return
        self._tell(None)

    def _arrive(self, at: int, number: int) -> None:
        self._current = (at, number)
        view = self.column.items[at]
        if isinstance(view, TurnView):
            self.selected_turn = view.record.id
        hit = self._hits(at)[number]
        self.hold()
        self.reveal(at, hit[0].row, hit[-1].row - hit[0].row + 1)
        self.refresh()
        self._tell(at)

    def _tell(self, at: int | None) -> None:
        holding = [each for each in range(len(self.column.items)) if self._may_hold(each)]
        self.post_message(self.Searched(len(holding), holding.index(at) + 1 if at in holding else 0))

    def _may_hold(self, at: int) -> bool:
        view = self.column.items[at]
        if not isinstance(view, TurnView):
            return False
        record = view.record
        known = self._texts_of.get(record.id)
        if known is None or known[0] is not record:
            known = self._texts_of[record.id] = (record, searched(record))
        return self._query in known[1]

    def _hits(self, at: int) -> list[Hit]:
        view = self.column.items[at]
        if not isinstance(view, TurnView):
            return []
        rows = view.rows(self.column.width)
        known = self._found.get(at)
        if known is None or known[0] is not rows or known[1] != self._query:
            known = self._found[at] = (rows, self._query, hits(rows.lines, self._query))
        return known[2]

    def _opened_hits(self, at: int) -> list[Hit]:
        """The places in item ``at``; when they stand in folded blocks only, those are opened."""
        view = self.column.items[at]
        if not self._hits(at) and isinstance(view, TurnView) and view.unfold_holding(self._query):
            self.column.touch(at)
        return self._hits(at)

    def highlights(self, item: int, row: int) -> Iterable[Mark]:
        if self._query and self._may_hold(item):
            for number, hit in enumerate(self._hits(item)):
                style = "found-current" if self._current == (item, number) else "found"
                yield from (Mark(GUTTER + p.start, GUTTER + p.end, style) for p in hit if p.row == row)
        yield from super().highlights(item, row)
