"""``geekagent doctor``: what is installed, configured, on disk and reachable. Never prints a key."""

from __future__ import annotations

import argparse
import asyncio
import locale
import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from geekagent_tui import __version__
from geekagent_tui.agent.models.address import base_urls
from geekagent_tui.agent.models.base import ModelError
from geekagent_tui.agent.models.local import check_reachable, find_local_servers
from geekagent_tui.agent.project import Project
from geekagent_tui.agent.settings import MODEL_KEYS, Settings, SettingsError, load_settings
from geekagent_tui.agent.toolbox import TOOL_NAMES
from geekagent_tui.cli import exit_codes
from geekagent_tui.cli.console import Console
from geekagent_tui.cli.start import surroundings
from geekagent_tui.memory.memory import Memory
from geekagent_tui.texts.cli import ZH, outside_ui

_PACKAGES = ("textual", "openai", "pydantic", "numpy")
_NO_LIST = (404, 405, 501)
_TERMINAL = ("TERM", "COLORTERM", "TERM_PROGRAM", "LANG", "LC_ALL", "NO_COLOR", "TMUX", "SSH_TTY")


def run(options: argparse.Namespace, console: Console, environ: Mapping[str, str]) -> int:
    """Exit code 3 when the configuration is wrong, 4 when memory is, 1 when a configured model can't be reached."""
    around = surroundings(environ)
    project = Project.at(around.folder, environ)
    report: dict[str, Any] = {
        "version": __version__,
        "python": f"{platform.python_version()} ({sys.platform})",
        "packages": {name: version(name) for name in _PACKAGES} | {"sqlite": sqlite3.sqlite_version},
        "terminal": _terminal(environ),
        "folder": str(project.home),
    }
    code = exit_codes.OK
    try:
        settings = load_settings(
            folder=around.folder, project_file=project.config, user_file=around.user_file, environ=environ
        )
    except SettingsError as error:
        report["config"] = {"error": str(error)}
        code = exit_codes.SETTINGS
    else:
        report["config"] = _config(settings)
        report["model"], reached = asyncio.run(_model(settings))
        code = exit_codes.OK if reached else exit_codes.FAILED
    report["files"], sound = _files(project, around.user_file)
    if not sound and code != exit_codes.SETTINGS:
        code = exit_codes.MEMORY
    if options.json:
        console.json(report, indent=2)
    else:
        _show(report, console)
    return code


def _config(settings: Settings) -> dict[str, Any]:
    model = settings.model
    values = {
        "OPENAI_BASE_URL": shown_url(model.base_url),
        "OPENAI_API_KEY": ZH.doctor_set if model.api_key.get_secret_value() else ZH.doctor_unset,
        "OPENAI_MODEL": model.model or ZH.doctor_unset,
    }
    return {
        **{name: {"value": values[name], "from": model.origins[name]} for name in MODEL_KEYS},
        "root": str(settings.root),
        "tools": {
            name: policy if name in TOOL_NAMES else ZH.doctor_not_yet.format(policy=policy)
            for name, policy in settings.project.tools.items()
        },
        "recall": settings.project.recall.model_dump(),
        "notices": list(settings.notices),
    }


async def _model(settings: Settings) -> tuple[dict[str, Any], bool]:
    model = settings.model
    if not model.configured:
        servers = await find_local_servers()
        local = [
            ZH.doctor_local.format(name=server.name, url=server.base_url, count=len(server.models))
            for server in servers
        ]
        return {"state": ZH.doctor_offline, "local": local or [ZH.doctor_no_local]}, True
    found = await check_reachable(
        model.base_url,
        model.api_key.get_secret_value(),
        model=model.model,
        key_source=model.origins["OPENAI_API_KEY"],
    )
    if isinstance(found, ModelError):
        if found.status in _NO_LIST:
            # A service may do without the list; that a chat works is what counts.
            url = shown_url(model.base_url)
            return {"state": ZH.doctor_no_list.format(url=url, status=found.status)}, True
        return {"state": found.message, "hint": outside_ui(found.hint)}, False
    return {"state": ZH.doctor_reachable.format(count=len(found.models), url=shown_url(found.url))}, True


def shown_url(url: str) -> str:
    """An address without what may be secret in it: user name and password, and the query."""
    text = base_urls(url)[0]
    head, mark, rest = text.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{head}{mark}{authority.rpartition('@')[2]}{slash}{path}".partition("?")[0]


def _files(project: Project, user_file: Path) -> tuple[dict[str, str], bool]:
    files = {}
    for path in (project.home, project.config, project.database, project.home / "skills", user_file):
        files[str(path)] = _state(path)
    memory = Memory(project.memory)
    stats = memory.stats()
    if memory.problem is not None:
        files[str(project.memory)] = str(memory.problem)
    else:
        counted = ZH.memory_stats_line.format(entries=stats.entries, chunks=stats.chunks)
        files[str(project.memory)] = f"{_state(project.memory)}  {counted}"
    files[str(memory.ledger.path)] = memory.journal_problem() or _state(memory.ledger.path)
    return files, memory.problem is None


def _state(path: Path) -> str:
    try:
        status = path.stat()
    except OSError as error:
        return ZH.doctor_missing if isinstance(error, FileNotFoundError) else str(error.strerror)
    access = "rw" if os.access(path, os.W_OK) else "r-" if os.access(path, os.R_OK) else "--"
    return f"{access} {status.st_mode & 0o777:o}"


def _terminal(environ: Mapping[str, str]) -> dict[str, Any]:
    size = shutil.get_terminal_size()
    return {
        "size": f"{size.columns}×{size.lines}",
        "stdin": sys.stdin is not None and sys.stdin.isatty(),
        "stdout": sys.stdout is not None and sys.stdout.isatty(),
        "encoding": locale.getencoding(),
        **{name: environ[name] for name in _TERMINAL if environ.get(name)},
    }


def _show(report: Mapping[str, Any], console: Console) -> None:
    titles = {
        "version": ZH.doctor_version,
        "python": ZH.doctor_python,
        "packages": ZH.doctor_packages,
        "folder": ZH.doctor_folder,
        "config": ZH.doctor_config,
        "files": ZH.doctor_files,
        "terminal": ZH.doctor_terminal,
        "model": ZH.doctor_model,
    }
    names = {
        "notices": ZH.doctor_notices,
        "size": ZH.doctor_size,
        "stdin": ZH.doctor_stdin,
        "stdout": ZH.doctor_stdout,
        "encoding": ZH.doctor_encoding,
        "state": ZH.doctor_state,
        "hint": ZH.doctor_hint,
        "local": ZH.doctor_servers,
    }
    for key, title in titles.items():
        value = report.get(key)
        if value is None:
            continue
        if isinstance(value, str):
            console.print(f"{title}  {value}")
            continue
        console.print(title)
        for name, item in value.items():
            console.print(f"  {names.get(name, name)}  {_plain(item)}")


def _plain(item: object) -> str:
    if isinstance(item, Mapping) and set(item) == {"value", "from"}:
        return ZH.doctor_value.format(value=item["value"], origin=item["from"])
    if isinstance(item, Mapping):
        return "  ".join(f"{name}={value}" for name, value in item.items())
    if isinstance(item, list):
        return "；".join(str(each) for each in item) or "-"
    if isinstance(item, bool):
        return ZH.doctor_terminal_yes if item else ZH.doctor_terminal_no
    return str(item)
