"""What the transcript's tests share: rows as text, and a tiny app around the widget."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import App, ComposeResult

from geekagent_tui.agent.events import TurnFinished
from geekagent_tui.agent.record import Part, TextPart, TurnRecord
from geekagent_tui.ui.transcript import Transcript
from geekagent_tui.ui.transcript.blocks import Block, stacked
from geekagent_tui.ui.transcript.flow import Flow


def rows(blocks: Sequence[Block], width: int) -> list[str]:
    return [line.text.rstrip() for line in stacked(blocks, width)]


def drawn(source: str, width: int = 40) -> list[str]:
    """The rows of a whole Markdown text."""
    return rows(Flow.of(source).blocks, width)


def look(blocks: Sequence[Block], width: int) -> list[tuple[object, ...]]:
    """Everything that reaches the screen, styles included."""
    return [(line.spans, line.fill, line.glue) for line in stacked(blocks, width)]


def done(turn: str, text: str, *parts: Part | str) -> TurnRecord:
    made = tuple(TextPart(part) if isinstance(part, str) else part for part in parts)
    return TurnRecord(turn, text, 0.0, status="finished", parts=made, end=TurnFinished(turn, "stop", 1.0))


def running(turn: str, text: str = "问") -> TurnRecord:
    return TurnRecord(turn, text, 0.0, status="running")


class TranscriptApp(App[None]):
    CSS = "Transcript { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.selected: list[str | None] = []
        self.unseen: list[bool] = []
        self.copied: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        yield Transcript()

    def on_mount(self) -> None:
        self.transcript.focus()

    @property
    def transcript(self) -> Transcript:
        return self.query_one(Transcript)

    def screen_rows(self) -> list[str]:
        return [self.transcript.render_line(y).text.rstrip() for y in range(self.transcript.window)]

    def on_transcript_turn_selected(self, event: Transcript.TurnSelected) -> None:
        self.selected.append(event.turn_id)

    def on_transcript_unseen(self, event: Transcript.Unseen) -> None:
        self.unseen.append(event.unseen)

    def on_transcript_copy_requested(self, event: Transcript.CopyRequested) -> None:
        self.copied.append((event.text, event.what))
