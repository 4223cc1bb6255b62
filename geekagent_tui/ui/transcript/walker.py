"""The cursor of the transcript: over turns, and over the code and foldable blocks in them."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Literal

from geekagent_tui.texts.transcript import ZH, TranscriptTexts
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.turn_view import NOTE, Target, TurnView
from geekagent_tui.ui.transcript.turns import TurnColumn
from geekagent_tui.ui.transcript.walk import Cursor, Found, Kind, next_target


class Walker(TurnColumn):
    """Selects turns, walks blocks, folds."""

    def __init__(
        self,
        texts: TranscriptTexts = ZH,
        *,
        clock: Callable[[], float] = perf_counter,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(texts, clock=clock, id=id, classes=classes)
        self._cursor: Cursor | None = None

    def forgotten(self) -> None:
        super().forgotten()
        self._cursor = None

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

    def action_turn(self, step: int) -> None:
        """Select the next or previous turn; with none selected, the one in sight."""
        last = len(self.column.items) - 1
        if last < 1:
            return
        current = self._index.get(self.selected_turn or "")
        if current is None:
            found = self.column.locate(self.top_row)
            current = (found[0] if found else last) - (step > 0)
        for at in range(current + step, last + 1) if step > 0 else range(current + step, 0, -1):
            view = self.column.items[at]
            if isinstance(view, TurnView) and not view.record.id.startswith(NOTE):
                self.selected_turn = view.record.id
                self.reveal(at, 0, len(view.rows(self.column.width).lines))
                return

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

    def action_line(self, step: int) -> None:
        self.move(self.top_row + step)

    def action_page(self, step: int) -> None:
        self.move(self.top_row + step * max(1, self.window - 2))

    def action_top(self) -> None:
        self.move(0)
        self.move(-self.column.height)

    def action_bottom(self) -> None:
        self.follow()

    def point(self, row: int) -> None:
        """Select the turn at ``row`` of the column, and the block there; fold or unfold it on its first row."""
        found = self.column.locate(row)
        view = self.column.items[found[0]] if found is not None else None
        if found is None or not isinstance(view, TurnView):
            return
        self.selected_turn = view.record.id
        for number, target in enumerate(view.targets(self.column.width)):
            if target.row <= found[1] < target.row + target.height:
                self._cursor = Cursor(view.record.id, number)
                if target.block.foldable and found[1] == target.row:
                    self._toggle(view, target)
        self.refresh()

    def code_here(self) -> CodeBlock | None:
        """The code block under the cursor, else the first in sight, else the last above."""
        target = self._target()
        if target is None or not isinstance(target.block, CodeBlock):
            items, width, row = self.column.items, self.column.width, self.top_row
            start = self.column.locate(row) or (0, 0)
            below = next_target(items, width, (start[0], start[1] - 1), 1, "code")
            if below is None or self.column.top(below.item) + below.target.row >= row + self.window:
                below = next_target(items, width, (start[0], start[1] + 1), -1, "code")
            target = below.target if below is not None else None
        return target.block if target is not None and isinstance(target.block, CodeBlock) else None
