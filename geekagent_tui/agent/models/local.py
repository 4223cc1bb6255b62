"""Model servers on this machine, and whether a configured service answers.

Looking is cheap and silent: a request for the model list on the usual loopback ports. Nothing found is ever used
unless the user says so.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from geekagent_tui.agent.models.base import ModelError
from geekagent_tui.texts.models import ZH, ModelsTexts

HOST = "127.0.0.1"
USUAL_PORTS: tuple[tuple[str, int], ...] = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("vLLM", 8000),
)
_CONNECT_SECONDS = 0.3
_ANSWER_SECONDS = 1.5
_LIMIT = 2_000_000


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered with a model list. ``base_url`` ends in ``/v1``."""

    name: str
    base_url: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reachable:
    """A service answered. ``url`` is the address asked; ``models`` what it offers, in its own order."""

    url: str
    models: tuple[str, ...]


async def find_local_servers(
    ports: Iterable[tuple[str, int]] = USUAL_PORTS,
    *,
    connect_seconds: float = _CONNECT_SECONDS,
    answer_seconds: float = _ANSWER_SECONDS,
) -> list[LocalServer]:
    """The servers on ``ports`` (name, port) that list models, in that order. Never raises; asks all at once."""
    found = await asyncio.gather(
        *(_look(name, port, connect_seconds, answer_seconds) for name, port in ports)
    )
    return [server for server in found if server is not None]


async def check_reachable(
    base_url: str,
    api_key: str,
    *,
    model: str = "",
    key_source: str = "",
    seconds: float = 10.0,
    texts: ModelsTexts = ZH,
) -> Reachable | ModelError:
    """Ask a service for its models, through the same client as a turn. ``seconds`` limits each step of it.

    ``model`` and ``key_source`` only serve the error's hint.
    """
    from openai import APIStatusError

    from geekagent_tui.agent.models.address import base_urls
    from geekagent_tui.agent.models.errors import Diagnosis
    from geekagent_tui.agent.models.openai_client import open_client

    url = base_urls(base_url)[0]
    key = api_key.strip()
    diagnosis = Diagnosis(
        url=f"{url}/models",
        model=model or texts.no_model_name,
        api_key=key,
        key_source=key_source,
        texts=texts,
    )
    if not (key.isascii() and key.isprintable()):
        return diagnosis.bad_key()
    try:
        client = await asyncio.to_thread(open_client, url, key, connect=seconds, silence=seconds)
        async with client:
            body = (await client.models.with_raw_response.list()).text
    except APIStatusError as refusal:
        return diagnosis.answer(refusal.status_code, refusal.response.text)
    except Exception as problem:  # noqa: BLE001 - whatever the library raises is a finding here
        return diagnosis.failure(problem, begun=False, connect=seconds, silence=seconds)
    models = model_names(body)
    return diagnosis.strange(body) if models is None else Reachable(url, models)


def model_names(body: str) -> tuple[str, ...] | None:
    """The ids in a model list, None when ``body`` isn't one. An empty list must call itself a list."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if isinstance(data, list):
        data = {"data": data}
    if not isinstance(data, Mapping):
        return None
    rows = data.get("data")
    rows = rows if isinstance(rows, list) else []
    ids = (row.get("id") for row in rows if isinstance(row, Mapping))
    names = tuple(dict.fromkeys(name for name in ids if isinstance(name, str) and name))
    return names if names or data.get("object") == "list" else None


async def _look(name: str, port: int, connect_seconds: float, answer_seconds: float) -> LocalServer | None:
    try:
        async with asyncio.timeout(connect_seconds):
            reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:  # TimeoutError is one
        return None
    try:
        async with asyncio.timeout(answer_seconds):
            # HTTP/1.0: the answer comes in one piece and the connection ends after it.
            writer.write(
                f"GET /v1/models HTTP/1.0\r\nHost: {HOST}:{port}\r\nAccept: application/json\r\n\r\n".encode()
            )
            await writer.drain()
            answer = await _read(reader)
    except OSError:
        return None
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    if status.split(" ")[1:2] != ["200"]:
        return None
    if any(line.lower().replace(" ", "") == "transfer-encoding:chunked" for line in lines):
        body = _joined(body)
    models = model_names(body.decode("utf-8", "replace"))
    return None if models is None else LocalServer(name, f"http://{HOST}:{port}/v1", models)


async def _read(reader: asyncio.StreamReader) -> bytes:
    answer = bytearray()
    while len(answer) < _LIMIT and (packet := await reader.read(65536)):
        answer += packet
    return bytes(answer)


def _joined(body: bytes) -> bytes:
    """The content of a chunked body; some servers chunk whatever the version. What is broken ends it."""
    content = bytearray()
    while body:
        size_line, _, body = body.partition(b"\r\n")
        try:
            size = int(size_line.partition(b";")[0], 16)
        except ValueError:
            break
        content += body[:size]
        body = body[size + 2 :]
    return bytes(content)
