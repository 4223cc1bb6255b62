"""Opens the app in this terminal."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from geekagent_tui.ui.app import GeekAgentApp, StartError

if TYPE_CHECKING:
    from textual.driver import Driver

    from geekagent_tui.agent.tools.base import Gate
    from geekagent_tui.agent.workspace import Workspace


def get_ready() -> None:
    """What makes the first answer smooth, done while nobody waits for it. In a thread."""
    from geekagent_tui.ui.transcript.warm import warm

    warm()
    # The modules that are loaded now stay. Looked through again and again by the garbage collector, they stop the
    # screen for 120 to 180 ms every other second while an answer streams.
    gc.freeze()
    # A drawn row is some sixty short-lived objects: with the usual thresholds each second of streaming fills them. Few
    # looks through few objects: none takes more than some milliseconds.
    gc.set_threshold(3_000, 4, 500)


def run_app(
    open_workspace: Callable[[Gate], Workspace],
    *,
    session: str | None,
    resume: bool,
    environ: Mapping[str, str],
) -> int:
    """Run until the user quits; the exit code of the program. ``open_workspace`` raises ``SettingsError``;
    ``environ`` names the user's editor."""

    def opened(gate: Gate) -> Workspace:
        from geekagent_tui.agent.settings import SettingsError

        try:
            return open_workspace(gate)
        except SettingsError as error:
            raise StartError(str(error)) from error

    app = GeekAgentApp(
        opened, session=session, resume=resume, driver=own_driver(), environ=environ, afterwards=get_ready
    )
    code = app.run()
    if app.start_error:
        print(app.start_error, file=sys.stderr)  # noqa: T201 - the screen is gone, the reason must be seen
    return code if code is not None else app.return_code or 0


def own_driver() -> type[Driver] | None:
    """Our own on Unix, Textual's elsewhere."""
    if sys.platform == "win32":
        return None
    from geekagent_tui.ui.terminal.driver import TerminalDriver

    return TerminalDriver
