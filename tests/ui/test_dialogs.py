"""Dialogs answer to arrows and Enter as well as to letters: with an input method on, letters become pinyin."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from geekagent_tui.ui.screens.choice import ChoiceScreen
from geekagent_tui.ui.screens.confirm import ConfirmScreen
from geekagent_tui.ui.screens.help import HelpScreen
from geekagent_tui.ui.screens.permit import PermitScreen
from tests.support.app import Home, ask, chat_of, idle, ready, say, settings_json, until

SIZE = (80, 24)


async def asked(
    pilot: Pilot[int], text: str = "记住：周会改到周三", screen: type[Screen[Any]] = ConfirmScreen
) -> None:
    await say(pilot, text)
    await until(pilot, lambda: isinstance(pilot.app.screen, screen))
    await pilot.pause()


@pytest.mark.parametrize(
    ("keys", "allowed"),
    [
        (("home", "enter"), True),
        (("left", "left", "enter"), True),
        (("shift+tab", "enter"), True),
        (("y",), True),
        (("a",), True),
        (("A",), True),
        (("enter",), False),
        (("up", "down", "enter"), False),
        (("left", "right", "enter"), False),
        (("left", "tab", "enter"), False),
        (("n", "enter"), False),
        (("n", "y", "enter"), False),
        (("escape",), False),
    ],
)
async def test_a_permission_is_given_or_not(home: Home, keys: tuple[str, ...], allowed: bool) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "GeekAgent.json").write_text(settings_json({"memory_write": "ask"}))
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await asked(pilot, screen=PermitScreen)
        await pilot.press(*keys)
        await idle(pilot)
        assert bool(home.entries()) is allowed


@pytest.mark.parametrize(("keys", "turns"), [(("up", "enter"), 0), (("enter",), 1), (("escape",), 1)])
async def test_a_reset_is_confirmed_with_arrows(home: Home, keys: tuple[str, ...], turns: int) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一轮")
        await asked(pilot, "/reset")
        await pilot.press(*keys)
        conversation = chat_of(pilot).driver
        await until(pilot, lambda: len(conversation.conversation.records) == turns)  # type: ignore[union-attr]
        assert not isinstance(pilot.app.screen, ConfirmScreen)


async def test_a_session_is_chosen_with_arrows(home: Home) -> None:
    async with home.app(session="one").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一")
        home.now += 60
        await say(pilot, "/new two")
        await until(pilot, lambda: chat_of(pilot).session == "two")
        await ask(pilot, "二")
        await say(pilot, "/open")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: chat_of(pilot).session == "one")


async def test_help_scrolls_with_arrows_and_closes_with_escape(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
        await pilot.press("down", "up", "pagedown", "escape")
        assert not isinstance(pilot.app.screen, HelpScreen)
