"""What is like what; what an import would do; what might be tidied up."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.ledger.likeness import relation
from geekagent_tui.memory.ledger.types import USER
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.transfer import FORMATS, exported, format_of


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("部署窗口是周四", "部署窗口是 周四。", "same"),
        ("部署窗口是周四", "部署窗口是周五", "newer"),
        ("部署窗口是周四", "部署窗口改到周五了", "newer"),
        ("触发阈值 MAX_HISTORY_CHARS 默认 4000 字符", "触发阈值 MAX_HISTORY_CHARS 默认 8000 字符", "newer"),
        ("The deploy window is Thursday at 14:00", "The deploy window is Friday at 16:00", "newer"),
        ("我喝咖啡加糖", "我喝咖啡不加糖", "contrary"),
        ("生产库可以直接改", "生产库不可以直接改", "contrary"),
        (
            "发布前先跑 make test 和 check，再打标签",
            "发布前要先跑 make test 和 check，再打标签",
            "near",
        ),
        ("我们的数据库用 PostgreSQL", "我们的数据库现在用 PostgreSQL 16", "newer"),
        ("部署窗口是周四", "咖啡不加糖", None),
        ("服务 api 的端口是 8080", "服务 web 的端口是 9090", None),
        ("项目 alpha 的负责人是张三", "项目 beta 的负责人是张三", None),
        ("历史压缩放在第五天做", "午饭在二楼吃", None),
    ],
)
def test_what_one_entry_is_to_another(old: str, new: str, expected: str | None) -> None:
    assert relation(old, new)[0] == expected


def test_similar_entries_are_found_among_many(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.json", profile="lexical")
    memory.import_many(
        [*(f"第 {at} 次会议讨论了排期" for at in range(30)), "部署窗口是周四", "喜欢深色主题"], USER
    )
    found = memory.similar("部署窗口改到周五")
    assert [(like.number, like.relation) for like in found] == [(31, "newer")]
    assert memory.similar("部署窗口是周四") == ()
    assert memory.similar("完全没提过的事") == ()
    assert memory.similar("") == ()


MARKDOWN = """# 我的记忆

- 部署窗口是周四
- [x] 喜欢深色主题
  第二行也是它的
* 密码是 a1b2c3d4
1. 部署窗口是周五
- 喜欢深色主题
  第二行也是它的
-
不是列表的一行
"""


def test_a_plan_says_what_would_become_of_every_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    memory = Memory(path, profile="lexical")
    memory.remember("部署窗口是周四", USER)
    before = path.read_bytes()
    plan = memory.plan_import(MARKDOWN)
    assert plan.format == "markdown"
    assert [(item.line, item.status, item.text) for item in plan.items] == [
        (3, "duplicate", "部署窗口是周四"),
        (4, "new", "喜欢深色主题\n第二行也是它的"),
        (6, "new", "密码是 [REDACTED:password]"),
        (7, "near", "部署窗口是周五"),
        (8, "duplicate", "喜欢深色主题\n第二行也是它的"),
        (10, "new", "-"),
        (11, "new", "不是列表的一行"),
    ]
    like = plan.items[3].like
    assert like is not None
    assert (like.number, like.relation) == (1, "newer")
    assert [found.kind for found in plan.items[2].masked] == ["password"]
    assert path.read_bytes() == before
    assert len(plan.texts()) == 5
    assert len(plan.texts(near=False)) == 4


def test_what_can_not_be_imported_is_refused_with_its_line(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.json")
    plan = memory.plan_import('["一",\n "",\n 5,\n "' + "长" * 4001 + '",\n "二"]')
    assert [(item.line, item.status, item.reason) for item in plan.items] == [
        (1, "new", ""),
        (2, "refused", "empty"),
        (3, "refused", "not_text"),
        (4, "refused", "long"),
        (5, "new", ""),
    ]
    broken = memory.plan_import('["一",\n oops]')
    assert [(item.line, item.reason) for item in broken.items] == [(1, ""), (2, "json")]


ENTRIES = st.lists(
    st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30)
    .map(str.strip)
    .filter(bool),
    max_size=6,
    unique=True,
)


@given(ENTRIES)
def test_what_is_exported_can_be_imported(entries: list[str]) -> None:
    from geekagent_tui.memory.transfer import planned

    for form in FORMATS[:2]:
        content = exported(entries, form)
        plan = planned(content, (), lambda text: (), form)
        kept = [item.text for item in plan.items]
        assert [text for text in entries if "REDACTED" not in text] == kept or any(
            item.masked for item in plan.items
        )


def test_formats_are_told_by_their_look() -> None:
    assert format_of(' ["a"]') == "json"
    assert format_of("# 标题\n\n- a\n  b\n- c\n") == "markdown"
    assert format_of("一\n二\n- 三\n") == "lines"
    assert exported(["a\nb"], "lines") == "a b\n"
    assert exported(["a\nb"], "markdown") == "- a\n  b\n"


def test_suggestions_never_act(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text('["用户的口令：a1b2c3d4", "会议在三楼开"]', encoding="utf-8")
    memory = Memory(path, profile="lexical", now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    for text in ("部署窗口是周四", "部署窗口是周五", "我喝咖啡加糖", "我喝咖啡不加糖", "常用的一条闲话"):
        memory.remember(text, USER)
    memory.note_recalled(["常用的一条闲话"], 5.0)
    before = path.read_bytes()
    later = datetime(2026, 6, 1, tzinfo=UTC).timestamp()
    found = [(each.reason, each.numbers) for each in memory.suggestions(later)]
    assert ("newer", (3, 4)) in found
    assert ("contrary", (5, 6)) in found
    assert ("secret", (1,)) in found
    # Of the first two nobody knows the age, and the last one is used.
    assert [numbers for reason, numbers in found if reason == "unused"] == [(3,), (4,), (5,), (6,)]
    soon = datetime(2026, 1, 2, tzinfo=UTC).timestamp()
    assert not any(each.reason == "unused" for each in memory.suggestions(soon))
    assert memory.suggestions(later, lambda: True) == ()
    assert path.read_bytes() == before
