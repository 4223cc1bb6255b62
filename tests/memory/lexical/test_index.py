"""The index in step with memory: always what one made anew would be."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geekagent_tui.memory.bm25 import Bm25
from geekagent_tui.memory.chunking import windows
from geekagent_tui.memory.lexical import cache, ranking
from geekagent_tui.memory.lexical import index as index_module
from geekagent_tui.memory.lexical.index import LexicalIndex, digest_of
from geekagent_tui.memory.lexical.question import read
from geekagent_tui.memory.lexical.segment import build, merge
from geekagent_tui.memory.lexical.tokens import Tokenizer, Tokens

SCORER = Bm25(k1=0.9, b=0.6)
TOKENIZER = Tokenizer()
WORDS = ["部署", "压缩", "history", "deploy", "MAX_CHARS", "备份", "的", "x", "カフェ", "🎉"]
ENTRIES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), max_size=12)


def new() -> LexicalIndex:
    return LexicalIndex(SCORER, 12, 4, TOKENIZER)


def fresh(texts: list[str]) -> LexicalIndex:
    index = new()
    assert index.update(texts)
    return index


def scores(index: LexicalIndex, words: list[str]) -> dict[tuple[int, int], float]:
    """Score by (entry, segment) of every chunk that has any of the words."""
    keys = np.unique(TOKENIZER.tokens(words).keys)
    dfs = index.document_frequencies(keys)
    weights = [SCORER.idf(index.chunks, df) for df in dfs]
    numbers = index.best(keys, weights, 10_000)
    counts = index.term_counts(keys, numbers)
    found = {}
    for column, number in enumerate(numbers):
        damping = SCORER.damping(index.length(number), index.mean_length)
        chunk = index.chunk(number)
        found[chunk.entry, chunk.segment] = sum(
            SCORER.weight(weight, int(tf), damping)
            for weight, tf in zip(weights, counts[:, column], strict=True)
        )
    return found


def naive(texts: list[str], words: list[str]) -> dict[tuple[int, int], float]:
    """The same, by counting in every chunk."""
    keys = np.unique(TOKENIZER.tokens(words).keys).tolist()
    chunks = {
        (entry, segment): TOKENIZER.tokens([text[start:end]])
        for entry, text in enumerate(texts)
        for segment, (start, end) in enumerate(windows(text, 12, 4))
    }
    total = len(chunks)
    mean = sum(int(tokens.lengths[0]) for tokens in chunks.values()) / total if total else 0
    found: dict[tuple[int, int], float] = {}
    for key in keys:
        tfs = {place: int((tokens.keys == key).sum()) for place, tokens in chunks.items()}
        idf = SCORER.idf(total, sum(tf > 0 for tf in tfs.values()))
        for place, tf in tfs.items():
            if tf:
                damping = SCORER.damping(int(chunks[place].lengths[0]), mean)
                found[place] = found.get(place, 0.0) + SCORER.weight(idf, tf, damping)
    return found


@settings(deadline=None)
@given(st.lists(ENTRIES, min_size=1, max_size=5), st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_after_any_changes_scores_are_those_of_counting(states: list[list[str]], words: list[str]) -> None:
    index = new()
    for texts in states:
        assert index.update(texts)
        assert index.chunks == fresh(texts).chunks
        assert scores(index, words) == pytest.approx(naive(texts, words))


@settings(deadline=None)
@given(ENTRIES, ENTRIES)
def test_a_cache_is_as_good_as_what_it_was_made_of(before: list[str], after: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        cache.write(cache.taken(fresh(before)), Path(folder))
        index = new()
        assert cache.load(index, Path(folder))
        assert index.update(after)
        assert scores(index, WORDS) == pytest.approx(naive(after, WORDS))


class TestCache:
    def test_what_is_done_after_it_was_taken_does_not_show(self, tmp_path: Path) -> None:
        texts = [f"entry {number} 部署" for number in range(20)]
        index = fresh(texts)
        index.update(texts[1:])
        kept = cache.taken(index)
        index.update(["something else"])
        cache.write(kept, tmp_path)
        other = new()
        assert cache.load(other, tmp_path)
        assert other.update(texts[1:])
        assert scores(other, ["部署", "entry"]) == pytest.approx(naive(texts[1:], ["部署", "entry"]))

    def test_arrays_are_where_numpy_need_not_copy_them(self, tmp_path: Path) -> None:
        cache.write(cache.taken(fresh(["部署 history", "x", "deploy 备份 的"])), tmp_path)
        index = new()
        assert cache.load(index, tmp_path)
        for segment in index.segments:
            for name in ("keys", "starts", "chunks", "tf", "lengths"):
                assert getattr(segment, name).flags.aligned

    def test_half_a_file_of_a_write_that_was_cut_short_goes(self, tmp_path: Path) -> None:
        (tmp_path / ".lexical.index.abc").write_bytes(b"half")
        cache.write(cache.taken(fresh(["部署"])), tmp_path)
        assert [file.name for file in tmp_path.iterdir()] == ["lexical.index"]

    def test_a_damaged_one_is_not_used(self, tmp_path: Path) -> None:
        cache.write(cache.taken(fresh(["部署 history"])), tmp_path)
        (file,) = tmp_path.iterdir()
        good = file.read_bytes()
        for bad in (b"", good[:40], good[:-1], good[:-1] + bytes([good[-1] ^ 1]), b"x" + good, good + b"x"):
            file.write_bytes(bad)
            index = new()
            assert not cache.load(index, tmp_path)
            assert index.chunks == 0

    def test_one_of_another_version_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cache.write(cache.taken(fresh(["部署"])), tmp_path)
        monkeypatch.setattr(cache, "VERSION", cache.VERSION + 1)
        assert not cache.load(new(), tmp_path)

    def test_none_is_no_fault(self, tmp_path: Path) -> None:
        assert not cache.load(new(), tmp_path / "nowhere")

    def test_entries_that_are_still_there_are_not_read_again(self, tmp_path: Path) -> None:
        texts = [f"entry number {number}" for number in range(50)]
        cache.write(cache.taken(fresh(texts)), tmp_path)
        read: list[str] = []

        class Noting(Tokenizer):
            def tokens(self, texts: Sequence[str]) -> Tokens:
                read.extend(texts)
                return super().tokens(texts)

        index = LexicalIndex(SCORER, 12, 4, Noting())
        assert cache.load(index, tmp_path)
        index.update([*texts[:20], "something new", *texts[30:]])
        assert read
        assert not any("entry" in piece or "number" in piece for piece in read)


@settings(deadline=None)
@given(ENTRIES, ENTRIES, ENTRIES)
def test_purged_it_is_the_same_and_has_no_trace(
    before: list[str], between: list[str], after: list[str]
) -> None:
    index = fresh(before)
    index.update(between)
    index.purge()
    live = set(TOKENIZER.tokens([t[a:b] for t in between for a, b in windows(t, 12, 4)]).keys.tolist())
    assert {key for segment in index.segments for key in segment.keys.tolist()} == live
    held = [entry for entry, digest in enumerate(index.digests) if any(digest)]
    assert sorted(index.digests[entry] for entry in held) == sorted(map(digest_of, between))
    for segment in index.segments:
        assert segment.alive is None or not segment.lengths[~segment.alive].any()
    assert scores(index, WORDS) == pytest.approx(naive(between, WORDS))
    index.update(after)
    assert scores(index, WORDS) == pytest.approx(naive(after, WORDS))


class TestUpdate:
    def test_stopping_keeps_what_is_in_and_the_next_call_goes_on(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index_module, "_BATCH", 4)
        texts = [f"部署 number{number}" for number in range(40)]
        index = new()
        assert not index.update(texts, should_stop=lambda: True)
        held = index.chunks
        assert 0 < held < 80
        found = scores(index, ["部署"])
        assert {entry for entry, _ in found} == set(range(len(found)))
        assert index.update(texts)
        assert scores(index, ["部署", "number7"]) == pytest.approx(naive(texts, ["部署", "number7"]))

    def test_many_small_additions_leave_few_segments(self) -> None:
        index = new()
        texts: list[str] = []
        for number in range(700):
            texts.append(f"entry {number} 部署")
            index.update(texts)
        assert len(index.segments) <= 16
        assert scores(index, ["number", "部署"]) == pytest.approx(naive(texts, ["number", "部署"]))

    def test_a_memory_that_was_mostly_replaced_is_made_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(index_module, "_DEAD_ALLOWED", 8)
        index = fresh([f"alt {number}" for number in range(30)])
        texts = [f"neu {number}" for number in range(10)]
        index.update(texts)
        assert sum(segment.size for segment in index.segments) == index.chunks
        assert scores(index, ["neu"]) == pytest.approx(naive(texts, ["neu"]))

    def test_one_entry_longer_than_a_segment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(index_module, "MOST_CHUNKS", 8)
        text = "部署 history deploy " * 20
        index = fresh(["x", text, "y"])
        assert len(index.segments) > 3
        assert scores(index, ["deploy"]) == pytest.approx(naive(["x", text, "y"], ["deploy"]))


def test_merging_is_building_at_once() -> None:
    texts = ["部署 a b", "history a", "a a a", "备份 部署"]
    whole = build(TOKENIZER.tokens(texts), 4)
    merged = merge([build(TOKENIZER.tokens(texts[:1]), 1), build(TOKENIZER.tokens(texts[1:]), 3)])
    for name in ("keys", "starts", "chunks", "tf", "lengths"):
        assert np.array_equal(getattr(whole, name), getattr(merged, name))


@pytest.mark.parametrize("seed", range(8))
def test_the_best_are_those_of_scoring_every_chunk(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However early lists are given up and chunks fall out of reach, and with several segments and dead chunks."""
    monkeypatch.setattr(ranking, "_LONG", 1)
    monkeypatch.setattr(ranking, "_PROMISING", 1)
    monkeypatch.setattr(ranking, "_BLOCKS", 32)
    monkeypatch.setattr(index_module, "MOST_CHUNKS", 400)
    monkeypatch.setattr(index_module, "_BATCH", 300)
    chance = random.Random(seed)
    signs = "的一是部署口令端记忆周五库备份迁移"
    words = ["common", "deploy", "v1.2.3", "rare", "word7", "MAX_SIZE"]

    def text() -> str:
        run = "".join(
            chance.choice(signs[: chance.randint(2, len(signs))]) for _ in range(chance.randint(0, 40))
        )
        return f"{run} {' '.join(chance.choices(words, k=chance.randint(0, 9)))} {chance.randint(0, 300)}"

    texts = [text() for _ in range(1_500)]
    index = fresh(texts)
    for _ in range(3):
        del texts[chance.randrange(len(texts)) :: 7]
        index.update(texts)
    question = read(text(), TOKENIZER)
    weights = [
        SCORER.idf(index.chunks, df) * term.factor * term.count
        for term, df in zip(question.terms, index.document_frequencies(question.keys), strict=True)
    ]
    finds = np.array([term.telling for term in question.terms], np.bool_)
    found = index.best(question.keys, weights, 24, (~finds).tolist())

    live = np.concatenate(
        [np.ones(one.size, np.bool_) if one.alive is None else one.alive for one in index.segments]
    )
    assert len(index.segments) > 2
    assert not live.all()
    numbers = np.flatnonzero(live).tolist()
    counts = index.term_counts(question.keys, numbers).astype(np.float64)
    damping = np.array([SCORER.damping(index.length(number), index.mean_length) for number in numbers])
    gains = np.array(weights)[:, None] * SCORER.weight(1.0, counts, np.tile(damping, (counts.shape[0], 1)))
    totals = np.where(counts[finds].any(0), gains.sum(0), 0.0)
    wanted = sorted(totals[totals > 0], reverse=True)[:24]
    of = dict(zip(numbers, totals, strict=True))
    # Ties may fall to either chunk, so the scores are compared.
    assert sorted((of[number] for number in found), reverse=True) == pytest.approx(wanted)


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=30, max_size=90
    ),
    st.integers(1, 6),
    st.integers(0, 1 << 12),
)
def test_the_best_are_those_of_adding_everything_up(texts: list[str], limit: int, bits: int) -> None:
    index = fresh(texts)
    index.update(texts[: len(texts) // 3] + texts[len(texts) // 2 :] + ["部署 x"])  # some dead, two segments
    keys = np.unique(TOKENIZER.tokens(WORDS).keys)
    weights = [SCORER.idf(index.chunks, df) for df in index.document_frequencies(keys)]
    supporting = [bool(bits >> at & 1) for at in range(keys.size)]
    live = [n for n in range(sum(s.size for s in index.segments)) if _alive(index, n)]
    counts = index.term_counts(keys, live)
    damping = np.array([SCORER.damping(index.length(number), index.mean_length) for number in live])
    gains = np.array(weights)[:, None] * counts * (SCORER.k1 + 1) / (counts + damping)
    finds = gains[~np.array(supporting, np.bool_)].sum(0) > 0
    totals = dict(zip(live, gains.sum(0).tolist(), strict=True))
    expected = sorted((total for total, f in zip(totals.values(), finds, strict=True) if f), reverse=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "_LONG", 2)
        patch.setattr(ranking, "_PROMISING", 1)
        patch.setattr(ranking, "_BLOCKS", 8)
        found = index.best(keys, weights, limit, supporting)
    assert len(set(found)) == len(found)
    assert sorted((totals[number] for number in found), reverse=True) == pytest.approx(expected[:limit])


def _alive(index: LexicalIndex, number: int) -> bool:
    for segment in index.segments:
        if number < segment.size:
            return segment.alive is None or bool(segment.alive[number])
        number -= segment.size
    raise LookupError(number)
