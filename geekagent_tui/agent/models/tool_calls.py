"""Tool calls put together from the pieces that services send."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from geekagent_tui.agent.models.base import ToolCall
from geekagent_tui.agent.models.surrogates import join_pairs


@dataclass(slots=True, eq=False)
class _Slot:
    """One call in the making. ``index`` is None when the service gave none."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def whole(self) -> bool:
        """The arguments are a complete JSON object already."""
        return self.arguments.rstrip().endswith("}") and _object(self.arguments) is not None


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


class CallAssembler:
    """Feed it the ``tool_calls`` of each delta. ``new_id`` makes an id for a call that came without one."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._slots: list[_Slot] = []

    def __bool__(self) -> bool:
        return bool(self._slots)

    def feed(self, pieces: Iterable[object]) -> None:
        """Take in one delta's list. What is not an object is skipped."""
        touched: list[_Slot] = []
        for piece in pieces:
            if not isinstance(piece, Mapping):
                continue
            function = piece.get("function")
            function = function if isinstance(function, Mapping) else {}
            slot = self._slot(piece, _text(function.get("name")), touched)
            touched.append(slot)
            slot.id = slot.id or _text(piece.get("id"))
            _add_name(slot, _text(function.get("name")))
            arguments = function.get("arguments")
            if isinstance(arguments, str):
                slot.arguments += arguments
            elif isinstance(arguments, Mapping):
                slot.arguments = json.dumps(arguments, ensure_ascii=False)

    def finish(self, *, cut: bool) -> tuple[tuple[ToolCall, ...], int]:
        """The calls in the order they began, and how many were left out.

        ``cut``: the answer was broken off, so a call whose arguments aren't a complete object is left out. A call
        without a name is never one.
        """
        calls: list[ToolCall] = []
        taken: set[str] = set()
        dropped = 0
        for slot in self._slots:
            if not slot.name or (cut and not slot.whole):
                dropped += 1
                continue
            arguments = join_pairs(slot.arguments)
            if arguments.strip() in ("", "null"):
                arguments = "{}"
            # A result is told to belong to its call by the id alone.
            call_id = slot.id if slot.id and slot.id not in taken else self._new_id()
            taken.add(call_id)
            calls.append(ToolCall(call_id, slot.name, arguments))
        return tuple(calls), dropped

    def _slot(self, piece: Mapping[str, object], name: str, touched: list[_Slot]) -> _Slot:
        """The call that ``piece`` belongs to; a new one when it belongs to none so far.

        An id tells calls apart when there is one, else the index, else whether the last call can still go on. One id
        for two places is a mistake of the service's: a name at the other place begins another call.
        """
        given = piece.get("index")
        index = given if isinstance(given, int) else None
        call_id = _text(piece.get("id"))
        same = [slot for slot in self._slots if call_id and slot.id == call_id]
        for slot in reversed(same):
            if index is None or slot.index in (None, index) or (not name and self._last(index) is None):
                return slot
        last = self._last(index)
        if last is None:
            return self._open(index)
        if call_id:
            # Another id at the same place: another call, unless it is nameless and the one before is unfinished
            # (some proxies make up a new id for every piece).
            fresh = bool(last.id) and (bool(name) or last.whole)
        elif name and last.name:
            renamed = index is None and name != last.name and bool(last.arguments)
            fresh = last.whole or last in touched or renamed
        else:
            fresh = False
        return self._open(index) if fresh else last

    def _last(self, index: int | None) -> _Slot | None:
        for slot in reversed(self._slots):
            if index is None or slot.index == index:
                return slot
        return None

    def _open(self, index: int | None) -> _Slot:
        slot = _Slot(index)
        self._slots.append(slot)
        return slot


def _add_name(slot: _Slot, name: str) -> None:
    """Join a name that came in pieces; one that is repeated, or repeated longer, isn't doubled."""
    if not name or name == slot.name:
        return
    if name.startswith(slot.name):
        slot.name = name
    elif not slot.arguments:
        slot.name += name
