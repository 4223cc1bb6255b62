"""The process that knows words: there, not there, or unwell."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from geekagent_tui.ui.editing.segmenter import Segmenter

ECHO = "import json, sys\nfor line in sys.stdin: print(json.dumps([json.loads(line)]), flush=True)"


@pytest.mark.parametrize(
    ("child", "words"),
    [
        (ECHO, ["你好世界"]),
        ('print(\'["你", "坏"]\', flush=True); input()', list("你好世界")),
        ("print('nonsense', flush=True)", list("你好世界")),
        ("print('7', flush=True)", list("你好世界")),
        ("raise SystemExit", list("你好世界")),
    ],
    ids=["well", "other words", "nonsense", "no list", "gone"],
)
async def test_words_or_characters(child: str, words: list[str]) -> None:
    segmenter = Segmenter([sys.executable, "-X", "utf8", "-c", child])
    assert list(segmenter.cut("你好世界")) == list("你好世界")
    await segmenter.learn(["你好世界"])
    assert list(segmenter.cut("你好世界")) == words
    await segmenter.close()


async def test_a_program_that_is_not_there_is_asked_once() -> None:
    segmenter = Segmenter(["/nowhere/at/all"])
    await segmenter.learn(["你好"])
    assert not segmenter._usable
    await segmenter.learn(["世界"])
    assert list(segmenter.cut("世界")) == ["世", "界"]


async def test_what_is_known_is_bounded() -> None:
    segmenter = Segmenter([sys.executable, "-c", ECHO])
    await segmenter.learn([chr(0x4E00 + number) * 2 for number in range(300)])
    assert len(segmenter._known) <= 256
    await segmenter.close()


@pytest.mark.skipif(find_spec("rjieba") is None, reason="the optional segmenter is not installed")
async def test_the_real_one() -> None:
    segmenter = Segmenter()
    await segmenter.learn(["历史压缩放在第五天"])
    assert list(segmenter.cut("历史压缩放在第五天")) == ["历史", "压缩", "放在", "第五天"]
    await segmenter.close()
