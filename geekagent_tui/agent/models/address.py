"""Base URLs as people paste them."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit, urlunsplit

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_ENDPOINTS = re.compile(r"(?:/chat/completions|/completions|/responses|/models|/embeddings)$")
_DOUBLED = re.compile(r"(/v\d+)(?:\1)+$")


def base_urls(given: str) -> tuple[str, ...]:
    """The base URLs to try in order, the likely one first; never with a slash at the end.

    Safe corrections only: white space, a missing scheme, a pasted endpoint, ``/v1/v1``. A bare host gets ``/v1``,
    with the bare host itself second, for the few services that want it so. Any other path is somebody's choice.
    """
    text = given.strip().strip("\"'").rstrip("/")
    if not text:
        return (DEFAULT_BASE_URL,)
    if "://" not in text:
        text = f"{_scheme(text)}://{text}"
    try:
        parts = urlsplit(text)
    except ValueError:
        return (text,)
    path = _ENDPOINTS.sub("", parts.path.rstrip("/")).rstrip("/")
    path = _DOUBLED.sub(r"\1", path)
    paths = (path,) if path else ("/v1", "")
    return tuple(urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")) for path in paths)


def host_of(url: str) -> str:
    """Host and port of ``url`` for a message, without a user name or password in it."""
    try:
        netloc = urlsplit(url).netloc
    except ValueError:
        return url
    return netloc.rpartition("@")[2] or url


def _scheme(text: str) -> str:
    """http for this machine and private addresses, https for the rest of the world."""
    authority = text.partition("/")[0]
    host = authority[1:].partition("]")[0] if authority.startswith("[") else authority.partition(":")[0]
    if host == "localhost" or host.endswith((".local", ".localhost")):
        return "http"
    try:
        return "http" if ipaddress.ip_address(host).is_private else "https"
    except ValueError:
        return "https"
