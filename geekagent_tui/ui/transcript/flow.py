"""Markdown as it arrives: what can't change any more is parsed once, only the open end again and again.

A top-level block (or list item) is closed when whole source lines show another one beginning after it. Within an
open fence, table or long item even that is too much: see ``growing``. So a long answer costs its length, whatever it
is made of.

The source is the same at the end however it was cut into pieces, and so are the blocks: ``blocks`` after
``finish`` equal those of ``parse`` on the whole text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript.blocks import Block, Item, Paragraph
from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.growing import Fence, LongItem, Rows
from geekagent_tui.ui.transcript.markdown import Env, Piece, parse
from geekagent_tui.ui.transcript.steady import LongParagraph, steadied


@dataclass(slots=True)
class _Frozen:
    """A closed piece. ``source`` is kept only when a link definition found later could change it."""

    source: str | None
    before: Piece | None


class Flow:
    """``feed`` source, then read ``blocks``; ``finish`` when no more comes."""

    def __init__(self, depth: int = 0, references: dict[str, object] | None = None) -> None:
        """``depth`` is that of the list whose item this is the inside of; ``references`` are known definitions."""
        self._depth = depth
        self._frozen: list[_Frozen] = []
        self._blocks: list[Block] = []
        self._tail = ""
        self._held = ""
        self._env: Env = {"references": dict(references)} if references else {}
        self._known = len(self._definitions())
        self._continued: Piece | None = None
        self._mode: Fence | Rows | LongItem | None = None
        self._plain = False
        self._preview = ""
        self._long = LongParagraph()
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
        blocks = [*self._blocks, *self._open]
        if self._depth and len(blocks) > 1 and isinstance(blocks[1], Item):
            blocks[1].joins = True  # as ``parse`` has it: a nested list right under its item's line
        return blocks

    def preview(self, text: str) -> None:
        """Show ``text`` at the end, until the next call or more source."""
        if text != self._preview:
            self._preview = text
            self._stale = True

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
        self._preview = ""
        self._stale = True
        if "\n" in text:
            self._settle()

    def finish(self) -> None:
        """No more comes: what is open is closed."""
        if self.finished:
            return
        self.finished = True
        self._preview = ""
        if self._held:
            self._held = ""
            self._tail += "\n"
        if self._tail and not self._tail.endswith("\n"):
            self._tail += "\n"
        self._settle()
        if self._mode is not None:
            self._leave(self._mode)
        pieces = parse(self._tail, self._env, self._continued, self._depth)
        self._freeze(pieces, self._tail.split("\n"))
        self._redefine()
        self._tail, self._open, self._stale = "", [], False

    def _definitions(self) -> dict[str, object]:
        found: dict[str, object] = self._env.get("references", {})
        return found

    def _env_now(self) -> Env:
        """The definitions so far, for a parse whose own do not count yet."""
        return {"references": dict(self._definitions())}

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
                mode = self._mode
                rest, again = mode.take(lines, self._env_now())
                if isinstance(mode, LongItem) and mode.source_wanted:
                    rest, self._mode, self._plain = [*mode.source, *rest], None, True
                elif again:
                    self._leave(mode)
                self._tail = "\n".join([*rest, partial])
            if not again:
                return

    def _settle_blocks(self, lines: list[str], partial: str) -> bool:
        """Freeze all but the last piece; whether the last is one that grows by itself from here on."""
        source = "\n".join(lines) + "\n"
        env = self._env_now()
        pieces = parse(source, env, self._continued, self._depth)
        closed = pieces[:-1]
        # Lines between the pieces that aren't blank are definitions, and their end may be open.
        if closed and any(line.strip() for line in lines[closed[-1].end : pieces[-1].start]):
            closed = []
        if closed:
            start = pieces[-1].start
            if len(env["references"]) > self._known:
                # Only definitions that are closed count: what looks like one at the end may become something else.
                closed = parse("\n".join(lines[:start]) + "\n", self._env, self._continued, self._depth)
            self._freeze(closed, lines)
            self._redefine()
            self._plain = False
            self._continued = closed[-1] if closed and pieces[-1].follows else None
            lines = lines[start:]
            self._tail = "\n".join([*lines, partial])
        if not pieces or len(pieces) - len(closed) != 1:
            return False
        last = pieces[-1]
        at_top = bool(closed) or last.start == 0
        self._mode = Fence.begin(last.block, lines) or (Rows.begin(last.block, lines) if at_top else None)
        if self._mode is None and at_top and not self._plain:
            inside = Flow(self._depth + 1, self._definitions())
            self._mode = LongItem.begin(last, lines, inside, self._env_now())
        if self._mode is None:
            return False
        if not isinstance(self._mode, LongItem):
            self._continued = None
        self._tail = "\n".join([*self._mode.rest, partial])
        return True

    def _leave(self, mode: Fence | Rows | LongItem) -> None:
        """``mode``'s block is complete."""
        self._mode = None
        piece = mode.piece()
        self._freeze([piece], mode.source)
        self._continued = piece if isinstance(mode, LongItem) and mode.sibling else None

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
                pieces = parse(frozen.source, self._env, frozen.before, self._depth)
                if len(pieces) == 1:
                    self._blocks[at] = pieces[0].block

    def _show_open(self) -> None:
        """Make the blocks of the open end anew."""
        self._stale = False
        tail = self._tail + self._preview
        if self._mode is not None:
            partial = tail.rpartition("\n")[2]
            self._open = [self._mode.block, *self._mode.show(partial, self._env_now())]
            return
        env = self._env_now()
        blocks = self._long.grown(tail, self._open, env)
        if blocks is None:
            shown = tail if self.finished else steadied(tail)
            pieces = parse(shown, env, self._continued, self._depth)
            blocks = [piece.block for piece in pieces]
            self._long.begin(tail, blocks)
        for earlier, block in zip(self._open, blocks, strict=False):
            if isinstance(earlier, Paragraph) and isinstance(block, Paragraph):
                block.like(earlier)
        self._open = blocks
