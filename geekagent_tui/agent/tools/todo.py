"""todo_write: the plan of a session, replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict, ValidationError

from geekagent_tui.agent.plan import Status, Todo
from geekagent_tui.agent.record import ToolPart, TurnRecord
from geekagent_tui.agent.tools.base import Arguments, Running, ToolResult
from geekagent_tui.texts.tools import ToolTexts

MAX_ITEMS = 100


class Item(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    content: str
    status: Status = "pending"


class TodoArguments(Arguments):
    todos: tuple[Item, ...]


class Plans:
    """The plan of each session that was open since the start."""

    def __init__(self) -> None:
        self._plans: dict[str, tuple[Todo, ...]] = {}

    def of(self, session: str) -> tuple[Todo, ...]:
        return self._plans.get(session, ())

    def put(self, session: str, plan: tuple[Todo, ...]) -> None:
        self._plans[session] = plan

    def restore(self, session: str, records: Iterable[TurnRecord]) -> None:
        """The plan as the session's turns left it: the last table that was taken."""
        found = (_last_plan(record) for record in reversed(tuple(records)))
        self._plans[session] = next((plan for plan in found if plan is not None), ())


class TodoWrite:
    name = "todo_write"
    arguments: type[Arguments] = TodoArguments

    def __init__(self, plans: Plans, texts: ToolTexts) -> None:
        self._plans = plans
        self._texts = texts
        self.description = texts.todo_about
        self.field_texts: Mapping[str, str] = {"todos": texts.todo_items}

    async def run(self, arguments: Arguments) -> ToolResult:
        return self._put(arguments, "")

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult:
        return self._put(arguments, running.origin.session)

    def _put(self, arguments: Arguments, session: str) -> ToolResult:
        assert isinstance(arguments, TodoArguments)
        texts, todos = self._texts, arguments.todos
        if len(todos) > MAX_ITEMS:
            return ToolResult(texts.todo_long.format(limit=MAX_ITEMS), ok=False)
        for number, item in enumerate(todos, 1):
            if not item.content.strip():
                return ToolResult(texts.todo_empty_text.format(number=number), ok=False)
        running = sum(item.status == "in_progress" for item in todos)
        if running > 1:
            return ToolResult(texts.todo_two.format(count=running), ok=False)
        self._plans.put(session, _plan(arguments))
        if not todos:
            return ToolResult(texts.todo_cleared)
        done = sum(item.status == "completed" for item in todos)
        return ToolResult(texts.todo_done.format(total=len(todos), done=done))


def _plan(arguments: TodoArguments) -> tuple[Todo, ...]:
    return tuple(Todo(item.content, item.status) for item in arguments.todos)


def _last_plan(record: TurnRecord) -> tuple[Todo, ...] | None:
    """The last table the turn wrote, None when it wrote none."""
    for part in reversed(record.parts):
        if isinstance(part, ToolPart) and part.name == TodoWrite.name and part.ok and part.result is not None:
            try:
                return _plan(TodoArguments.model_validate(json.loads(part.arguments)))
            except (ValueError, RecursionError, ValidationError):
                continue
    return None
