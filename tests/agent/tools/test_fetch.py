"""fetch against real loopback servers; which address is asked about is the resolver's, which a test may bend."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from geekagent_tui.agent.tools.base import Origin, Preview, Running, ToolResult
from geekagent_tui.agent.tools.web.addresses import is_open, resolve
from geekagent_tui.agent.tools.web.fetch import MAX_BYTES, Fetch, FetchArguments
from geekagent_tui.texts.tools import ZH

Answer = Callable[[str], bytes]


@asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[tuple[int, list[str]]]:
    """A server that gives ``answer(path)`` as its raw reply, its port, and the requests it got."""
    seen: list[str] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        seen.append(head)
        writer.write(answer(head.split()[1]))
        try:
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except ConnectionError:
            pass

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], seen


def reply(body: bytes, kind: str = "text/plain", *more: str, status: str = "200 OK") -> bytes:
    headers = "".join(f"{each}\r\n" for each in more)
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n{headers}\r\n".encode() + body


class Asked:
    def __init__(self, yes: bool = True) -> None:
        self.yes = yes
        self.previews: list[Preview] = []

    async def __call__(self, preview: Preview) -> ToolResult | None:
        self.previews.append(preview)
        return None if self.yes else ToolResult("no", ok=False)


async def fetch(
    url: str,
    ask: Callable[[Preview], Awaitable[ToolResult | None]],
    tool: Fetch | None = None,
    agreed: Preview | None = None,
) -> ToolResult:
    running = Running(Origin(), lambda text: None, lambda spent: None, ask, agreed)
    return await (tool or Fetch(ZH)).run_live(FetchArguments(url=url), running)


async def test_a_page_becomes_text() -> None:
    html = "<html><head><title>题目</title><style>x{}</style></head><body><script>evil()</script>" + (
        "<h1>一</h1><p>正文 <a href='/next'>下一页</a></p><ul><li>甲</li></ul></body></html>"
    )
    body = gzip.compress(html.encode("gb18030"))
    answer = reply(body, "text/html; charset=gbk", "Content-Encoding: gzip")
    async with serving(lambda path: answer) as (port, seen):
        text = (await fetch(f"http://127.0.0.1:{port}/a?b=1#c", Asked())).text
    assert text.splitlines() == [
        f"http://127.0.0.1:{port}/a?b=1", "", "# 题目", "", "# 一", "", "正文 [下一页](/next)", "", "* 甲",
    ]  # fmt: skip
    assert f"Host: 127.0.0.1:{port}" in seen[0]


async def test_this_machine_is_asked_about_and_a_no_sends_nothing() -> None:
    async with serving(lambda path: reply(b"secret")) as (port, seen):
        url = f"http://localhost:{port}/"
        asked = Asked(yes=False)
        assert not (await fetch(url, asked)).ok
        assert seen == []
        assert asked.previews[0].explicit
        assert "本机或内网" in asked.previews[0].warning
        # One yes is enough: the question before the call showed the same address.
        preview = await Fetch(ZH).preview(FetchArguments(url=url))
        assert isinstance(preview, Preview)
        assert "secret" in (await fetch(url, asked, agreed=preview)).text
        assert len(asked.previews) == 1


async def test_a_redirect_into_this_machine_is_asked_about_again() -> None:
    """The first host counts as open here; the second is checked after the redirect."""
    inner: list[int] = []

    def answer(path: str) -> bytes:
        if path == "/in":
            return reply(b"inner secret")
        return reply(b"", "text/plain", f"Location: http://127.0.0.1:{inner[0]}/in", status="302 Found")

    async with serving(answer) as (port, seen):
        inner.append(port)
        asked = Asked(yes=False)
        first = await Fetch(ZH).preview(FetchArguments(url=f"http://localhost:{port}/out"))
        assert isinstance(first, Preview)
        result = await fetch(f"http://localhost:{port}/out", asked, agreed=first)
        assert not result.ok
        assert [each.split()[1] for each in seen] == ["/out"]
        assert f"127.0.0.1:{port}/in" in asked.previews[0].text
        assert "转过来" in asked.previews[0].warning


async def test_the_address_that_was_checked_is_connected_to() -> None:
    """A name server that answers with another address the second time gets nothing by it."""
    async with serving(lambda path: reply(b"reached")) as (port, seen):
        answers = [("127.0.0.1",), ("127.0.0.2",)]

        async def turning(host: str, port: int) -> tuple[str, ...]:
            return answers.pop(0)

        text = (await fetch(f"http://rebind.example:{port}/", Asked(), Fetch(ZH, resolver=turning))).text
        assert "reached" in text
        assert answers == [("127.0.0.2",)]
        assert f"Host: rebind.example:{port}" in seen[0]


@pytest.mark.parametrize(
    ("answer", "said", "ok"),
    [
        (reply(b"x" * (MAX_BYTES + 5)), "只取了前", True),
        (reply(b"\x89PNG\0", "image/png"), "不是文字", False),
        (reply(b"gone", status="404 Not Found"), "返回 404", False),
        (reply(b"", "text/plain", "Location: /again", status="302 Found"), "转了超过 5 次", False),
        (
            reply(b"", "text/plain", "Location: file:///etc/passwd", status="302 Found"),
            "不是可以取的地址",
            False,
        ),
        (b"nonsense\r\n\r\n", "取不到", False),
        (reply(b"<div>" * 3000 + "深".encode(), "text/html; charset=utf-8"), "深", True),
        (reply(gzip.compress(b"\0" * 50_000_000), "text/plain", "Content-Encoding: gzip"), "不是文字", False),
    ],
    ids=["big", "picture", "404", "loop", "file", "nonsense", "deep", "bomb"],
)
async def test_what_servers_do(answer: bytes, said: str, ok: bool) -> None:
    async with serving(lambda path: answer) as (port, _):
        result = await fetch(f"http://127.0.0.1:{port}/", Asked())
    assert said in result.text
    assert result.ok is ok


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        result = await fetch(f"http://127.0.0.1:{port}/", Asked(), Fetch(ZH, seconds=0.2))
    assert "0.2 秒内没有取完" in result.text


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://",
        "http://user:pw@example.com/",
        "nonsense",
        "",
    ],
)
async def test_what_is_no_page(url: str) -> None:
    result = await Fetch(ZH).preview(FetchArguments(url=url))
    assert isinstance(result, ToolResult)
    assert "不是可以取的地址" in result.text


@pytest.mark.parametrize(
    ("address", "yes"),
    [
        ("93.184.216.34", True), ("2606:2800:220:1::1", True), ("127.0.0.1", False), ("127.9.9.9", False),
        ("10.0.0.1", False), ("192.168.1.1", False), ("172.16.0.1", False), ("169.254.169.254", False),
        ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False), ("::1", False), ("::", False),
        ("fe80::1%eth0", False), ("fd00::1", False), ("::ffff:127.0.0.1", False), ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::1", False), ("::ffff:8.8.8.8", True),
    ],
)  # fmt: skip
def test_which_addresses_are_open(address: str, yes: bool) -> None:
    assert is_open(address) is yes


async def test_numbers_that_mean_this_machine_are_resolved_first() -> None:
    """``2130706433`` and ``0x7f.1`` are 127.0.0.1 to the system: it is the result that is looked at."""
    for host in ("2130706433", "0x7f.1", "localhost"):
        assert not any(map(is_open, await resolve(host, 80)))
