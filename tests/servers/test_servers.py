"""Whole turns against servers that somebody else wrote: a real llama.cpp with a real (tiny) model, and a mock server
that plays what hosted services do. What the tiny model says is its own; that it comes, is counted, can be stopped, and
that the server takes our history with calls and results, is ours."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from geekagent_tui.agent.events import TextDelta, TurnCancelled, TurnFinished
from geekagent_tui.agent.models.base import Finish, Message, TextPiece, ToolCall, UsagePiece
from geekagent_tui.agent.models.local import Reachable, check_reachable
from geekagent_tui.agent.models.openai_client import OpenAIModel
from geekagent_tui.agent.record import TurnRecord
from tests.agent.models.asking import ask, request_of
from tests.servers.llama_server import CONTEXT, KEY
from tests.support.talk import Talk, failed, finished, notices, reasoning, results


def client(url: str, key: str = KEY, model: str = "any") -> OpenAIModel:
    return OpenAIModel(url, key, model, silence_seconds=60.0)


async def stopped(talk: Talk, text: str) -> TurnCancelled:
    """Ask, and stop when the first words are there."""
    conversation = talk.conversation
    conversation.enqueue(text)
    async with aclosing(conversation.run_next()) as events:
        async for event in events:
            talk.events.append(event)
            if isinstance(event, TextDelta):
                conversation.cancel()
    end = conversation.records[-1].end
    assert isinstance(end, TurnCancelled)
    return end


# A real llama.cpp. Its model may well talk until it is cut.


def spoken(record: TurnRecord) -> TurnRecord:
    assert isinstance(record.end, TurnFinished), record.end
    assert record.end.reason in ("stop", "length")
    assert record.answer.strip()
    return record


async def test_llama_streams_and_counts(llama: str) -> None:
    talk = Talk(client(llama))
    record = spoken(await talk.say("Say hello."))
    assert sum(isinstance(event, TextDelta) for event in talk.events) > 2
    (usage,) = record.usage
    assert usage.exact
    assert usage.prompt_tokens > 100  # system prompt and recall are in it


async def test_llama_stops_at_once_and_goes_on(llama: str) -> None:
    talk = Talk(client(llama))
    begun = asyncio.get_running_loop().time()
    await stopped(talk, "Count from one to five hundred in words.")
    assert asyncio.get_running_loop().time() - begun < 20
    spoken(await talk.say("Say hello."))


async def test_llama_takes_calls_and_results(llama: str) -> None:
    """As the history of a turn with two calls, one of them interrupted, goes out."""
    calls = (ToolCall("c1", "note", '{"x": "banana"}'), ToolCall("c2", "note", "{}"))
    request = request_of(
        "Note the word banana.",
        Message("assistant", "", calls),
        Message("tool", "noted banana", (), "c1"),
        Message("tool", "（这次调用被中断，没有结果）", (), "c2"),
        Message("assistant", "Done."),
        "Thanks. Say hello.",
    )
    outcome = await ask(client(llama), request)
    assert outcome.error is None
    assert any(isinstance(piece, TextPiece) for piece in outcome.pieces)
    assert isinstance(outcome.usage, UsagePiece)
    assert isinstance(outcome.pieces[-1], Finish)


async def test_llama_wants_its_key(llama: str) -> None:
    end = failed(await Talk(client(llama, key="sk-wrong-key")).say(), "auth")
    assert "sk-wrong-key" not in end.message + end.hint


async def test_llama_says_when_the_context_is_full(llama: str) -> None:
    end = failed(await Talk(client(llama)).say("banana apple " * CONTEXT), "context_length")
    assert "/compact" in end.hint


async def test_llama_lists_its_model(llama: str) -> None:
    found = await check_reachable(llama, KEY)
    assert isinstance(found, Reachable)
    assert len(found.models) == 1


# The mock server.


async def test_mock_streams(mock: str) -> None:
    talk = Talk(client(mock, model="gpt-4o"))
    record = finished(await talk.say("说一段"))
    assert record.answer == "缓存预热要十分钟，然后才稳定 👋"
    assert sum(isinstance(event, TextDelta) for event in talk.events) > 3
    assert record.usage[0].exact


async def test_mock_calls_two_tools_and_goes_on(mock: str) -> None:
    talk = Talk(client(mock, model="gpt-4o"))
    record = finished(await talk.say("记两笔"))
    assert talk.note.got == ["甲", "乙\n😀"]
    assert results(record) == ["记下 甲", "记下 乙\n😀"]
    assert record.answer.endswith("都记下了")
    assert len(record.usage) == 2


async def test_mock_thinks(mock: str) -> None:
    record = finished(await Talk(client(mock, model="deepseek-reasoner")).say("想一想"))
    assert (reasoning(record), record.answer) == ("先想想", "想好了")


async def test_mock_is_stopped_and_goes_on(mock: str) -> None:
    talk = Talk(client(mock, model="gpt-4o"))
    await stopped(talk, "慢慢说")
    assert finished(await talk.say("说一段")).answer.startswith("缓存")


@pytest.mark.parametrize("text", ["说一半", "断开"])
async def test_mock_goes_away_in_the_middle(mock: str, text: str) -> None:
    record = await Talk(client(mock, model="gpt-4o")).say(text)
    failed(record, "interrupted")
    assert "说到这里就要断了，后面没有了".startswith(record.answer)
    assert record.answer


@pytest.mark.parametrize(
    ("text", "kind"), [("没有权限", "auth"), ("太快了", "rate_limit"), ("出错了", "server")]
)
async def test_mock_refuses(mock: str, text: str, kind: str) -> None:
    talk = Talk(client(mock, model="gpt-4o"))
    failed(await talk.say(text), kind)
    assert finished(await talk.say("说一段")).answer.startswith("缓存")
    assert notices(talk.conversation.records[-1]) == []
