"""Any OpenAI-compatible service, through the official client.

The client does addresses, headers, time-outs and error statuses. The bytes of an answer are read by ``reply`` and
``answer`` instead of the client's own stream: that one raises on keep-alive lines, passes over error events and web
pages in silence, and builds an object per token.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from geekagent_tui.agent.models.address import base_urls
from geekagent_tui.agent.models.answer import Answer
from geekagent_tui.agent.models.base import ModelError, ModelPiece, ModelRequest, NoticePiece, SentPiece
from geekagent_tui.agent.models.errors import Diagnosis, names_model, refuses_tools, refuses_usage_option
from geekagent_tui.agent.models.payload import messages_payload, tools_payload
from geekagent_tui.agent.models.reply import Reply
from geekagent_tui.texts.models import ZH, ModelsTexts

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 180.0
LONGEST_WAIT = 20.0
"""A busy service is waited for up to this many seconds, at most ``MAX_RETRIES`` times; else it is reported."""
MAX_RETRIES = 2
_DRAIN_SECONDS = 0.1


def open_client(base_url: str, api_key: str, *, connect: float, silence: float) -> AsyncOpenAI:
    """A client of the official library. The library is imported here, which is slow: call this in a thread."""
    import httpx2
    from openai import AsyncOpenAI

    timeout = httpx2.Timeout(silence, connect=connect)
    # The library insists on a key; servers on one's own machine want none.
    return AsyncOpenAI(base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=0)


class OpenAIModel:
    """One model of one service; see ``ModelClient``. One client is opened at the first request and kept."""

    offline = False

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        key_source: str = "",
        connect_seconds: float = CONNECT_SECONDS,
        silence_seconds: float = SILENCE_SECONDS,
        texts: ModelsTexts = ZH,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.time,
        new_id: Callable[[], str] = lambda: f"call_{uuid.uuid4().hex[:24]}",
    ) -> None:
        """``silence_seconds`` counts from the last byte, not from the start. ``key_source`` says where the key came
        from, for errors. ``now`` is in seconds since the epoch; ``new_id`` names calls that came without an id.
        """
        self.model = model
        self.label = model or texts.no_model_name
        self._urls = base_urls(base_url)
        self._key = api_key.strip()
        self._key_source = key_source
        self._connect = connect_seconds
        self._silence = silence_seconds
        self._texts = texts
        self._sleep = sleep
        self._now = now
        self._new_id = new_id
        self._client: AsyncOpenAI | None = None
        self._opening = asyncio.Lock()
        self._ask_usage = True
        self._offer_tools = True

    @property
    def base_url(self) -> str:
        """The address that is asked, as corrected."""
        return self._urls[0]

    async def warm(self) -> None:
        """Import the library and open the client ahead of the first request, in a thread. Raises ``ModelError``."""
        await self._opened()

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        """See ``ModelClient.stream``. What a service refuses is left out and remembered for this service."""
        await self._opened()
        from openai import APIStatusError

        doubt: ModelError | None = None  # the refusal that a guess of ours is trying to get around
        before = self._ask_usage, self._urls
        retries = 0
        while True:
            try:
                async with aclosing(self._attempt(request)) as pieces:
                    async for piece in pieces:
                        yield piece
                return
            except APIStatusError as failure:
                status, body, wait = failure.status_code, failure.response.text, self._wait(failure)
                error = self._diagnosis().answer(status, body, wait)
            except ModelError:
                if doubt is not None:
                    await self._undo(before)
                raise
            if doubt is not None:
                await self._undo(before)
                raise doubt
            if len(self._urls) > 1 and status in (404, 405) and not names_model(body):
                doubt = error
                await self._go((*self._urls[1:], self._urls[0]))
            elif status in (400, 404, 422, 500, 501) and self._uses_tools(request) and refuses_tools(body):
                self._offer_tools = False
                yield NoticePiece(self._texts.without_tools.format(model=self.label))
            elif status in (400, 422) and self._ask_usage and error.kind == "bad_request":
                self._ask_usage = False
                doubt = None if refuses_usage_option(body) else error
            elif (
                status in (429, 503, 529)
                and wait is not None
                and wait <= LONGEST_WAIT
                and retries < MAX_RETRIES
            ):
                retries += 1
                seconds = f"{wait:.0f}"
                yield NoticePiece(
                    self._texts.retrying.format(status=status, seconds=seconds, attempt=retries)
                )
                await self._sleep(wait)
            else:
                raise error

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        """One request. Raises ``APIStatusError`` for an error status, ``ModelError`` for everything else."""
        from openai import APIStatusError

        client = await self._opened()
        diagnosis = self._diagnosis()
        answer = Answer(self._new_id)
        reply = Reply(answer, diagnosis)
        begun = False
        error: ModelError | None = None
        parameters = self._parameters(request)
        yield SentPiece(await asyncio.to_thread(json.dumps, parameters, ensure_ascii=False))
        try:
            call = client.chat.completions.with_streaming_response.create(**parameters)
            # Leaving this block closes the connection at once, also when the reader goes away.
            async with call as response:
                begun = True
                body = response.http_response.aiter_bytes()
                async with aclosing(reply.pieces(body)) as pieces:
                    async for piece in pieces:
                        yield piece
                if reply.done:
                    await _drain(body)
        except APIStatusError:
            raise
        except ModelError as problem:
            error = problem
        except Exception as problem:  # noqa: BLE001 - whatever the library raises, the turn must end readably
            if not (reply.done or answer.reason):
                error = diagnosis.failure(problem, begun=begun, connect=self._connect, silence=self._silence)
                error.__cause__ = problem
        for piece in self._end(answer, reply, error):
            yield piece

    def _end(self, answer: Answer, reply: Reply, error: ModelError | None) -> Iterator[ModelPiece]:
        """What was held back and the finish, or the error after it."""
        pieces, finish, dropped = answer.finish(done=reply.done)
        yield from pieces
        if error is None and answer.stopped:
            error = self._diagnosis().stopped(answer.reason)
        if error is None and answer.empty and finish.reason == "unknown":
            error = self._diagnosis().interrupted()
        if error is not None:
            raise error
        if dropped:
            yield NoticePiece(self._texts.call_cut.format(count=dropped))
        elif answer.empty and finish.reason == "stop":
            yield NoticePiece(self._texts.empty_answer)
        yield finish

    async def _opened(self) -> AsyncOpenAI:
        if not (self._key.isascii() and self._key.isprintable()):
            raise self._diagnosis().bad_key()
        async with self._opening:
            if self._client is None:
                try:
                    self._client = await asyncio.to_thread(
                        open_client, self._urls[0], self._key, connect=self._connect, silence=self._silence
                    )
                except Exception as problem:
                    raise self._diagnosis().failure(
                        problem, begun=False, connect=self._connect, silence=self._silence
                    ) from problem
            return self._client

    def _diagnosis(self) -> Diagnosis:
        return Diagnosis(
            url=f"{self._urls[0]}/chat/completions",
            model=self.label,
            api_key=self._key,
            key_source=self._key_source,
            texts=self._texts,
        )

    def _wait(self, failure: APIStatusError) -> float | None:
        from geekagent_tui.agent.models.waiting import retry_after

        return retry_after(failure.response.headers, self._now())

    async def _undo(self, before: tuple[bool, tuple[str, ...]]) -> None:
        """A guess did not help: what it changed goes back, and the first refusal is the one that counts."""
        self._ask_usage, urls = before
        await self._go(urls)

    async def _go(self, urls: tuple[str, ...]) -> None:
        """Ask the first of ``urls`` from now on, the others in reserve."""
        if urls != self._urls:
            self._urls = urls
            await self.aclose()

    def _uses_tools(self, request: ModelRequest) -> bool:
        return self._offer_tools and bool(request.tools)

    def _parameters(self, request: ModelRequest) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self.model,
            "messages": messages_payload(request.messages, tools=self._offer_tools),
            "stream": True,
        }
        if self._uses_tools(request):
            parameters["tools"] = tools_payload(request.tools)
        if self._ask_usage:
            parameters["stream_options"] = {"include_usage": True}
        return parameters


async def _drain(body: AsyncIterator[bytes]) -> None:
    """Read what follows ``[DONE]``, for a moment: a body read to its end leaves the connection for the next turn."""
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in body:
                pass
    except TimeoutError:
        pass
