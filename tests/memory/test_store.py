from __future__ import annotations

import errno
import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from geekagent_tui.memory import durable
from geekagent_tui.memory.outcomes import AlreadyKnown, EmptyContent, ReadOnly, Remembered, WriteFailed
from geekagent_tui.memory.store import Store, fitted

NOT_ROOT = pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind root")


def opened(path: Path, *, lock_seconds: float = 5.0) -> Store:
    store = Store(path, lock_seconds=lock_seconds)
    store.refresh()
    return store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".geekagent" / "memory.json"


def put(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def beside(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir() if ".lock" not in entry.name)


def test_a_missing_file_is_an_empty_memory_and_nothing_is_created(path: Path) -> None:
    store = opened(path)
    assert store.entries == ()
    assert store.problem is None
    assert not path.parent.exists()


def test_remember_writes_the_file_for_its_owner_only(path: Path) -> None:
    store = opened(path)
    assert store.remember("  历史压缩\n") == Remembered("历史压缩", cut=False, number=1)
    assert path.read_text(encoding="utf-8") == '[\n  "历史压缩"\n]\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert beside(path) == ["memory.json"]


def test_empty_and_known_content_change_nothing(path: Path) -> None:
    store = opened(path)
    assert store.remember(" \n") == EmptyContent()
    assert not path.parent.exists()
    store.remember("a")
    store.remember("b")
    before = path.stat().st_ino
    assert store.remember(" b ") == AlreadyKnown(2)
    assert path.stat().st_ino == before


def test_long_content_is_cut_between_clusters_and_trimmed_again() -> None:
    assert fitted("字" * 4000) == ("字" * 4000, False)
    assert fitted("字" * 4001) == ("字" * 4000, True)
    assert fitted("字" * 3998 + "👨\u200d👩" + "字") == ("字" * 3998, True)
    assert fitted("字" * 3990 + " " * 20 + "尾") == ("字" * 3990, True)


def test_surrogates_that_pair_become_their_character_and_lone_ones_stay(path: Path) -> None:
    store = opened(path)
    store.remember("\ud83d\ude42 \udc00 \x00 \x1b[0m")
    assert opened(path).entries == ("🙂 \udc00 \x00 \x1b[0m",)
    assert isinstance(store.remember("🙂 \udc00 \x00 \x1b[0m"), AlreadyKnown)


def test_someone_elses_edit_and_our_write_both_survive(path: Path) -> None:
    store = opened(path)
    store.remember("ours")
    put(path, '["theirs", "ours"]')
    assert store.remember("ours too") == Remembered("ours too", cut=False, number=3)
    assert json.loads(path.read_text()) == ["theirs", "ours", "ours too"]


def test_refresh_sees_every_edit_even_of_the_same_size_in_the_same_moment(path: Path) -> None:
    put(path, '["a"]')
    store = opened(path)
    for text in "bcdefg":
        put(path, f'["{text}"]')
        assert store.refresh() is True
        assert store.entries == (text,)
    path.unlink()
    assert store.refresh() is True
    assert store.entries == ()


def test_a_settled_file_is_not_read_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(path, '["a"]')
    store = Store(path, now=lambda: datetime(2100, 1, 1, tzinfo=UTC))
    assert store.refresh() is True
    monkeypatch.setattr(durable, "read", lambda _: pytest.fail("read again"))
    assert store.refresh() is False


def test_a_linked_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "notes" / "real.json"
    put(real, '["a"]')
    path.parent.mkdir()
    path.symlink_to(real)
    store = opened(path)
    store.remember("b")
    assert path.is_symlink()
    assert json.loads(real.read_text()) == ["a", "b"]
    assert beside(real) == ["real.json"]


def test_a_link_to_nothing_yet_gets_its_target(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(tmp_path / "elsewhere" / "m.json")
    store = opened(path)
    assert isinstance(store.remember("a"), Remembered)
    assert json.loads((tmp_path / "elsewhere" / "m.json").read_text()) == ["a"]


def test_a_corrupt_file_is_kept_copied_once_and_recovers(path: Path) -> None:
    broken = b'["a", oops]'
    put(path, broken)
    store = opened(path)
    problem = store.problem
    assert problem is not None
    assert (problem.line, problem.column) == (1, 7)
    assert problem.copy is not None
    assert problem.copy.name.startswith("memory.json.corrupt-")
    assert problem.copy.read_bytes() == broken
    assert stat.S_IMODE(problem.copy.stat().st_mode) == 0o600

    assert store.remember("b") == ReadOnly(problem)
    again = opened(path).problem
    assert again is not None
    assert again.copy == problem.copy
    assert path.read_bytes() == broken
    assert beside(path) == ["memory.json", problem.copy.name]

    put(path, '["a"]')
    assert store.refresh() is True
    assert store.problem is None
    assert isinstance(store.remember("b"), Remembered)


def test_each_distinct_corrupt_content_is_kept(path: Path) -> None:
    put(path, "[1]")
    store = opened(path)
    put(path, "[2]")
    store.refresh()
    kept = [path.with_name(name).read_text() for name in beside(path) if "corrupt" in name]
    assert sorted(kept) == ["[1]", "[2]"]


def test_entries_stay_in_mind_when_the_file_breaks_under_way(path: Path) -> None:
    store = opened(path)
    store.remember("a")
    put(path, "{")
    assert store.refresh() is True
    assert store.entries == ("a",)
    assert store.problem is not None


@pytest.mark.parametrize("content", [b"\xff\xfe", b"[" * 100_000, b'{"a":1}', b"[[]]", b""])
def test_no_content_crashes_or_is_overwritten(path: Path, content: bytes) -> None:
    put(path, content)
    store = opened(path)
    assert isinstance(store.remember("a"), ReadOnly)
    assert path.read_bytes() == content


def test_a_folder_in_the_place_of_the_file(path: Path) -> None:
    path.mkdir(parents=True)
    store = opened(path)
    assert "它是一个文件夹" in str(store.problem)
    assert isinstance(store.remember("a"), ReadOnly)
    path.rmdir()
    assert store.refresh() is True
    assert store.problem is None


def test_a_pipe_in_the_place_of_the_file_does_not_hang(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    assert "它不是普通文件" in str(opened(path).problem)


def test_a_file_in_the_place_of_the_folder(path: Path) -> None:
    path.parent.write_text("x")
    store = opened(path)
    assert "上级路径不是文件夹" in str(store.problem)
    assert isinstance(store.remember("a"), WriteFailed)


def test_a_link_to_itself(path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(path)
    store = opened(path)
    assert "绕成了圈" in str(store.problem)
    assert isinstance(store.remember("a"), ReadOnly | WriteFailed)


@NOT_ROOT
def test_a_folder_that_may_not_be_written(path: Path) -> None:
    store = opened(path)
    store.remember("a")
    path.parent.chmod(0o500)
    try:
        outcome = store.remember("b")
    finally:
        path.parent.chmod(0o700)
    assert isinstance(outcome, WriteFailed)
    assert "没有权限" in outcome.reason
    assert store.entries == ("a",)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOSPC, "磁盘已满"),
        (errno.EROFS, "文件系统是只读的"),
        (errno.EACCES, "没有权限"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_write_that_fails_leaves_memory_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch, where: str, code: int, said: str
) -> None:
    store = opened(path)
    store.remember("a")
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail) if where == "fsync" else patch.setattr(Path, "replace", fail)
        outcome = store.remember("b")
    assert isinstance(outcome, WriteFailed)
    assert said in outcome.reason
    assert str(path) in outcome.reason
    assert path.read_bytes() == before
    assert store.entries == ("a",)
    assert beside(path) == ["memory.json"]
    assert store.remember("b") == Remembered("b", cut=False, number=2)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO])
def test_a_file_that_cannot_be_read(path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    put(path, '["a"]')
    store = Store(path)

    def fail(_: Path) -> bytes:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(durable, "read", fail)
        assert store.refresh() is True
        assert isinstance(store.remember("b"), ReadOnly)
    assert store.refresh() is True
    assert store.entries == ("a",)


def test_a_lock_that_is_not_let_go_is_said(path: Path) -> None:
    path.parent.mkdir()
    store = opened(path, lock_seconds=0.02)
    with durable.lock(path.with_name("memory.json.lock"), 1):
        outcome = store.remember("a")
    assert isinstance(outcome, WriteFailed)
    assert "另一个进程" in outcome.reason
    assert isinstance(store.remember("a"), Remembered)


def test_what_a_killed_writer_left_is_swept_away(path: Path) -> None:
    put(path, '["a"]')
    path.with_name(".memory.json.abc123.tmp").write_text("half")
    opened(path).remember("b")
    assert beside(path) == ["memory.json"]
