"""``geekagent ask``: one turn, as text or as the JSON lines of its events."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import replace

from geekagent_tui.agent.conversation import Conversation
from geekagent_tui.agent.events import (
    Event,
    Notice,
    ReasoningDelta,
    RecallDone,
    RequestSent,
    TextDelta,
    ToolCallFinished,
    TurnCancelled,
    TurnFailed,
    TurnFinished,
)
from geekagent_tui.agent.sessions import SessionError, SessionNameError
from geekagent_tui.agent.settings import SettingsError
from geekagent_tui.agent.toolbox import TOOL_NAMES
from geekagent_tui.agent.tools.registry import AllowNamed
from geekagent_tui.agent.wire import to_json
from geekagent_tui.agent.workspace import Workspace
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.cli.start import surroundings
from geekagent_tui.texts.cli import ZH, outside_ui
from geekagent_tui.texts.transcript import ZH as CUTS


def run(options: argparse.Namespace, console: Console, environ: Mapping[str, str]) -> int:
    """Exit code 0 when the turn brought an answer; 1 when it failed, brought none, or its session can't be read; 130
    when interrupted."""
    text = console.read().rstrip("\r\n") if options.text == "-" else options.text
    if not text.strip():
        console.error(ZH.no_text)
        return exit_codes.USAGE
    name = options.ask_session or options.session
    unknown = sorted(set(options.allow) - TOOL_NAMES)
    if unknown:
        console.error(ZH.allow_unknown.format(names="、".join(unknown), tools="、".join(sorted(TOOL_NAMES))))
        return exit_codes.USAGE
    try:
        workspace = Workspace.open(surroundings(environ), AllowNamed(options.allow), keep=bool(name))
    except SettingsError as error:
        console.error(str(error))
        return exit_codes.SETTINGS
    for notice in workspace.notices:
        console.error(ZH.notice.format(text=notice))
    if workspace.memory.problem is not None:
        console.error(ZH.notice.format(text=workspace.memory.problem))
    try:
        conversation = workspace.open_session(name)[0] if name else workspace.unsaved_session()
    except SessionError as error:
        console.error(str(error))
        return exit_codes.USAGE if isinstance(error, SessionNameError) else exit_codes.FAILED
    conversation.enqueue(text)
    return asyncio.run(_run(workspace, conversation, console, as_json=options.json))


async def _run(workspace: Workspace, conversation: Conversation, console: Console, *, as_json: bool) -> int:
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):
        # Ctrl-C ends the turn in order, so that what it brought is kept.
        loop.add_signal_handler(signal.SIGINT, conversation.cancel)
    code = exit_codes.OK
    printer = _Printer(console)
    try:
        async with aclosing(conversation.run_next()) as events:
            async for event in events:
                if isinstance(event, RequestSent):
                    continue  # the whole history again, for each request
                if isinstance(event, TurnFailed):
                    event = replace(event, hint=outside_ui(event.hint))
                if as_json:
                    console.json(to_json(event))
                else:
                    printer.take(event)
                if isinstance(event, TurnFailed):
                    console.error(ZH.hint.format(message=event.message, hint=event.hint))
                    code = exit_codes.FAILED
                elif isinstance(event, TurnCancelled):
                    code = exit_codes.INTERRUPTED
                elif isinstance(event, TurnFinished) and not _answer(conversation):
                    # Nothing that a script could go on with.
                    code = exit_codes.FAILED
    finally:
        await workspace.aclose()
    return code


def _answer(conversation: Conversation) -> str:
    latest = conversation.latest
    return latest.answer.strip() if latest is not None else ""


class _Printer:
    """The answer on standard output; what was recalled and what tools did on standard error."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._open = False
        self._answered = self._thought = self._noticed = False

    def take(self, event: Event) -> None:
        console = self._console
        if isinstance(event, TextDelta):
            self._answered = self._answered or bool(event.text.strip())
            console.print(event.text, end="")
            console.flush()
            self._open = not event.text.endswith("\n")
            return
        if self._open:
            console.print("")
            self._open = False
        match event:
            case RecallDone() if event.recall.hits:
                places = "、".join(
                    ZH.place.format(entry=h.entry, segment=h.segment) for h in event.recall.hits
                )
                console.error(ZH.recalled.format(hits=len(event.recall.hits), places=places))
            case ToolCallFinished():
                console.error(ZH.call.format(name=event.name, result=event.result))
            case ReasoningDelta():
                self._thought = True
            case Notice():
                self._noticed = True
                console.error(ZH.notice.format(text=event.text))
            case TurnFinished() if text := self._ending(event.reason):
                console.error(ZH.notice.format(text=text))
            case _:
                pass

    def _ending(self, reason: str) -> str:
        """What a person must know about how the answer ended, "" for nothing."""
        cut = {"length": CUTS.cut_length, "filter": CUTS.cut_filter, "unknown": CUTS.cut_unknown}.get(reason)
        if cut is not None:
            return cut
        if self._answered or reason != "stop":
            return ""
        if self._thought:
            return ZH.only_thought
        return "" if self._noticed else ZH.no_answer
