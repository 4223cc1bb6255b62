"""How a session recalls: what the user chose for it, the recall of a draft, and the recall of the turn it becomes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from geekagent_tui.memory.formatting import recall_text
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.steering import Passage, Steer, Verdict
from geekagent_tui.memory.types import Recall

MOST_PASSAGES = 50
"""``/recall top`` takes 1 to this many, as ``recall.top_k`` does."""


@dataclass(frozen=True, slots=True)
class Choices:
    """``pins`` go into every turn; ``recall`` off searches nothing by itself; ``private`` neither reads nor writes
    memory; ``top`` passages at most and ``profile``, 0 and "" for what the settings say."""

    pins: tuple[Passage, ...] = ()
    recall: bool = True
    private: bool = False
    top: int = 0
    profile: str = ""

    def to_text(self) -> str:
        """As the session database keeps it. "{}" for no choice at all."""
        return "{}" if self == Choices() else json.dumps(asdict(self))

    @classmethod
    def of_text(cls, text: str) -> Choices:
        """What ``to_text`` gave. A damaged text is as good as none: what it can't say is as it is by default."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(data, dict):
            return cls()
        pins = data.get("pins")
        found = (_passage(each) for each in pins) if isinstance(pins, list) else ()
        top, profile = data.get("top"), data.get("profile")
        return cls(
            tuple(each for each in found if each is not None),
            data.get("recall") is not False,
            data.get("private") is True,
            top if isinstance(top, int) and 0 <= top <= MOST_PASSAGES else 0,
            profile if isinstance(profile, str) else "",
        )

    def pinned(self, passage: Passage) -> Choices:
        """With ``passage`` pinned, or without it where it was."""
        left = tuple(
            each
            for each in self.pins
            if each.entry != passage.entry or each.last < passage.first or passage.last < each.first
        )
        return replace(self, pins=(*self.pins, passage) if len(left) == len(self.pins) else left)


@dataclass(frozen=True, slots=True)
class Preview:
    """What would go in with ``query``. It holds for as long as what it was made of does."""

    recall: Recall
    injected: str
    query: str
    previous: str
    steer: Steer
    limit: int
    entries: tuple[str, ...]


class ActiveRecall:
    """Recall as a turn asks for it: the user's raw sentence is the query, the file as it is now is searched.

    ``excluded`` stays out of this turn. With a ``preview`` that still holds, what it showed is what goes in; where it
    does not, the search is made anew, and the outcome says so when it is another one. ``used`` is told the entries
    that go into a turn.
    """

    def __init__(
        self,
        memory: Memory,
        top_k: int,
        choices: Choices = Choices(),
        *,
        verdicts: Callable[[], tuple[Verdict, ...]] = lambda: (),
        excluded: tuple[Passage, ...] = (),
        preview: Preview | None = None,
        used: Callable[[list[str]], None] = lambda entries: None,
    ) -> None:
        self._memory = memory
        self._choices = choices
        self._limit = choices.top or top_k
        self._verdicts = verdicts
        self._excluded = excluded
        self._preview = preview
        self._used = used

    def recall(self, query: str, previous: str) -> Recall:
        found = self._recall(query, previous)
        entries = self._memory.entries
        if used := [entries[hit.entry - 1] for hit in found.hits if hit.entry <= len(entries)]:
            self._used(used)
        return found

    def _recall(self, query: str, previous: str) -> Recall:
        if self._silence:
            return self._nothing(query)
        steer, seen = self._steer(), self._preview
        if seen is None:
            return self._memory.recall(query, self._limit, previous=previous, steer=steer)
        self._memory.refresh()
        made_of = (seen.query, seen.previous, seen.steer, seen.limit)
        if made_of == (query, previous, steer, self._limit) and seen.entries is self._memory.entries:
            return seen.recall
        found = self._memory.recall(query, self._limit, previous=previous, steer=steer)
        return replace(found, renewed=seen.query == query and recall_text(found) != seen.injected)

    def preview(self, query: str, previous: str) -> Preview:
        """What ``recall`` would give, and what that holds for."""
        self._memory.refresh()
        entries, steer = self._memory.entries, self._steer()
        found = (
            self._nothing(query)
            if self._silence
            else self._memory.recall(query, self._limit, previous=previous, steer=steer)
        )
        return Preview(found, recall_text(found), query, previous, steer, self._limit, entries)

    def injected(self, recall: Recall) -> str:
        return recall_text(recall)

    @property
    def _silence(self) -> str:
        return "private" if self._choices.private else "" if self._choices.recall else "off"

    def _nothing(self, query: str) -> Recall:
        chunks = self._memory.stats().chunks
        return Recall(query, (), (), chunks, 0.0, self._memory.profile.name, silence=self._silence)

    def _steer(self) -> Steer:
        return Steer(self._excluded, self._choices.pins, self._verdicts())


def _passage(data: Any) -> Passage | None:
    if not isinstance(data, dict):
        return None
    entry, first, last = data.get("entry"), data.get("first"), data.get("last")
    if isinstance(entry, str) and isinstance(first, int) and isinstance(last, int):
        return Passage(entry, first, last)
    return None
