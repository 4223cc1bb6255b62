"""``geekagent doctor``: everything one asks first when something does not work, and never a key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from geekagent_tui.agent.models.local import LocalServer
from geekagent_tui.cli import doctor
from tests.cli.conftest import CommandLine
from tests.support.loopback import LoopbackServer, error_reply, json_reply

KEY = "sk-never-shown-0123456789"
MODELS = {"object": "list", "data": [{"id": "a"}, {"id": "b"}]}


@pytest.fixture(autouse=True)
def servers(monkeypatch: pytest.MonkeyPatch) -> list[LocalServer]:
    """The servers that are found on this machine: none, until a test adds one."""
    found: list[LocalServer] = []

    async def look() -> list[LocalServer]:
        return found

    monkeypatch.setattr(doctor, "find_local_servers", look)
    return found


def report(geekagent: CommandLine) -> tuple[int, Any]:
    result = geekagent("doctor", "--json")
    assert result.err == ""
    return result.code, json.loads(result.out)


def test_offline(geekagent: CommandLine, servers: list[LocalServer]) -> None:
    code, data = report(geekagent)
    assert code == 0
    assert "离线" in data["model"]["state"]
    assert {"textual", "openai", "pydantic", "numpy", "sqlite"} == set(data["packages"])
    assert data["config"]["OPENAI_API_KEY"] == {"value": "未设置", "from": "默认值"}
    servers.append(LocalServer("Ollama", "http://127.0.0.1:11434/v1", ("qwen",)))
    assert "Ollama" in report(geekagent)[1]["model"]["local"][0]


def test_looking_creates_nothing(geekagent: CommandLine) -> None:
    assert geekagent("doctor").code == 0
    assert list(geekagent.folder.iterdir()) == []


def test_where_each_value_came_from(geekagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer.in_thread() as server:
        server.route("/v1/models", json_reply(MODELS))
        geekagent.serve(server.base_url, KEY)
        monkeypatch.setenv("OPENAI_MODEL", "mine")
        code, data = report(geekagent)
        text = geekagent("doctor").out
    assert code == 0
    assert data["config"]["OPENAI_MODEL"] == {"value": "mine", "from": "环境变量"}
    assert data["config"]["OPENAI_API_KEY"] == {"value": "已设置", "from": ".env"}
    assert "2 个模型" in data["model"]["state"]
    assert "OPENAI_MODEL  mine  ← 环境变量" in text
    assert KEY not in text + json.dumps(data)


@pytest.mark.parametrize("status", [401, 500])
def test_a_service_that_refuses(geekagent: CommandLine, status: int) -> None:
    with LoopbackServer.in_thread() as server:
        server.route("/v1/models", error_reply(status, {"error": {"message": f"bad key {KEY}"}}))
        geekagent.serve(server.base_url, KEY)
        result = geekagent("doctor")
    assert result.code == 1
    assert str(status) in result.out
    assert KEY not in result.out


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:secret@example.org/v1?api-key=secret", "https://example.org/v1"),
        ("http://[::1]:8000", "http://[::1]:8000/v1"),
        ("http://u:secret@[::1", "http://[::1"),
        ("localhost:1234", "http://localhost:1234/v1"),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert doctor.shown_url(url) == shown


def test_broken_memory(geekagent: CommandLine) -> None:
    geekagent.remember()
    geekagent.memory.write_text("[", encoding="utf-8")
    code, data = report(geekagent)
    assert code == 4
    assert "memory.json 必须是字符串数组" in data["files"][str(geekagent.memory)]


def test_wrong_settings_and_the_rest_is_still_said(geekagent: CommandLine) -> None:
    config = geekagent.configure('{"root": 3}')
    code, data = report(geekagent)
    assert code == 3
    assert "字段 root" in data["config"]["error"]
    assert data["files"][str(config)].startswith("rw")
    assert "字段 root" in geekagent("doctor").out


def test_a_line_of_dotenv_that_makes_no_sense_is_said(geekagent: CommandLine) -> None:
    (geekagent.folder / ".env").write_text(f"{KEY} oops\n", encoding="utf-8")
    text = geekagent("doctor").out
    assert ".env 第 1 行" in text
    assert KEY not in text


def test_a_service_without_a_list_of_models_may_chat_all_the_same(geekagent: CommandLine) -> None:
    with LoopbackServer.in_thread() as server:
        server.route("/v1/models", error_reply(404, "nothing here"))
        geekagent.serve(server.base_url, KEY)
        code, data = report(geekagent)
    assert code == 0
    assert "没有提供模型列表" in data["model"]["state"]
    assert "hint" not in data["model"]


def test_hints_name_no_command_that_there_is_not(geekagent: CommandLine) -> None:
    geekagent.serve("http://127.0.0.1:9/v1", KEY)
    code, data = report(geekagent)
    assert code == 1
    assert "再试一次" in data["model"]["hint"]
    assert "/retry" not in data["model"]["hint"]


def test_tools_that_are_not_there_yet_are_marked(geekagent: CommandLine) -> None:
    tools = report(geekagent)[1]["config"]["tools"]
    assert tools["memory_write"] == "allow"
    assert tools["run_shell"] == "ask"
    assert not any("尚未提供" in policy for policy in tools.values())


def test_a_journal_that_can_not_be_read_is_named(geekagent: CommandLine) -> None:
    journal = geekagent.folder / ".geekagent" / "memory.db"
    journal.mkdir(parents=True)
    _, data = report(geekagent)
    assert "不" in data["files"][str(journal)]
    journal.rmdir()
    assert "没有" in report(geekagent)[1]["files"][str(journal)]
