"""The real app on a real project in a temporary folder: real settings, memory, sessions. Only clocks are fixed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from textual.pilot import Pilot

from geekagent_tui.agent.models.base import ModelClient
from geekagent_tui.agent.settings import SettingsError
from geekagent_tui.agent.tools.base import Gate
from geekagent_tui.agent.workspace import Surroundings, Workspace
from geekagent_tui.ui.app import GeekAgentApp, StartError
from geekagent_tui.ui.panes.composer import Composer
from geekagent_tui.ui.panes.recall import RecallPane
from geekagent_tui.ui.panes.sidebar import Sidebar
from geekagent_tui.ui.screens.chat import ChatScreen
from geekagent_tui.ui.transcript import Transcript

NOW = 1_796_140_800.0
"""2026-12-01 16:00 UTC."""


@dataclass
class Home:
    """A project folder to open apps in, one after another or side by side."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    model: ModelClient | None = None
    now: float = NOW
    clock: Callable[[], float] = lambda: 0.0
    copied: list[str] = field(default_factory=list)
    clipboard_works: bool = True
    ids: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def geekagent(self) -> Path:
        return self.folder / ".geekagent"

    @property
    def memory(self) -> Path:
        return self.geekagent / "memory.json"

    def entries(self) -> list[str]:
        return list(json.loads(self.memory.read_text(encoding="utf-8"))) if self.memory.exists() else []

    def remember(self, *entries: str) -> None:
        """Write memory.json as an editor would."""
        self.geekagent.mkdir(exist_ok=True)
        text = json.dumps(list(entries), ensure_ascii=False, indent=2) + "\n"
        self.memory.write_text(text, encoding="utf-8")

    def around(self) -> Surroundings:
        return Surroundings(
            folder=self.folder,
            environ=self.environ,
            user_file=self.folder / "user" / "config.json",
            clock=self.clock,
            now=lambda: self.now,
            new_id=lambda: f"turn-{next(self.ids)}",
        )

    def workspace(self, gate: Gate) -> Workspace:
        try:
            workspace = Workspace.open(self.around(), gate)
        except SettingsError as error:
            raise StartError(str(error)) from error
        if self.model is not None:
            workspace.model = self.model
        return workspace

    def app(self, *, session: str | None = None, resume: bool = False) -> GeekAgentApp:
        return GeekAgentApp(self.workspace, session=session, resume=resume, clipboard=self.copy)

    def copy(self, text: str) -> None:
        """The system's clipboard."""
        self.copied.append(text)
        if not self.clipboard_works:
            raise OSError("no clipboard here")

    def serve(self, base_url: str, model: str = "test-model", key: str = "sk-test-key") -> None:
        """Configure an OpenAI-compatible service in ``.env``."""
        text = f"OPENAI_BASE_URL={base_url}\nOPENAI_API_KEY={key}\nOPENAI_MODEL={model}\n"
        (self.folder / ".env").write_text(text, encoding="utf-8")


async def until(pilot: Pilot[int], true: Callable[[], object], steps: int = 400) -> None:
    """Let the app work until ``true`` is. Fails after ``steps`` rounds of its message queues."""
    for _ in range(steps):
        if true():
            return
        await pilot.pause()
        # Threads (recall, disk) need a moment that no event of the loop announces.
        await pilot.pause(0.01)
    raise AssertionError(f"still not so: {screen_text(pilot.app)}")


async def ready(pilot: Pilot[int]) -> None:
    """Wait until the project is open."""
    chat = chat_of(pilot)
    await until(pilot, lambda: chat.driver.conversation is not None)


async def idle(pilot: Pilot[int]) -> None:
    """Wait until no turn runs and none waits."""
    chat = chat_of(pilot)

    def settled() -> bool:
        conversation = chat.driver.conversation
        return conversation is not None and not conversation.running and not conversation.queued

    await until(pilot, settled)
    await pilot.pause()


async def say(pilot: Pilot[int], text: str) -> None:
    """Type a message and send it, without waiting for the answer."""
    composer(pilot).focus()
    composer(pilot).take(text)
    await pilot.pause()
    composer(pilot).action_submit()
    await pilot.pause()


async def ask(pilot: Pilot[int], text: str) -> None:
    """Say something and wait until it is answered."""
    await say(pilot, text)
    await idle(pilot)


def chat_of(pilot: Pilot[int]) -> ChatScreen:
    app = pilot.app
    assert isinstance(app, GeekAgentApp)
    return app.chat


def composer(pilot: Pilot[int]) -> Composer:
    return chat_of(pilot).query_one(Composer)


def transcript(pilot: Pilot[int]) -> Transcript:
    return chat_of(pilot).query_one(Transcript)


def recall_pane(pilot: Pilot[int]) -> RecallPane:
    return chat_of(pilot).query_one(RecallPane)


def sidebar(pilot: Pilot[int]) -> Sidebar:
    return chat_of(pilot).query_one(Sidebar)


def screen_text(app: object) -> str:
    """What stands on the screen, line by line, as a terminal shows it."""
    assert isinstance(app, GeekAgentApp)
    strips: Iterable[Iterable[object]] = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)  # type: ignore[attr-defined]


def settings_json(tools: Mapping[str, str]) -> str:
    return json.dumps({"root": "..", "tools": dict(tools)})
