"""The OpenAI-compatible client against a real HTTP server, through the real library."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import aclosing

import pytest

from geekagent_tui.agent.models.base import Finish, Message, SentPiece, TextPiece, ToolCall, UsagePiece
from geekagent_tui.agent.models.openai_client import OpenAIModel
from tests.agent.models.asking import CLOCK, KEY, ask, collect, model_for, request_of
from tests.support.loopback import (
    DONE,
    Fault,
    Gate,
    LoopbackServer,
    Reply,
    chunk,
    error_reply,
    hang_reply,
    text_reply,
    tool_reply,
    usage_chunk,
)


async def test_streams_text_usage_and_a_finish(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("你好，世界 👋", pieces=1, usage=(12, 7)))
    outcome = await ask(model_for(loopback))
    assert outcome.text == "你好，世界 👋"
    assert sum(isinstance(piece, TextPiece) for piece in outcome.pieces) == 7
    assert outcome.usage == UsagePiece(12, 7)
    assert outcome.finish == Finish("stop")
    assert outcome.error is None


async def test_sends_what_the_service_expects(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("好"))
    await ask(model_for(loopback), request_of("几点了", tools=(CLOCK,)))
    sent = loopback.requests[0]
    assert (sent.method, sent.path) == ("POST", "/v1/chat/completions")
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.json == {
        "model": "test-model",
        "messages": [{"role": "system", "content": "你是助手"}, {"role": "user", "content": "几点了"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "get_current_time",
                    "description": "现在的时间",
                    "parameters": {"type": "object", "properties": {}},
                },
            }
        ],
    }


async def test_sends_calls_and_results_back(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("好"))
    call = ToolCall("call_1", "get_current_time", "{}")
    history = (Message("assistant", "", (call,)), Message("tool", "正午", tool_call_id="call_1"))
    await ask(model_for(loopback), request_of("几点了", *history))
    assert loopback.requests[0].messages[2:] == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "get_current_time", "arguments": "{}"},
                }
            ],
        },
        {"role": "tool", "content": "正午", "tool_call_id": "call_1"},
    ]


async def test_the_first_piece_comes_before_the_answer_is_over(loopback: LoopbackServer) -> None:
    gate = Gate()
    loopback.add(Reply((chunk({"content": "先"}), gate, chunk({"content": "后"}, "stop"), DONE)))
    model = model_for(loopback)
    async with aclosing(model.stream(request_of("你好"))) as stream:
        assert isinstance(await anext(stream), SentPiece)
        assert await anext(stream) == TextPiece("先")
        gate.open()
        assert [piece async for piece in stream] == [TextPiece("后"), Finish("stop")]
    await model.aclose()


async def test_closing_the_generator_closes_the_connection(loopback: LoopbackServer) -> None:
    loopback.add(Reply((chunk({"content": "一"}), Gate())), text_reply("二"))
    model = model_for(loopback)
    stream = model.stream(request_of("你好"))
    assert isinstance(await anext(stream), SentPiece)
    assert await anext(stream) == TextPiece("一")
    await stream.aclose()
    await asyncio.wait_for(loopback.requests[0].gone.wait(), 5)
    assert (await ask(model)).text == "二"


async def test_cancelling_the_reader_closes_the_connection(loopback: LoopbackServer) -> None:
    loopback.add(Reply((Gate(),)))
    model = model_for(loopback)
    task = asyncio.create_task(collect(model.stream(request_of("你好"))))
    await loopback.arrived(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(loopback.requests[0].gone.wait(), 5)
    await model.aclose()


async def test_one_client_serves_many_requests(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("一"), text_reply("二"))
    model = model_for(loopback)
    await model.warm()
    first = await collect(model.stream(request_of("1")))
    second = await collect(model.stream(request_of("2")))
    await model.aclose()
    assert (first.text, second.text) == ("一", "二")


async def test_one_tool_call(loopback: LoopbackServer) -> None:
    loopback.add(tool_reply("memory_write", {"content": "叫我小李"}, text="好，我记下"))
    outcome = await ask(model_for(loopback))
    assert outcome.text == "好，我记下"
    assert outcome.calls == (ToolCall("call_1", "memory_write", '{"content": "叫我小李"}'),)
    assert outcome.finish.reason == "stop"


async def test_a_lone_surrogate_goes_out_as_a_replacement_character(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("好"))
    broken = ToolCall("c\ud800", "f", '{"a": "\udfff"}')
    await ask(
        model_for(loopback),
        request_of(
            "半个\ud83d字\x00", Message("assistant", "", (broken,)), Message("tool", "\udc00", (), "c\ud800")
        ),
    )
    _, user, assistant, tool = loopback.requests[0].messages
    assert user["content"] == "半个\ufffd字\x00"
    assert assistant["tool_calls"][0]["function"]["arguments"] == '{"a": "\ufffd"}'
    assert assistant["tool_calls"][0]["id"] == tool["tool_call_id"] == "c\ufffd"
    assert tool["content"] == "\ufffd"


async def test_the_option_for_usage_is_left_out_when_refused_and_that_is_remembered(
    loopback: LoopbackServer,
) -> None:
    refusal = error_reply(400, {"error": {"message": "Unrecognized request argument: stream_options"}})
    loopback.add(refusal, text_reply("一"), text_reply("二"))
    model = model_for(loopback)
    first = await collect(model.stream(request_of("1")))
    second = await collect(model.stream(request_of("2")))
    await model.aclose()
    assert (first.text, second.text) == ("一", "二")
    assert ["stream_options" in request.json for request in loopback.requests] == [True, False, False]
    assert first.notices == []


async def test_the_option_for_usage_is_suspected_once_when_the_reason_is_unclear(
    loopback: LoopbackServer,
) -> None:
    loopback.add(error_reply(400, "bad request"), error_reply(400, "still bad"), text_reply("好"))
    model = model_for(loopback)
    outcome = await collect(model.stream(request_of("1")))
    assert outcome.error is not None
    assert "bad request" in outcome.error.message
    assert (await collect(model.stream(request_of("2")))).text == "好"
    await model.aclose()
    assert ["stream_options" in request.json for request in loopback.requests] == [True, False, True]


async def test_a_model_without_tools_answers_without_them(loopback: LoopbackServer) -> None:
    refusal = error_reply(400, {"error": "registry.example/tiny does not support tools"})
    loopback.add(refusal, text_reply("好"))
    call = ToolCall("call_1", "get_current_time", "{}")
    earlier = (
        "几点了",
        Message("assistant", "看一下", (call,)),
        Message("tool", "正午", (), "call_1"),
        Message("assistant", "正午了"),
        "谢谢",
    )
    outcome = await ask(model_for(loopback), request_of(*earlier, tools=(CLOCK,)))
    assert outcome.text == "好"
    assert outcome.notices == ["模型 test-model 不支持工具调用，这一轮不带工具；长期记忆的自动唤起照常。"]
    sent = loopback.requests[1]
    assert "tools" not in sent.json
    assert [message["role"] for message in sent.messages] == ["system", "user", "assistant", "user"]
    assert sent.messages[2]["content"] == "看一下\n\n正午\n\n正午了"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:07 GMT"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "250ms"}, 0.25),
    ],
)
async def test_row_27_a_busy_service_is_waited_for(
    loopback: LoopbackServer, headers: dict[str, str], seconds: float
) -> None:
    loopback.add(error_reply(429, {"error": {"message": "slow down"}}, headers), text_reply("好"))
    waited: list[float] = []

    async def sleep(time: float) -> None:
        waited.append(time)

    noon = 1796126400.0  # 2026-12-01 12:00 UTC
    outcome = await ask(model_for(loopback, sleep=sleep, now=lambda: noon))
    assert outcome.text == "好"
    assert waited == [pytest.approx(seconds)]
    assert len(outcome.notices) == 1
    assert "429" in outcome.notices[0]


@pytest.mark.parametrize(
    "headers", [{"retry-after": "3600"}, {}, {"retry-after": "soon"}, {"retry-after": "-5"}]
)
async def test_row_27_a_long_or_unnamed_wait_is_reported(
    loopback: LoopbackServer, headers: dict[str, str]
) -> None:
    loopback.add(error_reply(429, {"error": {"message": "slow down"}}, headers))

    async def sleep(time: float) -> None:
        pytest.fail("waited")

    outcome = await ask(model_for(loopback, sleep=sleep))
    assert outcome.error is not None
    assert outcome.error.kind == "rate_limit"
    assert ("3600" in outcome.error.hint) == (headers.get("retry-after") == "3600")


async def test_a_service_that_stays_busy_is_given_up(loopback: LoopbackServer) -> None:
    loopback.add(*(error_reply(503, "busy", {"retry-after": "1"}) for _ in range(3)))

    async def sleep(time: float) -> None:
        return None

    outcome = await ask(model_for(loopback, sleep=sleep))
    assert outcome.error is not None
    assert outcome.error.kind == "server"
    assert len(outcome.notices) == 2
    assert len(loopback.requests) == 3


async def test_row_46_a_bare_address_means_its_v1(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("好"))
    outcome = await ask(model_for(loopback, base_url=f"127.0.0.1:{loopback.port}"))
    assert outcome.text == "好"
    assert loopback.requests[0].path == "/v1/chat/completions"


async def test_row_46_a_bare_address_without_v1_is_tried_second(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(404, "404 page not found"), text_reply("一"), text_reply("二"))
    model = model_for(loopback, base_url=f"http://127.0.0.1:{loopback.port}/")
    first = await collect(model.stream(request_of("1")))
    second = await collect(model.stream(request_of("2")))
    await model.aclose()
    assert (first.text, second.text) == ("一", "二")
    paths = [request.path for request in loopback.requests]
    assert paths == ["/v1/chat/completions", "/chat/completions", "/chat/completions"]


async def test_row_25_when_no_address_answers_the_error_names_the_likely_one(
    loopback: LoopbackServer,
) -> None:
    loopback.add(error_reply(404, "nothing"), error_reply(404, "nothing"))
    model = model_for(loopback, base_url=f"http://127.0.0.1:{loopback.port}")
    outcome = await ask(model)
    assert outcome.error is not None
    assert f"http://127.0.0.1:{loopback.port}/v1/chat/completions" in outcome.error.message
    assert model.base_url == loopback.base_url


async def test_usage_of_a_reply_in_pieces_is_the_last_one(loopback: LoopbackServer) -> None:
    counted = [{"prompt_tokens": 9, "completion_tokens": n} for n in range(4)]
    loopback.add(
        Reply((*(chunk({"content": "x"}, usage=usage) for usage in counted), chunk({}, "stop"), DONE))
    )
    outcome = await ask(model_for(loopback))
    assert outcome.usage == UsagePiece(9, 3)


async def test_the_model_names_itself() -> None:
    assert OpenAIModel("http://127.0.0.1:1/v1", "", "qwen3").label == "qwen3"
    assert OpenAIModel("http://127.0.0.1:1/v1", "", "").label == "（未指定模型）"
    assert not OpenAIModel("", "k", "m").offline
    assert OpenAIModel("", "k", "m").base_url == "https://api.openai.com/v1"


async def test_without_a_key_a_local_server_is_asked_all_the_same(loopback: LoopbackServer) -> None:
    loopback.add(text_reply("好"))
    assert (await ask(model_for(loopback, key=""))).text == "好"


def test_importing_the_clients_loads_nothing_heavy() -> None:
    names = "openai_client", "offline", "local", "errors"
    lines = [f"import geekagent_tui.agent.models.{name}" for name in names]
    heavy = ["openai", "httpx2", "pydantic", "numpy", "sqlite3"]
    lines += ["import sys", f"print([name for name in {heavy!r} if name in sys.modules])"]
    ran = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_in_a_thread_the_server_serves_a_program_that_blocks() -> None:
    with LoopbackServer.in_thread(text_reply("好")) as server:
        outcome = asyncio.run(ask(model_for(server)))
    assert outcome.text == "好"
    assert server.requests[0].messages[-1]["content"] == "你好"


async def test_usage_alone_after_the_finish_is_read(loopback: LoopbackServer) -> None:
    loopback.add(Reply((chunk({"content": "好"}, "stop"), usage_chunk(3, 4), DONE)))
    assert (await ask(model_for(loopback))).usage == UsagePiece(3, 4)


async def test_a_connection_left_open_after_the_answer_does_not_hold_it_up(loopback: LoopbackServer) -> None:
    loopback.add(hang_reply(chunk({"content": "好"}, "stop"), DONE))
    outcome = await asyncio.wait_for(ask(model_for(loopback)), 5)
    assert (outcome.text, outcome.finish) == ("好", Finish("stop"))
    await asyncio.wait_for(loopback.requests[0].gone.wait(), 5)


async def test_a_guess_that_meets_another_fault_is_taken_back(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(400, "bad request"), Reply((Fault.CLOSE,), silent=True), text_reply("好"))
    model = model_for(loopback)
    assert (await collect(model.stream(request_of("1")))).error is not None
    await ask(model)
    assert ["stream_options" in request.json for request in loopback.requests] == [True, False, True]
