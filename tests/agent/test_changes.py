"""The undo stack: in the database, over a restart, and never over someone else's change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from geekagent_tui.agent.changes import Changes
from geekagent_tui.agent.sessions import SessionStore
from geekagent_tui.agent.tools.base import Origin, Preview, Running, ToolResult
from geekagent_tui.agent.tools.files.edit import Write
from geekagent_tui.agent.tools.files.tree import ChangedError, Tree
from geekagent_tui.texts.tools import ZH


def opened(folder: Path) -> Changes:
    return Changes(SessionStore(folder / "s.db", lambda: 1.0), Tree(folder))


async def write(changes: Changes | None, folder: Path, path: str, content: str) -> ToolResult:
    async def ask(preview: Preview) -> ToolResult | None:
        raise AssertionError(preview)

    tool = Write(Tree(folder), ZH, changes)
    running = Running(Origin("s", "t"), lambda text: None, lambda spent: None, ask)
    return await tool.run_live(tool.arguments.model_validate({"path": path, "content": content}), running)


async def test_changes_are_undone_one_by_one_after_a_restart(tmp_path: Path) -> None:
    raw = b"\xff\xfe raw\r\n"
    (tmp_path / "a").write_bytes(raw)
    (tmp_path / "a").chmod(0o640)
    changes = opened(tmp_path)
    await write(changes, tmp_path, "a", "one\n")
    await write(changes, tmp_path, "a", "two\n")
    await write(changes, tmp_path, "new/b", "b\n")
    await write(changes, tmp_path, "a", "two\n")  # changes nothing: nothing to undo
    changes = opened(tmp_path)
    assert "+two" in changes.since_start("s")
    assert "+b" in changes.since_start("s")
    states = []
    while undo := changes.next_undo("s"):
        states.append((undo.change.path, undo.state))
        changes.undo(undo)
    assert states == [("new/b", "clean"), ("a", "clean"), ("a", "clean")]
    assert not (tmp_path / "new" / "b").exists()
    assert (tmp_path / "a").read_bytes() == raw
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640
    assert changes.since_start("s") == ""


async def test_a_file_changed_since_is_known_and_one_changed_meanwhile_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("before\n")
    changes = opened(tmp_path)
    await write(changes, tmp_path, "a", "agent\n")
    (tmp_path / "a").write_text("user\n")
    undo = changes.next_undo("s")
    assert undo is not None
    assert undo.state == "changed"
    assert undo.diff.splitlines()[-2:] == ["-user", "+before"]
    (tmp_path / "a").write_text("user again\n")
    with pytest.raises(ChangedError):
        changes.undo(undo)
    assert (tmp_path / "a").read_text() == "user again\n"
    assert changes.next_undo("s") is not None


async def test_a_crash_between_note_and_write_leaves_a_step_that_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("same\n")
    changes = opened(tmp_path)
    changes.keep("s", "a", b"same\n", b"never written\n")
    undo = changes.next_undo("s")
    assert undo is not None
    assert undo.state == "done"
    changes.undo(undo)
    assert changes.next_undo("s") is None


async def test_what_can_not_be_noted_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("before\n")
    store = SessionStore(tmp_path / "s.db", lambda: 1.0)
    store.close()
    result = await write(Changes(store, Tree(tmp_path)), tmp_path, "a", "after\n")
    assert not result.ok
    assert (tmp_path / "a").read_text() == "before\n"


async def test_a_write_that_fails_leaves_nothing_to_undo(tmp_path: Path) -> None:
    changes = opened(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").touch()
    assert not (await write(changes, tmp_path, "folder", "text")).ok
    assert changes.next_undo("s") is None
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".geekagent-")]  # noqa: PTH208


async def test_renaming_keeps_the_stack_and_deleting_ends_it(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "s.db", lambda: 1.0)
    changes = Changes(store, Tree(tmp_path))
    await write(changes, tmp_path, "a", "x\n")
    store.rename("s", "t")
    assert changes.next_undo("s") is None
    assert changes.next_undo("t") is not None
    store.delete("t")
    assert changes.next_undo("t") is None
