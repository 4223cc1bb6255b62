"""Which sentences are quoted, and when they count as an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geekagent_tui.agent.models.quotes import LONGEST_QUOTE, MOST_QUOTES, Quotes, best_quotes
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.types import Recall

FILLER = "会议还讨论了很多无关的事情，比如午饭去哪里吃、工位怎么换、年会节目谁来报名、打印机坏了找谁修。"
DECISION = (
    "历史压缩放在第五天做，因为到那时上下文长度第一次成为瓶颈。"
    "触发阈值 MAX_HISTORY_CHARS 默认 4000 字符，压缩时保留最近 6 条消息。"
)
OTHERS = (
    "我喜欢用 tab 缩进，不用空格。",
    "用户住在杭州，爱喝龙井。",
    "The staging server listens on port 5433. It restarts at night.",
)


@pytest.fixture
def asked(tmp_path: Path) -> Memory:
    return memory_of(tmp_path, FILLER * 4 + DECISION + FILLER * 4, *OTHERS)


def memory_of(folder: Path, *entries: str) -> Memory:
    path = folder / "memory.json"
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return Memory(path)


def quoted(memory: Memory, query: str) -> Quotes:
    return best_quotes(memory.recall(query))


@pytest.mark.parametrize(
    "query",
    [
        "为什么把历史压缩放在第五天做，阈值是多少？",
        "当初压缩为什么排到第五天？触发门槛是多少",
        "什么原因让我们到第五天才做压缩，字数到多少会触发？",
        "compaction 为什么第五天才做，MAX_HISTORY_CHARS 是多少",
    ],
)
def test_the_acceptance_story_in_other_words(asked: Memory, query: str) -> None:
    found = quoted(asked, query)
    assert found.enough
    assert found.quotes[0].entry == 1
    assert found.quotes[0].text == DECISION


def test_a_number_asked_for_is_fetched_from_nearby(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, f"发布前要跑回归。{FILLER}上限定为 30 分钟。{FILLER}")
    assert "30" in "".join(quote.text for quote in quoted(memory, "回归最多跑多久").quotes)


def test_english(asked: Memory) -> None:
    found = quoted(asked, "Which port does the staging server use?")
    assert found.enough
    assert [(quote.entry, quote.segment) for quote in found.quotes] == [(4, 1)]
    assert found.quotes[0].text.startswith("The staging server listens on port 5433.")


@pytest.mark.parametrize(
    "query", ["公司什么时候上市？", "谁拿了今年的诺贝尔奖", "What is the capital of France?"]
)
def test_noise_is_not_enough(asked: Memory, query: str) -> None:
    assert not quoted(asked, query).enough


def test_question_words_alone_are_not_related(asked: Memory) -> None:
    found = quoted(asked, "今天天气怎么样")
    assert found.quotes
    assert not found.related


def test_nothing_recalled_is_nothing_quoted() -> None:
    assert best_quotes(Recall("x", ("x",), (), 3, 0.1, "classic")) == Quotes((), 0.0)


def test_a_sentence_over_the_edge_of_a_chunk_is_whole(tmp_path: Path) -> None:
    entry = "甲" * 300 + "。部署密钥放在二楼机房的保险柜里，备份密钥在三楼。" + "乙" * 300
    found = quoted(memory_of(tmp_path, entry, *OTHERS), "部署密钥和备份密钥放在哪里")
    assert found.quotes[0].text == "部署密钥放在二楼机房的保险柜里，备份密钥在三楼。"
    assert (found.quotes[0].entry, found.quotes[0].segment) == (1, 2)


def test_quotes_are_few_and_short(tmp_path: Path) -> None:
    entries = [f"第 {n} 次部署在服务器上失败，{'原因不明，' * 60}部署失败" for n in range(8)]
    found = quoted(memory_of(tmp_path, *entries), "部署 服务器 失败 原因")
    assert 1 <= len(found.quotes) <= MOST_QUOTES
    assert all(len(quote.text) <= LONGEST_QUOTE for quote in found.quotes)


def test_every_quote_stands_in_its_entry(asked: Memory) -> None:
    for query in ("午饭和工位", "端口 port server", "龙井和缩进", "年会 打印机 压缩"):
        for quote in quoted(asked, query).quotes:
            assert quote.text in asked.entries[quote.entry - 1]


@pytest.mark.parametrize(("least_answered", "most_noise"), [(0.85, 0.3)])
def test_on_a_personal_store_most_questions_are_answered_and_noise_is_not(
    tmp_path: Path, least_answered: float, most_noise: float
) -> None:
    data = Path(__file__).parents[3].parent / "shared" / "data" / "small-zh.json"
    if not data.exists():
        pytest.skip("no recall sets here")
    group = json.loads(data.read_text(encoding="utf-8"))["groups"][0]
    memory = memory_of(tmp_path, *group["memories"])
    answered = 0
    for item in group["queries"]:
        found = quoted(memory, item["q"])
        text = " ".join(quote.text for quote in found.quotes)
        answered += found.enough and any(answer in text for answer in item["answers"])
    noise = sum(quoted(memory, query).enough for query in group["negatives"])
    assert answered / len(group["queries"]) >= least_answered
    assert noise / len(group["negatives"]) <= most_noise
