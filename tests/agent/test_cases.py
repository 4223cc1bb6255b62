"""Cases that the user records keep their meaning when memory changes, and ``geekagent eval`` counts them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from geekagent_tui.agent.cases import CasesError, record_case
from geekagent_tui.cli.eval import asker
from geekagent_tui.memory.evaluation import evaluate, load_set
from geekagent_tui.memory.profiles import LEXICAL

ENTRIES = ("部署在周五下午三点。", "我喜欢骑自行车。")


def test_a_case_is_counted_and_can_be_turned_round(tmp_path: Path) -> None:
    path = tmp_path / "new" / "recall_cases.json"
    record_case(path, ENTRIES, "部署在哪天", 1, wanted=True)
    record_case(path, ENTRIES, "骑自行车", 2, wanted=False)
    quality = evaluate(load_set(path).groups, lambda memories: asker(memories, LEXICAL))
    # The question that must only keep something out is none that asks for an answer.
    assert (quality.questions, quality.hit_at_1, quality.unwanted) == (1, 1.0, 1.0)
    record_case(path, ENTRIES, "骑自行车", 2, wanted=True)
    quality = evaluate(load_set(path).groups, lambda memories: asker(memories, LEXICAL))
    assert (quality.questions, quality.hit_at_1, quality.unwanted) == (2, 1.0, 0.0)


def test_cases_follow_their_entries_and_keep_those_that_are_gone(tmp_path: Path) -> None:
    path = tmp_path / "recall_cases.json"
    record_case(path, ENTRIES, "部署", 1, wanted=True)
    record_case(path, ENTRIES, "部署", 2, wanted=False)
    record_case(path, ("新的", "部署在周五下午三点。"), "新", 1, wanted=True)
    (group,) = load_set(path).groups
    assert group.memories == ("新的", "部署在周五下午三点。", "我喜欢骑自行车。")
    first, second = group.questions
    assert (first.text, first.entries, first.without) == ("部署", (2,), (3,))
    assert (second.text, second.entries) == ("新", (1,))


def test_what_somebody_wrote_by_hand_stays(tmp_path: Path) -> None:
    path = tmp_path / "recall_cases.json"
    mine: dict[str, Any] = {
        "memories": ["a"],
        "queries": [{"q": "a", "entries": [1], "answers": ["a"]}],
        "negatives": ["n"],
    }
    path.write_text(
        json.dumps({"name": "mine", "groups": [mine, mine], "negatives": ["x"]}), encoding="utf-8"
    )
    record_case(path, ("a", "b"), "b?", 2, wanted=True)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert (data["name"], data["negatives"], data["groups"][1]) == ("mine", ["x"], mine)
    assert data["groups"][0]["queries"][0] == mine["queries"][0]
    assert data["groups"][0]["negatives"] == ["n"]


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"groups": [{"memories": [], "queries": [{"q": "a", "entries": [2]}]}]}']
)
def test_a_file_that_is_no_set_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "recall_cases.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CasesError):
        record_case(path, ENTRIES, "部署", 1, wanted=True)
    assert path.read_text(encoding="utf-8") == text
