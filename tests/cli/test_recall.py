"""``geekagent recall`` and ``search``: the same hits as in a turn, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, CommandLine, process

LONG = (
    "历史压缩排在第五天，因为上下文长度第一次成了瓶颈。"
    + "别的话。" * 80
    + "阈值 MAX_HISTORY_CHARS 默认 4000。"
)


def test_json_has_the_agreed_shape(geekagent: CommandLine) -> None:
    geekagent.remember(STORY, LONG)
    result = geekagent("recall", "阈值 max_history_chars 是多少", "--json", "--profile", "classic")
    (found,) = result.lines
    assert result.code == 0
    assert set(found) == {"query", "keywords", "hits", "text", "chunks", "elapsed_ms"}
    assert found["query"] == "阈值 max_history_chars 是多少"
    assert found["keywords"] == ["阈值", "max", "history", "chars", "是多", "多少"]
    assert found["chunks"] == 3
    best = found["hits"][0]
    assert set(best) == {"entry", "segment", "start", "score", "text", "terms"}
    assert (best["entry"], best["segment"], best["start"]) == (2, 2, 240)
    assert best["text"] == LONG[240:]
    assert sum(term["contribution"] for term in best["terms"]) == pytest.approx(best["score"])
    for term in best["terms"]:
        assert {best["text"][a:b].lower() for a, b in term["spans"]} == {term["term"]}
    assert found["text"].startswith("自动唤起 1 条相关记忆（供参考）：\n1. （条目 #2，第 2 段）")


def test_text_is_what_the_model_would_get(geekagent: CommandLine) -> None:
    geekagent.remember(STORY)
    assert (
        geekagent("recall", "部署").out
        == f"自动唤起 1 条相关记忆（供参考）：\n1. （条目 #1，第 1 段）{STORY}\n"
    )
    assert geekagent("search", "部署 make").out == f"找到 1 条相关记忆：\n1. （条目 #1，第 1 段）{STORY}\n"


@pytest.mark.parametrize("command", ["recall", "search"])
def test_no_hit_is_no_error(geekagent: CommandLine, command: str) -> None:
    geekagent.remember(STORY)
    result = geekagent(command, "zzz")
    assert (result.code, result.err) == (0, "")
    assert "没有" in result.out
    assert geekagent(command, "zzz", "--explain").out.splitlines() == [
        "拆成的词：zzz（0 段）",
        result.out.strip(),
    ]
    assert geekagent(command, "zzz", "--explain", "--profile", "classic").out == result.out


def test_explain_lists_what_each_term_added(geekagent: CommandLine) -> None:
    geekagent.remember(STORY, "make 是构建工具")
    out = geekagent("recall", "部署 make", "--explain", "--profile", "classic").out
    assert out.startswith("1. 条目 #1，第 1 段\n")
    assert "部署  1×/1 块" in out
    assert "make  2×/2 块" in out
    assert "搜了 2 块" in out


def test_explain_says_how_it_was_read_and_what_stayed_out(geekagent: CommandLine) -> None:
    geekagent.remember(STORY, "部署步骤：先跑 make test，再跑 make run！", "周末去爬山，第一步带水")
    out = geekagent("recall", "部署步骤是什么", "--explain").out
    assert out.startswith("拆成的词：部署（2 段）  署步（2 段）  步骤（2 段）")
    assert "答到 100%" not in out
    assert "覆盖 100%" in out
    assert "差一点的：\n  条目 #2，第 1 段" in out
    assert "和第 1 段说的一样" in out
    assert "这句话不是在问什么" in geekagent("recall", "好的", "--explain").out


def test_the_json_of_a_profile_that_chooses_says_more(geekagent: CommandLine) -> None:
    geekagent.remember(STORY, LONG)
    (found,) = geekagent("recall", "阈值 max_history_chars 是多少", "--json").lines
    assert (found["profile"], found["silence"]) == ("lexical", "")
    assert [term["term"] for term in found["terms"]][:2] == ["阈值", "阈"]
    best = found["hits"][0]
    assert sum(term["contribution"] for term in best["terms"]) == pytest.approx(best["score"])
    assert 0 < best["coverage"] <= 1
    assert (best["rank"], best["entry"], best["segment"]) == (1, 2, 2)


def test_top_k_is_at_most(geekagent: CommandLine) -> None:
    geekagent.remember(*(f"部署 {number}" for number in range(10)))
    assert len(geekagent("recall", "部署", "--json").lines[0]["hits"]) == 5
    assert len(geekagent("recall", "部署", "--json", "--top-k", "2").lines[0]["hits"]) == 2
    geekagent.configure('{"recall": {"top_k": 7}}')
    assert len(geekagent("recall", "部署", "--json").lines[0]["hits"]) == 7


def test_queries_from_standard_input_are_answered_one_by_one(geekagent: CommandLine) -> None:
    geekagent.remember(STORY)
    queries = ["部署", "", "zzz", "  make  ", "\x1b[31m部署", "x" * 20_000]
    result = geekagent("recall", "-", stdin="\n".join(queries))
    assert result.code == 0
    assert [line["query"] for line in result.lines] == queries
    assert [len(line["hits"]) for line in result.lines] == [1, 0, 0, 1, 1, 0]


def test_each_answer_comes_before_the_next_question(geekagent: CommandLine) -> None:
    geekagent.remember(STORY)
    with process(["search", "-"]) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for query in ("部署", "make"):
            running.stdin.write(f"{query}\r\n".encode())
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["query"] == query
        running.stdin.close()
        assert running.wait(20) == 0


def test_half_a_character_is_not_lost(geekagent: CommandLine) -> None:
    geekagent.remember()
    geekagent.memory.write_text('["部署 \\ud800 x"]', encoding="utf-8")
    assert geekagent("recall", "部署", "--json").lines[0]["hits"][0]["text"] == "部署 \ud800 x"
    assert "部署 \ufffd x" in geekagent("recall", "部署").out


def test_a_named_file_needs_no_project(geekagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps([STORY]), encoding="utf-8")
    geekagent.configure("{ broken")
    assert len(geekagent("recall", "部署", "--memory", str(path), "--json").lines[0]["hits"]) == 1


def test_nothing_is_created_by_looking(geekagent: CommandLine) -> None:
    assert geekagent("recall", "部署").code == 0
    assert list(geekagent.folder.iterdir()) == []


@pytest.mark.parametrize("content", [None, '{"a": 1}', "[1]", "["])
def test_a_file_that_is_no_memory_is_said(
    geekagent: CommandLine, tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "other.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    result = geekagent("recall", "部署", "--memory", str(path))
    assert (result.code, result.out) == (4, "")
    assert str(path) in result.err
    assert len(result.err.splitlines()) == 1
