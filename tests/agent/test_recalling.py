"""How a session recalls: choices, previews that hold, privacy; and the requests as they were sent."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.agent.events import Event, RecallDone, RequestSent, TextDelta, TurnFinished
from geekagent_tui.agent.recalling import ActiveRecall, Choices
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.sessions import SessionStore
from geekagent_tui.agent.tools.registry import RefuseAll
from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import Remembered
from geekagent_tui.memory.steering import Passage, Verdict, entry_key
from geekagent_tui.memory.verdicts import Verdicts
from tests.support.app import Home
from tests.support.loopback import LoopbackServer, error_reply, text_reply, tool_reply

ENTRIES = ("部署在周五下午三点。", "部署之前先看 grafana 的面板。")

passages = st.builds(Passage, st.text(min_size=1, max_size=20), st.integers(1, 9), st.integers(1, 9))


@given(
    st.builds(
        Choices,
        st.lists(passages, max_size=3).map(tuple),
        st.booleans(),
        st.booleans(),
        st.integers(0, 50),
        st.sampled_from(["", "classic", "lexical"]),
    )
)
def test_choices_come_back_as_they_were_kept(choices: Choices) -> None:
    assert Choices.of_text(choices.to_text()) == choices


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "null", '{"pins": 3, "top": "x"}', '{"pins": [1, {}], "top": 99}']
)
def test_damaged_choices_are_none(text: str) -> None:
    assert Choices.of_text(text) == Choices()


def test_a_pin_is_taken_back_by_the_same_key(tmp_path: Path) -> None:
    one, wider = Passage("e", 2, 2), Passage("e", 1, 3)
    assert Choices().pinned(one).pins == (one,)
    assert Choices().pinned(wider).pinned(one).pins == ()
    assert Choices().pinned(one).pinned(Passage("f", 2, 2)).pins == (one, Passage("f", 2, 2))


def memory_of(folder: Path, *entries: str) -> Memory:
    (folder / "memory.json").write_text(json.dumps(entries), encoding="utf-8")
    return Memory(folder / "memory.json", profile="lexical", clock=lambda: 0.0)


def test_what_was_previewed_goes_in_while_it_holds(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    seen = ActiveRecall(memory, 5).preview("部署", "")
    assert ActiveRecall(memory, 5, preview=seen).recall("部署", "") is seen.recall
    # Another text, another limit, a pin, another question before: what was seen is about something else.
    assert ActiveRecall(memory, 5, preview=seen).recall("部署面板", "").query == "部署面板"
    assert len(ActiveRecall(memory, 1, preview=seen).recall("部署", "").hits) == 1
    out = (Passage(entry_key(ENTRIES[0]), 1, 1),)
    steered = ActiveRecall(memory, 5, excluded=out, preview=seen).recall("部署", "")
    assert [hit.entry for hit in steered.hits] == [2]
    assert ActiveRecall(memory, 5, preview=seen).recall("部署", "前面的") is not seen.recall


def test_a_memory_that_changed_after_the_preview_is_searched_again_and_says_so(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    seen = ActiveRecall(memory, 5).preview("部署", "")
    assert isinstance(memory.remember("骑自行车"), Remembered)
    unchanged = ActiveRecall(memory, 5, preview=seen).recall("部署", "")
    assert (unchanged.renewed, recall_text(unchanged)) == (False, seen.injected)
    (tmp_path / "memory.json").write_text(json.dumps([*ENTRIES, "部署以后发公告。"]), encoding="utf-8")
    changed = ActiveRecall(memory, 5, preview=seen).recall("部署", "")
    assert changed.renewed
    assert 3 in [hit.entry for hit in changed.hits]


@pytest.mark.parametrize(
    ("choices", "silence"), [(Choices(private=True), "private"), (Choices(recall=False), "off")]
)
def test_without_recall_nothing_is_read(tmp_path: Path, choices: Choices, silence: str) -> None:
    memory = memory_of(tmp_path, *ENTRIES)
    recaller = ActiveRecall(memory, 5, replace(choices, pins=(Passage(entry_key(ENTRIES[0]), 1, 1),)))
    recall = recaller.recall("部署", "")
    assert (recall.hits, recall.silence, recaller.injected(recall)) == ((), silence, "")
    assert recaller.preview("部署", "").recall == recall


class TestVerdicts:
    def test_said_and_taken_back_also_by_another_process(self, tmp_path: Path) -> None:
        path, passage = tmp_path / "not_useful.json", Passage("e", 1, 1)
        one, other = Verdicts(path), Verdicts(path)
        assert one.toggle(passage, frozenset({"部署", "面板"}))
        assert other.all() == one.all() == (Verdict(passage, frozenset({"部署", "面板"})),)
        assert not other.toggle(passage, frozenset({"部署", "面板", "看"}))  # a question like it
        assert one.all() == ()
        assert one.toggle(passage, frozenset({"部署"}))
        assert one.toggle(passage, frozenset({"自行车"}))
        assert len(other.all()) == 2

    @pytest.mark.parametrize(
        "text", ["", "{", "{}", '[1, {"entry": 1}, {"entry": "e", "first": 1, "last": 1}]']
    )
    def test_a_damaged_file_counts_as_empty_and_is_replaced(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "not_useful.json"
        path.write_text(text, encoding="utf-8")
        verdicts = Verdicts(path)
        assert verdicts.all() == ()
        assert verdicts.toggle(Passage("e", 1, 1), frozenset({"a"}))
        assert len(Verdicts(path).all()) == 1

    def test_no_text_of_memory_stands_in_it(self, tmp_path: Path) -> None:
        path = tmp_path / "not_useful.json"
        Verdicts(path).toggle(Passage(entry_key(ENTRIES[0]), 1, 1), frozenset({"a"}))
        assert "部署" not in path.read_text(encoding="utf-8")


async def turn(home: Home, text: str, choices: Choices = Choices()) -> list[Event]:  # noqa: B008 - frozen
    workspace = home.workspace(RefuseAll())
    try:
        conversation, _ = workspace.open_session("s")
        conversation.enqueue(text, workspace.adapted(choices))
        async with aclosing(conversation.run_next()) as events:
            return [event async for event in events]
    finally:
        await workspace.aclose()


async def test_a_private_session_has_no_tool_that_knows_memory(
    tmp_path: Path, loopback: LoopbackServer
) -> None:
    home = Home(tmp_path)
    home.remember(*ENTRIES)
    home.serve(loopback.base_url)
    loopback.add(
        text_reply("好"),
        tool_reply("memory_write", '{"content": "密"}'),
        text_reply("没存"),
        text_reply("好"),
    )
    await turn(home, "部署", Choices(private=True))
    await turn(home, "记住：密", Choices(private=True))
    assert home.entries() == list(ENTRIES)
    for received in loopback.requests:
        sent = json.dumps(received.json, ensure_ascii=False)
        assert "周五" not in sent
        names = {tool["function"]["name"] for tool in received.json["tools"]}
        assert "get_current_time" in names
        assert not [name for name in names if name.startswith("memory")]
    await turn(home, "部署")
    assert "周五" in json.dumps(loopback.requests[-1].json, ensure_ascii=False)


async def test_a_profile_and_a_number_of_ones_own(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.remember(*ENTRIES, "自行车")
    events = await turn(home, "部署", Choices(profile="classic", top=1))
    (done,) = [event for event in events if isinstance(event, RecallDone)]
    assert (done.recall.profile, len(done.recall.hits)) == ("classic", 1)


async def test_requests_are_kept_as_they_were_sent_each_message_once(
    tmp_path: Path, loopback: LoopbackServer
) -> None:
    home = Home(tmp_path)
    home.remember(*ENTRIES)
    home.serve(loopback.base_url, key="sk-very-secret")
    odd = "部署 \\ud800 \x00 👨‍👩‍👧"
    loopback.add(
        tool_reply("get_current_time", "{}"), text_reply("周五"), error_reply(400, "stream_options?")
    )
    loopback.add(text_reply("还是周五"))
    first = await turn(home, odd)
    second = await turn(home, "几点")
    received = [request.json for request in loopback.requests]
    store = SessionStore(home.geekagent / "geekagent.db", lambda: 0.0)
    ids = store.turn_ids("s")
    assert [json.loads(text) for text in store.requests(ids[0])] == received[:2]
    # The service refused the first form: what counts is what it answered.
    assert [json.loads(text) for text in store.requests(ids[1])] == received[3:]
    assert [event.round for event in first if isinstance(event, RequestSent)] == [1, 2]
    assert isinstance(second[-1], TurnFinished)
    assert b"very-secret" not in (home.geekagent / "geekagent.db").read_bytes()
    db = store._db
    (messages,) = db.execute("SELECT COUNT(*) FROM messages").fetchone()
    distinct = {
        json.dumps(message) for request in (*received[:2], *received[3:]) for message in request["messages"]
    }
    assert messages == len(distinct)
    assert messages < sum(len(request["messages"]) for request in received)
    store.reset("s")
    assert db.execute("SELECT COUNT(*) FROM messages").fetchone() == (0,)
    assert store.requests(ids[0]) == ()
    store.close()


def test_choices_stay_with_their_session(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "geekagent.db", lambda: 0.0)
    assert store.choices("s") == "{}"
    store.save_choices("s", '{"top": 3}')
    store.save_draft("s", "半句")
    store.save_draft("s", "")
    assert store.choices("s") == '{"top": 3}'
    store.begin_turn("t", TurnRecord("1", "一", 0.0))
    store.append("1", [TextDelta("1", "x")])
    assert store.choices("t") == "{}"
    store.close()
