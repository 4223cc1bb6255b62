"""A chat service on the loopback that plays scripts: one ``Reply`` a request, over real HTTP/1.1.

In the test's own loop::

    async with LoopbackServer() as server:
        server.add(text_reply("你好"))
        ... server.base_url ... server.requests[0].json["messages"]

For a subprocess, or anything that blocks: ``with LoopbackServer.in_thread() as server:``.

Nothing here sleeps. A script that must wait holds a ``Gate``; what must be seen is awaited
(``await server.requests[0].gone.wait()``).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from types import TracebackType
from typing import Any

CHAT_PATH = "/v1/chat/completions"


class Fault(Enum):
    """What goes wrong at this point of a script."""

    CLOSE = auto()
    """The connection ends although the body isn't complete."""
    RESET = auto()
    """The connection is reset."""
    HANG = auto()
    """Nothing more comes until the client goes away."""


class Gate:
    """A place in a script where the server waits. ``open`` may be called from any thread, before or after."""

    def __init__(self) -> None:
        self._opened = threading.Event()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._lock = threading.Lock()

    def open(self) -> None:
        with self._lock:
            self._opened.set()
            for loop, event in self._waiting:
                loop.call_soon_threadsafe(event.set)

    async def wait(self) -> None:
        event = asyncio.Event()
        with self._lock:
            if self._opened.is_set():
                return
            self._waiting.append((asyncio.get_running_loop(), event))
        await event.wait()


Step = bytes | str | Mapping[str, Any] | Gate | Fault
"""``bytes`` go out as they are, ``str`` as UTF-8, an object as one ``data:`` event."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer. Steps go out one by one, each in its own packet; ``chunked`` is how HTTP/1.1 frames them.

    ``chunked=False`` leaves the length open: the end of the connection is then the end of the body.
    """

    steps: tuple[Step, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    chunked: bool = True
    silent: bool = False
    """Not even a status line is sent: the steps are all there is."""


@dataclass(slots=True)
class Received:
    """A request as it came. ``gone`` is set when the client closed its side; ``ended`` when we closed ours."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def messages(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.json["messages"]
        return messages


# Building replies.


def chunk(
    delta: Mapping[str, Any] | None = None,
    finish: str | None = None,
    *,
    usage: Mapping[str, int] | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """A chunk of a streamed chat completion."""
    choices = [{"index": 0, "delta": dict(delta or {}), "finish_reason": finish}]
    data: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test-model",
        "choices": choices,
    }
    if usage is not None:
        data["usage"] = dict(usage)
    return data | extra


def usage_chunk(prompt: int = 10, completion: int = 5) -> dict[str, Any]:
    """The last chunk of services that count: no choices."""
    counted = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return chunk(usage=counted, choices=[])


DONE = b"data: [DONE]\n\n"


def text_reply(text: str, *, pieces: int = 2, usage: tuple[int, int] | None = (10, 5)) -> Reply:
    """``text`` streamed ``pieces`` characters at a time."""
    parts = [text[at : at + pieces] for at in range(0, len(text), pieces)]
    steps: list[Step] = [chunk({"role": "assistant", "content": ""})]
    steps.extend(chunk({"content": part}) for part in parts)
    steps.append(chunk({}, "stop"))
    if usage is not None:
        steps.append(usage_chunk(*usage))
    return Reply((*steps, DONE))


def tool_reply(
    name: str, arguments: Mapping[str, Any] | str, *, call: str = "call_1", text: str = ""
) -> Reply:
    """One tool call, after ``text`` if there is some."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    piece = {
        "index": 0,
        "id": call,
        "type": "function",
        "function": {"name": name, "arguments": written},
    }
    start = [chunk({"content": text})] if text else []
    return Reply((*start, chunk({"tool_calls": [piece]}), chunk({}, "tool_calls"), usage_chunk(), DONE))


def error_reply(
    status: int,
    body: Mapping[str, Any] | list[Any] | str | bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error, or any answer that isn't a stream; data goes out as JSON."""
    if isinstance(body, bytes):
        raw, kind = body, "text/plain"
    elif isinstance(body, str):
        raw, kind = body.encode(), "text/html" if body.lstrip().startswith("<") else "text/plain"
    else:
        raw, kind = json.dumps(body, ensure_ascii=False).encode(), "application/json"
    return Reply((raw,), status, {"content-type": kind, **(headers or {})})


def json_reply(body: Mapping[str, Any]) -> Reply:
    """Status 200 and JSON: a model list, or a service that doesn't stream."""
    return error_reply(200, body)


def hang_reply(*steps: Step) -> Reply:
    """Never answers, or goes silent after ``steps``."""
    return Reply((*steps, Fault.HANG), silent=not steps)


class LoopbackServer:
    """See the module. ``requests`` grows as they come; with no reply left, a request gets status 500."""

    def __init__(self, *replies: Reply) -> None:
        self.requests: list[Received] = []
        self.port = 0
        self._replies: deque[Reply] = deque(replies)
        self._routes: dict[str, Callable[[], Reply]] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrivals = asyncio.Condition()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def add(self, *replies: Reply) -> None:
        """Replies for the next requests, in order."""
        self._replies.extend(replies)

    def clear(self) -> None:
        """Forget the replies that no request has taken."""
        self._replies.clear()

    def route(self, path: str, reply: Reply) -> None:
        """Answer every request for ``path`` with ``reply``, without taking one from the queue."""
        self._routes[path] = lambda: reply

    async def arrived(self, count: int) -> None:
        """Wait until ``count`` requests have come."""
        async with self._arrivals:
            await self._arrivals.wait_for(lambda: len(self.requests) >= count)

    async def __aenter__(self) -> LoopbackServer:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._server.wait_closed()

    @classmethod
    @contextmanager
    def in_thread(cls, *replies: Reply) -> Iterator[LoopbackServer]:
        """The server in a thread with a loop of its own. ``add``, ``requests`` and ``Gate.open`` work from here."""
        started: list[LoopbackServer] = []
        ready = threading.Event()
        over = Gate()

        async def serve() -> None:
            async with cls(*replies) as server:
                started.append(server)
                ready.set()
                await over.wait()

        thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
        thread.start()
        try:
            assert ready.wait(10), "the loopback server did not start"
            yield started[0]
        finally:
            over.open()
            thread.join(10)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received: Received | None = None
        try:
            received = await _receive(reader)
            if received is None:
                writer.write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")
                await writer.drain()
                return
            async with self._arrivals:
                self.requests.append(received)
                self._arrivals.notify_all()
            async with _while_connected(reader, received):
                await _play(self._next(received), writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the client went away, or it spoke TLS
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            if received is not None:
                received.ended.set()

    def _next(self, received: Received) -> Reply:
        if received.path in self._routes:
            return self._routes[received.path]()
        if self._replies:
            return self._replies.popleft()
        return error_reply(500, {"error": {"message": "the script has no reply left"}})


async def _receive(reader: asyncio.StreamReader) -> Received | None:
    """The request, or None when the client doesn't speak HTTP (it tries TLS)."""
    first = await reader.readexactly(1)
    if not first.isalpha():
        return None
    head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    request_line, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = request_line.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body)


@asynccontextmanager
async def _while_connected(reader: asyncio.StreamReader, received: Received) -> AsyncIterator[None]:
    """Ends the block when the client closes its side. We never keep a connection, so all it can send is its end."""
    current = asyncio.current_task()
    assert current is not None
    leaving = False

    async def watch() -> None:
        with contextlib.suppress(OSError):
            await reader.read()
        received.gone.set()
        if not leaving:
            current.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield
    except asyncio.CancelledError:
        if not received.gone.is_set():
            raise
        current.uncancel()
    finally:
        leaving = True
        watcher.cancel()
        await asyncio.wait([watcher])


async def _play(reply: Reply, writer: asyncio.StreamWriter) -> None:
    if not reply.silent:
        phrase = HTTPStatus(reply.status).phrase if reply.status in set(HTTPStatus) else "Odd"
        headers = {"connection": "close", **reply.headers}
        if reply.chunked:
            headers["transfer-encoding"] = "chunked"
        head = [f"HTTP/1.1 {reply.status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        writer.write("\r\n".join((*head, "", "")).encode("latin-1"))
    for step in reply.steps:
        if isinstance(step, Gate):
            await step.wait()
        elif isinstance(step, Fault):
            if await _fault(step, writer):
                return
        else:
            writer.write(_frame(_bytes(step), reply.chunked))
            await writer.drain()
    if reply.chunked and not reply.silent:
        writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _fault(fault: Fault, writer: asyncio.StreamWriter) -> bool:
    if fault is Fault.HANG:
        await asyncio.Event().wait()
    if fault is Fault.RESET:
        sock: socket.socket = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    return True


def _bytes(step: bytes | str | Mapping[str, Any]) -> bytes:
    if isinstance(step, bytes):
        return step
    if isinstance(step, str):
        return step.encode()
    text = json.dumps(step, ensure_ascii=False)
    try:
        raw = text.encode()
    except UnicodeEncodeError:  # half a character: JSON carries it as an escape
        raw = json.dumps(step).encode()
    return b"data: " + raw + b"\n\n"


def _frame(data: bytes, chunked: bool) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data) if chunked and data else data


def split(data: bytes, size: int) -> Iterable[bytes]:
    """``data`` in packets of ``size`` bytes."""
    return (data[at : at + size] for at in range(0, len(data), size))
