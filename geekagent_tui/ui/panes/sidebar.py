"""The context sidebar: what this session works with, in rows of label and value."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from geekagent_tui.agent.plan import Todo, plan_row
from geekagent_tui.harmless import harmless
from geekagent_tui.texts.ui import UiTexts

_LABEL_CELLS = 6
"""Two Chinese characters and two blanks, as in the line of memory, which the specification fixes."""
_PLAN_ROWS = 8


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens sent and received; ``exact`` when the service counted them."""

    prompt: int = 0
    completion: int = 0
    exact: bool = True


@dataclass(frozen=True, slots=True)
class SidebarState:
    """All that the sidebar shows. ``window`` is the model's context window in tokens."""

    model: str = ""
    offline: bool = False
    session: str = ""
    root: str = ""
    entries: int = 0
    chunks: int = 0
    indexing: float = 1.0
    memory_problem: str = ""
    instructions: bool = False
    skill: str = ""
    context: Tokens | None = None
    window: int = 128_000
    turn: Tokens | None = None
    total: Tokens | None = None
    queued: int = 0
    found: str = ""
    private: bool = False
    recall: bool = True
    plan: tuple[Todo, ...] = ()


class Sidebar(Static):
    """Draws a ``SidebarState``; asks nobody."""

    DEFAULT_CSS = """
    Sidebar {
        height: auto;
        border: round $border-blurred;
        border-title-color: $text-muted;
        padding: 0 1;
    }
    """

    def __init__(self, texts: UiTexts) -> None:
        super().__init__(id="sidebar", markup=False)
        self._texts = texts
        self.state = SidebarState()
        self.border_title = texts.sidebar_title

    def show(self, state: SidebarState) -> None:
        if state != self.state:
            self.state = state
            self._draw()

    def on_mount(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        texts, state = self._texts, self.state
        rows = [
            self._row(texts.label_model, state.model or "…", "$text-warning" if state.offline else "$text"),
            self._row(texts.label_session, state.session or "…"),
            self._row(texts.label_root, _tail(state.root, self._room())),
            self.memory_row(),
        ]
        if state.indexing < 1:
            share = texts.memory_indexing.format(share=f"{state.indexing:.0%}")
            rows.append(Content.styled(share, "$text-muted"))
        if state.private:
            rows.append(Content.styled(texts.private_tag, "$text-warning"))
        elif not state.recall:
            rows.append(Content.styled(texts.recall_off_tag, "$text-warning"))
        if state.memory_problem:
            rows.append(
                Content.styled(
                    texts.memory_read_only.format(reason=harmless(state.memory_problem)), "$text-error"
                )
            )
        rows.append(
            self._row(
                texts.label_instructions,
                texts.instructions_loaded if state.instructions else texts.instructions_none,
            )
        )
        rows.append(self._row(texts.label_skill, state.skill or texts.none))
        rows.append(self._row(texts.label_context, self._context_text()))
        rows.append(self._row(texts.label_turn_tokens, self._tokens(state.turn)))
        rows.append(self._row(texts.label_total_tokens, self._tokens(state.total)))
        if state.plan:
            done = sum(todo.status == "completed" for todo in state.plan)
            rows.append(self._row(texts.label_todos, f"{done}/{len(state.plan)}"))
            rows.extend(self._plan_rows())
        if state.queued:
            rows.append(Content.styled(texts.queued_count.format(count=state.queued), "$text-warning"))
        if state.found:
            rows.append(Content.styled(harmless(state.found), "$text-success"))
        self.update(Content("\n").join(rows))

    def _plan_rows(self) -> list[Content]:
        """The steps around the one that is worked on; the others are counted."""
        plan = self.state.plan
        at = next((n for n, todo in enumerate(plan) if todo.status != "completed"), len(plan) - 1)
        first = max(0, min(at - 1, len(plan) - _PLAN_ROWS))
        rows = []
        for todo in plan[first : first + _PLAN_ROWS]:
            style = {"completed": "$text-muted", "in_progress": "bold $text-primary"}.get(
                todo.status, "$text"
            )
            line = _head(harmless(plan_row(todo)), self._room() + _LABEL_CELLS)
            rows.append(Content.styled(line, style))
        if len(plan) > _PLAN_ROWS:
            rows.append(Content.styled(self._texts.plan_more.format(count=len(plan)), "$text-muted"))
        return rows

    def memory_row(self) -> Content:
        """The line that the specification fixes: ``记忆  N 条 / M 块``."""
        line = self._texts.memory_line.format(entries=self.state.entries, chunks=self.state.chunks)
        return Content.styled(line, "bold $text-primary")

    def _row(self, label: str, value: str, style: str = "$text") -> Content:
        pad = " " * max(1, _LABEL_CELLS - cell_len(label))
        return Content.assemble((label, "$text-muted"), pad, (harmless(value), style))

    def _room(self) -> int:
        return max(8, (self.size.width or 34) - _LABEL_CELLS)

    def _tokens(self, tokens: Tokens | None) -> str:
        if tokens is None:
            return self._texts.context_unknown
        form = self._texts.tokens_exact if tokens.exact else self._texts.tokens_estimate
        return form.format(prompt=f"{tokens.prompt:,}", completion=f"{tokens.completion:,}")

    def _context_text(self) -> str:
        tokens = self.state.context
        if tokens is None:
            return self._texts.context_unknown
        used = tokens.prompt + tokens.completion
        form = self._texts.context_exact if tokens.exact else self._texts.context_estimate
        return form.format(tokens=f"{used:,}", percent=f"{100 * used / self.state.window:.1f}")


def _head(text: str, cells: int) -> str:
    """The beginning of a text that fits."""
    if cell_len(text) <= cells:
        return text
    while text and cell_len(text) > cells - 1:
        text = text[:-1]
    return f"{text}…"


def _tail(path: str, cells: int) -> str:
    """The end of a path that fits: the folder's own name says more than where it hangs."""
    if cell_len(path) <= cells:
        return path
    while path and cell_len(path) > cells - 1:
        path = path[1:]
    return f"…{path}"
