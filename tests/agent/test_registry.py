"""One registry, one gate: whatever is wrong with a call comes back as text the model can read."""

from __future__ import annotations

import pytest

from geekagent_tui.agent.models.base import ToolCall
from geekagent_tui.agent.tools.base import Answer, Arguments, Question, ToolResult
from geekagent_tui.texts.agent import ZH
from tests.support.turns import registry


class Doubled(Arguments):
    number: int


class Double:
    name = "double"
    description = "twice a number"
    arguments: type[Arguments] = Doubled
    field_texts = {"number": "what to double"}  # noqa: RUF012 - a test double

    async def run(self, arguments: Arguments) -> ToolResult:
        assert isinstance(arguments, Doubled)
        if arguments.number < 0:
            raise ValueError("negative")
        return ToolResult(str(2 * arguments.number))


class Asked:
    def __init__(self, answer: bool) -> None:
        self.answer = answer
        self.calls: list[tuple[str, str]] = []

    async def permit(self, question: Question) -> Answer:
        self.calls.append((question.name, question.preview.text))
        return Answer("once" if self.answer else "no")


def call(arguments: str, name: str = "double") -> ToolCall:
    return ToolCall("c1", name, arguments)


async def test_a_good_call_runs() -> None:
    assert await registry(Double()).run(call('{"number": 21}')) == ToolResult("42")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("{", "第 1 行第 2 列"),
        ("[1]", "必须是 JSON 对象"),
        ("{}", "缺少参数 number"),
        ("", "缺少参数 number"),
        ('{"number": "many"}', "number"),
        ('{"number": -1}', "ValueError: negative"),
        ("[" * 100_000, "嵌套太深"),
        ('{"number": ' + "9" * 5_000 + "}", "JSON"),
    ],
)
async def test_bad_arguments_come_back_readable(arguments: str, part: str) -> None:
    result = await registry(Double()).run(call(arguments))
    assert not result.ok
    assert part in result.text


async def test_an_unknown_tool_names_those_there_are() -> None:
    result = await registry(Double()).run(call("{}", "dobule"))
    assert result.text == ZH.tool_unknown.format(name="dobule", names="get_current_time、double")


async def test_a_denied_tool_is_neither_shown_nor_run() -> None:
    tools = registry(Double(), policies={"double": "deny"})
    assert [spec.name for spec in tools.specs()] == ["get_current_time"]
    assert not (await tools.run(call('{"number": 1}'))).ok


@pytest.mark.parametrize("answer", [True, False])
async def test_ask_goes_through_the_gate_with_what_the_model_wrote(answer: bool) -> None:
    gate = Asked(answer)
    result = await registry(Double(), policies={"double": "ask"}, gate=gate).run(call('{"number": 1}'))
    assert gate.calls == [("double", '{"number": 1}')]
    assert result.ok is answer


async def test_arguments_are_checked_before_anyone_is_asked() -> None:
    gate = Asked(True)
    await registry(Double(), policies={"double": "ask"}, gate=gate).run(call("{}"))
    assert gate.calls == []


def test_the_model_sees_the_schema_with_descriptions() -> None:
    spec = registry(Double()).specs()[1]
    assert spec.parameters == {
        "properties": {"number": {"type": "integer", "description": "what to double"}},
        "required": ["number"],
        "type": "object",
    }


async def test_the_clock_tells_the_time_it_was_given() -> None:
    result = await registry().run(call("", "get_current_time"))
    assert result.text == "2026-12-01 12:00:00（星期二，时区 +0000）"
