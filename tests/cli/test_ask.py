"""``geekagent ask``: one turn, without a screen."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from geekagent_tui.agent.events import TurnCancelled, TurnFailed, TurnFinished
from geekagent_tui.agent.sessions import SessionStore
from geekagent_tui.agent.turn import MAX_ROUNDS
from geekagent_tui.agent.wire import from_json
from tests.cli.conftest import STORY, CommandLine
from tests.support.loopback import DONE, LoopbackServer, Reply, chunk, error_reply, text_reply, tool_reply


def kept(geekagent: CommandLine, name: str) -> list[tuple[str, str]]:
    store = SessionStore(geekagent.geekagent / "geekagent.db", lambda: 0.0)
    records = store.turns(name)
    store.close()
    return [(record.text, record.status) for record in records]


def test_offline_it_answers_from_memory(geekagent: CommandLine) -> None:
    geekagent.remember(STORY)
    result = geekagent("ask", "怎么部署？")
    assert result.code == 0
    assert "make run" in result.out
    assert "唤起 1 段：条目 #1，第 1 段" in result.err
    assert result.out.endswith("\n")


def test_offline_it_remembers(geekagent: CommandLine) -> None:
    result = geekagent("ask", "记住：部署窗口是周四。")
    assert result.code == 0
    assert "[调用工具 memory_write → 已记住：" in result.err
    (entry,) = json.loads(geekagent.memory.read_text(encoding="utf-8"))
    assert "部署窗口是周四" in entry


def test_json_is_the_events_with_one_end(geekagent: CommandLine) -> None:
    geekagent.remember(STORY)
    result = geekagent("ask", "怎么部署？", "--json")
    events = [from_json(line) for line in result.lines]
    ends = [event for event in events if isinstance(event, TurnFinished | TurnFailed | TurnCancelled)]
    assert (result.code, result.err) == (0, "")
    assert ends == [events[-1]]
    assert isinstance(events[-1], TurnFinished)
    assert [line["event"] for line in result.lines[:3]] == ["turn_started", "recall_done", "request_started"]


def test_the_question_may_come_from_standard_input(geekagent: CommandLine) -> None:
    result = geekagent("ask", "-", "--json", stdin="怎么\n部署？\n")
    assert result.lines[0]["text"] == "怎么\n部署？"


def test_bytes_that_are_no_utf8_do_no_harm(geekagent: CommandLine) -> None:
    result = geekagent("ask", "-", "--json", stdin=b"\xff\xfe?")
    assert result.lines[0]["text"] == "\ufffd\ufffd?"


def test_half_a_character_in_an_argument_is_not_lost(geekagent: CommandLine) -> None:
    result = geekagent("ask", "a\udcffb", "--json")
    assert result.code == 0
    assert result.lines[0]["text"] == "a\udcffb"
    assert geekagent("ask", "a\udcffb").code == 0


def test_a_turn_is_kept_only_in_a_session_that_is_named(geekagent: CommandLine) -> None:
    assert geekagent("ask", "一").code == 0
    assert not (geekagent.geekagent / "geekagent.db").exists()
    assert geekagent("ask", "二", "--session", "s").code == 0
    assert geekagent("--session", "s", "ask", "三").code == 0
    assert kept(geekagent, "s") == [("二", "finished"), ("三", "finished")]


@pytest.mark.parametrize("arguments", ['{"x":' + "[" * 50_000, '{"x":' + "[" * 50_000 + "]" * 50_000 + "}"])
def test_arguments_nested_too_deep_poison_neither_the_turn_nor_the_session(
    geekagent: CommandLine, arguments: str
) -> None:
    with LoopbackServer.in_thread() as server:
        geekagent.serve(server.base_url)
        server.add(tool_reply("memory_write", arguments), text_reply("没记成"), text_reply("还能聊"))
        assert geekagent("ask", "记", "--session", "s").out == "没记成\n"
        assert geekagent("ask", "再来", "--session", "s").out == "还能聊\n"
        sent = server.requests[-1].messages
    (call,) = next(message["tool_calls"] for message in sent if message.get("tool_calls"))
    assert list(json.loads(call["function"]["arguments"])) == ["malformed"]


def test_a_damaged_database_is_said_and_the_turn_goes_on(geekagent: CommandLine) -> None:
    geekagent.geekagent.mkdir()
    (geekagent.geekagent / "geekagent.db").write_bytes(b"this is no database" * 500)
    result = geekagent("ask", "一", "--session", "s")
    assert result.code == 0
    assert "corrupt-" in result.err
    assert kept(geekagent, "s") == [("一", "finished")]


def test_a_database_that_can_not_be_opened_is_said_and_the_turn_goes_on(geekagent: CommandLine) -> None:
    (geekagent.geekagent / "geekagent.db").mkdir(parents=True)
    result = geekagent("ask", "一", "--session", "s")
    assert result.code == 0
    assert "不会保存" in result.err
    assert result.out


def test_broken_memory_is_said_and_the_turn_goes_on(geekagent: CommandLine) -> None:
    geekagent.remember()
    geekagent.memory.write_text('["a",\n oops]', encoding="utf-8")
    result = geekagent("ask", "一")
    assert result.code == 0
    assert "第 2 行" in result.err
    assert geekagent.memory.read_text(encoding="utf-8") == '["a",\n oops]'


@pytest.mark.parametrize("command", [["ask", "x"], ["recall", "x"], ["search", "x", "--json"]])
def test_wrong_settings_stop_it(geekagent: CommandLine, command: list[str]) -> None:
    config = geekagent.configure('{"permissions": {}}')
    result = geekagent(*command)
    assert result.code == 3
    assert result.out == ""
    assert str(config) in result.err
    assert "permissions" in result.err


class TestService:
    def test_the_answer_goes_to_standard_output(self, geekagent: CommandLine) -> None:
        geekagent.remember(STORY)
        with LoopbackServer.in_thread(text_reply("先测试，\n再启动。")) as server:
            geekagent.serve(server.base_url)
            result = geekagent("ask", "怎么部署？")
            assert (result.code, result.out) == (0, "先测试，\n再启动。\n")
            assert STORY in server.requests[0].messages[0]["content"]

    def test_tools_that_ask_are_refused_and_others_run(self, geekagent: CommandLine) -> None:
        geekagent.configure('{"tools": {"memory_write": "ask", "get_current_time": "allow"}}')
        replies = (
            tool_reply("memory_write", {"content": "x"}),
            tool_reply("get_current_time", {}),
            text_reply("好"),
        )
        with LoopbackServer.in_thread(*replies) as server:
            geekagent.serve(server.base_url)
            result = geekagent("ask", "记一下")
        assert result.code == 0
        assert "没有允许" in result.err
        assert "[调用工具 get_current_time → 20" in result.err
        assert not geekagent.memory.exists()

    def test_a_turn_that_fails_says_why_and_what_to_do(self, geekagent: CommandLine) -> None:
        with LoopbackServer.in_thread(
            error_reply(401, {"error": {"message": "bad key sk-never-shown-0123456789"}})
        ) as server:
            geekagent.serve(server.base_url)
            result = geekagent("ask", "问")
        assert (result.code, result.out) == (1, "")
        assert "401" in result.err
        assert "never-shown" not in result.err

    def test_what_a_terminal_could_act_on_is_left_alone_in_a_pipe_and_shown_on_a_terminal(
        self, geekagent: CommandLine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with LoopbackServer.in_thread(text_reply("\x1b[31mred"), text_reply("\x1b[31mred")) as server:
            geekagent.serve(server.base_url)
            assert geekagent("ask", "问").out == "\x1b[31mred\n"
            monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
            assert geekagent("ask", "问").out == "␛[31mred\n"


def test_the_project_is_made_where_it_is_asked_for(
    geekagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEEKAGENT_HOME", str(tmp_path / "elsewhere"))
    geekagent.configure("{ broken")
    assert geekagent("ask", "一").code == 0
    assert (tmp_path / "elsewhere" / "GeekAgent.json").exists()


def test_calling_tools_without_end_is_no_success(geekagent: CommandLine) -> None:
    with LoopbackServer.in_thread(*[tool_reply("get_current_time", {}) for _ in range(MAX_ROUNDS)]) as server:
        geekagent.serve(server.base_url)
        result = geekagent("ask", "问")
    assert (result.code, result.out) == (1, "")
    assert f"{MAX_ROUNDS} 轮" in result.err


@pytest.mark.parametrize(
    ("reply", "out", "said"),
    [
        (Reply((chunk({"content": "一半的回答"}),), chunked=False), "一半的回答\n", "没有正常结束"),
        (Reply((chunk({"content": "一半"}), chunk({}, "length"), DONE)), "一半\n", "长度上限"),
        (Reply((chunk({"content": "一半"}), chunk({}, "content_filter"), DONE)), "一半\n", "内容过滤"),
        (Reply((chunk({"content": "<think>想了又想"}), chunk({}, "stop"), DONE)), "", "只思考了"),
        (Reply((chunk({}, "stop"), DONE)), "", "没有给出任何内容"),
        (Reply((chunk({"content": " \n"}), chunk({}, "stop"), DONE)), " \n", "没有给出任何回答"),
        (text_reply("好的"), "好的\n", ""),
    ],
    ids=["cut", "length", "filter", "thought", "empty", "blank", "whole"],
)
def test_how_an_answer_ended_is_said(geekagent: CommandLine, reply: Reply, out: str, said: str) -> None:
    with LoopbackServer.in_thread(reply) as server:
        geekagent.serve(server.base_url)
        result = geekagent("ask", "问")
    # Without a word of an answer there is nothing that a script could go on with.
    assert (result.code, result.out) == (0 if out.strip() else 1, out)
    assert said in result.err
    assert result.err.count("注意：") == bool(said)


@pytest.mark.parametrize(
    "arguments", [("ask", "--session", "", "hi"), ("--session", "", "ask", "hi"), ("--session", "")]
)
def test_a_session_without_a_name_is_wrong_usage(geekagent: CommandLine, arguments: tuple[str, ...]) -> None:
    result = geekagent(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "会话名" in result.err


def test_no_slash_command_is_named_where_there_is_none(geekagent: CommandLine) -> None:
    bad_key = error_reply(401, {"error": {"message": "bad key"}})
    with LoopbackServer.in_thread(bad_key, bad_key) as server:
        geekagent.serve(server.base_url)
        result = geekagent("ask", "问")
        as_json = geekagent("ask", "问", "--json")
    assert "改成有效的密钥后再试一次。" in result.err
    assert "改成有效的密钥后再试一次。" in as_json.lines[-1]["hint"]


def test_a_tool_that_asks_runs_when_it_is_named(geekagent: CommandLine) -> None:
    geekagent.configure('{"tools": {"write": "ask", "run_shell": "ask", "fetch": "ask"}}')
    replies = (
        tool_reply("write", {"path": "a/b.txt", "content": "写了\n"}, call="one"),
        tool_reply("run_shell", {"command": "touch ran"}, call="two"),
        tool_reply("fetch", {"url": "http://127.0.0.1:9/"}, call="three"),
        text_reply("好"),
    )
    with LoopbackServer.in_thread(*replies) as server:
        geekagent.serve(server.base_url)
        result = geekagent("ask", "做", "--allow", "write", "--allow", "fetch")
    assert result.code == 0
    assert (geekagent.folder / "a" / "b.txt").read_text(encoding="utf-8") == "写了\n"
    assert not (geekagent.folder / "ran").exists()
    # An address on this machine wants a yes of its own, which nobody is there to give.
    assert result.err.count("没有允许") == 2


def test_allow_wants_a_tool_that_there_is(geekagent: CommandLine) -> None:
    result = geekagent("ask", "做", "--allow", "wirte")
    assert result.code == 2
    assert "wirte" in result.err
    assert "write" in result.err
