"""Configuration: where the model is, and what the tools may do. Every value knows where it came from.

Order for the model: environment, ``.env`` in the working folder, the user's configuration file. Permissions come
from ``GeekAgent.json`` alone; a file that can't be understood stops the start, nothing is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from geekagent_tui.agent.tools.base import Policy
from geekagent_tui.texts.settings import ZH, SettingsTexts

DEFAULT_BASE_URL = "https://api.openai.com/v1"
MODEL_KEYS = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL")

DEFAULT_TOOLS: dict[str, Policy] = {
    "get_current_time": "allow",
    "ls": "allow",
    "read": "allow",
    "glob": "allow",
    "search": "allow",
    "todo_write": "allow",
    "delegate_task": "allow",
    "memory_write": "allow",
    "memory_search": "allow",
    "run_shell": "ask",
    "write": "ask",
    "patch": "ask",
    "fetch": "ask",
}


Model = TypeVar("Model", bound=BaseModel)


class SettingsError(Exception):
    """The configuration can't be used. The text names file, place, reason and what to do."""


class RecallSettings(BaseModel):
    """``profile``: how recall scores, ``auto`` for the best there is; ``top_k``: passages a turn at most."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    profile: str = "auto"
    top_k: Annotated[int, Field(ge=1, le=50)] = 5


class ProjectFile(BaseModel):
    """``GeekAgent.json``. ``root`` is relative to the file; a tool that ``tools`` does not name is denied."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    root: str = ".."
    tools: dict[str, Policy] = Field(default_factory=lambda: dict(DEFAULT_TOOLS))
    recall: RecallSettings = RecallSettings()
    context_window: Annotated[int, Field(ge=1_000)] = 128_000
    timeout_seconds: Annotated[float, Field(gt=0)] = 180.0


class UserFile(BaseModel):
    """The user's own configuration, for all projects."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    OPENAI_BASE_URL: str = ""
    OPENAI_API_KEY: str = ""
    OPENAI_MODEL: str = ""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Where the model is. ``origins`` says for each of ``MODEL_KEYS`` where its value came from."""

    base_url: str
    api_key: SecretStr
    model: str
    origins: Mapping[str, str]

    @property
    def configured(self) -> bool:
        """Whether a request can be made: a key, or a service on this machine, which needs none, and a model."""
        key = bool(self.api_key.get_secret_value())
        return key or (bool(self.model) and _loopback(self.base_url))


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a start. ``notices`` are what the user should know although the start goes on."""

    model: ModelSettings
    project: ProjectFile
    root: Path
    notices: tuple[str, ...] = field(default=())


def load_settings(
    *,
    folder: Path,
    project_file: Path,
    user_file: Path,
    environ: Mapping[str, str],
    texts: SettingsTexts = ZH,
) -> Settings:
    """Read everything. ``folder`` is the working folder with ``.env``. Raises ``SettingsError``."""
    project = ProjectFile()
    if project_file.exists():
        project = _read(project_file, ProjectFile, texts, texts.todo_config)
    root = (project_file.parent / project.root).resolve()
    if not root.is_dir():
        where = texts.at_field.format(field="root")
        reason = texts.root_missing.format(root=root)
        raise SettingsError(
            texts.problem.format(path=project_file, where=where, reason=reason, todo=texts.todo_config)
        )
    user = _read(user_file, UserFile, texts, texts.todo_user) if user_file.exists() else UserFile()
    dotenv, notices = _dotenv(folder / ".env", texts)
    return Settings(_model(environ, dotenv, user, user_file, texts), project, root, notices)


def _model(
    environ: Mapping[str, str],
    dotenv: Mapping[str, str],
    user: UserFile,
    user_file: Path,
    texts: SettingsTexts,
) -> ModelSettings:
    sources: tuple[tuple[str, Mapping[str, str]], ...] = (
        (texts.from_environment, environ),
        (texts.from_dotenv, dotenv),
        (texts.from_user.format(path=user_file), user.model_dump()),
    )
    values = {"OPENAI_BASE_URL": DEFAULT_BASE_URL, "OPENAI_API_KEY": "", "OPENAI_MODEL": ""}
    origins = dict.fromkeys(MODEL_KEYS, texts.from_default)
    for name in MODEL_KEYS:
        for origin, source in sources:
            # An empty value counts as not set: `export OPENAI_API_KEY=` is how people unset it.
            if value := source.get(name, "").strip():
                values[name], origins[name] = value, origin
                break
    return ModelSettings(
        values["OPENAI_BASE_URL"], SecretStr(values["OPENAI_API_KEY"]), values["OPENAI_MODEL"], origins
    )


def _dotenv(path: Path, texts: SettingsTexts) -> tuple[dict[str, str], tuple[str, ...]]:
    """The values of a ``.env`` file, and a notice for each line that is none. Values are never interpolated: a key
    with a ``$`` in it is a key."""
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError:
        return {}, ()
    except OSError as error:
        reason = texts.unreadable.format(reason=error.strerror)
        return {}, (texts.problem.format(path=path, where="", reason=reason, todo=""),)
    values: dict[str, str] = {}
    notices = []
    for binding in parse_stream(StringIO(text)):
        if binding.error:
            # The line may hold half of a key: its name is enough to find it by.
            shown = binding.original.string.strip().partition("=")[0][:40]
            notices.append(texts.dotenv_line.format(line=binding.original.line, text=shown))
        elif binding.key is not None and binding.value is not None:
            values[binding.key] = binding.value
    return values, tuple(notices)


class _TwiceError(ValueError):
    """A JSON object names a key twice: which one counts is anybody's guess, so neither does."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise _TwiceError(key)
        seen[key] = value
    return seen


def _read(path: Path, model: type[Model], texts: SettingsTexts, todo: str) -> Model:
    """Read and check one JSON file. Raises ``SettingsError`` naming the line or the field."""

    def problem(reason: str, where: str = "") -> SettingsError:
        return SettingsError(texts.problem.format(path=path, where=where, reason=reason, todo=todo))

    try:
        data = json.loads(path.read_bytes().decode("utf-8-sig"), object_pairs_hook=_pairs)
    except OSError as error:
        raise problem(texts.unreadable.format(reason=error.strerror)) from error
    except UnicodeDecodeError as error:
        raise problem(texts.not_utf8.format(position=error.start + 1)) from error
    except json.JSONDecodeError as error:
        where = texts.at_line.format(line=error.lineno, column=error.colno)
        raise problem(texts.not_json.format(reason=error.msg), where) from error
    except _TwiceError as error:
        raise problem(texts.duplicate.format(key=error)) from error
    except RecursionError as error:
        raise problem(texts.not_json.format(reason="nested too deep")) from error
    if not isinstance(data, dict):
        raise problem(texts.not_object)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = texts.at_field.format(field=".".join(str(part) for part in first["loc"]))
        if first["type"] == "extra_forbidden":
            reason = texts.unknown_field.format(fields="、".join(model.model_fields))
        elif first["type"] == "literal_error":
            reason = texts.bad_policy
        else:
            reason = texts.bad_value.format(reason=first["msg"])
        raise problem(reason, where) from error


def _loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
