"""The command line in this process, in a folder of its own; and, where it must be, as a process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from geekagent_tui.cli.main import main

STORY = "部署步骤：先跑 make test，再跑 make run。"


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as lines of JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


class CommandLine:
    """Runs ``geekagent`` in ``folder``."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    @property
    def geekagent(self) -> Path:
        return self.folder / ".geekagent"

    @property
    def memory(self) -> Path:
        return self.geekagent / "memory.json"

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Result:
        """Run in this process."""
        content = stdin if isinstance(stdin, bytes) else stdin.encode()
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))
        self._capsys.readouterr()
        try:
            code = main(arguments)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        out, err = self._capsys.readouterr()
        return Result(code, out, err)

    def remember(self, *entries: str) -> None:
        self.geekagent.mkdir(exist_ok=True)
        self.memory.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")

    def configure(self, text: str) -> Path:
        self.geekagent.mkdir(exist_ok=True)
        path = self.geekagent / "GeekAgent.json"
        path.write_text(text, encoding="utf-8")
        return path

    def serve(self, base_url: str, key: str = "sk-never-shown-0123456789") -> None:
        """Configure a service."""
        text = f"OPENAI_BASE_URL={base_url}\nOPENAI_API_KEY={key}\nOPENAI_MODEL=test-model\n"
        (self.folder / ".env").write_text(text, encoding="utf-8")


@pytest.fixture
def geekagent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return CommandLine(folder, monkeypatch, capsys)


def process(arguments: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """``geekagent`` as a process of its own, its streams piped unless ``options`` say otherwise."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **options.pop("env", {})}
    # Without a buffer nothing is left over for a reader who has gone.
    environ.pop("PYTHONUNBUFFERED", None)
    command = [sys.executable, "-m", "geekagent_tui", *arguments]
    return subprocess.Popen(command, env=environ, **{**pipes, **options})
