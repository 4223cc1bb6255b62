"""What the screens look like, in the order of a first session. Look at each picture before accepting it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from geekagent_tui.agent.models.base import Finish, ToolCall
from tests.support.app import Home, ask, composer, ready, say, screen_text, until
from tests.support.loopback import (
    DONE,
    Gate,
    LoopbackServer,
    Reply,
    chunk,
    text_reply,
    tool_reply,
)
from tests.support.turns import ScriptedModel

WIDE, NARROW, TINY, BROAD = (120, 36), (80, 24), (40, 12), (200, 50)

MEMORIES = (
    "上月的技术选型：历史压缩决定放第五天做，因为上下文长度第一次成为瓶颈；触发阈值 MAX_HISTORY_CHARS "
    "默认 4000 字符，压缩保留最近 6 条。",
    "部署在周五下午三点，回滚用上一个镜像；值班的人先看 grafana 的面板。",
    "Database port is 5432 on staging and 6432 (pgbouncer) in production.",
)

RICH = """## 结论 🎉

历史压缩放在**第五天**，因为上下文长度第一次成为瓶颈，阈值 `MAX_HISTORY_CHARS` 默认 4000。

- [x] 压缩保留最近 6 条
- [ ] 阈值改成可配置
  1. 环境变量
  2. `GeekAgent.json`

| 参数 | 默认 | 说明 |
|---|---:|---|
| MAX_HISTORY_CHARS | 4000 | 触发压缩的字符数 |
| KEEP_RECENT | 6 | 保留的条数 👍🏽 |

```python
def should_compact(history: list[str]) -> bool:
    # 字符数，不是词元数
    return sum(map(len, history)) > MAX_HISTORY_CHARS
```

> 引用：é 是组合字符，👨‍👩‍👧 是一个字，[/] 和 [a=1] 不是标记。
"""


@pytest.fixture
def seeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A project with three memories, on a machine without a model server, whose paths are the same everywhere."""
    monkeypatch.chdir(tmp_path)
    home = Home(Path())

    async def none_found() -> list[Any]:
        return []

    monkeypatch.setattr("geekagent_tui.agent.models.local.find_local_servers", none_found)
    monkeypatch.setattr(
        "geekagent_tui.agent.workspace.Workspace.root", property(lambda self: Path("/home/dev/项目"))
    )
    home.remember(*MEMORIES)
    return home


Snap = Callable[..., bool]
Before = Callable[[Pilot[int]], Awaitable[None]]


def opened(*steps: Before) -> Before:
    async def run(pilot: Pilot[int]) -> None:
        await ready(pilot)
        composer(pilot).cursor_blink = False
        for step in steps:
            await step(pilot)
        await pilot.pause()

    return run


def asks(text: str) -> Before:
    async def step(pilot: Pilot[int]) -> None:
        await ask(pilot, text)

    return step


def presses(*keys: str) -> Before:
    async def step(pilot: Pilot[int]) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    return step


@pytest.mark.parametrize("size", [WIDE, NARROW, TINY, BROAD], ids=["wide", "narrow", "tiny", "broad"])
def test_start(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=opened())


@pytest.mark.parametrize("size", [WIDE, NARROW, TINY, BROAD], ids=["wide", "narrow", "tiny", "broad"])
def test_turn_with_recall(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    before = opened(asks("为什么把历史压缩放在第五天，阈值是多少？"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=before)


def test_turn_without_a_hit(seeded: Home, snap_compare: Snap) -> None:
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened(asks("hello")))


def test_why_a_passage_came(seeded: Home, snap_compare: Snap) -> None:
    before = opened(asks("历史压缩的阈值"), presses("f3", "enter"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


def test_memory_is_written(seeded: Home, snap_compare: Snap) -> None:
    before = opened(asks("记住：周会改到周三上午十点"), asks("/memory"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


@pytest.mark.parametrize("pane", ["f3", "f4"], ids=["recall", "sidebar"])
@pytest.mark.parametrize("size", [NARROW, TINY], ids=["narrow", "tiny"])
def test_a_pane_called_up(seeded: Home, snap_compare: Snap, size: tuple[int, int], pane: str) -> None:
    before = opened(asks("部署在什么时候？"), presses(pane))
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_help(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=opened(presses("f1")))


def test_completion(seeded: Home, snap_compare: Snap) -> None:
    before = opened(presses("slash"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


def test_light(seeded: Home, snap_compare: Snap) -> None:
    before = opened(asks("为什么把历史压缩放在第五天？"), asks("/theme"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


@pytest.mark.parametrize("size", [WIDE, NARROW, TINY], ids=["wide", "narrow", "tiny"])
def test_chinese_emoji_and_code(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    with LoopbackServer.in_thread() as server:
        seeded.serve(server.base_url)
        server.add(text_reply(RICH, pieces=40, usage=(812, 240)))
        before = opened(asks("历史压缩的结论？"))
        assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=before)


def test_streaming(seeded: Home, snap_compare: Snap) -> None:
    gate = Gate()
    with LoopbackServer.in_thread() as server:
        seeded.serve(server.base_url)
        server.add(
            Reply(
                (
                    chunk({"content": "阈值是 **4000** 字符，写成\n\n```python\nMAX = "}),
                    gate,
                    chunk({}, "stop"),
                    DONE,
                )
            )
        )

        async def stream(pilot: Pilot[int]) -> None:
            await say(pilot, "阈值是多少？")
            await until(pilot, lambda: "MAX =" in screen_text(pilot.app))
            await say(pilot, "再问一句")

        assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened(stream))
        gate.open()


def test_interrupted(seeded: Home, snap_compare: Snap) -> None:
    gate = Gate()
    with LoopbackServer.in_thread() as server:
        seeded.serve(server.base_url)
        server.add(Reply((chunk({"content": "说到一半的"}), gate, chunk({}, "stop"), DONE)))

        async def stop(pilot: Pilot[int]) -> None:
            await say(pilot, "阈值是多少？")
            await until(pilot, lambda: "说到一半的" in screen_text(pilot.app))
            await pilot.press("escape")
            await until(pilot, lambda: "已中断" in screen_text(pilot.app))

        assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened(stop))
        gate.open()


def test_tool_call(seeded: Home, snap_compare: Snap) -> None:
    with LoopbackServer.in_thread() as server:
        seeded.serve(server.base_url)
        server.add(
            tool_reply("memory_search", {"query": "部署 端口"}, text="我再查一下。"),
            text_reply("部署在周五下午三点，预发端口 5432。"),
        )
        before = opened(asks("部署和端口的事帮我总结一下"))
        assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


def test_error(seeded: Home, snap_compare: Snap) -> None:
    # Port 9 is nobody's here, and the picture does not change with the port of a server.
    seeded.serve("http://127.0.0.1:9/v1")
    before = opened(asks("部署在什么时候？"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=before)


def test_broken_memory(seeded: Home, snap_compare: Snap) -> None:
    seeded.memory.write_text('["一",\n  oops]\n', encoding="utf-8")
    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened())


def test_permission(seeded: Home, snap_compare: Snap) -> None:
    (seeded.geekagent / "GeekAgent.json").write_text('{"tools": {"memory_write": "ask"}}')

    async def asked(pilot: Pilot[int]) -> None:
        await say(pilot, "记住：[/] 周会改到周三")
        await until(pilot, lambda: "允许调用" in screen_text(pilot.app))

    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened(asked))


def test_sessions(seeded: Home, snap_compare: Snap) -> None:
    async def listed(pilot: Pilot[int]) -> None:
        await ask(pilot, "部署在什么时候？")
        seeded.now += 60
        await say(pilot, "/new 2026-plan")
        await until(pilot, lambda: "2026-plan" in screen_text(pilot.app))
        await ask(pilot, "端口是多少")
        await say(pilot, "/open")
        await until(pilot, lambda: "Enter 打开" in screen_text(pilot.app))

    assert snap_compare(seeded.app(session="demo"), terminal_size=WIDE, run_before=opened(listed))


DIFF_ASKED = {
    "path": "greet.py",
    "hunks": [{"old": "print('hi')", "new": "name = input('名字：')\nprint(f'你好，{name} 🎉')"}],
}
PLAN = [
    {"content": "读 greet.py", "status": "completed"},
    {"content": "问名字", "status": "in_progress"},
    {"content": "跑一遍", "status": "pending"},
]


@pytest.mark.parametrize("size", [WIDE, NARROW, TINY], ids=["wide", "narrow", "tiny"])
def test_permission_for_a_change(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    (seeded.folder / "greet.py").write_text("import sys\n\nprint('hi')\n")
    seeded.serve("http://127.0.0.1:9/v1")
    calls = (
        ToolCall("1", "todo_write", json.dumps({"todos": PLAN})),
        ToolCall("2", "patch", json.dumps(DIFF_ASKED)),
    )
    seeded.model = ScriptedModel([Finish("tool_calls", calls)])

    async def asked(pilot: Pilot[int]) -> None:
        await say(pilot, "问名字")
        await until(pilot, lambda: "允许调用" in screen_text(pilot.app))

    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=opened(asked))
