"""Fixtures of the whole suite."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.register_assert_rewrite("tests.support.talk")

from tests.support.loopback import LoopbackServer  # noqa: E402 - after the line above

if TYPE_CHECKING:
    from tests.support.app import Home

_FOREIGN = ("OPENAI_", "GEEKAGENT_")
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a core: most tests drive the app, and wait for it to come to rest for half of their time."""
    return 2 * len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2 * (os.cpu_count() or 1)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own environment: no key, no service, no proxy, no colour switch."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) or name.lower() in _PROXIES or name == "NO_COLOR":
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True, scope="session")
def one_time_zone() -> None:
    """Times are shown in local time: everywhere the same here."""
    os.environ["TZ"] = "UTC"
    time.tzset()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A project folder for the app; see ``tests.support.app``."""
    from tests.support.app import Home

    return Home(tmp_path)


@pytest.fixture
async def loopback() -> AsyncIterator[LoopbackServer]:
    """A chat service on the loopback; see ``tests.support.loopback``."""
    async with LoopbackServer() as server:
        yield server
