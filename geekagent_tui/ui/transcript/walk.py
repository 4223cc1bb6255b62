"""Where the cursor goes next: over code blocks or foldable blocks, through turns that were never laid out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from geekagent_tui.ui.transcript.turn_view import Item, Target, TurnView

Kind = Literal["code", "fold"]


@dataclass(frozen=True, slots=True)
class Cursor:
    """A block of a turn: the ``number``-th (from 0) of those a cursor can stand on."""

    turn: str
    number: int


@dataclass(frozen=True, slots=True)
class Found:
    item: int
    number: int
    target: Target


def next_target(
    items: Sequence[Item], width: int, start: tuple[int, int], step: Literal[1, -1], kind: Kind
) -> Found | None:
    """The nearest block of ``kind`` after (before, with ``step`` -1) the row ``start``: an item and a row in it.

    Only turns that may have such a block are looked at.
    """
    at, row = start
    while 0 <= at < len(items):
        view = items[at]
        if isinstance(view, TurnView) and (view.may_have_code if kind == "code" else view.may_fold):
            for number, target in _ordered(view.targets(width), step):
                beyond = target.row > row if step > 0 else target.row < row
                if matches(target, kind) and (at != start[0] or beyond):
                    return Found(at, number, target)
        at += step
    return None


def matches(target: Target, kind: Kind) -> bool:
    return target.block.code if kind == "code" else target.block.foldable


def _ordered(targets: Sequence[Target], step: int) -> Iterator[tuple[int, Target]]:
    numbered = list(enumerate(targets))
    return iter(numbered if step > 0 else numbered[::-1])
