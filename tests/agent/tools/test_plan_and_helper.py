"""todo_write and delegate_task."""

from __future__ import annotations

import json

import pytest

from geekagent_tui.agent.models.base import Finish, ModelError, TextPiece, UsagePiece
from geekagent_tui.agent.plan import Todo, plan_row
from geekagent_tui.agent.record import ToolPart
from geekagent_tui.agent.redaction import Redactor
from geekagent_tui.agent.tools.base import Origin, Preview, Running, Spent, ToolResult
from geekagent_tui.agent.tools.delegate import DelegateArguments, DelegateTask
from geekagent_tui.agent.tools.todo import Plans, TodoArguments, TodoWrite
from geekagent_tui.texts.tools import ZH
from tests.support.turns import ScriptedModel, ended


class Ran:
    """What a tool did while it ran."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.spent: list[Spent] = []

    def running(self) -> Running:
        async def ask(preview: Preview) -> ToolResult | None:
            raise AssertionError(preview)

        return Running(Origin("s", "t"), self.text.append, self.spent.append, ask)


def table(*rows: tuple[str, str]) -> dict[str, object]:
    return {"todos": [{"content": text, "status": status} for text, status in rows]}


async def put(plans: Plans, arguments: dict[str, object]) -> ToolResult:
    return await TodoWrite(plans, ZH).run_live(TodoArguments.model_validate(arguments), Ran().running())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (table(("a", "in_progress"), ("b", "in_progress")), "同时只能有一项"),
        (table(("a", "pending"), (" ", "pending")), "第 2 项没有内容"),
        (table(*[("a", "pending")] * 101), "最多 100 项"),
    ],
)
async def test_an_invalid_table_changes_nothing(arguments: dict[str, object], said: str) -> None:
    plans = Plans()
    assert (
        await put(plans, table(("一", "completed"), ("二", "in_progress")))
    ).text == "计划已更新：2 项，完成 1 项"
    before = plans.of("s")
    result = await put(plans, arguments)
    assert not result.ok
    assert said in result.text
    assert plans.of("s") == before == (Todo("一", "completed"), Todo("二", "in_progress"))
    assert [plan_row(todo) for todo in before] == ["☑ 一", "▶ 二"]
    assert plans.of("other") == ()


def test_a_session_gets_its_plan_back() -> None:
    def wrote(call: str, arguments: str, ok: bool = True) -> ToolPart:
        return ToolPart(call, "todo_write", arguments, 1, result="", ok=ok)

    good = json.dumps(table(("甲", "pending")))
    refused = json.dumps(table(("乙", "pending")))
    records = (
        ended("1", "x", wrote("a", good)),
        ended("2", "x", wrote("b", refused, ok=False)),
        ended("3", "x"),
    )
    plans = Plans()
    plans.restore("s", records)
    assert plans.of("s") == (Todo("甲", "pending"),)
    plans.restore("s", (*records, ended("4", "x", wrote("c", '{"todos": []}'))))
    assert plans.of("s") == ()


async def delegated(model: ScriptedModel) -> tuple[ToolResult, Ran]:
    ran = Ran()
    tool = DelegateTask(lambda: model, lambda: Redactor({"A_TOKEN": "s3cr3t-value"}), ZH)
    return await tool.run_live(DelegateArguments(task="归纳 s3cr3t-value"), ran.running()), ran


async def test_a_helper_has_a_clean_context_and_no_tools() -> None:
    model = ScriptedModel([TextPiece("结"), TextPiece("论"), UsagePiece(11, 3), Finish("stop")])
    result, ran = await delegated(model)
    assert result == ToolResult("结论")
    assert ran.text == ["结", "论"]
    assert ran.spent == [Spent(11, 3, exact=True)]
    request = model.requests[0]
    assert [message.role for message in request.messages] == ["system", "user"]
    assert request.messages[1].content == "归纳 [REDACTED:A_TOKEN]"
    assert request.tools == ()


async def test_a_helper_that_fails_says_why_and_its_tokens_count() -> None:
    def fail() -> None:
        raise ModelError("auth", "401 不认识这个密钥", "检查密钥")

    result, ran = await delegated(ScriptedModel([TextPiece("半"), fail]))
    assert not result.ok
    assert "401" in result.text
    assert [spent.exact for spent in ran.spent] == [False]
    assert not (await delegated(ScriptedModel([Finish("stop")])))[0].ok
    cut, _ = await delegated(ScriptedModel([TextPiece("半"), Finish("length")]))
    assert "没有写完" in cut.text
