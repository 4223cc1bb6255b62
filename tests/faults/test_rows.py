"""The 46 rows of the compatibility matrix: what services really send, byte for byte from a loopback server, through the
real client and a whole turn of ours. One turn, nothing lost, nothing doubled, no traceback.

One function a row; ``test_every_row_has_its_test`` counts them. The many shapes that one row can have are played one by
one to the client alone in ``tests/agent/models/test_matrix.py``, error bodies in ``test_failures.py`` beside it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest

from geekagent_tui.agent.events import TurnCancelled, Usage
from geekagent_tui.agent.models.local import Reachable, check_reachable
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.harmless import harmless
from tests.agent.models.asking import model_for
from tests.support.loopback import (
    DONE,
    Fault,
    Gate,
    LoopbackServer,
    Reply,
    Step,
    chunk,
    error_reply,
    hang_reply,
    json_reply,
    split,
    text_reply,
    tool_reply,
    usage_chunk,
)
from tests.support.talk import (
    RECALLED,
    Talk,
    failed,
    finished,
    notices,
    reasoning,
    results,
    sound_history,
    texts,
)

STOP = chunk({}, "stop")
NOON = 1_796_126_400.0
"""2026-12-01 12:00 UTC."""


def say(text: str, finish: str | None = None) -> dict[str, Any]:
    return chunk({"content": text}, finish)


def event(data: Any) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


def piece(
    index: int | None = 0, call: str | None = None, name: str | None = None, arguments: Any = None
) -> dict[str, Any]:
    """A chunk with one piece of a tool call; what is None is left out."""
    return chunk({"tool_calls": [part(index, call, name, arguments)]})


def part(
    index: int | None = 0, call: str | None = None, name: str | None = None, arguments: Any = None
) -> dict[str, Any]:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    made: dict[str, Any] = {"function": function}
    if index is not None:
        made["index"] = index
    if call is not None:
        made["id"] = call
    return made


async def play(server: LoopbackServer, *steps: Step, **options: Any) -> TurnRecord:
    """One turn whose first request is answered with ``steps``; a second one, after calls, with 完."""
    server.add(Reply(steps), text_reply("完"))
    return await Talk(model_for(server, **options)).say()


async def called(server: LoopbackServer, steps: Iterable[Step], got: list[Any]) -> TurnRecord:
    """A turn whose first answer calls ``note`` with each of ``got``; what went back must be a sound history."""
    server.add(Reply((*steps, chunk({}, "tool_calls"), DONE)), text_reply("完"))
    talk = Talk(model_for(server))
    record = finished(await talk.say())
    assert talk.note.got == got
    assert results(record) == [f"记下 {each}" for each in got]
    assert record.answer.endswith("完")
    sound_history(server.requests[-1].messages)
    calls = server.requests[-1].messages[2]["tool_calls"]
    assert len({call["id"] for call in calls}) == len(got)
    return record


async def test_row_1(loopback: LoopbackServer) -> None:
    record = finished(await play(loopback, say("好"), STOP, usage_chunk(7, 3), DONE))
    assert record.usage == (Usage(record.id, 7, 3, exact=True),)


async def test_row_2(loopback: LoopbackServer) -> None:
    record = finished(await play(loopback, say("好"), STOP, DONE))
    (usage,) = record.usage
    assert not usage.exact
    assert usage.prompt_tokens > 50  # the system prompt at least


async def test_row_3(loopback: LoopbackServer) -> None:
    refusal = error_reply(400, {"error": {"message": "Unrecognized request argument: stream_options"}})
    loopback.add(refusal, text_reply("一"), text_reply("二"))
    talk = Talk(model_for(loopback))
    assert [finished(await talk.say()).answer for _ in range(2)] == ["一", "二"]
    assert ["stream_options" in sent.json for sent in loopback.requests] == [True, False, False]


async def test_row_4(loopback: LoopbackServer) -> None:
    counted = [{"prompt_tokens": 9, "completion_tokens": n} for n in range(1, 5)]
    record = await play(loopback, *(chunk({"content": "x"}, usage=usage) for usage in counted), STOP, DONE)
    assert finished(record).usage == (Usage(record.id, 9, 4, exact=True),)


async def test_row_5(loopback: LoopbackServer) -> None:
    deltas: tuple[dict[str, Any], ...] = (
        {"role": "assistant", "content": None}, {"content": ""}, {"content": "好"}, {"content": None}
    )  # fmt: skip
    record = finished(await play(loopback, *map(chunk, deltas), STOP, DONE))
    assert texts(record) == ["好"]


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_row_6(loopback: LoopbackServer, name: str) -> None:
    loopback.add(Reply((chunk({name: "先想"}), say("好"), STOP, DONE)), text_reply("又好"))
    talk = Talk(model_for(loopback))
    record = finished(await talk.say())
    assert (reasoning(record), record.answer) == ("先想", "好")
    await talk.say("再来")
    assert "先想" not in json.dumps(loopback.requests[1].messages, ensure_ascii=False)


async def test_row_7(loopback: LoopbackServer) -> None:
    content = "<think>\n先想</think>\n\n答案"
    record = finished(await play(loopback, *map(say, content), STOP, DONE))
    assert (reasoning(record), record.answer) == ("先想", "答案")


async def test_row_8(loopback: LoopbackServer) -> None:
    whole = {"id": "c1", "type": "function", "function": {"name": "note", "arguments": '{"x": 1}'}}
    await called(loopback, [chunk({"role": "assistant", "tool_calls": [whole]})], [1])


async def test_row_9(loopback: LoopbackServer) -> None:
    value = 'a\\"b😀é\n'
    arguments = json.dumps({"x": value})
    pieces = [event(piece(0, "c1", "note", "")), *(event(piece(0, None, None, each)) for each in arguments)]
    raw = event(piece(0, "c2", "note", json.dumps({"x": "记住😀"}, ensure_ascii=False)))
    await called(loopback, [*pieces, *split(raw, 1)], [value, "记住😀"])


async def test_row_10(loopback: LoopbackServer) -> None:
    steps = (
        chunk({"tool_calls": [part(0, "a", "note", '{"x"'), part(1, "b", "note", "")]}),
        piece(1, None, None, '{"x": '), piece(0, None, None, ": 1}"), piece(1, None, None, "2}"),
    )  # fmt: skip
    await called(loopback, steps, [1, 2])


@pytest.mark.parametrize("index", [None, 0])
async def test_row_11(loopback: LoopbackServer, index: int | None) -> None:
    steps = (
        piece(index, "a", "note", '{"x": 1'), piece(index, None, None, "}"), piece(index, "b", "note", '{"x": 2}')
    )  # fmt: skip
    await called(loopback, steps, [1, 2])


async def test_row_12(loopback: LoopbackServer) -> None:
    later = {"index": 0, "id": None, "function": {"name": None, "arguments": " 1}"}}
    steps = (piece(0, "a", "no"), piece(0, "", "te", '{"x":'), chunk({"tool_calls": [later]}))
    await called(loopback, steps, [1])
    assert loopback.requests[-1].messages[2]["tool_calls"][0]["id"] == "a"


async def test_row_13(loopback: LoopbackServer) -> None:
    await called(loopback, [piece(0, None, "note", '{"x": 1}'), piece(1, "", "note", '{"x": 2}')], [1, 2])


@pytest.mark.parametrize(("arguments", "x"), [({"x": {"y": 1}}, {"y": 1}), ("", None), ("null", None)])
async def test_row_14(loopback: LoopbackServer, arguments: Any, x: Any) -> None:
    await called(loopback, [piece(0, "a", "note", arguments)], [x])


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call", "eos", "", None])
async def test_row_15(loopback: LoopbackServer, reason: str | None) -> None:
    record = finished(await play(loopback, piece(0, "a", "note", "{}"), chunk({}, reason), DONE))
    assert (results(record), record.answer) == (["记下 None"], "完")
    assert finished(await play(loopback, say("好"), chunk({}, reason), DONE)).answer


async def test_row_16(loopback: LoopbackServer) -> None:
    record = finished(await play(loopback, say("说到一半"), chunk({}, "length"), DONE), "length")
    assert record.answer == "说到一半"
    loopback.clear()
    record = await play(loopback, piece(0, "a", "note", '{"x": 1'), chunk({}, "length"), DONE)
    assert results(finished(record, "length")) == []
    assert notices(record) == ["有 1 个工具调用没有写完，没有执行"]


async def test_row_17(loopback: LoopbackServer) -> None:
    record = await play(loopback, say("开头"), chunk({}, "content_filter"), DONE)
    assert finished(record, "filter").answer == "开头"
    loopback.clear()
    record = await play(loopback, chunk({"refusal": "不能说", "content": None}), STOP, DONE)
    assert finished(record, "filter").answer == "不能说"


@pytest.mark.parametrize(
    "text", ['<tool_call>{"name": "note"}</tool_call>', '```json\n{"name": "note"}\n```']
)
async def test_row_18(loopback: LoopbackServer, text: str) -> None:
    record = finished(await play(loopback, say(text), STOP, DONE))
    assert (record.answer, results(record)) == (text, [])


async def test_row_19(loopback: LoopbackServer) -> None:
    lines = (
        ": OPENROUTER PROCESSING", "", "", "event: message", f"data:{json.dumps(say('甲'))}", "",
        f"data: {json.dumps(say('乙', 'stop'))}", "", "data: [DONE]", "", "",
    )  # fmt: skip
    assert finished(await play(loopback, "\r\n".join(lines))).answer == "甲乙"


async def test_row_20(loopback: LoopbackServer) -> None:
    assert finished(await play(loopback, say("好", "stop"))).answer == "好"
    loopback.clear()
    assert finished(await play(loopback, say("好", "stop"), DONE, say("多余"), b"junk")).answer == "好"


@pytest.mark.parametrize("extra", [{}, {"choices": []}])
async def test_row_21(loopback: LoopbackServer, extra: dict[str, Any]) -> None:
    record = await play(loopback, say("说到"), {"error": {"message": "上游断了"}, **extra}, say("不算"), DONE)
    assert failed(record, "server").message == "服务在回答中途报错：上游断了"
    assert record.answer == "说到"


async def test_row_22(loopback: LoopbackServer) -> None:
    record = await play(loopback, say("说到"), say("一半"), Fault.CLOSE)
    assert "/retry" in failed(record, "interrupted").hint
    assert record.answer == "说到一半"


async def test_row_23(loopback: LoopbackServer) -> None:
    message = {"role": "assistant", "content": "整段"}
    loopback.add(json_reply({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))
    assert finished(await Talk(model_for(loopback)).say()).answer == "整段"


async def test_row_24(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(200, "<!DOCTYPE html><html><head><title>校园网认证</title></head></html>"))
    end = failed(await Talk(model_for(loopback)).say(), "protocol")
    assert end.message.startswith("这个地址返回的是网页，不是模型服务：校园网认证")


@pytest.mark.parametrize(("path", "fix"), [("/api", "/v1 结尾"), ("/v1/x/v1", "重复")])
async def test_row_25(loopback: LoopbackServer, path: str, fix: str) -> None:
    loopback.add(error_reply(404, "404 page not found"))
    base = f"http://127.0.0.1:{loopback.port}{path}"
    end = failed(await Talk(model_for(loopback, base_url=base)).say(), "not_found")
    assert f"{base}/chat/completions" in end.message
    assert fix in end.hint


@pytest.mark.parametrize(
    "body",
    [
        {"error": "说明"}, {"message": "说明"}, {"detail": [{"msg": "说明"}]}, {"code": 1214, "msg": "说明"},
        "说明", "",
    ],
    ids=str,
)  # fmt: skip
async def test_row_26(loopback: LoopbackServer, body: Any) -> None:
    loopback.add(error_reply(500, body))
    end = failed(await Talk(model_for(loopback)).say(), "server")
    assert end.message.startswith("服务返回 500：说明" if body else "服务返回 500，没有说明原因")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("Tue, 01 Dec 2026 12:00:07 GMT", 7.0), ("1500ms", 1.5), ("3600", None)],
)
async def test_row_27(loopback: LoopbackServer, value: str, seconds: float | None) -> None:
    waited: list[float] = []

    async def sleep(time: float) -> None:
        waited.append(time)

    loopback.add(error_reply(429, {"error": {"message": "慢点"}}, {"retry-after": value}), text_reply("好"))
    record = await Talk(model_for(loopback, sleep=sleep, now=lambda: NOON)).say()
    if seconds is None:
        assert "3600" in failed(record, "rate_limit").hint
        assert waited == []
    else:
        assert finished(record).answer == "好"
        assert sum(waited) == pytest.approx(seconds)


async def test_row_27_the_wait_can_be_left(loopback: LoopbackServer) -> None:
    waits = asyncio.Event()

    async def sleep(time: float) -> None:
        waits.set()
        await asyncio.Event().wait()

    loopback.add(error_reply(429, {"error": {"message": "慢点"}}, {"retry-after": "9"}), text_reply("好"))
    talk = Talk(model_for(loopback, sleep=sleep))
    turn = asyncio.create_task(talk.say())
    await waits.wait()
    assert talk.conversation.cancel()
    assert isinstance((await turn).end, TurnCancelled)
    assert finished(await talk.say("还在吗")).answer == "好"


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens", "the request exceeds the available context size",
        "Range of input length should be [1, 6000]", "输入长度超过模型上下文限制",
    ],
)  # fmt: skip
async def test_row_28(loopback: LoopbackServer, said: str) -> None:
    loopback.add(error_reply(400, {"error": {"message": said}}))
    assert "/compact" in failed(await Talk(model_for(loopback)).say(), "context_length").hint


async def test_row_29(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(400, {"error": "tiny does not support tools"}), text_reply("好"))
    record = finished(await Talk(model_for(loopback)).say())
    assert record.answer == "好"
    assert "不支持工具调用" in notices(record)[0]
    again = loopback.requests[1]
    assert "tools" not in again.json
    assert RECALLED in again.messages[0]["content"]


async def test_row_30(loopback: LoopbackServer) -> None:
    """After a turn that failed with nothing, one that was stopped, one with calls, one that was cut, one that is empty:
    one system message, and user and assistant in turn."""
    loopback.add(
        error_reply(500, "boom"),
        Reply((Gate(),)),
        Reply((piece(0, "a", "note", '{"x": 1}'), chunk({}, "tool_calls"), DONE)),
        error_reply(500, "boom"),
        Reply((say("说到一"), Fault.CLOSE)),
        Reply((DONE,)),
        text_reply("好"),
    )
    talk = Talk(model_for(loopback))
    await talk.say("一")
    turn = asyncio.create_task(talk.say("二"))
    await loopback.arrived(2)
    talk.conversation.cancel()
    await turn
    for text in "三四五六":
        await talk.say(text)
    for sent in loopback.requests:
        sound_history(sent.messages)
    said = [message["content"] for message in loopback.requests[-1].messages if message["role"] == "user"]
    assert said == ["二", "三", "四", "五", "六"]


async def test_row_31(loopback: LoopbackServer) -> None:
    """A call that was stopped, one of a tool that there is not, one with rubbish for arguments: each has its result."""
    pieces = [part(n, f"c{n}", name, "{]") for n, name in enumerate(("note", "nothing_of_the_kind", ""))]
    loopback.add(Reply((chunk({"tool_calls": pieces}), chunk({}, "tool_calls"), DONE)), text_reply("好"))
    talk = Talk(model_for(loopback))
    started = asyncio.Event()

    async def forever(arguments: object) -> Any:
        started.set()
        await asyncio.Event().wait()

    assert finished(await talk.say()).answer == "好"
    sound_history(loopback.requests[-1].messages)
    talk.note.run = forever  # type: ignore[method-assign]
    loopback.add(tool_reply("note", {}), text_reply("又好"))
    turn = asyncio.create_task(talk.say("再记"))
    await started.wait()
    talk.conversation.cancel()
    assert isinstance((await turn).end, TurnCancelled)
    assert finished(await talk.say("然后")).answer == "又好"
    sound_history(loopback.requests[-1].messages)


async def test_row_32(loopback: LoopbackServer) -> None:
    bare = {"choices": [{"delta": {"content": "好"}}]}
    wrong = {"id": 7, "created": "x", "object": None, "model": {}, "logprobs": 3, "system_fingerprint": []}
    record = await play(loopback, bare, chunk({"content": "的", "extra": [1]}) | wrong, STOP, DONE)
    assert finished(record).answer == "好的"


async def test_row_33(loopback: LoopbackServer) -> None:
    large = "长" * 30_000
    small = b"".join(event(say("字")) for _ in range(2_000))
    record = await play(loopback, say(large), *split(small, 4_096), *split(event(say("末")), 1), STOP, DONE)
    assert finished(record).answer == large + "字" * 2_000 + "末"


async def test_row_34(loopback: LoopbackServer) -> None:
    """Silence counts from the last byte: an answer that takes longer than the limit in all is no time-out."""
    steps: list[Step] = []
    gates = [Gate() for _ in range(3)]
    for gate in gates:
        steps.extend((gate, b": ping\n\n"))
    loopback.add(Reply((*steps, say("好"), STOP, DONE)), hang_reply())
    talk = Talk(model_for(loopback, silence_seconds=0.5))
    loop = asyncio.get_running_loop()
    for at, gate in enumerate(gates, 1):
        loop.call_later(0.2 * at, gate.open)
    assert finished(await talk.say()).answer == "好"
    end = failed(await talk.say(), "timeout")
    assert "0.5 秒" in end.message


async def test_row_35(loopback: LoopbackServer) -> None:
    raw = event(say("多字节😀\x00\x1b[31m", "stop")) + DONE
    record = finished(await play(loopback, *split(raw, 1)))
    assert record.answer == "多字节😀\x00\x1b[31m"
    assert not set("\x00\x1b") & set(harmless(record.answer))
    loopback.clear()
    loopback.add(Reply((say("孤\ud83d"), STOP, DONE)), text_reply("好"))
    talk = Talk(model_for(loopback))
    assert finished(await talk.say()).answer == "孤\ud83d"
    assert finished(await talk.say("再来")).answer == "好"


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        (error_reply(404, "nothing"), None),
        (json_reply({"object": "list", "data": []}), 0),
        (json_reply({"object": "list", "data": [{"id": f"m{n}"} for n in range(3_000)]}), 3_000),
    ],
    ids=["missing", "empty", "thousands"],
)
async def test_row_36(loopback: LoopbackServer, reply: Reply, names: int | None) -> None:
    """Whatever the list is, a name that is not on it is asked for."""
    loopback.add(reply, text_reply("好"))
    found = await check_reachable(loopback.base_url, "sk-test")
    assert (len(found.models) if isinstance(found, Reachable) else None) == names
    assert finished(await Talk(model_for(loopback)).say()).answer == "好"
    assert loopback.requests[-1].json["model"] == "test-model"


async def test_row_37(loopback: LoopbackServer) -> None:
    empty: tuple[Step, ...] = (
        {"choices": [], "prompt_filter_results": [{}]}, chunk(choices=None), {"id": "x"},
        chunk(choices=[{"index": 0, "delta": None}]),
    )  # fmt: skip
    assert finished(await play(loopback, *empty, say("好"), STOP, *empty, DONE)).answer == "好"


async def test_row_38(loopback: LoopbackServer) -> None:
    nothing = {"index": 1, "id": "a", "function": None}
    steps = (piece(1, "a", "note", '{"x"'), chunk({"tool_calls": [nothing]}), piece(1, "a", "note", ": 1}"))
    await called(loopback, steps, [1])


async def test_row_39(loopback: LoopbackServer) -> None:
    noise = b"id: 1\n: ping\n\nretry: 100\n\ndata:\n\ndata: : keepalive\n\nid: 2\n\n"
    assert (
        finished(await play(loopback, noise, say("甲"), noise, say("乙"), STOP, noise, DONE)).answer == "甲乙"
    )


async def test_row_40(loopback: LoopbackServer) -> None:
    record = await play(loopback, say("甲"), 'event: error\ndata: {"message": "太忙了"}\n\n')
    assert failed(record, "server").message == "服务在回答中途报错：太忙了"
    assert record.answer == "甲"


async def test_row_41(loopback: LoopbackServer) -> None:
    assert finished(await play(loopback, say("说到一半")), "unknown").answer == "说到一半"


@pytest.mark.parametrize("body", [b'{"ok": true}', b"<html><body>hi</body></html>", b""])
async def test_row_42(loopback: LoopbackServer, body: bytes) -> None:
    """Under the stream's own content type, where the client sees an empty stream."""
    end = failed(await play(loopback, body), "protocol")
    assert loopback.base_url in end.message


async def test_row_43(loopback: LoopbackServer) -> None:
    raw = b"\xef\xbb\xbf" + event(say("甲")) + event(say("乙", "stop")) + DONE
    assert finished(await play(loopback, *split(raw, 1))).answer == "甲乙"


async def test_row_44(loopback: LoopbackServer) -> None:
    record = await play(loopback, say("开头"), chunk({}, "sensitive"), DONE)
    assert finished(record, "filter").answer == "开头"
    for reason in ("network_error", "insufficient_system_resource"):
        loopback.clear()
        record = await play(loopback, say("开头"), chunk({}, reason), DONE)
        assert reason in failed(record, "cancelled_by_service").message
        assert record.answer == "开头"


async def test_row_45(loopback: LoopbackServer) -> None:
    loopback.add(
        error_reply(400, {"error": {"message": "The reasoning_content must be passed back to the API."}})
    )
    assert "思考" in failed(await Talk(model_for(loopback)).say(), "bad_request").hint


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("", "/v1/chat/completions"), ("/v1/chat/completions", "/v1/chat/completions"),
        ("/api/v3", "/api/v3/chat/completions"), ("/v1/v1/", "/v1/chat/completions"),
    ],
)  # fmt: skip
async def test_row_46(loopback: LoopbackServer, path: str, asked: str) -> None:
    loopback.add(text_reply("好"))
    talk = Talk(model_for(loopback, base_url=f"http://127.0.0.1:{loopback.port}{path}"))
    assert finished(await talk.say()).answer == "好"
    assert loopback.requests[0].path == asked


def test_every_row_has_its_test() -> None:
    assert [n for n in range(1, 47) if f"test_row_{n}" not in globals()] == []
