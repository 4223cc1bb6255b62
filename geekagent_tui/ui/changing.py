"""/undo and /diff: looks in a thread, shows, asks, and puts back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from geekagent_tui.ui.panes.diff_text import diff_content
from geekagent_tui.ui.screens.confirm import ConfirmScreen
from geekagent_tui.ui.screens.diff import DiffScreen

if TYPE_CHECKING:
    from geekagent_tui.agent.changes import Changes, Undo
    from geekagent_tui.ui.screens.hosting import HostingScreen


async def undo_change(chat: HostingScreen) -> None:
    """Show what the last change of the open session would be put back to, and do it on a yes."""
    texts, changes = chat.texts, _changes(chat)
    if chat.busy:
        chat.say(texts.undo_busy, command="/undo", error=True)
        return
    if changes is None:
        chat.say(texts.undo_unsaved, command="/undo", error=True)
        return
    from geekagent_tui.agent.sessions import SessionError

    try:
        undo = await asyncio.to_thread(changes.next_undo, chat.session)
        if undo is None:
            chat.say(texts.undo_nothing, command="/undo")
        elif undo.state == "done":
            await asyncio.to_thread(changes.undo, undo)
            chat.say(texts.undo_already.format(path=undo.change.path), command="/undo")
        else:
            _ask(chat, changes, undo)
    except (OSError, SessionError) as error:
        chat.say(texts.undo_failed.format(path="", reason=error), command="/undo", error=True)


def _ask(chat: HostingScreen, changes: Changes, undo: Undo) -> None:
    texts, change = chat.texts, undo.change
    lines = [texts.undo_will if change.before is not None else texts.undo_will_remove]
    if undo.state == "changed":
        lines.insert(0, texts.undo_changed)
    redacted = chat.workspace.tools.redacted(undo.diff) if chat.workspace is not None else ""
    body = diff_content("\n".join((*lines, redacted)))

    def answered(yes: bool | None) -> None:
        if yes:
            chat.run_worker(_put_back(chat, changes, undo), group="undo", exit_on_error=False)

    title = texts.undo_title.format(path=change.path)
    # Where nothing is lost by it, Enter does what was asked for.
    careful = undo.state == "changed"
    screen = ConfirmScreen(title, body, texts, yes=texts.undo_yes, no=texts.undo_no, careful=careful)
    chat.app.push_screen(screen, answered)


async def _put_back(chat: HostingScreen, changes: Changes, undo: Undo) -> None:
    from geekagent_tui.agent.sessions import SessionError
    from geekagent_tui.agent.tools.files.tree import ChangedError

    texts, path = chat.texts, undo.change.path
    reason: Any = ""
    try:
        await asyncio.to_thread(changes.undo, undo)
    except ChangedError:
        reason = texts.undo_moved
    except (OSError, SessionError) as error:
        reason = error
    if reason:
        chat.say(texts.undo_failed.format(path=path, reason=reason), command="/undo", error=True)
    else:
        done = texts.undo_done if undo.change.before is not None else texts.undo_removed
        chat.say(done.format(path=path), command="/undo")


async def show_changes(chat: HostingScreen) -> None:
    """Show all that the open session changed, in a screen of its own."""
    texts, changes = chat.texts, _changes(chat)
    from geekagent_tui.agent.sessions import SessionError

    try:
        diff = await asyncio.to_thread(changes.since_start, chat.session) if changes is not None else ""
    except (OSError, SessionError) as error:
        chat.say(str(error), command="/diff", error=True)
        return
    if not diff:
        chat.say(texts.diff_nothing, command="/diff")
        return
    assert chat.workspace is not None
    chat.app.push_screen(DiffScreen(chat.workspace.tools.redacted(diff), texts))


def _changes(chat: HostingScreen) -> Changes | None:
    return chat.workspace.changes if chat.workspace is not None else None
