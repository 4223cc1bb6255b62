"""What the floor costs and what it keeps out: hit@5 lost against no floor, and noise per negative, floor by floor.

python -m benchmarks.floor SET.json … [--plot docs/floor.svg]

The sets are those of ``geekagent eval``. Each question is ranked once; the rules then choose from that ranking for
every floor, with all else as in a turn: five places, the budget, silence for small talk.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.chart import Line, Panel, chart
from geekagent_tui.memory.evaluation import Quality, RecallSet, evaluate, load_set
from geekagent_tui.memory.profiles import LEXICAL
from geekagent_tui.memory.recall import Finder
from geekagent_tui.memory.rules import BUDGET, Rules
from geekagent_tui.memory.scorer import Ranking, Scorer
from geekagent_tui.memory.scorers import scorer_for
from geekagent_tui.memory.types import Hit, Recall

LIMIT = 5
FLOORS = (0.20, 0.24, 0.28, 0.30, 0.32, 0.34, 0.36, 0.38, 0.42, 0.46, 0.50)
MOST_LOST = 1.0
"""Points of hit@5 that a floor may cost."""


@dataclass(frozen=True, slots=True)
class Point:
    """``lost``: points of hit@5 below the same profile without a floor."""

    floor: float
    lost: float
    quality: Quality


class Remembered:
    """A scorer over a set's memory that ranks and marks everything once, however often it is asked."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._rankings: dict[tuple[str, int], Ranking] = {}
        self._marked: dict[Hit, Hit] = {}

    @property
    def chunks(self) -> int:
        return self._scorer.chunks

    def update(self, texts: Sequence[str], *, should_stop: Callable[[], bool]) -> bool:
        self._rankings.clear()
        self._marked.clear()
        return self._scorer.update(texts, should_stop=should_stop)

    def rank(self, query: str, limit: int) -> Ranking:
        found = self._rankings.get((query, limit))
        if found is None:
            found = self._rankings[query, limit] = self._scorer.rank(query, limit)
        return found

    def rank_keywords(self, query: str, limit: int) -> Ranking:
        return self._scorer.rank_keywords(query, limit)

    def mark(self, hit: Hit) -> Hit:
        found = self._marked.get(hit)
        if found is None:
            found = self._marked[hit] = self._scorer.mark(hit)
        return found

    def load(self, folder: Path) -> bool:
        return self._scorer.load(folder)

    def saver(self) -> Callable[[Path], None]:
        return self._scorer.saver()

    def purge(self) -> None:
        self._scorer.purge()

    def discard(self, folder: Path) -> None:
        self._scorer.discard(folder)


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table for each set, and draw them all when asked."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.floor", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", type=Path, metavar="SET.json")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write the curves there, as SVG")
    options = parser.parse_args(argv)
    if not options.sets:
        print("no set named: python -m benchmarks.floor SET.json …")
        return 0
    curves: dict[str, list[Point]] = {}
    for path in options.sets:
        found = load_set(path)
        started = time.perf_counter()
        curves[found.name] = curve(found)
        show(found.name, curves[found.name], time.perf_counter() - started)
    if options.plot:
        options.plot.write_text(drawn(curves), encoding="utf-8")
        print(f"\n{options.plot}")
    return 0


def curve(found: RecallSet) -> list[Point]:
    """The shipped floor among ``FLOORS``, each held against none; the first point is no floor at all."""
    prepared: dict[tuple[str, ...], Remembered] = {}
    for group in found.groups:
        scorer = Remembered(scorer_for(LEXICAL))
        scorer.update(_entries(group.memories), should_stop=lambda: False)
        prepared[group.memories] = scorer
    rules = LEXICAL.rules or Rules()
    bare = _quality(found, prepared, Rules(floor=0.0))
    points = [Point(0.0, 0.0, bare)]
    for floor in sorted({*FLOORS, rules.floor}):
        quality = _quality(found, prepared, replace(rules, floor=floor))
        points.append(Point(floor, (bare.hit_at_5 - quality.hit_at_5) * 100, quality))
    return points


def _quality(found: RecallSet, prepared: Mapping[tuple[str, ...], Remembered], rules: Rules) -> Quality:
    profile = replace(LEXICAL, rules=rules)

    def asker(memories: Sequence[str]) -> Callable[[str], Recall]:
        entries = _entries(memories)
        finder = Finder(prepared[tuple(memories)], profile, time.perf_counter)
        return lambda query: finder.recall(query, LIMIT, budget=BUDGET, previous="", entries=entries)

    return evaluate(found.groups, asker)


def _entries(memories: Sequence[str]) -> tuple[str, ...]:
    return tuple(text.strip() for text in memories)


def show(name: str, points: Sequence[Point], seconds: float) -> None:
    """Print the table of one set."""
    bare = points[0].quality
    shipped = (LEXICAL.rules or Rules()).floor
    print(f"\n{name}: {bare.questions:,} questions, {bare.negatives:,} negatives, {seconds:.0f} s")
    print(
        f"{'floor':>7}{'hit@1':>8}{'hit@5':>8}{'lost':>8}{'injected':>10}{'noise':>8}{'chars':>8}{'silent':>8}"
    )
    for point in points:
        quality = point.quality
        noise = (
            f"{quality.noise:8.2f}{quality.noise_characters:8.0f}{quality.silent:8.0%}"
            if quality.negatives
            else f"{'—':>8}" * 3
        )
        print(
            f"{point.floor:7.2f}{quality.hit_at_1:8.3f}{quality.hit_at_5:8.3f}{point.lost:8.2f}"
            f"{quality.injected:10.2f}{noise}{'  ← shipped' if point.floor == shipped else ''}"
        )


def drawn(curves: Mapping[str, Sequence[Point]]) -> str:
    """Both curves of every set, side by side: what a floor costs, what it keeps out."""
    mark = ((LEXICAL.rules or Rules()).floor, "shipped")
    lost = tuple(
        Line(name, tuple((at.floor, at.lost) for at in points[1:])) for name, points in curves.items()
    )
    noise = tuple(
        Line(name, tuple((at.floor, at.quality.noise) for at in points[1:]))
        for name, points in curves.items()
        if points[0].quality.negatives
    )
    panels = [Panel("What the floor costs", "floor", "points of hit@5 lost", lost, mark=mark, aim=MOST_LOST)]
    if noise:
        panels.append(Panel("What it lets through", "floor", "hits per negative", noise, mark=mark))
    return chart(panels)


if __name__ == "__main__":
    raise SystemExit(main())
