"""The first frame comes before anything heavy, and keys pressed meanwhile are kept."""

from __future__ import annotations

import subprocess
import sys

import pytest

from geekagent_tui.agent.workspace import Workspace
from tests.support.app import Home, chat_of, composer, idle, ready, transcript

HEAVY = ("openai", "httpx2", "pydantic", "numpy", "sqlite3", "markdown_it", "pygments", "filelock", "dotenv")


def test_the_first_frame_needs_nothing_heavy() -> None:
    code = f"import sys, geekagent_tui.ui.run; print([name for name in {HEAVY!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("size", [(120, 36), (40, 12)])
async def test_keys_pressed_before_the_project_is_open_are_kept(home: Home, size: tuple[int, int]) -> None:
    async with home.app().run_test(size=size) as pilot:
        chat = chat_of(pilot)
        chat._complete = False
        await pilot.press("slash", "f3", "f4", "escape", "h", "i", "enter")
        chat._complete = True
        await ready(pilot)
        await idle(pilot)
        assert composer(pilot).text == ""
        assert transcript(pilot).turns


async def test_a_key_that_comes_with_the_session_is_kept(home: Home) -> None:
    async with home.app().run_test(size=(120, 36)) as pilot:
        driver = chat_of(pilot).driver
        load = driver._load_choices

        async def typing_meanwhile(workspace: Workspace, name: str) -> None:
            await load(workspace, name)
            # In the composer, but the screen has not heard of it yet.
            composer(pilot).insert("h")

        driver._load_choices = typing_meanwhile  # type: ignore[method-assign]
        await ready(pilot)
        await pilot.pause()
        assert composer(pilot).text == "h"


async def test_nothing_runs_when_nothing_happens(home: Home) -> None:
    async with home.app().run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await idle(pilot)
        busy = [worker.name for worker in pilot.app.workers if worker.is_running]
        assert busy in ([], ["_look_for_servers"])
