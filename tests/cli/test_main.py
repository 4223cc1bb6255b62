"""The command line as a whole: usage, exit codes, what it imports, and how quietly it leaves."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from geekagent_tui import __version__
from geekagent_tui.agent.sessions import SessionStore
from geekagent_tui.cli import exit_codes, recall
from geekagent_tui.cli.main import parser
from geekagent_tui.texts.cli import EN, ZH, CliTexts
from tests.cli.conftest import CommandLine, process
from tests.support.loopback import LoopbackServer, chunk, hang_reply

HEAVY = ("textual", "openai", "pydantic", "numpy", "sqlite3", "asyncio", "rich")


def imported_by(arguments: list[str], stdin: int = subprocess.DEVNULL) -> tuple[set[str], int, str, str]:
    """The heavy modules that a command has imported when it ends, its exit code and its output."""
    code = f"""
import sys
from geekagent_tui.__main__ import main
sys.argv[1:] = {arguments!r}
try:
    code = main()
except SystemExit as leaving:
    code = leaving.code
sys.stderr.write("\\n" + " ".join(name for name in {HEAVY!r} if name in sys.modules))
sys.exit(code)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdin=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    err, _, heavy = done.stderr.rpartition("\n")
    return set(heavy.split()), done.returncode, done.stdout, err


class TestUsage:
    def test_version_imports_nothing_heavy(self, geekagent: CommandLine) -> None:
        heavy, code, out, _ = imported_by(["--version"])
        assert (heavy, code, out) == (set(), 0, f"geekagent {__version__}\n")
        assert not geekagent.geekagent.exists()

    def test_without_a_terminal_it_says_so_before_it_imports_anything(self, geekagent: CommandLine) -> None:
        heavy, code, out, err = imported_by([])
        assert (heavy, code, out, err) == (set(), 2, "", ZH.not_a_terminal + "\n")
        assert not geekagent.geekagent.exists()

    @pytest.mark.parametrize("texts", [ZH, EN], ids=["zh", "en"])
    def test_help_names_every_exit_code_and_command(self, texts: CliTexts) -> None:
        shown = parser(texts).format_help()
        codes = [value for name, value in vars(exit_codes).items() if name.isupper()]
        assert len(codes) == 6
        for code in codes:
            assert re.search(rf"\b{code} ", shown)
        for command in ("ask", "recall", "search", "memory", "doctor", "--continue", "--version"):
            assert command in shown

    @pytest.mark.parametrize(
        "arguments",
        [
            ["recall"],
            ["recall", "x", "--top-k", "many"],
            ["recall", "x", "--top-k", "0"],
            ["search", "x", "--top-k", "51"],
            ["recall", "x", "--profile", "best"],
            ["memory"],
            ["memory", "forget"],
            ["fly"],
            ["ask", "  "],
            ["ask", "hi", "--session", "no such/name"],
            ["--colour"],
        ],
        ids=" ".join,
    )
    def test_wrong_usage_is_one_line(self, geekagent: CommandLine, arguments: list[str]) -> None:
        result = geekagent(*arguments)
        assert (result.code, result.out) == (2, "")
        assert len(result.err.splitlines()) == 1


class TestLeaving:
    def test_whoever_reads_may_leave_early(self, geekagent: CommandLine) -> None:
        geekagent.remember("部署" * 100)
        with process(["recall", "-"]) as running:
            assert running.stdin is not None
            assert running.stdout is not None
            assert running.stderr is not None
            running.stdin.write("部署\n".encode())
            running.stdin.flush()
            assert running.stdout.readline()
            running.stdout.close()
            running.stdin.write("部署\n".encode() * 500)
            running.stdin.close()
            assert running.wait(20) == 0
            assert running.stderr.read() == b""

    def test_ctrl_c_is_quiet(self, geekagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(*arguments: object) -> int:
            raise KeyboardInterrupt

        monkeypatch.setattr(recall, "run", interrupt)
        result = geekagent("recall", "x")
        assert (result.code, result.out, result.err) == (130, "", "")

    def test_ctrl_c_ends_a_turn_in_order(self, geekagent: CommandLine) -> None:
        with LoopbackServer.in_thread(hang_reply(chunk({"content": "答到一半"}))) as server:
            geekagent.serve(server.base_url)
            with process(["ask", "问", "--session", "s"]) as running:
                assert running.stdout is not None
                assert running.stderr is not None
                assert running.stdout.read(4) == "答到一半".encode()[:4]
                running.send_signal(signal.SIGINT)
                assert running.wait(20) == 130
                assert running.stderr.read() == b""
        store = SessionStore(geekagent.geekagent / "geekagent.db", lambda: 0.0)
        (record,) = store.turns("s")
        store.close()
        assert (record.status, record.answer) == ("cancelled", "答到一半")

    def test_an_error_of_the_system_is_one_line(
        self, geekagent: CommandLine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*arguments: object) -> int:
            raise FileNotFoundError(2, "No such file or directory")

        monkeypatch.setattr(recall, "run", fail)
        result = geekagent("recall", "x")
        assert result.code == 1
        assert len(result.err.splitlines()) == 1

    def test_streams_that_are_closed_do_no_harm(self, geekagent: CommandLine) -> None:
        command = f'"{sys.executable}" -m geekagent_tui'
        environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        for arguments, code in (
            ("memory stats >&-", 1),
            ("doctor --json >&-", 1),
            ("--version >/dev/full", 1),
            ("memory stats >/dev/full", 1),
            ("<&- >&-", 2),
        ):
            done = subprocess.run(
                ["sh", "-c", f"{command} {arguments}"],
                env=environ,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == code
            assert len(done.stderr.splitlines()) == 1


class TestInterface:
    def test_wrong_settings_stop_the_start_and_say_why(self, geekagent: CommandLine) -> None:
        config = geekagent.configure('{"tools": {"run_shell": "yes"}}')
        master, slave = pty.openpty()
        with process([], stdin=slave, stdout=slave, env={"TERM": "xterm-256color"}) as running:
            os.close(slave)
            # The terminal must be read, or the app waits for it.
            reader = threading.Thread(target=_drain, args=(master,))
            reader.start()
            assert running.wait(30) == 3
            reader.join(10)
            assert running.stderr is not None
            said = running.stderr.read().decode()
        os.close(master)
        assert str(config) in said
        assert "tools.run_shell" in said
        assert config.read_text(encoding="utf-8") == '{"tools": {"run_shell": "yes"}}'


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 65_536):
            pass
    except OSError:
        return


@pytest.mark.parametrize("arguments", [(), ("ask", "hi"), ("memory", "list"), ("doctor",), ("recall", "x")])
def test_a_working_folder_that_is_gone_is_said_in_one_line(
    geekagent: CommandLine, arguments: tuple[str, ...]
) -> None:
    geekagent.folder.rmdir()
    result = geekagent(*arguments)
    assert (result.code, result.out) == (3, "")
    assert "工作文件夹已经不在了" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ask",), "缺少 TEXT"),
        (("ask", "a", "--nosuch"), "不认识 --nosuch"),
        (("--session",), "--session 后面要有一个值"),
        (("nosuch",), "没有 'nosuch'；可用的：'ask'"),
        (("recall", "x", "--top-k", "many"), "--top-k 要整数，'many' 不是"),
        (("ask", "x", "--json=1"), "--json 后面不能有值"),
        (("--s", "x", "--version"), ""),
    ],
)
def test_wrong_usage_is_said_in_the_users_language(
    geekagent: CommandLine, arguments: tuple[str, ...], said: str
) -> None:
    result = geekagent(*arguments)
    assert said in result.err
    assert not any(word in result.err for word in ("argument", "invalid", "required", "expected"))


@pytest.mark.parametrize("arguments", [(), ("ask",), ("memory",), ("memory", "add"), ("doctor",)])
def test_help_has_no_english_headings(geekagent: CommandLine, arguments: tuple[str, ...]) -> None:
    result = geekagent(*arguments, "--help")
    assert result.code == 0
    assert result.out.startswith("用法：geekagent")
    assert "显示这份帮助" in result.out
    assert not any(word in result.out for word in ("positional", "options", "show this", "usage"))
