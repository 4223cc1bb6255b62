"""How well recall does on a set of questions whose answers are known: hit@1, hit@5, MRR, and noise.

A set is ``{"name", "groups": [{"memories", "queries": [{"q", "entries", "answers"}], "negatives"}], "negatives"}``.
Each group is one memory. A question is answered by a hit of a listed entry (from 1) that, where answers are given,
holds one of them. Every hit for a negative is noise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from geekagent_tui.memory.types import Hit, Recall
from geekagent_tui.texts.json_reasons import json_reason

FIRST = 5
"""Hits that count."""


class SetError(ValueError):
    """A set can't be read. ``place``: the field that is missing or of the wrong type, "" when it is no JSON at all;
    ``reason``: what is wrong with the JSON then, for a person."""

    def __init__(self, path: Path, place: str = "", reason: str = "") -> None:
        super().__init__(f"{path}: {place or reason}")
        self.path = path
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Question:
    """``entries`` from 1; ``answers`` are texts, any of which a hit must hold; none when any text will do."""

    text: str
    entries: tuple[int, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """One memory, questions that it answers, and questions that it can't."""

    memories: tuple[str, ...]
    questions: tuple[Question, ...]
    negatives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecallSet:
    name: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """Shares of the questions (0 to 1), and means per question: hits and characters injected, for questions with an
    answer and for negatives. Means are 0 where there is nothing to take them over."""

    questions: int
    hit_at_1: float
    hit_at_5: float
    mrr: float
    injected: float
    negatives: int
    noise: float
    noise_characters: float
    silent: float


def load_set(path: Path) -> RecallSet:
    """Read a set. Raises ``SetError`` with a line for a person, ``OSError`` when there is no such file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise SetError(path, reason=f"{error.lineno}:{error.colno} {json_reason(error.msg)}") from None
    except (ValueError, RecursionError) as error:
        raise SetError(path, reason=str(error)) from None
    if not isinstance(data, dict):
        raise SetError(path, "groups")
    shared = _strings(data.get("negatives", []), path, "negatives")
    groups = tuple(
        _group(group, shared, path, at) for at, group in enumerate(_list(data.get("groups"), path, "groups"))
    )
    return RecallSet(str(data.get("name", path.stem)), groups)


def evaluate(groups: Sequence[Group], asker: Callable[[Sequence[str]], Callable[[str], Recall]]) -> Quality:
    """Ask everything. ``asker`` makes of a memory's entries the function that recalls from them."""
    ranks: list[int] = []
    injected: list[int] = []
    noise: list[tuple[int, int]] = []
    for group in groups:
        ask = asker(group.memories)
        for question in group.questions:
            hits = ask(question.text).hits
            ranks.append(next(_answering(hits[:FIRST], question), 0))
            injected.append(len(hits))
        for text in group.negatives:
            hits = ask(text).hits
            noise.append((len(hits), sum(len(hit.text) for hit in hits)))
    return Quality(
        len(ranks),
        _mean(rank == 1 for rank in ranks),
        _mean(rank > 0 for rank in ranks),
        _mean(1 / rank if rank else 0 for rank in ranks),
        _mean(injected),
        len(noise),
        _mean(hits for hits, _ in noise),
        _mean(characters for _, characters in noise),
        _mean(hits == 0 for hits, _ in noise),
    )


def _answering(hits: Sequence[Hit], question: Question) -> Iterator[int]:
    for rank, hit in enumerate(hits, 1):
        if hit.entry in question.entries and (
            not question.answers or any(answer in hit.text for answer in question.answers)
        ):
            yield rank


def _mean(values: Any) -> float:
    numbers = [float(value) for value in values]
    return sum(numbers) / len(numbers) if numbers else 0.0


def _group(data: Any, shared: tuple[str, ...], path: Path, at: int) -> Group:
    place = f"groups[{at}]"
    if not isinstance(data, dict):
        raise SetError(path, place)
    memories = _strings(data.get("memories"), path, f"{place}.memories")
    questions = []
    for number, item in enumerate(_list(data.get("queries", []), path, f"{place}.queries")):
        where = f"{place}.queries[{number}]"
        if not isinstance(item, dict) or not isinstance(item.get("q"), str):
            raise SetError(path, f"{where}.q")
        entries = _list(item.get("entries"), path, f"{where}.entries")
        if not all(isinstance(entry, int) and 1 <= entry <= len(memories) for entry in entries):
            raise SetError(path, f"{where}.entries")
        questions.append(
            Question(item["q"], tuple(entries), _strings(item.get("answers", []), path, f"{where}.answers"))
        )
    negatives = _strings(data.get("negatives", []), path, f"{place}.negatives")
    return Group(memories, tuple(questions), negatives + shared)


def _list(data: Any, path: Path, place: str) -> list[Any]:
    if not isinstance(data, list):
        raise SetError(path, place)
    return data


def _strings(data: Any, path: Path, place: str) -> tuple[str, ...]:
    if not all(isinstance(text, str) for text in _list(data, path, place)):
        raise SetError(path, place)
    return tuple(data)
