"""Folding, words and tokens: what makes two texts find each other."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.memory.lexical.folding import fold_slowly, folded_text, plain, traditional
from geekagent_tui.memory.lexical.tokens import Tokenizer, joined, pair_key, single_key
from geekagent_tui.memory.lexical.words import WORD, english_stemmer, key_of, parts

TOKENIZER = Tokenizer()


def terms(text: str) -> set[str]:
    return {part for match in WORD.finditer(plain(text).text) for part in TOKENIZER.parts(match[0])}


def keys(text: str) -> set[int]:
    return set(TOKENIZER.tokens([text]).keys.tolist())


class TestFolding:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Café", "cafe"),
            ("cafe\u0301", "café"),
            ("ＡＢＣ１２３", "abc123"),
            ("我喜歡騎自行車", "我喜欢骑自行车"),
            ("straße", "STRASSE"),
            ("ﬁne", "fine"),
            ("ｶﾞ", "ガ"),
            ("\u1112\u1161\u11ab", "한"),
            ("pass\u200bword\ufeff", "password"),
            ("Ёлка", "елка"),
            ("⼀", "一"),
            ("Ⅳ", "iv"),
            ("ΆΛΦΑ", "αλφα"),
        ],
    )
    def test_what_means_the_same_is_the_same(self, one: str, other: str) -> None:
        assert folded_text(plain(one).text) == folded_text(plain(other).text)
        assert keys(one) == keys(other)

    def test_kana_keep_their_voicing_and_scripts_their_vowels(self) -> None:
        assert folded_text("が") != folded_text("か")
        assert folded_text("का") != folded_text("क")

    def test_the_table_of_traditional_characters_is_one_for_one(self) -> None:
        table = traditional()
        assert len(table) > 4000
        assert all(one != other for one, other in table.items())
        assert table[ord("騎")] == ord("骑")

    @given(st.text(max_size=60))
    def test_offsets_name_the_source_of_every_character(self, text: str) -> None:
        found = plain(text)
        if found.starts is None or found.ends is None:
            assert found.text == text
            return
        assert len(found.text) == len(found.starts) == len(found.ends)
        for start, end in zip(found.starts, found.ends, strict=True):
            assert 0 <= start < end <= len(text)
        assert found.starts == sorted(found.starts)

    @given(st.text(st.characters(categories=["L", "N"]), max_size=30))
    def test_the_table_agrees_with_the_rules(self, text: str) -> None:
        composed = unicodedata.normalize("NFC", text)
        assert folded_text(plain(composed).text) == fold_slowly(composed)


class TestWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("MAX_HISTORY_CHARS", {"max_history_chars", "max", "histori", "char"}),
            ("camelCase", {"camelcas", "camel", "case"}),
            ("kebab-case", {"kebab-case", "kebab", "case"}),
            ("v1.2.3", {"v1.2.3", "v1", "v", "1", "2", "3"}),
            ("192.168.0.1", {"192.168.0.1", "192", "168", "0", "1"}),
            ("foo/bar.py", {"foo/bar.py", "foo", "bar", "py"}),
            ("C++", {"c++", "c"}),
            ("C#", {"c#", "c"}),
            ("重跑gen-itgc后50条", {"gen-itgc", "gen", "itgc", "50"}),
            ('memory:safe (python "*"', {"memory:safe", "memori", "safe", "python"}),
            ("Caroline's", {"carolin"}),
            ("Привет, мир", {"привет", "мир"}),
            ("deploying deployed deploys", {"deploy"}),
        ],
    )
    def test_identifiers_are_found_whole_and_in_parts(self, text: str, expected: set[str]) -> None:
        assert terms(text) == expected

    def test_a_word_of_any_length_and_number_of_parts_is_no_trouble(self) -> None:
        assert len(parts("a" * 4000, english_stemmer())) == 1
        assert len(parts("-".join("ab" * 1 for _ in range(2000)), english_stemmer())) <= 30

    def test_keys_do_not_depend_on_the_process(self) -> None:
        assert key_of("deploy") == key_of("deploy")
        assert key_of("deploy") >> 42 == 2
        assert key_of("部署") != pair_key("部署") != single_key("部")


class TestTokens:
    def test_pairs_run_through_scripts_without_spaces(self) -> None:
        assert pair_key("食へ".replace("へ", "べ")) in keys("食べる")
        assert pair_key("한국") in keys("한국어")
        assert pair_key("备份") in keys("GitHub备份每周一次")
        assert key_of("github") in keys("GitHub备份每周一次")

    def test_a_run_does_not_reach_over_what_stands_between(self) -> None:
        assert pair_key("部署") not in keys("部 署")
        assert pair_key("部署") not in keys("部，署")

    def test_lengths_leave_single_characters_inside_runs_out(self) -> None:
        assert TOKENIZER.tokens(["部署说明", "a b", "x", "", "字"]).lengths.tolist() == [3, 2, 1, 0, 1]

    def test_emoji_and_punctuation_have_no_terms(self) -> None:
        assert keys("🎉👨‍👩‍👧！……") == set()

    @given(st.lists(st.text(max_size=40), min_size=1, max_size=8))
    def test_many_at_a_time_is_one_at_a_time(self, texts: list[str]) -> None:
        whole = TOKENIZER.tokens(texts)
        single = joined([TOKENIZER.tokens([text]) for text in texts])
        for at in range(len(texts)):
            assert sorted(whole.keys[whole.chunks == at].tolist()) == sorted(
                single.keys[single.chunks == at].tolist()
            )
        assert np.array_equal(whole.lengths, single.lengths)
