"""A window on the column: it scrolls, follows the end or holds still, and draws the rows in sight."""

from __future__ import annotations

from textual import events
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from geekagent_tui.ui.transcript.column import Column, Place
from geekagent_tui.ui.transcript.palette import Palette
from geekagent_tui.ui.transcript.selecting import row_key, selected_text
from geekagent_tui.ui.transcript.strips import GUTTER, MARGIN, Strips


class ColumnView(ScrollView, can_focus=True):
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

    # Textual lays the whole screen out again at each change of this: 20 ms a frame while text streams. What a change
    # means here (the scroll bar) is done by ``_resized``.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.column = Column()
        self._palette = Palette(self)
        self._strips = Strips(self._palette)
        self._follows = True
        self._unseen = False
        self._top: Place | None = None
        self._shown: list[Strip] = []

    # What a subclass knows better.

    def marks(self, item: int, row: int) -> tuple[str, str]:
        """The gutter of a row: style name of its bar ("" for none) and the character beside it."""
        return "", ""

    def unseen_hint(self) -> str:
        """What is laid over the last row while new rows stand below it."""
        return ""

    def unseen_changed(self, unseen: bool) -> None:
        """New rows arrived below the window, or are in sight again."""

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

    @property
    def window(self) -> int:
        return self.scrollable_content_region.height

    @property
    def top_row(self) -> int:
        return int(self.scroll_offset.y)

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
        self._resized(self.column.height)
        self.scroll_target_y = self.scroll_y = row
        self._top = self.column.place(row)
        if row + self.window >= self.column.height:
            self._set_unseen(False)
        self._refresh_changed()

    def _resized(self, height: int) -> None:
        """The column has ``height`` rows now."""
        window, before = self.container_size.height, self.virtual_size.height
        self.virtual_size = Size(self.size.width, height)
        if (height > window) != (before > window):
            self.refresh(layout=True)  # the scroll bar comes or goes
        elif height != before and self.show_vertical_scrollbar:
            self.vertical_scrollbar.window_virtual_size = height

    def _refresh_changed(self) -> None:
        """Have the rows drawn that look different now: while text streams, one or two of them."""
        shown = [self.render_line(y) for y in range(self.window)]
        before, self._shown = self._shown, shown
        if len(before) != len(shown):
            self.refresh()
            return
        width = self.size.width
        changed = [y for y, strips in enumerate(zip(before, shown, strict=True)) if strips[0] is not strips[1]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

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
            self.unseen_changed(unseen)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())

    def on_resize(self) -> None:
        region = self.scrollable_content_region
        width = max(10, region.width - GUTTER - MARGIN)
        if width != self.column.width:
            self.column.set_width(width)
            self._strips.clear()
        self.settle()

    def notify_style_update(self) -> None:
        self._restyle()
        super().notify_style_update()

    def _restyle(self) -> None:
        self._palette.clear()
        self._strips.clear()
        self.refresh()

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

    # -- drawing --------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """Straight from the strips: there is no border, padding or opacity here that Textual would have to add to
        each row, and a strip that was drawn before remembers how it was filtered and cut."""
        background, filters = self.background_colors[1], self.get_line_filters()
        blank = self._palette.style("", "")
        strips: list[Strip] = []
        for y in crop.line_range:
            strip = self.render_line(y).crop_extend(crop.x, crop.right, blank)
            for each in filters:
                strip = strip.apply_filter(each, background)
            strips.append(strip)
        return strips

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        found = self.column.locate(self.top_row + y)
        strip = self._strips.strip(None, "", "", width) if found is None else self._drawn(*found, width)
        if self._unseen and y == self.window - 1:
            strip = self._strips.overlay(strip, self.unseen_hint(), width)
        return strip

    def _drawn(self, at: int, row: int, width: int) -> Strip:
        line = self.column.line(at, row)
        strip = self._strips.strip(line, *self.marks(at, row), width)
        key = row_key(at, row)
        selection = self.text_selection
        span = selection.get_span(key) if selection is not None else None
        if span is not None and line is not None:
            style = self.screen.get_component_rich_style("screen--selection")
            strip = self._strips.selected(line, span, style, strip)
        return strip.apply_offsets(0, key)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text without gutter, bars and borders; rows that were wrapped are one again."""
        return selected_text(self.column, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def watch_has_focus(self, value: bool) -> None:
        super().watch_has_focus(value)
        self.refresh()
