"""A process of its own for the session tests: ``python session_process.py DATABASE WHAT``, driven over its pipes."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from geekagent_tui.agent.events import TextDelta, TurnFinished, TurnStarted
from geekagent_tui.agent.record import TurnRecord
from geekagent_tui.agent.sessions import SessionStore


def stay(store: SessionStore) -> None:
    """Leave a turn in the middle and a message in line; then wait to be killed."""
    store.begin_turn("s", TurnRecord("running", "问", 1.0))
    store.append("running", [TurnStarted("running", "问", 1.0, "m"), TextDelta("running", "答到一半")])
    store.begin_turn("s", TurnRecord("queued", "下一句", 2.0))
    say("ready")
    sys.stdin.read()


def write(store: SessionStore) -> None:
    """Write a hundred turns into a session that others write too."""
    say("ready")
    sys.stdin.readline()
    for number in range(100):
        turn = f"child-{number}"
        store.begin_turn("shared", TurnRecord(turn, turn, float(number)))
        store.append(turn, [TextDelta(turn, "x"), TurnFinished(turn, "stop", 1.0)], status="finished")
    say("done")


def hold(store: SessionStore) -> None:
    """Hold the database until told otherwise."""
    store._db.execute("BEGIN IMMEDIATE")
    say("ready")
    sys.stdin.read()


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    {"stay": stay, "write": write, "hold": hold}[sys.argv[2]](SessionStore(Path(sys.argv[1]), time.time))
