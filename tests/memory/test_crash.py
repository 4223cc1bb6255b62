"""Writers that are killed, and writers that race: what was acknowledged is in the file, and the file is whole."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import Remembered

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX processes")

ROOT = Path(__file__).parents[2]
WRITES = 200
KILLS = 50

KILLED = """
import os, select, signal, sys
from pathlib import Path
import filelock
from geekagent_tui.memory.outcomes import Remembered
from geekagent_tui.memory.memory import Memory

folder, writes, kills = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for kill in range(kills):
    # Where to kill comes from the test: after so many acknowledgements, and so many microseconds more.
    acknowledged, delay = map(int, sys.stdin.readline().split())
    path = folder / str(kill) / "memory.json"
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        store = Memory(path)
        for number in range(writes):
            if isinstance(store.remember(f"{number} 号记忆 " + "字" * 40), Remembered):
                os.write(writing, b"%d\\n" % number)
        os._exit(0)
    os.close(writing)
    said = b""
    while said.count(b"\\n") < acknowledged:
        piece = os.read(reading, 4096)
        if not piece:
            break
        said += piece
    select.select([], [], [], delay / 1e6)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while piece := os.read(reading, 4096):
        said += piece
    os.close(reading)
    print(said.count(b"\\n"), flush=True)
"""

RACING = """
import sys
from pathlib import Path
from geekagent_tui.memory.memory import Memory
from geekagent_tui.memory.outcomes import Remembered

memory = Memory(Path(sys.argv[1]), lock_seconds=60)
sys.stdin.readline()
for number in range(50):
    outcome = memory.remember(f"{sys.argv[2]} 写的第 {number} 条")
    assert isinstance(outcome, Remembered), outcome
"""


def test_kill_9_loses_no_acknowledged_write(tmp_path: Path) -> None:
    seeded = random.Random(9)
    moments = [(seeded.randrange(WRITES), seeded.randrange(2000)) for _ in range(KILLS)]
    script = "".join(f"{after} {delay}\n" for after, delay in moments)
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), str(WRITES), str(KILLS)],
        input=script,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    counts = list(map(int, run.stdout.split()))
    assert len(counts) == KILLS
    for kill, acknowledged in enumerate(counts):
        path = tmp_path / str(kill) / "memory.json"
        entries = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        # One more may be there: written, and killed before it could be said.
        assert len(entries) in (acknowledged, acknowledged + 1)
        assert [int(entry.split()[0]) for entry in entries] == list(range(len(entries)))
        if path.exists():
            # The next writer settles what was under way: the journal says what the file says.
            memory = Memory(path)
            assert isinstance(memory.remember("danach"), Remembered)
            journal = [piece.text for change in memory.changes(limit=1000) for piece in change.after]
            assert journal == ["danach", *reversed(entries)]
            assert {change.kind for change in memory.changes(limit=1000)} == {"add"}
    assert any(count < WRITES for count in counts)


def test_four_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", RACING, str(path), name],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for name in "甲乙丙丁"
    ]
    try:
        results = [writer.communicate("go\n", timeout=600) for writer in writers]
    finally:
        for writer in writers:
            if writer.poll() is None:
                writer.send_signal(signal.SIGKILL)
    assert [errors for _, errors in results] == [""] * 4
    entries = json.loads(path.read_text(encoding="utf-8"))
    assert len(entries) == 200
    for name in "甲乙丙丁":
        own = [entry for entry in entries if entry.startswith(name)]
        assert own == [f"{name} 写的第 {number} 条" for number in range(50)]
    journal = Memory(path).changes(limit=1000)
    assert [change.kind for change in journal] == ["add"] * 200
    assert [change.after[0].text for change in reversed(journal)] == entries
