"""A ``.env`` that is put right counts from the next message on; what failed meanwhile is asked again in order."""

from __future__ import annotations

import pytest

from geekagent_tui.agent.record import NoticePart
from tests.support.app import Home, ask, idle, ready, say, screen_text, sidebar, transcript, until
from tests.support.loopback import Gate, LoopbackServer, Reply, chunk, error_reply, text_reply

WIDE = (120, 36)
REFUSED = error_reply(401, {"error": {"message": "bad key"}})


async def test_the_next_message_uses_the_key_that_was_put_right(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url, key="sk-wrong-key")
    loopback.add(REFUSED, text_reply("这回好了"), text_reply("再来"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "甲")
        home.serve(loopback.base_url, key="sk-right-key-1")
        await ask(pilot, "乙")
        await ask(pilot, "丙")
        assert "这回好了" in screen_text(pilot.app)
        # Said once, when it changed.
        assert screen_text(pilot.app).count("模型的设置改过了") == 1
    keys = [request.headers["authorization"] for request in loopback.requests]
    assert keys == ["Bearer sk-wrong-key", "Bearer sk-right-key-1", "Bearer sk-right-key-1"]


async def test_a_model_configured_meanwhile_ends_being_offline(home: Home, loopback: LoopbackServer) -> None:
    loopback.add(text_reply("我在线"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "甲")
        assert sidebar(pilot).state.offline
        home.serve(loopback.base_url)
        await ask(pilot, "乙")
        assert "我在线" in screen_text(pilot.app)
        assert not sidebar(pilot).state.offline
        assert "离线应答：还没有配置模型" not in "".join(pilot.app.chat.query_one("#transcript").banner)  # type: ignore[attr-defined]


async def test_a_file_broken_meanwhile_is_said_and_the_model_stays(
    home: Home, loopback: LoopbackServer
) -> None:
    home.serve(loopback.base_url)
    loopback.add(text_reply("一"), text_reply("二"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "甲")
        (home.folder / "user").mkdir()
        (home.folder / "user" / "config.json").write_text("{")
        await ask(pilot, "乙")
        said = [
            part.text
            for turn in transcript(pilot).turns
            for part in turn.parts
            if isinstance(part, NoticePart)
        ]
        assert sum("config.json" in text for text in said) == 1
        assert [turn.answer for turn in transcript(pilot).turns if turn.answer] == ["一", "二"]


async def test_retry_asks_all_that_failed_in_a_row(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url, key="sk-wrong-key")
    loopback.add(REFUSED, REFUSED, text_reply("记住了"), text_reply("答了"))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "记住：周会改到周三")
        await ask(pilot, "周会在哪天？")
        home.serve(loopback.base_url, key="sk-right-key-1")
        await say(pilot, "/retry")
        await until(pilot, lambda: len(loopback.requests) == 4)
        await idle(pilot)
        assert "有 2 条消息接连没有答完" in screen_text(pilot.app)
        await say(pilot, "/retry")
        assert "没有可以再问的消息" in screen_text(pilot.app)
    asked = [request.messages[-1]["content"] for request in loopback.requests]
    assert asked == ["记住：周会改到周三", "周会在哪天？"] * 2


@pytest.mark.parametrize("earlier", [False, True])
async def test_retry_while_an_answer_comes_says_so(
    home: Home, loopback: LoopbackServer, earlier: bool
) -> None:
    home.serve(loopback.base_url)
    gate = Gate()
    if earlier:
        loopback.add(error_reply(500))
    loopback.add(Reply((chunk({"content": "开头"}), gate)))
    async with home.app().run_test(size=WIDE) as pilot:
        await ready(pilot)
        if earlier:
            await ask(pilot, "先前")
        await say(pilot, "问")
        await until(pilot, lambda: "开头" in screen_text(pilot.app))
        await say(pilot, "/retry")
        assert "正在回答" in screen_text(pilot.app)
        assert "没有可以再问的消息" not in screen_text(pilot.app)
        gate.open()
        await idle(pilot)
