"""Server-sent events out of bytes, as services really send them.

The wire format is that of the HTML standard, section 9.2.6, read leniently: a broken character becomes U+FFFD, an
event that was not closed by a blank line counts at the end of the stream, and ``data`` lines without a blank line
between them are events of their own when each is JSON by itself.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """``name`` is the ``event`` field, "" when there was none; ``data`` the joined ``data`` lines."""

    name: str
    data: str


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class EventReader:
    """Feed it packets as they come; it gives back the events that are complete."""

    def __init__(self) -> None:
        self._packets: list[bytes] = []
        self._first = True
        self._after_return = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, packet: bytes) -> list[ServerEvent]:
        """The events that ``packet`` completes, in order."""
        if self._after_return and packet:
            packet = packet.removeprefix(b"\n")
            self._after_return = False
        self._after_return = packet.endswith(b"\r")
        if b"\n" not in packet and b"\r" not in packet:
            # A long line in many packets is joined once, so it costs its length and not its square.
            self._packets.append(packet)
            return []
        self._packets.append(packet)
        *lines, rest = b"".join(self._packets).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self._packets = [rest]
        return [event for line in lines for event in self._line(line)]

    def finish(self) -> list[ServerEvent]:
        """The stream is over: what was left, even when no blank line closed it."""
        rest = b"".join(self._packets)
        self._packets = []
        events = self._line(rest) if rest else []
        return events + self._close()

    def _line(self, raw: bytes) -> list[ServerEvent]:
        if self._first:
            self._first = False
            raw = raw.removeprefix(_BOM)
        if not raw:
            return self._close()
        field, _, value = raw.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        match field:
            case "event":
                self._name = value
            case "data":
                # Nearly every event has one line; only then is this not reached.
                closed = self._close() if self._data and _is_json("\n".join(self._data)) else []
                self._data.append(value)
                return closed
        return []

    def _close(self) -> list[ServerEvent]:
        event = ServerEvent(self._name, "\n".join(self._data))
        had = bool(self._data)
        self._name = ""
        self._data = []
        return [event] if had else []
