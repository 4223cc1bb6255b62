"""What a server sent, as text: HTML as Markdown, everything else that is text as it is."""

from __future__ import annotations

import zlib

MAX_CHARACTERS = 40_000
"""Characters of a page that the model gets."""
_HTML = ("text/html", "application/xhtml+xml")
_TEXTUAL = ("json", "xml", "javascript", "yaml", "toml", "x-sh", "ecmascript", "x-www-form-urlencoded")
_UNSEEN = ["script", "style", "noscript", "template", "svg", "iframe", "head"]


def unpacked(data: bytes, encoding: str, limit: int) -> bytes:
    """``data`` without its gzip or deflate coding, ``limit`` bytes at most. What can't be unpacked stays as it is."""
    if encoding.strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return data
    for window in (47, -15):
        try:
            return zlib.decompressobj(window).decompress(data, limit)
        except zlib.error:
            continue
    return data


def page_text(data: bytes, content_type: str) -> str | None:
    """The page's text, None when it is none."""
    kind, _, rest = content_type.partition(";")
    kind = kind.strip().lower()
    charset = rest.partition("charset=")[2].split(";")[0].strip(" \"'") or None
    if kind in _HTML or (not kind and data.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html"))):
        return _html(data, charset)
    textual = kind.startswith("text/") or any(mark in kind for mark in _TEXTUAL) or not kind
    if not textual or b"\0" in data[:8192]:
        return None
    return _decoded(data, charset)


def _html(data: bytes, charset: str | None) -> str:
    from bs4 import BeautifulSoup
    from markdownify import markdownify

    soup = BeautifulSoup(data, "html.parser", from_encoding=charset)
    title = soup.title.get_text(" ", strip=True) if soup.title is not None else ""
    for tag in soup(_UNSEEN):
        tag.decompose()
    try:
        text: str = markdownify(str(soup), heading_style="ATX")
    except RecursionError:
        # Nested more deeply than a program of this kind can walk: the words alone.
        text = soup.get_text("\n", strip=True)
    rows: list[str] = [f"# {title}", ""] if title else []
    for row in text.splitlines():
        if row.strip() or (rows and rows[-1]):
            rows.append(row.rstrip())
    return "\n".join(rows).strip()


def _decoded(data: bytes, charset: str | None) -> str:
    for encoding in (charset, "utf-8", "gb18030"):
        try:
            if encoding:
                return data.decode(encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("utf-8", "replace")
