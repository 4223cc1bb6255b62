"""A text that is wrapped as Chinese is: between any two characters, never with a full stop at the start of a line."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from geekagent_tui.ui.transcript.wrap import wrap_content


class Wrapped(Static):
    """``show`` sets the text; it is wrapped again when the width changes."""

    DEFAULT_CSS = "Wrapped { height: auto; }"

    def __init__(self, content: Content | str = "", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(markup=False, id=id)
        self._whole = Content(content) if isinstance(content, str) else content

    def show(self, content: Content) -> None:
        self._whole = content
        self._wrap()

    def on_mount(self) -> None:
        self._wrap()

    def on_resize(self) -> None:
        self._wrap()

    def _wrap(self) -> None:
        width = self.content_size.width
        self.update(wrap_content(self._whole, width) if width else self._whole)
