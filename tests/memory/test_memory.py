from __future__ import annotations

import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from geekagent_tui.memory import durable
from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import MemoryStats, ReadOnly, Remembered, WriteFailed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".geekagent" / "memory.json"


def put(path: Path, entries: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(entries), encoding="utf-8")


def test_the_story_of_the_fifth_day(path: Path) -> None:
    text = (
        "会议记录。"
        + "先聊了排期和周末的安排。" * 20
        + "历史压缩放在第五天做，因为上下文长度第一次成为瓶颈。"
        "触发阈值 MAX_HISTORY_CHARS 默认 4000 字符，保留最近 6 条消息。" + "最后聊了午饭。" * 12
    )
    first = Memory(path)
    assert isinstance(first.remember(text), Remembered)
    assert first.stats() == MemoryStats(1, 2)

    second = Memory(path)
    found = second.recall("咱们当初为啥把压缩搁第五天？阈值定的多少")
    assert "4000" in recall_text(found)
    assert found.hits[0].entry == 1
    assert found.chunks == 2
    assert second.entries == (text,)


def test_what_was_remembered_is_found_at_once(path: Path) -> None:
    memory = Memory(path)
    memory.warm()
    assert memory.recall("咖啡").hits == ()
    memory.remember("咖啡不加糖")
    assert memory.recall("咖啡").hits[0].text == "咖啡不加糖"
    assert memory.search("咖啡不加糖 没影").hits[0].entry == 1


def test_an_edit_by_hand_is_found_at_once(path: Path) -> None:
    put(path, ["甲 coffee", "乙"])
    memory = Memory(path)
    assert memory.recall("coffee").hits[0].entry == 1
    put(path, ["新的", "乙", "甲 coffee"])
    assert memory.recall("coffee").hits[0].entry == 3
    assert memory.refresh() is False
    put(path, [])
    assert memory.refresh() is True
    assert memory.stats() == MemoryStats(0, 0)
    assert memory.recall("coffee").hits == ()


def test_limit_and_order(path: Path) -> None:
    put(path, [f"coffee {at}" for at in range(9)])
    memory = Memory(path)
    assert [hit.entry for hit in memory.recall("coffee").hits] == [1, 2, 3, 4, 5]
    assert len(memory.recall("coffee", 7).hits) == 7


def test_elapsed_is_in_milliseconds_of_the_given_clock(path: Path) -> None:
    ticks = iter([1.0, 1.25])
    memory = Memory(path, clock=lambda: next(ticks))
    assert memory.recall("x").elapsed_ms == 250.0


def test_an_unknown_profile_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="没有名为 deep 的打分方案。可用的方案：classic"):
        Memory(path, profile="deep")


def test_broken_file_is_read_only_and_recovers(path: Path) -> None:
    put(path, ["coffee"])
    memory = Memory(path)
    path.write_text("[1]")
    assert memory.refresh() is True
    assert memory.problem is not None
    assert isinstance(memory.remember("x"), ReadOnly)
    assert memory.recall("coffee").hits[0].entry == 1
    put(path, ["tea"])
    assert memory.recall("tea").hits[0].entry == 1
    assert memory.problem is None


def test_a_search_does_not_wait_for_a_write_that_waits(path: Path) -> None:
    put(path, ["coffee"])
    memory = Memory(path, lock_seconds=30)
    with durable.lock(path.with_name("memory.json.lock"), 1):
        outcomes: list[object] = []
        writer = threading.Thread(target=lambda: outcomes.append(memory.remember("tea")))
        writer.start()
        assert memory.recall("coffee").hits[0].entry == 1
        assert memory.stats() == MemoryStats(1, 1)
        assert outcomes == []
    writer.join()
    assert isinstance(outcomes[0], Remembered)


def test_a_failed_write_is_not_remembered(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durable, "replace", full)
    assert isinstance(memory.remember("coffee"), WriteFailed)
    assert memory.stats() == MemoryStats(0, 0)
    assert memory.recall("coffee").hits == ()


def test_warming_can_be_stopped_and_a_search_goes_on(path: Path) -> None:
    put(path, [f"coffee {at}" for at in range(200)])
    memory = Memory(path)
    assert memory.warm(lambda: True) is False
    assert memory.recall("coffee 199").hits[0].entry == 200
    assert memory.warm() is True


def test_many_threads_at_once(path: Path) -> None:
    memory = Memory(path)

    def work(name: str) -> None:
        for at in range(10):
            assert isinstance(memory.remember(f"{name}{at} coffee"), Remembered)
            assert memory.recall(f"{name}{at}").hits[0].text == f"{name}{at} coffee"

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, ("aa", "bb", "cc", "dd")))
    assert memory.stats() == MemoryStats(40, 40)
    assert len(json.loads(path.read_text())) == 40


def test_opening_brings_no_heavy_module_in(path: Path) -> None:
    put(path, ["coffee"])
    code = (
        "import sys; from pathlib import Path; from geekagent_tui.memory.memory import Memory; "
        "from geekagent_tui.memory import formatting; print(Memory(Path(sys.argv[1])).stats().chunks, "
        "*(name for name in ('numpy', 'filelock', 'textual', 'pydantic', 'asyncio') if name in sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1"]


class TestIndexOnDisk:
    def memory(self, path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
        monkeypatch.setattr("geekagent_tui.memory.memory._WORTH_KEEPING", 1)
        return Memory(path, profile="lexical", cache=cache)

    def test_a_search_does_not_wait_while_the_index_is_written(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from geekagent_tui.memory.lexical import cache

        memory = self.memory(path, tmp_path / "cache", monkeypatch)
        memory.remember("备份每周一次")
        memory.warm()
        found: list[int] = []
        write = cache.write

        def slowly(kept: cache.Kept, folder: Path) -> None:
            search = threading.Thread(
                target=lambda: found.append(len(memory.search("备份").hits)), daemon=True
            )
            search.start()
            search.join(timeout=20)
            write(kept, folder)

        monkeypatch.setattr(cache, "write", slowly)
        assert memory.keep_index()
        assert found == [1]

    def test_purging_leaves_nothing_of_what_was_removed(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from geekagent_tui.memory.lexical.index import digest_of
        from geekagent_tui.memory.lexical.tokens import Tokenizer

        folder = tmp_path / "cache"
        secret, kept = "Sesame 的密码", "备份每周一次"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps([secret, kept], ensure_ascii=False), encoding="utf-8")
        memory = self.memory(path, folder, monkeypatch)
        memory.warm()
        assert memory.keep_index()
        traces = [digest_of(secret), *(key.tobytes() for key in Tokenizer().tokens([secret]).keys)]
        file = folder / "lexical.index"
        assert all(trace in file.read_bytes() for trace in traces)
        path.write_text(json.dumps([kept], ensure_ascii=False), encoding="utf-8")
        memory.purge_index()
        left = file.read_bytes()
        assert not any(trace in left for trace in traces)
        again = self.memory(path, folder, monkeypatch)
        assert [hit.text for hit in again.search("备份").hits] == [kept]
        assert not again.search("Sesame").hits

    def test_purging_with_no_room_for_a_new_one_deletes_the_old(
        self, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from geekagent_tui.memory.lexical import cache

        folder = tmp_path / "cache"
        memory = self.memory(path, folder, monkeypatch)
        memory.remember("备份每周一次")
        memory.warm()
        assert memory.keep_index()

        def full(kept: cache.Kept, folder: Path) -> None:
            raise OSError(28, "full")

        monkeypatch.setattr(cache, "write", full)
        memory.purge_index()
        assert not list(folder.iterdir())
