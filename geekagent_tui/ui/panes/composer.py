"""The composer: where a message is written. Grows with its text up to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import ZH

if TYPE_CHECKING:
    from geekagent_tui.ui.terminal.cursor import CursorApp

NEWLINE_KEYS = frozenset(
    {"ctrl+j", "shift+enter", "alt+enter", "ctrl+enter", "shift+\r", "ctrl+\r", "shift+ctrl+m", "alt+ctrl+m"}
)
"""Ctrl+J arrives in every terminal; the others where a keyboard protocol reports them (modifyOtherKeys gives the
forms with a raw carriage return)."""


class Composer(TextArea):
    """Enter sends, Ctrl+J breaks the line; Up and Down at the edges walk through what was sent before."""

    DEFAULT_CSS = """
    Composer {
        height: auto;
        min-height: 1;
        max-height: 10;
        padding: 0 1;
        border: none;
        border-left: outer $border-blurred;
        background: $surface;
        &:focus { border: none; border-left: outer $primary; }
        & .text-area--cursor-line { background: transparent; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", ZH.key_send, priority=False),
        Binding("ctrl+j", "newline", ZH.key_newline, tooltip=ZH.tip_newline),
    ]

    @dataclass
    class Submitted(Message):
        """The user sent ``text`` (not blank)."""

        composer: Composer
        text: str

    @dataclass
    class Steered(Message):
        """A key that belongs to the open completion list: ``up``, ``down``, ``tab``, ``enter`` or ``escape``."""

        key: str

    def __init__(self, placeholder: str) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            placeholder=placeholder,
            id="composer",
        )
        self.completing = False
        # Nothing ticks while nobody types; a terminal's own cursor blinks as its owner likes it.
        self.cursor_blink = False
        self._sent: list[str] = []
        self._at = 0
        self._draft = ""

    @property
    def _draw_cursor(self) -> bool:
        """None is drawn where the terminal shows its own."""
        return super()._draw_cursor and not cast("CursorApp", self.app).real_cursor

    def _on_resize(self) -> None:
        super()._on_resize()
        # Rows broke elsewhere: the cursor stands in another cell of them.
        self.scroll_cursor_visible()

    def remember(self, sent: list[str]) -> None:
        """Set what Up walks through, oldest first."""
        self._sent = [text for at, text in enumerate(sent) if at == 0 or text != sent[at - 1]]
        self._at = len(self._sent)

    def take(self, text: str) -> None:
        """Put ``text`` in, cursor at its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    def action_submit(self) -> None:
        text = self.text
        if not text.strip():
            return
        if not self._sent or self._sent[-1] != text:
            self._sent.append(text)
        self._at = len(self._sent)
        self._draft = ""
        self.load_text("")
        self.post_message(self.Submitted(self, text))

    def action_newline(self) -> None:
        self._replace_via_keyboard("\n", *self.selection)
        self.scroll_cursor_visible()

    def get_line(self, line_index: int) -> Text:
        """The line to draw. Control characters become visible signs of the same count, so columns stay true."""
        return Text(harmless(self.document.get_line(line_index)), end="", no_wrap=True)

    async def _on_key(self, event: events.Key) -> None:
        key = event.key
        if self.completing and key in {"up", "down", "tab", "enter", "escape"}:
            _consume(event)
            self.post_message(self.Steered(key))
        elif key == "enter":
            _consume(event)
            self.action_submit()
        elif key in NEWLINE_KEYS:
            _consume(event)
            self.action_newline()
        elif (key == "up" and self._walk(-1)) or (key == "down" and self._walk(1)):
            _consume(event)
        else:
            await super()._on_key(event)

    def _walk(self, step: int) -> bool:
        """Go one message back or forward when the cursor is at the edge; False leaves the key to the editor."""
        row = self.wrapped_document.location_to_offset(self.cursor_location).y
        edge = 0 if step < 0 else self.wrapped_document.height - 1
        if row != edge or not self.selection.is_empty:
            return False
        to = self._at + step
        if not 0 <= to <= len(self._sent):
            return False
        if self._at == len(self._sent):
            self._draft = self.text
        self._at = to
        self.take(self._draft if to == len(self._sent) else self._sent[to])
        return True


def _consume(event: events.Key) -> None:
    event.stop()
    event.prevent_default()
