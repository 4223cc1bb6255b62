"""A text in the user's own editor."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from textual.app import App, SuspendNotSupported

from geekagent_tui.texts.ui import UiTexts

_USUAL = ("nano", "vim", "vi")
"""Tried in this order where none is named: the first shows its own keys."""


class EditorError(Exception):
    """The text was not edited. The message says why and what to do, for a person."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """``$VISUAL`` or ``$EDITOR`` as words, else a usual one that is there, else nothing."""
    for name in ("VISUAL", "EDITOR"):
        with suppress(ValueError):  # an unclosed quote
            if words := shlex.split(environ.get(name, "")):
                return words
    return next(([path] for name in _USUAL if (path := shutil.which(name, path=environ.get("PATH")))), [])


async def edit_outside(app: App[int], text: str, command: Sequence[str], texts: UiTexts) -> str:
    """Leave the screen to the editor until it ends; what it saved. The event loop runs on. Raises ``EditorError``."""
    if not command:
        raise EditorError(texts.editor_none)
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="geekagent-"))
    file = folder / "message.md"
    try:
        # The folder is the user's alone (0700).
        await asyncio.to_thread(file.write_text, text, encoding="utf-8", errors="replace", newline="")
        with app.suspend(), interrupts_are_its_own():
            process = await asyncio.create_subprocess_exec(*command, str(file))
            code = await process.wait()
        if code:
            raise EditorError(texts.editor_failed.format(command=command[0], code=code))
        edited = await asyncio.to_thread(file.read_text, encoding="utf-8", errors="replace")
    except SuspendNotSupported as error:
        raise EditorError(texts.editor_impossible) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise EditorError(texts.editor_missing.format(command=command[0], reason=reason)) from error
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    # Editors end a file with a newline that nobody typed.
    return edited if text.endswith("\n") else edited.removesuffix("\n")


@contextmanager
def interrupts_are_its_own() -> Iterator[None]:
    """Ctrl+C in another program reaches this process too, and must not end it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
