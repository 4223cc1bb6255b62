"""What the composer looks like with a folded paste, while history is searched, and with a paste opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tests.snapshots.test_screens import NARROW, TINY, WIDE, Snap, opened, presses
from tests.support.app import Home, ask, composer, until

LOG = "\n".join(
    f"16:00:{number % 60:02} INFO 压缩历史 👍🏽 max_history_chars={number}" for number in range(1234)
)


@pytest.fixture
def seeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.chdir(tmp_path)

    async def none_found() -> list[Any]:
        return []

    monkeypatch.setattr("geekagent_tui.agent.models.local.find_local_servers", none_found)
    monkeypatch.setattr(
        "geekagent_tui.agent.workspace.Workspace.root", property(lambda self: Path("/home/dev/项目"))
    )
    return Home(Path())


async def pasted(pilot: Pilot[int]) -> None:
    composer(pilot).insert("看看这段日志：")
    composer(pilot).post_message(events.Paste(LOG))
    await pilot.pause()
    composer(pilot).insert(
        " 为什么压缩得这么勤？请先说结论，再说理由，最后给出 `config.json` 里该改的阈值，谢谢 🎉"
    )
    await pilot.pause()


async def history(pilot: Pilot[int]) -> None:
    for text in ("部署在什么时候？", "端口是多少，pgbouncer 呢", "为什么把历史压缩放在第五天，阈值是多少？"):
        await ask(pilot, text)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_folded_paste(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=opened(pasted))


@pytest.mark.parametrize("size", [WIDE, NARROW, TINY], ids=["wide", "narrow", "tiny"])
def test_history_search(seeded: Home, snap_compare: Snap, size: tuple[int, int]) -> None:
    before = opened(history, presses("ctrl+r", "是", "多", "少"))
    assert snap_compare(seeded.app(session="demo"), terminal_size=size, run_before=before)


def test_paste_opened(seeded: Home, snap_compare: Snap) -> None:
    async def laid_out(pilot: Pilot[int]) -> None:
        from geekagent_tui.ui.screens.paste import PasteView

        await until(pilot, lambda: len(pilot.app.screen.query_one(PasteView)._rows) == 1234)

    before = opened(pasted, presses("ctrl+o"), laid_out)
    assert snap_compare(seeded.app(session="demo"), terminal_size=NARROW, run_before=before)
