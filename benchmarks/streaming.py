"""Answers that stream, and long sessions, beside Textual's own Markdown stream in the same run.

python -m benchmarks streaming [--quick] [--ours] [--kinds prose,code] [--seconds N]

Both programs run in a pseudo-terminal of 120 × 36, whose other end types and reads. "lag" is how much later than asked
the event loop woke, "own" the part of it in which our thread computed (the rest is other programs); "echo" is the time
from a key to its character on the screen while the answer streams. 500 tokens a second for 8 seconds are 8,000
characters.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.answers import KINDS
from benchmarks.streaming_apps import HISTORY_END, history
from benchmarks.terminal import Terminal
from geekagent_tui.agent.events import TextDelta, TurnFinished, TurnStarted
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.sessions import SessionStore

F5, F12, PAGE_UP = "\x1b[15~", "\x1b[24~", "\x1b[5~"
LETTERS = "ЖЩЮЯЭЫЪЦФБДЛПИЧШжщюяэыъцфбдлпичш"
"""What is typed: in no answer, so that it is on the screen only when it was echoed."""

READY = {"ours": "或输入 / 看命令", "stock": "STOCK-READY"}
STRETCH = 4
"""Times the ideal after which a stream is given up."""


@dataclass(frozen=True, slots=True)
class Cell:
    which: str
    kind: str
    rate: int
    messages: int


@dataclass(frozen=True, slots=True)
class Streamed:
    """Seconds, megabytes, and a share of one processor."""

    elapsed: float
    ideal: float
    finished: bool
    late: list[float]
    own: list[float]
    cpu: float
    echoes: list[float]
    resident: float


@dataclass(frozen=True, slots=True)
class Opened:
    """A session of many messages: seconds, megabytes and a share of one processor."""

    opening: float
    page: float
    resize: float
    echo: float
    resident: float
    idle: float


class Bench:
    """Runs cells in a folder with sessions of the needed lengths."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._template = folder / "template"
        self._folder = folder / "project"
        self._seconds = seconds

    def prepare(self, messages: int) -> None:
        """Write a session of that many messages, as the app would have."""
        home = self._template / ".geekagent"
        home.mkdir(parents=True, exist_ok=True)
        store = SessionStore(home / "geekagent.db", time.time)
        for at, (question, text) in enumerate(history(messages)):
            turn = f"{messages}-{at}"
            store.begin_turn(f"h{messages}", TurnRecord(turn, question, 0.0))
            events = (
                TurnStarted(turn, question, 0.0, "m"),
                TextDelta(turn, text),
                TurnFinished(turn, "stop", 1.0),
            )
            store.append(turn, events, status="finished")
        store.close()

    def _command(self, cell: Cell, report: Path) -> list[str]:
        session = f"h{cell.messages}" if cell.messages else f"empty-{time.time_ns()}"
        options = {
            "--kind": cell.kind,
            "--rate": cell.rate,
            "--seconds": self._seconds,
            "--messages": cell.messages,
            "--session": session,
            "--report": report,
        }
        given = [str(word) for pair in options.items() for word in pair]
        return [sys.executable, "-m", "benchmarks.streaming_apps", cell.which, *given]

    def _terminal(self, cell: Cell, report: Path) -> Terminal:
        # A fresh copy each time: what one cell leaves (drafts, turns) must not meet the next.
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._template, self._folder)
        environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
        return Terminal(self._command(cell, report), cwd=str(self._folder), environ=environ)

    def stream(self, cell: Cell) -> Streamed:
        report = self._folder / "report.json"
        with self._terminal(cell, report) as terminal:
            terminal.wait_for(HISTORY_END if cell.messages and cell.which == "ours" else READY[cell.which])
            terminal.drain(2.0)
            terminal.type(F12)
            terminal.drain(1.0)
            echoes = []
            letters = itertools.cycle(LETTERS)
            deadline = time.perf_counter() + STRETCH * self._seconds + 100
            while not report.exists() and time.perf_counter() < deadline:
                letter = next(letters)
                terminal.type(letter)
                echoes.append(terminal.wait_for(letter, 90.0))
                terminal.drain(0.3)
            terminal.drain(0.2)
            found = json.loads(report.read_text(encoding="utf-8"))
            return Streamed(**found, echoes=echoes, resident=terminal.resident())

    def open(self, messages: int) -> Opened:
        """Open a session in the running app (0: none), and walk about in it."""
        report = self._folder / "report.json"
        with self._terminal(Cell("ours", "prose", 100, 0), report) as terminal:
            terminal.wait_for(READY["ours"])
            terminal.drain(1.5)
            opening = page = 0.0
            if messages:
                terminal.type(f"/open h{messages}\r")
                opening = terminal.wait_for(HISTORY_END)
                terminal.drain(1.0)
                terminal.type(F5)
                terminal.drain(0.5)
                pages = []
                for _ in range(12):
                    terminal.type(PAGE_UP)
                    pages.append(terminal.frame(1_000))
                    terminal.drain(0.1)
                page = max(pages)
                terminal.type(F5)
                terminal.drain(0.3)
            resizes = []
            for columns in (90, 120, 100, 120):
                terminal.resize(columns, 36)
                resizes.append(terminal.frame(3_000))
                terminal.drain(0.4)
            echoes = []
            for letter in LETTERS:
                terminal.type(letter)
                echoes.append(terminal.wait_for(letter))
                terminal.drain(0.05)
            terminal.drain(1.5)
            cpu, begun = terminal.cpu(), time.perf_counter()
            terminal.drain(6.0)
            idle = (terminal.cpu() - cpu) / (time.perf_counter() - begun)
            return Opened(opening, page, max(resizes), share(echoes, 0.95), terminal.resident(), idle)


def share(values: Sequence[float], part: float) -> float:
    """The value that ``part`` of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def _row(cell: Cell, got: Streamed) -> str:
    ratio = f"{got.elapsed / got.ideal:6.2f}" if got.finished else f"   > {STRETCH}"
    lag = "".join(f"{share(got.late, part) * 1e3:8.1f}" for part in (0.5, 0.95, 1))
    lag += "".join(f"{share(got.own, part) * 1e3:8.1f}" for part in (0.95, 1))
    return (
        f"{cell.which:6}{cell.kind:10}{cell.rate:6}{cell.messages:7}{ratio:>8}{lag}"
        f"{statistics.median(got.echoes) * 1e3:9.1f}{share(got.echoes, 0.95) * 1e3:8.1f}"
        f"{got.cpu:8.0%}{got.resident:8.0f}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line a cell, as it is measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer cells")
    parser.add_argument("--ours", action="store_true", help="without the peer")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args(argv)
    rates = (500,) if options.quick else (100, 500)
    lengths = (0, 2_000) if options.quick else (0, 200, 2_000)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.seconds)
        for messages in (200, 2_000):
            bench.prepare(messages)
        print(
            f"{'session':>16}{'open ms':>9}{'page ms':>9}{'resize ms':>11}{'echo p95':>10}{'MB':>6}{'idle':>7}"
        )
        for messages in (0, 200, 2_000):
            got = bench.open(messages)
            times = (
                f"{got.opening * 1e3:9.0f}{got.page * 1e3:9.1f}{got.resize * 1e3:11.0f}{got.echo * 1e3:10.1f}"
            )
            print(f"{messages:7} messages{times}{got.resident:6.0f}{got.idle:7.2%}", flush=True)
        print(
            f"\n{'':6}{'kind':10}{'tok/s':>6}{'before':>7}{'× ideal':>8}{'lag p50':>8}{'p95':>8}{'max':>8}"
            f"{'own p95':>8}{'max':>8}{'echo p50':>9}{'p95':>8}{'CPU':>8}{'MB':>8}"
        )
        for kind, messages, rate in itertools.product(options.kinds.split(","), lengths, rates):
            for which in ("ours",) if options.ours else ("ours", "stock"):
                cell = Cell(which, kind, rate, messages)
                print(_row(cell, bench.stream(cell)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
