"""Leaving asks nothing and loses nothing, however fast it comes after what was written."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from textual import events

from geekagent_tui.agent.sessions import SessionStore
from geekagent_tui.ui.app import GeekAgentApp
from tests.support.app import Home, composer, ready, say, until
from tests.support.loopback import LoopbackServer, hang_reply

WIDE = (120, 36)
CTRL_Q = events.Key("ctrl+q", None)


def typed(text: str) -> list[events.Key]:
    """The keys of ``text``, a line break for Enter."""
    return [events.Key("enter", "\r") if char == "\n" else events.Key(char, char) for char in text]


def kept(home: Home, session: str = "s") -> tuple[list[str], str]:
    """The messages and the draft that are in the database."""
    store = SessionStore(home.geekagent / "geekagent.db", lambda: 0.0)
    found = [record.text for record in store.turns(session)], store.draft(session)
    store.close()
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("important\n", (["important"], "")),
        ("one\ntwo\nthree\n", (["one", "two", "three"], "")),
        ("important\nhalf", (["important"], "half")),
        ("half", ([], "half")),
        ("important\n/exit\n", (["important"], "")),
    ],
)
async def test_what_was_sent_right_before_the_key_that_quits_is_kept(
    home: Home, text: str, found: tuple[list[str], str]
) -> None:
    app = home.app(session="s")
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        # In one burst, as a terminal delivers it: the app takes Ctrl+Q while the composer still has the rest.
        for key in (*typed(text), CTRL_Q):
            app.post_message(key)
        await until(pilot, lambda: not app.is_running or app._exit)
    assert app.return_code == 0
    assert kept(home) == found


async def test_a_message_sent_before_the_project_was_open_is_kept_by_one_who_leaves_at_once(
    home: Home,
) -> None:
    app = home.app(session="s")
    async with app.run_test(size=WIDE) as pilot:
        assert app.chat.workspace is None
        for key in (*typed("early\n"), CTRL_Q):
            app.post_message(key)
        await until(pilot, lambda: app._exit)
    assert kept(home)[0] == ["early"]


async def test_a_message_in_line_is_kept_too(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url)
    loopback.add(hang_reply())
    app = home.app(session="s")
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "first")
        await until(pilot, lambda: loopback.requests)
        for key in (*typed("second\nhalf"), CTRL_Q):
            app.post_message(key)
        await until(pilot, lambda: app._exit)
    assert kept(home) == (["first", "second"], "half")
    assert len(loopback.requests) == 1


async def test_an_older_draft_is_never_written_over_a_newer_one(home: Home) -> None:
    app = home.app(session="s")
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        chat = app.chat
        composer(pilot).take("old")
        chat._save_draft()
        composer(pilot).take("new")
        chat._save_draft()
        await pilot.press("ctrl+q")
    assert kept(home)[1] == "new"


DRAFT = "龘"
"""One character: what is painted of several may come in pieces."""


class Terminal:
    """``geekagent`` in a pseudo terminal of its own."""

    def __init__(self, folder: Path) -> None:
        self.fd, inner = pty.openpty()
        environ = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2])}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "geekagent_tui", "--session", "s"],
            cwd=folder,
            env=environ,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self.seen = b""

    def until(self, part: str) -> None:
        while part.encode() not in self.seen:
            assert select.select([self.fd], [], [], 30)[0], self.seen[-500:]
            self.seen += os.read(self.fd, 65536)

    def rest(self) -> bytes:
        """What came until the program ended."""
        try:
            while data := os.read(self.fd, 65536):
                self.seen += data
        except OSError:
            pass
        return self.seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_is_the_same_way_out(tmp_path: Path, number: int) -> None:
    terminal = Terminal(tmp_path)
    terminal.until("说点什么")
    os.write(terminal.fd, DRAFT.encode())
    terminal.until(DRAFT)
    terminal.process.send_signal(number)
    seen = terminal.rest()
    assert terminal.process.wait(30) == 128 + number
    assert seen.rindex(b"\x1b[?1049l") > seen.rindex(b"\x1b[?1049h")
    assert kept(Home(tmp_path))[1] == DRAFT


@pytest.mark.parametrize("signalled", [False, True])
def test_a_terminal_that_goes_away_ends_the_program_and_keeps_the_draft(
    tmp_path: Path, signalled: bool
) -> None:
    terminal = Terminal(tmp_path)
    terminal.until("说点什么")
    os.write(terminal.fd, DRAFT.encode())
    terminal.until(DRAFT)
    os.close(terminal.fd)
    if signalled:
        terminal.process.send_signal(signal.SIGHUP)
    assert terminal.process.wait(30) in (0, 128 + signal.SIGHUP)
    assert kept(Home(tmp_path))[1] == DRAFT


async def test_whatever_keeps_the_project_from_opening_is_said_and_ends_the_app(home: Home) -> None:
    def broken(gate: object) -> NoReturn:
        raise FileNotFoundError("no such folder")

    app = GeekAgentApp(broken)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app._exit)
    assert app.return_value == 1
    assert "no such folder" in app.start_error
