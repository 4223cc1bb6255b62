"""What the original program printed, reproduced case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from geekagent_tui.memory.classic import analysis
from geekagent_tui.memory.classic.index import Index
from geekagent_tui.memory.classic.recall import recall, search
from geekagent_tui.memory.formatting import recall_text, search_text
from geekagent_tui.memory.profiles import CLASSIC

GOLDEN = Path(__file__).parents[2].parent / "shared" / "golden" / "recall.json"


def load() -> list[Any]:
    if not GOLDEN.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="the golden file is not here"))]
    content = json.loads(GOLDEN.read_text(encoding="utf-8"))
    cases = content if isinstance(content, list) else content["cases"]
    return [pytest.param(case, id=str(case["id"])) for case in cases]


@pytest.mark.parametrize("case", load())
def test_case(case: dict[str, Any]) -> None:
    index = Index(CLASSIC)
    index.update([entry.strip() for entry in case["memories"] if entry.strip()])
    query = case["query"]

    assert analysis.terms(query) == case["tokens"]
    assert analysis.query_terms(query) == case["keywords"]
    assert index.chunks == case["blocks"]
    chunks = [index.chunk(slot) for slot in range(index.chunks)]
    assert [[c.entry, c.segment, c.start, len(c.text)] for c in chunks] == case["chunks"]
    scored = {found.slot: found.score for found in index.best(case["keywords"], len(chunks) + 1)}
    assert [scored.get(slot, 0.0) for slot in range(len(chunks))] == pytest.approx(case["scores"], abs=1e-9)
    assert recall_text(recall(index, query, 5, lambda: 0.0)) == case["recall"]
    assert search_text(search(index, query, 5, lambda: 0.0)) == case["search"]
