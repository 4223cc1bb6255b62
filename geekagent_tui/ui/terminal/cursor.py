"""The terminal's own cursor at the insertion point: an input method opens its window there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.app import App
from textual.geometry import Offset, Region

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.screen import Screen


@runtime_checkable
class _Editor(Protocol):
    """A widget that text is typed into: Textual's ``TextArea`` and ``Input``."""

    @property
    def cursor_screen_offset(self) -> Offset: ...

    @property
    def region(self) -> Region: ...


@runtime_checkable
class CursorDriver(Protocol):
    """A driver whose terminal shows its cursor when asked."""

    def show_cursor(self, visible: bool) -> None: ...


class CursorApp(App[int]):
    """Puts the terminal's cursor where the focused editor has its own, with every frame.

    Textual moves the (hidden) cursor only when an editor's own cursor moves; a composer that grew by a row, or a
    window that was resized, leaves it behind. Where the layout is known is where a frame is written.
    """

    @property
    def real_cursor(self) -> bool:
        """Whether the terminal shows its cursor, so that none needs to be drawn."""
        return _cursor_driver(self._driver) is not None

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        editor = _editor(self.focused) if screen is self.screen else None
        if editor is not None:
            self.cursor_position = editor.cursor_screen_offset
        driver = _cursor_driver(self._driver)
        shown = editor is not None and editor.region.contains_point(self.cursor_position)
        if driver is not None and not (shown and self._sync_available):
            # Without synchronized output the cursor would be seen running over the screen.
            driver.show_cursor(False)
        super()._display(screen, renderable)
        if driver is not None:
            driver.show_cursor(shown)


def _editor(widget: object) -> _Editor | None:
    return widget if isinstance(widget, _Editor) else None


def _cursor_driver(driver: object) -> CursorDriver | None:
    return driver if isinstance(driver, CursorDriver) else None
