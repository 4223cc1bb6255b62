"""What a user said about passages counts, is explained, and is forgotten when it is taken back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.memory.drawn import LEAST, drawn_on
from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.steering import (
    ALIKE,
    Passage,
    Steer,
    Verdict,
    entry_key,
    likeness,
    passage_of,
)
from geekagent_tui.memory.types import Recall

ENTRIES = (
    "部署在周五下午三点，回滚用上一个镜像。",
    "部署之前先看 grafana 的面板，值班的人负责。",
    "我喜欢骑自行车，周末去爬山。",
)
QUERY = "部署 之前 看什么"


def memory_of(folder: Path, *entries: str, profile: str = "lexical", budget: int = 1600) -> Memory:
    path = folder / "memory.json"
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return Memory(path, profile=profile, budget=budget, clock=lambda: 0.0)


def entries_of(recall: Recall) -> list[int]:
    return [hit.entry for hit in recall.hits]


def passage(entry: str, first: int = 1, last: int = 1) -> Passage:
    return Passage(entry_key(entry), first, last)


@pytest.mark.parametrize("profile", ["classic", "lexical"])
def test_a_passage_taken_out_stays_out_and_says_so(tmp_path: Path, profile: str) -> None:
    memory = memory_of(tmp_path, *ENTRIES, profile=profile)
    plain = memory.recall(QUERY)
    assert entries_of(plain) == [2, 1]
    out = memory.recall(QUERY, steer=Steer(excluded=(passage(ENTRIES[1]),)))
    assert entries_of(out) == [1]
    assert [(miss.hit.entry, miss.rule) for miss in out.misses if miss.rule == "excluded"] == [
        (2, "excluded")
    ]
    assert ENTRIES[1] not in recall_text(out)
    assert memory.recall(QUERY) == plain


@pytest.mark.parametrize("profile", ["classic", "lexical"])
def test_a_pinned_passage_goes_in_first_whatever_is_asked(tmp_path: Path, profile: str) -> None:
    memory = memory_of(tmp_path, *ENTRIES, profile=profile)
    steer = Steer(pinned=(passage(ENTRIES[2]),))
    asked = memory.recall(QUERY, steer=steer)
    assert entries_of(asked) == [3, 2, 1]
    assert [hit.pinned for hit in asked.hits] == [True, False, False]
    assert asked.hits[0].rank == 0
    assert recall_text(asked).splitlines()[1] == f"1. （条目 #3，第 1 段）{ENTRIES[2]}"
    found = memory.recall("骑自行车", steer=steer)
    assert entries_of(found) == [3]
    assert found.hits[0].pinned
    assert found.hits[0].score > 0
    spans = [span for term in found.hits[0].terms for span in term.spans]
    assert {ENTRIES[2][start:end] for start, end in spans} >= {"骑自", "自行", "行车"}


def test_a_pin_outlasts_small_talk_and_other_entries(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    steer = Steer(pinned=(passage(ENTRIES[2]),))
    thanks = memory.recall("谢谢", steer=steer)
    assert (entries_of(thanks), thanks.silence) == ([3], "smalltalk")
    moved = memory_of(tmp_path, "新的一条", *ENTRIES)
    assert entries_of(moved.recall("谢谢", steer=steer)) == [4]
    gone = memory_of(tmp_path, *ENTRIES[:2], "我喜欢骑自行车，周末去游泳。")
    assert entries_of(gone.recall("谢谢", steer=steer)) == []


def test_taking_a_pinned_passage_out_of_one_turn_wins(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    both = Steer(excluded=(passage(ENTRIES[1]),), pinned=(passage(ENTRIES[1]),))
    recalled = memory.recall(QUERY, steer=both)
    assert entries_of(recalled) == [1]
    assert "excluded" in [miss.rule for miss in recalled.misses]


def test_pins_keep_the_budget(tmp_path: Path) -> None:
    long = ["。".join(f"第{at}句说的是部署{entry}" for at in range(20)) for entry in "甲乙丙丁"]
    memory = memory_of(tmp_path, *long, budget=500)
    steer = Steer(pinned=tuple(passage(entry) for entry in long))
    recalled = memory.recall("谢谢", steer=steer)
    assert len(recall_text(recalled)) <= 500
    assert recalled.hits
    assert {miss.rule for miss in recalled.misses} == {"budget"}
    assert all(miss.hit.rank == 0 for miss in recalled.misses)


def test_not_useful_lowers_for_the_same_question_and_for_like_ones_only(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    asked = memory.recall(QUERY)
    verdict = Verdict(passage(ENTRIES[1]), frozenset(asked.keywords))
    steer = Steer(verdicts=(verdict,))
    again = memory.recall(QUERY, steer=steer)
    assert entries_of(again) == [1]
    assert next((miss.hit.entry, miss.rule) for miss in again.misses) == (2, "lowered")
    other = "grafana 面板 值班"
    assert likeness(verdict.terms, frozenset(memory.recall(other).keywords)) < ALIKE
    assert memory.recall(other, steer=steer) == memory.recall(other)


def test_in_classic_a_verdict_keeps_the_passage_out(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES, profile="classic")
    asked = memory.recall(QUERY)
    steer = Steer(verdicts=(Verdict(passage(ENTRIES[1]), frozenset(asked.keywords)),))
    again = memory.recall(QUERY, steer=steer)
    assert entries_of(again) == [1]
    assert [miss.rule for miss in again.misses] == ["lowered"]


def test_segments_of_a_long_entry_are_pinned_as_they_were_joined(tmp_path: Path) -> None:
    entry = "".join(f"甲{at}乙" for at in range(260))
    memory = memory_of(tmp_path, entry, "别的")
    one = memory.recall("谢谢", steer=Steer(pinned=(passage(entry, 2, 3),)))
    (hit,) = one.hits
    assert (hit.segment, hit.last_segment) == (2, 3)
    assert entry[hit.start : hit.start + len(hit.text)] == hit.text
    assert passage_of(hit, memory.entries) == passage(entry, 2, 3)
    assert memory.recall("谢谢", steer=Steer(pinned=(passage(entry, 2, 99),))).hits == ()


def test_a_passage_of_other_entries_has_no_name() -> None:
    recalled = Memory(Path("/nonexistent/memory.json")).recall("x")
    assert recalled.hits == ()
    from tests.support.turns import recall_of

    hit = recall_of("压缩", "历史压缩").hits[0]
    assert passage_of(hit, ("历史压缩",)) == passage("历史压缩")
    assert passage_of(hit, ("别的",)) is None
    assert passage_of(replace(hit, entry=9), ("历史压缩",)) is None


words = st.frozensets(st.sampled_from("abcdefgh"))


@given(words, words)
def test_likeness_is_symmetric_and_one_only_for_the_same(one: frozenset[str], other: frozenset[str]) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert (likeness(one, other) == 1) == (one == other and bool(one))


@settings(max_examples=40, deadline=None)
@given(
    excluded=st.sets(st.integers(0, 2)), pinned=st.sets(st.integers(0, 2)), lowered=st.sets(st.integers(0, 2))
)
def test_whatever_was_said_nothing_comes_twice_and_what_is_out_is_out(
    tmp_path_factory: pytest.TempPathFactory, excluded: set[int], pinned: set[int], lowered: set[int]
) -> None:
    memory = memory_of(tmp_path_factory.mktemp("steer"), *ENTRIES)
    terms = frozenset(memory.recall(QUERY).keywords)
    steer = Steer(
        tuple(passage(ENTRIES[at]) for at in excluded),
        tuple(passage(ENTRIES[at]) for at in pinned),
        tuple(Verdict(passage(ENTRIES[at]), terms) for at in lowered),
    )
    came = entries_of(memory.recall(QUERY, steer=steer))
    assert len(came) == len(set(came))
    assert not {at - 1 for at in came} & excluded
    assert pinned - excluded <= {at - 1 for at in came}


class TestDrawnOn:
    """The estimate of what an answer drew on."""

    def test_only_terms_that_no_other_source_has_count(self) -> None:
        first, second = (
            "部署在周五下午三点，回滚用上一个镜像。",
            "部署之前先看 grafana 的面板，值班的人负责。",
        )
        counts = drawn_on("先看 grafana 的面板，由值班的人负责。", "部署之前看什么", (first, second))
        assert counts[0] == 0
        assert counts[1] >= LEAST

    def test_what_the_question_said_or_both_passages_say_counts_for_none(self) -> None:
        assert drawn_on("历史压缩放在第五天", "历史压缩放在第五天吗", ("历史压缩放在第五天",)) == (0,)
        assert drawn_on("历史压缩放在第五天", "何时", ("历史压缩放在第五天",) * 2) == (0, 0)
        assert drawn_on("", "何时", ()) == ()
