"""What a paste of 200 KB costs, and every key after it: our composer beside Textual's stock TextArea in the same run.

python -m benchmarks.composer [--keys N] [--size CHARACTERS]

The paste comes as the terminal sends it, with brackets, through the parser of each; the keys are pressed one after
another in an app without a terminal, each until it is drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from textual import events
from textual._xterm_parser import XTermParser
from textual.app import ComposeResult
from textual.widgets import TextArea

from geekagent_tui.texts.ui import ZH
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.terminal.cursor import CursorApp
from geekagent_tui.ui.terminal.splitter import InputSplitter, Whole


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds: reading the paste from the terminal's bytes, putting it in, and each key afterwards (median, worst)."""

    read: float
    insert: float
    key: float
    worst: float


class _Bare(CursorApp):
    """An app with one editor. It grows to ten rows like the composer."""

    CSS = "TextArea { height: auto; max-height: 10; border: none; }"

    def __init__(self, make: Callable[[], TextArea]) -> None:
        super().__init__()
        self._make = make

    def compose(self) -> ComposeResult:
        yield self._make()


def _texts(size: int) -> dict[str, str]:
    """Name → text of ``size`` characters."""
    line = "2026-12-01 16:00:00 INFO 压缩历史：保留最近 6 条 max_history_chars=4000\n"
    return {
        "one line": ("word " * (size // 5 + 1))[:size],
        "one line of Chinese": ("历史压缩放在第五天" * (size // 9 + 1))[:size],
        "many lines": (line * (size // len(line) + 1))[:size],
    }


def _stock_read(data: str) -> str:
    parser = XTermParser()
    pastes: list[str] = []
    for at in range(0, len(data), 4096):  # the driver's reads
        pastes += [
            event.text for event in parser.feed(data[at : at + 4096]) if isinstance(event, events.Paste)
        ]
    pastes += [event.text for event in parser.feed(" ") if isinstance(event, events.Paste)]
    return "".join(pastes)


def _our_read(data: str) -> str:
    splitter = InputSplitter()
    pastes: list[str] = []
    for at in range(0, len(data), 4096):  # a terminal hands over no more at once
        pieces = splitter.feed(data[at : at + 4096], 0.0)
        pastes += [piece.text for piece in pieces if isinstance(piece, Whole)]
    return "".join(pastes)


async def _seconds(editor: TextArea, do: Callable[[], object]) -> float:
    """How long until what ``do`` causes is drawn."""
    drawn = asyncio.Event()
    begun = time.perf_counter()
    do()
    editor.call_later(editor.call_after_refresh, drawn.set)
    await drawn.wait()
    return time.perf_counter() - begun


def _press(editor: TextArea, key: str) -> None:
    if key == "left":
        editor.action_cursor_left()
    elif key == "backspace":
        editor.action_delete_left()
    else:
        editor.post_message(events.Key(key, key))


async def _measure(
    make: Callable[[], TextArea], read: Callable[[str], str], text: str, keys: Sequence[str]
) -> Cost:
    begun = time.perf_counter()
    pasted = read(f"\x1b[200~{text}\x1b[201~")
    reading = time.perf_counter() - begun
    app = _Bare(make)
    async with app.run_test(size=(120, 36)) as pilot:
        editor = app.query_one(TextArea)
        editor.focus()
        await pilot.pause()
        # Here it is the editor's already; on its way up the app would hand it to the editor once more.
        paste = events.Paste(pasted).stop()
        inserting = await _seconds(editor, lambda: editor.post_message(paste))
        full = editor.full_text if isinstance(editor, Composer) else editor.text
        if full != text:
            raise AssertionError("the paste did not arrive as it was")
        took = [await _seconds(editor, partial(_press, editor, key)) for key in keys]
    return Cost(reading, inserting, statistics.median(took), max(took))


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table of costs and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keys", type=int, default=12)
    parser.add_argument("--size", type=int, default=200_000)
    options = parser.parse_args(argv)
    keys = [("a", "b", "left", "backspace")[at % 4] for at in range(options.keys)]
    editors: dict[str, tuple[Callable[[], TextArea], Callable[[str], str]]] = {
        "TextArea": (TextArea, _stock_read),
        "composer": (lambda: Composer("", ZH), _our_read),
    }
    print(f"{'':32}{'read':>10}{'insert':>10}{'key':>10}{'worst key':>11}")
    empty = asyncio.run(_measure(*editors["composer"], "", keys))
    print(f"{'nothing pasted':22}{'composer':10}{'':>20}{empty.key * 1e3:7.1f} ms{empty.worst * 1e3:8.1f} ms")
    for name, text in _texts(options.size).items():
        costs = {editor: asyncio.run(_measure(*how, text, keys)) for editor, how in editors.items()}
        for editor, cost in costs.items():
            values = f"{cost.read * 1e3:7.1f} ms{cost.insert * 1e3:7.1f} ms{cost.key * 1e3:7.1f} ms"
            print(f"{name:22}{editor:10}{values}{cost.worst * 1e3:8.1f} ms")
        stock, ours = costs["TextArea"], costs["composer"]
        ratios = (
            f"{stock.read / ours.read:8.0f} ×{stock.insert / ours.insert:8.0f} ×{stock.key / ours.key:8.0f} ×"
        )
        print(f"{'':22}{'ratio':10}{ratios}{stock.worst / ours.worst:9.0f} ×")
    return 0


if __name__ == "__main__":
    sys.exit(main())
