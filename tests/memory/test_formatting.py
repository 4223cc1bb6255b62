from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from geekagent_tui.memory.formatting import list_text, recall_text, search_text, write_text
from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    EmptyContent,
    MemoryProblem,
    Outcome,
    ReadOnly,
    Remembered,
    WriteFailed,
)
from geekagent_tui.memory.types import Hit, Recall
from geekagent_tui.texts.memory import EN, ZH

NOTHING = Recall("问", (), (), 0, 0.0, "classic")
TWO = Recall(
    "问",
    ("词",),
    (Hit(3, 2, 240, " {甲} ", 2.0, ()), Hit(1, 1, 0, "[乙]", 1.0, ())),
    9,
    0.1,
    "classic",
)


def test_recall_text() -> None:
    assert recall_text(NOTHING) == ""
    assert recall_text(TWO) == (
        "自动唤起 2 条相关记忆（供参考）：\n1. （条目 #3，第 2 段）{甲}\n2. （条目 #1，第 1 段）[乙]"
    )


def test_search_text() -> None:
    assert search_text(NOTHING) == "没有找到相关记忆"
    assert search_text(TWO).splitlines()[0] == "找到 2 条相关记忆："


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Remembered("{甲}", cut=False, number=1), "已记住：{甲}"),
        (Remembered("甲", cut=True, number=1), "已记住（过长已截短）：甲"),
        (AlreadyKnown(1), "这条记忆已经存在"),
        (EmptyContent(), "缺少参数 content"),
        (WriteFailed("磁盘已满"), "没有记住：磁盘已满"),
        (ReadOnly(MemoryProblem(Path("m"), "坏了")), "没有记住，记忆现在是只读的：坏了"),
    ],
)
def test_write_text(outcome: Outcome, text: str) -> None:
    assert write_text(outcome) == text


def test_list_text() -> None:
    assert list_text(()) == "（暂无长期记忆）"
    assert list_text(("甲", "乙")) == "长期记忆（2 条）：\n1. 甲\n2. 乙"


def test_both_languages_name_the_same_fields() -> None:
    from string import Formatter

    for field in fields(ZH):
        named = [
            {name for _, name, _, _ in Formatter().parse(getattr(texts, field.name)) if name}
            for texts in (ZH, EN)
        ]
        assert named[0] == named[1], field.name
