"""Every session keeps its own unsent text."""

from __future__ import annotations

from textual import events
from textual.pilot import Pilot

from tests.support.app import Home, ask, chat_of, composer, ready, until

SIZE = (80, 24)
LINES = "\n".join(f"第 {number} 行" for number in range(1234))
LABEL = "[粘贴 1,234 行]"


async def switch(pilot: Pilot[int], name: str, *, create: bool = False) -> None:
    """Open a session as the palette does: the composer keeps what stands in it until then."""
    await chat_of(pilot).open_session(name, create=create)
    await pilot.pause()
    assert chat_of(pilot).session == name


async def test_switching_keeps_each_draft(home: Home) -> None:
    async with home.app(session="one").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "第一轮")
        await pilot.press("a", "space")
        composer(pilot).post_message(events.Paste(LINES))
        await pilot.pause()
        await switch(pilot, "two", create=True)
        assert composer(pilot).text == ""
        await pilot.press("t", "w", "o")
        await switch(pilot, "one")
        assert composer(pilot).text == f"a {LABEL}"
        assert composer(pilot).full_text == f"a {LINES}"
        await switch(pilot, "two")
        assert composer(pilot).text == "two"


async def test_a_draft_with_a_paste_survives_a_crash_in_full(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        composer(pilot).post_message(events.Paste(LINES))
        await pilot.pause()
        chat_of(pilot)._save_draft()
        store = chat_of(pilot).driver.workspace.store  # type: ignore[union-attr]
        await until(pilot, lambda: store.draft("s") == LINES)  # type: ignore[union-attr]
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        assert (composer(pilot).text, composer(pilot).full_text) == (LABEL, LINES)


async def test_a_command_being_typed_is_no_draft(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一轮")
        composer(pilot).insert("/open other")
        chat_of(pilot)._save_draft()
        await pilot.pause()
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        assert composer(pilot).text == ""


async def test_what_is_typed_while_the_project_opens_stays(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        composer(pilot).insert("早写的")
        await ready(pilot)
        assert composer(pilot).text == "早写的"


async def test_a_reset_leaves_the_composer_alone(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一轮")
        composer(pilot).insert("草稿")
        await chat_of(pilot).driver.reset()
        assert composer(pilot).text == "草稿"


async def test_a_draft_does_not_come_between_what_is_being_written(home: Home) -> None:
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        await ready(pilot)
        await ask(pilot, "一轮")
        await pilot.press(*"kept")
        chat_of(pilot)._save_draft()
        store = chat_of(pilot).driver.workspace.store  # type: ignore[union-attr]
        await until(pilot, lambda: store.draft("s") == "kept")  # type: ignore[union-attr]
    async with home.app(session="s").run_test(size=SIZE) as pilot:
        # Written and cleared again before the session is there.
        chat_of(pilot)._begun = True
        await ready(pilot)
        assert composer(pilot).text == ""
        await pilot.press("up")
        assert composer(pilot).text == "kept"


async def test_a_session_that_only_a_draft_made_goes_with_it(home: Home) -> None:
    async with home.app().run_test(size=SIZE) as pilot:
        await ready(pilot)
        store = chat_of(pilot).driver.workspace.store  # type: ignore[union-attr]
        composer(pilot).insert("不发了")
        chat_of(pilot)._save_draft()
        await until(pilot, lambda: store.sessions())  # type: ignore[union-attr]
        await pilot.press("ctrl+c")
        chat_of(pilot)._save_draft()
        await until(pilot, lambda: not store.sessions())  # type: ignore[union-attr]
