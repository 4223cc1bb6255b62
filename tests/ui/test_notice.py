"""What is said in passing: whole, in nobody's way, and gone by itself."""

from __future__ import annotations

import pytest
from textual.widgets import Footer

from geekagent_tui.ui.panes.notice import NoticeLine
from tests.support.app import Home, ask, chat_of, composer, ready, screen_text

TEXT = "已复制这一段记忆（80 字），每一个字都在，哪一栏的边也不切掉它"


@pytest.mark.parametrize("size", [(width, 30) for width in (200, 121, 120, 101, 100, 80, 70, 41, 40)])
async def test_no_character_is_cut_away(home: Home, size: tuple[int, int]) -> None:
    home.remember("部署在周五")
    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        pilot.app.notify(TEXT, markup=False)
        await pilot.pause()
        shown = "".join(screen_text(pilot.app).split())
        assert "".join(TEXT.split()) in shown


async def test_it_stands_in_the_footers_place_and_leaves_it_again(home: Home) -> None:
    async with home.app().run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        region = composer(pilot).region
        pilot.app.notify("[/] 一句话", severity="warning")
        await pilot.pause()
        footer = chat_of(pilot).query_one(Footer)
        assert "[/] 一句话" in screen_text(pilot.app)
        assert (footer.display, composer(pilot).region) == (False, region)
        chat_of(pilot).query_one(NoticeLine).hide()
        await pilot.pause()
        assert "一句话" not in screen_text(pilot.app)
        assert footer.display
