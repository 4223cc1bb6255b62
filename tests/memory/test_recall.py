"""Recall as the profile ``lexical`` does it: what users of such systems reported, the rules, silence, going on."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.smalltalk import is_onward, is_smalltalk
from geekagent_tui.memory.types import Recall


def memory_of(folder: Path, *entries: str, **options: int) -> Memory:
    path = folder / "memory.json"
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
    return Memory(path, profile="lexical", **options)  # type: ignore[arg-type]


def entries_of(recall: Recall) -> list[int]:
    return [hit.entry for hit in recall.hits]


class TestReported:
    """Cases that users of other systems reported."""

    @pytest.mark.parametrize("query", ["成语接龙", "今天玩成语接龙游戏吗", "成語接龍"])
    def test_words_inside_a_sentence(self, tmp_path: Path, query: str) -> None:
        memory = memory_of(tmp_path, "今天玩成语接龙游戏", "明天去跑步")
        assert entries_of(memory.recall(query)) == [1]

    def test_each_of_several_keywords(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "微信读书年报", "书架整理", "周末爬山")
        assert set(entries_of(memory.recall("微信读书 书架 阅读偏好"))) == {1, 2}

    def test_traditional_and_simplified(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "我喜歡騎自行車", "我喜欢游泳")
        assert entries_of(memory.recall("喜欢骑自行车"))[0] == 1

    @pytest.mark.parametrize("query", ["备份", "github", "GitHub", "GITHUB 备份", "ｇｉｔｈｕｂ"])
    def test_both_scripts_of_one_entry(self, tmp_path: Path, query: str) -> None:
        memory = memory_of(tmp_path, "GitHub备份每周一次", "周报写在周五")
        assert entries_of(memory.recall(query)) == [1]

    @pytest.mark.parametrize("query", ["itgc", "gen-itgc", "50", "重跑"])
    def test_glued_text(self, tmp_path: Path, query: str) -> None:
        memory = memory_of(tmp_path, "重跑gen-itgc后50条", "别的事情")
        assert entries_of(memory.recall(query)) == [1]

    @pytest.mark.parametrize(
        "query", ["好的", "谢谢！", "ok", "嗯", "hello", "👍", "", "zzz qqq", "量子纠缠"]
    )
    def test_what_asks_nothing_or_nothing_that_is_known_finds_nothing(
        self, tmp_path: Path, query: str
    ) -> None:
        memory = memory_of(tmp_path, "好的餐馆在街角", "thanks to hello", "部署先跑 make")
        assert memory.recall(query).hits == ()

    def test_one_negation_makes_two_memories(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "allowed to deploy on Friday", "not allowed to deploy on Friday")
        assert set(entries_of(memory.recall("can we deploy on friday?"))) == {1, 2}

    @pytest.mark.parametrize(
        "query", ["memory:safe", "(python", '"', "*", "a AND (b OR", "部署*", "^~[]{}\\"]
    )
    def test_query_syntax_is_text(self, tmp_path: Path, query: str) -> None:
        memory = memory_of(tmp_path, "memory safe python", "🎉", "——！！")
        memory.recall(query)
        memory.search(query)

    def test_an_entry_of_emoji_can_be_stored_and_breaks_nothing(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "部署步骤")
        memory.remember("🎉🎉")
        memory.remember("……")
        assert entries_of(memory.recall("部署步骤")) == [1]

    def test_odd_sizes(self, tmp_path: Path) -> None:
        memory = memory_of(
            tmp_path, "字" * 4000, "word " * 200_000, *("好坏是非"[at % 4] for at in range(4000))
        )
        assert entries_of(memory.recall("字字字"))[0] == 1
        assert entries_of(memory.recall("word"))[0] == 2


class TestRules:
    def test_neighbours_are_one_passage(self, tmp_path: Path) -> None:
        text = "部署说明。" * 60 + "回滚说明。" * 60
        recall = memory_of(tmp_path, text, "别的").recall("部署说明")
        (hit,) = recall.hits
        assert hit.last_segment > hit.segment
        assert text[hit.start : hit.start + len(hit.text)] == hit.text
        assert f"第 {hit.segment}–{hit.last_segment} 段" in recall_text(recall)
        assert {miss.rule for miss in recall.misses} >= {"neighbour"}
        for term in hit.terms:
            for start, end in term.spans:
                assert hit.text[start:end] == term.term

    def test_a_passage_between_two_makes_them_one(self, tmp_path: Path) -> None:
        # Segments 1 and 3 score best and come first; segment 2 bridges them.
        text = f"{'部署回滚。' * 4}{'无关。' * 115}部署{'无关。' * 70}{'部署回滚。' * 4}"
        recall = memory_of(tmp_path, text, *("别的事" for _ in range(3)), budget=9000).recall("部署回滚")
        assert len(recall.hits) == 1
        (hit,) = recall.hits
        assert (hit.segment, hit.last_segment) == (1, 3)
        assert hit.text == text
        assert {(miss.rule, miss.other) for miss in recall.misses} == {("neighbour", 1)}
        assert len(recall.misses) == 2

    def test_a_neighbour_for_which_there_is_no_room_is_said_to_be_over_the_budget(
        self, tmp_path: Path
    ) -> None:
        recall = memory_of(tmp_path, "部署说明。" * 120, "别的", budget=450).recall("部署说明")
        assert len(recall_text(recall)) <= 450
        assert {miss.rule for miss in recall.misses} == {"budget"}

    def test_what_says_the_same_takes_one_place(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "部署先跑 make test", "部署先跑make test！", "部署先跑 make run")
        recall = memory.recall("部署先跑 make test")
        assert entries_of(recall) == [1, 3] or entries_of(recall) == [2, 3]
        (miss,) = [miss for miss in recall.misses if miss.rule == "duplicate"]
        assert miss.other == 1

    @pytest.mark.parametrize("budget", [200, 300, 500, 900, 1600])
    def test_injected_text_stays_within_its_budget_and_ends_with_sentences(
        self, tmp_path: Path, budget: int
    ) -> None:
        entries = [
            f"第{number}次部署说明：先备份数据库，再停服务。" + "然后逐台升级，每台之间等五分钟。" * 12
            for number in range(1, 7)
        ]
        recall = memory_of(tmp_path, *entries, budget=budget).recall("部署说明 备份数据库 升级")
        assert len(recall_text(recall)) <= budget
        assert recall.hits
        for hit in recall.hits:
            assert entries[hit.entry - 1][hit.start :].startswith(hit.text)
            if hit.cut:
                assert hit.text.rstrip().endswith("。")

    def test_the_floor_says_what_it_kept_out(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "数据库每天凌晨备份", "数据很重要")
        recall = memory.recall("数据库的备份在每天几点开始，谁负责检查结果")
        assert entries_of(recall) == [1]
        assert [(miss.hit.entry, miss.rule) for miss in recall.misses] == [(2, "floor")]

    def test_a_search_on_purpose_has_no_floor(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "数据库每天凌晨备份", "数据很重要")
        assert entries_of(memory.search("数据库 备份 凌晨 检查 结果 负责")) == [1, 2]


class TestGoingOn:
    def test_it_keeps_the_passages_of_the_question_before(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "部署先跑 make test", "继续教育的报名")
        before = memory.recall("怎么部署")
        recall = memory.recall("继续", previous="怎么部署")
        assert recall.hits == before.hits
        assert (recall.query, recall.carried) == ("继续", "怎么部署")

    def test_without_a_question_before_it_is_a_question(self, tmp_path: Path) -> None:
        memory = memory_of(tmp_path, "继续教育的报名")
        assert memory.recall("继续").carried == ""

    @pytest.mark.parametrize(
        "text", ["继续", "继续。", "好的，继续", "Continue!", "go on", "ok, go on", "請繼續"]
    )
    def test_what_asks_to_go_on(self, text: str) -> None:
        assert is_onward(text)

    @pytest.mark.parametrize(
        "text", ["继续部署", "continue with the deploy", "好的", "go", "next week 做什么"]
    )
    def test_what_does_not(self, text: str) -> None:
        assert not is_onward(text)

    @pytest.mark.parametrize("text", ["好的，谢谢！", "OK", "Thanks a lot :)", "你好", "嗯嗯", "🎉", "…"])
    def test_small_talk(self, text: str) -> None:
        assert is_smalltalk(text)

    @pytest.mark.parametrize("text", ["好的餐馆", "谢谢信怎么写", "hello world 程序", "行李", "备份", "no2"])
    def test_no_small_talk(self, text: str) -> None:
        assert not is_smalltalk(text)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.text(alphabet="部署压缩的是 aAb_1.-é🎉\n。", min_size=1, max_size=60), min_size=1, max_size=6
    ),
    st.text(alphabet="部署压缩的是 aAb_1.-é？", min_size=1, max_size=20),
)
def test_explanations_sum_to_the_score(entries: list[str], query: str) -> None:
    from geekagent_tui.memory.profiles import LEXICAL
    from geekagent_tui.memory.recall import Finder
    from geekagent_tui.memory.scorers import scorer_for

    scorer = scorer_for(LEXICAL)
    scorer.update(tuple(entries), should_stop=lambda: False)
    finder = Finder(scorer, LEXICAL, lambda: 0.0)
    for recall in (
        finder.recall(query, 5, budget=1600, previous="", entries=entries),
        finder.search(query, 5, entries=entries),
    ):
        for hit in (*recall.hits, *(miss.hit for miss in recall.misses)):
            assert sum(term.contribution for term in hit.terms) == pytest.approx(hit.score)
            assert 0 <= hit.coverage <= 1
            for term in hit.terms:
                for start, end in term.spans:
                    assert 0 <= start < end <= len(hit.text)
        assert [hit.score for hit in recall.hits] == sorted((hit.score for hit in recall.hits), reverse=True)


def test_what_is_not_indexed_yet_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from geekagent_tui.memory import memory as memory_module
    from geekagent_tui.memory.lexical import index as index_module

    monkeypatch.setattr(memory_module, "_AT_ONCE", 2)
    monkeypatch.setattr(index_module, "_BATCH", 4)
    memory = memory_of(tmp_path, *(f"部署 number{number}" for number in range(40)))
    found: list[Recall] = []
    search = Thread(target=lambda: found.append(memory.recall("部署")))

    def ask_meanwhile() -> bool:
        if search.ident is None:
            search.start()
            while not memory._waiting:
                pass
        return False

    assert memory.warm(ask_meanwhile)
    search.join()
    assert found[0].hits
    assert found[0].pending > 0
    assert memory.recall("number39").hits[0].entry == 40
