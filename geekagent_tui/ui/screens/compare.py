"""Two answers to one question side by side: as it was, and without memory or a passage. Nothing of it is kept."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Footer

from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.harmless import harmless
from geekagent_tui.texts.inspection import ZH, InspectionTexts
from geekagent_tui.ui.panes.wrapped import Wrapped

if TYPE_CHECKING:
    from geekagent_tui.agent.models.base import ModelClient, ModelRequest

_FRAME = 0.1
"""Seconds between two drawings of text that streams."""


class CompareScreen(Screen[None]):
    """Sends ``request`` once; leaving ends it."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]  # noqa: RUF012 - Textual declares it so
    DEFAULT_CSS = """
    CompareScreen {
        layout: vertical; background: $background;
        & > #answers { height: 1fr; layout: horizontal; }
        & VerticalScroll {
            width: 1fr; height: 1fr; padding: 0 1; scrollbar-size-vertical: 1;
            border: round $border-blurred; border-title-color: $text-primary;
            &:focus { border: round $primary; }
        }
        &.-narrow > #answers { layout: vertical; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", ZH.key_close),
        Binding("j,down", "scroll(1)", ZH.key_scroll),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def __init__(
        self,
        record: TurnRecord,
        request: ModelRequest,
        model: ModelClient,
        label: str,
        texts: InspectionTexts = ZH,
    ) -> None:
        super().__init__()
        self._record = record
        self._request = request
        self._model = model
        self._label = label
        self._texts = texts
        self._answer: list[str] = []
        self._timer: Timer | None = None
        self.done = False

    def compose(self) -> ComposeResult:
        texts = self._texts
        with Container(id="answers"):
            with VerticalScroll(id="then") as then:
                then.border_title = texts.compare_then
                yield Wrapped(harmless(self._record.answer) or texts.compare_empty)
            with VerticalScroll(id="now") as now:
                now.border_title = self._label
                yield Wrapped(texts.compare_waiting, id="again")
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one("#now", VerticalScroll).focus()
        self._ask()

    @work(exclusive=True, group="again", exit_on_error=False)
    async def _ask(self) -> None:
        from geekagent_tui.agent.models.base import Finish, ModelError, TextPiece

        texts = self._texts
        try:
            async with aclosing(self._model.stream(self._request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextPiece):
                        self._answer.append(piece.text)
                        if self._timer is None:
                            self._timer = self.set_timer(_FRAME, self._draw)
                    elif isinstance(piece, Finish) and piece.tool_calls:
                        names = "、".join(call.name for call in piece.tool_calls)
                        self._answer.append(texts.compare_called.format(names=names))
        except ModelError as error:
            self._answer.append(texts.compare_failed.format(message=error.message, hint=error.hint))
        if not self._answer:
            self._answer.append(texts.compare_empty)
        self._draw()
        self.done = True

    def _draw(self) -> None:
        self._timer = None
        self.query_one("#again", Wrapped).show(Content(harmless("".join(self._answer))))

    def action_scroll(self, step: int) -> None:
        for pane in self.query(VerticalScroll):
            pane.scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        self.workers.cancel_node(self)
        self.dismiss(None)
