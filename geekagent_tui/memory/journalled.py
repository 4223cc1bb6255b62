"""Everything that changes memory, and everything the ledger tells about it: the half of ``Memory`` that writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from geekagent_tui.memory import changing
from geekagent_tui.memory.changing import Plan, Target
from geekagent_tui.memory.durable import LockTimeoutError
from geekagent_tui.memory.ledger.purge import Place, Purged, holds, needles
from geekagent_tui.memory.ledger.types import UNKNOWN, Author, Change, Facts, LedgerError, Version
from geekagent_tui.memory.outcomes import Changed, ChangeOutcome, Masked, Outcome, Remembered, WriteFailed
from geekagent_tui.memory.secrets import mask_entry
from geekagent_tui.memory.store import fitted

if TYPE_CHECKING:
    from geekagent_tui.memory.ledger.ledger import Ledger
    from geekagent_tui.memory.ledger.likeness import Likeness
    from geekagent_tui.memory.ledger.suggest import Suggestion
    from geekagent_tui.memory.transfer import Format, ImportPlan


_TELLING = 12
"""Characters from which on a part of an entry is taken for the entry itself."""


class Journalled(ABC):
    """Every change is one row of the journal, names its author, and can be undone. Entries are named by number (from 1)
    and expected text; ``Stale`` comes back when another text stands there. Texts are trimmed, cut to 4,000
    characters, and their secrets are masked before anything else sees them. All of it blocks: not for an event
    loop."""

    @abstractmethod
    def _apply(self, plan: Plan, author: Author) -> ChangeOutcome:
        """Change the file as planned, and show it to searches."""

    @abstractmethod
    def _append(self, text: str, author: Author) -> Outcome:
        """Append a text that is masked."""

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """All entries, whole, in the order of the file."""

    @abstractmethod
    def _candidates(self, text: str) -> Iterable[tuple[int, str]]:
        """Entries, number and text, that may be like ``text``."""

    @abstractmethod
    def _files(self) -> Sequence[Path]:
        """Every file that may hold something of memory."""

    @abstractmethod
    def _forgotten(self, texts: Sequence[str], wanted: Sequence[bytes]) -> int:
        """Remove these texts from the journal, the index, and (as ``wanted`` bytes) the copies kept aside. How many the
        journal had. Raises ``LedgerError``, ``LockTimeoutError`` or ``OSError``."""

    @property
    @abstractmethod
    def ledger(self) -> Ledger:
        """The journal and the facts, to look at. Nothing is created before the first change."""

    def remember(self, content: str, author: Author = UNKNOWN) -> Outcome:
        """Store an entry. It is on the disk, and found by the next search, when this returns ``Remembered``."""
        text, masked = mask_entry(content)
        outcome = self._append(text, author)
        if isinstance(outcome, Remembered) and masked:
            return Remembered(outcome.entry, outcome.cut, outcome.number, outcome.change, masked)
        return outcome

    def edit(self, number: int, expected: str, new: str, author: Author) -> ChangeOutcome:
        """Write an entry anew. Its history and use stay with it."""
        return self._replaced(((number, expected),), (new,), "edit", author)

    def replace(self, number: int, expected: str, new: str, author: Author) -> ChangeOutcome:
        """Put a newer version in the place of an entry; the old one stays in the journal and is no longer injected."""
        return self._replaced(((number, expected),), (new,), "replace", author)

    def merge(self, one: Target, other: Target, text: str, author: Author) -> ChangeOutcome:
        """Make one entry of two, in the place of the first named."""
        return self._replaced((one, other), (text,), "merge", author)

    def split(self, number: int, expected: str, parts: Sequence[str], author: Author) -> ChangeOutcome:
        """Make several entries of one."""
        return self._replaced(((number, expected),), parts, "split", author)

    def delete(self, number: int, expected: str, author: Author) -> ChangeOutcome:
        """Take an entry out. It stays in the journal, so it can come back; ``purge`` is for good."""
        return self._apply(changing.deleting((number, expected)), author)

    def import_many(self, texts: Iterable[str], author: Author) -> ChangeOutcome:
        """Append all that isn't there yet, as one change. ``EmptyContent`` when nothing is new."""
        fit, masked, cut = _fit(texts)
        return _with(self._apply(changing.importing(fit), author), masked, cut)

    def undo(self, change: int = 0, author: Author = UNKNOWN) -> ChangeOutcome:
        """Take back change number ``change``, or (0) the last one that was not made by hand and still stands: also one
        of an earlier run or of another process. ``NotUndone`` says why not."""
        return self._apply(changing.undoing(self.ledger, change), author)

    def redo(self, author: Author = UNKNOWN) -> ChangeOutcome:
        """Do again what was undone last, as long as nothing else was changed since."""
        return self._apply(changing.redoing(self.ledger), author)

    def purge(self, number: int, expected: str, author: Author = UNKNOWN) -> Purged | ChangeOutcome:
        """Forget an entry for good: out of memory.json, the journal (its earlier versions too), the facts, the cache of
        the index, and the copies that were kept aside; then look into every file for it. It can't be undone.
        ``Purged`` says what was looked into; anything else why it failed."""
        try:
            older = {version.text for version in self.versions(expected) if version.text is not None}
            # Also what was made of it and is gone again: a merged text, a draft of it.
            older.update(self.ledger.texts_with(expected) if len(expected) >= 4 else ())
        except LedgerError as error:
            return WriteFailed(str(error))
        before = {path for path in self._files() if holds(path, needles((expected,), ()))}
        outcome = self._apply(changing.deleting((number, expected), "purge"), author)
        if not isinstance(outcome, Changed):
            return outcome
        stay = tuple(entry for entry in self.entries if entry not in (expected,))
        gone = tuple({expected, *older} - set(stay))
        wanted = needles(gone, stay)
        try:
            count = self._forgotten(gone, wanted)
        except (LedgerError, LockTimeoutError, OSError) as error:
            return WriteFailed(str(error))
        places = tuple(Place(path, path in before, holds(path, wanted)) for path in self._files())
        kept = tuple(at for at, entry in enumerate(self.entries, 1) if expected in entry)
        return Purged(outcome.change.id, count, places, kept)

    def similar(self, text: str, *, limit: int = 3) -> tuple[Likeness, ...]:
        """The entries that say the same as a text, nearly the same, or what it may be the newer version of, the most
        alike first; an entry that is the very text is not among them."""
        from geekagent_tui.memory.ledger.likeness import Likeness, relation

        found: list[Likeness] = []
        for number, entry in self._candidates(text):
            kind, ratio = relation(entry, text) if entry != text else (None, 1.0)
            if kind is not None:
                found.append(Likeness(number, entry, ratio, kind))
        return tuple(sorted(found, key=lambda like: -like.ratio)[:limit])

    def entry_with(self, text: str) -> int:
        """The number (from 1) of an entry that has this text in it, whatever its white space; 0 when there is none, or
        the text is too short to tell."""
        wanted = " ".join(text.split())
        if len(wanted) < _TELLING:
            return 0
        return next((at for at, entry in enumerate(self.entries, 1) if wanted in " ".join(entry.split())), 0)

    def plan_import(self, content: str, form: Format | None = None) -> ImportPlan:
        """What an import of ``content`` would do. Changes nothing."""
        from geekagent_tui.memory.transfer import planned

        return planned(content, self.entries, self.similar, form)

    def suggestions(
        self, now: float, should_stop: Callable[[], bool] = lambda: False
    ) -> tuple[Suggestion, ...]:
        """What might be tidied up; ``now`` in seconds since the epoch. Takes some milliseconds an entry. Raises
        ``LedgerError``."""
        from geekagent_tui.memory.ledger.suggest import suggestions

        entries = self.entries
        return suggestions(entries, self.facts(entries), self.similar, now, should_stop)

    def changes(self, *, limit: int = 100, before: int = 0) -> tuple[Change, ...]:
        """The journal, newest first, from below id ``before`` on (0: from the top). Raises ``LedgerError``."""
        return self.ledger.changes(limit=limit, before=before)

    def facts(self, entries: Iterable[str]) -> tuple[Facts, ...]:
        """When and by whom these entries were written, and how often they came to mind, in order. Raises
        ``LedgerError``."""
        return self.ledger.facts(entries)

    def versions(self, entry: str) -> tuple[Version, ...]:
        """The earlier texts of an entry, the latest first. Raises ``LedgerError``."""
        return self.ledger.versions(entry)

    def note_recalled(self, entries: Iterable[str], at: float) -> bool:
        """Count that these entries (whole texts) were injected, at ``at`` seconds since the epoch. False when that
        could not be written: a count is not worth an error."""
        try:
            self.ledger.note_recalled(entries, at)
        except LedgerError:
            return False
        return True

    def _replaced(
        self,
        targets: Sequence[Target],
        texts: Sequence[str],
        kind: changing.Replacing,
        author: Author,
    ) -> ChangeOutcome:
        fit, masked, cut = _fit(texts)
        return _with(self._apply(changing.replacing(targets, fit, kind), author), masked, cut)


def _fit(texts: Iterable[str]) -> tuple[list[str], tuple[Masked, ...], bool]:
    fit: list[str] = []
    masked: list[Masked] = []
    any_cut = False
    for text in texts:
        clean, found = mask_entry(text)
        entry, cut = fitted(clean)
        fit.append(entry)
        masked.extend(found)
        any_cut |= cut
    return fit, tuple(masked), any_cut


def _with(outcome: ChangeOutcome, masked: tuple[Masked, ...], cut: bool) -> ChangeOutcome:
    if isinstance(outcome, Changed) and (masked or cut):
        return Changed(outcome.change, outcome.numbers, outcome.entries, cut, masked)
    return outcome
