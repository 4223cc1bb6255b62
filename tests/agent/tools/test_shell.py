"""run_shell on real processes: what they put out, and that none is left behind."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

import pytest

from geekagent_tui.agent.tools.base import Origin, Running, ToolResult
from geekagent_tui.agent.tools.shell import Kept, RunShell, ShellArguments
from geekagent_tui.texts.tools import ZH


def shell(folder: Path, **options: float) -> RunShell:
    return RunShell(folder, os.environ, lambda: 0.0, ZH, **options)


async def run(folder: Path, command: str, timeout: int = 10) -> ToolResult:  # noqa: ASYNC109 - an argument of the tool
    return await shell(folder).run(ShellArguments(command=command, timeout=timeout))


def alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and waits to be collected does not."""
    with suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in ("Z", "X")
    return False


async def test_output_and_exit_code(tmp_path: Path) -> None:
    result = await run(tmp_path, "echo 输出; echo fault >&2; pwd; exit 3")
    assert result == ToolResult(f"输出\nfault\n{tmp_path}\n[退出码 3 · 0.0 秒]", ok=False)
    assert (await run(tmp_path, "true")) == ToolResult("（没有输出）\n[退出码 0 · 0.0 秒]")
    assert "SIGSEGV" in (await run(tmp_path, "kill -SEGV $$")).text
    assert not (await run(tmp_path, "echo \0")).ok


async def test_a_command_that_asks_gets_no_answer(tmp_path: Path) -> None:
    assert (await run(tmp_path, "read x || echo nobody")).text.startswith("nobody")
    assert (await run(tmp_path, "cat; cat </dev/tty || echo no tty")).text.count("no tty") == 1


async def test_a_huge_output_is_cut_with_its_length_and_never_all_in_memory(tmp_path: Path) -> None:
    text = (
        await run(tmp_path, "echo first; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last", 60)
    ).text
    assert len(text) < 21_000
    assert text.startswith("first\n")
    assert "last\n[退出码 0" in text
    assert "共 30,000,012 个字符" in text


async def test_bytes_that_are_no_text_and_characters_in_two_pieces(tmp_path: Path) -> None:
    command = "printf '\\xe4\\xbd'; sleep 0.05; printf '\\xa0\\xff'"
    assert (await run(tmp_path, command)).text.startswith("你\ufffd")


async def test_time_out_ends_the_children_too(tmp_path: Path) -> None:
    command = "sleep 300 & echo $! > child; echo $$ > self; echo begun; wait"
    result = await run(tmp_path, command, timeout=1)
    assert result.text == "begun\n[超过 1 秒，已结束命令和它的子进程]"
    assert not result.ok
    assert not any(alive(int((tmp_path / name).read_text())) for name in ("child", "self"))


async def begun(tmp_path: Path, command: str, grace: float) -> tuple[asyncio.Task[ToolResult], list[str]]:
    """A command that runs and has said something."""
    seen: list[str] = []
    said = asyncio.Event()

    def report(text: str) -> None:
        seen.append(text)
        if text:
            said.set()

    async def ask(preview: object) -> ToolResult | None:
        raise AssertionError(preview)

    running = Running(Origin(), report, lambda spent: None, ask)
    task = asyncio.create_task(
        shell(tmp_path, grace=grace).run_live(ShellArguments(command=command, timeout=300), running)
    )
    await said.wait()
    return task, seen


@pytest.mark.parametrize(
    "command",
    [
        "echo $$ > pids; echo go; sleep 300",
        "trap '' TERM; echo $$ > pids; (trap '' TERM; echo $BASHPID >> pids; echo go; while :; do sleep 1; done)",
        "(trap '' TERM HUP INT; echo $BASHPID > pids; sleep 300) & sleep 0.1; echo go; wait",
    ],
    ids=["plain", "ignores SIGTERM", "ignores SIGTERM in the background"],
)
async def test_a_cancel_ends_the_group_even_one_that_ignores_sigterm(tmp_path: Path, command: str) -> None:
    task, seen = await begun(tmp_path, command, grace=0.2)
    assert "".join(seen) == "go\n"
    task.cancel()
    result = await task
    assert result == ToolResult("go\n[被用户中断，已结束命令和它的子进程]", ok=False)
    assert not any(alive(int(pid)) for pid in (tmp_path / "pids").read_text().split())


async def test_a_second_cancel_does_not_leave_processes(tmp_path: Path) -> None:
    task, _ = await begun(
        tmp_path, "trap '' TERM; echo $$ > pids; echo go; while :; do sleep 1; done", grace=0.3
    )
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    await task
    assert not alive(int((tmp_path / "pids").read_text()))


async def test_what_a_command_leaves_in_the_background_is_left_alone(tmp_path: Path) -> None:
    result = await run(tmp_path, "sleep 300 >/dev/null 2>&1 & echo $!")
    pid = int(result.text.splitlines()[0])
    try:
        assert alive(pid)
    finally:
        os.kill(pid, 9)


def test_kept_is_head_and_tail_whatever_the_pieces() -> None:
    text = "".join(chr(0x4E00 + n) for n in range(100))
    for size in (1, 3, 7, 50, 100):
        kept = Kept(20)
        for at in range(0, 100, size):
            kept.add(text[at : at + size])
        assert kept.text("<{length}/{left}>") == f"{text[:10]}<100/80>{text[-10:]}"
    short = Kept(20)
    short.add(text[:20])
    assert short.text("<{length}>") == text[:20]
