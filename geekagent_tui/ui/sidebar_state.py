"""Reads the sidebar's state off the driver's workspace and conversation."""

from __future__ import annotations

from geekagent_tui.agent.events import Usage
from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.driver import Driver
from geekagent_tui.ui.panes.sidebar import SidebarState, Tokens


def sidebar_state(driver: Driver, texts: UiTexts) -> SidebarState:
    """What the sidebar shows now. Cheap: counts that are kept, no disk."""
    workspace, conversation = driver.workspace, driver.conversation
    if workspace is None:
        return SidebarState()
    stats = workspace.memory.stats()
    problem = workspace.memory.problem
    usage: list[Usage] = []
    total: Tokens | None = None
    turn: Tokens | None = None
    queued = 0
    if conversation is not None:
        queued = conversation.queued
        latest = conversation.latest
        usage = list(latest.usage) if latest is not None else []
        totals = conversation.totals
        if totals.prompt_tokens or totals.completion_tokens:
            total = Tokens(totals.prompt_tokens, totals.completion_tokens, totals.exact)
    if usage:
        turn = Tokens(
            sum(use.prompt_tokens for use in usage),
            sum(use.completion_tokens for use in usage),
            all(use.exact for use in usage),
        )
    context = Tokens(usage[-1].prompt_tokens, usage[-1].completion_tokens, usage[-1].exact) if usage else None
    found = ""
    if workspace.model.offline and driver.servers:
        server = driver.servers[0]
        found = texts.found_local.format(name=server.name, url=server.base_url, count=len(server.models))
    return SidebarState(
        model=workspace.model.label,
        offline=workspace.model.offline,
        session=driver.session,
        root=workspace.shown_root,
        entries=stats.entries,
        chunks=stats.chunks,
        indexing=workspace.memory.progress,
        memory_problem=str(problem) if problem is not None else "",
        instructions=workspace.instructions_loaded,
        context=context,
        window=workspace.context_window,
        turn=turn,
        total=total,
        queued=queued,
        found=found,
        private=driver.choices.private,
        recall=driver.choices.recall,
        plan=workspace.plans.of(driver.session),
    )
