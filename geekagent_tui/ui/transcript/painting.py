"""Drawing the rows of a column that are in sight, each once: what looks as before is neither made nor sent again."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from geekagent_tui.ui.transcript.column import Column
from geekagent_tui.ui.transcript.palette import Palette
from geekagent_tui.ui.transcript.selecting import row_key, selected_text
from geekagent_tui.ui.transcript.strips import Mark, Strips


class PaintedColumn(ScrollView):
    """Draws ``column`` from ``top_row`` on. A subclass scrolls it and knows what its rows are marked with."""

    # Textual lays the whole screen out again at each change of this: 20 ms a frame while text streams. What a change
    # means here (the scroll bar) is done by ``_set_height``.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0))

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes=classes)
        self.column = Column()
        self._palette = Palette(self)
        self._strips = Strips(self._palette)
        self._shown: list[Strip] | None = None

    # What a subclass knows better.

    def marks(self, item: int, row: int) -> tuple[str, str]:
        """The gutter of a row: style name of its bar ("" for none) and the character beside it."""
        return "", ""

    def highlights(self, item: int, row: int) -> Iterable[Mark]:
        """Parts of a row's text that stand out."""
        return ()

    def hint(self) -> str:
        """What is laid over the right end of the last row."""
        return ""

    # -- geometry -------------------------------------------------------------------------------------------

    @property
    def window(self) -> int:
        """Rows in sight."""
        return self.scrollable_content_region.height

    @property
    def top_row(self) -> int:
        return int(self.scroll_offset.y)

    def _set_height(self, height: int) -> None:
        """The column has ``height`` rows now."""
        window, before = self.container_size.height, self.virtual_size.height
        self.virtual_size = Size(self.size.width, height)
        if (height > window) != (before > window):
            self.refresh(layout=True)  # the scroll bar comes or goes
        elif height != before and self.show_vertical_scrollbar:
            self.vertical_scrollbar.window_virtual_size = height

    # -- drawing --------------------------------------------------------------------------------------------

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> PaintedColumn:
        self._shown = None
        super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        return self

    def refresh_changed(self) -> None:
        """Have the rows drawn that look different now: while text streams, one or two of them."""
        before, shown = self._shown, self._rows(range(self.window))
        if before is None or len(before) != len(shown):
            self.refresh()
        else:
            width = self.size.width
            pairs = enumerate(zip(before, shown, strict=True))
            changed = [Region(0, y, width, 1) for y, (old, new) in pairs if old is not new]
            if changed:
                self.refresh(*changed)
        self._shown = shown

    def render_lines(self, crop: Region) -> list[Strip]:
        """Straight from the strips: there is no border, padding or opacity here that Textual would have to add to
        each row, and a strip that was drawn before remembers how it was filtered and cut."""
        shown = self._shown
        if shown is None or len(shown) < crop.bottom:
            shown = self._shown = self._rows(range(max(self.window, crop.bottom)))
        background, filters = self.background_colors[1], self.get_line_filters()
        blank = self._palette.style("", "")
        strips: list[Strip] = []
        for y in crop.line_range:
            strip = shown[y].crop_extend(crop.x, crop.right, blank)
            for each in filters:
                strip = strip.apply_filter(each, background)
            strips.append(strip)
        return strips

    def render_line(self, y: int) -> Strip:
        return self._rows((y,))[0]

    def _rows(self, ys: Iterable[int]) -> list[Strip]:
        region, top = self.scrollable_content_region, self.top_row
        selection, hint = self.text_selection, self.hint()
        strips: list[Strip] = []
        for y in ys:
            found = self.column.locate(top + y)
            if found is None:
                strip = self._strips.strip(None, "", "", region.width)
            else:
                strip = self._drawn(*found, region.width, selection)
            if hint and y == region.height - 1:
                strip = self._strips.overlay(strip, hint, region.width)
            strips.append(strip)
        return strips

    def _drawn(self, at: int, row: int, width: int, selection: Selection | None) -> Strip:
        line, key = self.column.line(at, row), row_key(at, row)
        bar, fold = self.marks(at, row)
        marks: list[Mark] = []
        if line is not None:
            marks.extend(self.highlights(at, row))
            span = selection.get_span(key) if selection is not None else None
            if span is not None:
                marks.append(Mark(*span, "selection"))
        if line is not None and marks:
            strip = self._strips.marked(line, bar, fold, width, tuple(marks))
        else:
            strip = self._strips.strip(line, bar, fold, width)
        return strip.apply_offsets(0, key)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text without gutter, bars and borders; rows that were wrapped are one again."""
        return selected_text(self.column, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def watch_has_focus(self, value: bool) -> None:
        super().watch_has_focus(value)
        self.refresh()

    # -- colours --------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())

    def notify_style_update(self) -> None:
        self._restyle()
        super().notify_style_update()

    def _restyle(self) -> None:
        self._palette.clear()
        self._strips.clear()
        self.refresh()
