"""/recall, /pin, /private: how the open session recalls. Each without an argument says how it stands."""

from __future__ import annotations

from dataclasses import replace

from geekagent_tui.texts.ui import UiTexts
from geekagent_tui.ui.commands.base import Command, Host


async def _recall(host: Host, argument: str) -> None:
    from geekagent_tui.agent.recalling import MOST_PASSAGES

    texts, choices = host.texts, host.choices
    word, _, value = argument.partition(" ")
    value = value.strip()
    try:
        if word in ("on", "off") and not value:
            choices = replace(choices, recall=word == "on")
        elif word == "top" and value.isdecimal() and 0 <= int(value) <= MOST_PASSAGES:
            choices = replace(choices, top=int(value))
        elif word == "profile" and value:
            choices = replace(choices, profile="" if value == "auto" else value)
        elif argument:
            usage = texts.recall_usage.format(most=MOST_PASSAGES)
            host.say(usage, command=f"/recall {argument}", error=True)
            return
        if argument:
            await host.choose(choices)
    except ValueError as error:
        host.say(str(error), command=f"/recall {argument}", error=True)
        return
    host.say(standing(host), command=f"/recall {argument}".rstrip())


async def _private(host: Host, argument: str) -> None:
    texts = host.texts
    if argument not in ("", "on", "off"):
        host.say(texts.private_usage, command=f"/private {argument}", error=True)
        return
    private = argument == "on" if argument else not host.choices.private
    await host.choose(replace(host.choices, private=private))
    host.say(texts.private_on if private else texts.private_off, command=f"/private {argument}".rstrip())


async def _pin(host: Host, argument: str) -> None:
    from geekagent_tui.memory.chunking import windows
    from geekagent_tui.memory.steering import Passage, entry_key

    texts, workspace = host.texts, host.workspace
    if workspace is None:
        return
    entries, profile = workspace.memory.entries, workspace.memory.profile
    numbers = argument.split()
    if not numbers:
        rows = _pins(host)
        said = "\n".join((texts.pins_heading.format(count=len(rows)), *rows)) if rows else texts.pins_none
        host.say(said, command="/pin")
        return
    try:
        entry, segment = int(numbers[0]), int(numbers[1]) if len(numbers) > 1 else 0
    except ValueError:
        entry = segment = -1
    text = entries[entry - 1] if 1 <= entry <= len(entries) else ""
    segments = len(windows(text, profile.chunk_size, profile.chunk_overlap))
    if len(numbers) > 2 or not text or not 0 <= segment <= segments:
        host.say(texts.pin_usage, command=f"/pin {argument}", error=True)
        return
    passage = Passage(entry_key(text), segment or 1, segment or segments)
    choices = host.choices.pinned(passage)
    await host.choose(choices)
    form = texts.pinned if passage in choices.pins else texts.unpinned
    host.say(form.format(entry=entry, segment=segment or 1), command=f"/pin {argument}")


def standing(host: Host) -> str:
    """How the session recalls now, in lines."""
    texts, choices, workspace = host.texts, host.choices, host.workspace
    if workspace is None:
        return texts.booting
    if choices.private:
        return texts.private_on
    return texts.recall_standing.format(
        state=texts.recall_state_on if choices.recall else texts.recall_state_off,
        top=choices.top or workspace.top_k,
        profile=choices.profile or workspace.memory.profile.name,
        budget=workspace.memory.budget,
        pins=len(choices.pins),
    )


def _pins(host: Host) -> list[str]:
    """A line for each pinned passage; one whose entry was changed or removed says so."""
    from geekagent_tui.memory.steering import entry_key

    assert host.workspace is not None
    wanted = {pin.entry for pin in host.choices.pins}
    numbers = {}
    for number, text in enumerate(host.workspace.memory.entries, 1):
        if (key := entry_key(text)) in wanted:
            numbers[key] = (number, " ".join(text.split())[:60])
    rows = []
    for pin in host.choices.pins:
        number, start = numbers.get(pin.entry, (0, ""))
        form = host.texts.pin_row if number else host.texts.pin_gone
        rows.append(form.format(entry=number, first=pin.first, last=pin.last, text=start))
    return rows


def commands(texts: UiTexts) -> tuple[Command, ...]:
    from geekagent_tui.memory.profiles import PROFILES

    profiles = tuple((f"profile {name}", texts.option_profile) for name in (*PROFILES, "auto"))
    options = (
        ("off", texts.option_recall_off),
        ("on", texts.option_recall_on),
        *((f"top {count}", texts.option_recall_top) for count in (3, 5, 10)),
        *profiles,
    )
    switch = (("on", texts.private_on), ("off", texts.private_off))
    return (
        Command("recall", texts.command_recall, _recall, texts.argument_recall, options=options),
        Command("pin", texts.command_pin, _pin, texts.argument_pin),
        Command("private", texts.command_private, _private, "on|off", options=switch),
    )
