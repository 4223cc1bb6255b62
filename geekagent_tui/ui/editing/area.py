"""The editor of a message: Textual's ``TextArea`` with folded pastes, words, graphemes and rows of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.document._document_navigator import DocumentNavigator
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, Location, Selection

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.editing import stops, words
from geekagent_tui.ui.editing.folds import Folds, is_long_paste, is_long_text
from geekagent_tui.ui.editing.rows import Rows
from geekagent_tui.ui.editing.segmenter import Segmenter

if TYPE_CHECKING:
    from geekagent_tui.ui.terminal.cursor import CursorApp


class MessageArea(TextArea):
    """A long paste is one unit, shown as its label; ``full_text`` has all of it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"message-area--folded"}

    DEFAULT_CSS = """
    MessageArea {
        & .text-area--cursor-line { background: transparent; }
        & .message-area--folded { color: $text-accent; background: $accent-muted; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # What terminals on a Mac send for Option with an arrow, and what line editors use.
        Binding("alt+left,alt+b", "cursor_word_left", show=False),
        Binding("alt+right,alt+f", "cursor_word_right", show=False),
        Binding("alt+d,ctrl+delete", "delete_word_right", show=False),
        Binding("ctrl+shift+z", "redo", show=False),
    ]

    def __init__(
        self,
        texts: UiTexts,
        *,
        placeholder: str = "",
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        self.folds = Folds(texts)
        self._segmenter = Segmenter()
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            placeholder=placeholder,
            id=id,
        )
        # Nothing ticks while nobody types; a terminal's own cursor blinks as its owner likes it.
        self.cursor_blink = False

    # -- text -----------------------------------------------------------------------------------------------

    @property
    def full_text(self) -> str:
        """The text with every folded paste in full."""
        return self.folds.unfold(self.text)

    def put_in(self, text: str) -> None:
        """Insert a paste in place of the selection, folded when it is long. One step for undo."""
        shown = self.folds.fold(text) if is_long_paste(text) else text
        result = self._replace_via_keyboard(shown, *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)

    def put_all(self, text: str) -> None:
        """Replace everything by ``text``, as an edit that can be undone."""
        text = self.folds.form_of(text) or self._fit(text)
        self.replace(text, self.document.start, self.document.end, maintain_selection_offset=False)

    def take(self, text: str) -> None:
        """Show ``text``, cursor at its end; what was there can't be undone."""
        self.load_text(self.folds.form_of(text) or self._fit(text))
        self.move_cursor(self.document.end)

    def _fit(self, text: str) -> str:
        return self.folds.fold(text) if is_long_text(text) else text

    def fold_at_cursor(self) -> tuple[Location, Location] | None:
        """Where the folded paste beside the cursor stands, else the nearest before it, else the first."""
        places = [
            ((row, start), (row, end))
            for row, line in enumerate(self.document.lines)
            for start, end in self.folds.spans(line)
        ]
        before = [place for place in places if place[0] <= self.cursor_location]
        return before[-1] if before else places[0] if places else None

    # -- Textual's hooks ------------------------------------------------------------------------------------

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        self.wrapped_document = Rows(self.document, self.folds.spans, self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._rewrap_and_refresh_virtual_size()

    def _validate_selection(self, selection: Selection) -> Selection:
        start, end = super()._validate_selection(selection)
        before = self.selection
        return Selection(
            self._stop(start, forward=start > before.start), self._stop(end, forward=end > before.end)
        )

    def _stop(self, location: Location, *, forward: bool) -> Location:
        row, column = location
        line = self.document.get_line(row)
        return row, stops.snap(line, column, self.folds.spans(line), forward=forward)

    def edit(self, edit: Edit) -> EditResult:
        """Do an edit. One that touches a part of a folded paste takes all of it."""
        top, bottom = edit.top, edit.bottom
        edit.from_location = self._beside_fold(top, forward=top == bottom)
        edit.to_location = self._beside_fold(bottom, forward=True)
        return super().edit(edit)

    def _beside_fold(self, location: Location, *, forward: bool) -> Location:
        row, column = location
        if row >= self.document.line_count:
            return location
        for start, end in self.folds.spans(self.document.get_line(row)):
            if start < column < end:
                return row, end if forward else start
        return location

    def get_line(self, line_index: int) -> Text:
        """The line to draw. Control characters become visible signs of the same count, so columns stay true."""
        line = self.document.get_line(line_index)
        text = Text(harmless(line), end="", no_wrap=True)
        spans = self.folds.spans(line)
        if spans:
            style = self.get_component_rich_style("message-area--folded")
            for start, end in spans:
                text.stylize(style, start, end)
        return text

    @property
    def _draw_cursor(self) -> bool:
        """None is drawn where the terminal shows its own."""
        return super()._draw_cursor and not cast("CursorApp", self.app).real_cursor

    def _on_resize(self) -> None:
        super()._on_resize()
        self._row_end = None
        # Rows broke elsewhere: the cursor stands in another cell of them.
        self.scroll_cursor_visible()

    async def on_unmount(self) -> None:
        await self._segmenter.close()

    async def _on_paste(self, event: events.Paste) -> None:
        # Textual's own handler would put the text in once more.
        event.prevent_default()
        event.stop()
        if event.text:
            self.put_in(event.text)
            self.focus()

    # -- moving ---------------------------------------------------------------------------------------------

    def get_cursor_left_location(self) -> Location:
        row, column = self.cursor_location
        if column == 0:
            return super().get_cursor_left_location()
        line = self.document.get_line(row)
        return row, stops.previous(line, column, self.folds.spans(line))

    def get_cursor_right_location(self) -> Location:
        row, column = self.cursor_location
        line = self.document.get_line(row)
        if column >= len(line):
            return super().get_cursor_right_location()
        return row, stops.following(line, column, self.folds.spans(line))

    def get_cursor_word_left_location(self) -> Location:
        row, column = self.cursor_location
        if column == 0:
            return super().get_cursor_word_left_location()
        line = self.document.get_line(row)
        target = words.word_left(line, column, self._segmenter.cut)
        return self._stop((row, target), forward=False)

    def get_cursor_word_right_location(self) -> Location:
        row, column = self.cursor_location
        line = self.document.get_line(row)
        if column >= len(line):
            return super().get_cursor_word_right_location()
        target = words.word_right(line, column, self._segmenter.cut)
        return self._stop((row, target), forward=True)

    def get_cursor_line_start_location(self, smart_home: bool = False) -> Location:
        """The row's start; from there the line's."""
        if (inside := self._inside_row()) is not None:
            return self.navigator.get_location_home(inside)
        target = super().get_cursor_line_start_location(smart_home)
        return (target[0], 0) if target == self.cursor_location else target

    def get_cursor_line_end_location(self) -> Location:
        """The row's end; from there the line's. A row that ends with a blank ends before it."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        if self._inside_row() is not None:
            return row, len(line)
        end = next((start for start in self.wrapped_document.get_offsets(row) if start > column), len(line))
        target = (row, end - 1) if end < len(line) and line[end - 1] in " \t" else (row, end)
        return (row, len(line)) if target == self.cursor_location else target

    def action_cursor_line_end(self, select: bool = False) -> None:
        """To the end of the row, behind its last character, although that is also the place before the next row."""
        target = self.get_cursor_line_end_location()
        self._row_end = target if target[1] in self.wrapped_document.get_offsets(target[0]) else None
        self.move_cursor(target, select=select)
        # It may be there already, at the start of the next row.
        self.scroll_cursor_visible()
        self.app.cursor_position = self.cursor_screen_offset

    def get_cursor_up_location(self) -> Location:
        return self._aligned(super().get_cursor_up_location, self.navigator.get_location_above)

    def get_cursor_down_location(self) -> Location:
        return self._aligned(super().get_cursor_down_location, self.navigator.get_location_below)

    def _aligned(self, move: Callable[[], Location], move_from: Callable[[Location], Location]) -> Location:
        inside = self._inside_row()
        return move() if inside is None else move_from(inside)

    @property
    def _row_end(self) -> Location | None:
        rows = self.wrapped_document
        return rows.row_end if isinstance(rows, Rows) else None

    @_row_end.setter
    def _row_end(self, location: Location | None) -> None:
        if isinstance(self.wrapped_document, Rows):
            self.wrapped_document.row_end = location

    def _inside_row(self) -> Location | None:
        """The place before the last character of the row that the cursor stands at the end of, None when it doesn't."""
        row, column = self.cursor_location
        if self._row_end != (row, column):
            return None
        line = self.document.get_line(row)
        return row, stops.previous(line, column, self.folds.spans(line))

    def _watch_selection(self, previous_selection: Selection, selection: Selection) -> None:
        if self._row_end != selection.end:
            self._row_end = None
        super()._watch_selection(previous_selection, selection)

    # Actions are awaited by Textual; the next key waits for them, so that it finds the text as this one leaves it.

    async def action_cursor_word_left(self, select: bool = False) -> None:  # type: ignore[override]
        await self._learn_words()
        super().action_cursor_word_left(select)

    async def action_cursor_word_right(self, select: bool = False) -> None:  # type: ignore[override]
        await self._learn_words()
        super().action_cursor_word_right(select)

    async def action_delete_word_left(self) -> None:  # type: ignore[override]
        await self._learn_words()
        super().action_delete_word_left()

    async def action_delete_word_right(self) -> None:  # type: ignore[override]
        await self._learn_words()
        start, end = self.selection
        if start == end:
            end = self.get_cursor_word_right_location()
        self._delete_via_keyboard(start, end)

    async def _learn_words(self) -> None:
        row, _ = self.cursor_location
        await self._segmenter.learn(words.chinese_runs(self.document.get_line(row)))

    # -- clipboard ------------------------------------------------------------------------------------------

    def action_copy(self) -> None:
        if self.selection.is_empty:
            raise SkipAction()
        self.app.copy_to_clipboard(self.folds.unfold(self.selected_text))

    def action_cut(self) -> None:
        """Cut the selection, or the line."""
        if self.selection.is_empty:
            row, _ = self.cursor_location
            text = self.document.get_line(row) + "\n"
            self.action_delete_line()
        else:
            text = self.selected_text
            self._delete_via_keyboard(*self.selection)
        self.app.copy_to_clipboard(self.folds.unfold(text))

    def action_paste(self) -> None:
        if self.app.clipboard:
            self.put_in(self.app.clipboard)
