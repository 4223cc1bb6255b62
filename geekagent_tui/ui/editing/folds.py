"""Long pastes that stand in a text as a short label. Pure: labels and texts, no widget."""

from __future__ import annotations

import re

from geekagent_tui.texts.ui import UiTexts

PASTE_LINES, PASTE_CHARACTERS = 10, 1000
"""A paste of more lines (so many rows the composer shows) or more characters is folded."""

TEXT_LINES, TEXT_CHARACTERS = 200, 5000
"""What was written, and comes back from history or an editor, is folded only where editing it would be slow."""


def is_long_paste(text: str) -> bool:
    return len(text) > PASTE_CHARACTERS or text.count("\n") >= PASTE_LINES


def is_long_text(text: str) -> bool:
    return len(text) > TEXT_CHARACTERS or text.count("\n") >= TEXT_LINES


class Folds:
    """Label ↔ text of one editor. A label is never forgotten: undo and history may bring it back."""

    def __init__(self, texts: UiTexts) -> None:
        self._texts = texts
        self._by_label: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._forms: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """The label of ``text``: the same for the same text, another one for another."""
        lines = text.count("\n") + (not text.endswith("\n"))
        template, count = (
            (self._texts.paste_lines, lines) if lines > 1 else (self._texts.paste_characters, len(text))
        )
        number = 1
        while True:
            again = f" #{number}" if number > 1 else ""
            label = template.format(count=f"{count:,}", again=again)
            if self._by_label.setdefault(label, text) == text:
                break
            number += 1
        self._pattern = re.compile("|".join(map(re.escape, self._by_label)))
        return label

    def text_of(self, label: str) -> str:
        """The text behind a label that ``fold`` gave."""
        return self._by_label[label]

    def unfold(self, text: str) -> str:
        """``text`` with every label replaced by what it stands for; what comes out of a label is not looked at."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._by_label[match[0]], text)

    def set_aside(self, text: str) -> str:
        """``text`` in full; ``form_of`` will know how it stood here."""
        full = self.unfold(text)
        if full != text:
            self._forms[full] = text
        return full

    def form_of(self, full: str) -> str | None:
        """How a text that was set aside stood, None when it was not."""
        return self._forms.get(full)

    def spans(self, line: str) -> list[tuple[int, int]]:
        """``(start, end)`` columns of the labels in one line, from the left."""
        if self._pattern is None:
            return []
        return [match.span() for match in self._pattern.finditer(line)]
