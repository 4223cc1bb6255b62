"""How long a busy service asks to wait."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds from ``now`` (epoch seconds) until the service wants to be asked again; None when it doesn't say.

    ``retry-after-ms`` in milliseconds, else ``Retry-After`` (RFC 9110, 10.2.3) in seconds or as a date.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000.0
    value = headers.get("retry-after")
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return seconds
    text = value.strip()
    if text.endswith("ms") and (milliseconds := _number(text[:-2])) is not None:
        return milliseconds / 1000.0
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - now)


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else None
    except ValueError:
        return None
    return number if number is not None and 0.0 <= number < float("inf") else None
