"""The profile ``lexical`` beside tantivy, bm25s, SQLite FTS5 and rank_bm25: the same chunks, the same terms, one run.

python -m benchmarks.lexical [--sizes 1000,10000,100000] [--million] [--systems ours,tantivy] [--plot docs/lexical.svg]

Every system gets a question's terms ready made and gives its five best; each is alone in its process. *Build* is from
chunks (ours: with reading them; the others: from lines of terms) to the first answer being possible, *warm* from files
to the first answer. An entry that is added or removed has one to four chunks; who can't change builds anew. *Resident*
is what building added to the process, the chunks themselves left out. k1 and b are ours where they can be set. *Alike*
is the share of our five best that a system has too; the weights differ (a single character counts half with us), so
it is less than all.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from benchmarks.chart import Line, Panel, chart
from benchmarks.material import CHANGES, QUESTIONS, make, read_asked, read_firsts
from benchmarks.peers import Unable
from benchmarks.systems import FEW, MOST_CHUNKS, OURS, SYSTEMS, Ours, System

_MEMORY = Path("/dev/shm")
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """Milliseconds but for ``build_s``; None where a system can't. ``recall_p50`` and ``recall_p95``: ours alone, from
    the sentence to what is injected. ``best``: the five best for each question that was asked."""

    name: str
    build_s: float
    p50: float
    p95: float
    warm: float | None
    add: float | None
    remove: float | None
    resident_mb: float
    best: tuple[tuple[int, ...], ...]
    recall_p50: float = 0.0
    recall_p95: float = 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print a table for each size and one of how they grow, and draw it when asked."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.lexical", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of chunks, with commas between")
    parser.add_argument("--million", action="store_true", help="a million chunks too: minutes, and gigabytes")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help=f"of {', '.join(SYSTEMS)}")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the growth there, as SVG")
    options = parser.parse_args(argv)
    sizes = [*map(int, options.sizes.split(",")), *([1_000_000] if options.million else [])]
    names = [OURS, *(name for name in options.systems.split(",") if name != OURS)]
    if unknown := set(names) - set(SYSTEMS):
        parser.error(f"no such system: {', '.join(sorted(unknown))}")
    results: dict[int, list[Measured]] = {}
    for size in sizes:
        results[size] = measure(size, [name for name in names if size <= MOST_CHUNKS.get(name, size)])
    if len(sizes) > 1:
        growth(results)
    if options.plot:
        options.plot.write_text(drawn(results), encoding="utf-8")
        print(f"\n{options.plot}")
    return 0


def measure(size: int, names: Sequence[str]) -> list[Measured]:
    """One table, for ``size`` chunks."""
    with tempfile.TemporaryDirectory(prefix="geekagent-bench-") as folder:
        source = Path(folder)
        asked = make(source, size)
        terms = statistics.mean(map(len, asked.queries))
        print(
            f"\n{size:,} chunks, {asked.characters:,} characters, {len(asked.questions)} questions of {terms:.0f} terms"
        )
        rows: list[Measured] = []
        for name in names:
            # A process of its own for each; a fork would begin with this one's memory.
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                rows.append(pool.submit(alone, name, source, size).result())
    show(rows, asked.characters)
    return rows


def alone(name: str, source: Path, size: int) -> Measured:
    """Everything about one system, in a process that does nothing else."""
    asked = read_asked(source)
    questions = min(FEW.get(name, QUESTIONS), QUESTIONS)
    with tempfile.TemporaryDirectory(
        prefix="geekagent-bench-", dir=_MEMORY if _MEMORY.is_dir() else None
    ) as folder:
        system = SYSTEMS[name](source, Path(folder), asked)
        gc.collect()
        before = resident_mb()
        build_s = seconds(system.build)
        if system.chunks() != size:
            raise RuntimeError(f"{system.chunks()} chunks of {size}")
        gc.collect()
        taken = asking(system.search, questions)
        grown = resident_mb() - before
        best = tuple(tuple(system.numbers(system.search(at))) for at in range(questions))
        whole = asking(system.recall, questions) if isinstance(system, Ours) else [0.0]
        warm = warm_start(system)
        firsts = read_firsts(source)
        return Measured(
            name,
            build_s,
            statistics.median(taken),
            percentile(taken),
            warm,
            changing(system, system.add, sum(map(len, asked.added_lines))),
            changing(system, system.remove, -sum(firsts[at + 1] - firsts[at] for at in asked.removed)),
            grown,
            best,
            statistics.median(whole),
            percentile(whole),
        )


def seconds(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def asking(search: Callable[[int], object], questions: int) -> list[float]:
    """Milliseconds for each question, over several rounds, after one round that fills every system's caches. Slow
    systems get one round."""
    first = sum(seconds(lambda at=at: search(at)) for at in range(questions))  # type: ignore[misc]
    rounds = _ROUNDS if first < 5 else 1
    return [seconds(lambda at=at: search(at)) * 1000 for _ in range(rounds) for at in range(questions)]  # type: ignore[misc]


def warm_start(system: System) -> float | None:
    """Milliseconds from files to an answer: the median of three."""
    try:
        system.keep()
        return statistics.median(seconds(lambda: system.warm(0)) for _ in range(3)) * 1000
    except Unable:
        return None


def changing(system: System, change: Callable[[int], None], chunks: int) -> float | None:
    """Median milliseconds of one change until a search sees it. All together must change the number of chunks by
    ``chunks``: what does nothing is quick, too."""
    before = system.chunks()
    try:
        taken = [seconds(lambda at=at: change(at)) for at in range(CHANGES)]  # type: ignore[misc]
    except Unable:
        return None
    if system.chunks() - before != chunks:
        raise RuntimeError(f"{chunks:+} chunks were to come, {system.chunks() - before:+} did")
    return statistics.median(taken) * 1000


def percentile(values: Sequence[float]) -> float:
    """The 95th."""
    return sorted(values)[int(len(values) * 0.95)]


def resident_mb() -> float:
    """Megabytes that this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def show(rows: Sequence[Measured], characters: int) -> None:
    """Print the table; ratios are against ours, five best."""
    ours = rows[0]
    print(
        f"{'':22}{'p50 ms':>10}{'ratio':>9}{'p95 ms':>10}{'build s':>9}{'M char/s':>10}{'warm ms':>10}"
        f"{'add ms':>9}{'remove':>9}{'MB':>8}{'alike':>7}{'asked':>7}"
    )
    for row in rows:
        shares = [
            len(set(one) & set(other)) / max(1, len(other))
            for one, other in zip(row.best, ours.best, strict=False)
        ]
        alike = "" if row is ours else f"{statistics.mean(shares):.0%}"
        print(
            f"{row.name:22}{row.p50:10.3f}{row.p50 / ours.p50:8.1f}×{row.p95:10.3f}{row.build_s:9.2f}"
            f"{characters / row.build_s / 1e6:10.2f}{_or_dash(row.warm, 10)}{_or_dash(row.add, 9)}"
            f"{_or_dash(row.remove, 9)}{row.resident_mb:8.0f}{alike:>7}{len(row.best):7}"
        )
        if row.recall_p50:
            ratio = f"{row.recall_p50 / ours.p50:8.1f}×"
            print(f"{row.name + ', whole recall':22}{row.recall_p50:10.3f}{ratio}{row.recall_p95:10.3f}")


def growth(results: dict[int, list[Measured]]) -> None:
    """Print how the median question grows with the number of chunks."""
    names = [row.name for row in next(iter(results.values()))]
    print(f"\n{'p50 ms by chunks':22}{''.join(f'{size:>12,}' for size in results)}")
    for name in names:
        found = [next((row.p50 for row in rows if row.name == name), None) for rows in results.values()]
        print(f"{name:22}{''.join(_or_dash(p50, 12) for p50 in found)}")


def drawn(results: dict[int, list[Measured]]) -> str:
    """Median question and resident memory by the number of chunks."""

    def lines(value: Callable[[Measured], float]) -> tuple[Line, ...]:
        found: dict[str, list[tuple[float, float]]] = {}
        for size, rows in results.items():
            for row in rows:
                # What is too little to measure has no place on a logarithmic axis.
                found.setdefault(row.name, []).append((size, max(value(row), 1e-3)))
        return tuple(Line(name, tuple(points)) for name, points in found.items())

    return chart(
        [
            Panel("A question, five best (median)", "chunks", "ms", lines(lambda row: row.p50), log=True),
            Panel(
                "Memory of the index", "chunks", "MB", lines(lambda row: max(row.resident_mb, 1.0)), log=True
            ),
        ]
    )


def _or_dash(value: float | None, width: int) -> str:
    return f"{'—':>{width}}" if value is None else f"{value:{width}.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
