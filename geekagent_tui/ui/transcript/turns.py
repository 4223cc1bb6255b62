"""The turns of a column: set, added, fed with events. What streams is drawn once a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter

from textual.reactive import reactive
from textual.timer import Timer

from geekagent_tui.agent.events import Event, ReasoningDelta, RecallDone, RequestStarted, TextDelta, Usage
from geekagent_tui.agent.record import TurnLog, TurnRecord
from geekagent_tui.texts.transcript import ZH, TranscriptTexts
from geekagent_tui.ui.terminal.precedence import KeysFirstApp, Precedence
from geekagent_tui.ui.transcript.turn_view import Banner, TurnView
from geekagent_tui.ui.transcript.window import ColumnView

_FRAME = 1 / 30
"""Seconds between two drawings of text that streams."""

_FRAME_WHILE_TYPING = 1 / 12
"""The same while somebody types: the eye is on the composer then."""

_STAND_BACK = 0.008
"""Seconds that a drawing stands back for a key on its way to the screen."""

_SHARE = 3
"""A drawing that took t seconds is followed by at least this many times t without one."""


class TurnColumn(ColumnView):
    """``set_turns`` and ``add`` records, then ``apply`` events."""

    banner: reactive[tuple[str, ...]] = reactive((), layout=False)
    selected_turn: reactive[str | None] = reactive(None, init=False)

    def __init__(
        self,
        texts: TranscriptTexts = ZH,
        *,
        clock: Callable[[], float] = perf_counter,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._texts = texts
        self._clock = clock
        self.column.set_items([Banner(())])
        self._index: dict[str, int] = {}
        self._logs: dict[str, TurnLog] = {}
        self._pending: set[str] = set()
        self._timer: Timer | None = None
        self._pause = _FRAME

    def forgotten(self) -> None:
        """All turns are others now."""

    def watch_banner(self, lines: tuple[str, ...]) -> None:
        self.column.replace(0, Banner(lines))
        self.settle()

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        """The records as they stand, first to last."""
        found = (self.current_record(turn) for turn in self._index)
        return tuple(record for record in found if record is not None)

    def current_record(self, turn_id: str) -> TurnRecord | None:
        log = self._logs.get(turn_id)
        if log is not None:
            return log.record()
        view = self._view(turn_id)
        return view.record if view is not None else None

    def set_turns(self, records: Iterable[TurnRecord]) -> None:
        """Show other turns: from the end, the last one selected."""
        views = [TurnView(record, self._texts) for record in records]
        self._index = {view.record.id: at for at, view in enumerate(views, 1)}
        self._logs.clear()
        self._pending.clear()
        self.forgotten()
        self.column.set_items([self.column.items[0], *views])
        self.follow()
        self.selected_turn = views[-1].record.id if views else None

    def clear(self) -> None:
        self.set_turns(())

    def add(self, record: TurnRecord) -> None:
        """Put a turn at the end. One with an id that is there already replaces it."""
        if record.id in self._index:
            self.replace(record)
            return
        self._index[record.id] = len(self.column.items)
        self.column.append(TurnView(record, self._texts))
        self.column_changed()

    def replace(self, record: TurnRecord) -> None:
        """Show another state of a turn that is there; an unknown one changes nothing."""
        self._logs.pop(record.id, None)
        self._pending.discard(record.id)
        self._update(record)
        self.column_changed()

    def remove_turn(self, turn_id: str) -> None:
        at = self._index.pop(turn_id, None)
        if at is None:
            return
        self._logs.pop(turn_id, None)
        self._pending.discard(turn_id)
        self.column.remove(at)
        self._index = {turn: was - (was > at) for turn, was in self._index.items()}
        if self.selected_turn == turn_id:
            self.selected_turn = None
        self.column_changed()

    def apply(self, event: Event) -> None:
        """Take an event in. What streams is drawn at the next frame, everything else now."""
        view = self._view(event.turn)
        if view is None:
            return
        log = self._logs.get(event.turn)
        if log is None:
            log = self._logs[event.turn] = TurnLog(view.record)
        log.apply(event)
        self._pending.add(event.turn)
        if isinstance(event, TextDelta | ReasoningDelta | RequestStarted | RecallDone | Usage):
            if self._timer is None and self.is_attached:
                precedence = self._precedence()
                typing = precedence is not None and precedence.typing
                pause = max(self._pause, _FRAME_WHILE_TYPING) if typing else self._pause
                self._timer = self.set_timer(pause, self._frame)
        else:
            self.flush()

    def _precedence(self) -> Precedence | None:
        return self.app.precedence if isinstance(self.app, KeysFirstApp) else None

    def _frame(self) -> None:
        precedence = self._precedence()
        if precedence is not None and precedence.waiting:
            self._timer = self.set_timer(_STAND_BACK, self._frame)
        else:
            self.flush()

    def flush(self) -> None:
        """Draw what arrived, without waiting for the frame."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if not self._pending:
            return
        began = self._clock()
        for turn in self._pending:
            log = self._logs.get(turn)
            if log is not None:
                record = log.record()
                self._update(record)
                if record.end is not None:
                    del self._logs[turn]
        self._pending.clear()
        self.column_changed()
        self._pause = max(_FRAME, _SHARE * (self._clock() - began))

    def _view(self, turn_id: str) -> TurnView | None:
        at = self._index.get(turn_id)
        item = self.column.items[at] if at is not None else None
        return item if isinstance(item, TurnView) else None

    def _update(self, record: TurnRecord) -> None:
        view = self._view(record.id)
        if view is not None:
            view.update(record)
            self.column.touch(self._index[record.id])
