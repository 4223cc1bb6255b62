"""``geekagent memory``: list, add, stats."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from geekagent_tui.agent.project import Project
from geekagent_tui.agent.settings import SettingsError
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.cli.start import surroundings
from geekagent_tui.memory.formatting import list_text, write_text
from geekagent_tui.memory.ledger.types import Author
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import AlreadyKnown, EmptyContent, Remembered
from geekagent_tui.texts.cli import ZH


def run(options: argparse.Namespace, console: Console, environ: Mapping[str, str]) -> int:
    """Exit code 4 when the file can't be read or written, 1 when there was nothing to add."""
    project = Project.at(surroundings(environ).folder, environ)
    memory = Memory(project.memory)
    if memory.problem is not None:
        console.error(str(memory.problem))
        return exit_codes.MEMORY
    if options.action == "add":
        return _add(options, console, project, memory)
    stats = memory.stats()
    if options.action == "list":
        if options.json:
            console.json(list(memory.entries))
        else:
            console.print(list_text(memory.entries))
    elif options.json:
        console.json({"entries": stats.entries, "chunks": stats.chunks, "file": str(project.memory)})
    else:
        console.print(ZH.memory_stats_line.format(entries=stats.entries, chunks=stats.chunks))
        console.print(f"{ZH.label_memory_file}  {project.memory}")
    return exit_codes.OK


def _add(options: argparse.Namespace, console: Console, project: Project, memory: Memory) -> int:
    text = console.read() if options.text == "-" else options.text
    try:
        project.prepare()
    except SettingsError as error:
        console.error(str(error))
        return exit_codes.SETTINGS
    outcome = memory.remember(text, Author("user"))
    if memory.journal_notice:
        console.error(ZH.notice.format(text=memory.journal_notice))
    stored = isinstance(outcome, Remembered)
    if options.json:
        console.json({"stored": stored, "text": write_text(outcome), "entries": memory.stats().entries})
    elif isinstance(outcome, Remembered | AlreadyKnown):
        console.print(write_text(outcome))
    else:
        console.error(write_text(outcome))
    if isinstance(outcome, Remembered | AlreadyKnown):
        return exit_codes.OK
    return exit_codes.FAILED if isinstance(outcome, EmptyContent) else exit_codes.MEMORY
