"""fetch. The address that is checked is the address that is connected to: a name is resolved once a hop, and the
connection goes to what was found then, so a name server can't answer one thing to the check and another to the request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from geekagent_tui.agent.tools.base import NOWHERE, Arguments, Preview, Running, ToolResult
from geekagent_tui.agent.tools.web.addresses import Resolver, is_open, resolve
from geekagent_tui.agent.tools.web.pages import MAX_CHARACTERS, page_text, unpacked
from geekagent_tui.texts.tools import ToolTexts

SECONDS = 15.0
MAX_BYTES = 1_000_000
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


class FetchArguments(Arguments):
    url: str


@dataclass(frozen=True, slots=True)
class _Target:
    url: str
    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: bool


class _BadUrlError(ValueError):
    """Not an address that can be fetched."""


class Fetch:
    name = "fetch"
    arguments: type[Arguments] = FetchArguments

    def __init__(self, texts: ToolTexts, *, resolver: Resolver = resolve, seconds: float = SECONDS) -> None:
        self._texts = texts
        self._resolve = resolver
        self._seconds = seconds
        self.description = texts.fetch_about
        self.field_texts: Mapping[str, str] = {"url": texts.fetch_url}

    async def preview(self, arguments: Arguments) -> Preview | ToolResult:
        assert isinstance(arguments, FetchArguments)
        try:
            target = _target(arguments.url)
            async with asyncio.timeout(self._seconds):
                addresses = await self._resolve(target.host, target.port)
        except _BadUrlError:
            return ToolResult(self._texts.fetch_bad_url.format(url=arguments.url), ok=False)
        except (OSError, UnicodeError):
            return self._failed(arguments.url, self._texts.fetch_unresolved)
        except TimeoutError:
            return self._slow(arguments.url)
        return self._question(target, addresses, "")

    async def run(self, arguments: Arguments) -> ToolResult:
        async def nobody(preview: Preview) -> ToolResult | None:
            return ToolResult(preview.warning or preview.text, ok=False)

        return await self.run_live(arguments, Running(NOWHERE, lambda text: None, lambda spent: None, nobody))

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        assert isinstance(arguments, FetchArguments)
        from httpcore2 import ConnectError, NetworkError, ProtocolError, TimeoutException, UnsupportedProtocol

        url, texts = arguments.url, self._texts
        agreed = running.agreed
        try:
            target = _target(url)
            came_from = ""
            for _ in range(MAX_REDIRECTS + 1):
                async with asyncio.timeout(self._seconds):
                    addresses = await self._resolve(target.host, target.port)
                # The user's time to answer is not the page's.
                question = self._question(target, addresses, came_from)
                known = agreed is not None and agreed.explicit and agreed.basis == question.basis
                if question.explicit and not known:
                    refused = await running.ask(question)
                    if refused is not None:
                        return refused
                async with asyncio.timeout(self._seconds):
                    reply = await _get(target, addresses)
                location = reply.headers.get("location", "")
                if reply.status not in _REDIRECTS or not location:
                    return await self._page(target.url, reply)
                came_from, target = target.url, _target(location, target.url)
        except _BadUrlError as error:
            return ToolResult(texts.fetch_bad_url.format(url=error), ok=False)
        except TimeoutError:
            return self._slow(url)
        except TimeoutException:
            return self._slow(url)
        except (OSError, UnicodeError):
            return self._failed(url, texts.fetch_unresolved)
        except (ConnectError, NetworkError, ProtocolError, UnsupportedProtocol) as error:
            return self._failed(url, str(error) or type(error).__name__)
        return ToolResult(texts.fetch_redirects.format(url=url, limit=MAX_REDIRECTS), ok=False)

    def _question(self, target: _Target, addresses: Iterable[str], came_from: str) -> Preview:
        closed = [address for address in addresses if not is_open(address)]
        rows = [self._texts.fetch_redirect.format(url=came_from)] if came_from else []
        if closed:
            rows.append(self._texts.fetch_private.format(host=target.host, address=closed[0]))
        basis = "\n".join((target.host, str(target.port), *closed)).encode()
        return Preview("url", target.url, "\n".join(rows), explicit=bool(closed), basis=basis)

    async def _page(self, url: str, reply: _Reply) -> ToolResult:
        texts = self._texts
        data = unpacked(reply.body, reply.headers.get("content-encoding", ""), MAX_BYTES)
        kind = reply.headers.get("content-type", "")
        text = await asyncio.to_thread(page_text, data, kind)
        if text is None:
            return ToolResult(texts.fetch_binary.format(url=url, kind=kind), ok=False)
        rows = [url] if reply.status < 400 else [texts.fetch_status.format(url=url, status=reply.status)]
        rows += ["", text[:MAX_CHARACTERS]]
        if len(text) > MAX_CHARACTERS:
            rows.append(texts.fetch_cut.format(length=f"{MAX_CHARACTERS:,}"))
        elif reply.cut:
            rows.append(texts.fetch_big.format(length=f"{MAX_BYTES:,}"))
        return ToolResult("\n".join(rows).rstrip(), ok=reply.status < 400)

    def _slow(self, url: str) -> ToolResult:
        return ToolResult(self._texts.fetch_slow.format(url=url, seconds=f"{self._seconds:g}"), ok=False)

    def _failed(self, url: str, reason: str) -> ToolResult:
        return ToolResult(self._texts.fetch_failed.format(url=url, reason=reason), ok=False)


def _target(url: str, base: str = "") -> _Target:
    import httpx2

    try:
        parsed = httpx2.URL(base).join(url) if base else httpx2.URL(url)
        host = parsed.raw_host.decode("ascii")
    except (httpx2.InvalidURL, UnicodeError, ValueError, TypeError) as error:
        raise _BadUrlError(url) from error
    # A user name in an address is there to mislead, or a secret that does not belong in a conversation.
    if parsed.scheme not in ("http", "https") or not host or parsed.userinfo:
        raise _BadUrlError(url)
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    return _Target(str(parsed.copy_with(fragment=None)), parsed.scheme, host.strip("[]"), port)


async def _get(target: _Target, addresses: tuple[str, ...]) -> _Reply:
    """One request to one of ``addresses``, no redirects followed, ``MAX_BYTES`` of the body at most."""
    import httpcore2

    class Pinned(httpcore2.AsyncNetworkBackend):
        """Connects to the addresses that were checked, whatever the name says by now."""

        def __init__(self) -> None:
            self._backend = httpcore2.AnyIOBackend()

        async def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> Any:
            error: Exception = httpcore2.ConnectError("no address")
            for address in addresses:
                try:
                    return await self._backend.connect_tcp(address, port, *args, **options)
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as failure:
                    error = failure
            raise error

        async def sleep(self, seconds: float) -> None:
            await self._backend.sleep(seconds)

    headers: dict[bytes | str, bytes | str] = {
        "Host": _host_header(target),
        "User-Agent": "GeekAgent",
        "Accept": "text/html, text/*, application/json, */*;q=0.5",
        "Accept-Encoding": "gzip, deflate",
    }
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS)
    async with (
        httpcore2.AsyncConnectionPool(network_backend=Pinned()) as pool,
        pool.stream("GET", target.url, headers=headers, extensions={"timeout": timeouts}) as response,
    ):
        body = bytearray()
        async for piece in response.aiter_stream():
            body += piece
            if len(body) > MAX_BYTES:
                break
        found = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        return _Reply(response.status, found, bytes(body[:MAX_BYTES]), len(body) > MAX_BYTES)


def _host_header(target: _Target) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    usual = 443 if target.scheme == "https" else 80
    return host if target.port == usual else f"{host}:{target.port}"
