"""A window on the column: it scrolls, follows the end or holds still."""

from __future__ import annotations

from textual import events

from geekagent_tui.ui.transcript.column import Place
from geekagent_tui.ui.transcript.painting import PaintedColumn
from geekagent_tui.ui.transcript.strips import GUTTER, MARGIN


class ColumnView(PaintedColumn, can_focus=True):
    """Scrolls at once, never animated. A subclass fills ``column`` and calls ``column_changed``."""

    DEFAULT_CSS = """
    ColumnView {
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self._follows = True
        self._unseen = False
        self._top: Place | None = None

    # What a subclass knows better.

    def unseen_hint(self) -> str:
        """What is laid over the last row while new rows stand below it."""
        return ""

    def unseen_changed(self, unseen: bool) -> None:
        """New rows arrived below the window, or are in sight again."""

    def hint(self) -> str:
        return self.unseen_hint() if self._unseen else ""

    @property
    def follows(self) -> bool:
        """Whether the view sticks to the end."""
        return self._follows

    @property
    def unseen(self) -> bool:
        """Whether something new stands below the window."""
        return self._unseen

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._follows = True
        self.settle()

    def hold(self) -> None:
        """Stay where the window is, whatever comes."""
        self._follows = False

    # -- scrolling ------------------------------------------------------------------------------------------

    def column_changed(self) -> None:
        """The column changed. What is read stays put; rows that came below it are announced."""
        before = self.virtual_size.height
        self.settle()
        if not self._follows and self.column.height > before:
            self._set_unseen(True)

    def settle(self) -> None:
        if self.window <= 0:
            return
        place = None if self._follows else (self._top or Place(0, 0, 0))
        self._put(self.column.settle(self.window, place))

    def _put(self, row: int) -> None:
        """Make ``row`` the window's first one."""
        self._set_height(self.column.height)
        self.scroll_target_y = self.scroll_y = row
        self._top = self.column.place(row)
        if row + self.window >= self.column.height:
            self._set_unseen(False)
        self.refresh_changed()

    def move(self, row: int) -> None:
        """The user goes to ``row``. Reaching the end means following it, leaving it means not."""
        height, shift = self.window, row - self.top_row
        if height <= 0:
            return
        if self._top is not None and abs(shift) <= height:
            row = self.column.settle(height, self._top, shift)
        else:
            row = self.column.settle(height, self.column.place(max(0, min(row, self.column.height - 1))))
        self._follows = row + height >= self.column.height
        self._put(row)

    def reveal(self, at: int, row: int, rows: int) -> None:
        """Bring ``rows`` rows of item ``at``, from ``row``, into the window; what is in sight doesn't move it."""
        height = self.window
        if height <= 0:
            return
        if not self.column.is_exact(at):
            self._put(self.column.settle(height, Place(at, 0, 0)))
        first = self.column.top(at) + row
        last = first + min(rows, height)
        if first < self.top_row:
            self.move(first)
        elif last > self.top_row + height:
            self.move(first if rows >= height else last - height)
        self._follows = self.top_row + height >= self.column.height

    def _set_unseen(self, unseen: bool) -> None:
        if unseen != self._unseen:
            self._unseen = unseen
            self.refresh_changed()
            self.unseen_changed(unseen)

    def on_resize(self) -> None:
        region = self.scrollable_content_region
        width = max(10, region.width - GUTTER - MARGIN)
        if width != self.column.width:
            self.column.set_width(width)
            self._strips.clear()
        self.settle()

    def scroll_to(self, x: float | None = None, y: float | None = None, **options: object) -> None:
        """Scroll as the user would, at once: nothing here is animated, whatever ``options`` say."""
        if y is not None:
            self.move(round(y))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, step: int) -> None:
        event.prevent_default()
        if self.column.height > self.window:
            event.stop()
            self.move(self.top_row + step * round(self.app.scroll_sensitivity_y))
