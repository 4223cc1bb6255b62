"""What a reader asks of the main screen: search, links, other programs, asking again, the recall of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from geekagent_tui.agent.models.base import Finish, TextPiece
from geekagent_tui.ui.app import GeekAgentApp
from geekagent_tui.ui.outside import Outside
from geekagent_tui.ui.panes.search_bar import SearchBar
from geekagent_tui.ui.screens.choice import ChoiceScreen
from tests.support.app import (
    Home,
    ask,
    chat_of,
    composer,
    idle,
    ready,
    recall_pane,
    screen_text,
    transcript,
    until,
)
from tests.support.turns import ScriptedModel

WIDE = (120, 36)
ANSWER = "见 https://a.example/x 。\n\n```python\nx = 1\n```\n"


def answering(home: Home, *answers: str) -> Home:
    home.model = ScriptedModel(*[(TextPiece(text), Finish("stop")) for text in answers])
    return home


async def to_transcript(pilot: Pilot[int]) -> None:
    await pilot.press("f5")
    await until(pilot, lambda: transcript(pilot).has_focus)


async def test_ctrl_f_searches_from_the_composer_and_escape_ends_it(home: Home) -> None:
    answering(home, "一根针", "稻草", "稻草")
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        for text in ("甲", "乙", "丙"):
            await ask(pilot, text)
        await pilot.press("ctrl+f", "针")
        bar = chat_of(pilot).query_one(SearchBar)
        await until(pilot, lambda: "第 1 / 1 轮" in screen_text(pilot.app))
        assert transcript(pilot).current_record(transcript(pilot).selected_turn or "").text == "甲"  # type: ignore[union-attr]
        await pilot.press("enter", "down", "up", "tab")
        await until(pilot, lambda: transcript(pilot).has_focus)
        assert transcript(pilot).searching
        await pilot.press("n", "escape")
        await until(pilot, lambda: not bar.has_class("-open"))
        assert not transcript(pilot).searching
        await pilot.press("ctrl+f", "x", "y")
        await until(pilot, lambda: "没有找到" in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: transcript(pilot).has_focus)
        assert bar.query_one(Input).value == ""
        await pilot.press("escape")
        assert composer(pilot).has_focus
        # Who searched while writing goes on writing.
        await pilot.press("ctrl+f", "针", "escape")
        await until(pilot, lambda: composer(pilot).has_focus)


async def test_links_show_their_address_before_they_open(home: Home) -> None:
    opened: list[str] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    answering(home, ANSWER, "没有链接")
    app = GeekAgentApp(home.workspace, outside=Outside({}, browse=browse))
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        await to_transcript(pilot)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen))
        assert "https://a.example/x" in screen_text(pilot.app)
        assert opened == []
        await pilot.press("j", "k", "enter")
        await until(pilot, lambda: opened)
        assert opened == ["https://a.example/x"]
        await pilot.press("u", "escape")
        await ask(pilot, "再问")
        await to_transcript(pilot)
        await pilot.press("right_square_bracket", "u")
        await until(pilot, lambda: "没有可以打开的链接" in screen_text(pilot.app))
        assert len(opened) == 1


async def test_a_machine_without_a_browser_shows_the_address(home: Home) -> None:
    app = GeekAgentApp(home.workspace, outside=Outside({}, browse=lambda url: False))
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        app.open_address("https://a.example")
        await until(pilot, lambda: "没有能打开链接的浏览器：https://a.example" in screen_text(pilot.app))


async def test_the_pager_and_the_editor_get_the_turn_or_the_code(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], str, str]] = []

    def run(command: Sequence[str]) -> int:
        path = Path(command[-1])
        seen.append((list(command[:-1]), path.suffix, path.read_text(encoding="utf-8")))
        return 0

    @contextmanager
    def suspend(self: GeekAgentApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(GeekAgentApp, "suspend", suspend)
    answering(home, ANSWER)
    environ = {"PAGER": "pg -x", "EDITOR": "ed", "VISUAL": "vis"}
    app = GeekAgentApp(home.workspace, outside=Outside(environ, run=run))
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        await to_transcript(pilot)
        await pilot.press("o")
        await until(pilot, lambda: len(seen) == 1)
        await pilot.press("n", "e")
        await until(pilot, lambda: len(seen) == 2)
    assert seen == [
        (["pg", "-x"], ".md", f"> 问\n\n{ANSWER}\n"),
        (["vis"], ".py", "x = 1\n"),
    ]


async def test_a_program_that_is_not_there_is_said(home: Home) -> None:
    def fails(command: Sequence[str]) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    answering(home, ANSWER)
    app = GeekAgentApp(home.workspace, outside=Outside({"PATH": "/nowhere", "EDITOR": "nosuch"}, run=fails))
    async with app.run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        await to_transcript(pilot)
        await pilot.press("o")
        await until(pilot, lambda: "没有找到分页程序" in screen_text(pilot.app))
        await pilot.press("e")
        await until(pilot, lambda: "不能暂时离开界面" in screen_text(pilot.app))


async def test_r_asks_again_and_i_shows_the_recall(home: Home) -> None:
    home.remember("部署在周五")
    answering(home, "一", "二")
    async with home.app().run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        await to_transcript(pilot)
        await pilot.press("r")
        await idle(pilot)
        assert [(turn.text, turn.answer) for turn in transcript(pilot).turns[-2:]] == [
            ("部署", "一"),
            ("部署", "二"),
        ]
        await pilot.press("i")
        await until(pilot, lambda: recall_pane(pilot).has_focus)
        assert "部署在周五" in screen_text(pilot.app).replace("\n", "")


async def test_no_timer_ticks_while_nothing_happens(home: Home) -> None:
    """But for the look at memory.json, nothing of ours wakes up."""
    answering(home, ANSWER)
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        assert transcript(pilot)._timer is None
        assert not composer(pilot).cursor_blink
