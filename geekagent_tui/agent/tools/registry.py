"""The one registry for every tool call, and the one place where permission and redaction are honoured."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from geekagent_tui.agent.models.base import ToolCall, ToolSpec
from geekagent_tui.agent.redaction import Redacting, Redactor
from geekagent_tui.agent.tools.base import (
    NOWHERE,
    Answer,
    Arguments,
    Gate,
    LiveTool,
    Origin,
    PlacedTool,
    Policy,
    Preview,
    Previewing,
    Question,
    Running,
    Spent,
    Tool,
    ToolResult,
)
from geekagent_tui.texts.agent import AgentTexts

READ_ONLY = frozenset({"get_current_time", "ls", "read", "glob", "search", "memory_search"})
"""Tools that change nothing and ask nothing: calls of one message run side by side."""


class RefuseAll:
    """The gate of a run without a screen: what would have to be asked is not allowed."""

    async def permit(self, question: Question) -> Answer:
        return Answer("no")


class AllowNamed:
    """The gate of ``--allow TOOL``: the named tools run, except where only a yes to the very call counts."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)

    async def permit(self, question: Question) -> Answer:
        allowed = question.name in self._names and not question.preview.explicit
        return Answer("once" if allowed else "no")


class ToolRegistry:
    """Tools by name with the user's policies. A tool that no policy names is denied. ``redact`` gives the secrets of
    now; ``keep_policy`` writes "allow" for a tool to GeekAgent.json and may raise ``OSError`` or ``ValueError``."""

    def __init__(
        self,
        tools: Iterable[Tool],
        policies: Mapping[str, Policy],
        gate: Gate,
        texts: AgentTexts,
        *,
        redact: Callable[[], Redactor] = Redactor,
        keep_policy: Callable[[str], None] | None = None,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._policies = dict(policies)
        self._gate = gate
        self._texts = texts
        self._redact = redact
        self._keep_policy = keep_policy
        self._granted: set[tuple[str, str]] = set()
        self._asking = asyncio.Lock()

    def without(self, *names: str) -> ToolRegistry:
        """The same tools but for those, with the permissions given so far."""
        other = copy(self)
        other._tools = {name: tool for name, tool in self._tools.items() if name not in names}
        return other

    def policy(self, name: str) -> Policy:
        return self._policies.get(name, "deny")

    def redacted(self, text: str) -> str:
        """``text`` without the values of secrets."""
        return self._redact()(text)

    def side_by_side(self, call: ToolCall) -> bool:
        """Whether the call may run beside others of its kind."""
        return call.name in READ_ONLY and self.policy(call.name) == "allow"

    def specs(self) -> tuple[ToolSpec, ...]:
        """What the model is shown: every tool that is not denied."""
        return tuple(
            ToolSpec(tool.name, tool.description, _schema(tool))
            for tool in self._tools.values()
            if self.policy(tool.name) != "deny"
        )

    async def run(
        self,
        call: ToolCall,
        origin: Origin = NOWHERE,
        *,
        report: Callable[[str], None] = lambda text: None,
        spend: Callable[[Spent], None] = lambda spent: None,
    ) -> ToolResult:
        """Run one call. Whatever is wrong with it comes back as a readable result, never as an exception, except
        cancellation. ``report`` gets output while the tool runs, without secrets."""
        redact = self._redact()
        stream = Redacting(redact)
        result = await self._run(call, origin, lambda text: report(stream.feed(text)), spend, redact)
        remarks = tuple(redact(remark) for remark in result.remarks)
        return replace(result, text=redact(result.text), remarks=remarks)

    async def _run(
        self,
        call: ToolCall,
        origin: Origin,
        report: Callable[[str], None],
        spend: Callable[[Spent], None],
        redact: Redactor,
    ) -> ToolResult:
        texts = self._texts
        tool = self._tools.get(call.name)
        if tool is None:
            names = "、".join(spec.name for spec in self.specs())
            return ToolResult(texts.tool_unknown.format(name=call.name, names=names), ok=False)
        if self.policy(tool.name) == "deny":
            return ToolResult(texts.tool_denied.format(name=tool.name), ok=False)
        arguments = self._parse(tool, call.arguments)
        if isinstance(arguments, ToolResult):
            return arguments

        async def ask(preview: Preview) -> ToolResult | None:
            return await self._ask(tool.name, call, origin, preview, redact)

        try:
            agreed: Preview | None = None
            if self.policy(tool.name) == "ask":
                preview = await self._preview(tool, arguments, call)
                if isinstance(preview, ToolResult):
                    return preview
                refused = await ask(preview)
                if refused is not None:
                    return refused
                agreed = preview
            if isinstance(tool, LiveTool):
                return await tool.run_live(arguments, Running(origin, report, spend, ask, agreed))
            if isinstance(tool, PlacedTool):
                return await tool.run_from(arguments, origin)
            return await tool.run(arguments)
        except Exception as error:  # noqa: BLE001 - a tool's fault must reach the model, not end the turn
            reason = f"{type(error).__name__}: {error}"
            return ToolResult(texts.tool_crashed.format(name=tool.name, reason=reason), ok=False)

    async def _preview(self, tool: Tool, arguments: Arguments, call: ToolCall) -> Preview | ToolResult:
        if isinstance(tool, Previewing):
            return await tool.preview(arguments)
        return Preview("text", call.arguments)

    async def _ask(
        self, name: str, call: ToolCall, origin: Origin, preview: Preview, redact: Redactor
    ) -> ToolResult | None:
        """None for a yes, else what the model is told. One question at a time."""
        async with self._asking:
            granted = (origin.session, name) in self._granted or self.policy(name) == "allow"
            if granted and not preview.explicit:
                return None
            shown = replace(preview, text=redact(preview.text), warning=redact(preview.warning), basis=None)
            answer = await self._gate.permit(Question(name, redact(call.arguments), shown))
            if answer.kind == "no":
                texts = self._texts
                if answer.sentence:
                    text = texts.tool_refused_with.format(name=name, sentence=answer.sentence)
                else:
                    text = texts.tool_refused.format(name=name)
                return ToolResult(text, ok=False)
            if not preview.explicit and answer.kind in ("session", "always"):
                self._granted.add((origin.session, name))
                if answer.kind == "always":
                    await self._always(name)
            return None

    async def _always(self, name: str) -> None:
        """Write the permission down. A file that can't be written leaves it for the session."""
        if self._keep_policy is None:
            return
        try:
            await asyncio.to_thread(self._keep_policy, name)
        except (OSError, ValueError):
            return
        self._policies[name] = "allow"

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
