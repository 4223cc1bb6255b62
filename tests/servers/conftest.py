"""Two servers that we did not write. ``make test-servers`` installs them under ``.servers`` and runs these tests; the
suite of ``make test`` leaves this folder out. A server that is not there is skipped, with a line that says so."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

# Imported at the very end, as its plugin does, parsing it trips over CPython's count of the recursion depth.
import hypothesis  # noqa: F401
import pytest

INSTALLED = Path(__file__).parents[2] / ".servers"
PATIENCE = 60.0
"""Seconds for a server to come up; it takes one or two."""


def _absent(name: str) -> None:
    pytest.skip(
        f"{name} is not installed under {INSTALLED.name}: make test-servers does it, where the network allows"
    )


@pytest.fixture(scope="session")
def llama() -> Iterator[str]:
    """The base URL of a real llama.cpp server."""
    python = INSTALLED / "llama" / "bin" / "python"
    if not (INSTALLED / "llama" / ".ready").exists():
        _absent("llama.cpp")
    script = Path(__file__).with_name("llama_server.py")
    with subprocess.Popen(
        [python, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PATH": os.defpath},
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://"), "the llama.cpp server did not start"
            yield f"{address}/v1"
        finally:
            process.kill()


@pytest.fixture(scope="session")
def mock() -> Iterator[str]:
    """The base URL of the npm mock server, playing ``fixtures.json``."""
    command = INSTALLED / "mock" / "node_modules" / ".bin" / "llmock"
    if not command.exists():
        _absent("the npm mock server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    fixtures = Path(__file__).with_name("fixtures.json")
    with subprocess.Popen(
        [command, "-p", str(port), "-f", fixtures, "--log-level", "silent"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, "the mock server did not start"
        try:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
        except HTTPError:
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the mock server did not answer")
