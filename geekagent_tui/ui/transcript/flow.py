"""Markdown as it arrives: what can't change any more is parsed once, only the open end again and again.

A top-level block (or list item) is closed when whole source lines show another one beginning after it. Within an
open fence or table even that is too much: a fence takes its new lines as they are, a table parses its new rows
under its header. So a long answer costs its length, whatever it is made of.

The source is the same at the end however it was cut into pieces, and so are the blocks: ``blocks`` after
``finish`` equal those of ``parse`` on the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript.blocks import Block, Paragraph
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.markdown import Env, Piece, parse
from geekagent_tui.ui.transcript.table import Table

_MARKER_AT_END = re.compile(r"(?<![\\])(\*{1,3}|_{1,3}|~{1,2}|`+)\Z")


@dataclass(slots=True)
class _Frozen:
    """A closed piece. ``source`` is kept only when a link definition found later could change it."""

    source: str | None
    before: Piece | None


class Flow:
    """``feed`` source, then read ``blocks``; ``finish`` when no more comes."""

    def __init__(self) -> None:
        self._frozen: list[_Frozen] = []
        self._blocks: list[Block] = []
        self._tail = ""
        self._held = ""
        self._env: Env = {}
        self._known = 0
        self._continued: Piece | None = None
        self._mode: _Fence | _Rows | None = None
        self._open: list[Block] = []
        self._stale = False
        self.finished = False

    @classmethod
    def of(cls, source: str) -> Flow:
        """The flow of a text that is complete."""
        flow = cls()
        flow.feed(source)
        flow.finish()
        return flow

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks so far; the last ones may still change."""
        if self._stale:
            self._show_open()
        return [*self._blocks, *self._open]

    def feed(self, text: str) -> None:
        """Take more source."""
        text = self._held + text
        self._held = "\r" if text.endswith("\r") else ""  # half of a line end, perhaps
        if self._held:
            text = text[:-1]
        text = harmless(text.replace("\r\n", "\n").replace("\r", "\n"))
        if not text:
            return
        self._tail += text
        self._stale = True
        if "\n" in text:
            self._settle()

    def finish(self) -> None:
        """No more comes: what is open is closed."""
        if self.finished:
            return
        self.finished = True
        if self._held:
            self._held = ""
            self._tail += "\n"
        if self._tail and not self._tail.endswith("\n"):
            self._tail += "\n"
        self._settle()
        if self._mode is not None:
            self._freeze([Piece(self._mode.block, 0, 0)], [""])
            self._mode = None
        pieces = parse(self._tail, self._env, self._continued)
        self._freeze(pieces, self._tail.split("\n"))
        self._redefine()
        self._tail, self._open, self._stale = "", [], False

    def _definitions(self) -> dict[str, object]:
        found: dict[str, object] = self._env.get("references", {})
        return found

    def _settle(self) -> None:
        """Move what whole lines have closed from the tail to the frozen blocks."""
        while True:
            whole, cut, partial = self._tail.rpartition("\n")
            if not cut:
                return
            lines = whole.split("\n")
            if self._mode is None:
                again = self._settle_blocks(lines, partial)
            else:
                rest, closed = self._mode.take(lines, self._env)
                self._tail = "\n".join([*rest, partial])
                if closed:
                    self._freeze([Piece(self._mode.block, 0, 0)], [""])
                    self._mode = None
                again = closed
            if not again:
                return

    def _settle_blocks(self, lines: list[str], partial: str) -> bool:
        """Freeze all but the last piece; whether the last is one that grows by itself from here on."""
        source = "\n".join(lines) + "\n"
        pieces = parse(source, self._env, self._continued)
        closed = pieces[:-1]
        # Lines between the pieces that aren't blank are definitions, and their end may be open.
        if closed and any(line.strip() for line in lines[closed[-1].end : pieces[-1].start]):
            closed = []
        if closed:
            start = pieces[-1].start
            self._freeze(closed, lines)
            self._redefine()
            self._continued = closed[-1] if pieces[-1].follows else None
            lines = lines[start:]
            self._tail = "\n".join([*lines, partial])
        if not pieces or len(pieces) - len(closed) != 1:
            return False
        self._mode = _Fence.begin(pieces[-1].block, lines) or _Rows.begin(pieces[-1], lines, bool(closed))
        if self._mode is None:
            return False
        self._continued = None
        self._tail = "\n".join([*self._mode.rest, partial])
        return True

    def _freeze(self, pieces: Sequence[Piece], lines: Sequence[str]) -> None:
        for at, piece in enumerate(pieces):
            source = "\n".join(lines[piece.start : piece.end]) + "\n"
            before = (pieces[at - 1] if at else self._continued) if piece.follows else None
            keep = "[" in source and not isinstance(piece.block, CodeBlock)
            self._frozen.append(_Frozen(source if keep else None, before))
            self._blocks.append(piece.block)

    def _redefine(self) -> None:
        """Parse again what may refer to a definition that wasn't there yet."""
        if len(self._definitions()) == self._known:
            return
        self._known = len(self._definitions())
        for at, frozen in enumerate(self._frozen):
            if frozen.source is not None:
                pieces = parse(frozen.source, self._env, frozen.before)
                if len(pieces) == 1:
                    self._blocks[at] = pieces[0].block

    def _show_open(self) -> None:
        """Make the blocks of the open end anew."""
        self._stale = False
        if self._mode is not None:
            partial = self._tail.rpartition("\n")[2]
            self._open = [self._mode.block, *self._mode.show(partial, self._env)]
            return
        env: Env = {"references": dict(self._definitions())}
        pieces = parse(self._tail if self.finished else steadied(self._tail), env, self._continued)
        blocks = [piece.block for piece in pieces]
        for earlier, block in zip(self._open, blocks, strict=False):
            if isinstance(earlier, Paragraph) and isinstance(block, Paragraph):
                block.like(earlier)
        self._open = blocks


class _Fence:
    """An open fence at the margin: its lines are taken without a look, until one closes it."""

    def __init__(self, block: CodeBlock, marker: str, rest: list[str]) -> None:
        self.block = block
        self.rest = rest
        self._closing = re.compile(rf" {{0,3}}{re.escape(marker)}{re.escape(marker[0])}*[ \t]*\Z")
        self._marker = marker

    @classmethod
    def begin(cls, block: Block, lines: Sequence[str]) -> _Fence | None:
        if not isinstance(block, CodeBlock) or not lines:
            return None
        found = re.match(r"(`{3,}|~{3,})", lines[0])
        if found is None:
            return None
        return cls(CodeBlock(block.language), found[0], list(lines[1:]))

    def take(self, lines: list[str], env: Env) -> tuple[list[str], bool]:
        """Lines left over, and whether the fence was closed."""
        for at, line in enumerate(lines):
            if self._closing.match(line):
                self.block.append(lines[:at])
                return lines[at + 1 :], True
        self.block.append(lines)
        return [], False

    def show(self, partial: str, env: Env) -> list[Block]:
        closing = partial.strip()
        self.block.partial = "" if closing and self._marker.startswith(closing[:3]) else partial
        return []


class _Rows:
    """An open table: new rows are parsed under its header."""

    def __init__(self, block: Table, head: str, rest: list[str]) -> None:
        self.block = block
        self.rest = rest
        self._head = head

    @classmethod
    def begin(cls, piece: Piece, lines: Sequence[str], cut: bool) -> _Rows | None:
        if not isinstance(piece.block, Table) or (piece.start != 0 and not cut):
            return None
        block = Table(piece.block.header, piece.block.aligns)
        return cls(block, "\n".join(lines[:2]) + "\n", list(lines[2:]))

    def take(self, lines: list[str], env: Env) -> tuple[list[str], bool]:
        if not lines:
            return [], False
        pieces = parse(self._head + "\n".join(lines) + "\n", dict(env))
        table, used = pieces[0].block, pieces[0].end - 2
        if isinstance(table, Table):
            self.block.append(table.rows)
        return lines[used:], used < len(lines)

    def show(self, partial: str, env: Env) -> list[Block]:
        pieces = parse(self._head + partial, dict(env)) if partial.strip() else []
        table = pieces[0].block if pieces else None
        self.block.show_partial(table.rows if isinstance(table, Table) else ())
        return [piece.block for piece in pieces[1:]]


def steadied(source: str) -> str:
    """``source`` with what its last paragraph leaves half written closed for show, so that nothing flickers.

    Emphasis and code that are open get their end; markers at the very end, with nothing after them yet, are left
    out. Only the picture of the open end is made from this, never what stays.
    """
    head, gap, last = source.rpartition("\n\n")
    if "```" in last or "~~~" in last or not any(mark in last for mark in "*_`~"):
        return source
    last = _MARKER_AT_END.sub("", last) if not last[-1:].isspace() else last
    ticks: list[str] = re.findall(r"`+", last)
    if len(ticks) % 2:
        return head + gap + last + ticks[-1]
    plain = re.sub(r"(`+).*?\1", "", last, flags=re.S)
    for mark in ("**", "__", "~~"):
        if plain.count(mark) % 2 and not last[-1:].isspace():
            return head + gap + last + mark
    return head + gap + last
