"""Configuration: where the model is, and what the tools may do. Every value knows where it came from.

Order for the model: environment, ``.env`` in the working folder, the user's configuration file. Permissions come
from ``GeekAgent.json`` alone; a file that can't be understood stops the start, nothing is guessed.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from ipaddress import ip_address
from pathlib import Path
from re import compile as pattern
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from geekagent_tui.agent.models.address import DEFAULT_BASE_URL, base_urls, host_of
from geekagent_tui.agent.tools.base import Policy
from geekagent_tui.memory import durable
from geekagent_tui.memory.profiles import profile_named
from geekagent_tui.memory.rules import BUDGET
from geekagent_tui.texts.json_reasons import json_reason
from geekagent_tui.texts.settings import ZH, SettingsTexts

AUTO = "auto"
"""The profile that means: the best there is."""
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
    "memory_update": "ask",
    "memory_forget": "ask",
    "run_shell": "ask",
    "write": "ask",
    "patch": "ask",
    "fetch": "ask",
}


Model = TypeVar("Model", bound=BaseModel)


class SettingsError(Exception):
    """The configuration can't be used. The text names file, place, reason and what to do."""


class RecallSettings(BaseModel):
    """``profile``: how recall scores, ``auto`` for the best there is; ``top_k``: passages a turn at most; ``budget``:
    characters of recalled text a turn at most."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    profile: str = AUTO
    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    budget: Annotated[int, Field(ge=200, le=100_000)] = BUDGET


class ProjectFile(BaseModel):
    """``GeekAgent.json``. ``root`` is relative to the file; a tool that ``tools`` does not name is denied."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    root: str = ".."
    tools: dict[str, Policy] = Field(default_factory=lambda: dict(DEFAULT_TOOLS))
    recall: RecallSettings = RecallSettings()
    context_window: Annotated[int, Field(ge=1_000)] = 128_000
    timeout_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 180.0


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
        """Whether a request can be made: with a key, or without one to a named model on this machine."""
        key = bool(self.api_key.get_secret_value())
        return key or (bool(self.model) and self.local)

    @property
    def local(self) -> bool:
        """Whether the service is on this machine."""
        return _loopback(base_urls(self.base_url)[0])


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
    project = _read(project_file, ProjectFile, texts, texts.todo_config)

    def wrong(field: str, reason: str) -> SettingsError:
        where = texts.at_field.format(field=field)
        return SettingsError(
            texts.problem.format(path=project_file, where=where, reason=reason, todo=texts.todo_config)
        )

    try:
        root = (project_file.parent / project.root).resolve()
        found = root.is_dir()
    except (OSError, RuntimeError, ValueError):
        # A loop of links, a NUL, half a character: no folder has such a name.
        root, found = Path(project.root), False
    if not found:
        raise wrong("root", texts.root_missing.format(root=root))
    if project.recall.profile != AUTO:
        try:
            profile_named(project.recall.profile)
        except ValueError as error:
            raise wrong("recall.profile", str(error)) from error
    user = _read(user_file, UserFile, texts, texts.todo_user)
    dotenv, notices = _dotenv(folder / ".env", texts)
    model = _model(environ, dotenv, user, user_file, texts)
    return Settings(model, project, root, (*notices, *_half_configured(model, texts)))


def _half_configured(model: ModelSettings, texts: SettingsTexts) -> tuple[str, ...]:
    """What is missing where somebody has begun to configure a model."""
    key, given = (
        bool(model.api_key.get_secret_value()),
        model.origins["OPENAI_BASE_URL"] != texts.from_default,
    )
    if not model.model and (key or (given and model.local)):
        return (texts.model_missing,)
    if not key and given and not model.local:
        return (texts.key_missing.format(host=host_of(base_urls(model.base_url)[0]).rpartition("@")[2]),)
    return ()


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


def dotenv_values(path: Path) -> dict[str, str]:
    """The values of a ``.env`` file as it is now; none when there is none or it can't be read."""
    return _dotenv(path, ZH)[0]


def _dotenv(path: Path, texts: SettingsTexts) -> tuple[dict[str, str], tuple[str, ...]]:
    """The values of a ``.env`` file, and a notice for each line that is none. Values are never interpolated: a key
    with a ``$`` in it is a key."""
    try:
        text = durable.read(path).decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return {}, ()
    except OSError as error:
        reason = texts.unreadable.format(reason=os_reason(error, texts))
        return {}, (texts.problem.format(path=path, where="", reason=reason, todo=""),)
    values: dict[str, str] = {}
    notices = []
    for binding in parse_stream(StringIO(text)):
        if binding.error or (binding.key is not None and binding.value is None):
            # The line may be a key and nothing else: only what is plainly a name is shown, to find it by.
            name = _NAME.match(binding.original.string)
            shown = name[1] if name else "…"
            notices.append(texts.dotenv_line.format(line=binding.original.line, text=shown))
        elif binding.key is not None and binding.value is not None:
            values[binding.key] = binding.value
    return values, tuple(notices)


def os_reason(error: OSError, texts: SettingsTexts = ZH) -> str:
    """Why the system did not let us, for a person."""
    match error:
        case durable.NotRegularError():
            return texts.os_not_regular
        case IsADirectoryError():
            return texts.os_folder
        case NotADirectoryError():
            return texts.os_no_folder
        case PermissionError():
            return texts.os_permission
    by_number = {
        errno.EROFS: texts.os_read_only,
        errno.ENOSPC: texts.os_full,
        errno.ELOOP: texts.os_loop,
        errno.EBADF: texts.os_closed,
    }
    return by_number.get(error.errno or 0, error.strerror or str(error))


_NAME = pattern(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]{0,60})\s*=")


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
    """Read and check one JSON file; without it, the defaults. Raises ``SettingsError`` naming line or field."""

    def problem(reason: str, where: str = "") -> SettingsError:
        return SettingsError(texts.problem.format(path=path, where=where, reason=reason, todo=todo))

    try:
        content = durable.read(path)
    except OSError as error:
        # A link that leads nowhere is not "no file": somebody's permissions stood there.
        if isinstance(error, FileNotFoundError | NotADirectoryError) and not path.is_symlink():
            return model()
        raise problem(texts.unreadable.format(reason=os_reason(error, texts))) from error
    try:
        data = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_pairs)
    except UnicodeDecodeError as error:
        raise problem(texts.not_utf8.format(position=error.start + 1)) from error
    except json.JSONDecodeError as error:
        where = texts.at_line.format(line=error.lineno, column=error.colno)
        raise problem(texts.not_json.format(reason=json_reason(error.msg)), where) from error
    except _TwiceError as error:
        raise problem(texts.duplicate.format(key=error)) from error
    except RecursionError as error:
        raise problem(texts.too_deep) from error
    except ValueError as error:
        # A number of more digits than Python converts.
        raise problem(texts.not_json.format(reason=error)) from error
    if not isinstance(data, dict):
        raise problem(texts.not_object)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = texts.at_field.format(field=".".join(str(part) for part in first["loc"]))
        if first["type"] == "extra_forbidden":
            reason = texts.unknown_field.format(fields="、".join(_fields(model, first["loc"])))
        elif first["type"] in _REASONS:
            reason = str(getattr(texts, _REASONS[first["type"]])).format(**first.get("ctx", {}))
        else:
            reason = first["msg"]
        raise problem(reason, where) from error


_REASONS = {
    "literal_error": "bad_policy",
    "string_type": "not_string",
    "dict_type": "not_object",
    "model_type": "not_object",
    "int_type": "not_integer",
    "float_type": "not_number",
    "finite_number": "not_number",
    "greater_than_equal": "too_small",
    "greater_than": "not_positive",
    "less_than_equal": "too_large",
}
"""What Pydantic calls an error → the text for it."""


def _fields(model: type[BaseModel], place: tuple[int | str, ...]) -> tuple[str, ...]:
    """The fields that there are where ``place`` names one that is not."""
    for part in place[:-1]:
        inner = model.model_fields[str(part)].annotation
        assert isinstance(inner, type)
        assert issubclass(inner, BaseModel)
        model = inner
    return tuple(model.model_fields)


def _loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
