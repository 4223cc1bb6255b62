"""Work that is finished once it has begun."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Answer = TypeVar("Answer")


async def finished(job: Awaitable[Answer]) -> Answer:
    """The result of ``job``, which a cancel does not interrupt: a write is on disk or it is not, and the turn has to
    say which."""
    task = asyncio.ensure_future(job)
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            continue
    return task.result()
