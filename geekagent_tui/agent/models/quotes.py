"""The best sentences out of what recall found, with the places they stand at.

A passage's share of the question is the sum of the weights of the question's terms that it holds. A term weighs its
idf (Robertson and Spärck Jones, as in ``memory.bm25``); terms that no passage holds weigh what the rarest would, and
terms of question words and particles weigh next to nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from geekagent_tui.memory.types import Hit, Recall

ENOUGH = 0.3
"""The share of the question that one passage must hold to count as an answer."""
HARDLY = 0.08
"""Below this share the passages have nothing to do with the question."""
LITTLE = 0.06
"""A further sentence must add this share of the question."""
MOST_QUOTES = 3
LONGEST_SENTENCE = 160
LONGEST_QUOTE = 320

_PARTICLES = frozenset(
    "的了吗呢吧啊呀嘛么是在有和与把被给到从就都也还又再很这那哪个你我他她它们之其将让请问啥谁几多"
)
_QUESTION_TERMS = frozenset(
    (
        *(
            "什么",
            "为什",
            "怎么",
            "怎样",
            "么样",
            "如何",
            "多少",
            "哪里",
            "哪个",
            "哪些",
            "何时",
            "为何",
            "何种",
            "几个",
        ),
        *(
            "告诉",
            "诉我",
            "知道",
            "记得",
            "请问",
            "一下",
            "是否",
            "可以",
            "我们",
            "咱们",
            "当时",
            "当初",
            "到底",
            "底是",
        ),
        *(
            "a",
            "an",
            "the",
            "is",
            "are",
            "was",
            "were",
            "be",
            "do",
            "does",
            "did",
            "of",
            "to",
            "in",
            "on",
            "at",
            "for",
        ),
        *(
            "what",
            "which",
            "who",
            "whom",
            "whose",
            "when",
            "where",
            "why",
            "how",
            "many",
            "much",
            "and",
            "or",
            "it",
        ),
        *(
            "i",
            "you",
            "we",
            "me",
            "my",
            "your",
            "our",
            "that",
            "this",
            "there",
            "by",
            "with",
            "from",
            "as",
            "can",
            "s",
        ),
        *("tell", "about", "know", "remember", "please", "t", "has", "have", "had"),
    )
)
_LIGHT = 0.1
_ABSENT = 0.5
"""A term that no passage holds counts half: many are accidents of cutting Chinese into pairs."""
_QUANTITY = re.compile(
    r"多少|几|阈值|门槛|上限|下限|数值|多大|多长|多久|多远|何时|哪年|哪天"
    r"|how (many|much|long|big|far|old)|when|value|limit|threshold|number",
    re.IGNORECASE,
)
_CAUSE_ASKED = re.compile(r"为什么|为何|为啥|原因|图什么|图个啥|缘故|why|reason", re.IGNORECASE)
_CAUSE = re.compile(r"因为|由于|所以|因此|为了|原因|because|since|due to|in order to", re.IGNORECASE)
_DIGIT = re.compile(r"\d|[一二三四五六七八九十百千万]+[个条年月天字次倍人]")
_END = re.compile(r"(?:[。！？!?；;…]+|\.(?=\s|$))[”’」』）)\"']*\s*|\n+")
_PAUSE = re.compile(r"[，,、：:]\s*")


@dataclass(frozen=True, slots=True)
class Quote:
    """``text`` as it stands in memory, trimmed; ``entry`` and ``segment`` count from 1."""

    entry: int
    segment: int
    text: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """``share`` is the part of the question, 0 to 1, that the best of their passages holds."""

    quotes: tuple[Quote, ...]
    share: float

    @property
    def enough(self) -> bool:
        return self.share >= ENOUGH

    @property
    def related(self) -> bool:
        return self.share >= HARDLY


@dataclass(frozen=True, slots=True)
class _Passage:
    """Chunks of one entry that follow one another without a gap. ``start`` is the offset in the entry."""

    entry: int
    start: int
    text: str
    hits: tuple[Hit, ...]

    def segment(self, start: int, end: int) -> int:
        """The best hit that holds these offsets of ``text`` whole, else the one that holds the beginning."""
        first, last = self.start + start, self.start + end
        for hit in self.hits:
            if hit.start <= first and last <= hit.start + len(hit.text):
                return hit.segment
        return next(hit.segment for hit in self.hits if hit.start <= first < hit.start + len(hit.text))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """``passage`` and ``at`` are its place: number of the passage, and of the sentence in it."""

    passage: int
    at: int
    start: int
    end: int
    terms: frozenset[str]


def best_quotes(recall: Recall) -> Quotes:
    """The quotes that hold most of the question, best first; none when nothing was found."""
    passages = _passages(recall.hits)
    weights = _weights(recall)
    total = sum(weights.values())
    sentences = [
        sentence
        for number, passage in enumerate(passages)
        for sentence in _sentences(number, passage, weights)
    ]
    if not sentences or not total:
        return Quotes((), 0.0)
    shares = [sum(weights[term] for term in _terms_in(passage.text, weights)) / total for passage in passages]
    chosen = _chosen(recall.query, passages, sentences, weights, shares)
    share = max(shares[sentence.passage] for sentence in chosen)
    return Quotes(tuple(_merged(passages, chosen)), share)


def _weights(recall: Recall) -> dict[str, float]:
    found: dict[str, float] = {}
    for hit in recall.hits:
        for match in hit.terms:
            found[match.term] = match.idf
    rarest = math.log(1.0 + (recall.chunks + 0.5) / 0.5)
    weights: dict[str, float] = {}
    for term in dict.fromkeys(recall.keywords):
        weight = found.get(term, rarest * _ABSENT)
        weights[term] = weight * (_LIGHT if _is_light(term) else 1.0)
    return weights


def _is_light(term: str) -> bool:
    return term in _QUESTION_TERMS or (not term.isascii() and any(sign in _PARTICLES for sign in term))


def _passages(hits: Sequence[Hit]) -> list[_Passage]:
    """Hits of one entry put together where they touch, in the order of their best hit."""
    passages: list[_Passage] = []
    for entry in dict.fromkeys(hit.entry for hit in hits):
        mine = [hit for hit in hits if hit.entry == entry]
        runs: list[list[Hit]] = []
        for hit in sorted(mine, key=lambda hit: hit.start):
            if runs and hit.start <= max(before.start + len(before.text) for before in runs[-1]):
                runs[-1].append(hit)
            else:
                runs.append([hit])
        for run in runs:
            text = run[0].text
            for hit in run[1:]:
                known = run[0].start + len(text) - hit.start
                text += hit.text[max(0, known) :]
            ranked = tuple(sorted(run, key=mine.index))
            passages.append(_Passage(entry, run[0].start, text, ranked))
    return passages


def _sentences(number: int, passage: _Passage, weights: Mapping[str, float]) -> list[_Sentence]:
    return [
        _Sentence(number, at, start, end, _terms_in(passage.text[start:end], weights))
        for at, (start, end) in enumerate(_cuts(passage.text))
    ]


def _terms_in(text: str, terms: Iterable[str]) -> frozenset[str]:
    folded = " ".join(text.lower().split())
    return frozenset(term for term in terms if term in folded)


def _cuts(text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the sentences; a long one is cut at its commas, or anywhere."""
    cuts: list[tuple[int, int]] = []
    start = 0
    for end in (*(mark.end() for mark in _END.finditer(text)), len(text)):
        while end - start > LONGEST_SENTENCE:
            pauses = [pause.end() for pause in _PAUSE.finditer(text, start + 1, start + LONGEST_SENTENCE)]
            cut = pauses[-1] if pauses else start + LONGEST_SENTENCE
            cuts.append((start, cut))
            start = cut
        if text[start:end].strip():
            cuts.append((start, end))
        start = end
    return cuts


def _chosen(
    query: str,
    passages: Sequence[_Passage],
    sentences: Sequence[_Sentence],
    weights: Mapping[str, float],
    shares: Sequence[float],
) -> list[_Sentence]:
    """Sentences one by one, each the one that adds most, until the rest adds little.

    A question for a number or a reason also gets the nearest sentence with one, when none so far has any.
    """

    def text_of(sentence: _Sentence) -> str:
        return passages[sentence.passage].text[sentence.start : sentence.end]

    def gain(sentence: _Sentence) -> float:
        return sum(weights[term] for term in sentence.terms - held)

    chosen: list[_Sentence] = []
    held: frozenset[str] = frozenset()
    while len(chosen) < MOST_QUOTES:
        rest = [sentence for sentence in sentences if sentence not in chosen]
        # A sentence speaks for its passage too: the words around it may hold the rest of the question.
        best = max(rest, key=lambda sentence: gain(sentence) * (0.1 + shares[sentence.passage]), default=None)
        if best is None or (chosen and gain(best) < LITTLE * sum(weights.values())):
            break
        chosen.append(best)
        held |= best.terms
    for asked, sign in ((_QUANTITY, _DIGIT), (_CAUSE_ASKED, _CAUSE)):
        if asked.search(query) and not any(sign.search(text_of(sentence)) for sentence in chosen):
            near = _nearest(chosen[0], [other for other in sentences if sign.search(text_of(other))])
            if near is not None:
                chosen.append(near)
    return chosen


def _nearest(centre: _Sentence, others: Iterable[_Sentence]) -> _Sentence | None:
    """The one of ``others`` in the same passage that stands nearest, up to three sentences away."""
    near = [
        other for other in others if other.passage == centre.passage and 0 < abs(other.at - centre.at) <= 3
    ]
    return min(near, key=lambda other: abs(other.at - centre.at), default=None)


def _merged(passages: Sequence[_Passage], chosen: Sequence[_Sentence]) -> Iterable[Quote]:
    """Neighbours as one quote, in the order in which the first of each was chosen."""
    runs: list[list[_Sentence]] = []
    for sentence in sorted(chosen, key=lambda sentence: (sentence.passage, sentence.at)):
        last = runs[-1][-1] if runs else None
        if last and last.passage == sentence.passage and _close(runs[-1][0], last, sentence):
            runs[-1].append(sentence)
        else:
            runs.append([sentence])
    order = {(sentence.passage, sentence.at): rank for rank, sentence in enumerate(chosen)}
    runs.sort(key=lambda run: min(order[sentence.passage, sentence.at] for sentence in run))
    for run in runs[:MOST_QUOTES]:
        passage = passages[run[0].passage]
        start, end = run[0].start, run[-1].end
        text = passage.text[start:end].strip()
        yield Quote(passage.entry, passage.segment(start, min(end, start + LONGEST_QUOTE)), text)


def _close(first: _Sentence, last: _Sentence, sentence: _Sentence) -> bool:
    """Next to each other, or with one sentence between that reads better than a gap."""
    return sentence.at - last.at <= 2 and sentence.end - first.start <= LONGEST_QUOTE
