"""Everything of one project folder that a session needs, opened once: settings, memory, tools, model, sessions.

Opening and most methods touch the disk: call them in a thread. The properties that a screen reads do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from pydantic import SecretStr

from geekagent_tui.agent.changes import Changes
from geekagent_tui.agent.conversation import Conversation, KeepNothing
from geekagent_tui.agent.history import history
from geekagent_tui.agent.models.base import Message, ModelClient, ModelError, ModelRequest
from geekagent_tui.agent.models.offline import OfflineResponder
from geekagent_tui.agent.models.openai_client import OpenAIModel
from geekagent_tui.agent.permissions import allow_always, known_secrets
from geekagent_tui.agent.project import Project, UiState
from geekagent_tui.agent.prompt import system_prompt
from geekagent_tui.agent.recalling import ActiveRecall, Choices, Preview
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.recorder import SessionKeeper
from geekagent_tui.agent.redaction import Redactor
from geekagent_tui.agent.sessions import SessionError, SessionInfo, SessionStore
from geekagent_tui.agent.settings import AUTO, ModelSettings, Settings, load_settings
from geekagent_tui.agent.toolbox import toolbox
from geekagent_tui.agent.tools.base import Chooser, Gate
from geekagent_tui.agent.tools.files.tree import Tree
from geekagent_tui.agent.tools.registry import ToolRegistry
from geekagent_tui.agent.tools.todo import Plans
from geekagent_tui.agent.turn import TurnContext
from geekagent_tui.memory import durable
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.profiles import AUTO_PROFILE
from geekagent_tui.memory.steering import Passage
from geekagent_tui.memory.types import Recall
from geekagent_tui.memory.verdicts import Verdicts
from geekagent_tui.texts.agent import ZH, AgentTexts

Answer = TypeVar("Answer")

_MEMORY_TOOLS = ("memory_write", "memory_search", "memory_update", "memory_forget")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the process gives: passed in, so that a test can give something else.

    ``clock`` counts seconds from anywhere, ``now`` seconds since the epoch; ``user_file`` is the user's configuration.
    """

    folder: Path
    environ: Mapping[str, str]
    user_file: Path
    clock: Callable[[], float]
    now: Callable[[], float]
    new_id: Callable[[], str] = lambda: uuid4().hex


@dataclass(frozen=True, slots=True)
class Renewed:
    """The model's settings were changed. ``before`` is the client to be closed; ``notices`` what is new to say."""

    before: ModelClient
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A session as other windows left it: ``turns`` that were not known, or not ended, here; ``whole`` when none of the
    known ones was removed."""

    turns: tuple[TurnRecord, ...]
    whole: bool


class Workspace:
    """See the module's text. Build one with ``open``."""

    def __init__(
        self,
        project: Project,
        settings: Settings,
        around: Surroundings,
        gate: Gate,
        *,
        keep: bool = True,
        texts: AgentTexts = ZH,
    ) -> None:
        self.project = project
        self.settings = settings
        self.texts = texts
        self._around = around
        profile = settings.project.recall.profile
        self.memory = self._memory_with(AUTO_PROFILE if profile == AUTO else profile)
        self._others: dict[str, Memory] = {}
        self.verdicts = Verdicts(project.verdicts)
        self._stamp = self._settings_stamp()
        self.model: ModelClient = self._configured_model(settings.model)
        self.redactor = self._redactor()
        self.plans = Plans()
        self.tree = Tree(settings.root)
        self._state = UiState.load(project.state)
        self._instructions = bool(project.instructions(settings.root))
        self._instructions_notice = project.instructions_notice(settings.root)
        self.store: SessionStore | None = None
        self._store_problem = ""
        if keep:
            try:
                self.store = SessionStore(project.database, around.now)
            except SessionError as error:
                self._store_problem = str(error)
        self.changes = Changes(self.store, self.tree) if self.store is not None else None
        self.tools = self._registry(gate)

    @classmethod
    def open(
        cls, around: Surroundings, gate: Gate, *, keep: bool = True, texts: AgentTexts = ZH
    ) -> Workspace:
        """Open the working folder's project, creating its ``.geekagent`` when it has none. With ``keep`` false no
        session database is opened. Raises ``SettingsError``."""
        project = Project.at(around.folder, around.environ)
        project.prepare()
        settings = load_settings(
            folder=around.folder,
            project_file=project.config,
            user_file=around.user_file,
            environ=around.environ,
        )
        return cls(project, settings, around, gate, keep=keep, texts=texts)

    def _memory_with(self, profile: str) -> Memory:
        around = self._around
        return Memory(
            self.project.memory,
            profile=profile,
            budget=self.settings.project.recall.budget,
            cache=self.project.cache,
            clock=around.clock,
            now=lambda: datetime.fromtimestamp(around.now(), UTC),
        )

    def _memory_for(self, choices: Choices) -> Memory:
        """The same file, searched by the profile that was chosen. Reads it when that is another one: use a thread."""
        name = choices.profile
        if name == AUTO:
            name = AUTO_PROFILE
        if not name or name == self.memory.profile.name:
            return self.memory
        if name not in self._others:
            self._others[name] = self._memory_with(name)
        return self._others[name]

    def _registry(self, gate: Gate) -> ToolRegistry:
        return ToolRegistry(
            toolbox(
                self._around,
                self.project,
                self.memory,
                self.top_k,
                tree=self.tree,
                plans=self.plans,
                journal=self.changes,
                model=lambda: self.model,
                redact=lambda: self.redactor,
                chooser=gate if isinstance(gate, Chooser) else None,
                texts=self.texts,
            ),
            self.settings.project.tools,
            gate,
            self.texts,
            redact=lambda: self.redactor,
            keep_policy=lambda name: allow_always(self.project.config, name),
        )

    def _redactor(self) -> Redactor:
        """The secrets of now: of the environment, of ``.env``, of the user's configuration."""
        around, key = self._around, self.settings.model.api_key.get_secret_value()
        return Redactor(
            {"OPENAI_API_KEY": key}, *known_secrets(around.folder, around.user_file, around.environ)
        )

    def _configured_model(self, model: ModelSettings) -> ModelClient:
        if not model.configured:
            return OfflineResponder()
        return OpenAIModel(
            model.base_url,
            model.api_key.get_secret_value(),
            model.model,
            key_source=model.origins.get("OPENAI_API_KEY", ""),
            silence_seconds=self.settings.project.timeout_seconds,
            now=self._around.now,
        )

    # -- what a screen shows --------------------------------------------------------------------------------

    @property
    def root(self) -> Path:
        return self.settings.root

    @property
    def shown_root(self) -> str:
        """The root for a person: the home folder as ``~``."""
        home = self._around.environ.get("HOME", "")
        if home and self.root.is_relative_to(home):
            return str(Path("~") / self.root.relative_to(home))
        return str(self.root)

    @property
    def top_k(self) -> int:
        return self.settings.project.recall.top_k

    @property
    def context_window(self) -> int:
        """The model's context window in tokens."""
        return self.settings.project.context_window

    @property
    def instructions_loaded(self) -> bool:
        """Whether the last look found an AGENTS.md at the root."""
        return self._instructions

    @property
    def notices(self) -> tuple[str, ...]:
        """What the user should know about the start."""
        stored = self.store.notice if self.store is not None else ""
        problems = (self._instructions_notice, self._store_problem, stored)
        return (*self.settings.notices, *(problem for problem in problems if problem))

    @property
    def theme(self) -> str:
        return self._state.theme

    def remember_theme(self, name: str) -> None:
        self._state = UiState(name)
        self._state.save(self.project.state)

    def local_time(self, seconds: float) -> str:
        """A moment as local date and time to the minute."""
        return datetime.fromtimestamp(seconds).astimezone().strftime("%m-%d %H:%M")

    # -- turns ----------------------------------------------------------------------------------------------

    def instructions(self) -> str:
        """The text of AGENTS.md as it is now."""
        text = self.project.instructions(self.root)
        self._instructions = bool(text)
        return text

    def context(self, session: str = "") -> TurnContext:
        """What the next turn of a session works with; "" for one that is kept nowhere."""
        return TurnContext(
            recaller=ActiveRecall(self.memory, self.top_k, verdicts=self.verdicts.all, used=self._recalled),
            model=self.model,
            tools=self.tools,
            project=self.instructions,
            skill="",
            texts=self.texts,
            clock=self._around.clock,
            now=self._around.now,
            session=session,
        )

    def recaller(
        self, choices: Choices, *, excluded: tuple[Passage, ...] = (), preview: Preview | None = None
    ) -> ActiveRecall:
        """Recall as the session wants it. May read memory.json: call it in a thread, or after ``prepare_recall``."""
        return ActiveRecall(
            self._memory_for(choices),
            self.top_k,
            choices,
            verdicts=self.verdicts.all,
            excluded=excluded,
            preview=preview,
            used=self._recalled,
        )

    def _recalled(self, entries: list[str]) -> None:
        self.memory.note_recalled(entries, self._around.now())

    def prepare_recall(self, choices: Choices) -> None:
        """Open what ``recaller`` needs. Raises ``ValueError`` for a profile that there is not."""
        self._memory_for(choices)

    def adapted(
        self, choices: Choices, *, excluded: tuple[Passage, ...] = (), preview: Preview | None = None
    ) -> Callable[[TurnContext], TurnContext]:
        """What a turn's context becomes by the session's choices: a private one has no tool that knows memory."""

        def adapt(context: TurnContext) -> TurnContext:
            tools = context.tools.without(*_MEMORY_TOOLS) if choices.private else context.tools
            recaller = self.recaller(choices, excluded=excluded, preview=preview)
            return replace(context, recaller=recaller, tools=tools)

        return adapt

    def request_again(
        self, record: TurnRecord, earlier: tuple[TurnRecord, ...], recall: Recall, injected: str
    ) -> ModelRequest:
        """The turn's question with another ``recall``, and without tools: asking again must change nothing."""
        prompt = system_prompt(self.texts, project=self.instructions(), skill="", injected=injected)
        messages = (Message("system", prompt), *history(earlier, self.texts), Message("user", record.text))
        return ModelRequest(messages, (), recall)

    def requests(self, turn: str) -> tuple[str, ...]:
        """The requests of a turn as they were sent; none when they were not kept."""
        return self._asked(lambda store: store.requests(turn), ())

    def choices(self, name: str) -> Choices:
        """How session ``name`` recalls."""
        return Choices.of_text(self._asked(lambda store: store.choices(name), "{}"))

    def save_choices(self, name: str, choices: Choices) -> None:
        """Keep how a session recalls. Raises ``SessionError``."""
        if self.store is not None:
            self.store.save_choices(name, choices.to_text())

    # -- sessions -------------------------------------------------------------------------------------------

    def sessions(self) -> tuple[SessionInfo, ...]:
        """All sessions, the last used first; none when the database can't be read."""
        return self._asked(lambda store: store.sessions(), ())

    def last_session(self) -> SessionInfo | None:
        return self._asked(lambda store: store.last(), None)

    def has_session(self, name: str) -> bool:
        return self._asked(lambda store: store.has(name), False)

    def create_session(self, name: str) -> None:
        """Bring a session that the user named into being. Raises ``SessionError``."""
        if self.store is not None:
            self.store.create(name)

    def open_session(self, name: str) -> tuple[Conversation, str]:
        """Session ``name`` ("" for a new one) and its draft. A new one is in the database from its first message on.
        Raises ``SessionError``."""
        if self.store is None:
            return self.unsaved_session(), ""
        if name:
            self.store.check_name(name)
        else:
            name = self.store.free_name()
        records = self.store.turns(name)
        self.plans.restore(name, records)
        conversation = Conversation(
            name,
            records,
            keeper=SessionKeeper(self.store, name, self._around.clock),
            context=lambda: self.context(name),
            new_id=self._around.new_id,
            now=self._around.now,
            texts=self.texts,
        )
        return conversation, self.store.draft(name)

    def written_elsewhere(self) -> int:
        """A number that changes when another process has written to the database."""
        return self._asked(lambda store: store.written_elsewhere(), 0)

    def seen_elsewhere(self, name: str, known: Collection[str]) -> Elsewhere:
        """How session ``name`` stands in the database; ``known`` turns are not read again. Raises ``SessionError``."""
        assert self.store is not None
        return Elsewhere(
            tuple(self.store.turns(name, without=known)), frozenset(self.store.turn_ids(name)) >= set(known)
        )

    def unsaved_session(self) -> Conversation:
        """A conversation that is kept nowhere: for one question, or when the database can't be used."""
        return Conversation(
            "-",
            (),
            keeper=KeepNothing(),
            context=self.context,
            new_id=self._around.new_id,
            now=self._around.now,
            texts=self.texts,
        )

    def reset_session(self, name: str) -> Conversation:
        """Remove the session's turns. Raises ``SessionError``."""
        if self.store is not None:
            self.store.reset(name)
        return self.open_session(name)[0]

    def save_draft(self, name: str, text: str) -> None:
        """Keep the composer's text. Raises ``SessionError``."""
        if self.store is not None:
            self.store.save_draft(name, text)

    def inputs(self) -> tuple[str, ...]:
        """What was sent in any session, the newest first; nothing when the database can't be read."""
        return self._asked(lambda store: store.inputs(), ())

    def _asked(self, ask: Callable[[SessionStore], Answer], otherwise: Answer) -> Answer:
        if self.store is None:
            return otherwise
        try:
            return ask(self.store)
        except SessionError:
            return otherwise

    # -- model ----------------------------------------------------------------------------------------------

    def _settings_stamp(self) -> tuple[object, ...]:
        """What changes when a file with the model's settings does."""
        stamp: list[object] = []
        for path in (self._around.folder / ".env", self._around.user_file):
            try:
                stamp.append(durable.signature(path))
            except OSError as error:
                stamp.append(error.errno)
        return tuple(stamp)

    def renew_model(self, *, look: bool = False) -> Renewed | None:
        """Use the model's settings as the files say now; None when they are the same. Two looks at file times when
        nothing was written; ``look`` reads the files all the same. Raises ``SettingsError``."""
        stamp = self._settings_stamp()
        if stamp == self._stamp and not look:
            return None
        self._stamp = stamp
        around = self._around
        settings = load_settings(
            folder=around.folder,
            project_file=self.project.config,
            user_file=around.user_file,
            environ=around.environ,
        )
        if settings.model == self.settings.model:
            return None
        new = tuple(notice for notice in settings.notices if notice not in self.settings.notices)
        self.settings = replace(self.settings, model=settings.model, notices=settings.notices)
        before, self.model = self.model, self._configured_model(settings.model)
        self.redactor = self._redactor()
        return Renewed(before, new)

    async def warm_model(self) -> None:
        """Load the client's library, in a thread, so that the first message does not wait for it. What is wrong with
        the settings is said by the first turn."""
        if isinstance(self.model, OpenAIModel):
            with suppress(ModelError):
                await self.model.warm()

    def use_local(self, base_url: str, model: str) -> None:
        """Use a service on this machine until the program ends."""
        settings = ModelSettings(base_url, SecretStr(""), model, {})
        self.model = self._configured_model(settings)

    async def aclose(self) -> None:
        """Close the model's connections and the database."""
        await self.model.aclose()
        if self.store is not None:
            self.store.close()
