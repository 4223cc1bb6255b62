"""A plan's steps, as the sidebar and ``/todos`` show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from geekagent_tui.texts.tools import ZH, ToolTexts

Status = Literal["pending", "in_progress", "completed"]


@dataclass(frozen=True, slots=True)
class Todo:
    text: str
    status: Status


def plan_row(todo: Todo, texts: ToolTexts = ZH) -> str:
    """A line of the plan."""
    mark = texts.todo_marks[("pending", "in_progress", "completed").index(todo.status)]
    return f"{mark} {' '.join(todo.text.split())}"
