"""Two windows on one session: each shows, and sends, what the other said."""

from __future__ import annotations

from geekagent_tui.agent.events import TextDelta, TurnFinished, TurnStarted
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.sessions import SessionStore
from tests.support.app import Home, ask, chat_of, ready, screen_text, transcript, until
from tests.support.loopback import LoopbackServer, hang_reply, text_reply

WIDE = (120, 36)


class OtherWindow:
    """A second window on the project's database."""

    def __init__(self, home: Home, session: str) -> None:
        self.store = SessionStore(home.geekagent / "geekagent.db", lambda: home.now)
        self.session = session

    def begin(self, turn: str, text: str) -> None:
        self.store.begin_turn(self.session, TurnRecord(turn, text, 1.0))
        self.store.append(turn, [TurnStarted(turn, text, 1.0, "m")])

    def answer(self, turn: str, text: str) -> None:
        self.store.append(turn, [TextDelta(turn, text)])

    def finish(self, turn: str) -> None:
        self.store.append(turn, [TurnFinished(turn, "stop", 1.0)], status="finished")


async def test_the_other_windows_turn_grows_here_and_belongs_to_what_is_sent(
    home: Home, loopback: LoopbackServer
) -> None:
    home.serve(loopback.base_url)
    loopback.add(text_reply("这里的回答"), text_reply("接着答"))
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "这里问的")
        driver, other = chat_of(pilot).driver, OtherWindow(home, "s")
        other.begin("b1", "那边问的")
        other.answer("b1", "那边答")
        await driver.look_outside()
        await pilot.pause()
        assert "那边答" in screen_text(pilot.app)
        assert "第 2 轮：那边问的" in screen_text(pilot.app)
        other.answer("b1", "到了最后")
        other.finish("b1")
        # Not looked at again before the next question: sending looks by itself.
        await ask(pilot, "再问")
        assert [record.text for record in transcript(pilot).turns] == ["这里问的", "那边问的", "再问"]
        assert "那边答到了最后" in screen_text(pilot.app)
        sent = [message["content"] for message in loopback.requests[1].json["messages"][1:]]
        assert sent == ["这里问的", "这里的回答", "那边问的", "那边答到了最后", "再问"]


async def test_a_turn_that_runs_here_is_not_disturbed(home: Home, loopback: LoopbackServer) -> None:
    home.serve(loopback.base_url)
    loopback.add(hang_reply())
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        chat = chat_of(pilot)
        chat.driver.send("这里问的")
        await until(pilot, lambda: loopback.requests)
        other = OtherWindow(home, "s")
        other.begin("b1", "那边问的")
        other.finish("b1")
        await chat.driver.look_outside()
        assert len(transcript(pilot).turns) == 1
        await pilot.press("escape")
        await until(pilot, lambda: not chat.driver.busy)
        await chat.driver.look_outside()
        assert [record.text for record in transcript(pilot).turns] == ["这里问的", "那边问的"]


async def test_a_session_emptied_in_the_other_window_is_said(home: Home) -> None:
    async with home.app(session="s").run_test(size=WIDE) as pilot:
        await ready(pilot)
        await ask(pilot, "会消失的")
        driver = chat_of(pilot).driver
        await driver.look_outside()
        OtherWindow(home, "s").store.reset("s")
        await driver.look_outside()
        await pilot.pause()
        text = screen_text(pilot.app)
        assert "会话 s 刚在另一个窗口里被清空" in text
        assert "会消失的" not in text.split("─ 上下文")[0]
        assert driver.conversation is not None
        assert driver.conversation.records == ()
