"""The readers of an answer's bytes, without a network: any cut gives the same answer, and nothing makes them raise
anything but a ``ModelError``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.agent.models.answer import Answer
from geekagent_tui.agent.models.base import ModelError, ModelPiece, ReasoningPiece, TextPiece
from geekagent_tui.agent.models.errors import Diagnosis
from geekagent_tui.agent.models.reply import Reply
from geekagent_tui.agent.models.sse import EventReader, ServerEvent
from geekagent_tui.agent.models.surrogates import PairJoiner, encodable, join_pairs
from geekagent_tui.agent.models.thinking import ThinkSplitter

CHUNKS = [
    json.dumps({"choices": [{"delta": delta, "finish_reason": reason}]}, ensure_ascii=escaped).encode()
    for delta, reason, escaped in (
        ({"content": "<think>\n想"}, None, False),
        ({"content": "</think>\n😀文"}, None, False),
        ({"content": "\ud83d"}, None, True),
        ({"content": "\ude00"}, None, True),
        ({"reasoning": "想"}, None, True),
        ({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]}, None, True),
        ({"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}, "tool_calls", True),
        (None, "length", True),
    )
]
LINES = [
    *(b"data: " + chunk for chunk in CHUNKS),
    *(
        b"",
        b": ping",
        b"event: error",
        b"data:",
        b"data: [DONE]",
        b"id: 1",
        b"retry: x",
        b"data: {",
        b"\xff\xfe",
    ),
    *(b"<html>", b"{", b'data: {"error": "x"}', b"data: 7", b"data: []", CHUNKS[0]),
]


def test_lines_nested_too_deep_are_joined_like_any_that_is_no_json() -> None:
    deep = "[" * 100_000
    events = EventReader().feed(f"data: {deep}\ndata: x\n\n".encode())
    assert events == [ServerEvent("", f"{deep}\nx")]


async def read(packets: Iterable[bytes]) -> tuple[str, str, object]:
    """Text, reasoning, and the finish or the error."""

    async def body() -> AsyncIterator[bytes]:
        for packet in packets:
            yield packet

    answer = Answer(lambda: "made")
    reply = Reply(answer, Diagnosis(url="http://x/v1", model="m"))
    pieces: list[ModelPiece] = []
    end: object = None
    try:
        async for piece in reply.pieces(body()):
            pieces.append(piece)
    except ModelError as error:
        end = error.kind, error.message
    rest, finish, dropped = answer.finish(done=reply.done)
    pieces.extend(rest)
    text = "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))
    reasoning = "".join(piece.text for piece in pieces if isinstance(piece, ReasoningPiece))
    return text, reasoning, end or (finish, dropped)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(LINES), max_size=12),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
    st.integers(1, 40),
)
def test_any_cut_gives_the_same_answer(lines: list[bytes], end: bytes, size: int) -> None:
    raw = end.join(lines) + end + end
    packets = [raw[at : at + size] for at in range(0, len(raw), size)]
    assert asyncio.run(read(packets)) == asyncio.run(read([raw]))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=30), max_size=8))
def test_rubbish_ends_in_an_error_that_can_be_read(packets: list[bytes]) -> None:
    _, _, end = asyncio.run(read(packets))
    assert isinstance(end, tuple)
    assert end[0] == "protocol"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<", "thi", "nk>", "\n", " ", "```", "~~~", "a", "文"]))
)
def test_tags_are_told_apart_wherever_the_content_is_cut(parts: list[str]) -> None:
    def split(pieces: Iterable[str]) -> tuple[str, str]:
        splitter = ThinkSplitter()
        found = [found for piece in pieces for found in splitter.feed(piece)] + splitter.finish()
        return joined(found, True), joined(found, False)

    def joined(found: list[tuple[bool, str]], wanted: bool) -> str:
        return "".join(text for reasoning, text in found if reasoning is wanted)

    whole = "".join(parts)
    assert split(parts) == split([whole]) == split(whole)
    if "<think>" not in whole:
        assert split([whole]) == ("", whole)


def test_events_fields_and_comments() -> None:
    reader = EventReader()
    events = reader.feed(b": c\nevent: a\ndata: 1\ndata: x\n\ndata:2\nid: 7\nretry: 5\n\nevent: lost\n\ndata")
    # The first line is JSON by itself, so it doesn't wait for the second.
    assert events == [ServerEvent("a", "1"), ServerEvent("", "x"), ServerEvent("", "2")]
    assert reader.feed(b": 3") == []
    assert reader.finish() == [ServerEvent("", "3")]


def test_a_return_and_a_line_feed_in_two_packets_are_one_line_end() -> None:
    reader = EventReader()
    packets = (b"data: {\r", b"\n", b"data: }\r", b"\n\r", b"\n")
    assert [event for packet in packets for event in reader.feed(packet)] == [ServerEvent("", "{\n}")]


def test_halves_of_characters() -> None:
    assert join_pairs("a\ud83d\ude00\ud83d") == "a😀\ud83d"
    assert encodable("a\ud83d\ude00\ud83d") == "a😀\ufffd"
    joiner = PairJoiner()
    assert [joiner.feed(part) for part in ("a\ud83d", "\ude00", "\ud83d", "b", "\ud83d")] == [
        "a",
        "😀",
        "",
        "\ud83db",
        "",
    ]
    assert joiner.finish() == "\ud83d"
