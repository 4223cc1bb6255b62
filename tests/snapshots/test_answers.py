"""A folder of answers at three widths, as they stand when they came in pieces. Look at each before accepting it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from geekagent_tui.agent.events import TextDelta, TurnFinished
from tests.ui.transcript.shared import TranscriptApp, running

ANSWERS = sorted((Path(__file__).parent / "answers").glob("*.md"))
HEIGHT = 48


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_answer(path: Path, width: int, snap_compare: object) -> None:
    text = path.read_text(encoding="utf-8")

    async def stream(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TranscriptApp)
        app.transcript.add(running("a", f"{path.stem}？"))
        for at in range(0, len(text), 7):
            app.transcript.apply(TextDelta("a", text[at : at + 7]))
            app.transcript.flush()
        if path.stem != "half":
            app.transcript.apply(TurnFinished("a", "stop", 1.0))
        app.transcript.flush()
        await pilot.press("g")
        await pilot.pause()

    assert snap_compare(TranscriptApp(), terminal_size=(width, HEIGHT), run_before=stream)  # type: ignore[operator]
