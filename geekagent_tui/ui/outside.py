"""Other programs: the pager and editor of the user, and the browser."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from geekagent_tui.ui.editing.external import editor_command

Program = Literal["pager", "editor"]

_PAGERS = ("less", "more")
"""Tried in this order where none is named."""


def browse(address: str) -> bool:
    """Open ``address`` in the browser; whether there is one. Blocks."""
    import webbrowser

    return webbrowser.open(address)


@dataclass(frozen=True, slots=True)
class Outside:
    """``run`` starts a command in the terminal and waits for its end."""

    environ: Mapping[str, str]
    run: Callable[[Sequence[str]], int] = subprocess.call
    browse: Callable[[str], bool] = browse

    def command(self, program: Program) -> list[str]:
        """The words of the command, as the environment has it, else the first usual one there is; [] for none."""
        if program == "editor":
            return editor_command(self.environ)
        with suppress(ValueError):  # an unclosed quote
            if words := shlex.split(self.environ.get("PAGER", "")):
                return words
        path = self.environ.get("PATH")
        return next(([found] for name in _PAGERS if (found := shutil.which(name, path=path))), [])

    def show(self, text: str, suffix: str, program: Program) -> int:
        """Show ``text`` in the program until it is closed; its exit code. Blocks. Raises ``OSError``."""
        descriptor, name = tempfile.mkstemp(suffix=suffix, prefix="geekagent-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
                file.write(text)
            return self.run([*self.command(program), name])
        finally:
            Path(name).unlink(missing_ok=True)
