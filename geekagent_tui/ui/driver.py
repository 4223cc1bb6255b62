"""Runs the open session for the interface: opens it, sends, cancels, saves drafts.

The driver knows the agent and a small ``View``; it draws nothing. Whatever touches a disk or the network runs in
a worker; what the view is told arrives on the event loop.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from geekagent_tui.agent.events import Event
from geekagent_tui.agent.record import TurnRecord, unanswered
from geekagent_tui.texts.ui import UiTexts

if TYPE_CHECKING:
    from geekagent_tui.agent.conversation import Conversation
    from geekagent_tui.agent.models.local import LocalServer
    from geekagent_tui.agent.recalling import Choices, Preview
    from geekagent_tui.agent.turn import TurnContext
    from geekagent_tui.agent.workspace import Workspace
    from geekagent_tui.memory.steering import Passage


JOBS = ("keep", "turn", "draft")
"""The jobs that leaving waits for."""


class View(Protocol):
    """What the driver tells the screen."""

    def set_draft_aside(self) -> str:
        """What stands in the composer, all of it."""
        ...

    def has_begun(self) -> bool:
        """Whether anything was written since the start, also when it is gone again."""
        ...

    def put_by(self, draft: str) -> None:
        """Keep a draft where Up finds it, and say so."""
        ...

    def session_shown(self, records: tuple[TurnRecord, ...], draft: str | None) -> None:
        """``draft`` is what was left unsent there, None when the composer stays as it is."""
        ...

    def turn_queued(self, record: TurnRecord) -> None: ...

    def turn_event(self, event: Event) -> None: ...

    def turns_taken_in(self, records: tuple[TurnRecord, ...], waiting: tuple[TurnRecord, ...]) -> None:
        """Another window has written these; those that ``waiting`` holds come after them."""
        ...

    def state_changed(self) -> None:
        """Something the sidebar shows may have changed."""
        ...

    def say(self, text: str, *, command: str = "", error: bool = False) -> None: ...


class Driver:
    """``start`` runs a coroutine as a worker: (name, coroutine, exclusive)."""

    def __init__(
        self, view: View, texts: UiTexts, start: Callable[[str, Awaitable[None], bool], None]
    ) -> None:
        self._view = view
        self._texts = texts
        self._start = start
        self.workspace: Workspace | None = None
        self.conversation: Conversation | None = None
        self.servers: tuple[LocalServer, ...] = ()
        self._early: list[str] = []
        self._broken = ""
        self._journal_notice = ""
        self._choosing = asyncio.Lock()
        self._draft_saved = ""
        self._saving = asyncio.Lock()
        self._stopped = False
        self._turning = False
        self._elsewhere = -1
        self._choices: Choices | None = None

    @property
    def waiting(self) -> bool:
        """Whether messages wait for the workspace to open."""
        return bool(self._early)

    @property
    def session(self) -> str:
        return self.conversation.name if self.conversation is not None else ""

    @property
    def busy(self) -> bool:
        return self._turning or (self.conversation is not None and self.conversation.running)

    async def open(self, workspace: Workspace, name: str | None, *, resume: bool) -> None:
        """Take the opened workspace and show a session: ``name``, the last one (``resume``), or a new one."""
        self.workspace = workspace
        last = await asyncio.to_thread(workspace.last_session)
        if name is not None:
            await self.show(name, create=True)
        elif resume and last is not None:
            await self.show(last.name)
        else:
            await self.show("", create=True)
            if last is not None and last.turns:
                self._view.say(
                    self._texts.session_offer.format(
                        name=last.name, turns=last.turns, when=workspace.local_time(last.updated_at)
                    )
                )
        for notice in workspace.notices:
            self._view.say(notice, error=True)
        self.check_memory()
        early, self._early = self._early, []
        for text in early:
            self.send(text)

    async def show(self, name: str, *, create: bool = False) -> None:
        """Switch to session ``name`` ("" with ``create``: a new one with a name of its own)."""
        texts, workspace = self._texts, self.workspace
        if workspace is None:
            self._view.say(texts.booting)
            return
        if self.busy:
            self._view.say(texts.session_busy, error=True)
            return
        from geekagent_tui.agent.sessions import SessionError

        first = self.conversation is None
        try:
            exists = bool(name) and await asyncio.to_thread(workspace.has_session, name)
            if name and not first and create and exists:
                self._view.say(texts.session_exists.format(name=name), command=f"/new {name}", error=True)
                return
            if name and not create and not exists:
                self._view.say(texts.session_missing.format(name=name), command=f"/open {name}", error=True)
                return
            if not first:
                await self.save_draft(self.session, self._view.set_draft_aside())
            if name and create and not first:
                # What is announced as made can be opened, also before anything is said in it.
                await asyncio.to_thread(workspace.create_session, name)
            opened, draft = await asyncio.to_thread(workspace.open_session, name)
        except SessionError as error:
            if self.conversation is None:
                # First: showing a session clears what was said before.
                self.conversation = workspace.unsaved_session()
                self._view.session_shown((), None)
            self._view.say(str(error), command=f"/{'new' if create else 'open'} {name}".rstrip(), error=True)
            return
        await self._load_choices(workspace, opened.name)
        self.conversation = opened
        self._elsewhere = -1
        self._draft_saved = draft
        # Whoever has begun to write before the first session was open goes on with that.
        begun = first and self._view.has_begun()
        self._view.session_shown(opened.records, None if begun else draft)
        if begun and draft:
            self._view.put_by(draft)
        if not first:
            shown = texts.session_opened if exists else texts.session_created
            self._view.say(shown.format(name=opened.name, turns=len(opened.records)))
        self._view.state_changed()

    @property
    def choices(self) -> Choices:
        """How the open session recalls."""
        if self._choices is None:
            from geekagent_tui.agent.recalling import Choices

            self._choices = Choices()
        return self._choices

    async def choose(self, choices: Choices) -> None:
        """Recall so in the open session from now on. Raises ``ValueError`` for a profile that there is not."""
        if self.workspace is None:
            return
        from geekagent_tui.agent.sessions import SessionError

        async with self._choosing:
            await asyncio.to_thread(self.workspace.prepare_recall, choices)
            self._choices = choices
            try:
                await asyncio.to_thread(self.workspace.save_choices, self.session, choices)
            except SessionError as error:
                self._view.say(str(error), error=True)
        self._view.state_changed()

    async def _load_choices(self, workspace: Workspace, name: str) -> None:
        # Not while a choice is being kept: what the database had before would undo it here.
        async with self._choosing:
            choices = await asyncio.to_thread(workspace.choices, name)
            try:
                await asyncio.to_thread(workspace.prepare_recall, choices)
            except ValueError as error:
                # A profile that another version knows.
                self._view.say(str(error), error=True)
                choices = replace(choices, profile="")
            self._choices = choices

    async def say_not_useful(self, passage: Passage, terms: frozenset[str]) -> bool | None:
        """See ``Verdicts.toggle``; None when it could not be kept, which is said."""
        if self.workspace is None:
            return None
        from geekagent_tui.memory.durable import LockTimeoutError

        try:
            return await asyncio.to_thread(self.workspace.verdicts.toggle, passage, terms)
        except (OSError, LockTimeoutError) as error:
            self._view.say(self._texts.verdict_failed.format(reason=error), error=True)
            return None

    async def session_rows(self) -> tuple[tuple[str, str], ...]:
        """Sessions to choose from, newest first: (name, line to show)."""
        if self.workspace is None:
            return ()
        workspace = self.workspace
        return tuple(
            (
                info.name,
                (self._texts.session_mark if info.name == self.session else "  ")
                + self._texts.session_row.format(
                    name=info.name,
                    turns=info.turns,
                    when=workspace.local_time(info.updated_at),
                    title=info.title,
                ),
            )
            for info in await asyncio.to_thread(workspace.sessions)
        )

    async def inputs(self) -> tuple[str, ...]:
        """What was sent in any session, the newest first."""
        return await asyncio.to_thread(self.workspace.inputs) if self.workspace is not None else ()

    def send(self, text: str, excluded: tuple[Passage, ...] = (), preview: Preview | None = None) -> None:
        """Put a message in line; it runs now when nothing else does. Before the workspace is open it waits.
        ``excluded`` stays out of its recall; ``preview`` is what was shown for it."""
        if self.conversation is None or self.workspace is None:
            self._early.append(text)
            return
        workspace = self.workspace

        def adapt(context: TurnContext) -> TurnContext:
            # As the session recalls when the turn begins: another window may have made it private meanwhile.
            return workspace.adapted(self.choices, excluded=excluded, preview=preview)(context)

        record = self.conversation.enqueue(text, adapt)
        self._view.turn_queued(record)
        self._start("keep", self._keep(record), False)
        if not self._turning:
            self._turning = True
            self._start("turn", self._run(), True)
        self._view.state_changed()

    async def _keep(self, record: TurnRecord) -> None:
        assert self.conversation is not None
        problem = await self.conversation.keep(record)
        if problem:
            self._view.say(problem, error=True)

    async def _run(self) -> None:
        """Run what is in line, one turn after another."""
        assert self.conversation is not None
        try:
            await self._work_off(self.conversation)
        finally:
            self._turning = False
        self._view.state_changed()

    async def _work_off(self, conversation: Conversation) -> None:
        while await self._may_run(conversation):
            async with aclosing(conversation.run_next()) as events:
                async for event in events:
                    self._view.turn_event(event)
            self.check_memory()
            self._view.state_changed()

    async def _may_run(self, conversation: Conversation) -> bool:
        """Whether a turn is to run now. Its settings are looked at first."""
        if not conversation.queued or conversation.running or self._stopped:
            return False
        await self._renew_model()
        await self._look_elsewhere(conversation)
        return not self._stopped

    def cancel(self) -> bool:
        """Stop the running turn. False when none runs."""
        return self.conversation is not None and self.conversation.cancel()

    async def _renew_model(self, *, look: bool = False) -> bool:
        """Use what .env and the user's configuration say now: a key put right counts from the next message on.
        False when a file can't be understood; the model stays what it was then."""
        if self.workspace is None:
            return True
        from geekagent_tui.agent.settings import SettingsError

        try:
            renewed = await asyncio.to_thread(self.workspace.renew_model, look=look)
        except SettingsError as error:
            self._view.say(str(error), error=True)
            return False
        if renewed is not None:
            await renewed.before.aclose()
            self._view.say(self._texts.model_renewed.format(model=self.workspace.model.label))
            for notice in renewed.notices:
                self._view.say(notice, error=True)
            self._view.state_changed()
        return True

    async def retry(self) -> None:
        """Ask again what was not answered; see ``unanswered``."""
        if self.busy:
            self._view.say(self._texts.retry_busy, command="/retry")
            return
        texts = unanswered(self.conversation.records if self.conversation is not None else ())
        if not texts:
            self._view.say(self._texts.retry_nothing, command="/retry")
        elif await self._renew_model(look=True):
            if len(texts) > 1:
                self._view.say(self._texts.retry_several.format(count=len(texts)), command="/retry")
            for text in texts:
                self.send(text)

    async def reset(self) -> None:
        """Empty the open session."""
        if self.workspace is None or self.conversation is None:
            return
        if self.busy:
            self._view.say(self._texts.session_busy, error=True)
            return
        name, turns = self.conversation.name, len(self.conversation.records)
        from geekagent_tui.agent.sessions import SessionError

        try:
            self.conversation = await asyncio.to_thread(self.workspace.reset_session, name)
        except SessionError as error:
            self._view.say(str(error), command="/reset", error=True)
            return
        self._view.session_shown((), None)
        self._view.say(self._texts.reset_done.format(name=name, turns=turns), command="/reset")
        self._view.state_changed()

    async def save_draft(self, session: str, text: str) -> None:
        """Keep what stands in the composer of ``session``, so that neither a crash nor another session loses it."""
        # One after another: an older text must not be written over a newer one.
        async with self._saving:
            await self._save_draft(session, text)

    async def _save_draft(self, session: str, text: str) -> None:
        if self.workspace is None or session != self.session or text == self._draft_saved:
            return
        from geekagent_tui.agent.sessions import SessionError

        self._draft_saved = text
        # A draft is saved at every pause in typing: a disk that is full is said by the turns, not by each of these.
        with suppress(SessionError):
            await asyncio.to_thread(self.workspace.save_draft, session, text)

    async def look_outside(self) -> None:
        """See what happened outside of this window: to memory.json, to the disk, in other windows."""
        await self._refresh_memory()
        conversation = self.conversation
        if conversation is None or self.busy:
            return
        if await conversation.keep_again():
            self._view.say(self._texts.record_recovered)
        await self._look_elsewhere(conversation)

    async def _look_elsewhere(self, conversation: Conversation) -> None:
        """Take in what other windows added to the open session."""
        workspace = self.workspace
        if workspace is None or not conversation.kept:
            return
        version = await asyncio.to_thread(workspace.written_elsewhere)
        if version == self._elsewhere or self._stopped:
            return
        from geekagent_tui.agent.sessions import SessionError

        try:
            found = await asyncio.to_thread(workspace.seen_elsewhere, conversation.name, conversation.ended)
        except SessionError:
            # Whoever reads or writes next says it.
            return
        if conversation is not self.conversation or conversation.running:
            return
        if not found.whole:
            if not conversation.queued:
                await self._emptied_elsewhere(workspace, conversation)
            return
        self._elsewhere = version
        await self._load_choices(workspace, conversation.name)
        self._view.state_changed()
        if changed := conversation.take_in(found.turns):
            waiting = tuple(record for record in conversation.records if record.status == "queued")
            self._view.turns_taken_in(changed, waiting)
            self._view.state_changed()

    async def _emptied_elsewhere(self, workspace: Workspace, conversation: Conversation) -> None:
        self.conversation = (await asyncio.to_thread(workspace.open_session, conversation.name))[0]
        self._view.session_shown(self.conversation.records, None)
        self._view.say(self._texts.session_emptied.format(name=conversation.name))

    async def _refresh_memory(self) -> None:
        """See whether memory.json was changed by someone else."""
        if self.workspace is not None and await asyncio.to_thread(self.workspace.memory.refresh):
            self.check_memory()
            self._view.state_changed()

    async def warm_memory(self) -> None:
        """Make memory's index before the first question needs it, and keep it for the next start when it was long."""
        if self.workspace is None:
            return
        memory = self.workspace.memory
        leaving = threading.Event()
        try:
            await asyncio.to_thread(memory.warm, leaving.is_set)
            await asyncio.to_thread(memory.keep_index)
        finally:
            leaving.set()

    def check_memory(self) -> None:
        """Say it once when memory.json became unreadable, and once when it is well again."""
        assert self.workspace is not None
        notice = self.workspace.memory.journal_notice
        if notice != self._journal_notice:
            self._journal_notice = notice
            if notice:
                self._view.say(notice, error=True)
        problem = self.workspace.memory.problem
        reason = str(problem) if problem is not None else ""
        if reason == self._broken:
            return
        self._broken = reason
        texts = self._texts
        if problem is None:
            self._view.say(texts.memory_recovered)
        elif problem.copy is not None:
            self._view.say(texts.memory_broken.format(reason=reason, copy=problem.copy.name), error=True)
        else:
            self._view.say(texts.memory_broken_no_copy.format(reason=reason), error=True)
        self._view.state_changed()

    async def look_for_servers(self) -> None:
        """Look on the loopback ports where local model servers usually listen."""
        from geekagent_tui.agent.models.local import find_local_servers

        self.servers = tuple(await find_local_servers())
        self._view.state_changed()

    async def use_server(self, server: LocalServer, model: str) -> None:
        if self.workspace is None:
            return
        await asyncio.to_thread(self.workspace.use_local, server.base_url, model)
        self._view.say(self._texts.connect_done.format(model=model, url=server.base_url), command="/connect")
        self._view.state_changed()

    async def stop(self, draft: str) -> None:
        """Stop the turn, start no other, and wait until all that was said is on disk: what the turn brought, the
        messages in line, the draft."""
        self._stopped = True
        conversation = self.conversation
        if conversation is not None:
            if conversation.running:
                conversation.cancel()
                await conversation.settle()
            await conversation.keep_queued()
        await self.save_draft(self.session, draft)

    async def close(self) -> None:
        """Let go of network and disk. Nothing is sent or stored after this."""
        if self.workspace is not None:
            await self.workspace.aclose()
