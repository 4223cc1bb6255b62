"""Every key of the main screen, pressed as a user presses it."""

from __future__ import annotations

import re

import pytest
from textual.pilot import Pilot

from geekagent_tui.ui.panes.command_menu import CommandMenu
from geekagent_tui.ui.screens.chat import ChatScreen
from geekagent_tui.ui.screens.choice import ChoiceScreen
from geekagent_tui.ui.screens.help import HelpScreen
from tests.support.app import (
    Home,
    ask,
    chat_of,
    composer,
    ready,
    recall_pane,
    say,
    screen_text,
    transcript,
    until,
)

WIDE = (120, 36)


async def type_text(pilot: Pilot[int], text: str) -> None:
    await pilot.press(*("space" if char == " " else char for char in text))


async def test_enter_sends_and_clears(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await type_text(pilot, "hello")
        await pilot.press("enter")
        assert composer(pilot).text == ""
        await until(pilot, lambda: transcript(pilot).turns[-1].text == "hello")


@pytest.mark.parametrize("key", ["ctrl+j", "shift+enter", "alt+enter", "ctrl+enter", "shift+\r", "ctrl+\r"])
async def test_newline_keys_break_the_line(home: Home, key: str) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("a", key, "b")
        assert composer(pilot).text == "a\nb"


async def test_a_blank_message_is_not_sent(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("space", "ctrl+j", "enter")
        assert composer(pilot).text == " \n"


async def test_up_and_down_walk_through_what_was_sent_and_keep_the_draft(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "one")
        await ask(pilot, "two")
        await type_text(pilot, "draft")
        seen = []
        for key in ("up", "up", "up", "down", "down"):
            await pilot.press(key)
            seen.append(composer(pilot).text)
        assert seen == ["two", "one", "one", "two", "draft"]


async def test_up_inside_several_lines_moves_the_cursor_first(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "one")
        await pilot.press("a", "ctrl+j", "b", "up")
        assert composer(pilot).text == "a\nb"
        assert composer(pilot).cursor_location[0] == 0
        await pilot.press("up")
        assert composer(pilot).text == "one"


async def test_the_composer_grows_with_its_text_to_a_limit(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        heights = []
        for count in (1, 3, 30):
            composer(pilot).take("\n".join(["x"] * count))
            await pilot.pause()
            heights.append(composer(pilot).size.height)
        assert heights == [1, 3, 10]


async def test_tab_and_shift_tab_walk_through_the_panes(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        order = [pilot.app.focused.id]  # type: ignore[union-attr]
        for _ in range(3):
            await pilot.press("tab")
            order.append(pilot.app.focused.id)  # type: ignore[union-attr]
        assert order == ["composer", "transcript", "recall", "composer"]
        await pilot.press("shift+tab")
        assert pilot.app.focused is recall_pane(pilot)


async def test_direct_keys_focus_a_pane_and_escape_comes_back(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        for key, pane in (("f3", "recall"), ("f5", "transcript")):
            await pilot.press(key)
            await pilot.pause()
            assert pilot.app.focused is not None
            assert pilot.app.focused.id == pane
            await pilot.press("escape")
            assert pilot.app.focused is composer(pilot)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_a_narrow_window_folds_the_panes_and_a_key_brings_each_back(
    home: Home, size: tuple[int, int]
) -> None:
    home.remember("部署在周五")
    async with home.app().run_test(size=size) as pilot:
        await ready(pilot)
        assert "记忆  1 条 / 1 块" in screen_text(pilot.app)
        await ask(pilot, "部署")
        assert not recall_pane(pilot).region.area
        await pilot.press("f3")
        await until(pilot, lambda: "搜了 1 块" in screen_text(pilot.app))
        await pilot.press("f3")
        await until(pilot, lambda: "搜了 1 块" not in screen_text(pilot.app))
        await pilot.press("f4")
        await until(pilot, lambda: "会话" in screen_text(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: "累计" not in screen_text(pilot.app))
        assert pilot.app.focused is composer(pilot)


async def test_forty_by_twelve_still_lets_one_chat(home: Home) -> None:
    async with home.app().run_test(size=(40, 12)) as pilot:
        await ready(pilot)
        await ask(pilot, "记住：端口是 5432")
        assert "存进长期记忆" in screen_text(pilot.app)
        assert transcript(pilot).size.height >= 6


@pytest.mark.parametrize("key", ["f1"])
async def test_help_opens_lists_keys_and_commands_and_escape_closes_it(home: Home, key: str) -> None:
    async with home.app().run_test(size=(120, 60)) as pilot:
        await ready(pilot)
        await pilot.press(key)
        assert isinstance(pilot.app.screen, HelpScreen)
        text = screen_text(pilot.app)
        for piece in ("/memory", "/sessions", "Ctrl+J", "换行", "F3"):
            assert piece in text
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_a_question_mark_is_help_in_a_pane_and_text_in_the_composer(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await pilot.press("question_mark")
        assert composer(pilot).text == "?"
        await pilot.press("f3")
        await pilot.pause()
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)


async def test_slash_completes_commands(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        menu = chat_of(pilot).query_one(CommandMenu)
        await type_text(pilot, "/se")
        await pilot.pause()
        assert menu.open
        await pilot.press("tab")
        assert composer(pilot).text == "/sessions"
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert not menu.open


async def test_down_and_enter_choose_from_the_completion_list(home: Home) -> None:
    async with home.app().run_test(size=(120, 60)) as pilot:
        await ready(pilot)
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))


async def test_an_unknown_command_says_so(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "/nosuch")
        assert "未知命令：/nosuch（输入 /help 查看）" in screen_text(pilot.app)


async def test_the_palette_has_every_command(home: Home) -> None:
    async with home.app().run_test(size=(120, 60)) as pilot:
        await ready(pilot)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "/sessions" in screen_text(pilot.app))
        text = screen_text(pilot.app)
        assert all(f"/{command.name}" in text for command in chat_of(pilot).commands)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, ChatScreen)


async def test_keys_in_the_recall_pane(home: Home) -> None:
    home.remember("部署在周五，Deploys run at noon", "部署前先备份", "部署后看日志")
    async with home.app().run_test(size=(120, 50)) as pilot:
        await ready(pilot)
        await ask(pilot, "部署 deployed")
        await pilot.press("f3")
        await pilot.pause()
        pane = recall_pane(pilot)
        cursors = []
        for key in ("j", "down", "j", "k", "up", "G", "g", "end", "home"):
            await pilot.press(key)
            cursors.append(pane.cursor)
        assert cursors == [1, 2, 2, 1, 0, 2, 0, 2, 0]
        await pilot.press("enter")
        await pilot.pause()
        assert "idf" in screen_text(pilot.app)
        # The word of the passage; a stem is what nobody wrote.
        assert "Deploys（词干 deploy）" in screen_text(pilot.app).replace("\n", "")
        await pilot.press("enter")
        await pilot.pause()
        assert re.search(r"Deploys\s\d\.\d\d", screen_text(pilot.app))
        assert "idf" not in screen_text(pilot.app)
        await pilot.press("y")
        await until(pilot, lambda: home.copied)
        assert pilot.app.clipboard in home.entries()
        assert home.copied == [pilot.app.clipboard]


async def test_a_system_without_a_clipboard_still_copies_through_the_terminal(home: Home) -> None:
    home.remember("部署在周五")
    home.clipboard_works = False
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        await pilot.press("f3")
        await pilot.pause()
        await pilot.press("y")
        await until(pilot, lambda: home.copied)
        assert pilot.app.clipboard == "部署在周五"
        assert "程序内部出错" not in screen_text(pilot.app)


async def test_the_pane_shows_what_an_earlier_turn_was_given(home: Home) -> None:
    home.remember("部署在周五")
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "部署")
        await ask(pilot, "天气")
        assert "这一轮没有相关记忆" in screen_text(pilot.app)
        await pilot.press("f5")
        await pilot.pause()
        await pilot.press("left_square_bracket")
        await pilot.pause()
        assert "条目 #1，第 1 段" in screen_text(pilot.app)


async def test_a_theme_is_remembered(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "/theme")
        assert pilot.app.theme == "geekagent-light"
        await until(pilot, lambda: (home.geekagent / "ui.json").exists())
        await pilot.press("ctrl+q")
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        assert pilot.app.theme == "geekagent-light"


async def test_quitting_twice_at_once_is_one_quitting(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "记住：两次退出")
        await pilot.press("ctrl+q", "ctrl+q")
    assert pilot.app.return_code == 0


async def test_sessions_new_open_reset(home: Home) -> None:
    async with home.app(session="first").run_test(size=(120, 40)) as pilot:
        await ready(pilot)
        await ask(pilot, "一号会话的话")
        home.now += 60
        await say(pilot, "/new second")
        await until(pilot, lambda: chat_of(pilot).session == "second")
        await say(pilot, "/new third")
        await until(pilot, lambda: chat_of(pilot).session == "third")
        # Made is made, also before anything was said in it.
        await say(pilot, "/open second")
        await until(pilot, lambda: chat_of(pilot).session == "second")
        await ask(pilot, "二号会话的话")
        await say(pilot, "/new first")
        await until(pilot, lambda: "会话 first 已存在" in screen_text(pilot.app))
        await say(pilot, "/open nowhere")
        await until(pilot, lambda: "没有名为 nowhere 的会话" in screen_text(pilot.app))
        await say(pilot, "/sessions")
        await until(pilot, lambda: "会话（3 个）：" in screen_text(pilot.app))
        await say(pilot, "/open")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen))
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: chat_of(pilot).session == "first")
        assert "一号会话的话" in screen_text(pilot.app)
        await say(pilot, "/reset")
        await until(pilot, lambda: "清空会话 first" in screen_text(pilot.app))
        await pilot.press("y")
        await until(pilot, lambda: "已清空会话 first" in screen_text(pilot.app))
        await say(pilot, "/new bad name!")
        await until(pilot, lambda: "会话名" in screen_text(pilot.app))


async def test_exit_leaves(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "/exit")
    assert pilot.app.return_code == 0
