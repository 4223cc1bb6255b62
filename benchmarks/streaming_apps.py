"""The programs that ``benchmarks.streaming`` runs in a terminal: ours, and one around Textual's own Markdown.

F12 begins the answer. What happened meanwhile is written to a file, as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Label, Markdown, Static, TextArea

from benchmarks.answers import answer, tokens
from geekagent_tui.agent.models.base import Finish, ModelPiece, ModelRequest, TextPiece
from geekagent_tui.agent.tools.base import Gate
from geekagent_tui.agent.workspace import Surroundings, Workspace
from geekagent_tui.ui.app import GeekAgentApp
from geekagent_tui.ui.run import get_ready, own_driver

HISTORY_END = "HISTORY-END"
_TICK = 0.005
"""Seconds between two looks at how late the event loop is."""


def history(messages: int) -> list[tuple[str, str]]:
    """Questions and answers: ``messages`` of them together."""
    kinds = ("prose", "list", "code", "prose")
    pairs = [
        (f"第 {at} 个问题", answer(kinds[at % 4], 320).replace("STREAM-END", ""))
        for at in range(messages // 2)
    ]
    return [*pairs[:-1], ("最后一个问题", HISTORY_END)] if pairs else []


class Watch:
    """How late the loop is, while ``running``; then a report into ``path``."""

    def __init__(self, path: Path, ideal: float) -> None:
        self._path = path
        self._ideal = ideal
        self.first = 0.0

    async def run(self, finished: Callable[[], bool]) -> None:
        """Until ``finished``. The report is written then."""
        begun, cpu = time.perf_counter(), time.process_time()
        late: list[float] = []
        own: list[float] = []
        while not finished() and time.perf_counter() - begun < 4 * self._ideal:
            before, used = time.perf_counter(), time.thread_time()
            await asyncio.sleep(_TICK)
            late.append(time.perf_counter() - before - _TICK)
            own.append(min(late[-1], time.thread_time() - used))
        # What comes before the first piece (recall, the request) is no matter of drawing.
        elapsed = time.perf_counter() - (self.first or begun)
        report = {
            "elapsed": elapsed,
            "ideal": self._ideal,
            "finished": finished(),
            "late": sorted(late),
            "own": sorted(own),
            "cpu": (time.process_time() - cpu) / elapsed,
        }
        self._path.write_text(json.dumps(report), encoding="utf-8")


async def paced(pieces: list[str], rate: float, watch: Watch) -> AsyncGenerator[str, None]:
    """``pieces`` at ``rate`` a second, none before its time."""
    begun = watch.first = time.perf_counter()
    for at, piece in enumerate(pieces):
        wait = begun + at / rate - time.perf_counter()
        await asyncio.sleep(max(0.0, wait))
        yield piece


class Streamer:
    """A model that says ``pieces`` at ``rate`` a second."""

    label = "benchmark"
    offline = False

    def __init__(self, pieces: list[str], rate: float, watch: Watch) -> None:
        self._pieces = pieces
        self._rate = rate
        self._watch = watch

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelPiece, None]:
        async for piece in paced(self._pieces, self._rate, self._watch):
            yield TextPiece(piece)
        yield Finish("stop")

    async def aclose(self) -> None:
        return None


class Ours(GeekAgentApp):
    """The app as it is, with a model of the benchmark's."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f12", "stream", show=False, priority=True)]

    def __init__(self, open_workspace: Callable[[Gate], Workspace], watch: Watch, session: str) -> None:
        super().__init__(
            open_workspace,
            session=session,
            clipboard=lambda text: None,
            driver=own_driver(),
            afterwards=get_ready,
        )
        self._watch = watch
        self._job: asyncio.Task[None] | None = None

    def action_stream(self) -> None:
        self.chat.driver.send("go")
        drawn = False

        def seen() -> None:
            nonlocal drawn
            drawn = True

        def finished() -> bool:
            conversation = self.chat.driver.conversation
            if conversation is not None and not conversation.running and not conversation.queued:
                self.call_after_refresh(seen)
            return drawn

        self._job = asyncio.create_task(self._watch.run(finished))


class Stock(App[None]):
    """A chat as one writes it with Textual's Markdown and its stream."""

    CSS = "VerticalScroll { height: 1fr; } TextArea { height: 3; } Markdown { height: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f12", "stream", show=False, priority=True)]

    def __init__(self, messages: int, pieces: list[str], rate: float, watch: Watch) -> None:
        super().__init__()
        self._messages = messages
        self._pieces = pieces
        self._rate = rate
        self._watch = watch
        self._jobs: list[asyncio.Task[None]] = []

    def compose(self) -> ComposeResult:
        yield VerticalScroll()
        yield TextArea()
        yield Label("STOCK-READY")

    async def on_mount(self) -> None:
        self.query_one(TextArea).focus()
        said = history(self._messages)
        # Thousands of Markdown widgets take minutes: there, a plain Static stands for each.
        made = [
            widget
            for question, text in said
            for widget in (
                Static(question, markup=False),
                Static(text, markup=False) if self._messages > 500 else Markdown(text),
            )
        ]
        await self.query_one(VerticalScroll).mount_all(made)
        self.query_one(VerticalScroll).anchor()

    def action_stream(self) -> None:
        self._jobs.append(asyncio.create_task(self._stream()))

    async def _stream(self) -> None:
        widget = Markdown()
        box = self.query_one(VerticalScroll)
        await box.mount(widget)
        box.anchor()
        done = False
        self._jobs.append(asyncio.create_task(self._watch.run(lambda: done)))
        stream = Markdown.get_stream(widget)
        async for piece in paced(self._pieces, self._rate, self._watch):
            await stream.write(piece)
        await stream.stop()

        def seen() -> None:
            nonlocal done
            done = True

        self.call_after_refresh(seen)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("which", choices=("ours", "stock"))
    parser.add_argument("--kind", default="prose")
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--session", default="")
    parser.add_argument("--report", type=Path, required=True)
    options = parser.parse_args()
    pieces = tokens(answer(options.kind, round(2 * options.rate * options.seconds)))
    watch = Watch(options.report, len(pieces) / options.rate)
    if options.which == "stock":
        Stock(options.messages, pieces, options.rate, watch).run()
        return

    def opened(gate: Gate) -> Workspace:
        around = Surroundings(
            folder=Path.cwd(),
            environ={},
            user_file=Path.cwd() / "none.json",
            clock=time.perf_counter,
            now=time.time,
            new_id=lambda: f"turn-{time.time_ns()}",
        )
        workspace = Workspace.open(around, gate)
        workspace.model = Streamer(pieces, options.rate, watch)
        return workspace

    Ours(opened, watch, options.session or "empty").run()


if __name__ == "__main__":
    main()
