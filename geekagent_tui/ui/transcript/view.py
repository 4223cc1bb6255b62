"""The transcript: turns drawn line by line, following what arrives, holding still while one reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.texts.transcript import ZH
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.finder import Finder
from geekagent_tui.ui.transcript.links import address_at, addresses
from geekagent_tui.ui.transcript.strips import GUTTER


class Transcript(Finder):
    """``set_turns`` and ``add`` records, then ``apply`` events. See the messages for what it tells."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "line(1)", ZH.key_down, show=False),
        Binding("k,up", "line(-1)", ZH.key_up, show=False),
        Binding("pagedown", "page(1)", ZH.key_page_down, show=False),
        Binding("pageup", "page(-1)", ZH.key_page_up, show=False),
        Binding("g,home", "top", ZH.key_top, show=False),
        Binding("G,end", "bottom", ZH.key_bottom),
        Binding("right_square_bracket", "turn(1)", ZH.key_next_turn),
        Binding("left_square_bracket", "turn(-1)", ZH.key_previous_turn),
        Binding("n", "walk(1, 'code')", ZH.key_next_code, tooltip=ZH.tip_next_code),
        Binding("N", "walk(-1, 'code')", ZH.key_previous_code, show=False, tooltip=ZH.tip_previous_code),
        Binding("t", "walk(1, 'fold')", ZH.key_next_fold, show=False),
        Binding("T", "walk(-1, 'fold')", ZH.key_previous_fold, show=False),
        Binding("enter,space", "fold", ZH.key_fold),
        Binding("y", "copy", ZH.key_copy, tooltip=ZH.tip_copy),
        Binding("c", "copy_code", ZH.key_copy_code, show=False),
        Binding("v", "select", ZH.key_select, tooltip=ZH.tip_select),
        Binding("h,left", "character(-1)", show=False),
        Binding("l,right", "character(1)", show=False),
        Binding("w", "word(1)", show=False),
        Binding("b", "word(-1)", show=False),
        Binding("0,circumflex_accent", "edge(-1)", show=False),
        Binding("dollar_sign", "edge(1)", show=False),
        Binding("escape", "leave", show=False),
        Binding("o", "open('pager')", ZH.key_pager, show=False, tooltip=ZH.tip_pager),
        Binding("e", "open('editor')", ZH.key_editor, show=False, tooltip=ZH.tip_editor),
        Binding("u", "links", ZH.key_links, show=False, tooltip=ZH.tip_links),
        Binding("r", "ask_again", ZH.key_ask_again, show=False, tooltip=ZH.tip_ask_again),
        Binding("i", "recall", ZH.key_recall, show=False, tooltip=ZH.tip_recall),
        Binding("I", "inspect", ZH.key_inspect, show=False, tooltip=ZH.tip_inspect),
    ]

    @dataclass
    class TurnSelected(Message):
        """Another turn is selected; None when there is none."""

        turn_id: str | None
        record: TurnRecord | None

    @dataclass
    class Unseen(Message):
        """New rows arrived below while one reads further up (true), or they are in sight again."""

        unseen: bool

    @dataclass
    class CopyRequested(Message):
        """The user wants ``text`` on the clipboard; "" when there was nothing to copy. ``what`` names it."""

        text: str
        what: str

    @dataclass
    class OpenRequested(Message):
        """The user wants ``text`` in a program of its own; ``suffix`` is the ending of a file with such text."""

        text: str
        suffix: str
        program: Literal["pager", "editor"]

    @dataclass
    class LinksRequested(Message):
        """The user wants to open one of ``addresses``; there may be none."""

        addresses: tuple[str, ...]

    @dataclass
    class AskAgainRequested(Message):
        """The user wants a message sent once more."""

        text: str

    @dataclass
    class RecallRequested(Message):
        """The user wants to see what memory gave to a turn."""

        turn_id: str

    @dataclass
    class InspectRequested(Message):
        """The user wants to see all of a turn's recall and its request."""

        turn: str

    # -- what the window asks -------------------------------------------------------------------------------

    def unseen_hint(self) -> str:
        return self._texts.unseen

    def unseen_changed(self, unseen: bool) -> None:
        self.post_message(self.Unseen(unseen))

    def watch_selected_turn(self, turn: str | None) -> None:
        if self._cursor is not None and self._cursor.turn != turn:
            self._cursor = None
        self.post_message(self.TurnSelected(turn, self.current_record(turn) if turn is not None else None))

    # -- keys and mouse -------------------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Ask for what is selected, else for the selected turn's answer, its message when there is no answer."""
        record = self._selected_record()
        if text := self.selected():
            self.post_message(self.CopyRequested(text, self._texts.what_selection))
            self.stop_selecting()
        elif record is None:
            self.post_message(self.CopyRequested("", self._texts.what_answer))
        elif record.answer:
            self.post_message(self.CopyRequested(record.answer, self._texts.what_answer))
        else:
            self.post_message(self.CopyRequested(record.text, self._texts.what_message))

    def action_copy_code(self) -> None:
        code = self.code_here()
        self.post_message(self.CopyRequested(code.text if code is not None else "", self._texts.what_code))

    def action_open(self, program: Literal["pager", "editor"]) -> None:
        """Ask for the code block under the cursor in a program, else for the selected turn."""
        target, record = self._target(), self._selected_record()
        if target is not None and isinstance(target.block, CodeBlock):
            self.post_message(self.OpenRequested(target.block.text + "\n", target.block.suffix, program))
        elif record is not None:
            text = "\n\n".join(text for text in (_quoted(record.text), record.answer) if text)
            self.post_message(self.OpenRequested(text + "\n", ".md", program))

    def action_links(self) -> None:
        """Ask for the links of the selected turn."""
        view = self._view(self.selected_turn or "")
        lines = view.rows(self.column.width).lines if view is not None else ()
        self.post_message(self.LinksRequested(addresses(lines)))

    def action_ask_again(self) -> None:
        record = self._selected_record()
        if record is not None and record.text:
            self.post_message(self.AskAgainRequested(record.text))

    def action_recall(self) -> None:
        if self.selected_turn is not None:
            self.post_message(self.RecallRequested(self.selected_turn))

    def action_inspect(self) -> None:
        if self.selected_turn is not None:
            self.inspect(self.selected_turn)

    def inspect(self, turn: str) -> None:
        self.post_message(self.InspectRequested(turn))

    def _selected_record(self) -> TurnRecord | None:
        return self.current_record(self.selected_turn) if self.selected_turn is not None else None

    def on_click(self, event: events.Click) -> None:
        """Select the turn under the pointer, fold or unfold on a foldable head, open a link; nothing scrolls."""
        event.prevent_default()  # a double click would select all that was ever said
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        found = self.column.locate(self.top_row + offset.y)
        line = self.column.line(*found) if found is not None else None
        self.point(self.top_row + offset.y)
        address = address_at(line, line.offset_at(offset.x - GUTTER)) if line is not None else ""
        if address:
            self.post_message(self.LinksRequested((address,)))


def _quoted(text: str) -> str:
    """A message above its answer, as Markdown shows what somebody else said."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
