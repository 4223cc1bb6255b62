"""The transcript: turns drawn line by line, following what arrives, holding still while one reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer

from geekagent_tui.agent.events import Event, ReasoningDelta, RecallDone, RequestStarted, TextDelta, Usage
from geekagent_tui.agent.record import TurnLog, TurnRecord
from geekagent_tui.texts.transcript import ZH, TranscriptTexts
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.turn_view import Banner, Target, TurnView
from geekagent_tui.ui.transcript.walk import Cursor, Found, Kind, next_target
from geekagent_tui.ui.transcript.window import ColumnView

_FRAME = 1 / 30
"""Seconds between two drawings of text that streams."""

_SHARE = 3
"""A drawing that took t seconds is followed by at least this many times t without one."""


class Transcript(ColumnView):
    """``set_turns`` and ``add`` records, then ``apply`` events. See the messages for what it tells."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "line(1)", ZH.key_down, show=False),
        Binding("k,up", "line(-1)", ZH.key_up, show=False),
        Binding("pagedown", "page(1)", ZH.key_page_down, show=False),
        Binding("pageup", "page(-1)", ZH.key_page_up, show=False),
        Binding("g,home", "top", ZH.key_top, show=False),
        Binding("G,end", "bottom", ZH.key_bottom),
        Binding("right_square_bracket", "turn(1)", ZH.key_next_turn),
        Binding("left_square_bracket", "turn(-1)", ZH.key_previous_turn),
        Binding("n", "walk(1, 'code')", ZH.key_next_code),
        Binding("N", "walk(-1, 'code')", ZH.key_previous_code, show=False),
        Binding("t", "walk(1, 'fold')", ZH.key_next_fold, show=False),
        Binding("T", "walk(-1, 'fold')", ZH.key_previous_fold, show=False),
        Binding("enter,space", "fold", ZH.key_fold),
        Binding("y", "copy", ZH.key_copy),
        Binding("c", "copy_code", ZH.key_copy_code),
    ]

    banner: reactive[tuple[str, ...]] = reactive((), layout=False)
    selected_turn: reactive[str | None] = reactive(None, init=False)

    @dataclass
    class TurnSelected(Message):
        """Another turn is selected; None when there is none."""

        turn_id: str | None
        record: TurnRecord | None

    @dataclass
    class Unseen(Message):
        """New rows arrived below while one reads further up (true), or they are in sight again."""

        unseen: bool

    @dataclass
    class CopyRequested(Message):
        """The user wants ``text`` on the clipboard; "" when there was nothing to copy. ``what`` names it."""

        text: str
        what: str

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
        self._cursor: Cursor | None = None

    # -- turns ----------------------------------------------------------------------------------------------

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
        self._cursor = None
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
                self._timer = self.set_timer(self._pause, self.flush)
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

    # -- what the window asks -------------------------------------------------------------------------------

    def marks(self, item: int, row: int) -> tuple[str, str]:
        view = self.column.items[item]
        if not isinstance(view, TurnView):
            return "", ""
        width, focused = self.column.width, self.has_focus
        bar = fold = ""
        # The blank row after a turn has no bar.
        if view.record.id == self.selected_turn and row < len(view.rows(width).lines) - 1:
            bar = "bar" if focused else "bar-blurred"
        for number, target in enumerate(view.targets(width)):
            if target.row <= row < target.row + target.height:
                if focused and self._cursor == Cursor(view.record.id, number):
                    bar = "cursor"
                if row == target.row and target.block.foldable:
                    fold = "▸" if target.height == 1 else "▾"
        return bar, fold

    def unseen_hint(self) -> str:
        return self._texts.unseen

    def unseen_changed(self, unseen: bool) -> None:
        self.post_message(self.Unseen(unseen))

    def watch_banner(self, lines: tuple[str, ...]) -> None:
        self.column.replace(0, Banner(lines))
        self.settle()

    def watch_selected_turn(self, turn: str | None) -> None:
        if self._cursor is not None and self._cursor.turn != turn:
            self._cursor = None
        self.post_message(self.TurnSelected(turn, self.current_record(turn) if turn is not None else None))

    # -- keys and mouse -------------------------------------------------------------------------------------

    def action_line(self, step: int) -> None:
        self.move(self.top_row + step)

    def action_page(self, step: int) -> None:
        self.move(self.top_row + step * max(1, self.window - 2))

    def action_top(self) -> None:
        self.move(0)
        self.move(-self.column.height)

    def action_bottom(self) -> None:
        self.follow()

    def action_turn(self, step: int) -> None:
        """Select the next or previous turn; with none selected, the one in sight."""
        last = len(self.column.items) - 1
        if last < 1:
            return
        current = self._index.get(self.selected_turn or "")
        if current is None:
            found = self.column.locate(self.top_row)
            current = (found[0] if found else last) - (step > 0)
        at = max(1, min(current + step, last))
        view = self.column.items[at]
        if isinstance(view, TurnView):
            self.selected_turn = view.record.id
            self.reveal(at, 0, len(view.rows(self.column.width).lines))

    def action_walk(self, step: Literal[1, -1], kind: Kind) -> None:
        """Move the cursor to the next or previous block of a kind."""
        found = next_target(self.column.items, self.column.width, self._cursor_row(step), step, kind)
        if found is not None:
            self._set_cursor(found)

    def _cursor_row(self, step: int) -> tuple[int, int]:
        """The row a walk starts from: the cursor's, else the window's edge."""
        target = self._target()
        if self._cursor is not None and target is not None:
            return self._index[self._cursor.turn], target.row
        edge = self.top_row - 1 if step > 0 else self.top_row + self.window
        return self.column.locate(edge) or ((0, -1) if step > 0 else (len(self.column.items) - 1, 1 << 30))

    def _set_cursor(self, found: Found) -> None:
        view = self.column.items[found.item]
        if isinstance(view, TurnView):
            self.selected_turn = view.record.id
            self._cursor = Cursor(view.record.id, found.number)
            self.reveal(found.item, found.target.row, found.target.height)
            self.refresh()

    def _target(self) -> Target | None:
        """The block under the cursor."""
        view = self._view(self._cursor.turn) if self._cursor is not None else None
        if view is None or self._cursor is None:
            return None
        targets = view.targets(self.column.width)
        return targets[self._cursor.number] if self._cursor.number < len(targets) else None

    def action_fold(self) -> None:
        """Fold or unfold the block under the cursor, else the selected turn's first foldable one."""
        view = self._view(self.selected_turn or "")
        if view is None:
            return
        target = self._target()
        if target is None or not target.block.foldable:
            target = next((each for each in view.targets(self.column.width) if each.block.foldable), None)
        if target is not None:
            self._toggle(view, target)

    def _toggle(self, view: TurnView, target: Target) -> None:
        if view.toggle(target.block):
            at = self._index[view.record.id]
            self.column.touch(at)
            # Opening a block at the end must show it, not scroll its head away.
            self.hold()
            self.settle()
            self.reveal(at, target.row, 1)

    def action_copy(self) -> None:
        """Ask for the selected turn's answer; its message when there is no answer."""
        record = self.current_record(self.selected_turn) if self.selected_turn else None
        if record is None:
            self.post_message(self.CopyRequested("", self._texts.what_answer))
        elif record.answer:
            self.post_message(self.CopyRequested(record.answer, self._texts.what_answer))
        else:
            self.post_message(self.CopyRequested(record.text, self._texts.what_message))

    def action_copy_code(self) -> None:
        """Ask for the code block under the cursor, else the first in sight, else the last above."""
        target = self._target()
        if target is None or not isinstance(target.block, CodeBlock):
            items, width, row = self.column.items, self.column.width, self.top_row
            start = self.column.locate(row) or (0, 0)
            above = (start[0], start[1] + 1)
            below = next_target(items, width, (start[0], start[1] - 1), 1, "code")
            if below is None or self.column.top(below.item) + below.target.row >= row + self.window:
                below = next_target(items, width, above, -1, "code")
            target = below.target if below is not None else None
        code = target.block.text if target is not None and isinstance(target.block, CodeBlock) else ""
        self.post_message(self.CopyRequested(code, self._texts.what_code))

    def on_click(self, event: events.Click) -> None:
        """Select the turn under the pointer, fold or unfold on a foldable head; nothing scrolls."""
        event.prevent_default()  # a double click would select all that was ever said
        offset = event.get_content_offset(self)
        found = self.column.locate(self.top_row + offset.y) if offset is not None else None
        view = self.column.items[found[0]] if found is not None else None
        if found is None or not isinstance(view, TurnView) or self.text_selection is not None:
            return
        self.selected_turn = view.record.id
        for number, target in enumerate(view.targets(self.column.width)):
            if target.row <= found[1] < target.row + target.height:
                self._cursor = Cursor(view.record.id, number)
                if target.block.foldable and found[1] == target.row:
                    self._toggle(view, target)
        self.refresh()
