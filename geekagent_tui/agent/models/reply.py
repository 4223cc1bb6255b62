"""The body of an answer with status 200: a stream of events, or what some services send in its place."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from typing import Any

from geekagent_tui.agent.models.answer import Answer
from geekagent_tui.agent.models.base import ModelPiece
from geekagent_tui.agent.models.errors import Diagnosis
from geekagent_tui.agent.models.sse import EventReader, ServerEvent

_BLANK = b"\xef\xbb\xbf \t\r\n"
_BODY_LIMIT = 20_000_000
_SAMPLE = 4000


class Reply:
    """Reads a body into ``answer``. ``done`` is true once the service said that the answer is over."""

    def __init__(self, answer: Answer, diagnosis: Diagnosis) -> None:
        self._answer = answer
        self._diagnosis = diagnosis
        self.done = False

    async def pieces(self, body: AsyncIterator[bytes]) -> AsyncGenerator[ModelPiece, None]:
        """The pieces in ``body``, up to the service's ``[DONE]``. Raises ``ModelError`` and what ``body`` raises.

        The content type is not asked: proxies name it wrongly, and the first character can't lie.
        """
        head = b""
        async for packet in body:
            head += packet
            if head.strip(_BLANK):
                break
        if head.lstrip(_BLANK)[:1] in (b"{", b"[", b"<"):
            async for packet in body:
                head += packet
                if len(head) > _BODY_LIMIT:
                    break
            for piece in self._whole(head.lstrip(_BLANK).decode("utf-8", "replace")):
                yield piece
            return
        reader = EventReader()
        sample = head[:_SAMPLE]
        packet = head
        while packet:
            for event in reader.feed(packet):
                for piece in self._event(event):
                    yield piece
            if self.done:
                break
            packet = await anext(body, b"")
            sample += packet[: _SAMPLE - len(sample)] if len(sample) < _SAMPLE else b""
        for event in reader.finish():
            for piece in self._event(event, last=True):
                yield piece
        if not (self._answer.chunks or self.done):
            raise self._diagnosis.strange(sample.decode("utf-8", "replace"))

    def _event(self, event: ServerEvent, *, last: bool = False) -> Iterator[ModelPiece]:
        """The pieces of one event. ``last``: no blank line closed it, so it may be cut."""
        data = event.data.strip()
        if self.done or not data:
            return
        if data.startswith("[DONE]"):
            self.done = True
            return
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            if event.name == "error":
                raise self._diagnosis.reported({"message": data}) from None
            if not data.startswith("{"):
                return  # a keep-alive of some kind
            raise (self._diagnosis.interrupted() if last else self._diagnosis.broken_event(data)) from None
        if isinstance(chunk, Mapping):
            yield from self._chunk(chunk, failed=event.name == "error")
        elif event.name == "error":
            raise self._diagnosis.reported({"message": str(chunk)})

    def _chunk(self, chunk: Mapping[str, Any], *, failed: bool = False) -> Iterator[ModelPiece]:
        yield from self._answer.feed(chunk)
        if failed or chunk.get("error") or _is_fault(chunk):
            raise self._diagnosis.reported(chunk)

    def _whole(self, text: str) -> Iterator[ModelPiece]:
        """A body that isn't a stream of events: one JSON answer, a JSON line per chunk, or no answer at all."""
        try:
            values = [json.loads(text)]
        except (ValueError, RecursionError):
            values = _json_lines(text)
        for value in values:
            for chunk in value if isinstance(value, list) else [value]:
                if isinstance(chunk, Mapping):
                    yield from self._chunk(chunk)
        if not self._answer.chunks:
            raise self._diagnosis.strange(text)
        self.done = True


def _is_fault(chunk: Mapping[str, Any]) -> bool:
    """An error object that doesn't call itself one."""
    if isinstance(chunk.get("choices"), list):
        return False
    if chunk.get("object") == "error":
        return True
    status = chunk.get("base_resp")
    if isinstance(status, Mapping) and status.get("status_code"):
        return True
    said = any(isinstance(chunk.get(key), str) and chunk[key] for key in ("message", "msg", "detail"))
    return said and any(chunk.get(key) for key in ("code", "status", "type", "detail"))


def _json_lines(text: str) -> list[Any]:
    values: list[Any] = []
    for line in text.splitlines():
        try:
            values.append(json.loads(line.removeprefix("data:")))
        except (ValueError, RecursionError):
            continue
    return values
