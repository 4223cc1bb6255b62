"""Looking for servers on loopback ports, and asking a configured service whether it is there."""

from __future__ import annotations

import asyncio
import socket

import pytest

from geekagent_tui.agent.models.base import ModelError
from geekagent_tui.agent.models.local import (
    LocalServer,
    Reachable,
    check_reachable,
    find_local_servers,
    model_names,
)
from tests.agent.models.asking import KEY
from tests.support.loopback import DONE, Fault, LoopbackServer, Reply, error_reply, hang_reply, json_reply

MODELS = {
    "object": "list",
    "data": [{"id": "qwen3:8b"}, {"id": "llama3"}, {"id": "llama3"}, {"name": "x"}, None],
}


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


async def test_finds_the_servers_that_list_models_in_the_order_of_the_ports(loopback: LoopbackServer) -> None:
    loopback.add(json_reply(MODELS))
    async with LoopbackServer(json_reply({"object": "list", "data": None})) as second:
        ports = [("none", closed_port()), ("Ollama", loopback.port), ("vLLM", second.port)]
        found = await find_local_servers(ports, connect_seconds=5, answer_seconds=5)
    assert found == [
        LocalServer("Ollama", loopback.base_url, ("qwen3:8b", "llama3")),
        LocalServer("vLLM", second.base_url, ()),
    ]
    assert (loopback.requests[0].method, loopback.requests[0].path) == ("GET", "/v1/models")
    assert "authorization" not in loopback.requests[0].headers


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(401, {"error": "key"}),
        error_reply(404, "nothing here"),
        error_reply(200, "<html><title>Jenkins</title></html>"),
        json_reply({"data": []}),
        json_reply({"status": "ok"}),
        error_reply(200, b"\xff\xfe\x00"),
        Reply((b"[",), chunked=False),
        Reply((b"SSH-2.0-OpenSSH_9.6\r\n",), silent=True),
        Reply((Fault.RESET,), silent=True),
        Reply((Fault.CLOSE,), silent=True),
        Reply((DONE,)),
    ],
    ids=str,
)
async def test_whatever_else_listens_there_is_no_server(loopback: LoopbackServer, reply: Reply) -> None:
    loopback.add(reply)
    assert await find_local_servers([("x", loopback.port)]) == []


async def test_one_that_never_answers_is_left_alone(loopback: LoopbackServer) -> None:
    loopback.add(hang_reply())
    assert await find_local_servers([("x", loopback.port)], connect_seconds=5, answer_seconds=0.3) == []
    await asyncio.wait_for(loopback.requests[0].gone.wait(), 5)


def test_a_model_list_may_be_bare_or_long() -> None:
    assert model_names('[{"id": "a"}]') == ("a",)
    many = ",".join(f'{{"id": "m{n}"}}' for n in range(3000))
    assert len(model_names(f'{{"data": [{many}]}}') or ()) == 3000
    assert model_names("[" * 100_000) is None


async def test_a_reachable_service_says_what_it_offers(loopback: LoopbackServer) -> None:
    loopback.add(json_reply(MODELS))
    found = await check_reachable(f"127.0.0.1:{loopback.port}", KEY)
    assert found == Reachable(loopback.base_url, ("qwen3:8b", "llama3"))
    assert loopback.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error_reply(401, {"error": {"message": f"bad key {KEY}"}}), "auth"),
        (error_reply(404, "nope"), "not_found"),
        (error_reply(200, "<html><h1>登录</h1></html>"), "protocol"),
        (Reply((Fault.CLOSE,), silent=True), "connection"),
    ],
    ids=["401", "404", "html", "gone"],
)
async def test_an_unreachable_service_is_an_error_and_not_an_exception(
    loopback: LoopbackServer, reply: Reply, kind: str
) -> None:
    loopback.add(reply)
    found = await check_reachable(loopback.base_url, KEY)
    assert isinstance(found, ModelError)
    assert found.kind == kind
    assert KEY not in found.message + found.hint


async def test_nobody_there_is_an_error_too() -> None:
    found = await check_reachable(f"http://127.0.0.1:{closed_port()}/v1", KEY)
    assert isinstance(found, ModelError)
    assert found.kind == "connection"
