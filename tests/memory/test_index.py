"""The index against the plain loop, whatever was added, removed and moved before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.memory.classic import index as index_module
from geekagent_tui.memory.classic.analysis import normalise, query_keywords, query_terms
from geekagent_tui.memory.classic.index import Index
from geekagent_tui.memory.classic.recall import recall, search
from geekagent_tui.memory.profiles import CLASSIC, Profile
from tests.memory import plain

SMALL = Profile("small", CLASSIC.scorer, chunk_size=12, chunk_overlap=4)
ALPHABET = "历史史压哈aab1sS \t_-İカ？🙂"
ENTRY = st.text(alphabet=ALPHABET, min_size=1, max_size=40).map(str.strip).filter(bool)
ENTRIES = st.lists(ENTRY, max_size=8)
QUERY = st.text(alphabet=ALPHABET, max_size=14)


def straightforward(entries: list[str], keywords: list[str]) -> list[tuple[int, int, float]]:
    """(entry, segment, score) from 0 of every chunk with a score, best first."""
    places = [
        (entry, segment, text)
        for entry, content in enumerate(entries)
        for segment, text in enumerate(plain.chunk_texts(content, SMALL.chunk_size, SMALL.chunk_overlap))
    ]
    scores = plain.scores([text for _, _, text in places], keywords)
    scored = [(e, s, score) for (e, s, _), score in zip(places, scores, strict=True) if score > 0]
    return sorted(scored, key=lambda row: (-row[2], row[0], row[1]))


def found(index: Index, keywords: list[str], limit: int = 1000) -> list[tuple[int, int, float]]:
    return [(*index.place(scored.slot), scored.score) for scored in index.best(keywords, limit)]


@settings(max_examples=250)
@given(st.lists(ENTRIES, min_size=1, max_size=4), QUERY, st.booleans())
def test_indexed_score_is_the_straightforward_score(
    history: list[list[str]], query: str, on_purpose: bool
) -> None:
    index = Index(SMALL)
    keywords = query_keywords(query) if on_purpose else query_terms(query)
    for entries in history:
        index.update(entries)
        # Bit for bit, not nearly: ties fall the same way only then.
        assert found(index, keywords) == straightforward(entries, keywords)


@settings(max_examples=100)
@given(ENTRIES, QUERY, QUERY)
def test_hits_explain_themselves(entries: list[str], query: str, repeated: str) -> None:
    index = Index(SMALL)
    index.update(entries)
    for outcome in (recall(index, query + repeated, 5, lambda: 0.0), search(index, query, 5, lambda: 0.0)):
        assert outcome.chunks == index.chunks
        for hit in outcome.hits:
            assert hit.text == entries[hit.entry - 1][hit.start : hit.start + len(hit.text)]
            assert sum(match.contribution for match in hit.terms) == pytest.approx(hit.score, abs=1e-9)
            for match in hit.terms:
                assert match.tf == len(match.spans) == normalise(hit.text).count(match.term) > 0
                assert match.query_count == outcome.keywords.count(match.term)
                for start, end in match.spans:
                    assert match.term in normalise(hit.text[start:end])


def test_many_chunks_take_the_way_that_does_not_sort() -> None:
    entries = [f"历史 {'压' * (at % 7)}a{at % 13}" for at in range(1500)]
    index = Index(SMALL)
    index.update(entries)
    for query in ("历史压", "a1 a7", "压压压 a12"):
        keywords = query_terms(query)
        assert found(index, keywords, 5) == straightforward(entries, keywords)[:5]


def test_ties_follow_the_file_after_moves_and_insertions() -> None:
    index = Index(SMALL)
    index.update(["历史一", "历史二", "历史三"])
    index.update(["历史四", "历史三", "历史一", "历史五"])
    assert [place[0] for place in found(index, ["历史"])] == [0, 1, 2, 3]


def test_equal_entries_are_entries_each() -> None:
    index = Index(SMALL)
    index.update(["历史", "历史"])
    assert [place[:2] for place in found(index, ["历史"])] == [(0, 0), (1, 0)]
    index.update(["历史"])
    assert index.chunks == 1


def test_only_what_changed_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []

    def spy(text: str, size: int, overlap: int) -> list[tuple[int, int]]:
        entered.append(text)
        return [(0, len(text))]

    monkeypatch.setattr(index_module, "windows", spy)
    index = Index(SMALL)
    index.update(["a", "b", "c"])
    entered.clear()
    index.update(["c", "new", "a", "b", "last"])
    assert entered == ["new", "last"]


def test_dead_slots_are_cleared_away_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "_DEAD_ALLOWED", 8)
    index = Index(SMALL)
    for turn in range(40):
        index.update([f"历史{turn}", "压缩"])
        assert found(index, ["历史"])[0][:2] == (0, 0)
    assert max(scored.slot for scored in index.best(["历史", "压缩"], 5)) < 16


def test_weights_past_the_limit_are_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "_KEPT_WEIGHTS", 3)
    entries = ["历史压缩", "压缩历史", "历史"]
    index = Index(SMALL)
    index.update(entries)
    keywords = ["历史", "压缩", "史压", "历史"]
    assert found(index, keywords) == straightforward(entries, keywords)


def test_a_stopped_update_goes_on_later() -> None:
    entries = [f"历史 {at}" for at in range(100)]
    index = Index(SMALL)
    assert index.update(entries, should_stop=lambda: True) is False
    assert 0 < index.chunks < 100
    assert index.update(entries) is True
    assert found(index, ["历史", "7"]) == straightforward(entries, ["历史", "7"])


def test_nothing_matches_nothing() -> None:
    index = Index(SMALL)
    assert index.best(["历史"], 5) == []
    index.update(["历史"])
    assert index.best([], 5) == []
    assert index.best(["没影"], 5) == []
    assert index.best(["历史"], 0) == []
