"""The composer: where a message is written. Grows with its text up to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, work
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets.text_area import Location

from geekagent_tui.texts.ui import ZH, UiTexts
from geekagent_tui.ui.editing.area import MessageArea
from geekagent_tui.ui.editing.folds import is_long_paste, is_long_text

if TYPE_CHECKING:
    from geekagent_tui.ui.app import GeekAgentApp

NEWLINE_KEYS = frozenset(
    {"ctrl+j", "shift+enter", "alt+enter", "ctrl+enter", "shift+\r", "ctrl+\r", "shift+ctrl+m", "alt+ctrl+m"}
)
"""Ctrl+J arrives in every terminal; the others where a keyboard protocol reports them (modifyOtherKeys gives the
forms with a raw carriage return)."""


class Composer(MessageArea):
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
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", ZH.key_send, priority=False),
        Binding("ctrl+j", "newline", ZH.key_newline, tooltip=ZH.tip_newline),
        Binding("f8", "edit", ZH.key_editor, show=False, tooltip=ZH.tip_editor),
        Binding("ctrl+r", "search_history", ZH.key_history, tooltip=ZH.tip_history),
        Binding("ctrl+o", "open_paste", ZH.key_open_paste, tooltip=ZH.tip_open_paste),
        Binding("ctrl+c", "copy_or_clear", ZH.key_clear, show=False, tooltip=ZH.tip_clear),
        Binding("ctrl+z", "undo", ZH.key_undo, show=False),
        Binding("ctrl+y", "redo", ZH.key_redo, show=False),
    ]

    @dataclass
    class Submitted(Message):
        """The user sent ``text`` (not blank), folded pastes in full."""

        composer: Composer
        text: str

    @dataclass
    class SearchRequested(Message):
        """The user wants to search what was sent; ``sent`` is what is known here, the newest first."""

        sent: tuple[str, ...]

    @dataclass
    class Steered(Message):
        """A key that belongs to the open completion list: ``up``, ``down``, ``tab``, ``enter`` or ``escape``."""

        key: str

    def __init__(self, placeholder: str, texts: UiTexts = ZH) -> None:
        super().__init__(texts, placeholder=placeholder, id="composer")
        self._texts = texts
        self.completing = False
        self._folded = False
        self._sent: list[str] = []
        """As they stood here, with labels: what is behind a label is kept by ``folds``."""
        self._at = 0
        self._draft = ""

    @property
    def sent(self) -> tuple[str, ...]:
        """What Up walks through, oldest first."""
        return tuple(self._sent)

    def remember(self, sent: list[str]) -> None:
        """Set what Up walks through, oldest first."""
        self._sent = [text for at, text in enumerate(sent) if at == 0 or text != sent[at - 1]]
        self._at = len(self._sent)

    def action_submit(self) -> None:
        text = self.text
        if not text.strip():
            return
        full = self.folds.set_aside(text)
        self._keep(text)
        self._draft = ""
        self.load_text("")
        self.post_message(self.Submitted(self, full))

    def _keep(self, text: str) -> None:
        if not self._sent or self._sent[-1] != text:
            self._sent.append(text)
        self._at = len(self._sent)

    def action_newline(self) -> None:
        self._replace_via_keyboard("\n", *self.selection)
        self.scroll_cursor_visible()

    def action_copy_or_clear(self) -> None:
        """Copy what is selected; else put the text away, where Up and undo find it."""
        if not self.selection.is_empty:
            self.action_copy()
        elif self.text:
            self._keep(self.text)
            self._draft = ""
            self.clear()
        else:
            raise SkipAction()

    # -- editor and folded pastes ---------------------------------------------------------------------------

    @work(exclusive=True, group="editor", exit_on_error=False)
    async def action_edit(self) -> None:
        """The whole message in the user's editor."""
        edited = await self._edited(self.folds.set_aside(self.text))
        if edited is not None:
            self.put_all(edited)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The footer names the key for pastes while there is one."""
        return action != "open_paste" or self.fold_at_cursor() is not None

    def on_text_area_changed(self) -> None:
        if (folded := self.fold_at_cursor() is not None) != self._folded:
            self._folded = folded
            self.refresh_bindings()

    def action_open_paste(self) -> None:
        """Show the folded paste beside the cursor."""
        place = self.fold_at_cursor()
        if place is None:
            return
        from geekagent_tui.ui.screens.paste import PasteScreen

        label = self.get_text_range(*place)

        def chosen(what: str | None) -> None:
            if what == "unfold":
                self._unfold(place)
            elif what == "edit":
                self._edit_paste(place)

        self.app.push_screen(PasteScreen(label, self.folds.text_of(label)), chosen)

    def _unfold(self, place: tuple[Location, Location]) -> None:
        text = self.folds.text_of(self.get_text_range(*place))
        if is_long_text(text):
            self.app.notify(self._texts.paste_too_long, severity="warning", markup=False)
        else:
            self.replace(text, *place, maintain_selection_offset=False)

    @work(exclusive=True, group="editor", exit_on_error=False)
    async def _edit_paste(self, place: tuple[Location, Location]) -> None:
        edited = await self._edited(self.folds.text_of(self.get_text_range(*place)))
        if edited is not None:
            shown = self.folds.fold(edited) if is_long_paste(edited) else edited
            self.replace(shown, *place, maintain_selection_offset=False)

    async def _edited(self, text: str) -> str | None:
        """``text`` from the user's editor, None when nothing came of it."""
        from geekagent_tui.ui.editing.external import EditorError

        try:
            edited = await cast("GeekAgentApp", self.app).edit_outside(text)
        except EditorError as error:
            self.app.notify(str(error), severity="error", markup=False)
            return None
        return edited if edited != text else None

    # -- keys -----------------------------------------------------------------------------------------------

    def action_search_history(self) -> None:
        self.post_message(self.SearchRequested(tuple(map(self.folds.set_aside, reversed(self._sent)))))

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
