"""Turns through the interface against a real HTTP service on the loopback."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from geekagent_tui.agent.sessions import SessionError, SessionStore
from tests.support.app import (
    Home,
    ask,
    chat_of,
    composer,
    idle,
    ready,
    recall_pane,
    say,
    screen_text,
    settings_json,
    sidebar,
    transcript,
    until,
)
from tests.support.loopback import (
    DONE,
    Gate,
    LoopbackServer,
    Reply,
    chunk,
    error_reply,
    hang_reply,
    text_reply,
    tool_reply,
)

WIDE = (120, 36)


def paused_reply(before: str, after: str, gate: Gate) -> Reply:
    """An answer that stops in the middle until ``gate`` opens."""
    return Reply((chunk({"content": before}), gate, chunk({"content": after}), chunk({}, "stop"), DONE))


async def test_the_pane_is_filled_before_the_first_token(home: Home, loopback: LoopbackServer) -> None:
    home.remember("部署在周五下午")
    home.serve(loopback.base_url)
    loopback.add(hang_reply())
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "部署在什么时候？")
        await until(pilot, lambda: loopback.requests)
        assert "条目 #1，第 1 段" in screen_text(pilot.app)
        assert "部署在周五下午" in loopback.requests[0].json["messages"][0]["content"]
        await pilot.press("escape")
        await idle(pilot)


async def test_escape_stops_the_answer_keeps_text_and_draft_and_the_next_turn_works(
    home: Home, loopback: LoopbackServer
) -> None:
    home.serve(loopback.base_url)
    gate = Gate()
    loopback.add(paused_reply("回答的前半截", "后半截", gate), text_reply("第二个回答"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "第一个问题")
        await until(pilot, lambda: "回答的前半截" in screen_text(pilot.app))
        composer(pilot).take("写到一半的草稿")
        await pilot.press("escape")
        await idle(pilot)
        assert composer(pilot).text == "写到一半的草稿"
        assert "已中断" in screen_text(pilot.app)
        assert "回答的前半截" in screen_text(pilot.app)
        await ask(pilot, "第二个问题")
        assert "第二个回答" in screen_text(pilot.app)
        roles = [message["role"] for message in loopback.requests[1].json["messages"]]
        assert roles == ["system", "user", "assistant", "user"]
        gate.open()


async def test_a_message_sent_while_an_answer_streams_waits_its_turn(
    home: Home, loopback: LoopbackServer
) -> None:
    home.serve(loopback.base_url)
    gate = Gate()
    loopback.add(paused_reply("第一", "答", gate), text_reply("第二答"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "一")
        await until(pilot, lambda: "第一" in screen_text(pilot.app))
        await say(pilot, "二")
        assert "已排队" in screen_text(pilot.app)
        assert sidebar(pilot).state.queued == 1
        assert len(loopback.requests) == 1
        gate.open()
        await idle(pilot)
        assert "第二答" in screen_text(pilot.app)
        assert [record.text for record in transcript(pilot).turns] == ["一", "二"]


async def test_a_message_still_waiting_when_the_app_ends_says_that_nothing_was_searched(
    home: Home, loopback: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.serve(loopback.base_url)
    loopback.add(paused_reply("第一", "答", Gate()))
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "一")
        await until(pilot, lambda: "第一" in screen_text(pilot.app))
        await say(pilot, "二")
        await pilot.press("f5", "right_square_bracket")
        await until(pilot, lambda: "还没轮到这条消息，轮到时再搜记忆。" in screen_text(pilot.app))
        await pilot.press("ctrl+q")
    # What the process left waiting is no longer waiting when another opens the session.
    monkeypatch.setattr(SessionStore, "_lives", lambda self, owner: False)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "这条消息没有发出去，没有搜记忆。" in screen_text(pilot.app))


async def test_quitting_during_an_answer_asks_nothing_and_loses_nothing(
    home: Home, loopback: LoopbackServer
) -> None:
    home.serve(loopback.base_url)
    loopback.add(paused_reply("已经说出口的话", "没说的", Gate()))
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "问")
        await until(pilot, lambda: "已经说出口的话" in screen_text(pilot.app))
        await pilot.press("ctrl+q")
    assert pilot.app.return_code == 0
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        assert "已经说出口的话" in screen_text(pilot.app)
        assert "已中断" in screen_text(pilot.app)


async def test_a_tool_call_is_one_line_and_the_sidebar_follows(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url)
    loopback.add(tool_reply("memory_write", {"content": "数据库端口 5432"}), text_reply("记好了"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "记一下端口")
        assert "[调用工具 memory_write → 已记住：数据库端口 5432]" in screen_text(pilot.app)
        assert "记忆  1 条 / 1 块" in screen_text(pilot.app)
        assert home.entries() == ["数据库端口 5432"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (error_reply(401, {"error": {"message": "bad key"}}), "401"),
        (error_reply(404, {"error": {"message": "no such model"}}), "404"),
        (error_reply(500, {"error": {"message": "oops"}}), "500"),
    ],
    ids=["wrong-key", "no-model", "server-error"],
)
async def test_an_error_is_readable_and_retry_asks_again(
    home: Home, loopback: LoopbackServer, reply: Reply, said: str
) -> None:
    home.serve(loopback.base_url, key="sk-very-secret-key")
    loopback.add(reply)
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        text = screen_text(pilot.app)
        assert said in text
        assert "/retry" in text
        assert "sk-very-secret-key" not in text
        home.serve(loopback.base_url, key="sk-another-key")
        loopback.add(text_reply("这回好了"))
        await say(pilot, "/retry")
        await until(pilot, lambda: "这回好了" in screen_text(pilot.app))
        assert loopback.requests[-1].headers["authorization"] == "Bearer sk-another-key"


async def test_an_unreachable_host_ends_readably(home: Home) -> None:
    home.serve("http://127.0.0.1:9/v1")
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "问")
        assert transcript(pilot).turns[-1].status == "failed"
        assert "连不上" in screen_text(pilot.app)


async def test_ask_opens_a_dialog_with_what_the_model_wrote(home: Home, loopback: LoopbackServer) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "GeekAgent.json").write_text(settings_json({"memory_write": "ask"}))
    home.serve(loopback.base_url)
    loopback.add(tool_reply("memory_write", {"content": "先问我"}), text_reply("好的"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await say(pilot, "记")
        await until(pilot, lambda: "允许调用 memory_write 吗" in screen_text(pilot.app))
        assert "先问我" in screen_text(pilot.app)
        await pilot.press("n", "enter")
        await idle(pilot)
        assert "没有允许" in screen_text(pilot.app)
        assert home.entries() == []


HOSTILE = (
    "[/] [a=1,b=2] [/some/path] [bold]x[/bold] \x1b[31mred\x1b]0;t\x07"
    " \x00 \ud83d e\u0301 👨‍👩‍👧 🇨🇳 \u202egnp.exe"
)


async def test_hostile_text_is_shown_as_it_is_everywhere(home: Home, loopback: LoopbackServer) -> None:
    home.remember(f"部署 {HOSTILE}".replace("\ud83d", ""))
    home.serve(loopback.base_url, model="[/m]")
    loopback.add(text_reply(f"{HOSTILE}"))
    async with home.app().run_test(size=(160, 50)) as pilot:
        await ready(pilot)
        await ask(pilot, f"部署 {HOSTILE}")
        text = screen_text(pilot.app)
        for piece in ("[/]", "[a=1,b=2]", "[/some/path]", "[/m]", "␛"):
            assert piece in text
        assert not any(char in text for char in "\x1b\x00\x07\u202e\ud83d")
        text.encode("utf-8")
        recall = transcript(pilot).turns[-1].recall
        assert recall is not None
        assert "\x1b" in recall.hits[0].text  # nothing was lost on the way


async def test_a_broken_memory_is_read_only_said_and_kept(home: Home) -> None:
    home.geekagent.mkdir()
    home.memory.write_text('[\n  "一",\n  oops\n]\n', encoding="utf-8")
    before = home.memory.read_bytes()
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        text = screen_text(pilot.app)
        assert "第 3 行" in text
        assert "只读" in text
        await ask(pilot, "记住：这条写不进去")
        assert home.memory.read_bytes() == before
        assert sidebar(pilot).state.memory_problem
        assert list(home.geekagent.glob("memory.json.corrupt*"))
        home.remember("修好了")
        await chat_of(pilot).driver.look_outside()
        await pilot.pause()
        assert "记忆恢复可写" in screen_text(pilot.app)
        assert sidebar(pilot).state.entries == 1


async def test_broken_settings_stop_the_start_with_file_field_and_reason(home: Home) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "GeekAgent.json").write_text('{"root": "..", "tools": {"write": "yes"}}')
    app = home.app()
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.start_error)
    assert "GeekAgent.json" in app.start_error
    assert "tools.write" in app.start_error
    assert "allow、ask 或 deny" in app.start_error
    assert app.return_value == 3


async def test_a_draft_survives_a_crash(home: Home) -> None:
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "先有一轮")
        composer(pilot).take("没发出去的话")
        chat_of(pilot)._save_draft()
        store = chat_of(pilot).driver.workspace.store  # type: ignore[union-attr]
        await until(pilot, lambda: store.draft("s") == "没发出去的话")  # type: ignore[union-attr]
        # No orderly leaving: what is in the database now is all a crash leaves.
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        assert composer(pilot).text == "没发出去的话"


async def test_a_message_sent_before_the_project_is_open_is_not_lost(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        chat_of(pilot).driver.send("很早的消息")
        await ready(pilot)
        await idle(pilot)
        assert transcript(pilot).turns[-1].text == "很早的消息"


async def test_another_windows_memory_shows_in_the_sidebar(home: Home) -> None:
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        home.remember("别的窗口写的部署时间")
        await chat_of(pilot).driver.look_outside()
        assert sidebar(pilot).state.entries == 1
        await ask(pilot, "部署时间")
        assert recall_pane(pilot).cursor == 0
        assert "别的窗口写的" in screen_text(pilot.app)


async def test_a_read_only_session_database_does_not_stop_the_chat(home: Home, tmp_path: Path) -> None:
    home.geekagent.mkdir()
    (home.geekagent / "geekagent.db").mkdir()
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        assert "会话库" in screen_text(pilot.app)
        await ask(pilot, "还能聊吗")
        assert transcript(pilot).turns[-1].status == "finished"


async def test_a_session_that_can_not_be_read_is_said_where_it_can_be_seen(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(store: object, name: str) -> NoReturn:
        raise SessionError("会话库读不出来")

    monkeypatch.setattr("geekagent_tui.agent.sessions.SessionStore.turns", broken)
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await until(pilot, lambda: "会话库读不出来" in screen_text(pilot.app))
