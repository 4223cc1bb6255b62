"""Time to the first frame and from key to echo, beside a bare Textual app in the same run.

python -m benchmarks.startup [--runs N]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence

from benchmarks.terminal import Terminal

_BARE = """
from textual.app import App
from textual.widgets import Label, TextArea
class Bare(App):
    def compose(self):
        yield Label("BARE-READY")
        yield TextArea()
Bare().run()
"""


def _programs() -> dict[str, tuple[list[str], str]]:
    """Name → (command, what stands in its first frame)."""
    return {
        "bare Textual": ([sys.executable, "-c", _BARE], "BARE-READY"),
        "geekagent": ([sys.executable, "-m", "geekagent_tui"], "Ctrl+Q"),
    }


def _measure(
    command: list[str], marker: str, folder: str, keys: int
) -> tuple[float, list[float], float, float]:
    """First frame (s), key-to-echo (s each), resident (MB), processor share while idle."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    with Terminal(command, cwd=folder, environ=environ) as terminal:
        first = terminal.wait_for(marker)
        terminal.drain(0.8)
        echoes = []
        for at in range(keys):
            terminal.type("qzjxwvk"[at % 7])
            echoes.append(terminal.wait_for("qzjxwvk"[at % 7]))
            terminal.drain(0.05)
        terminal.drain(0.6)
        before, begun = terminal.cpu(), time.perf_counter()
        terminal.drain(3.0)
        idle = (terminal.cpu() - before) / (time.perf_counter() - begun)
        return first, echoes, terminal.resident(), idle


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table of medians and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--keys", type=int, default=14)
    options = parser.parse_args(argv)
    rows: dict[str, list[tuple[float, list[float], float, float]]] = {name: [] for name in _programs()}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(options.runs + 1):
            for name, (command, marker) in _programs().items():
                result = _measure(command, marker, folder, options.keys)
                # The first round warms the disk's cache and writes the byte code.
                if run:
                    rows[name].append(result)
    medians = {
        name: (
            statistics.median(first for first, *_ in results),
            statistics.median(echo for _, echoes, *_ in results for echo in echoes),
            statistics.median(resident for *_, resident, _ in results),
            statistics.median(idle for *_, idle in results),
        )
        for name, results in rows.items()
    }
    bare, ours = medians["bare Textual"], medians["geekagent"]
    print(f"{'':14}{'first frame':>14}{'key to echo':>14}{'resident':>12}{'idle CPU':>10}")
    for name, (first, echo, resident, idle) in medians.items():
        print(f"{name:14}{first * 1e3:11.0f} ms{echo * 1e3:11.1f} ms{resident:9.0f} MB{idle:10.1%}")
    print(f"{'ratio':14}{ours[0] / bare[0]:12.2f} ×{ours[1] / bare[1]:12.2f} ×{ours[2] / bare[2]:10.2f} ×")
    return 0


if __name__ == "__main__":
    sys.exit(main())
