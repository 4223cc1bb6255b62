"""What compatible services really send: each row of the compatibility matrix that is the client's to get right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from geekagent_tui.agent.models.base import ToolCall, UsagePiece
from tests.agent.models.asking import Outcome, ask, model_for
from tests.support.loopback import (
    DONE,
    LoopbackServer,
    Reply,
    Step,
    chunk,
    error_reply,
    json_reply,
    split,
    usage_chunk,
)


async def play(server: LoopbackServer, *steps: Step) -> Outcome:
    server.add(Reply(steps))
    return await ask(model_for(server))


def call(
    index: int | None = 0, call_id: str | None = None, name: str | None = None, arguments: Any = None
) -> Any:
    """One piece of a tool call; what is None is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    piece: dict[str, Any] = {"function": function}
    if index is not None:
        piece["index"] = index
    if call_id is not None:
        piece["id"] = call_id
    return piece


def calls(*pieces: Any) -> dict[str, Any]:
    return chunk({"tool_calls": list(pieces)})


def event(data: Any) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


async def test_row_1_usage_without_choices(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "好"}, "stop"), usage_chunk(7, 3), DONE)
    assert outcome.usage == UsagePiece(7, 3)


async def test_row_2_no_usage(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "好"}, "stop"), DONE)
    assert outcome.usage is None
    assert outcome.finish.reason == "stop"


async def test_row_5_null_and_empty_content(loopback: LoopbackServer) -> None:
    steps = ({"role": "assistant", "content": None}, {"content": ""}, {"content": "好"}, {"content": None})
    outcome = await play(loopback, *(chunk(delta) for delta in steps), chunk({}, "stop"), DONE)
    assert outcome.text == "好"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
async def test_row_6_reasoning(loopback: LoopbackServer, name: str) -> None:
    steps = ({name: "想"}, {name: "一想", "content": None}, {"content": "好", name: None})
    outcome = await play(loopback, *(chunk(delta) for delta in steps), chunk({}, "stop"), DONE)
    assert (outcome.reasoning, outcome.text) == ("想一想", "好")


async def test_row_6_reasoning_under_both_names_is_not_doubled(loopback: LoopbackServer) -> None:
    outcome = await play(
        loopback, chunk({"reasoning_content": "想", "reasoning": "想", "content": "好"}), DONE
    )
    assert (outcome.reasoning, outcome.text) == ("想", "好")


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 100])
async def test_row_7_think_tags_in_the_content(loopback: LoopbackServer, size: int) -> None:
    content = "\n<think>\n先想 <b> 想\n</think>\n\n答案 </think> 是 `<think>`。\n```\n<think>\n```\n完"
    parts = (content[at : at + size] for at in range(0, len(content), size))
    outcome = await play(loopback, *(chunk({"content": part}) for part in parts), chunk({}, "stop"), DONE)
    assert outcome.reasoning == "先想 <b> 想\n"
    assert outcome.text == "答案 </think> 是 `<think>`。\n```\n<think>\n```\n完"


async def test_row_8_a_whole_call_in_one_chunk(loopback: LoopbackServer) -> None:
    whole = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    outcome = await play(loopback, chunk({"role": "assistant", "tool_calls": [whole]}, "tool_calls"), DONE)
    assert outcome.calls == (ToolCall("c1", "f", '{"a": 1}'),)


@pytest.mark.parametrize("size", [1, 2, 3])
async def test_row_9_arguments_split_anywhere(loopback: LoopbackServer, size: int) -> None:
    arguments = json.dumps({"路径": 'a\\"b', "文": "😀é\n"}) + " "
    parts = [call(0, None, None, arguments[at : at + size]) for at in range(0, len(arguments), size)]
    outcome = await play(
        loopback, calls(call(0, "c1", "f", "")), *map(calls, parts), chunk({}, "tool_calls"), DONE
    )
    assert [json.loads(made.arguments) for made in outcome.calls] == [{"路径": 'a\\"b', "文": "😀é\n"}]


async def test_row_9_arguments_split_inside_a_character(loopback: LoopbackServer) -> None:
    raw = event(calls(call(0, "c1", "f", '{"文": "记住😀"}'))) + event(chunk({}, "tool_calls")) + DONE
    outcome = await play(loopback, *split(raw, 1))
    assert outcome.calls == (ToolCall("c1", "f", '{"文": "记住😀"}'),)


TWO = (ToolCall("a", "f", '{"x": 1}'), ToolCall("b", "g", '{"y": 2}'))
MADE = (ToolCall("made-1", "f", '{"x": 1}'), ToolCall("made-2", "g", '{"y": 2}'))

SHAPES: dict[str, tuple[Iterable[dict[str, Any]], tuple[ToolCall, ...]]] = {
    "row 10: interleaved by index": (
        [
            calls(call(0, "a", "f", '{"x"'), call(1, "b", "g", "")),
            calls(call(1, None, None, '{"y": ')),
            calls(call(0, None, None, ": 1}")),
            calls(call(1, None, None, "2}")),
        ],
        TWO,
    ),
    "row 11: index missing, told apart by id": (
        [
            calls(call(None, "a", "f", '{"x": 1')),
            calls(call(None, None, None, "}")),
            calls(call(None, "b", "g", '{"y": 2}')),
        ],
        TWO,
    ),
    "row 11: index always 0, told apart by id": (
        [
            calls(call(0, "a", "f", '{"x": 1')),
            calls(call(0, "a", None, "}")),
            calls(call(0, "b", "g", "")),
            calls(call(0, None, None, '{"y": 2}')),
        ],
        TWO,
    ),
    "row 12: id only first, then empty and null": (
        [
            calls(call(0, "a", "f", "")),
            calls(call(0, "", "f", '{"x":')),
            calls({"index": 0, "id": None, "function": {"name": None, "arguments": " 1}"}}),
        ],
        TWO[:1],
    ),
    "row 12: name split": (
        [calls(call(0, "a", "memory_")), calls(call(0, "a", "write")), calls(call(0, None, None, "{}"))],
        (ToolCall("a", "memory_write", "{}"),),
    ),
    "row 12: name growing": (
        [calls(call(0, "a", "memory_")), calls(call(0, "a", "memory_write", "{}"))],
        (ToolCall("a", "memory_write", "{}"),),
    ),
    "row 13: no id at all": (
        [calls(call(0, None, "f", '{"x": 1}')), calls(call(1, None, "g", '{"y": 2}'))],
        MADE,
    ),
    "row 13: neither id nor index, one chunk": (
        [calls(call(None, None, "f", '{"x": 1}'), call(None, None, "g", '{"y": 2}'))],
        MADE,
    ),
    "row 13: neither id nor index, two chunks": (
        [calls(call(None, None, "f", '{"x": 1}')), calls(call(None, None, "g", '{"y": 2}'))],
        MADE,
    ),
    "one id for two places": (
        [calls(call(0, "a", "f", '{"x": 1}'), call(1, "a", "g", '{"y": 2}'))],
        (ToolCall("a", "f", '{"x": 1}'), ToolCall("made-1", "g", '{"y": 2}')),
    ),
    "one id for two places, a piece each in turn": (
        [
            calls(call(0, "a", "f", '{"x":')),
            calls(call(1, "a", "g", '{"y":')),
            calls(call(0, "a", None, " 1}")),
            calls(call(1, "a", None, " 2}")),
        ],
        (ToolCall("a", "f", '{"x": 1}'), ToolCall("made-1", "g", '{"y": 2}')),
    ),
    "row 13: empty ids, index 0, same name without arguments": (
        [calls(call(0, "", "f", ""), call(0, "", "f", ""))],
        (ToolCall("made-1", "f", "{}"), ToolCall("made-2", "f", "{}")),
    ),
    "row 14: arguments are an object": ([calls(call(0, "a", "f", {"x": 1}))], TWO[:1]),
    "row 14: arguments are empty": ([calls(call(0, "a", "f", ""))], (ToolCall("a", "f", "{}"),)),
    "row 14: arguments are null": (
        [calls({"index": 0, "id": "a", "function": {"name": "f", "arguments": None}})],
        (ToolCall("a", "f", "{}"),),
    ),
    "row 14: arguments are the word null": ([calls(call(0, "a", "f", "null"))], (ToolCall("a", "f", "{}"),)),
    "row 38: index starts at 1, function null, all repeated": (
        [
            calls(call(1, "a", "f", '{"x"')),
            calls({"index": 1, "id": "a", "function": None}),
            calls(call(1, "a", "f", ": 1}")),
        ],
        TWO[:1],
    ),
    "row 38: a new id for every piece": (
        [calls(call(0, "a", "f", '{"x"')), calls(call(0, "z", None, ": 1}"))],
        TWO[:1],
    ),
    "rubbish among the pieces": (
        [chunk({"tool_calls": [None, 3, "x", call(0, "a", "f", '{"x": 1}')]}), chunk({"tool_calls": {}})],
        TWO[:1],
    ),
    "the old function_call": (
        [chunk({"function_call": {"name": "f", "arguments": '{"x"'}}), chunk({"function_call": {"arguments": ": 1}"}})],
        MADE[:1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
async def test_tool_call_shapes(loopback: LoopbackServer, shape: str) -> None:
    steps, expected = SHAPES[shape]
    outcome = await play(loopback, *steps, chunk({}, "tool_calls"), DONE)
    assert outcome.calls == expected


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call", "eos", "", None, "STOP", 3])
async def test_row_15_the_content_decides_whether_calls_are_run(
    loopback: LoopbackServer, reason: Any
) -> None:
    outcome = await play(loopback, calls(call(0, "a", "f", '{"x": 1}')), chunk({}, reason), DONE)
    assert (outcome.finish.reason, outcome.calls) == ("stop", TWO[:1])
    outcome = await play(loopback, chunk({"content": "好"}), chunk({}, reason), DONE)
    assert (outcome.finish.reason, outcome.calls, outcome.text) == ("stop", (), "好")


async def test_row_16_a_cut_text_is_kept(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "说到一半"}, "length"), DONE)
    assert (outcome.text, outcome.finish.reason) == ("说到一半", "length")


@pytest.mark.parametrize("arguments", ['{"x": 1', "", '{"x": {"y": 2}'])
async def test_row_16_a_cut_call_is_never_run(loopback: LoopbackServer, arguments: str) -> None:
    pieces = (call(0, "a", "f", '{"x": 1}'), call(1, "b", "g", arguments))
    outcome = await play(loopback, calls(*pieces), chunk({}, "length"), DONE)
    assert (outcome.finish.reason, outcome.calls) == ("length", TWO[:1])
    assert outcome.notices == ["有 1 个工具调用没有写完，没有执行"]


@pytest.mark.parametrize("reason", ["content_filter", "sensitive", "SAFETY", "refusal"])
async def test_row_17_and_44_a_filtered_answer_keeps_its_text(loopback: LoopbackServer, reason: str) -> None:
    outcome = await play(loopback, chunk({"content": "开头"}), chunk({}, reason), DONE)
    assert (outcome.text, outcome.finish.reason) == ("开头", "filter")


async def test_row_17_a_refusal(loopback: LoopbackServer) -> None:
    outcome = await play(
        loopback, chunk({"refusal": "不能", "content": None}), chunk({"refusal": "说"}, "stop"), DONE
    )
    assert (outcome.text, outcome.finish.reason) == ("不能说", "filter")


@pytest.mark.parametrize("text", ['<tool_call>{"name": "f"}</tool_call>', '```json\n{"name": "f"}\n```'])
async def test_row_18_a_call_written_as_text_is_text(loopback: LoopbackServer, text: str) -> None:
    outcome = await play(loopback, chunk({"content": text}, "stop"), DONE)
    assert (outcome.text, outcome.calls) == (text, ())


@pytest.mark.parametrize("size", [1, 4, 4096])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_row_19_comments_blank_lines_and_line_ends(
    loopback: LoopbackServer, end: str, size: int
) -> None:
    first, last = json.dumps(chunk({"content": "甲"})), json.dumps(chunk({"content": "乙"}, "stop"))
    lines = (
        ": OPENROUTER PROCESSING",
        "",
        "",
        "event: message",
        f"data:{first}",
        "",
        f"data: {last}",
        "",
        "data: [DONE]",
        "",
        "",
    )
    outcome = await play(loopback, *split(end.join(lines).encode(), size))
    assert (outcome.text, outcome.finish.reason) == ("甲乙", "stop")


async def test_row_20_no_done_and_data_after_it(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "好"}, "stop"))
    assert (outcome.text, outcome.finish.reason) == ("好", "stop")
    outcome = await play(
        loopback, chunk({"content": "好"}, "stop"), DONE, chunk({"content": "多余"}), b"junk"
    )
    assert outcome.text == "好"
    everything = event(chunk({"content": "好"}, "stop")) + DONE + event(chunk({"content": "多余"}))
    outcome = await play(loopback, everything)
    assert outcome.text == "好"


@pytest.mark.parametrize(
    "fault",
    [
        {"error": {"message": "上游断了", "code": 502}},
        {"error": "上游断了"},
        {"error": {"message": "上游断了", "code": "server_error"}, "choices": []},
        chunk({"content": ""}, "error", error={"code": 502, "message": "上游断了"}),
        {"object": "error", "message": "上游断了", "code": 500},
        {"code": "InternalError", "message": "上游断了"},
    ],
    ids=json.dumps,
)
async def test_row_21_an_error_in_the_stream(loopback: LoopbackServer, fault: dict[str, Any]) -> None:
    outcome = await play(loopback, chunk({"content": "说到"}), fault, chunk({"content": "不算"}), DONE)
    assert outcome.text == "说到"
    assert outcome.error is not None
    assert outcome.error.kind == "server"
    assert outcome.error.message == "服务在回答中途报错：上游断了"


async def test_row_21_an_error_with_text_beside_it_keeps_the_text(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "说到"}, error={"message": "断了", "code": 429}))
    assert outcome.text == "说到"
    assert outcome.error is not None
    assert (outcome.error.kind, outcome.error.status) == ("rate_limit", 429)


async def test_row_23_and_42_json_that_is_no_stream(loopback: LoopbackServer) -> None:
    message = {
        "role": "assistant",
        "content": "<think>想</think>整段",
        "tool_calls": [call(None, "a", "f", '{"x": 1}')],
    }
    body = {
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 4, "completion_tokens": 2},
    }
    loopback.add(json_reply(body))
    outcome = await ask(model_for(loopback))
    assert (outcome.reasoning, outcome.text, outcome.calls) == ("想", "整段", TWO[:1])
    assert outcome.usage == UsagePiece(4, 2)
    loopback.add(Reply((json.dumps(body, indent=1),)))  # the same under the stream's content type
    assert (await ask(model_for(loopback))).text == "整段"


async def test_row_23_a_json_line_per_chunk(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, *(json.dumps(chunk({"content": part})) + "\n" for part in "甲乙"))
    assert outcome.text == "甲乙"


async def test_row_24_and_42_a_web_page(loopback: LoopbackServer) -> None:
    loopback.add(
        error_reply(
            200, "\n<!DOCTYPE html><html><head><title>校园网\n认证</title></head><body>x</body></html>"
        )
    )
    outcome = await ask(model_for(loopback))
    assert outcome.error is not None
    assert outcome.error.kind == "protocol"
    assert "网页" in outcome.error.message
    assert "校园网 认证" in outcome.error.message
    assert "OPENAI_BASE_URL" in outcome.error.hint


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "内容是空的"),
        (b"  \n", "内容是空的"),
        (b"hello\nthere", "hello"),
        (b'{"ok": true}', '{"ok": true}'),
        (b'{"choices": [', '{"choices": ['),
        (b"[]", "[]"),
        (b"data: hello\n\n", "data: hello"),
    ],
)
async def test_row_42_status_200_with_something_else(
    loopback: LoopbackServer, body: bytes, said: str
) -> None:
    outcome = await play(loopback, body)
    assert outcome.error is not None
    assert outcome.error.kind == "protocol"
    assert said in outcome.error.message


@pytest.mark.parametrize(
    "body",
    [{"error": {"message": "没有余额"}}, {"base_resp": {"status_code": 1008, "status_msg": "没有余额"}}],
)
async def test_status_200_with_an_error_object(loopback: LoopbackServer, body: dict[str, Any]) -> None:
    loopback.add(json_reply(body))
    outcome = await ask(model_for(loopback))
    assert outcome.error is not None
    assert "没有余额" in outcome.error.message


async def test_row_32_fields_missing_or_of_the_wrong_type(loopback: LoopbackServer) -> None:
    bare = {"choices": [{"delta": {"content": "好"}}]}
    wrong = {"id": 7, "created": "x", "object": None, "model": {}, "logprobs": 3, "usage": "none"}
    odd = chunk({"content": "的", "extra": [1]}) | wrong
    outcome = await play(
        loopback, bare, odd, chunk({"role": 5, "content": 9, "tool_calls": "no"}, "stop"), DONE
    )
    assert outcome.text == "好的"


async def test_row_33_a_large_chunk_and_thousands_of_small_ones(loopback: LoopbackServer) -> None:
    large = "长" * 100_000
    small = b"".join(event(chunk({"content": "字"})) for _ in range(3000))
    outcome = await play(loopback, chunk({"content": large}), *split(small, 5000), chunk({}, "stop"), DONE)
    assert outcome.text == large + "字" * 3000


async def test_row_35_characters_split_between_packets_and_pieces(loopback: LoopbackServer) -> None:
    raw = event(chunk({"content": "多字节😀\x00\x1b[31m"})) + event(chunk({}, "stop")) + DONE
    assert (await play(loopback, *split(raw, 1))).text == "多字节😀\x00\x1b[31m"
    halves = (
        chunk({"content": "\ud83d"}),
        chunk({"content": "\ude00和\ud83d"}),
        chunk({"content": "孤"}, "stop"),
    )
    assert (await play(loopback, *halves, DONE)).text == "😀和\ud83d孤"
    assert (
        await play(loopback, b'data: {"choices":[{"delta":{"content":"a\xffb"}}]}\n\n', DONE)
    ).text == "a\ufffdb"


async def test_row_37_chunks_with_nothing_in_them(loopback: LoopbackServer) -> None:
    empty: list[Step] = [
        {"choices": [], "prompt_filter_results": [{}]},
        chunk(choices=None),
        {"id": "x"},
        chunk(choices=[{"index": 0, "delta": None}]),
        chunk(choices=[None, 4]),
        chunk(choices={}),
    ]
    outcome = await play(loopback, *empty, chunk({"content": "好"}, "stop"), *empty, DONE)
    assert outcome.text == "好"


async def test_row_39_keep_alives_of_all_kinds(loopback: LoopbackServer) -> None:
    noise = b"id: 1\n: ping\n\nretry: 100\n\ndata:\n\ndata: : keepalive\n\ndata: ping\n\nid: 2\n\n"
    outcome = await play(
        loopback, noise, chunk({"content": "甲"}), noise, chunk({"content": "乙"}, "stop"), noise, DONE
    )
    assert (outcome.text, outcome.error) == ("甲乙", None)


async def test_row_39_a_broken_event_ends_readably(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "甲"}), b'data: {"choices": [{"delta": \n\n', DONE)
    assert outcome.text == "甲"
    assert outcome.error is not None
    assert outcome.error.kind == "protocol"


@pytest.mark.parametrize(
    "data", ['{"message": "太忙了"}', "太忙了", '{"error": {"message": "太忙了"}}', '"太忙了"']
)
async def test_row_40_an_error_event(loopback: LoopbackServer, data: str) -> None:
    outcome = await play(loopback, chunk({"content": "甲"}), f"event: error\ndata: {data}\n\n")
    assert outcome.text == "甲"
    assert outcome.error is not None
    assert outcome.error.message == "服务在回答中途报错：太忙了"


async def test_row_41_a_clean_end_without_a_finish(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"content": "说到一半"}))
    assert (outcome.text, outcome.finish.reason) == ("说到一半", "unknown")


async def test_row_41_a_call_without_a_finish_is_run_only_when_whole(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, calls(call(0, "a", "f", '{"x": 1}'), call(1, "b", "g", '{"y"')))
    assert outcome.calls == TWO[:1]


async def test_row_41_nothing_at_all_is_an_interruption(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, chunk({"role": "assistant", "content": ""}))
    assert outcome.error is not None
    assert outcome.error.kind == "interrupted"


async def test_row_41_the_last_event_needs_no_blank_line(loopback: LoopbackServer) -> None:
    outcome = await play(loopback, event(chunk({"content": "好"}, "stop")).rstrip())
    assert outcome.text == "好"
    outcome = await play(loopback, chunk({"content": "好"}), b'data: {"choices": [{"del')
    assert outcome.text == "好"
    assert outcome.error is not None
    assert outcome.error.kind == "interrupted"


async def test_row_43_a_byte_order_mark(loopback: LoopbackServer) -> None:
    raw = event(chunk({"content": "甲"})) + event(chunk({"content": "乙"}, "stop")) + DONE
    assert (await play(loopback, b"\xef\xbb\xbf" + raw)).text == "甲乙"
    assert (await play(loopback, *split(b"\xef\xbb\xbf" + raw, 1))).text == "甲乙"


@pytest.mark.parametrize("reason", ["network_error", "insufficient_system_resource", "error"])
async def test_row_44_the_service_gave_up(loopback: LoopbackServer, reason: str) -> None:
    outcome = await play(loopback, chunk({"content": "开头"}), chunk({}, reason), DONE)
    assert outcome.text == "开头"
    assert outcome.error is not None
    assert outcome.error.kind == "cancelled_by_service"
    assert reason in outcome.error.message


async def test_events_without_blank_lines_between_them(loopback: LoopbackServer) -> None:
    raw = (event(chunk({"content": "甲"})) + event(chunk({"content": "乙"}, "stop"))).replace(b"\n\n", b"\n")
    assert (await play(loopback, raw, b"data: [DONE]\n")).text == "甲乙"


async def test_content_in_parts(loopback: LoopbackServer) -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "想"}]},
        {"type": "text", "text": "好"},
        "的",
    ]
    outcome = await play(loopback, chunk({"content": parts}, "stop"), DONE)
    assert (outcome.reasoning, outcome.text) == ("想", "好的")


async def test_a_second_choice_is_not_mixed_in(loopback: LoopbackServer) -> None:
    both = [{"index": n, "delta": {"content": text}} for n, text in enumerate("甲乙")]
    assert (await play(loopback, chunk(choices=both), chunk({}, "stop"), DONE)).text == "甲"
