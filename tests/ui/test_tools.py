"""The tools through the interface: a session of thirty steps, and the questions on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from geekagent_tui.agent.events import ToolProgress
from geekagent_tui.ui.screens.confirm import ConfirmScreen
from geekagent_tui.ui.screens.diff import DiffScreen
from geekagent_tui.ui.screens.permit import PermitScreen
from tests.support.app import Home, ask, chat_of, idle, ready, say, screen_text, settings_json, sidebar, until
from tests.support.loopback import LoopbackServer, text_reply, tool_reply

SIZE = (120, 36)
BUGGY = "def add(a, b):\n    return a - b\n"
TEST = "from calc import add\n\nassert add(2, 2) == 4\nprint('passed')\n"
RUN = {"command": "python3 -B test_calc.py 2>&1 | tail -1"}


def fix(old: str, new: str) -> dict[str, Any]:
    return {"path": "src/calc.py", "hunks": [{"old": old, "new": new}]}


def todo(*states: str) -> dict[str, Any]:
    steps = ("读代码", "修好 add", "跑测试")
    return {"todos": [{"content": step, "status": state} for step, state in zip(steps, states, strict=True)]}


STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("todo_write", todo("in_progress", "pending", "pending")),
    ("ls", {}),
    ("ls", {"path": "src"}),
    ("glob", {"pattern": "**/*.py"}),
    ("read", {"path": "src/calc.py"}),
    ("read", {"path": "../outside.txt"}),
    ("search", {"pattern": "def add"}),
    ("run_shell", {"command": "cd src && " + RUN["command"]}),
    ("todo_write", todo("completed", "in_progress", "pending")),
    ("patch", fix("not there", "x")),
    ("patch", fix("a - b", "a + b")),
    ("read", {"path": "src/calc.py"}),
    ("run_shell", {"command": "cd src && " + RUN["command"]}),
    ("todo_write", todo("completed", "completed", "in_progress")),
)
MORE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("write", {"path": "docs/说明.md", "content": "# 说明\n\nadd 把两个数相加。\n"}),
    ("read", {"path": "docs/说明.md"}),
    ("patch", {"path": "docs/说明.md", "hunks": [{"old": "两个数", "new": "两个整数"}]}),
    ("glob", {"pattern": "docs/*"}),
    ("run_shell", {"command": "cat docs/说明.md; exit 4"}),
    ("write", {"path": ".geekagent/GeekAgent.json", "content": "{}"}),
    ("write", {"path": "src/calc.py", "content": "broken(\n"}),
    ("run_shell", {"command": "cd src && " + RUN["command"]}),
    ("todo_write", todo("completed", "completed", "completed")),
    ("search", {"pattern": "broken"}),
    ("get_current_time", {}),
    ("memory_search", {"query": "add"}),
    ("nonsense", {}),
    ("read", {"path": "src/calc.py", "offset": 9}),
    ("ls", {"path": "docs"}),
    ("run_shell", {"command": "echo $MY_SECRET"}),
)


def project(home: Home, **policies: str) -> None:
    home.geekagent.mkdir()
    names = "run_shell ls read glob search write patch fetch todo_write memory_search get_current_time"
    allowed = dict.fromkeys(names.split(), "allow") | policies
    (home.geekagent / "GeekAgent.json").write_text(settings_json(allowed))
    (home.folder / "src").mkdir()
    (home.folder / "src" / "calc.py").write_text(BUGGY)
    (home.folder / "src" / "test_calc.py").write_text(TEST)


def script(loopback: LoopbackServer, steps: tuple[tuple[str, dict[str, Any]], ...], first: int) -> None:
    for number, (name, arguments) in enumerate(steps, first):
        loopback.add(tool_reply(name, arguments, call=f"call_{number}"))
    loopback.add(text_reply("做完了。"))


def results(loopback: LoopbackServer) -> dict[str, str]:
    """What the model was told, by call."""
    messages = loopback.requests[-1].messages
    return {each["tool_call_id"]: each["content"] for each in messages if each["role"] == "tool"}


async def undo(pilot: Pilot[int], part: str, key: str = "enter") -> None:
    await say(pilot, "/undo")
    await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
    await until(pilot, lambda: part in screen_text(pilot.app))
    await pilot.press(key)
    await until(pilot, lambda: not isinstance(pilot.app.screen, ConfirmScreen))


def todos(pilot: Pilot[int]) -> str:
    return str(sidebar(pilot).render())


async def test_a_session_of_thirty_steps_leaves_the_files_as_they_should_be(
    home: Home, loopback: LoopbackServer
) -> None:
    project(home)
    (home.folder.parent / "outside.txt").write_text("never shown")
    home.environ |= {"MY_SECRET": "hunter2-hunter2", "PATH": "/usr/local/bin:/usr/bin:/bin"}
    home.serve(loopback.base_url)
    assert len(STEPS) + len(MORE) == 30
    calc, notes = home.folder / "src" / "calc.py", home.folder / "docs" / "说明.md"
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        script(loopback, STEPS, 0)
        await ask(pilot, "修好 add")
        told = results(loopback)
        assert "之外" in told["call_5"]
        assert "never shown" not in str(told)
        assert "AssertionError" in told["call_7"]
        assert "没有找到" in told["call_9"]
        assert told["call_12"].startswith("passed\n[退出码 0")
        assert "▶ 跑测试" in todos(pilot)
        assert calc.read_text() == BUGGY.replace("-", "+")

        script(loopback, MORE, len(STEPS))
        await ask(pilot, "写说明")
        told = results(loopback)
        assert "[退出码 4" in told["call_18"]
        assert "自己的文件" in told["call_19"]
        assert "SyntaxError" in told["call_21"]
        assert told["call_29"].startswith("[REDACTED:MY_SECRET]")
        assert "hunter2" not in str([request.json for request in loopback.requests])
        assert "☑ 跑测试" in todos(pilot)

    # A restart in between: the stack and the plan are still there.
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "☑ 跑测试" in todos(pilot))
        await say(pilot, "/todos")
        await until(pilot, lambda: "☑ 修好 add" in screen_text(pilot.app))
        await say(pilot, "/diff")
        await until(pilot, lambda: isinstance(pilot.app.screen, DiffScreen))
        assert "+broken(" in screen_text(pilot.app)
        assert "+add 把两个整数相加。" in screen_text(pilot.app)
        await pilot.press("escape")
        await undo(pilot, "-broken(")
        await until(pilot, lambda: calc.read_text() == BUGGY.replace("-", "+"))
        await undo(pilot, "-add 把两个整数相加。")
        await until(pilot, lambda: "两个数" in notes.read_text(encoding="utf-8"))
        # Someone changes it meanwhile: then Enter alone is no.
        notes.write_text("用户自己的\n", encoding="utf-8")
        await undo(pilot, "又被改过")
        assert notes.read_text(encoding="utf-8") == "用户自己的\n"
        await undo(pilot, "用户自己的", "y")
        await until(pilot, lambda: not notes.exists())
        await undo(pilot, "a - b")
        await until(pilot, lambda: calc.read_text() == BUGGY)
        await say(pilot, "/undo")
        await until(pilot, lambda: "没有可以撤销的文件改动" in screen_text(pilot.app))
    stored = b"".join(path.read_bytes() for path in home.geekagent.glob("geekagent.db*"))
    assert b"hunter2" not in stored


async def test_what_the_dialog_shows_and_what_each_answer_does(home: Home, loopback: LoopbackServer) -> None:
    project(home, write="ask", run_shell="ask", fetch="ask")
    home.serve(loopback.base_url)

    async def asked(part: str) -> None:
        await until(
            pilot, lambda: isinstance(pilot.app.screen, PermitScreen) and part in screen_text(pilot.app)
        )

    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        new = {"path": "src/calc.py", "content": BUGGY.replace("-", "+") + "# [/bold] \x1b[31m\n"}
        loopback.add(tool_reply("write", new), text_reply("好"))
        await say(pilot, "改")
        await asked("-    return a - b")
        text = screen_text(pilot.app)
        assert "+    return a + b" in text
        assert "+# [/bold] ␛[31m" in text
        await pilot.press("n")
        await pilot.press(*"no", "enter")
        await idle(pilot)
        assert results(loopback)["call_1"].endswith("并说：no")
        assert (home.folder / "src" / "calc.py").read_text() == BUGGY

        loopback.add(
            tool_reply("write", new), tool_reply("write", new | {"content": "x\n"}), text_reply("好")
        )
        await say(pilot, "再改")
        await asked("+    return a + b")
        await pilot.press("a")
        await idle(pilot)
        assert (home.folder / "src" / "calc.py").read_text() == "x\n"
        config = home.geekagent / "GeekAgent.json"
        assert json.loads(config.read_text())["tools"]["write"] == "ask"

        loopback.add(tool_reply("run_shell", {"command": "echo [/b] > made"}), text_reply("好"))
        await say(pilot, "跑")
        await asked("$ echo [/b] > made")
        await pilot.press("A")
        await idle(pilot)
        assert (home.folder / "made").read_text() == "[/b]\n"
        assert json.loads(config.read_text())["tools"]["run_shell"] == "allow"

        loopback.add(tool_reply("fetch", {"url": "http://127.0.0.1:9/admin"}), text_reply("好"))
        await say(pilot, "取")
        await asked("本机或内网")
        await pilot.press("a")
        assert isinstance(pilot.app.screen, PermitScreen)
        await pilot.press("escape")
        await idle(pilot)
        assert "没有允许" in results(loopback)["call_1"]


def running(folder: Path) -> bool:
    pid = (folder / "pid").read_text().strip()
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_a_running_command_is_watched_and_esc_ends_it(home: Home, loopback: LoopbackServer) -> None:
    project(home)
    home.environ |= {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    home.serve(loopback.base_url)
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        command = "echo $$ > pid; echo 第一行; trap '' TERM; echo ready; while :; do sleep 0.1; done"
        loopback.add(tool_reply("run_shell", {"command": command, "timeout": 300}))
        await say(pilot, "跑")
        await until(
            pilot, lambda: "│ 第一行" in screen_text(pilot.app) and "│ ready" in screen_text(pilot.app)
        )
        turn = chat_of(pilot).driver.conversation.latest  # type: ignore[union-attr]
        assert turn is not None
        chat_of(pilot).turn_event(ToolProgress(turn.id, "call_1", "", 7_000.0))
        await until(pilot, lambda: "… 7 秒" in screen_text(pilot.app))
        await pilot.press("escape")
        await idle(pilot)
        assert not running(home.folder)
        assert "被用户中断" in screen_text(pilot.app)
