"""The chunks of one streamed answer, read defensively into pieces.

Works on plain JSON data: services leave fields out, fill them with null or with the wrong type, and add their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from geekagent_tui.agent.models.base import Finish, ModelPiece, ReasoningPiece, TextPiece, UsagePiece
from geekagent_tui.agent.models.surrogates import PairJoiner
from geekagent_tui.agent.models.thinking import ThinkSplitter
from geekagent_tui.agent.models.tool_calls import CallAssembler

_LENGTH = frozenset(
    ("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded")
)
_FILTER = frozenset(
    (
        *("content_filter", "content-filter", "sensitive", "safety", "refusal", "recitation"),
        *("blocklist", "prohibited_content", "spii", "image_safety"),
    )
)
_STOPPED = frozenset(
    (
        *("error", "network_error", "insufficient_system_resource", "abort", "aborted", "cancelled"),
        *("malformed_function_call", "unexpected_tool_call", "other"),
    )
)


class Answer:
    """One answer on its way. ``feed`` it each chunk, then ask it to ``finish`` once."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._calls = CallAssembler(new_id)
        self._thinking = ThinkSplitter()
        self._content = PairJoiner()
        self._reasoning = PairJoiner()
        self._usage: UsagePiece | None = None
        self._reason = ""
        self._refused = False
        self._spoke = False
        self.chunks = 0
        """How many chunks were understood as part of a chat completion."""

    @property
    def reason(self) -> str:
        """The service's own word for why the answer ended, lower case; "" until it said one."""
        return self._reason

    @property
    def stopped(self) -> bool:
        """The service broke the answer off for a reason of its own."""
        return self._reason in _STOPPED

    @property
    def empty(self) -> bool:
        """Neither text nor reasoning nor a call has come."""
        return not self._spoke and not self._calls

    def feed(self, chunk: Mapping[str, Any]) -> list[ModelPiece]:
        """The pieces of one chunk, or of a whole answer that isn't a stream."""
        pieces: list[ModelPiece] = []
        choices = chunk.get("choices")
        if isinstance(choices, list):
            self.chunks += 1
            for choice in choices:
                if isinstance(choice, Mapping) and choice.get("index") in (0, None, "0"):
                    pieces.extend(self._choice(choice))
                    pieces.extend(self._tokens(choice.get("usage")))
        pieces.extend(self._tokens(chunk.get("usage")))
        return pieces

    def finish(self, *, done: bool) -> tuple[list[ModelPiece], Finish, int]:
        """What was held back, the end of the answer, and how many calls were cut off and left out.

        ``done``: the service closed the stream in its own words, so a missing reason doesn't mean a cut.
        """
        held = self._content.finish()
        pieces = self._split([*self._thinking.feed(held), *self._thinking.finish()])
        if held := self._reasoning.finish():
            self._spoke = True
            pieces.append(ReasoningPiece(held))
        if self._reason in _LENGTH:
            reason = "length"
        elif self._reason in _FILTER or (self._refused and self._reason in ("", "stop")):
            reason = "filter"
        elif self._reason or done:
            reason = "stop"
        else:
            reason = "unknown"
        calls, dropped = self._calls.finish(cut=reason != "stop")
        return pieces, Finish(reason, calls), dropped

    def _choice(self, choice: Mapping[str, Any]) -> list[ModelPiece]:
        pieces: list[ModelPiece] = []
        delta = choice.get("delta")
        message = choice.get("message")
        if isinstance(delta, Mapping) and delta:
            pieces.extend(self._delta(delta))
        elif isinstance(message, Mapping) and self.empty:
            # A whole message: the answer wasn't streamed. After deltas it would only repeat them.
            pieces.extend(self._delta(message))
        elif isinstance(text := choice.get("text"), str):
            pieces.extend(self._text(text))
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._reason = reason.lower()
        return pieces

    def _delta(self, delta: Mapping[str, Any]) -> list[ModelPiece]:
        pieces: list[ModelPiece] = []
        # Some proxies send the same reasoning under both names.
        reasoning = _plain(delta.get("reasoning_content")) or _plain(delta.get("reasoning"))
        if reasoning:
            pieces.extend(self._thought(reasoning))
        content = delta.get("content")
        if isinstance(content, list):
            for part in content:
                pieces.extend(self._part(part))
        else:
            pieces.extend(self._text(_plain(content)))
        if refusal := _plain(delta.get("refusal")):
            self._refused = True
            pieces.extend(self._text(refusal))
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            self._calls.feed(calls)
        elif isinstance(calls, Mapping):
            self._calls.feed([calls])
        if isinstance(legacy := delta.get("function_call"), Mapping) and not calls:
            self._calls.feed([{"index": 0, "function": legacy}])
        return pieces

    def _part(self, part: object) -> list[ModelPiece]:
        """One item of content that came as a list: text, or reasoning under several names."""
        if isinstance(part, str):
            return self._text(part)
        if not isinstance(part, Mapping):
            return []
        thinking = part.get("thinking")
        if isinstance(thinking, list):
            return self._thought("".join(_plain(item.get("text")) for item in _objects(thinking)))
        if isinstance(thinking, str):
            return self._thought(thinking)
        return self._text(_plain(part.get("text")))

    def _thought(self, text: str) -> list[ModelPiece]:
        joined = self._reasoning.feed(text)
        if not joined:
            return []
        self._spoke = True
        return [ReasoningPiece(joined)]

    def _text(self, text: str) -> list[ModelPiece]:
        return self._split(self._thinking.feed(self._content.feed(text))) if text else []

    def _split(self, split: Iterable[tuple[bool, str]]) -> list[ModelPiece]:
        pieces: list[ModelPiece] = []
        for reasoning, text in split:
            self._spoke = True
            pieces.append(ReasoningPiece(text) if reasoning else TextPiece(text))
        return pieces

    def _tokens(self, usage: object) -> list[ModelPiece]:
        """A usage piece when the count changed. Services that send zeros with every chunk count nothing yet."""
        if not isinstance(usage, Mapping):
            return []
        prompt = _count(usage, "prompt_tokens", "input_tokens")
        completion = _count(usage, "completion_tokens", "output_tokens")
        piece = UsagePiece(prompt, completion)
        if piece == self._usage or not (prompt or completion):
            return []
        self._usage = piece
        return [piece]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else ""


def _objects(values: list[Any]) -> list[Mapping[str, Any]]:
    return [value for value in values if isinstance(value, Mapping)]


def _count(usage: Mapping[str, Any], *names: str) -> int:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int | float) and value >= 0:
            return int(value)
    return 0
