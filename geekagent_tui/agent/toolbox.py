"""The tools of a project, put together."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from geekagent_tui.agent.models.base import ModelClient
from geekagent_tui.agent.project import Project
from geekagent_tui.agent.redaction import Redactor
from geekagent_tui.agent.tools.base import Chooser, Tool
from geekagent_tui.agent.tools.clock import CurrentTime
from geekagent_tui.agent.tools.delegate import DelegateTask
from geekagent_tui.agent.tools.files.edit import Journal, Patch, Write
from geekagent_tui.agent.tools.files.listing import Glob, Ls, Read
from geekagent_tui.agent.tools.files.search import Search
from geekagent_tui.agent.tools.files.tree import Tree
from geekagent_tui.agent.tools.memory import MemoryForget, MemorySearch, MemoryUpdate, MemoryWrite
from geekagent_tui.agent.tools.shell import RunShell
from geekagent_tui.agent.tools.todo import Plans, TodoWrite
from geekagent_tui.agent.tools.web.fetch import Fetch
from geekagent_tui.memory.memory import Memory
from geekagent_tui.texts.agent import AgentTexts
from geekagent_tui.texts.tools import ZH, ToolTexts

if TYPE_CHECKING:
    from geekagent_tui.agent.workspace import Surroundings

TOOL_NAMES = frozenset(
    tool.name
    for tool in (
        CurrentTime, RunShell, Ls, Read, Glob, Search, Write, Patch, Fetch, TodoWrite, DelegateTask,
        MemoryWrite, MemorySearch, MemoryUpdate, MemoryForget,
    )
)  # fmt: skip


def toolbox(
    around: Surroundings,
    project: Project,
    memory: Memory,
    top_k: int,
    *,
    tree: Tree,
    plans: Plans,
    journal: Journal | None,
    model: Callable[[], ModelClient],
    redact: Callable[[], Redactor],
    chooser: Chooser | None,
    texts: AgentTexts,
    words: ToolTexts = ZH,
) -> tuple[Tool, ...]:
    """All tools, in the order the model is shown them."""
    now = around.now
    # Settings, permissions, memory and sessions are changed by their owner, not with an editor in the model's hand.
    protected = ""
    home, root = Path(os.path.realpath(project.home)), Path(os.path.realpath(tree.root))
    if home.is_relative_to(root):
        protected = str(home.relative_to(root))
    return (
        CurrentTime(lambda: datetime.fromtimestamp(now()).astimezone(), texts),
        RunShell(tree.root, around.environ, around.clock, words),
        Ls(tree, words),
        Read(tree, words),
        Glob(tree, words),
        Search(tree, words),
        Write(tree, words, journal, protected),
        Patch(tree, words, journal, protected),
        Fetch(words),
        TodoWrite(plans, words),
        DelegateTask(model, redact, words),
        MemoryWrite(memory, texts, chooser),
        MemorySearch(memory, top_k, texts),
        MemoryUpdate(memory, texts),
        MemoryForget(memory, texts),
    )
