"""Every change of memory is journalled, names its author, and can be taken back: also later, and by someone else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from geekagent_tui.memory import durable
from geekagent_tui.memory.ledger.types import USER, Author, LedgerError
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import (
    AlreadyKnown,
    Changed,
    EmptyContent,
    NotUndone,
    ReadOnly,
    Remembered,
    Stale,
    WriteFailed,
)

MODEL = Author("model", "s-1", "t-1")


class Clock:
    """One second later each time."""

    def __init__(self) -> None:
        self.at = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


def opened(path: Path) -> Memory:
    return Memory(path, now=Clock())


def put(path: Path, *entries: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entries, ensure_ascii=False), encoding="utf-8")


def on_disk(path: Path) -> list[str]:
    return list(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".geekagent" / "memory.json"


def test_looking_creates_nothing(path: Path) -> None:
    memory = opened(path)
    assert memory.changes() == ()
    assert memory.facts(["a"])[0].at is None
    assert memory.note_recalled(["a"], 1.0) is True
    assert not path.parent.exists()


def test_who_wrote_what_and_when(path: Path) -> None:
    put(path, "很久以前的")
    memory = opened(path)
    written = memory.remember("部署窗口是周四", MODEL)
    assert isinstance(written, Remembered)
    old, new = memory.facts(memory.entries)
    assert (old.at, old.author.kind) == (None, "unknown")
    assert new.author == MODEL
    assert new.at is not None
    added, found = memory.changes()
    assert (added.id, added.kind, added.author) == (written.change, "add", MODEL)
    assert [piece.text for piece in added.after] == ["部署窗口是周四"]
    assert (found.kind, found.at, found.after[0].text) == ("found", None, "很久以前的")
    assert path.with_suffix(".db").stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "memory.db",
        "memory.json",
        "memory.json.lock",
    ]


def test_every_kind_of_change_and_all_the_way_back_and_forth(path: Path) -> None:
    memory = opened(path)
    for text in "甲乙丙丁":
        memory.remember(text, USER)
    states = [memory.entries]
    changes: tuple[Callable[[], object], ...] = (
        lambda: memory.edit(2, "乙", "乙二", USER),
        lambda: memory.merge((4, "丁"), (1, "甲"), "甲和丁", USER),
        lambda: memory.split(2, "丙", ["丙一", "丙二"], USER),
        lambda: memory.delete(1, "乙二", USER),
        lambda: memory.replace(1, "丙一", "丙新", MODEL),
        lambda: memory.import_many(["戊", "丙二", "己"], Author("import")),
    )
    for change in changes:
        assert isinstance(change(), Changed)
        states.append(memory.entries)
    assert states[1:] == [
        ("甲", "乙二", "丙", "丁"),
        ("乙二", "丙", "甲和丁"),
        ("乙二", "丙一", "丙二", "甲和丁"),
        ("丙一", "丙二", "甲和丁"),
        ("丙新", "丙二", "甲和丁"),
        ("丙新", "丙二", "甲和丁", "戊", "己"),
    ]
    for before in reversed(states[:-1]):
        # Each time as another run, and so from the file alone.
        assert isinstance(opened(path).undo(author=USER), Changed)
        assert on_disk(path) == list(before)
    for after in states[1:]:
        assert isinstance(opened(path).redo(USER), Changed)
        assert on_disk(path) == list(after)
    assert opened(path).redo(USER) == NotUndone("nothing")


def test_a_stale_number_hits_nothing(path: Path) -> None:
    memory = opened(path)
    memory.import_many(["甲", "乙"], USER)
    other = opened(path)
    other.delete(1, "甲", USER)
    assert memory.edit(2, "乙", "新", USER) == Stale(2, None, (1,))
    assert memory.delete(1, "甲", USER) == Stale(1, "乙", ())
    assert memory.merge((1, "乙"), (2, "丙"), "x", USER) == Stale(2, None, ())
    assert memory.delete(0, "乙", USER) == Stale(0, None, (1,))
    assert on_disk(path) == ["乙"]


def test_what_changes_nothing_is_said(path: Path) -> None:
    memory = opened(path)
    memory.import_many(["甲", "乙"], USER)
    assert memory.edit(1, "甲", " 甲 ", USER) == AlreadyKnown(1)
    assert memory.edit(1, "甲", "乙", USER) == AlreadyKnown(2)
    assert memory.edit(1, "甲", " ", USER) == EmptyContent()
    assert memory.split(1, "甲", [], USER) == EmptyContent()
    assert memory.import_many(["甲", ""], USER) == EmptyContent()
    assert memory.undo(99) == NotUndone("unknown", 99)
    assert len(memory.changes()) == 1


def test_undo_of_one_certain_write_leaves_later_ones(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    wrote = memory.remember("乙", MODEL)
    memory.remember("丙", USER)
    assert isinstance(wrote, Remembered)
    assert isinstance(memory.undo(wrote.change, USER), Changed)
    assert list(memory.entries) == ["甲", "丙"]
    assert memory.undo(wrote.change, USER) == NotUndone("done", wrote.change)
    assert isinstance(memory.undo(author=USER), Changed)
    assert list(memory.entries) == ["甲"]


def test_undo_is_refused_when_the_text_was_changed_since(path: Path) -> None:
    memory = opened(path)
    wrote = memory.remember("甲", USER)
    assert isinstance(wrote, Remembered)
    put(path, "甲，改过")
    assert memory.undo(wrote.change) == NotUndone("changed", wrote.change, "甲")
    assert on_disk(path) == ["甲，改过"]


def test_a_new_change_ends_redo(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    memory.undo()
    memory.remember("乙", USER)
    assert memory.redo() == NotUndone("nothing")
    assert memory.entries == ("乙",)


def test_what_was_edited_keeps_its_versions_and_its_use(path: Path) -> None:
    memory = opened(path)
    memory.remember("阈值是 4000", USER)
    memory.note_recalled(["阈值是 4000", "阈值是 4000"], 5.0)
    memory.note_recalled(["阈值是 4000"], 9.0)
    memory.edit(1, "阈值是 4000", "阈值是 8000", MODEL)
    memory.edit(1, "阈值是 8000", "阈值是 9000", USER)
    facts = memory.facts(memory.entries)[0]
    assert (facts.recalls, facts.recalled_at, facts.author) == (2, 9.0, USER)
    assert [(version.text, version.author.kind) for version in memory.versions("阈值是 9000")] == [
        ("阈值是 8000", "user"),
        ("阈值是 4000", "model"),
    ]
    memory.undo()
    assert memory.versions("阈值是 9000") == ()


def test_an_edit_by_hand_while_the_app_runs_and_then_a_write(path: Path) -> None:
    memory = opened(path)
    memory.import_many(["历史压缩放在第五天做", "咖啡不加糖", "部署窗口是周四"], USER)
    memory.note_recalled(["历史压缩放在第五天做"], 7.0)
    put(path, "部署窗口是周四", "历史压缩放在第六天做", "全新的一条")
    assert isinstance(memory.remember("我们写的", MODEL), Remembered)
    assert on_disk(path) == ["部署窗口是周四", "历史压缩放在第六天做", "全新的一条", "我们写的"]
    ours, hand, _ = memory.changes()
    assert (ours.kind, hand.kind, hand.author.kind) == ("add", "hand", "hand")
    assert memory.facts(["历史压缩放在第六天做"])[0].recalls == 1
    assert [version.text for version in memory.versions("历史压缩放在第六天做")] == ["历史压缩放在第五天做"]
    assert memory.versions("全新的一条") == ()
    moved = memory.facts(["部署窗口是周四"])[0]
    assert moved.author == USER
    # Our own can be taken back, then theirs, by its number.
    memory.undo()
    assert isinstance(memory.undo(hand.id), Changed)
    assert on_disk(path) == ["历史压缩放在第五天做", "咖啡不加糖", "部署窗口是周四"]


def test_a_file_that_is_only_written_in_another_way_is_no_change(path: Path) -> None:
    memory = opened(path)
    memory.import_many(["甲", "乙"], USER)
    path.write_text('["甲",   "乙"]', encoding="utf-8")
    memory.remember("丙", USER)
    assert [change.kind for change in memory.changes()] == ["add", "import"]


def test_refresh_writes_down_what_was_done_by_hand(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    put(path, "乙")
    assert memory.refresh() is True
    assert [change.kind for change in memory.changes()] == ["hand", "add"]
    assert memory.refresh() is False


@pytest.mark.parametrize("step", ["before the file", "after the file", "edited since"])
def test_a_crash_between_intent_and_done_is_settled(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    memory = opened(path)
    memory.remember("甲", USER)

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        if step == "before the file":
            patch.setattr(durable, "replace", killed)
            patch.setattr(type(memory.ledger), "drop", killed)
        else:
            patch.setattr(type(memory.ledger), "finish", killed)
        with pytest.raises(Killed):
            memory.remember("乙", MODEL)
    with sqlite3.connect(path.with_suffix(".db")) as db:
        assert db.execute("SELECT count(*) FROM changes WHERE open").fetchone() == (1,)
    db.close()
    if step == "edited since":
        put(path, "甲", "乙", "丙")
    again = opened(path)
    again.remember("丁", USER)
    kinds = [(change.kind, change.after[-1].text) for change in again.changes()]
    expected: dict[str, list[tuple[str, str | None]]] = {
        "before the file": [("add", "丁"), ("add", "甲")],
        "after the file": [("add", "丁"), ("add", "乙"), ("add", "甲")],
        "edited since": [("add", "丁"), ("hand", "丙"), ("add", "乙"), ("add", "甲")],
    }
    assert kinds == expected[step]
    assert (
        on_disk(path)
        == {
            "before the file": ["甲", "丁"],
            "after the file": ["甲", "乙", "丁"],
            "edited since": ["甲", "乙", "丙", "丁"],
        }[step]
    )
    with sqlite3.connect(path.with_suffix(".db")) as db:
        texts = {bytes(text).decode() for (text,) in db.execute("SELECT text FROM texts")}
        assert db.execute("SELECT count(*) FROM changes WHERE open").fetchone() == (0,)
    db.close()
    assert texts == set(on_disk(path))


def test_a_write_that_fails_leaves_no_row(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    with monkeypatch.context() as patch:
        patch.setattr(durable, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "full")))
        assert isinstance(memory.edit(1, "甲", "乙", USER), WriteFailed)
    assert [change.kind for change in memory.changes()] == ["add"]
    assert memory.entries == ("甲",)


def test_a_damaged_ledger_is_put_aside_and_memory_goes_on(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    database = path.with_suffix(".db")
    database.write_bytes(b"no database at all, but long enough to be looked at as one" * 20)
    assert isinstance(memory.remember("乙", USER), Remembered)
    assert on_disk(path) == ["甲", "乙"]
    aside = memory.ledger.aside
    assert aside is not None
    assert aside.name.startswith("memory.db.corrupt-")
    assert aside.read_bytes().startswith(b"no database")
    assert [change.kind for change in memory.changes()] == ["add", "found"]
    assert aside.name in memory.journal_notice


def test_a_ledger_of_a_newer_version_is_left_alone(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    with sqlite3.connect(path.with_suffix(".db")) as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    # A memory is kept all the same; what could not be undone is refused.
    assert isinstance(memory.remember("乙", USER), Remembered)
    assert "更新版本" in memory.journal_notice
    outcome = memory.delete(1, "甲", USER)
    assert isinstance(outcome, WriteFailed)
    assert "更新版本" in outcome.reason
    assert on_disk(path) == ["甲", "乙"]
    with pytest.raises(LedgerError):
        memory.changes()


def test_a_broken_memory_file_is_no_change_by_hand(path: Path) -> None:
    memory = opened(path)
    memory.remember("甲", USER)
    path.write_text("[1]")
    assert isinstance(memory.delete(1, "甲", USER), ReadOnly)
    put(path, "甲")
    memory.remember("乙", USER)
    assert [change.kind for change in memory.changes()] == ["add", "add"]


TEXTS = st.text(alphabet="甲乙丙丁ab1 \udc00\x00🙂", min_size=1, max_size=6).filter(lambda text: text.strip())


class Journal(RuleBasedStateMachine):
    """Whatever is done, by us or by hand, the journal leads from nothing to the file, and undo leads back."""

    def __init__(self) -> None:
        super().__init__()
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "memory.json"
        self.memory = opened(self.path)

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(text=TEXTS)
    def add(self, text: str) -> None:
        self.memory.remember(text, USER)

    @rule(data=st.data(), text=TEXTS)
    def edit(self, data: st.DataObject, text: str) -> None:
        if self.memory.entries:
            at = data.draw(st.integers(1, len(self.memory.entries)))
            self.memory.edit(at, self.memory.entries[at - 1], text, USER)

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        if self.memory.entries:
            at = data.draw(st.integers(1, len(self.memory.entries)))
            self.memory.delete(at, self.memory.entries[at - 1], USER)

    @rule(data=st.data(), parts=st.lists(TEXTS, min_size=1, max_size=3))
    def split(self, data: st.DataObject, parts: list[str]) -> None:
        if self.memory.entries:
            at = data.draw(st.integers(1, len(self.memory.entries)))
            self.memory.split(at, self.memory.entries[at - 1], parts, USER)

    @rule(entries=st.lists(TEXTS, max_size=5))
    def by_hand(self, entries: list[str]) -> None:
        self.path.write_text(json.dumps(entries))
        self.memory.refresh()

    @rule()
    def back_and_forth(self) -> None:
        before = self.memory.entries
        if isinstance(self.memory.undo(), Changed) and isinstance(self.memory.redo(), Changed):
            assert sorted(self.memory.entries) == sorted(before)

    @rule()
    def undo(self) -> None:
        self.memory.undo()

    @invariant()
    def the_journal_is_true(self) -> None:
        if not self.memory.ledger.exists:
            return
        from geekagent_tui.memory.ledger.types import Edit, applied

        entries: tuple[str, ...] = ()
        for change in reversed(self.memory.changes(limit=10_000)):
            entries = applied(entries, Edit(change.kind, change.before, change.after))
        assert entries == self.memory.entries
        with self.memory.ledger._database.reading() as db:
            from geekagent_tui.memory.ledger import rows

            assert tuple(rows.current(db)) == entries


TestJournal = Journal.TestCase
TestJournal.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)


@given(st.lists(TEXTS, max_size=6), st.lists(TEXTS, max_size=6))
@settings(max_examples=200, deadline=None)
def test_the_difference_of_two_lists_leads_from_one_to_the_other(old: list[str], new: list[str]) -> None:
    from geekagent_tui.memory.ledger.compare import compared
    from geekagent_tui.memory.ledger.types import applied

    edit = compared(old, new)
    assert (edit is None) == (old == new)
    if edit is not None:
        assert applied(old, edit) == tuple(new)
        assert len({child for child, _ in edit.parents}) == len(edit.parents)


def test_a_journal_that_can_not_be_used_costs_no_memory(path: Path) -> None:
    memory = opened(path)
    path.with_suffix(".db").mkdir(parents=True)
    assert isinstance(memory.remember("照常存下"), Remembered)
    assert memory.entries == ("照常存下",)
    assert "不能撤销" in memory.journal_notice
