"""The ``.geekagent`` folder of a project: its files, made private, and the project's own instructions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from geekagent_tui.agent.settings import DEFAULT_TOOLS, SettingsError
from geekagent_tui.texts.settings import ZH, SettingsTexts

HOME_VARIABLE = "GEEKAGENT_HOME"
INSTRUCTIONS_LIMIT = 64 * 1024
"""Bytes of AGENTS.md that go into a prompt at most."""


@dataclass(frozen=True, slots=True)
class Project:
    """``folder`` is the working folder, ``home`` its ``.geekagent``."""

    folder: Path
    home: Path

    @classmethod
    def at(cls, folder: Path, environ: Mapping[str, str]) -> Project:
        """The project of a working folder; ``GEEKAGENT_HOME`` may name another ``.geekagent`` folder."""
        named = environ.get(HOME_VARIABLE, "").strip()
        return cls(folder, Path(named).expanduser() if named else folder / ".geekagent")

    @property
    def config(self) -> Path:
        return self.home / "GeekAgent.json"

    @property
    def memory(self) -> Path:
        return self.home / "memory.json"

    @property
    def database(self) -> Path:
        return self.home / "geekagent.db"

    @property
    def state(self) -> Path:
        return self.home / "ui.json"

    def prepare(self, texts: SettingsTexts = ZH) -> None:
        """Create the folder (0700) and a ``GeekAgent.json`` with defaults (0600) where there is none.

        Raises ``SettingsError``.
        """
        try:
            self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
            # One that git has checked out is as open as the umask; what we put in it is private.
            with suppress(PermissionError):
                self.home.chmod(0o700)
            with suppress(FileExistsError):
                write_private(self.config, default_config(), exclusive=True)
        except OSError as error:
            reason = error.strerror or str(error)
            if not self.home.is_dir():
                raise SettingsError(texts.folder_unusable.format(path=self.home, reason=reason)) from error
            # A folder that can only be read still lets one chat: the writes that fail will say so themselves.

    def instructions(self, root: Path) -> str:
        """The text of AGENTS.md at ``root``, its first 64 KB, "" when there is none or it can't be read."""
        try:
            with (root / "AGENTS.md").open("rb") as file:
                data = file.read(INSTRUCTIONS_LIMIT)
        except OSError:
            return ""
        return data.decode("utf-8-sig", errors="replace")


def default_config() -> str:
    """``GeekAgent.json`` as it is written at the first start."""
    return json.dumps({"root": "..", "tools": DEFAULT_TOOLS}, indent=2) + "\n"


def write_private(path: Path, text: str, *, exclusive: bool = False) -> None:
    """Write a small file that only its owner can read. Raises ``OSError``."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_EXCL if exclusive else os.O_TRUNC)
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


@dataclass(frozen=True, slots=True)
class UiState:
    """What the interface remembers between starts. A damaged file is as good as none."""

    theme: str = ""

    @classmethod
    def load(cls, path: Path) -> UiState:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return cls()
        theme = data.get("theme") if isinstance(data, dict) else None
        return cls(theme if isinstance(theme, str) else "")

    def save(self, path: Path) -> None:
        """Best effort: a theme that can't be remembered is not worth an error."""
        with suppress(OSError):
            temporary = path.with_suffix(".tmp")
            write_private(temporary, json.dumps({"theme": self.theme}) + "\n")
            temporary.replace(path)
