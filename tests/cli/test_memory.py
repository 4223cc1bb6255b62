"""``geekagent memory``: list, add, stats; and nothing is overwritten that can't be read."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.conftest import CommandLine


def test_add_then_list_then_stats(geekagent: CommandLine) -> None:
    added = geekagent("memory", "add", "  部署窗口是周四  ")
    assert (added.code, added.out, added.err) == (0, "已记住：部署窗口是周四\n", "")
    assert json.loads(geekagent.memory.read_text(encoding="utf-8")) == ["部署窗口是周四"]
    assert geekagent("memory", "list").out == "长期记忆（1 条）：\n1. 部署窗口是周四\n"
    assert geekagent("memory", "list", "--json").lines == [["部署窗口是周四"]]
    assert geekagent("memory", "stats").out.startswith("记忆  1 条 / 1 块\n")
    assert geekagent("memory", "stats", "--json").lines == [
        {"entries": 1, "chunks": 1, "file": str(geekagent.memory)}
    ]


def test_the_files_are_private(geekagent: CommandLine) -> None:
    geekagent("memory", "add", "x")
    assert geekagent.geekagent.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in geekagent.geekagent.iterdir()} == {0o600}


def test_an_empty_memory(geekagent: CommandLine) -> None:
    assert geekagent("memory", "list").out == "（暂无长期记忆）\n"
    assert geekagent("memory", "list", "--json").lines == [[]]
    assert not geekagent.geekagent.exists()


def test_add_from_standard_input(geekagent: CommandLine) -> None:
    assert geekagent("memory", "add", "-", stdin="第一行\n第二行\n").code == 0
    assert json.loads(geekagent.memory.read_text(encoding="utf-8")) == ["第一行\n第二行"]


def test_what_is_known_already_is_no_error(geekagent: CommandLine) -> None:
    geekagent("memory", "add", "x")
    again = geekagent("memory", "add", "x")
    assert (again.code, again.out) == (0, "这条记忆已经存在\n")
    assert geekagent("memory", "add", "x", "--json").lines == [
        {"stored": False, "text": "这条记忆已经存在", "entries": 1}
    ]


def test_nothing_to_add(geekagent: CommandLine) -> None:
    result = geekagent("memory", "add", " ")
    assert (result.code, result.out, result.err) == (1, "", "缺少参数 content\n")


@pytest.mark.parametrize("command", [["list"], ["stats"], ["add", "x"], ["add", "x", "--json"]])
def test_a_broken_memory_is_left_as_it_is(geekagent: CommandLine, command: list[str]) -> None:
    geekagent.remember()
    geekagent.memory.write_text('["a",\n  5]', encoding="utf-8")
    result = geekagent("memory", *command)
    assert (result.code, result.out) == (4, "")
    assert "memory.json 必须是字符串数组" in result.err
    assert "第 2 行第 3 列" in result.err
    assert geekagent.memory.read_text(encoding="utf-8") == '["a",\n  5]'


def test_a_write_that_fails_is_said(geekagent: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    geekagent.configure("{}")
    geekagent.remember("old")
    monkeypatch.setattr(os, "fsync", full)
    result = geekagent("memory", "add", "new")
    assert (result.code, result.out) == (4, "")
    assert "磁盘已满" in result.err
    assert json.loads(geekagent.memory.read_text(encoding="utf-8")) == ["old"]


def test_json_may_stand_before_and_after_the_action(geekagent: CommandLine) -> None:
    geekagent.remember("一")
    for arguments in (("memory", "--json", "list"), ("memory", "list", "--json")):
        assert json.loads(geekagent(*arguments).out) == ["一"]
