"""What a tool is: a specification for the model and a coroutine that answers in text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict


class Arguments(BaseModel):
    """Base of every tool's argument model; unknown fields are ignored, types are checked."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True)
class Written:
    """What a tool did to memory: ``change`` is its id in the journal, with which just this is undone; ``text`` what is
    stored now, exactly ("" for an entry that went), ``before`` what it replaced, ``number`` its place from 1."""

    change: int
    kind: str
    number: int
    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """``text`` goes to the model and the screen; ``ok`` is false when the tool refused or failed. ``written``: what it
    did to memory; ``known``: what it was to store is there already; ``remarks``: what the user must know besides."""

    text: str
    ok: bool = True
    written: tuple[Written, ...] = ()
    known: bool = False
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a call comes from: the session's name and the turn's id, "" outside of one."""

    session: str = ""
    turn: str = ""


NOWHERE = Origin()


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


@dataclass(frozen=True, slots=True)
class Preview:
    """Exactly what a call will do, for the user's eyes. ``kind`` says how ``text`` is drawn. ``warning`` stands above
    it. ``explicit``: only a yes to this one call counts, no standing permission does. ``basis`` is the tool's own: what
    the preview was made from, to be checked again when the call runs."""

    kind: Literal["command", "diff", "url", "text"]
    text: str
    warning: str = ""
    explicit: bool = False
    basis: bytes | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of a request that a tool made; ``exact`` when the service counted them."""

    prompt_tokens: int
    completion_tokens: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Running:
    """What a tool may use while it runs. ``report`` shows output as it comes ("" says: still running); ``spend`` books
    tokens; ``ask`` puts a question of the tool's own to the user; ``agreed`` is the preview that the user said yes to,
    None when nobody was asked."""

    origin: Origin
    report: Callable[[str], None]
    spend: Callable[[Spent], None]
    ask: Callable[[Preview], Awaitable[ToolResult | None]]
    agreed: Preview | None = None


@runtime_checkable
class LiveTool(Protocol):
    """A tool that uses ``Running``: it streams, asks, or keeps track of its session."""

    async def run_live(self, arguments: Arguments, running: Running) -> ToolResult: ...


@runtime_checkable
class Previewing(Protocol):
    """A tool that can say what it will do. A ``ToolResult`` in place of a preview: it can't be done, don't ask."""

    async def preview(self, arguments: Arguments) -> Preview | ToolResult: ...


@runtime_checkable
class PlacedTool(Protocol):
    """A tool that wants to know where its call comes from. It is run by ``run_from`` then."""

    async def run_from(self, arguments: Arguments, origin: Origin) -> ToolResult: ...


Choice = Literal["replace", "both", "cancel"]


@dataclass(frozen=True, slots=True)
class LikeEntry:
    """What is to be stored is like entry ``number`` (from 1): ``relation`` is ``near`` (nearly the same), ``newer`` or
    ``contrary``."""

    number: int
    old: str
    new: str
    relation: str


@runtime_checkable
class Chooser(Protocol):
    """Who decides what becomes of an entry that is like another: the same who is asked for permission, if it can."""

    async def choose(self, like: LikeEntry) -> Choice: ...


Policy = Literal["allow", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class Question:
    """A permission question: tool ``name``, the JSON ``arguments`` the model wrote, and what will happen."""

    name: str
    arguments: str
    preview: Preview


@dataclass(frozen=True, slots=True)
class Answer:
    """``once``: this call; ``session``: this tool until the program ends; ``always``: also written to GeekAgent.json.
    ``sentence`` is what the user says to the model with a no."""

    kind: Literal["once", "session", "always", "no"]
    sentence: str = ""


class Gate(Protocol):
    """The one place where permission is asked."""

    async def permit(self, question: Question) -> Answer: ...
