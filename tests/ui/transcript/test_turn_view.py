"""A turn's parts as rows, and an update that equals a fresh start."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.agent.events import (
    Event,
    Notice,
    ReasoningDelta,
    RequestStarted,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnCancelled,
    TurnEnd,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from geekagent_tui.agent.record import NoticePart, ReasoningPart, TextPart, ToolPart, TurnLog, TurnRecord
from geekagent_tui.texts.transcript import EN, ZH
from geekagent_tui.ui.transcript.turn_view import Banner, TurnView
from tests.ui.transcript.shared import done, running


def rows(record: TurnRecord, width: int = 40) -> list[str]:
    return [line.text.rstrip() for line in TurnView(record, ZH).rows(width).lines]


def test_a_turn_in_order() -> None:
    record = done(
        "t",
        "问\n题",
        ReasoningPart("想"),
        "答",
        ToolPart("c", "ls", "{}", 1, "a\nb"),
        NoticePart("info", "注"),
    )
    assert rows(record) == [
        "❯ 问", "  题", "", "思考 · 1 字", "", "答", "", "[调用工具 ls → a b]", "", "· 注", "",
    ]  # fmt: skip


def test_what_a_command_said_has_no_message_above() -> None:
    assert rows(done("t", "", NoticePart("info", "帮助"))) == ["· 帮助", ""]


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (TurnCancelled("t", 1.0), ["⏹ 已中断"]),
        (TurnFailed("t", "auth", "密钥不对", "检查设置", 1.0), ["✗ 密钥不对", "  检查设置"]),
        (TurnFinished("t", "length", 1.0), [ZH.cut_length]),
        (TurnFinished("t", "unknown", 1.0), [ZH.cut_unknown]),
        (TurnFinished("t", "stop", 1.0), []),
    ],
)
def test_how_a_turn_ends(end: TurnEnd, expected: list[str]) -> None:
    record = replace(running("t"), status="finished", parts=(TextPart("半"),), end=end)
    assert rows(record) == ["❯ 问", "", "半", *(["", *expected] if expected else []), ""]


def test_waiting_and_queued() -> None:
    assert rows(running("t"))[2] == "… 正在等待模型"
    assert rows(replace(running("t"), status="queued"))[2] == "⏳ 已排队"


def test_a_tool_line_is_one_line_that_fits() -> None:
    record = done("t", "问", ToolPart("c", "search", '{"q": 1}', 1, "很长\n" * 30, True, 3.0))
    (line,) = [row for row in rows(record, 30) if row.startswith("[")]
    assert line == "[调用工具 search → 很长 很长…]"
    view = TurnView(record, ZH)
    (target,) = view.targets(30)
    assert view.toggle(target.block)
    opened = [row.text.rstrip() for row in view.rows(30).lines]
    assert opened[3:6] == ["│ 参数", '│ {"q": 1}', "│ 结果 · 3 ms"]
    assert opened.count("│ 很长") == 30


def test_a_call_without_a_result() -> None:
    call = ToolPart("c", "ls", "{}", 1)
    assert "[调用工具 ls → …]" in rows(replace(running("t"), parts=(call,)))
    record = replace(running("t"), status="cancelled", parts=(call,), end=TurnCancelled("t", 1.0))
    assert f"[调用工具 ls → {ZH.tool_no_result}]" in rows(record)


def test_hostile_tool_text_is_drawn_not_obeyed() -> None:
    record = done("t", "\x1b[2J", ToolPart("c", "l\ns\x1b", "\x00", 1, "[/]\x1b]0;x\x07", True, 3.0))
    text = "\n".join(rows(record, 60))
    assert "\x1b" not in text
    assert "[调用工具 l s␛ → [/]␛]0;x␇]" in text
    assert "❯ ␛[2J" in text


def test_english() -> None:
    view = TurnView(done("t", "q", ToolPart("c", "ls", "{}", 1, "x")), EN)
    assert view.rows(40).lines[2].text == "[tool ls → x]"


def test_fold_survives_release_and_update() -> None:
    record = done("t", "问", ReasoningPart("一\n二"))
    view = TurnView(record, ZH)
    (target,) = view.targets(40)
    view.toggle(target.block)
    before = [line.text for line in view.rows(40).lines]
    view.release()
    assert [line.text for line in view.rows(40).lines] == before
    view.update(replace(record, model="m"))
    assert [line.text for line in view.rows(40).lines] == before
    assert len(before) == 6


def test_a_long_message_shows_its_beginning_until_it_is_opened() -> None:
    log = "\n".join(f"第 {n} 行" for n in range(40))
    view = TurnView(done("t", log), ZH)
    shown = [line.text.rstrip() for line in view.rows(40).lines]
    assert shown[0] == "❯ 第 0 行"
    assert shown[9:12] == ["  第 9 行", f"  … 共 40 行 {len(log)} 字，Enter 看全文", ""]
    assert view.may_fold
    assert abs(view.estimate(40) - len(shown)) < 6
    (target,) = view.targets(40)
    assert view.toggle(target.block)
    assert [line.text.rstrip() for line in view.rows(40).lines][39] == "  第 39 行"
    view.release()
    assert len(view.rows(40).lines) == 41
    view.update(done("t", "短"))
    assert [line.text for line in view.rows(40).lines] == ["❯ 短", ""]
    assert not view.may_fold


def test_of_one_long_line_the_beginning_shows_and_a_short_message_does_not_fold() -> None:
    view = TurnView(done("t", "长" * 5_000), ZH)
    assert len(view.rows(43).lines) == 800 // 20 + 2
    assert TurnView(done("t", "长" * 4_000), ZH).targets(43) == []


def test_banner_wraps() -> None:
    lines = Banner(("标题很长很长", "二")).rows(8).lines
    assert [line.text for line in lines] == ["标题很长", "很长", "二", ""]
    assert Banner(()).rows(8).lines == []


EVENTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["字", "**粗", "** ", "\n", "\n\n", "```\n", "- a\n", "|a|\n|-|\n", "[x]: /u\n", "[x]"]
        ).map(lambda text: TextDelta("t", text)),
        st.sampled_from(["想", "想\n"]).map(lambda text: ReasoningDelta("t", text)),
        st.just(ToolCallStarted("t", "c", "ls", "{}")),
        st.just(ToolCallFinished("t", "c", "ls", "结果", True, 1.0)),
        st.just(RequestStarted("t", 2)),
        st.just(Notice("t", "warning", "注意")),
    ),
    max_size=25,
)


@given(
    EVENTS,
    st.sampled_from([None, TurnFinished("t", "stop", 1.0), TurnCancelled("t", 1.0)]),
    st.integers(20, 50),
)
@settings(max_examples=200, deadline=None)
def test_updates_equal_a_fresh_view(events: list[Event], end: TurnEnd | None, width: int) -> None:
    log = TurnLog(TurnRecord("t", "问", 0.0))
    view = TurnView(log.record(), ZH)
    for event in [TurnStarted("t", "问", 0.0, "m"), *events, *([end] if end else [])]:
        log.apply(event)
        view.update(log.record())
        view.rows(width)
    fresh = TurnView(log.record(), ZH).rows(width).lines
    assert [(line.spans, line.fill) for line in view.rows(width).lines] == [
        (line.spans, line.fill) for line in fresh
    ]
