"""Blocks that grow: an open fence takes its new lines as they are, an open table parses its new rows under its header,
and what stands inside a long list item is a text of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from geekagent_tui.ui.transcript.blocks import Block, Item
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.markdown import Env, Piece, parse, take_task
from geekagent_tui.ui.transcript.steady import steadied
from geekagent_tui.ui.transcript.table import Table

LONG_ITEM = 8
"""Lines after which an item is taken line by line. Below, parsing it again costs nothing."""

_DEEPEST = 24
"""Cells of indent beyond which an item is parsed as a whole: the parser gives up at some depth."""

_ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])( {1,4})(?=[^ \t])")
_ANY_ITEM = re.compile(r" {0,3}([-+*]|\d{1,9}[.)])([ \t]|\Z)")
_RULE = re.compile(r" {0,3}([-*_])( *\1){2,} *\Z")


class Fence:
    """An open fence at the margin: its lines are taken without a look, until one closes it."""

    def __init__(self, block: CodeBlock, marker: str, rest: list[str]) -> None:
        self.block = block
        self.rest = rest
        self.source: list[str] = []
        self._closing = re.compile(rf" {{0,3}}{re.escape(marker)}{re.escape(marker[0])}*[ \t]*\Z")
        self._marker = marker

    @classmethod
    def begin(cls, block: Block, lines: Sequence[str]) -> Fence | None:
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

    def piece(self) -> Piece:
        """The fence, complete. Its source is never asked for again."""
        self.block.close()
        return Piece(self.block, 0, 0)

    def show(self, partial: str, env: Env) -> list[Block]:
        closing = partial.strip()
        self.block.partial = "" if closing and self._marker.startswith(closing[:3]) else partial
        return []


class Rows:
    """An open table: new rows are parsed under its header."""

    def __init__(self, block: Table, head: list[str], rest: list[str]) -> None:
        self.block = block
        self.rest = rest
        self.source = head
        self._head = "\n".join(head) + "\n"

    @classmethod
    def begin(cls, table: Block, lines: Sequence[str]) -> Rows | None:
        if not isinstance(table, Table):
            return None
        block = Table(table.header, table.aligns)
        return cls(block, list(lines[:2]), list(lines[2:]))

    def take(self, lines: list[str], env: Env) -> tuple[list[str], bool]:
        if not lines:
            return [], False
        pieces = parse(self._head + "\n".join(lines) + "\n", env)
        table, used = pieces[0].block, pieces[0].end - 2
        if isinstance(table, Table):
            self.block.append(table.rows)
        self.source.extend(lines[:used])
        return lines[used:], used < len(lines)

    def piece(self) -> Piece:
        """The table, complete."""
        return Piece(self.block, 0, len(self.source))

    def show(self, partial: str, env: Env) -> list[Block]:
        pieces = parse(self._head + partial, env) if partial.strip() else []
        table = pieces[0].block if pieces else None
        self.block.show_partial(table.rows if isinstance(table, Table) else ())
        return [piece.block for piece in pieces[1:]]


class Inside(Protocol):
    """The text in an item: a ``Flow``."""

    @property
    def blocks(self) -> Sequence[Block]: ...

    def feed(self, text: str) -> None: ...

    def preview(self, text: str) -> None: ...

    def finish(self) -> None: ...


class LongItem:
    """A list item whose lines are known to belong to it by their indent.

    A line without it ends the item when it is sure to (the next item, or anything after a blank line). Where that takes
    the parser to tell (a paragraph may go on in a line without indent), ``source_wanted`` is set: the item has to be
    parsed as a whole, from ``source``.
    """

    def __init__(self, piece: Piece, block: Item, found: re.Match[str], inside: Inside) -> None:
        self.source: list[str] = []
        self.rest: list[str] = []
        self.source_wanted = False
        self.sibling = False
        self._piece = piece
        self._item = Item(block.marker, block.style, block.children, joins=block.joins)
        self._inside = inside
        self._indent = found.end()
        self._kind = found[2][-1]
        self._blank = False
        self._changed = True

    @classmethod
    def begin(cls, piece: Piece, lines: Sequence[str], inside: Inside, env: Env) -> LongItem | None:
        found = _ITEM.match(lines[0]) if lines else None
        if found is None or not isinstance(piece.block, Item) or len(lines) < LONG_ITEM:
            return None
        made = cls(piece, piece.block, found, inside)
        first = " " * found.end() + lines[0][found.end() :]
        rest, ended = made.take([first, *lines[1:]], env)
        if ended or made.source_wanted:
            return None
        made.source[0] = lines[0]
        made.rest = rest
        return made

    @property
    def block(self) -> Item:
        if self._changed:
            children = list(self._inside.blocks)
            if self._item.style.startswith("task"):
                take_task(children)
            self._item.show(children)
            self._changed = False
        return self._item

    def piece(self) -> Piece:
        """The item, complete."""
        self._inside.finish()
        self._changed = True
        return Piece(self.block, 0, len(self.source), self._piece.number, self._piece.follows)

    def take(self, lines: list[str], env: Env) -> tuple[list[str], bool]:
        """Lines left over, and whether the item has ended."""
        self._changed = True
        for at, line in enumerate(lines):
            if not line.strip():
                self._blank = True
            elif "\t" in line or "]:" in line or len(line) - len(line.lstrip()) > _DEEPEST:
                self.source_wanted = True
                return lines[at:], False
            elif self._belongs(line):
                self._blank = False
            else:
                ended = self._ends(line)
                self.source_wanted = not ended
                return lines[at:], ended
            self.source.append(line)
            self._inside.feed(line[self._indent :] + "\n")
        return [], False

    def show(self, partial: str, env: Env) -> list[Block]:
        """Show an unfinished line where it will belong."""
        self._changed = True
        inside = self._belongs(partial)
        self._inside.preview(partial[self._indent :] if inside else "")
        if inside or not partial.strip():
            return []
        follows = self._is_sibling(partial)
        pieces = parse(steadied(partial), env, self._piece if follows else None)
        return [piece.block for piece in pieces]

    def _belongs(self, line: str) -> bool:
        return line.startswith(" " * self._indent)

    def _ends(self, line: str) -> bool:
        """Whether a line without the indent is sure to end the item."""
        self.sibling = self._is_sibling(line)
        return self.sibling or (self._blank and _RULE.match(line) is None and _ANY_ITEM.match(line) is None)

    def _is_sibling(self, line: str) -> bool:
        found = _ITEM.match(line)
        return found is not None and found[2][-1] == self._kind and _RULE.match(line) is None
