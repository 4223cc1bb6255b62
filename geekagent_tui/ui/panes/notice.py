"""What the interface has to say in passing, for a few seconds in the footer's place.

Not Textual's toasts: the compositor cuts what lies on top wherever a widget below has an edge, and a Chinese character
on such an edge becomes two blanks; and they lie on the line that is typed into.
"""

from __future__ import annotations

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Footer

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.panes.wrapped import Wrapped

_STYLES = {"information": "$text", "warning": "$text-warning", "error": "$text-error"}


class NoticeLine(Wrapped):
    """``tell`` shows a text; the newest replaces the one before."""

    DEFAULT_CSS = """
    NoticeLine { display: none; height: auto; max-height: 4; padding: 0 1; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__(id="notice")
        self._timer: Timer | None = None

    def tell(self, text: str, severity: str, seconds: float) -> None:
        """Show ``text`` for ``seconds``."""
        self.show(Content.styled(harmless(text), _STYLES.get(severity, "$text")))
        self._swap(shown=True)
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(seconds, self.hide)

    def hide(self) -> None:
        self._swap(shown=False)

    def _swap(self, *, shown: bool) -> None:
        self.display = shown
        for footer in self.screen.query(Footer):
            footer.display = not shown
