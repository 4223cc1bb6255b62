"""Textual's driver for Unix terminals, with our own reading of the input."""

from __future__ import annotations

import os
import re
import selectors
import time
from codecs import getincrementaldecoder

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from geekagent_tui.ui.terminal.splitter import InputSplitter, Whole

_READ = 64 * 1024
"""Bytes of one read at most."""

_POLL = 0.1
"""Seconds after which the end of the program is looked for, as Textual does."""

_KEYBOARD = re.compile(r"\x1b\[>\d+u")
_DISAMBIGUATE = "\x1b[>1u"


class TerminalDriver(LinuxDriver):
    """Differs in what is asked of the keyboard, in how input is read, and in being silent while suspended."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self._silent = False
        self._cursor_shown = False

    def show_cursor(self, visible: bool) -> None:
        """Show or hide the terminal's cursor, wherever it stands."""
        if visible != self._cursor_shown:
            self._cursor_shown = visible
            self.write("\x1b[?25h" if visible else "\x1b[?25l")

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        # It begins by hiding the cursor.
        self._cursor_shown = False

    def write(self, data: str) -> None:
        if self._silent:
            return
        # Textual asks for every key as a sequence with its text. Input methods get lost that way in iTerm2, xterm.js
        # and WezTerm; "disambiguate" alone leaves text as text, and still tells Shift+Enter from Enter.
        super().write(_DISAMBIGUATE if _KEYBOARD.fullmatch(data) else data)

    def suspend_application_mode(self) -> None:
        super().suspend_application_mode()
        # What runs on (an answer, a clock) must neither write into another program nor fill the closed queue.
        self._silent = True

    def resume_application_mode(self) -> None:
        self._silent = False
        super().resume_application_mode()

    def run_input_thread(self) -> None:
        """Read until the program ends: pieces that came whole become one paste, the rest goes to Textual's parser."""
        parser, splitter = XTermParser(self._debug), InputSplitter()
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                wait = splitter.wait(time.monotonic())
                ready = selector.select(_POLL if wait is None else min(wait, _POLL))
                data = os.read(self.fileno, _READ) if ready else b""
                if ready and not data:
                    # The terminal has gone away: waiting again would return at once, for ever.
                    self.exit_event.wait(_POLL)
                now = time.monotonic()
                pieces = splitter.feed(decode(data), now) if data else splitter.due(now)
                for piece in pieces:
                    if isinstance(piece, Whole):
                        self.process_message(events.Paste(piece.text))
                        continue
                    for message in parser.feed(piece.data):
                        self.process_message(message)
                for message in parser.tick():
                    self.process_message(message)
