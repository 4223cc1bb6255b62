"""The one readable line in the body of an error, whatever its shape."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

LINE_LIMIT = 300
"""Characters of a service's own words that a message quotes."""

_MESSAGE_KEYS = (
    "message",
    "msg",
    "detail",
    "details",
    "error_description",
    "status_msg",
    "error_msg",
    "title",
    "reason",
)
_NESTED_KEYS = ("error", "errors", "base_resp", "fault", "detail")
_DEPTH = 12
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_HIDDEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """``text`` with white space folded, cut to ``limit`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def looks_like_html(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def html_line(text: str) -> str:
    """The title of a web page, else its first line of text."""
    title = _TITLE.search(text)
    if title and title[1].strip():
        return one_line(_TAG.sub("", title[1]))
    visible = _TAG.sub("\n", _HIDDEN.sub("\n", text))
    return next((one_line(line) for line in visible.splitlines() if line.strip()), "")


def readable(body: object, limit: int = LINE_LIMIT) -> str:
    """The message in ``body``: JSON data, or text that may be JSON, HTML or plain. "" when there is none."""
    return one_line(_message(body, _DEPTH), limit)


def _message(body: object, depth: int) -> str:
    if depth == 0 or body is None:
        return ""
    if isinstance(body, str):
        return _of_text(body, depth)
    if isinstance(body, Mapping):
        return _of_object(body, depth)
    if isinstance(body, list):
        return "；".join(dict.fromkeys(filter(None, (_of_item(item, depth) for item in body[:3]))))
    return str(body)


def _of_text(text: str, depth: int) -> str:
    if looks_like_html(text):
        return html_line(text)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _message(json.loads(text), depth - 1) or text
        except (ValueError, RecursionError):
            return text
    return text


def _of_object(body: Mapping[Any, Any], depth: int) -> str:
    for key in _NESTED_KEYS:
        if isinstance(body.get(key), Mapping | list) and (inner := _message(body[key], depth - 1)):
            return inner
    for key in (*_MESSAGE_KEYS, "error"):
        if isinstance(body.get(key), str | Mapping | list) and (inner := _message(body[key], depth - 1)):
            metadata = body.get("metadata")
            raw = _message(metadata.get("raw"), depth - 1) if isinstance(metadata, Mapping) else ""
            return f"{inner}（{raw}）" if raw and raw not in inner else inner
    for key in ("code", "type", "status"):
        if isinstance(body.get(key), str | int) and body[key]:
            return str(body[key])
    return json.dumps(body, ensure_ascii=False, default=str) if body else ""


def _of_item(item: object, depth: int) -> str:
    """One item of a list of faults; ``loc`` names the field that it is about."""
    inner = _message(item, depth - 1)
    place = item.get("loc") if isinstance(item, Mapping) else None
    if isinstance(place, list) and place and inner:
        return f"{'.'.join(str(step) for step in place)}: {inner}"
    return inner
