"""The built-in responder: real tool calls, quotes from memory, and plain words when there is nothing."""

from __future__ import annotations

import json

import pytest

from geekagent_tui.agent.models.base import Finish, Message, ModelRequest, TextPiece, ToolCall, ToolSpec
from geekagent_tui.agent.models.offline import OfflineResponder
from geekagent_tui.memory.types import Recall
from geekagent_tui.texts import memory as memory_texts
from geekagent_tui.texts.models import EN, ZH
from tests.agent.models.asking import Outcome, collect
from tests.support.turns import nothing, recall_of

WRITE = ToolSpec("memory_write", "")
CLOCK = ToolSpec("get_current_time", "")
SYSTEM = Message("system", "指令")
LATER = (Message("user", "你好"), Message("assistant", "你好"))


async def say(
    text: str,
    recall: Recall | None = None,
    *,
    before: tuple[Message, ...] = (),
    tools: tuple[ToolSpec, ...] = (WRITE, CLOCK),
    responder: OfflineResponder | None = None,
) -> Outcome:
    request = ModelRequest((SYSTEM, *before, Message("user", text)), tools, recall)
    return await collect((responder or OfflineResponder()).stream(request))


async def after(name: str, result: str, responder: OfflineResponder | None = None) -> str:
    call = ToolCall("offline-2", name, "{}")
    messages = (
        SYSTEM,
        *LATER,
        Message("user", "x"),
        Message("assistant", "", (call,)),
        Message("tool", result, (), call.id),
    )
    return (
        await collect((responder or OfflineResponder()).stream(ModelRequest(messages, (WRITE, CLOCK))))
    ).text


def test_it_calls_itself_offline() -> None:
    assert OfflineResponder().offline
    assert OfflineResponder().label == "离线应答（未配置模型）"


async def test_asked_to_remember_it_calls_the_tool_and_says_nothing_yet() -> None:
    outcome = await say('记住：路径是 "a\\b"\n第二行\ud83d')
    (call,) = outcome.calls
    assert call.name == "memory_write"
    assert json.loads(call.arguments) == {"content": '路径是 "a\\b"\n第二行\ud83d'}
    assert len(outcome.pieces) == 1


async def test_calls_of_one_conversation_have_ids_of_their_own() -> None:
    first = await say("记住：甲")
    second = await say("记住：乙", before=LATER)
    assert first.calls[0].id != second.calls[0].id


async def test_with_the_tool_denied_it_says_so() -> None:
    outcome = await say("记住：甲", tools=())
    assert outcome.calls == ()
    assert outcome.text == ZH.offline_cannot_write


async def test_remember_what() -> None:
    assert (await say("请记住")).text == ZH.offline_remember_what


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("已记住：我叫小李", "好，已经存进长期记忆（4 字）：我叫小李"),
        (
            "已记住：第一行\n第二行" + "长" * 90,
            "好，已经存进长期记忆（97 字）：第一行 第二行" + "长" * 41 + "…",
        ),
        (
            "已记住（过长已截短）：" + "长" * 4000,
            "好，已经存进长期记忆，太长的部分截掉了（存下 4000 字）：" + "长" * 48 + "…",
        ),
        ("这条记忆已经存在", "这条已经在长期记忆里了，没有重复保存。"),
        ("没有记住：磁盘已满", "没有存进长期记忆：没有记住：磁盘已满"),
    ],
)
async def test_after_the_write_it_says_what_was_stored(result: str, said: str) -> None:
    assert await after("memory_write", result) == said


async def test_in_english() -> None:
    responder = OfflineResponder(EN, memory_texts.EN)
    stored = memory_texts.EN.remembered.format(entry="my name is Li")
    assert (
        await after("memory_write", stored, responder)
        == "Stored in long-term memory (13 characters): my name is Li"
    )
    outcome = await say("hello", nothing(), responder=responder, before=LATER)
    assert outcome.text == "Nothing relevant is remembered."


async def test_the_time() -> None:
    outcome = await say("现在几点了？")
    assert [call.name for call in outcome.calls] == ["get_current_time"]
    assert await after("get_current_time", "2026-12-01 12:00:00") == "现在是 2026-12-01 12:00:00。"


async def test_without_a_clock_the_time_is_a_question_like_any_other() -> None:
    assert (await say("几点了", nothing(), tools=(), before=LATER)).text == ZH.offline_nothing


async def test_it_quotes_what_was_recalled_with_its_place() -> None:
    recall = recall_of("历史压缩", "别的事。历史压缩放在第五天，阈值 4000。\n还有。", "无关")
    outcome = await say("历史压缩", recall, before=LATER)
    assert outcome.text.startswith("长期记忆里这样写着：\n\n> ")
    assert "> 历史压缩放在第五天，阈值 4000。" in outcome.text
    assert "条目 #1，第 1 段" in outcome.text
    assert outcome.finish == Finish("stop")


async def test_it_streams_in_small_pieces() -> None:
    outcome = await say("压缩", recall_of("压缩", "历史压缩放在第五天。"))
    texts = [piece for piece in outcome.pieces if isinstance(piece, TextPiece)]
    assert len(texts) > 10
    assert max(len(piece.text) for piece in texts) <= 4


async def test_the_first_answer_says_how_to_configure_a_model_and_later_ones_do_not() -> None:
    first, later = await say("你好", nothing()), await say("你好", nothing(), before=LATER)
    assert first.text == f"{ZH.offline_nothing}\n\n{ZH.offline_configure}"
    assert later.text == ZH.offline_nothing
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL", ".env"):
        assert name in first.text


async def test_too_little_in_common_is_named_as_a_maybe() -> None:
    recall = recall_of("压缩机房空调型号购买日期联系电话", "历史压缩放在第五天。")
    keywords = ("压缩", "缩机", "机房", "房空", "空调", "调型", "型号", "号购", "购买", "买日", "日期")
    recall = Recall(recall.query, keywords, recall.hits, 2, 1.0, "classic")
    outcome = await say(recall.query, recall, before=LATER)
    assert outcome.text.startswith("没有找到足够相关的记忆。最接近的是条目 #1，第 1 段")
    assert "> 历史压缩放在第五天。" in outcome.text


async def test_an_empty_memory_and_a_failed_search_are_said() -> None:
    empty = Recall("x", ("x",), (), 0, 0.1, "classic")
    assert (await say("你好", empty, before=LATER)).text == ZH.offline_no_memory
    assert (await say("你好", None, before=LATER)).text == ZH.offline_no_recall
