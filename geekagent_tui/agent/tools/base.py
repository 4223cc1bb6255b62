"""What a tool is: a specification for the model and a coroutine that answers in text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict


class Arguments(BaseModel):
    """Base of every tool's argument model; unknown fields are ignored, types are checked."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """``text`` goes to the model and the screen; ``ok`` is false when the tool refused or failed."""

    text: str
    ok: bool = True


class Tool(Protocol):
    """``arguments`` is the Pydantic model whose JSON Schema the model sees and whose instance ``run`` gets;
    ``field_texts`` describes its fields to the model, in the catalogue's language."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def arguments(self) -> type[Arguments]: ...

    @property
    def field_texts(self) -> Mapping[str, str]: ...

    async def run(self, arguments: Arguments) -> ToolResult: ...


Policy = Literal["allow", "ask", "deny"]


class Gate(Protocol):
    """The one place where permission is asked. ``arguments`` is the JSON text the model wrote."""

    async def permit(self, name: str, arguments: str) -> bool: ...
