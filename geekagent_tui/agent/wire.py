"""Events to and from JSON objects: what the command line prints and the session database keeps.

An object is the event's fields plus ``"event"``, the event's name in snake case.
"""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from typing import Any, get_args

from pydantic import TypeAdapter

from geekagent_tui.agent.events import Event


def event_name(kind: type[Event]) -> str:
    """``TextDelta`` → ``text_delta``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


_KINDS: dict[str, type[Event]] = {event_name(kind): kind for kind in get_args(Event)}


@cache
def _adapter(name: str) -> TypeAdapter[Event]:
    return TypeAdapter(_KINDS[name])


def to_json(event: Event) -> dict[str, Any]:
    """The event as plain data that ``json.dumps`` takes."""
    return {"event": event_name(type(event)), **dataclasses.asdict(event)}


def from_json(data: dict[str, Any]) -> Event:
    """The event that ``to_json`` was given. Raises ``ValueError`` for an unknown name or wrong fields."""
    fields = dict(data)
    name = fields.pop("event", None)
    if name not in _KINDS:
        raise ValueError(f"unknown event {name!r}")
    return _adapter(name).validate_python(fields)
