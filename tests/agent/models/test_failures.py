"""Every way in which a service fails a turn ends in a readable error with what to do, and never shows the key."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from geekagent_tui.agent.models.openai_client import OpenAIModel
from tests.agent.models.asking import KEY, ask, failure, model_for
from tests.support.loopback import DONE, Fault, LoopbackServer, Reply, chunk, error_reply, hang_reply

PLAIN = {"message": "something went wrong"}
CONTEXT = ("context_length", "（", "/compact")


async def test_a_wrong_key(loopback: LoopbackServer) -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}.", "code": "invalid_api_key"}}
    loopback.add(error_reply(401, body))
    error = await failure(model_for(loopback, key_source=" .env"))
    assert (error.kind, error.status) == ("auth", 401)
    assert "401" in error.message
    assert "[REDACTED:OPENAI_API_KEY]" in error.message
    assert f"{loopback.base_url}/chat/completions" in error.message
    assert "OPENAI_API_KEY" in error.hint
    assert ".env" in error.hint
    assert "/retry" in error.hint


async def test_no_key_where_one_is_wanted(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(401, {"detail": "Not authenticated"}))
    error = await failure(model_for(loopback, key=""))
    assert error.kind == "auth"
    assert "设置 OPENAI_API_KEY" in error.hint


@pytest.mark.parametrize("key", ["sk-密钥-很长的一个", "sk-a b\nc", "sk-\x00xyz"])
async def test_a_key_that_no_header_can_carry(loopback: LoopbackServer, key: str) -> None:
    error = await failure(model_for(loopback, key=key))
    assert error.kind == "auth"
    assert key not in error.message + error.hint
    assert loopback.requests == []


async def test_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    error = await failure(OpenAIModel(f"http://127.0.0.1:{port}/v1", KEY, "m"))
    assert error.kind == "connection"
    assert error.message == f"连不上 127.0.0.1:{port}：那里没有服务在监听"


async def test_no_such_host() -> None:
    error = await failure(OpenAIModel("http://nowhere.invalid/v1", KEY, "m"))
    assert error.kind == "connection"
    assert error.message == "找不到主机 nowhere.invalid（DNS 解析失败）"


async def test_tls_to_a_server_that_speaks_plain_http(loopback: LoopbackServer) -> None:
    error = await failure(model_for(loopback, base_url=f"https://127.0.0.1:{loopback.port}/v1"))
    assert error.kind == "tls"
    assert "http://" in error.hint


async def test_an_impossible_address() -> None:
    for url in ("ftp://example.invalid/v1", "http://[::1/v1", "http://a b/v1", "http://127.0.0.1:99999/v1"):
        error = await failure(OpenAIModel(url, KEY, "m"))
        assert error.kind == "connection", url
        assert error.hint


async def test_silence_before_the_answer(loopback: LoopbackServer) -> None:
    loopback.add(hang_reply())
    error = await failure(model_for(loopback, silence_seconds=0.05))
    assert error.kind == "timeout"
    assert "0.05 秒" in error.message
    assert "/retry" in error.hint


async def test_silence_in_the_middle_keeps_the_text(loopback: LoopbackServer) -> None:
    loopback.add(hang_reply(chunk({"content": "说到一半"})))
    outcome = await ask(model_for(loopback, silence_seconds=0.4))
    assert outcome.text == "说到一半"
    assert outcome.error is not None
    assert outcome.error.kind == "timeout"


@pytest.mark.parametrize("fault", [Fault.CLOSE, Fault.RESET])
async def test_row_22_a_cut_in_the_middle_keeps_the_text(loopback: LoopbackServer, fault: Fault) -> None:
    loopback.add(Reply((chunk({"content": "说到<thi"}), chunk({"content": "一半\ud83d"}), fault)))
    outcome = await ask(model_for(loopback))
    assert outcome.error is not None
    assert outcome.error.kind == "interrupted"
    if fault is Fault.CLOSE:  # a reset may overtake what was sent before it
        assert outcome.text == "说到<thi一半\ud83d"


async def test_a_cut_after_the_last_word_is_no_failure(loopback: LoopbackServer) -> None:
    loopback.add(Reply((chunk({"content": "说完了"}, "stop"), Fault.CLOSE)))
    outcome = await ask(model_for(loopback))
    assert (outcome.text, outcome.finish.reason) == ("说完了", "stop")


@pytest.mark.parametrize("fault", [Fault.CLOSE, Fault.RESET])
async def test_a_server_that_hangs_up(loopback: LoopbackServer, fault: Fault) -> None:
    loopback.add(Reply((fault,), silent=True))
    error = await failure(model_for(loopback))
    assert error.kind == "connection"
    assert "断开" in error.message


async def test_a_body_that_is_not_what_its_encoding_says(loopback: LoopbackServer) -> None:
    loopback.add(Reply((b"not gzip at all",), headers={"content-encoding": "gzip"}))
    error = await failure(model_for(loopback))
    assert error.kind == "protocol"


@pytest.mark.parametrize(
    ("status", "body", "kind", "said", "hint"),
    [
        (400, PLAIN, "bad_request", "something went wrong", "/retry"),
        (402, {"error": {"message": "Insufficient Balance"}}, "rate_limit", "Insufficient Balance", "余额"),
        (403, PLAIN, "auth", "403", "权限"),
        (404, {"error": {"message": "The model `x` does not exist"}}, "not_found", "does not exist", "OPENAI_MODEL"),
        (404, "404 page not found", "not_found", "404 page not found", "/v1"),
        (405, "", "not_found", "没有说明原因", "/v1"),
        (408, PLAIN, "timeout", "408", "/retry"),
        (409, PLAIN, "bad_request", "409", "/retry"),
        (413, "", "bad_request", "413", "/new"),
        (418, "茶", "bad_request", "418：茶", "/retry"),
        (429, {"error": {"code": "insufficient_quota", "message": "quota"}}, "rate_limit", "quota", "充值"),
        (500, {"error": {"message": "boom"}}, "server", "500：boom", "/retry"),
        (502, "<html><head><title>502 Bad Gateway</title></head>", "server", "502 Bad Gateway", "/retry"),
        (503, "", "server", "503", "/retry"),
        (504, PLAIN, "timeout", "504", "/retry"),
        (529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}, "server", "Overloaded", "/retry"),
        (400, {"message": "This model's maximum context length is 8192 tokens"}, *CONTEXT),
        (400, {"message": "the request exceeds the available context size"}, *CONTEXT),
        (400, {"message": "Range of input length should be [1, 6000]"}, *CONTEXT),
        (400, {"error": {"message": "输入长度超过模型上下文限制"}}, *CONTEXT),
        (413, {"error": {"message": "maximum context length exceeded"}}, *CONTEXT),
        (400, {"error": {"message": "Model Not Exist"}}, "not_found", "Model Not Exist", "test-model"),
        (400, {"error": {"message": "reasoning_content must be passed back"}}, *("bad_request", "passed back", "思考")),
    ],
    ids=lambda value: json.dumps(value, ensure_ascii=False)[:40] if isinstance(value, dict) else None,
)  # fmt: skip
async def test_an_error_status(
    loopback: LoopbackServer, status: int, body: Any, kind: str, said: str, hint: str
) -> None:
    loopback.add(error_reply(status, body))
    error = await failure(model_for(loopback))
    assert (error.kind, error.status) == (kind, status)
    assert said in error.message
    assert str(status) in error.message
    assert hint in error.hint
    assert len(error.message) < 420
    assert "\n" not in error.message


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"error": "text"}, "text"),
        ({"error": {"message": "text"}}, "text"),
        ({"message": "text"}, "text"),
        ({"code": 1214, "msg": "text"}, "text"),
        ({"detail": "text"}, "text"),
        ({"detail": [{"loc": ["body", "model"], "msg": "field required"}]}, "body.model: field required"),
        ([{"error": {"message": "text"}}], "text"),
        ({"error": {"message": '{"error":{"message":"inner"}}'}}, "inner"),
        ({"error": {"message": "outer", "metadata": {"raw": "inner"}}}, "outer（inner）"),
        ({"error": {"code": "overloaded"}}, "overloaded"),
        ({"base_resp": {"status_code": 1004, "status_msg": "text"}}, "text"),
        ("plain\n text  of\tit ", "plain text of it"),
        ("<html><body><p>No</p><p>way</p></body></html>", "No"),
        ('{"cut', '{"cut'),
        ({"odd": 1}, '{"odd": 1}'),
        ("长" * 900, "长" * 299 + "…"),
        (f"{'x' * 280} {KEY}", "x" * 280 + " [REDACTED:OPENAI_A…"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_row_26_one_readable_line_from_any_body(loopback: LoopbackServer, body: Any, line: str) -> None:
    loopback.add(error_reply(500, body))
    error = await failure(model_for(loopback))
    assert error.message == f"服务返回 500：{line}（{loopback.base_url}/chat/completions）"


async def test_an_endless_answer_of_nothing_is_said(loopback: LoopbackServer) -> None:
    loopback.add(Reply((DONE,)))
    outcome = await ask(model_for(loopback))
    assert outcome.notices == ["服务正常结束，但没有给出任何内容"]
    assert outcome.finish.reason == "stop"


async def test_a_password_in_the_address_is_not_shown(loopback: LoopbackServer) -> None:
    loopback.add(error_reply(500, "boom"))
    error = await failure(model_for(loopback, base_url=f"http://user:geheim@127.0.0.1:{loopback.port}/v1"))
    assert error.message == f"服务返回 500：boom（{loopback.base_url}/chat/completions）"
