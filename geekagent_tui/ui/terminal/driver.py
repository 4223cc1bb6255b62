"""Textual's driver for Unix terminals, with our own reading of the input."""

from __future__ import annotations

import os
import re
import selectors
import time
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import TextIO

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


class _Screen:
    """The terminal's side to write to. One that has gone away takes everything and shows nothing: Textual's writer
    would end with its error, its queue fill, and the program wait for ever to get rid of its last words."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


class TerminalDriver(LinuxDriver):
    """Differs in what is asked of the keyboard, in how input is read, and in being silent while suspended."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        assert self._file is not None
        self._file = _Screen(self._file)  # type: ignore[assignment]
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

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, _READ)
        except OSError:
            return b""

    def run_input_thread(self) -> None:
        """Read until the program ends: pieces that came whole become one paste, the rest goes to Textual's parser."""
        parser, splitter = XTermParser(self._debug), InputSplitter()
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                wait = splitter.wait(time.monotonic())
                ready = selector.select(_POLL if wait is None else min(wait, _POLL))
                data = self._read() if ready else b""
                if ready and not data:
                    # The terminal has gone away: nobody can see this any more, and nobody can leave it.
                    self._app.call_later(self._app.action_quit)
                    self.exit_event.wait()
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
