"""How soon a key shows in the preview of recall, and whether typing suffers: the real app over a large memory.

python -m benchmarks live [--chunks N] [--keys N]

Two runs over the same draft, in one process: with the preview, and with it switched off. A key is timed from its press
until it stands in the composer; the preview from the last key until the pane shows the passages of the whole draft.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from textual import events

from benchmarks.corpus import Corpus
from geekagent_tui.agent.tools.base import Gate
from geekagent_tui.agent.workspace import Surroundings, Workspace
from geekagent_tui.ui.app import GeekAgentApp
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.panes.recall import RecallPane

LIMIT_MS = 150.0
"""What was promised, from the last key."""

_BETWEEN = 0.08
"""Seconds between two keys: a quick typist, and slow enough that nearly every key is looked up."""


def _app(folder: Path) -> GeekAgentApp:
    around = Surroundings(
        folder=folder,
        environ={},
        user_file=folder / "user.json",
        clock=time.perf_counter,
        now=time.time,
    )

    def open_workspace(gate: Gate) -> Workspace:
        return Workspace.open(around, gate)

    return GeekAgentApp(open_workspace, clipboard=lambda text: None)


async def _run(folder: Path, questions: Sequence[str], *, live: bool) -> tuple[list[float], list[float]]:
    """Milliseconds from each key to its echo, and from each last key to its preview."""
    keys: list[float] = []
    previews: list[float] = []
    app = _app(folder)
    async with app.run_test(size=(120, 36)) as pilot:
        while app.chat.driver.conversation is None:
            await pilot.pause(0.05)
        workspace = app.chat.workspace
        assert workspace is not None
        await asyncio.to_thread(workspace.memory.warm)
        chat, composer = app.chat, app.chat.query_one(Composer)
        pane = chat.query_one(RecallPane)
        shown: list[float] = []
        show_preview = pane.show_preview

        def noted(*arguments: object) -> None:
            show_preview(*arguments)  # type: ignore[arg-type]
            shown.append(time.perf_counter())

        pane.show_preview = noted  # type: ignore[method-assign, assignment]
        if not live:
            chat.live.typed = lambda **_: None  # type: ignore[method-assign]
        for question in questions:
            composer.take("")
            await pilot.pause()
            began = 0.0
            for char in question:
                # Not pilot.press: it waits for all that the key brings about.
                before = composer.text
                began = time.perf_counter()
                app.post_message(events.Key(char if char.strip() else "space", char))
                while composer.text == before:  # noqa: ASYNC110 - nothing tells of it sooner
                    await asyncio.sleep(0)
                keys.append((time.perf_counter() - began) * 1000)
                shown.clear()
                if len(keys) % len(question):
                    await asyncio.sleep(_BETWEEN)
            if live:
                while not (shown and chat.live.preview and chat.live.preview.query == composer.text):  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                previews.append((shown[-1] - began) * 1000)
    return keys, previews


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks live", description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=12)
    options = parser.parse_args(argv)
    corpus = Corpus(7)
    entries = corpus.entries(options.chunks)
    questions = [corpus.question(entries[at * 37 % len(entries)])[:24] for at in range(options.questions)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        home = folder / ".geekagent"
        home.mkdir()
        (home / "memory.json").write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")
        without, _ = asyncio.run(_run(folder, questions, live=False))
        keys, previews = asyncio.run(_run(folder, questions, live=True))
    median = statistics.median
    print(f"{options.chunks:,} chunks, {len(questions)} drafts, {len(keys)} keys")
    print(f"last key → preview: median {median(previews):.0f} ms, worst {max(previews):.0f} ms")
    print(
        f"key → echo: median {median(keys):.1f} ms with the preview, {median(without):.1f} ms without"
        f" ({median(keys) / median(without):.2f} ×)"
    )
    return 0 if max(previews) <= LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
