"""$EDITOR, and a folded paste opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.editing.external import EditorError, edit_outside, editor_command
from geekagent_tui.ui.editing.rows import row_starts
from geekagent_tui.ui.screens.chat import ChatScreen
from geekagent_tui.ui.screens.paste import PasteScreen, PasteView, rows_of
from tests.support.app import Home, composer, ready, say, screen_text, until

SIZE = (80, 24)
LINES = "\n".join(f"第 {number} 行" for number in range(150))
LABEL = "[粘贴 150 行]"


def editor(change: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An editor that does ``change``; what it was given."""
    given: list[str] = []

    async def edit(self: object, text: str) -> str:
        given.append(text)
        return change(text)

    monkeypatch.setattr("geekagent_tui.ui.app.GeekAgentApp.edit_outside", edit)
    return given


async def fold(pilot: Pilot[int], text: str = LINES) -> None:
    composer(pilot).post_message(events.Paste(text))
    await pilot.pause()


async def test_f2_edits_all_of_the_message_and_undo_brings_it_back(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = editor(lambda text: "改过的", monkeypatch)
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a")
        await fold(pilot)
        await pilot.press("f8")
        await until(pilot, lambda: composer(pilot).text == "改过的")
        assert given == [f"a{LINES}"]
        await pilot.press("ctrl+z")
        assert composer(pilot).text == f"a{LABEL}"


async def test_slash_edit_opens_the_editor(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(lambda text: "写好的", monkeypatch)
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await say(pilot, "/edit")
        await until(pilot, lambda: composer(pilot).text == "写好的")


async def test_an_editor_that_is_not_there_is_said(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    async with home.app().run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot)
        monkeypatch.setattr("geekagent_tui.ui.editing.external.editor_command", lambda environ: [])
        await pilot.press("a", "f8")
        await until(pilot, lambda: "没有编辑器" in screen_text(pilot.app))
        assert composer(pilot).text == "a"


async def test_a_screen_that_cannot_be_left_is_said(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        with pytest.raises(EditorError, match="不能让出屏幕"):
            await edit_outside(pilot.app, "a", ["true"], ZH)


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({"VISUAL": "code --wait", "EDITOR": "vi"}, ["code", "--wait"]),
        ({"EDITOR": "'/opt/my editor' -n"}, ["/opt/my editor", "-n"]),
        ({"EDITOR": "'unclosed", "PATH": "/nowhere"}, []),
    ],
)
def test_which_editor(environ: dict[str, str], command: list[str]) -> None:
    assert editor_command(environ) == command


def test_a_usual_editor_is_found(tmp_path: Path) -> None:
    vi = tmp_path / "vi"
    vi.write_text("#!/bin/sh\n")
    vi.chmod(0o755)
    assert editor_command({"PATH": str(tmp_path)}) == [str(vi)]


async def test_ctrl_o_shows_the_paste_and_enter_unfolds_it(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a")
        await fold(pilot)
        await pilot.press("b", "ctrl+o")
        await until(pilot, lambda: "第 0 行" in screen_text(pilot.app))
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, ChatScreen)
        assert composer(pilot).text == f"a{LABEL}b"
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(pilot.app.screen, PasteScreen))
        await pilot.press("j", "down", "k", "pagedown", "enter")
        await until(pilot, lambda: composer(pilot).text == f"a{LINES}b")
        await pilot.press("ctrl+z")
        assert composer(pilot).text == f"a{LABEL}b"


async def test_a_very_long_paste_stays_folded(home: Home) -> None:
    async with home.app().run_test(size=SIZE, notifications=True) as pilot:
        await ready(pilot)
        await fold(pilot, "长" * 200_000)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "长长长" in screen_text(pilot.app))
        await pilot.press("u")
        await until(pilot, lambda: "太长" in screen_text(pilot.app))
        assert composer(pilot).text == "[粘贴 200,000 字]"


async def test_the_paste_in_the_editor(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    given = editor(lambda text: "短的", monkeypatch)
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await pilot.press("a")
        await fold(pilot)
        await pilot.press("b", "ctrl+o")
        await until(pilot, lambda: isinstance(pilot.app.screen, PasteScreen))
        await pilot.press("f8")
        await until(pilot, lambda: composer(pilot).text == "a短的b")
        assert given == [LINES]


async def test_the_nearest_of_several_is_opened(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        await fold(pilot, "一\n" * 20)
        await pilot.press("space")
        await fold(pilot, "二\n" * 30)
        for keys, line in ((("end",), "二"), (("home", "right"), "一")):
            await pilot.press(*keys, "ctrl+o")
            await until(pilot, lambda: pilot.app.screen.query(PasteView))
            assert pilot.app.screen.query_one(PasteView)._text.startswith(line)
            await pilot.press("escape")


async def test_the_footer_names_the_key_while_there_is_a_paste(home: Home) -> None:
    async with home.app().run_test(size=(120, 24)) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+o")
        assert isinstance(pilot.app.screen, ChatScreen)
        assert "看粘贴" not in screen_text(pilot.app)
        await fold(pilot)
        await until(pilot, lambda: "^o 看粘贴" in screen_text(pilot.app))
        await pilot.press("backspace")
        await until(pilot, lambda: "看粘贴" not in screen_text(pilot.app))


@pytest.mark.parametrize("text", ["", "a\n\nb", "长文字和 words " * 50, "x" * 500, "\ttab"])
def test_rows_lose_nothing(text: str) -> None:
    rows = list(rows_of(text, 20))
    assert "".join(rows) == text.expandtabs(4).replace("\n", "")
    assert all(not row_starts(row, 20) for row in rows)
