"""What is written down about permissions, and which values are secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from geekagent_tui.agent.project import write_private
from geekagent_tui.agent.settings import dotenv_values
from geekagent_tui.memory import durable


def allow_always(config: Path, tool: str) -> None:
    """Set one tool to "allow" in ``GeekAgent.json``: in one step, all other fields as they are. A file that is not what
    it must be is left alone. Raises ``OSError`` and ``ValueError``."""
    data = json.loads(durable.read(config).decode("utf-8-sig"))
    if not isinstance(data, dict) or not isinstance(data.setdefault("tools", {}), dict):
        raise ValueError(str(config))
    data["tools"][tool] = "allow"
    write_private(config, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def known_secrets(folder: Path, user_file: Path, environ: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """All variables among which secrets are: the environment, ``.env``, the user's configuration."""
    try:
        data = json.loads(durable.read(user_file).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        data = {}
    own = (
        {name: value for name, value in data.items() if isinstance(value, str)}
        if isinstance(data, dict)
        else {}
    )
    return environ, dotenv_values(folder / ".env"), own
