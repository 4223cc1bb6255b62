"""Content search without ripgrep, as a process of its own: a regular expression that never ends can be ended.

Reads a JSON request from standard input, works in the current folder, and writes ``path NUL line:text`` lines as
``rg --null`` does. Exit code 2 with a reason on standard error for an expression that is none.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator

from geekagent_tui.agent.tools.files.ignoring import walk
from geekagent_tui.agent.tools.files.patterns import PathPattern
from geekagent_tui.agent.tools.files.text import BinaryError, decode
from geekagent_tui.agent.tools.files.tree import MAX_FILE


def matches(pattern: re.Pattern[str], paths: Iterator[str]) -> Iterator[tuple[str, int, str]]:
    """Every line that matches: path, number from 1, text."""
    for path in paths:
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(fd, "rb") as file:
                text = decode(file.read(MAX_FILE + 1)).text
        except (OSError, BinaryError):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                yield path, number, line


def _paths(folder: int, name: str, wanted: str) -> Iterator[str]:
    if name:
        yield name
        return
    glob = PathPattern(wanted if "/" in wanted else f"**/{wanted}") if wanted else None
    for each in walk(folder):
        if not each.folder and each.size <= MAX_FILE and (glob is None or glob.matches(each.path)):
            yield each.path


def main() -> int:
    request = json.load(sys.stdin)
    try:
        pattern = re.compile(request["pattern"])
    except re.error as error:
        sys.stderr.write(str(error))
        return 2
    out = sys.stdout.buffer
    folder = os.open(".", os.O_RDONLY)
    for count, (path, number, line) in enumerate(
        matches(pattern, _paths(folder, request["name"], request["glob"]))
    ):
        if count >= request["limit"]:
            break
        cut = line[: request["columns"]]
        out.write(os.fsencode(path) + b"\0" + f"{number}:{cut}\n".encode("utf-8", "replace"))
    out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
