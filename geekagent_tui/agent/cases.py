"""The user's own recall cases: "this entry should have come", "should not have". ``geekagent eval`` reads them.

The file is a recall set (see ``memory/evaluation.py``) with one group. Its memory is the entries as they are now, and
behind them those that earlier cases speak about and that are gone since, so that no case loses its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from geekagent_tui.memory import durable

NAME = "recall_cases"


class CasesError(Exception):
    """The file is there and is no recall set. It is left alone; the text says what is wrong with it."""


def record_case(path: Path, entries: Sequence[str], question: str, entry: int, *, wanted: bool) -> None:
    """Add a case to the file: ``entry`` (from 1) should come for ``question``, or should not. Said again the other way
    round, the later word counts. Raises ``CasesError`` and ``OSError``; a file can be changed by one window at a time
    (``durable.LockTimeoutError``)."""
    durable.make_folder(path.parent)
    with durable.lock(path.with_name(f"{path.name}.lock"), 5.0):
        data = with_case(_loaded(path), entries, question, entry, wanted=wanted)
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        durable.replace(path, text.encode("utf-8", "surrogatepass"))


def with_case(
    data: dict[str, Any], entries: Sequence[str], question: str, entry: int, *, wanted: bool
) -> dict[str, Any]:
    """The set with one case more. Groups behind the first are somebody's own and stay as they are."""
    groups = list(data.get("groups") or [])
    first = dict(groups[0]) if groups else {"memories": [], "queries": [], "negatives": []}
    before = first.get("memories") or []
    memories = list(entries)
    places = {text: at for at, text in reversed(list(enumerate(memories, 1)))}

    def place(number: int) -> int:
        text = before[number - 1]
        if text not in places:
            memories.append(text)
            places[text] = len(memories)
        return places[text]

    queries = []
    for query in first.get("queries") or []:
        moved = {**query, "entries": [place(number) for number in query["entries"]]}
        if query.get("without"):
            moved["without"] = [place(number) for number in query["without"]]
        queries.append(moved)
    same = next((query for query in queries if query["q"] == question), None)
    if same is None:
        same = {"q": question, "entries": []}
        queries.append(same)
    to, off = ("entries", "without") if wanted else ("without", "entries")
    same[to] = [*(number for number in same.get(to, []) if number != entry), entry]
    same[off] = [number for number in same.get(off, []) if number != entry]
    first |= {"memories": memories, "queries": queries}
    return {"name": NAME, **data, "groups": [first, *groups[1:]]}


def _loaded(path: Path) -> dict[str, Any]:
    from geekagent_tui.memory.evaluation import SetError, load_set

    if not path.exists():
        return {}
    try:
        load_set(path)  # says what is wrong, and where
    except SetError as error:
        raise CasesError(str(error)) from error
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data
