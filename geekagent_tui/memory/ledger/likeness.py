"""How alike two entries are, and what it means: the same, nearly the same, a likely newer version, a contradiction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.memory.ledger.ratio import ratio
from geekagent_tui.memory.lexical.folding import folded_text, plain
from geekagent_tui.memory.lexical.stopwords import ENGLISH
from geekagent_tui.memory.sameness import signature

NEAR = 0.82
"""Ratio from which on two entries are nearly the same."""

RELATED = 0.6
"""Ratio from which on one may be the other's newer version when their numbers, dates or negations differ."""

Relation = Literal["same", "near", "newer", "contrary"]

_NUMBER = re.compile(
    r"\d+(?:[.:/-]\d+)*|[零一二三四五六七八九十百千万两]+(?=[天月日年号点个次条人秒分时周元块])"
)
_DAY = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|今天|明天|昨天|上午|下午|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
)
_NEGATION = re.compile(
    r"不再|不要|不用|不能|不是|不会|不吃|不喝|没有|禁止|取消|停用|不|没|别|勿"
    r"|\b(?:not|no longer|never|no|don't|doesn't|isn't|cannot|can't|without)\b"
)
_UPDATE = re.compile(
    r"改为|改成|改到|改用|换成|换到|换为|变成|变为|更新为|升级到|推迟到|提前到|调整为|迁移到|现在|目前|已经?改"
    r"|\b(?:now|instead|changed to|moved to|switched to|renamed to|as of)\b"
)
_WORD = re.compile(r"[a-z][a-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Entry ``number`` (from 1) is like a text. ``ratio`` is 0 to 1."""

    number: int
    text: str
    ratio: float
    relation: Relation


def relation(old: str, new: str) -> tuple[Relation | None, float]:
    """What ``new`` is to ``old``, None for another subject, and their ratio."""
    if signature(old) == signature(new):
        return "same", 1.0
    one, other = _plain(old), _plain(new)
    alike = ratio(one, other, at_least=0.4)
    names, others = _names(one), _names(other)
    # Another name is another subject, however alike the sentences are.
    if names - others and others - names:
        return None, alike
    numbers = _NUMBER.findall(one) + _DAY.findall(one) != _NUMBER.findall(other) + _DAY.findall(other)
    negated = bool(_NEGATION.search(one)) != bool(_NEGATION.search(other))
    told = bool(_UPDATE.search(other)) and not _UPDATE.search(one)
    if numbers or negated or told:
        bare, bare_other = _bare(one), _bare(other)
        kept = ratio(bare, bare_other, at_least=RELATED) if bare and bare_other else 0.0
        if kept >= 0.75 or (told and max(kept, alike) >= RELATED):
            return ("contrary" if negated and not told else "newer"), max(alike, kept)
        return None, alike
    return ("near" if alike >= NEAR else None), alike


def _plain(text: str) -> str:
    return " ".join(folded_text(plain(text).text).split())


def _names(text: str) -> set[str]:
    return {word for word in _WORD.findall(_bare(text)) if word not in ENGLISH}


def _bare(text: str) -> str:
    """Without what a newer version changes: numbers, days, negations, words of change, punctuation, idle words."""
    for pattern in (_UPDATE, _DAY, _NEGATION, _NUMBER):
        text = pattern.sub("", text)
    return re.sub(r"[^\w]+|[的了是在为于]", " " if text.isascii() else "", text).strip()
