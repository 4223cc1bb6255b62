"""Made-up notes in Chinese and English, the same on every machine: words by rank as in real text, one seed."""

from __future__ import annotations

import random
from itertools import accumulate

_WORDS = "the,of,to,and,a,in,is,for,on,that,with,be,as,it,at,by,this,from,or,not"
_PARTS = "ba,co,de,fi,gra,ho,in,ju,ka,lo,mer,no,par,qui,re,sta,tor,un,ver,wi,ex,ple,tion,ing"
_FUNCTION_ZH = [*"的了是在和就也不要用把到时说", "我们", "这个", "可以", "因为", "所以", "没有"]
_FUNCTION_EN = _WORDS.split(",")
_SYLLABLES = _PARTS.split(",")


class Corpus:
    """A source of entries and of questions about them. ``seed`` fixes everything."""

    def __init__(self, seed: int, words: int = 20_000) -> None:
        self._random = random.Random(seed)
        hanzi = [chr(code) for code in range(0x4E00, 0x4E00 + 3500)]
        self._random.shuffle(hanzi)
        self._hanzi = hanzi
        # Characters of content words are much more even than words: exponent 0.5 against 1.
        self._hanzi_weights = list(accumulate((rank + 10) ** -0.5 for rank in range(len(hanzi))))
        self._chinese = _FUNCTION_ZH + [self._chinese_word() for _ in range(words)]
        self._english = _FUNCTION_EN + [self._english_word() for _ in range(words)]
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(words + 20)))

    def entry(self) -> str:
        """60 to 900 characters; two in three Chinese with some English words in it, the rest English."""
        length = self._random.randint(60, 900)
        text = self._text(length, chinese=self._random.random() < 0.67)
        return text[:length].strip()

    def question(self, entry: str) -> str:
        """Words out of an entry, some of them others, as someone would ask who half remembers."""
        start = self._random.randrange(max(1, len(entry) - 40))
        chinese = not entry.isascii()
        own, others = (11, 5) if chinese else (36, 18)
        return f"{entry[start : start + own]}{self._text(others, chinese=chinese)[:others]}"

    def entries(self, chunks: int, size: int = 320, overlap: int = 80) -> list[str]:
        """Entries that make exactly ``chunks`` chunks."""
        found: list[str] = []
        while chunks > 0:
            entry = self.entry()[: size + (chunks - 1) * (size - overlap)].strip()
            chunks -= 1 + max(0, -((size - len(entry)) // (size - overlap)))
            found.append(entry)
        return found

    def _text(self, length: int, *, chinese: bool) -> str:
        words: list[str] = []
        made = 0
        while made < length:
            picked = self._random.choices(
                self._chinese if chinese else self._english, cum_weights=self._weights, k=12
            )
            if chinese:
                if self._random.random() < 0.3:
                    latin = self._random.choices(self._english, cum_weights=self._weights)[0]
                    picked[5] = f" {latin} "
                text = "".join(picked) + self._random.choice("，，。；")
            else:
                text = " ".join(picked) + self._random.choice([", ", ". "])
            words.append(text)
            made += len(text)
        return "".join(words)

    def _chinese_word(self) -> str:
        length = self._random.choices((1, 2, 3, 4), (1, 14, 4, 2))[0]
        return "".join(self._random.choices(self._hanzi, cum_weights=self._hanzi_weights, k=length))

    def _english_word(self) -> str:
        return "".join(self._random.choices(_SYLLABLES, k=self._random.choice((2, 2, 3, 3, 4))))
