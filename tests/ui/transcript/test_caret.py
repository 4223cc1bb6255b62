"""Text selected by keys, as it is copied."""

from __future__ import annotations

import pytest

from geekagent_tui.texts.transcript import ZH
from tests.ui.transcript.shared import TranscriptApp, done, running
from tests.ui.transcript.test_view import SIZE, many, stream

TEXT = "> 引用一二三四五六七八九十很长的一行要折\n\n```python\nx = 1\n\ty\n```\n\n👨‍👩‍👧é end"


async def select(*keys: str, text: str = TEXT) -> list[tuple[str, str]]:
    app = TranscriptApp()
    async with app.run_test(size=(24, 20)) as pilot:
        app.transcript.set_turns([done("a", "问题", text)])
        await pilot.pause()
        await pilot.press("v", *keys, "y")
        await pilot.pause()
        assert not app.transcript.selecting
        assert app.screen.selections == {}
        return app.copied


@pytest.mark.parametrize(
    ("keys", "copied"),
    [
        (("l",), "问题"),
        (("right", "l", "l"), "问题\n\n引"),
        (("h", "h"), "问"),
        (("dollar_sign",), "问题"),
        (("j", "j", "dollar_sign"), "问题\n\n引用一二三四五六七"),
        (("j", "j", "j", "dollar_sign"), "问题\n\n引用一二三四五六七八九十很长的一行要"),
        (("w",), "问题"),
    ],
)
async def test_motions(keys: tuple[str, ...], copied: str) -> None:
    assert await select(*keys) == [(copied, ZH.what_selection)]


async def test_the_whole_is_copied_without_bars_breaks_or_broken_characters() -> None:
    ((text, _),) = await select("G", "dollar_sign")
    assert text == "问题\n\n引用一二三四五六七八九十很长的一行要折\n\nx = 1\n    y\n\n👨‍👩‍👧é end\n"


async def test_a_cluster_is_never_cut() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "👨‍👩‍👧é好", "答")])
        await pilot.pause()
        await pilot.press("v", "l", "y", "v", "l", "l", "h", "y", "v", "y")
        await pilot.pause()
        assert [text for text, _ in app.copied] == ["👨‍👩‍👧é", "👨‍👩‍👧é", "👨‍👩‍👧"]


async def test_backwards_and_escape() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "one two three", "x")])
        await pilot.pause()
        await pilot.press("v", "dollar_sign", "v", "v", "dollar_sign", "b", "b", "0", "l", "y")
        await pilot.pause()
        assert app.copied == [("on", ZH.what_selection)]
        await pilot.press("v", "l", "escape")
        assert not app.transcript.selecting
        assert app.transcript.text_selection is None
        await pilot.press("h", "w", "0")


async def test_the_selection_and_the_view_stay_while_text_streams() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([*many(3), running("s")])
        await stream(app, 1)
        app.transcript.selected_turn = "t2"
        await pilot.pause()
        await pilot.press("v", "j", "j", "dollar_sign")
        before = app.screen_rows()[:-1]
        await stream(app, 40)
        await pilot.pause()
        assert app.screen_rows()[:-1] == before
        await pilot.press("y")
        await pilot.pause()
        assert app.copied == [("问2\n\n答2", ZH.what_selection)]


async def test_pages_top_and_bottom_take_the_caret_along() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns(many(20))
        await pilot.pause()
        await pilot.press("g", "v", "pagedown", "pagedown", "pageup", "G", "g", "y")
        await pilot.pause()
        ((text, _),) = app.copied
        assert text.startswith("问0")
        assert app.screen_rows()[0].endswith("问0")


async def test_y_takes_what_the_mouse_selected() -> None:
    app = TranscriptApp()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.set_turns([done("a", "问", "被选中的文字")])
        await pilot.pause()
        await pilot.mouse_down(app.transcript, offset=(2, 2))
        await pilot.hover(app.transcript, offset=(8, 2))
        await pilot.mouse_up(app.transcript, offset=(8, 2))
        await pilot.pause()
        selected = app.screen.get_selected_text()
        await pilot.press("y")
        await pilot.pause()
        assert app.copied == [(selected, ZH.what_selection)]
