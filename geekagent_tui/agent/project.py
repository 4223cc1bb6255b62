"""The ``.geekagent`` folder of a project: its files, made private, and the project's own instructions."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from geekagent_tui.agent.settings import DEFAULT_TOOLS, SettingsError, os_reason
from geekagent_tui.memory import durable
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
        home = Path(named or ".geekagent")
        # A user that does not exist: then it is a folder of that name.
        with suppress(RuntimeError):
            home = home.expanduser()
        return cls(folder, folder / home)

    @property
    def config(self) -> Path:
        return self.home / "GeekAgent.json"

    @property
    def memory(self) -> Path:
        return self.home / "memory.json"

    @property
    def cache(self) -> Path:
        """What can be made anew: may be deleted at any time."""
        return self.home / "cache"

    @property
    def cases(self) -> Path:
        """The user's own recall set."""
        return self.home / "recall_cases.json"

    @property
    def verdicts(self) -> Path:
        """What the user said is not useful to which questions."""
        return self.home / "not_useful.json"

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
            if not os.path.lexists(self.config):
                write_private(self.config, default_config())
        except OSError as error:
            reason = os_reason(error, texts)
            if not self.home.is_dir():
                raise SettingsError(texts.folder_unusable.format(path=self.home, reason=reason)) from error
            # A folder that can only be read still lets one chat: the writes that fail will say so themselves.

    def instructions(self, root: Path) -> str:
        """The text of AGENTS.md at ``root``, its first 64 KB, "" when there is none or it can't be read."""
        path = root / "AGENTS.md"
        try:
            # A pipe of that name would be waited for without end.
            if not path.is_file():
                return ""
            with path.open("rb") as file:
                data = file.read(INSTRUCTIONS_LIMIT + 1)
        except OSError:
            return ""
        cut = len(data) > INSTRUCTIONS_LIMIT
        # A character that the limit cuts through is left out, not turned into a replacement character.
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        return decoder.decode(data[:INSTRUCTIONS_LIMIT], final=not cut)

    def instructions_notice(self, root: Path, texts: SettingsTexts = ZH) -> str:
        """What the user should know about AGENTS.md at ``root``: that not all of it is used. Else ""."""
        with suppress(OSError):
            if (root / "AGENTS.md").stat().st_size > INSTRUCTIONS_LIMIT:
                return texts.instructions_cut.format(limit=INSTRUCTIONS_LIMIT // 1024)
        return ""


def default_config() -> str:
    """``GeekAgent.json`` as it is written at the first start."""
    return json.dumps({"root": "..", "tools": DEFAULT_TOOLS}, indent=2) + "\n"


def write_private(path: Path, text: str) -> None:
    """Write a small file that only its owner can read: all of it, or none when the disk is full. Raises ``OSError``."""
    temporary = path.with_name(f"{path.name}.tmp-{os.getpid()}")
    try:
        with os.fdopen(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


@dataclass(frozen=True, slots=True)
class UiState:
    """What the interface remembers between starts. A damaged file is as good as none."""

    theme: str = ""

    @classmethod
    def load(cls, path: Path) -> UiState:
        try:
            data = json.loads(durable.read(path).decode())
        except (OSError, ValueError, RecursionError):
            return cls()
        theme = data.get("theme") if isinstance(data, dict) else None
        return cls(theme if isinstance(theme, str) else "")

    def save(self, path: Path) -> None:
        """Best effort: a theme that can't be remembered is not worth an error."""
        with suppress(OSError):
            write_private(path, json.dumps({"theme": self.theme}) + "\n")
