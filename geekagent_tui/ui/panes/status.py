"""One line that says the most important of the sidebar while the sidebar is folded away."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.panes.sidebar import SidebarState


class StatusLine(Static):
    """Memory first, then recall of the selected turn, then model and session: what fits."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, texts: UiTexts) -> None:
        super().__init__(id="status", markup=False)
        self._texts = texts
        self._shown: tuple[SidebarState, int | None] | None = None

    def show(self, state: SidebarState, recalled: int | None) -> None:
        if self._shown == (state, recalled):
            return  # an update lays the whole screen out again
        self._shown = (state, recalled)
        texts = self._texts
        parts = [
            Content.styled(
                texts.memory_line.format(entries=state.entries, chunks=state.chunks), "bold $text-primary"
            )
        ]
        if state.memory_problem:
            parts.append(Content.styled(texts.memory_read_only.format(reason=""), "$text-error"))
        if recalled is not None:
            parts.append(Content.styled(texts.recall_receipt.format(hits=recalled), "$text"))
        if state.queued:
            parts.append(Content.styled(texts.queued_count.format(count=state.queued), "$text-warning"))
        model_style = "$text-warning" if state.offline else "$text-muted"
        parts.append(Content.styled(harmless(state.model), model_style))
        parts.append(Content.styled(harmless(state.session), "$text-muted"))
        self.update(Content.styled(" · ", "$text-disabled").join(parts))
