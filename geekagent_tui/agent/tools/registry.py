"""The one registry through which every tool call goes, and the one place where permission is honoured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from geekagent_tui.agent.models.base import ToolCall, ToolSpec
from geekagent_tui.agent.tools.base import NOWHERE, Arguments, Gate, Origin, Policy, Tool, ToolResult
from geekagent_tui.texts.agent import AgentTexts


class RefuseAll:
    """The gate of a run without a screen: what would have to be asked is not allowed."""

    async def permit(self, name: str, arguments: str) -> bool:
        return False


class ToolRegistry:
    """Tools by name with the user's policies. A tool that no policy names is denied."""

    def __init__(
        self, tools: Iterable[Tool], policies: Mapping[str, Policy], gate: Gate, texts: AgentTexts
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._policies = dict(policies)
        self._gate = gate
        self._texts = texts

    def without(self, *names: str) -> ToolRegistry:
        """The same tools but for those."""
        tools = (tool for tool in self._tools.values() if tool.name not in names)
        return ToolRegistry(tools, self._policies, self._gate, self._texts)

    def policy(self, name: str) -> Policy:
        return self._policies.get(name, "deny")

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is shown: every tool that is not denied."""
        return tuple(
            ToolSpec(tool.name, tool.description, _schema(tool))
            for tool in self._tools.values()
            if self.policy(tool.name) != "deny"
        )

    async def run(self, call: ToolCall, origin: Origin = NOWHERE) -> ToolResult:
        """Run one call. Whatever is wrong with it comes back as a readable result, never as an exception, except
        cancellation."""
        tool = self._tools.get(call.name)
        if tool is None:
            names = "、".join(spec.name for spec in self.specs())
            return ToolResult(self._texts.tool_unknown.format(name=call.name, names=names), ok=False)
        policy = self.policy(tool.name)
        if policy == "deny":
            return ToolResult(self._texts.tool_denied.format(name=tool.name), ok=False)
        arguments = self._parse(tool, call.arguments)
        if isinstance(arguments, ToolResult):
            return arguments
        if policy == "ask" and not await self._gate.permit(tool.name, call.arguments):
            return ToolResult(self._texts.tool_refused.format(name=tool.name), ok=False)
        try:
            placed = getattr(tool, "run_from", None)
            return await (placed(arguments, origin) if placed is not None else tool.run(arguments))
        except Exception as error:  # noqa: BLE001 - a tool's fault must reach the model, not end the turn
            reason = f"{type(error).__name__}: {error}"
            return ToolResult(self._texts.tool_crashed.format(name=tool.name, reason=reason), ok=False)

    def _parse(self, tool: Tool, text: str) -> Arguments | ToolResult:
        try:
            data = json.loads(text) if text.strip() else {}
        except json.JSONDecodeError as error:
            return ToolResult(
                self._texts.tool_bad_json.format(
                    name=tool.name, line=error.lineno, column=error.colno, reason=error.msg
                ),
                ok=False,
            )
        except RecursionError:
            reason = self._texts.too_deep
            return ToolResult(
                self._texts.tool_bad_json.format(name=tool.name, line=1, column=1, reason=reason), ok=False
            )
        except ValueError as error:
            # A number of more digits than Python converts.
            return ToolResult(
                self._texts.tool_bad_json.format(name=tool.name, line=1, column=1, reason=error), ok=False
            )
        if not isinstance(data, dict):
            return ToolResult(self._texts.tool_not_object.format(name=tool.name), ok=False)
        try:
            return tool.arguments.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"])
            if first["type"] == "missing":
                return ToolResult(self._texts.tool_missing_field.format(field=field), ok=False)
            return ToolResult(
                self._texts.tool_bad_field.format(name=tool.name, field=field, reason=first["msg"]), ok=False
            )


def _schema(tool: Tool) -> dict[str, Any]:
    """The JSON Schema of the arguments, without Pydantic's titles: they cost tokens and say nothing."""
    schema = tool.arguments.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    for name, field in schema.get("properties", {}).items():
        field.pop("title", None)
        if name in tool.field_texts:
            field["description"] = tool.field_texts[name]
    return schema
