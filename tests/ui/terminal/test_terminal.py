"""The whole program in a pseudo-terminal: what the driver asks of it, reads from it, and where it leaves the cursor."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal
from geekagent_tui.agent.sessions import SessionStore

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

_ROOT = Path(__file__).parents[3]
_MOVE = re.compile(rb"\x1b\[(\d+);(\d+)H")


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    environ = {**os.environ, "PYTHONPATH": str(_ROOT), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "geekagent_tui"]
    with Terminal(command, cwd=str(tmp_path), environ=environ, size=(80, 24)) as program:
        program.wait_for("输入 / 看命令")
        yield program


def cursor_comes_to(terminal: Terminal, column: int, row: int) -> bool:
    """Whether a frame leaves the cursor at this cell, counted from 0, within a few seconds."""
    for _ in range(200):
        moves = _MOVE.findall(terminal.output)
        if moves and (int(moves[-1][1]) - 1, int(moves[-1][0]) - 1) == (column, row):
            return True
        terminal.drain(0.02)
    return False


def kept_draft(folder: Path) -> str:
    """What was left unsent, as the session database has it."""
    store = SessionStore(folder / ".geekagent" / "geekagent.db", lambda: 0.0)
    draft = "".join(store.draft(info.name) for info in store.sessions())
    store.close()
    return draft


def test_composed_text_pastes_and_the_cursor(terminal: Terminal, tmp_path: Path) -> None:
    # Where the cursor comes to says what arrived: what is painted of it may come in pieces.
    assert b"\x1b[>1u" in terminal.output
    assert b"\x1b[>25u" not in terminal.output
    terminal.type("\x1b[0;;26377:24456:22823:24046:21035u")
    assert cursor_comes_to(terminal, 12, 22)
    assert terminal.output.rfind(b"\x1b[?25h") > terminal.output.rfind(b"\x1b[?25l")
    terminal.type("一行\r二行\r三行")
    # Three rows in the composer, and nothing was sent.
    assert cursor_comes_to(terminal, 6, 22)
    terminal.type("\x1b[200~ 粘贴\x1b[201~")
    assert cursor_comes_to(terminal, 11, 22)
    terminal.type("\x11")
    terminal.wait_for("\x1b[?1049l")
    assert kept_draft(tmp_path) == "有很大差别一行\n二行\n三行 粘贴"


def test_the_editor_gets_the_screen_and_gives_the_text_back(tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "print('EDITING', file.read_text(encoding='utf-8'))\n"
        "sys.stdin.readline()\n"
        "file.write_text('edited: 第二稿\\n', encoding='utf-8')\n"
    )
    environ = {
        **os.environ,
        "PYTHONPATH": str(_ROOT),
        "HOME": str(tmp_path),
        "EDITOR": f"{sys.executable} {script}",
    }
    with Terminal(
        [sys.executable, "-m", "geekagent_tui"], cwd=str(tmp_path), environ=environ, size=(80, 24)
    ) as program:
        program.wait_for("输入 / 看命令")
        program.type("初稿")
        assert cursor_comes_to(program, 6, 22)
        program.type("\x1b[19~")
        program.wait_for("EDITING 初稿")
        # Ctrl+C here is the editor's own affair; this one ignores nothing, so it is left alone. Enter ends it.
        program.type("\n")
        assert cursor_comes_to(program, 16, 22)
        program.type("!")
        program.wait_for("!")
