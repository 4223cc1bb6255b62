"""Where each setting comes from, and what a file that is wrong says."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import pytest

from geekagent_tui.agent.models.address import DEFAULT_BASE_URL
from geekagent_tui.agent.project import default_config
from geekagent_tui.agent.settings import Settings, SettingsError, load_settings
from geekagent_tui.agent.tools.clock import CurrentTime
from geekagent_tui.agent.tools.registry import RefuseAll, ToolRegistry
from geekagent_tui.texts.agent import ZH as AGENT
from geekagent_tui.texts.json_reasons import ZH, json_reason
from tests.support.turns import NOON

KEY = "sk-never-shown-0123456789"


@dataclass
class Around:
    """The files and the environment of a start."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def project(self) -> Path:
        return self.folder / ".geekagent" / "GeekAgent.json"

    @property
    def user(self) -> Path:
        return self.folder / "user" / "config.json"

    def write(self, content: str | bytes) -> None:
        self.project.write_bytes(content if isinstance(content, bytes) else content.encode())

    def write_user(self, values: Mapping[str, object] | str) -> None:
        self.user.parent.mkdir(exist_ok=True)
        self.user.write_text(values if isinstance(values, str) else json.dumps(values), encoding="utf-8")

    def dotenv(self, text: str | bytes) -> None:
        (self.folder / ".env").write_bytes(text if isinstance(text, bytes) else text.encode())

    def load(self) -> Settings:
        return load_settings(
            folder=self.folder, project_file=self.project, user_file=self.user, environ=self.environ
        )

    def refusal(self) -> str:
        with pytest.raises(SettingsError) as caught:
            self.load()
        return str(caught.value)


@pytest.fixture
def around(tmp_path: Path) -> Around:
    (tmp_path / ".geekagent").mkdir()
    return Around(tmp_path)


class TestOrigins:
    def test_without_anything_the_defaults_count(self, around: Around) -> None:
        settings = around.load()
        assert settings.model.base_url == DEFAULT_BASE_URL
        assert set(settings.model.origins.values()) == {"默认值"}
        assert not settings.model.configured
        assert settings.notices == ()
        assert settings.root == around.folder.resolve()

    @pytest.mark.parametrize(
        ("environment", "dotenv", "user", "value", "origin"),
        [
            ("e", "d", "u", "e", "环境变量"),
            (None, "d", "u", "d", ".env"),
            (None, None, "u", "u", "用户配置"),
            ("", "d", "u", "d", ".env"),
            ("  ", "", "u", "u", "用户配置"),
            (None, None, None, "", "默认值"),
        ],
    )
    @pytest.mark.parametrize("name", ["OPENAI_API_KEY", "OPENAI_MODEL"])
    def test_the_first_place_that_names_it_counts(
        self,
        around: Around,
        name: str,
        environment: str | None,
        dotenv: str | None,
        user: str | None,
        value: str,
        origin: str,
    ) -> None:
        if environment is not None:
            around.environ[name] = environment
        if dotenv is not None:
            around.dotenv(f"{name}={dotenv}\n")
        if user is not None:
            around.write_user({name: user})
        model = around.load().model
        assert {
            "OPENAI_API_KEY": model.api_key.get_secret_value(),
            "OPENAI_MODEL": model.model,
        }[name] == value
        assert model.origins[name].startswith(origin)

    def test_each_value_has_its_own_origin(self, around: Around) -> None:
        around.environ["OPENAI_MODEL"] = "m"
        around.dotenv(f"export OPENAI_API_KEY='{KEY}'\n")
        around.write_user({"OPENAI_BASE_URL": "https://example.org/v1"})
        model = around.load().model
        assert model.origins == {
            "OPENAI_MODEL": "环境变量",
            "OPENAI_API_KEY": ".env",
            "OPENAI_BASE_URL": f"用户配置 {around.user}",
        }
        assert model.configured

    def test_the_process_environment_is_neither_read_nor_changed(
        self, around: Around, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_MODEL", "of-the-process")
        around.dotenv("OPENAI_API_KEY=k\n")
        assert around.load().model.model == ""
        assert "OPENAI_API_KEY" not in os.environ

    def test_a_key_is_not_shown_by_accident(self, around: Around) -> None:
        around.environ["OPENAI_API_KEY"] = KEY
        assert KEY not in repr(around.load())


class TestConfigured:
    @pytest.mark.parametrize(
        ("url", "key", "model", "configured"),
        [
            ("https://example.org/v1", "k", "m", True),
            ("https://example.org/v1", "", "m", False),
            ("http://localhost:11434/v1", "", "m", True),
            ("http://127.0.0.1:8080", "", "m", True),
            ("http://[::1]:8000/v1", "", "m", True),
            ("localhost:11434", "", "m", True),
            ("http://localhost:11434/v1", "", "", False),
            ("http://localhost.example.org/v1", "", "m", False),
            ("http://[::1", "", "m", False),
            ("::::", "", "m", False),
        ],
    )
    def test_a_service_on_this_machine_needs_no_key(
        self, around: Around, url: str, key: str, model: str, configured: bool
    ) -> None:
        around.environ |= {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": key, "OPENAI_MODEL": model}
        assert around.load().model.configured is configured

    @pytest.mark.parametrize(
        ("values", "named"),
        [
            ({"OPENAI_API_KEY": "k"}, "OPENAI_MODEL"),
            ({"OPENAI_BASE_URL": "http://localhost:1234/v1"}, "OPENAI_MODEL"),
            (
                {"OPENAI_BASE_URL": "https://u:secret@example.org/v1", "OPENAI_MODEL": "m"},
                "OPENAI_API_KEY",
            ),
        ],
    )
    def test_half_a_configuration_says_what_is_missing(
        self, around: Around, values: dict[str, str], named: str
    ) -> None:
        around.environ |= values
        (notice,) = around.load().notices
        assert named in notice
        assert "secret" not in notice


class TestDotenv:
    @pytest.mark.parametrize(
        ("line", "shown"),
        [
            (f"OPENAI_API_KEY='{KEY}", "OPENAI_API_KEY"),
            (f'export OPENAI_API_KEY="{KEY}', "OPENAI_API_KEY"),
            (KEY, "…"),
            (f"{KEY} and more", "…"),
            (f"OPENAI_API_KEY {KEY}", "…"),
            (f"my key={KEY}", "…"),
        ],
    )
    def test_a_line_that_makes_no_sense_is_said_without_its_value(
        self, around: Around, line: str, shown: str
    ) -> None:
        around.dotenv(f"# ours\nOPENAI_MODEL=m\n{line}\n")
        settings = around.load()
        notice = next(notice for notice in settings.notices if ".env 第" in notice)
        assert "第 3 行" in notice
        assert f"（{shown}）" in notice
        assert KEY not in "".join(settings.notices)
        assert settings.model.model == "m"

    def test_a_value_with_a_dollar_is_that_value(self, around: Around) -> None:
        around.environ["HOME"] = "/home/x"
        around.dotenv("OPENAI_API_KEY=k${HOME}$x\nOPENAI_MODEL=m\n")
        assert around.load().model.api_key.get_secret_value() == "k${HOME}$x"

    def test_a_byte_order_mark_and_bytes_that_are_no_utf8_do_no_harm(self, around: Around) -> None:
        around.dotenv(b"\xef\xbb\xbfOPENAI_MODEL=m\n# \xff\xfe\n")
        settings = around.load()
        assert settings.model.model == "m"
        assert settings.notices == ()

    def test_one_that_can_not_be_read_is_said(self, around: Around) -> None:
        (around.folder / ".env").mkdir()
        (notice,) = around.load().notices
        assert ".env" in notice


class TestProjectFile:
    def test_the_default_file_is_the_default(self, around: Around) -> None:
        missing = around.load().project
        around.write(default_config())
        assert around.load().project == missing

    def test_root_is_relative_to_the_file(self, around: Around) -> None:
        (around.folder / "src").mkdir()
        around.write('{"root": "../src"}')
        assert around.load().root == (around.folder / "src").resolve()

    def test_a_byte_order_mark_is_no_error(self, around: Around) -> None:
        around.write(b'\xef\xbb\xbf{"root": ".."}')
        assert around.load().project.root == ".."

    def test_a_tool_that_is_named_nowhere_is_denied(self, around: Around) -> None:
        around.write('{"tools": {"memory_write": "allow"}}')
        policies = around.load().project.tools
        assert policies == {"memory_write": "allow"}
        registry = ToolRegistry((CurrentTime(lambda: NOON, AGENT),), policies, RefuseAll(), AGENT)
        assert registry.specs() == ()

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ('{\n  "root": "..",\n}', ("第 3 行第 1 列", "JSON")),
            ("", ("第 1 行第 1 列",)),
            ('{"tools": {"ls": "allow"} "root": ".."}', ("第 1 行第 27 列",)),
            ("[]", ("JSON 对象",)),
            ("null", ("JSON 对象",)),
            ('{"permissions": {}}', ("字段 permissions", "root、tools")),
            ('{"tools": {"run_shell": "yes"}}', ("字段 tools.run_shell", "allow、ask 或 deny")),
            ('{"tools": {"run_shell": "ALLOW"}}', ("字段 tools.run_shell", "allow、ask 或 deny")),
            ('{"tools": {"run_shell": true}}', ("字段 tools.run_shell", "allow、ask 或 deny")),
            ('{"tools": ["run_shell"]}', ("字段 tools", "JSON 对象")),
            ('{"root": 3}', ("字段 root", "字符串")),
            ('{"root": "../nowhere"}', ("字段 root", "nowhere", "不存在")),
            ('{"root": "a\\u0000b"}', ("字段 root", "不存在")),
            ('{"root": "\\ud800"}', ("字段 root", "不存在")),
            ('{"recall": {"profile": "best"}}', ("字段 recall.profile", "best", "classic")),
            ('{"recall": {"top": 5}}', ("字段 recall.top", "profile、top_k")),
            ('{"recall": {"top_k": 0}}', ("字段 recall.top_k", "不能小于 1")),
            ('{"recall": {"top_k": 51}}', ("字段 recall.top_k", "不能大于 50")),
            ('{"recall": {"top_k": "5"}}', ("字段 recall.top_k", "整数")),
            ('{"timeout_seconds": 0}', ("字段 timeout_seconds", "大于 0")),
            ('{"timeout_seconds": Infinity}', ("字段 timeout_seconds", "数字")),
            ('{"timeout_seconds": "long"}', ("字段 timeout_seconds", "数字")),
            ('{"tools": {"ls": "deny", "ls": "allow"}}', ("ls", "两次")),
            (b'{"root": "\xff"}', ("UTF-8", "第 11 个字节")),
            ("[" * 100_000, ("套得太深",)),
            ('{"context_window": ' + "9" * 5_000 + "}", ("JSON",)),
        ],
    )
    def test_what_can_not_be_understood_stops_the_start(
        self, around: Around, content: str | bytes, expected: tuple[str, ...]
    ) -> None:
        around.write(content)
        refusal = around.refusal()
        for part in (str(around.project), "权限不会被悄悄放宽", *expected):
            assert part in refusal
        assert "\n" not in refusal
        assert "Input should" not in refusal

    def test_a_link_that_leads_nowhere_is_not_taken_for_no_file(self, around: Around) -> None:
        around.project.symlink_to(around.folder / "gone.json")
        assert str(around.project) in around.refusal()

    def test_a_folder_in_its_place_stops_the_start(self, around: Around) -> None:
        around.project.mkdir()
        assert "读不了" in around.refusal()


class TestUserFile:
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            ("{", "第 1 行第 2 列"),
            ('{"OPENAI_KEY": "' + KEY + '"}', "字段 OPENAI_KEY"),
            ('{"OPENAI_API_KEY": 5}', "字段 OPENAI_API_KEY"),
            ('{"OPENAI_API_KEY": "' + KEY + '" x}', "第 1 行"),
        ],
    )
    def test_a_wrong_one_is_said_without_its_values(
        self, around: Around, content: str, expected: str
    ) -> None:
        around.write_user(content)
        refusal = around.refusal()
        assert expected in refusal
        assert str(around.user) in refusal
        assert KEY not in refusal


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("make", "said"), [(_pipe, "不是普通文件"), (_device, "不是普通文件"), (Path.mkdir, "是一个文件夹")]
)
def test_what_is_no_file_is_said_and_never_waited_for(
    around: Around, make: Callable[[Path], None], said: str
) -> None:
    (around.folder / ".env").unlink(missing_ok=True)
    make(around.folder / ".env")
    assert any(said in notice for notice in around.load().notices)
    (around.folder / ".env").rmdir() if make is Path.mkdir else (around.folder / ".env").unlink()
    around.project.unlink(missing_ok=True)
    make(around.project)
    with pytest.raises(SettingsError, match=said):
        around.load()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '{"root"',
        '{"root": ',
        '{"root": ".." "tools"',
        '{"root": "',
        '{"root": "\\x"}',
        '{"root": "\\u12"}',
        "{} {}",
        "{,}",
        '{"root": "\n"}',
        '{"root": "..",}',
        '{"a": [1,]}',
    ],
)
def test_what_is_wrong_with_json_is_said_in_the_users_language(content: str) -> None:
    with pytest.raises(json.JSONDecodeError) as failed:
        json.loads(content)
    assert json_reason(failed.value.msg) in {getattr(ZH, each.name) for each in fields(ZH)}
