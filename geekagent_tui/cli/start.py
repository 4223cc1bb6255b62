"""Opens a workspace from what this process was given."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from geekagent_tui.agent.tools.base import Gate
    from geekagent_tui.agent.workspace import Surroundings, Workspace


def surroundings(environ: Mapping[str, str]) -> Surroundings:
    """The working folder, the environment, the user's configuration file and the clocks."""
    from platformdirs import user_config_path

    from geekagent_tui.agent.workspace import Surroundings

    named = environ.get("XDG_CONFIG_HOME", "").strip()
    folder = Path(named) / "geekagent" if named else user_config_path("geekagent")
    return Surroundings(Path.cwd(), environ, folder / "config.json", time.perf_counter, time.time)


def workspace_opener(environ: Mapping[str, str]) -> Callable[[Gate], Workspace]:
    """What the app calls once it has painted. Heavy imports happen inside, in its thread."""

    def open_workspace(gate: Gate) -> Workspace:
        from geekagent_tui.agent.workspace import Workspace

        return Workspace.open(surroundings(environ), gate)

    return open_workspace


def open_app(environ: Mapping[str, str], *, session: str | None = None, resume: bool = False) -> int:
    """Open the app in this terminal. Exit code 2, and one line, when there is none."""
    # A stream that the caller has closed is None.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        from geekagent_tui.cli import exit_codes
        from geekagent_tui.cli.console import Console
        from geekagent_tui.texts.cli import ZH

        Console(sys.stdin, sys.stdout, sys.stderr).error(ZH.not_a_terminal)
        return exit_codes.USAGE
    from geekagent_tui.ui.run import run_app

    return run_app(workspace_opener(environ), session=session, resume=resume, environ=environ)
