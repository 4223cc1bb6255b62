"""Dialogs answer to arrows and Enter as well as to letters: with an input method on, letters become pinyin."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen

from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.screens.choice import ChoiceScreen
from geekagent_tui.ui.screens.confirm import ConfirmScreen
from geekagent_tui.ui.screens.help import HelpScreen
from geekagent_tui.ui.screens.permit import PermitScreen
from tests.support.app import (
    Home,
    ask,
    chat_of,
    composer,
    idle,
    ready,
    say,
    screen_text,
    settings_json,
    until,
)

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


async def test_a_narrow_footer_says_how_to_get_help_and_out(home: Home) -> None:
    async with home.app().run_test(size=(40, 12)) as pilot:
        await ready(pilot)
        await pilot.pause()
        footer = screen_text(pilot.app).splitlines()[-1]
        assert "f1 帮助" in footer
        assert "^q 退出" in footer


@pytest.mark.parametrize(("answer", "allowed"), [("y", True), ("\r", False), ("escape", False)])
async def test_what_is_typed_right_behind_an_answer_is_written_in_the_composer(
    home: Home, answer: str, allowed: bool
) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "GeekAgent.json").write_text(settings_json({"memory_write": "ask"}))
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await asked(pilot, screen=PermitScreen)
        # In one burst, as a terminal sends what was typed while the screen was busy.
        first = "enter" if answer == "\r" else answer
        pilot.app.post_message(events.Key(first, answer if len(answer) == 1 else None))
        for char in " hello 中文":
            pilot.app.post_message(events.Key(_character_to_key(char), char))
        await until(pilot, lambda: composer(pilot).text == " hello 中文")
        await idle(pilot)
        assert bool(home.entries()) is allowed


async def test_what_is_typed_right_behind_a_no_is_what_the_model_is_told(home: Home) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "GeekAgent.json").write_text(settings_json({"memory_write": "ask"}))
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await asked(pilot, screen=PermitScreen)
        for char in "n先问 yes":
            pilot.app.post_message(events.Key(_character_to_key(char), char))
        await until(pilot, lambda: "先问 yes" in screen_text(pilot.app))
        await pilot.press("enter")
        await idle(pilot)
        assert "并说：先问 yes" in str(chat_of(pilot).driver.conversation.records[-1].parts)  # type: ignore[union-attr]
        assert home.entries() == []


@pytest.mark.parametrize("size", [(20, 6), (40, 12), (80, 24)])
async def test_the_answers_are_always_in_sight_and_long_details_scroll(
    home: Home, size: tuple[int, int]
) -> None:
    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        pilot.app.push_screen(ConfirmScreen("写入", "一行\n" * 40, ZH, yes="允许这一次", no="不允许"))
        await pilot.pause()
        assert "允许这一次" in screen_text(pilot.app)
        assert "不允许" in screen_text(pilot.app)
        details = pilot.app.screen.query_one("VerticalScroll")
        assert details.region.height >= 1
        await pilot.press("pagedown")
        await pilot.pause()
        assert details.scroll_offset.y > 0


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
