"""Sessions on disk: what was said survives crashes, other windows, damage and odd characters."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from geekagent_tui.agent import sessions as module
from geekagent_tui.agent.events import (
    Event,
    Notice,
    ReasoningDelta,
    RecallDone,
    RequestStarted,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnCancelled,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    Usage,
)
from geekagent_tui.agent.record import TurnLog, TurnRecord
from geekagent_tui.agent.sessions import (
    SessionError,
    SessionNameError,
    SessionStore,
    TurnGoneError,
    process_alive,
    process_token,
)
from tests.support.turns import recall_of

NOW = 1_796_140_800.0
"""2026-12-01 16:00 UTC."""
ODD = "lone \udfff\ud800\x00 nul \x1b[31m 压缩 👨‍👩‍👧"


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "geekagent.db"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SessionStore]]:
    stores: list[SessionStore] = []

    def open_store(**options: object) -> SessionStore:
        store = SessionStore(path, Clock(), **options)  # type: ignore[arg-type]
        stores.append(store)
        return store

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[..., SessionStore]) -> SessionStore:
    return opened()


def say(store: SessionStore, session: str, turn: str, text: str = "问", answer: str = "答") -> None:
    store.begin_turn(session, TurnRecord(turn, text, 1.0))
    events: list[Event] = [
        TurnStarted(turn, text, 1.0, "m"),
        TextDelta(turn, answer),
        TurnFinished(turn, "stop", 5.0),
    ]
    store.append(turn, events, status="finished")


@contextmanager
def child(path: Path, what: str) -> Iterator[subprocess.Popen[str]]:
    """A process of ``session_process`` that has said it is ready."""
    command = [sys.executable, "-m", "tests.agent.session_process", str(path), what]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


class TestTurns:
    EVENTS: tuple[Event, ...] = (
        TurnStarted("t", ODD, 3.0, "model"),
        RecallDone("t", recall_of(ODD, "为什么压缩 \ud800", "历史压缩"), "自动唤起 2 条"),
        RequestStarted("t", 1),
        ReasoningDelta("t", "想\x00"),
        TextDelta("t", ODD),
        ToolCallStarted("t", "c1", "memory_write", '{"content": "\\ud800"}'),
        ToolCallFinished("t", "c1", "memory_write", f"已记住：{ODD}", True, 1.5),
        Usage("t", 10, 5, True),
        RequestStarted("t", 2),
        TextDelta("t", "done"),
        Notice("t", "warning", "cut"),
    )

    @pytest.mark.parametrize(
        ("end", "status"),
        [
            (TurnFinished("t", "stop", 9.0), "finished"),
            (TurnFailed("t", "timeout", "慢", "再试", 9.0), "failed"),
            (TurnCancelled("t", 9.0), "cancelled"),
        ],
    )
    def test_a_turn_comes_back_as_it_was(
        self,
        opened: Callable[..., SessionStore],
        end: TurnFinished | TurnFailed | TurnCancelled,
        status: str,
    ) -> None:
        store = opened()
        begun = TurnRecord("t", ODD, 3.0)
        store.begin_turn("s", begun)
        store.append("t", self.EVENTS[:5])
        store.append("t", (*self.EVENTS[5:], end), status=status)  # type: ignore[arg-type]
        store.close()
        (record,) = opened().turns("s")
        assert record == TurnLog.replay(begun, (*self.EVENTS, end)).record()
        assert record.status == status
        assert record.recall == recall_of(ODD, "为什么压缩 \ud800", "历史压缩")

    def test_turns_keep_their_order_and_sessions_stay_apart(self, store: SessionStore) -> None:
        for number in range(5):
            say(store, "a", f"a{number}")
            say(store, "b", f"b{number}")
        assert [record.id for record in store.turns("a")] == [f"a{n}" for n in range(5)]
        assert [record.id for record in store.turns("b")] == [f"b{n}" for n in range(5)]
        assert store.turns("c") == ()

    def test_a_message_begun_twice_is_one(self, store: SessionStore) -> None:
        record = TurnRecord("t", "问", 1.0)
        store.begin_turn("s", record)
        store.begin_turn("s", record)
        assert store.turns("s") == (record,)

    def test_an_event_that_nobody_knows_takes_nothing_with_it(self, path: Path, store: SessionStore) -> None:
        say(store, "s", "t")
        with sqlite3.connect(path) as db:
            for body in ('{"event": "from_the_future"}', "{", "[]", "5", "null"):
                db.execute("INSERT INTO events (turn, body) VALUES ('t', ?)", (body,))
        db.close()
        (record,) = store.turns("s")
        assert (record.status, record.answer) == ("finished", "答")

    def test_a_thousand_turns_are_two_questions_to_the_database(self, store: SessionStore) -> None:
        with store._writing() as db:
            store._ensure(db, "s")
            db.executemany(
                "INSERT INTO turns (id, session, text, at, status, owner) VALUES (?, 's', '\"x\"', 0, 'finished', '')",
                [(f"t{number}",) for number in range(1_000)],
            )
        asked: list[str] = []
        store._db.set_trace_callback(asked.append)
        assert len(store.turns("s")) == 1_000
        assert len(asked) == 2
        plans = [row for text in asked for row in store._db.execute(f"EXPLAIN QUERY PLAN {text}").fetchall()]
        assert not [row for row in plans if str(row[3]).startswith("SCAN")]

    def test_events_of_a_removed_turn_are_refused_by_name(self, store: SessionStore) -> None:
        store.begin_turn("s", TurnRecord("t", "问", 1.0))
        store.reset("s")
        with pytest.raises(TurnGoneError, match="清空"):
            store.append("t", [TextDelta("t", "x")])

    def test_many_threads_may_write(self, store: SessionStore) -> None:
        def work(name: str) -> None:
            for number in range(20):
                say(store, "s", f"{name}{number}")

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        records = store.turns("s")
        assert len(records) == 80
        for name in "abcd":
            assert [r.id for r in records if r.id[0] == name] == [f"{name}{n}" for n in range(20)]


class TestCrash:
    def test_a_turn_of_a_killed_process_comes_back_interrupted_with_its_text(
        self, path: Path, opened: Callable[..., SessionStore]
    ) -> None:
        with child(path, "stay") as process:
            alive = opened().turns("s")
            process.send_signal(signal.SIGKILL)
            process.wait()
            dead = opened().turns("s")
        assert [(r.id, r.status, r.answer) for r in alive] == [
            ("running", "running", "答到一半"),
            ("queued", "queued", ""),
        ]
        assert [(r.id, r.text, r.status, r.answer) for r in dead] == [
            ("running", "问", "cancelled", "答到一半"),
            ("queued", "下一句", "cancelled", ""),
        ]

    def test_a_later_process_with_the_same_number_is_another(self) -> None:
        token = process_token(os.getpid())
        assert process_alive(token)
        if token.partition(":")[2]:
            assert not process_alive(f"{os.getpid()}:1")

    @pytest.mark.parametrize("token", ["", "x", "x:y", "-1:", ":5"])
    def test_a_strange_owner_is_nobody(self, token: str) -> None:
        assert not process_alive(token)


class TestWindows:
    def test_two_processes_write_and_nothing_is_lost(self, path: Path, store: SessionStore) -> None:
        with child(path, "write") as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("go\n")
            process.stdin.flush()
            for number in range(100):
                say(store, "shared", f"own-{number}")
            assert process.stdout.readline() == "done\n"
        records = store.turns("shared")
        assert len(records) == 200
        assert {record.status for record in records} == {"finished"}
        for who in ("own", "child"):
            mine = [record.id for record in records if record.id.startswith(who)]
            assert mine == [f"{who}-{number}" for number in range(100)]

    def test_a_database_that_is_held_is_said_and_then_works_again(
        self, path: Path, opened: Callable[..., SessionStore]
    ) -> None:
        store = opened(busy_ms=10)
        with child(path, "hold"):
            with pytest.raises(SessionError, match="另一个程序一直占着它") as caught:
                say(store, "s", "t")
            assert str(path) in str(caught.value)
            assert store.turns("s") == ()
        say(store, "s", "t")
        assert len(store.turns("s")) == 1

    def test_windows_of_one_minute_get_names_of_their_own(self, opened: Callable[..., SessionStore]) -> None:
        living = {"one", "two", "three"}
        one, two, three = (opened(owner=name, alive=living.__contains__) for name in ("one", "two", "three"))
        assert one.free_name() == "s-20261201-1600"
        assert two.free_name() == "s-20261201-1600-2"
        assert one.free_name() == "s-20261201-1600"
        say(one, "s-20261201-1600", "t")
        assert one.free_name() == "s-20261201-1600-3"
        living.remove("two")
        assert three.free_name() == "s-20261201-1600-2"


class TestSessions:
    def test_the_last_used_comes_first(self, store: SessionStore) -> None:
        assert store.sessions() == ()
        assert store.last() is None
        for name in ("a", "b", "a"):
            say(store, name, f"{name}{store.has(name)}", text=f"  第一句\n{name} ")
        assert [(s.name, s.turns, s.title) for s in store.sessions()] == [
            ("a", 2, "第一句 a"),
            ("b", 1, "第一句 b"),
        ]
        last = store.last()
        assert last is not None
        assert last.name == "a"

    def test_a_title_is_the_start_of_the_first_message(self, store: SessionStore) -> None:
        say(store, "a", "t", text="长" * 100)
        assert store.sessions()[0].title == "长" * 39 + "…"

    @pytest.mark.parametrize(
        "name",
        [
            *(
                "",
                "a b",
                "a/b",
                "a\\b",
                "../x",
                ".a",
                ".",
                "x" * 65,
                "会" * 65,
                "𠀀" * 51,
                "a\n",
                "\ud800",
                "a\x00",
            ),
            *("\u202ea", "a\u200b", "\u3164", "\u0301a", "a:b", "emoji🙂", "[/]", "a\u3000b", "\x1b[m"),
        ],
    )
    def test_a_name_that_is_none_is_refused(self, store: SessionStore, name: str) -> None:
        with pytest.raises(SessionNameError, match="只能用文字"):
            store.begin_turn(name, TurnRecord("t", "问", 1.0))
        assert store.sessions() == ()

    @pytest.mark.parametrize(
        "name", ["a", "A-b_9", "-", "x" * 64, "测试甲", "会" * 64, "é", "a.b", "１", "हिन्दी", "עברית"]
    )
    def test_a_good_name_is_taken(self, store: SessionStore, name: str) -> None:
        say(store, name, "t")
        assert store.has(name)

    def test_reset_removes_the_turns_and_keeps_the_session(self, path: Path, store: SessionStore) -> None:
        say(store, "a", "t1")
        say(store, "b", "t2")
        store.reset("a")
        assert store.turns("a") == ()
        assert store.has("a")
        assert len(store.turns("b")) == 1
        assert store._db.execute("SELECT COUNT(*) FROM events WHERE turn = 't1'").fetchone() == (0,)

    def test_rename_and_delete_take_the_turns_along(self, store: SessionStore) -> None:
        say(store, "a", "t1")
        say(store, "b", "t2")
        store.rename("a", "c")
        assert not store.has("a")
        assert len(store.turns("c")) == 1
        with pytest.raises(SessionError, match="已有名为 b"):
            store.rename("c", "b")
        with pytest.raises(SessionNameError):
            store.rename("c", "c d")
        store.delete("c")
        assert [session.name for session in store.sessions()] == ["b"]
        assert store._db.execute("SELECT COUNT(*) FROM events").fetchone() == (3,)


class TestDrafts:
    def test_a_draft_is_kept_exactly(self, opened: Callable[..., SessionStore]) -> None:
        store = opened()
        store.save_draft("a", ODD)
        store.close()
        store = opened()
        assert store.draft("a") == ODD
        assert store.draft("b") == ""
        store.save_draft("a", "")
        assert store.draft("a") == ""

    def test_inputs_of_all_sessions_the_newest_first_each_once(self, store: SessionStore) -> None:
        for number, (session, text) in enumerate([("a", "一"), ("b", "二\n行"), ("a", "三"), ("b", "一")]):
            store.begin_turn(session, TurnRecord(f"t{number}", text, 1.0))
        assert store.inputs() == ("一", "三", "二\n行")
        assert store.inputs(2) == ("一", "三")

    def test_an_empty_draft_makes_no_session(self, store: SessionStore) -> None:
        store.save_draft("a", "")
        assert not store.has("a")


class TestFile:
    def test_every_file_is_private(self, path: Path, store: SessionStore) -> None:
        say(store, "s", "t")
        files = list(path.parent.iterdir())
        assert {file.name for file in files} == {path.name, f"{path.name}-wal", f"{path.name}-shm"}
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}

    def test_one_that_was_open_to_all_is_closed(
        self, path: Path, opened: Callable[..., SessionStore]
    ) -> None:
        opened().close()
        path.chmod(0o644)
        opened()
        assert path.stat().st_mode & 0o777 == 0o600

    def test_an_end_is_on_the_disk_before_it_is_acknowledged(self, store: SessionStore) -> None:
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)

    def test_an_older_database_is_brought_up_to_date(
        self, path: Path, opened: Callable[..., SessionStore]
    ) -> None:
        db = sqlite3.connect(path)
        db.executescript(module._MIGRATIONS[0] + ";PRAGMA user_version=1")
        db.execute("INSERT INTO sessions (name, created_at, updated_at) VALUES ('old', 0, 0)")
        db.commit()
        db.close()
        store = opened()
        assert store.has("old")
        assert store.free_name()
        assert store._db.execute("PRAGMA user_version").fetchone() == (len(module._MIGRATIONS),)

    def test_a_newer_database_is_left_alone(self, path: Path) -> None:
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version=99")
        db.close()
        before = path.read_bytes()
        with pytest.raises(SessionError, match=r"格式 99.*升级"):
            SessionStore(path, Clock())
        assert path.read_bytes() == before
        assert [file.name for file in path.parent.iterdir() if "corrupt" in file.name] == []

    @pytest.mark.parametrize("damage", ["garbage", "truncated", "scrambled", "pages"])
    def test_a_damaged_one_is_put_aside_and_said(
        self, path: Path, opened: Callable[..., SessionStore], damage: str
    ) -> None:
        store = opened()
        for number in range(50):
            say(store, "s", f"t{number}", answer="长" * 500)
        store.close()
        content = path.read_bytes()
        damaged = {
            "garbage": b"this is no database" * 500,
            "truncated": content[: len(content) // 2],
            # A sound header and schema: opening it says nothing.
            "pages": content[:4096] + b"\xa5" * (len(content) - 4096),
            "scrambled": content[:100] + b"\xff" * (len(content) - 100),
        }[damage]
        path.write_bytes(damaged)
        store = opened()
        (aside,) = path.parent.glob("geekagent.db.corrupt-*")
        assert aside.read_bytes() == damaged
        assert aside.name in store.notice
        assert store.sessions() == ()
        say(store, "s", "new")
        store.close()
        assert opened().notice == ""

    def test_the_second_damage_of_a_second_does_not_overwrite_the_first(self, path: Path) -> None:
        for content in (b"first" * 1_000, b"second" * 1_000):
            path.write_bytes(content)
            SessionStore(path, lambda: NOW).close()
        kept = sorted(path.parent.glob("geekagent.db.corrupt-*"))
        assert [file.name for file in kept] == [
            "geekagent.db.corrupt-20261201T160000Z",
            "geekagent.db.corrupt-20261201T160000Z-2",
        ]
        assert kept[0].read_bytes()[:5] == b"first"

    def test_an_empty_file_is_a_new_database(self, path: Path, opened: Callable[..., SessionStore]) -> None:
        path.touch()
        store = opened()
        assert (store.notice, store.sessions()) == ("", ())

    def test_a_folder_that_is_missing_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(SessionError, match="不会保存"):
            SessionStore(tmp_path / "missing" / "geekagent.db", Clock())

    def test_a_folder_in_its_place_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(SessionError, match="打不开"):
            SessionStore(tmp_path, Clock())

    def test_a_damaged_one_that_can_not_be_put_aside_is_said(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(self: Path, target: Path) -> Path:
            raise OSError(errno.EROFS, "Read-only file system")

        path.write_bytes(b"this is no database" * 500)
        monkeypatch.setattr(Path, "rename", refuse)
        with pytest.raises(SessionError, match="打不开"):
            SessionStore(path, Clock())
        assert path.read_bytes()[:4] == b"this"

    def test_a_full_disk_is_said_and_leaves_what_was_there(self, store: SessionStore) -> None:
        say(store, "s", "t1")
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(SessionError, match="磁盘已满"):
            say(store, "s", "t2", answer="长" * 100_000)
        store._db.execute("PRAGMA max_page_count=1000000")
        say(store, "s", "t3")
        assert [record.answer for record in store.turns("s")] == ["答", "", "答"]

    def test_one_that_can_only_be_read_is_said(self, store: SessionStore) -> None:
        store._db.execute("PRAGMA query_only=1")
        with pytest.raises(SessionError, match="只读"):
            say(store, "s", "t")

    def test_a_closed_one_is_said(self, path: Path) -> None:
        store = SessionStore(path, Clock())
        store.close()
        with pytest.raises(SessionError, match="读写失败"):
            store.turns("s")
