"""The ``.geekagent`` folder: made private, and gentle with what is there."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from geekagent_tui.agent.project import INSTRUCTIONS_LIMIT, Project, UiState, default_config, write_private
from geekagent_tui.agent.settings import SettingsError


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


class TestFolder:
    def test_it_stands_in_the_working_folder(self, tmp_path: Path) -> None:
        project = Project.at(tmp_path, {})
        assert project.home == tmp_path / ".geekagent"
        for path, name in (
            (project.config, "GeekAgent.json"),
            (project.memory, "memory.json"),
            (project.database, "geekagent.db"),
            (project.state, "ui.json"),
        ):
            assert path == project.home / name

    @pytest.mark.parametrize(
        ("named", "home"),
        [("", ".geekagent"), ("  ", ".geekagent"), ("other", "other"), ("~nobody-here/x", "~nobody-here/x")],
    )
    def test_a_variable_may_name_another(self, tmp_path: Path, named: str, home: str) -> None:
        assert Project.at(tmp_path, {"GEEKAGENT_HOME": named}).home == tmp_path / home

    def test_a_whole_path_is_taken_as_it_is(self, tmp_path: Path) -> None:
        assert Project.at(Path("/somewhere"), {"GEEKAGENT_HOME": str(tmp_path)}).home == tmp_path

    def test_the_first_start_makes_it_private(self, tmp_path: Path) -> None:
        project = Project.at(tmp_path, {})
        before = os.umask(0)
        try:
            project.prepare()
        finally:
            os.umask(before)
        assert mode(project.home) == 0o700
        assert mode(project.config) == 0o600
        assert project.config.read_text(encoding="utf-8") == default_config()
        assert sorted(path.name for path in project.home.iterdir()) == ["GeekAgent.json"]

    def test_what_is_there_stays(self, tmp_path: Path) -> None:
        project = Project.at(tmp_path, {})
        project.home.mkdir(mode=0o755)
        project.config.write_text("mine", encoding="utf-8")
        project.prepare()
        assert project.config.read_text(encoding="utf-8") == "mine"
        assert mode(project.home) == 0o700

    def test_a_file_in_its_place_is_said(self, tmp_path: Path) -> None:
        (tmp_path / ".geekagent").write_text("", encoding="utf-8")
        with pytest.raises(SettingsError, match="GEEKAGENT_HOME") as caught:
            Project.at(tmp_path, {}).prepare()
        assert str(tmp_path / ".geekagent") in str(caught.value)

    def test_a_full_disk_leaves_no_half_of_a_file_and_does_not_stop_the_start(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        project = Project.at(tmp_path, {})
        monkeypatch.setattr(os, "fsync", full)
        project.prepare()
        assert list(project.home.iterdir()) == []

    def test_a_write_that_fails_keeps_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "f"
        write_private(path, "old")

        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_private(path, "new")
        assert path.read_text(encoding="utf-8") == "old"
        assert list(tmp_path.iterdir()) == [path]


class TestInstructions:
    def read(self, root: Path) -> tuple[str, str]:
        project = Project.at(root, {})
        return project.instructions(root), project.instructions_notice(root)

    def test_none(self, tmp_path: Path) -> None:
        assert self.read(tmp_path) == ("", "")

    def test_bytes_that_are_no_utf8_do_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / "AGENTS.md").write_bytes(b"\xef\xbb\xbf\xe8\xaf\xb4 \xff\n")
        assert self.read(tmp_path) == ("说 \ufffd\n", "")

    @pytest.mark.parametrize("more", [0, 1, 2, 3])
    def test_a_long_one_is_cut_between_characters_and_said(self, tmp_path: Path, more: int) -> None:
        (tmp_path / "AGENTS.md").write_text("a" * more + "说" * INSTRUCTIONS_LIMIT, encoding="utf-8")
        text, notice = self.read(tmp_path)
        assert text == "a" * more + "说" * ((INSTRUCTIONS_LIMIT - more) // 3)
        assert "64 KB" in notice

    def test_one_of_exactly_the_limit_is_whole(self, tmp_path: Path) -> None:
        (tmp_path / "AGENTS.md").write_text("x" * INSTRUCTIONS_LIMIT, encoding="utf-8")
        assert self.read(tmp_path) == ("x" * INSTRUCTIONS_LIMIT, "")

    def test_a_folder_or_a_pipe_of_that_name_is_none(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "AGENTS.md")
        assert self.read(tmp_path) == ("", "")
        (tmp_path / "AGENTS.md").unlink()
        (tmp_path / "AGENTS.md").mkdir()
        assert self.read(tmp_path)[0] == ""


class TestUiState:
    def test_round_trip(self, tmp_path: Path) -> None:
        path = tmp_path / "ui.json"
        UiState("light").save(path)
        assert UiState.load(path) == UiState("light")
        assert mode(path) == 0o600
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize(
        "content", [b"", b"{", b"[]", b"\xff", b'{"theme": 3}', b"[" * 100_000, b"9" * 5_000, None]
    )
    def test_a_damaged_one_is_as_good_as_none(self, tmp_path: Path, content: bytes | None) -> None:
        path = tmp_path / "ui.json"
        if content is not None:
            path.write_bytes(content)
        assert UiState.load(path) == UiState()

    def test_a_place_that_can_not_be_written_is_no_error(self, tmp_path: Path) -> None:
        UiState("light").save(tmp_path / "missing" / "ui.json")

    def test_fields_of_a_newer_version_do_no_harm(self, tmp_path: Path) -> None:
        path = tmp_path / "ui.json"
        path.write_text(json.dumps({"theme": "dark", "width": 3}), encoding="utf-8")
        assert UiState.load(path) == UiState("dark")
