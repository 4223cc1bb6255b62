"""Forgetting for good: no byte of it is left in any file beside memory.json, and what is left elsewhere is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geekagent_tui.memory.ledger.purge import Purged
from geekagent_tui.memory.ledger.types import USER
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import Changed, NotUndone, Stale

GONE = "家里的门牌是梧桐路十七号，备用钥匙在花盆下面 \udc00 🙂 " + "长" * 3000 + "末尾也不能留"
STAYS = "部署窗口是周四"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".geekagent" / "memory.json"


def bytes_of(folder: Path) -> bytes:
    return b"\n".join(each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file())


def pieces(text: str) -> list[bytes]:
    """What must not be found: the text's distinctive pieces, as UTF-8 and as JSON escapes."""
    found = []
    for piece in (text[:20], text[-20:]):
        found += [piece.encode("utf-8", "surrogatepass"), json.dumps(piece)[1:-1].encode()]
    return found


def test_nothing_is_left_in_any_file(path: Path) -> None:
    memory = Memory(path, profile="lexical", cache=path.parent / "cache")
    memory.import_many([f"第 {at} 条闲话，说的是别的事" for at in range(2500)], USER)
    memory.remember(STAYS, USER)
    first = "门牌草稿：梧桐路十六号"
    memory.remember(first, USER)
    memory.edit(2502, first, GONE, USER)
    memory.warm()
    assert memory.keep_index() is True
    kept = (path.parent / "cache" / "lexical.index").read_bytes()
    # A copy that was kept of a broken file, and words of the same in it.
    path.with_name("memory.json.corrupt-1").write_bytes(
        b"[1, " + json.dumps(GONE).encode() + b', "stays here"'
    )
    assert any(piece in bytes_of(path.parent) for piece in pieces(GONE))
    told: list[tuple[str, ...]] = []
    memory.forgetting.append(lambda texts: told.append(tuple(sorted(texts))))

    purged = memory.purge(2502, memory.entries[2501], USER)

    assert isinstance(purged, Purged)
    assert purged.clean
    assert purged.texts == 2
    assert told == [tuple(sorted((first, memory_text(GONE))))]
    for piece in (*pieces(GONE), *pieces(first)):
        assert piece not in bytes_of(path.parent)
    had = {place.path.name for place in purged.places if place.had}
    assert {"memory.json", "memory.db", "memory.json.corrupt-1"} <= had
    assert b'"stays here"' in path.with_name("memory.json.corrupt-1").read_bytes()
    assert (path.parent / "cache" / "lexical.index").read_bytes() != kept
    assert STAYS in json.loads(path.read_text(encoding="utf-8"))
    assert memory.recall("备用钥匙在花盆下面").hits == ()
    # The journal still says that there was something, and can't bring it back.
    newest, *_ = memory.changes()
    assert (newest.kind, newest.id, newest.before[0].text) == ("purge", purged.change, None)
    undone = memory.undo(author=USER)
    assert isinstance(undone, NotUndone)
    assert undone.reason == "purged"


def memory_text(text: str) -> str:
    return text


def test_what_is_said_elsewhere_is_told(path: Path) -> None:
    memory = Memory(path)
    memory.remember("银行卡在第二个抽屉", USER)
    memory.remember("银行卡在第二个抽屉，备用的在第三个", USER)
    sessions = path.with_name("geekagent.db")
    sessions.write_text(json.dumps("你说过：银行卡在第二个抽屉"))
    purged = memory.purge(1, "银行卡在第二个抽屉", USER)
    assert isinstance(purged, Purged)
    # Another entry says it too, and stays: then the files can't be told by these words.
    assert purged.kept == (1,)
    assert memory.entries == ("银行卡在第二个抽屉，备用的在第三个",)
    again = memory.purge(1, memory.entries[0], USER)
    assert isinstance(again, Purged)
    assert again.clean
    memory.remember("保险箱的位置在书房", USER)
    sessions.write_text(json.dumps("你说过：保险箱的位置在书房"))
    last = memory.purge(1, "保险箱的位置在书房", USER)
    assert isinstance(last, Purged)
    assert not last.clean
    assert [place.path.name for place in last.places if place.has] == ["geekagent.db"]


def test_a_stale_number_purges_nothing(path: Path) -> None:
    memory = Memory(path)
    memory.remember("甲", USER)
    assert memory.purge(1, "乙", USER) == Stale(1, "甲", ())
    assert memory.entries == ("甲",)
    assert isinstance(memory.undo(), Changed)
