"""get_current_time: the local time, from a clock that is passed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from geekagent_tui.agent.tools.base import Arguments, ToolResult
from geekagent_tui.texts.agent import AgentTexts


class NoArguments(Arguments):
    """The tool takes nothing."""


class CurrentTime:
    """``now`` returns an aware local datetime."""

    name = "get_current_time"
    arguments: type[Arguments] = NoArguments
    field_texts: Mapping[str, str] = MappingProxyType({})

    def __init__(self, now: Callable[[], datetime], texts: AgentTexts) -> None:
        self._now = now
        self._texts = texts
        self.description = texts.clock_description

    async def run(self, arguments: Arguments) -> ToolResult:
        now = self._now()
        return ToolResult(
            self._texts.clock_answer.format(
                time=now.strftime("%Y-%m-%d %H:%M:%S"),
                weekday=self._texts.weekdays[now.weekday()],
                zone=now.strftime("%z") or now.tzname(),
            )
        )
