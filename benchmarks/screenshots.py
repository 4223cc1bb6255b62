"""The README's pictures, made by the app itself: ``make screenshots``."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.svg import mend
from tests.support.app import Home, ask, composer, ready

DOCS = Path(__file__).parent.parent / "docs"
FILLER = "同一次会上还定了周会改到周三、文档搬家和值班表，这些都另有记录，这里只留技术选型的部分。" * 7
STORY = (
    f"记住：上月的技术选型。{FILLER}历史压缩决定放第五天做，因为上下文长度第一次成为瓶颈；"
    "触发阈值 MAX_HISTORY_CHARS 默认 4000 字符，压缩保留最近 6 条。"
)


async def _story(folder: Path) -> None:
    home = Home(folder, environ={"HOME": str(folder.parent)}, clock=time.perf_counter)
    async with home.app(session="choices").run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        await ask(pilot, STORY)
        await pilot.press("ctrl+q")
    async with home.app(session="later").run_test(size=(120, 36)) as pilot:
        await ready(pilot)
        composer(pilot).cursor_blink = False
        await ask(pilot, "当初为什么把历史压缩安排在第五天？触发的阈值是多少？")
        (DOCS / "recall.svg").write_text(mend(pilot.app.export_screenshot()), encoding="utf-8")
        await pilot.press("f3", "enter")
        await pilot.pause()
        (DOCS / "why.svg").write_text(mend(pilot.app.export_screenshot()), encoding="utf-8")


def main() -> int:
    """Write ``docs/*.svg``."""
    DOCS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "demo"
        root.mkdir()
        asyncio.run(_story(root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
