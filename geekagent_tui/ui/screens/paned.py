"""The panes beside the chat: shown, focused and folded away by their keys."""

from __future__ import annotations

from textual.widget import Widget

from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.screens.writing import WritingScreen

ROOM_FOR_PANES = 100
"""Columns from which on the panes stand beside the chat."""


class PanedScreen(WritingScreen):
    """A wide window has places for the panes; in a narrow one a key calls one up."""

    def on_resize(self) -> None:
        # A pane that was called up in a narrow window has its place again in a wide one.
        if self.size.width >= ROOM_FOR_PANES:
            self.remove_class("-recall-open", "-sidebar-open")

    def _pane_called_up(self) -> bool:
        return self.has_class("-recall-open") or self.has_class("-sidebar-open")

    def action_pane(self, name: str) -> None:
        """Show and focus a pane; the same key again folds it away and goes back to the composer."""
        if not self._complete:
            return
        pane = self.query_one(f"#{name}")
        if self.size.width >= ROOM_FOR_PANES and name != "transcript":
            self._pane_in_a_wide_window(name, pane)
            return
        opened = f"-{name}-open"
        shown = pane.is_on_screen and pane.region.area > 0
        if pane.has_focus or (shown and not pane.can_focus and self.has_class(opened)):
            self.remove_class(opened)
            self.query_one(Composer).focus()
            return
        self.remove_class("-recall-open", "-sidebar-open")
        if not shown and name != "transcript":
            self.add_class(opened)
        if pane.can_focus:
            self.call_after_refresh(pane.focus)

    def _pane_in_a_wide_window(self, name: str, pane: Widget) -> None:
        """Here the panes have places of their own: the key folds one that is at hand, and calls it back."""
        folded = f"-{name}-folded"
        away = self.has_class(folded)
        self.set_class(not away and (pane.has_focus or not pane.can_focus), folded)
        self.set_class(self.has_class("-recall-folded") and self.has_class("-sidebar-folded"), "-side-folded")
        if self.has_class(folded):
            self.query_one(Composer).focus()
        elif pane.can_focus:
            self.call_after_refresh(pane.focus)
