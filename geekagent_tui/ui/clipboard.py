"""The clipboard of the system, beside that of the terminal."""

from __future__ import annotations


def system_clipboard(text: str) -> None:
    """Put ``text`` on the system's clipboard. Blocks. Raises ``RuntimeError`` where there is none."""
    import pyperclip

    pyperclip.copy(text)
