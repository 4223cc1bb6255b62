"""ls, read, glob, search, write and patch on real files, and everything that must not be reached through them."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.agent.tools.base import Origin, Preview, Running, Tool, ToolResult
from geekagent_tui.agent.tools.files.edit import Patch, Write
from geekagent_tui.agent.tools.files.listing import Glob, Ls, Read
from geekagent_tui.agent.tools.files.search import Search
from geekagent_tui.agent.tools.files.tree import Tree, escaped, unescaped
from geekagent_tui.texts.tools import ZH


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with neighbours that are none of its business."""
    root = tmp_path / "project"
    (root / "src" / "deep").mkdir(parents=True)
    (root / "src" / "a.py").write_text("import os\nprint('甲')\n", encoding="utf-8")
    (root / "src" / "deep" / "b.py").write_text("needle = 1\n", encoding="utf-8")
    (root / "notes.md").write_text("第一行\n第二行 needle\n", encoding="utf-8")
    (root / "build").mkdir()
    (root / "build" / "out.py").write_text("needle\n")
    (root / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    (root / "x.log").write_text("needle\n")
    (root / "keep.log").write_text("needle\n")
    (root / ".hidden").write_text("needle\n")
    (root / "picture.bin").write_bytes(b"needle\0\1\2")
    (tmp_path / "secret.txt").write_text("needle outside\n")
    return root


async def call(tool: Tool, **arguments: object) -> ToolResult:
    return await tool.run(tool.arguments.model_validate(arguments))


async def test_ls_shows_what_is_there_and_not_what_is_hidden_or_ignored(root: Path) -> None:
    rows = (await call(Ls(Tree(root), ZH))).text.splitlines()
    assert rows == ["keep.log  7 字节", "notes.md  27 字节", "picture.bin  9 字节", "src/"]
    assert ".hidden" in (await call(Ls(Tree(root), ZH), all=True)).text


async def test_glob_and_its_limit(root: Path) -> None:
    glob = Glob(Tree(root), ZH)
    assert (await call(glob, pattern="**/*.py")).text.splitlines() == ["src/a.py", "src/deep/b.py"]
    assert (await call(glob, pattern="*.py")).text == "没有匹配 *.py 的文件"
    for number in range(201):
        (root / f"f{number:03}.txt").touch()
    rows = (await call(glob, pattern="*.txt")).text.splitlines()
    assert len(rows) == 201
    assert "前 200 个" in rows[-1]


async def test_a_wildcard_made_to_take_for_ever_does_not(root: Path) -> None:
    (root / ("a" * 200)).touch()
    assert "没有匹配" in (await call(Glob(Tree(root), ZH), pattern="**/" * 30 + "*a" * 60 + "b")).text


async def test_read_in_pages(root: Path) -> None:
    read = Read(Tree(root), ZH)
    assert (await call(read, path="notes.md")).text == "notes.md，第 1–2 行，共 2 行\n第一行\n第二行 needle"
    (root / "long").write_text("".join(f"line {n}\n" for n in range(1, 5001)))
    first = (await call(read, path="long")).text
    following = int(first.rpartition("offset=")[2].rstrip("）"))
    second = (await call(read, path="long", offset=following)).text
    assert second.splitlines()[1] == f"line {following}"
    assert not (await call(read, path="long", offset=5001)).ok
    (root / "wide").write_text("x" * 900_000)
    assert len((await call(read, path="wide")).text) < 3_000


async def test_read_refuses_what_is_no_text_or_no_file(root: Path) -> None:
    read = Read(Tree(root), ZH)
    os.mkfifo(root / "pipe")
    (root / "big").write_bytes(b"x" * 1_000_001)
    for path in ("picture.bin", "pipe", "big", "src", "missing", "", "src/\0"):
        assert not (await call(read, path=path)).ok, path


async def test_other_encodings_are_read_and_kept(root: Path) -> None:
    (root / "gbk.txt").write_bytes("第一\r\n第二\r\n".encode("gb18030"))
    tree = Tree(root)
    assert "第二" in (await call(Read(tree, ZH), path="gbk.txt")).text
    assert (
        await call(Patch(tree, ZH, None), path="gbk.txt", hunks=[{"old": "第一\n第二", "new": "甲\n乙"}])
    ).ok
    assert (root / "gbk.txt").read_bytes() == "甲\r\n乙\r\n".encode("gb18030")


ESCAPES = (
    "../secret.txt",
    "src/../../secret.txt",
    "/etc/passwd",
    "link",
    "folder/secret.txt",
    "chain",
    "src/deep/up/secret.txt",
    "loop",
    "absolute",
)


@pytest.fixture
def links(root: Path) -> Path:
    (root / "link").symlink_to("../secret.txt")
    (root / "folder").symlink_to("..")
    (root / "chain").symlink_to("link")
    (root / "src" / "deep" / "up").symlink_to("../../..")
    (root / "loop").symlink_to("loop")
    (root / "absolute").symlink_to(root.parent / "secret.txt")
    return root


@pytest.mark.parametrize("path", ESCAPES)
async def test_nothing_outside_is_read_written_or_searched(links: Path, path: str) -> None:
    tree = Tree(links)
    before = (links.parent / "secret.txt").read_bytes()
    for result in (
        await call(Read(tree, ZH), path=path),
        await call(Write(tree, ZH, None), path=path, content="gone"),
        await call(Patch(tree, ZH, None), path=path, hunks=[{"old": "needle", "new": "x"}]),
        await call(Search(tree, ZH, ripgrep=""), pattern="needle", path=path),
        await call(Ls(tree, ZH), path=path),
    ):
        assert not result.ok
        assert "outside" not in result.text
    assert (links.parent / "secret.txt").read_bytes() == before
    assert sorted(each.name for each in links.parent.iterdir()) == ["project", "secret.txt"]


async def test_links_and_dots_that_stay_inside_are_walked(links: Path) -> None:
    tree = Tree(links)
    (links / "inner").symlink_to("src")
    (links / "there").symlink_to(links / "notes.md")
    assert (await call(Read(tree, ZH), path="inner/deep/../a.py")).ok
    assert (await call(Read(tree, ZH), path=str(links / "there"))).ok
    assert tree.shown("inner/new/file.txt") == "src/new/file.txt"
    assert (await call(Write(tree, ZH, None), path="there", content="新\n")).ok
    assert (links / "there").is_symlink()
    assert (links / "notes.md").read_text(encoding="utf-8") == "新\n"


async def test_a_folder_swapped_for_a_link_after_the_yes_leads_nowhere(root: Path) -> None:
    """The race a check before the use would lose: the path was good when the user was asked."""
    write = Write(Tree(root), ZH, None)
    arguments = write.arguments.model_validate({"path": "src/new.txt", "content": "mine"})
    preview = await write.preview(arguments)
    assert isinstance(preview, Preview)
    (root / "src").rename(root / "old")
    (root / "src").symlink_to("..")
    result = await write.run_live(arguments, running(preview))
    assert not result.ok
    assert not (root.parent / "new.txt").exists()


def running(agreed: Preview | None) -> Running:
    async def ask(preview: Preview) -> ToolResult | None:
        raise AssertionError(preview)

    return Running(Origin("s", "t"), lambda text: None, lambda spent: None, ask, agreed)


async def test_a_file_that_changed_after_the_question_is_left_alone(root: Path) -> None:
    write = Write(Tree(root), ZH, None)
    arguments = write.arguments.model_validate({"path": "notes.md", "content": "neu\n"})
    preview = await write.preview(arguments)
    assert isinstance(preview, Preview)
    assert preview.text.splitlines()[3:] == ["-第一行", "-第二行 needle", "+neu"]
    (root / "notes.md").write_text("someone else\n")
    assert "又变了" in (await write.run_live(arguments, running(preview))).text
    assert (root / "notes.md").read_text() == "someone else\n"


async def test_write_makes_folders_keeps_the_mode_and_guards_its_own(root: Path) -> None:
    write = Write(Tree(root), ZH, None, ".geekagent")
    assert (
        await call(write, path="new/deep/文件.txt", content="好\n")
    ).text == "已新建 new/deep/文件.txt（1 行）"
    script = root / "run.sh"
    script.write_text("a\n")
    script.chmod(0o750)
    assert (await call(write, path="run.sh", content="b\n")).text == "已写入 run.sh（+1 −1 行）"
    assert script.stat().st_mode & 0o777 == 0o750
    (root / ".geekagent").mkdir()
    (root / "door").symlink_to(".geekagent")
    for path in (".geekagent/GeekAgent.json", "door/GeekAgent.json", "src/../.geekagent/x"):
        assert "自己的文件" in (await call(write, path=path, content="{}")).text
    assert list((root / ".geekagent").iterdir()) == []
    assert not (await call(write, path="big", content="x" * 1_000_001)).ok


@pytest.mark.parametrize(
    ("hunks", "said"),
    [
        ([{"old": "一", "new": "1"}, {"old": "missing", "new": ""}], "第 2 处：old 在 notes.md 里没有找到"),
        ([{"old": "行", "new": "x"}], "出现了 2 次"),
        ([{"old": "", "new": "x"}], "是空的"),
        ([], "没有给出"),
    ],
)
async def test_a_patch_that_does_not_fit_changes_nothing(root: Path, hunks: list[object], said: str) -> None:
    before = (root / "notes.md").read_bytes()
    result = await call(Patch(Tree(root), ZH, None), path="notes.md", hunks=hunks)
    assert not result.ok
    assert said in result.text
    assert (root / "notes.md").read_bytes() == before


async def test_overlapping_matches_are_two() -> None:
    from geekagent_tui.agent.tools.files.edit import _occurrences

    assert [_occurrences(text, "aa") for text in ("a", "aa", "aaa", "aabaa")] == [0, 1, 2, 2]


async def test_hunks_apply_in_order(root: Path) -> None:
    hunks = [{"old": "第一行", "new": "甲"}, {"old": "甲\n第二行 needle", "new": "乙"}]
    assert (await call(Patch(Tree(root), ZH, None), path="notes.md", hunks=hunks)).ok
    assert (root / "notes.md").read_text(encoding="utf-8") == "乙\n"


async def test_search_skips_hidden_ignored_and_binary(root: Path) -> None:
    search = Search(Tree(root), ZH, ripgrep="")
    assert (await call(search, pattern=r"ne+dle")).text.splitlines() == [
        "keep.log:1: needle",
        "notes.md:2: 第二行 needle",
        "src/deep/b.py:1: needle = 1",
    ]
    assert (await call(search, pattern="needle", path="src")).text == "src/deep/b.py:1: needle = 1"
    assert (await call(search, pattern="needle", path="notes.md")).text == "notes.md:2: 第二行 needle"
    assert (await call(search, pattern="needle", glob="*.md")).text == "notes.md:2: 第二行 needle"
    assert (await call(search, pattern="没有的")).text == "没有找到 没有的"
    assert not (await call(search, pattern="(")).ok


async def test_search_ends_what_would_not_end(root: Path) -> None:
    (root / "evil.txt").write_text("a" * 60 + "b\n")
    result = await call(Search(Tree(root), ZH, ripgrep="", seconds=2.0), pattern="(a+)+$", glob="evil.txt")
    assert not result.ok
    assert "已停止" in result.text


async def test_search_gives_fifty_lines(root: Path) -> None:
    (root / "many.txt").write_text("needle " * 200 + "\n" + "needle\n" * 99)
    rows = (
        await call(Search(Tree(root), ZH, ripgrep=""), pattern="needle", glob="many.txt")
    ).text.splitlines()
    assert len(rows) == 51
    assert len(rows[0]) < 400
    assert "前 50 行" in rows[-1]


async def test_ripgrep_is_given_the_pattern_as_a_pattern(root: Path, tmp_path: Path) -> None:
    """A stand-in for rg that writes down its arguments: nothing of the model's is taken for an option."""
    rg = tmp_path / "rg"
    rg.write_text(
        '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/arguments"\nprintf "./a.py\\0007:hit\\n"\n'
    )
    rg.chmod(0o755)
    search = Search(Tree(root), ZH, ripgrep=str(rg))
    result = await call(search, pattern="--pre=sh", glob="--files", path="src")
    assert result.text == "src/a.py:7: hit"
    arguments = (tmp_path / "arguments").read_text().splitlines()
    assert arguments[-4:] == ["--glob=--files", "--regexp=--pre=sh", "--", "./"]


async def test_names_that_are_no_text_come_and_go_as_escapes(root: Path) -> None:
    file = root / os.fsdecode(b"bad\xff\nname.txt")
    file.write_text("needle\n")
    tree = Tree(root)
    name = "bad\\xff\\x0aname.txt"
    assert name in (await call(Ls(tree, ZH))).text
    assert (await call(Glob(tree, ZH), pattern="bad*")).text == name
    assert "needle" in (await call(Read(tree, ZH), path=name)).text
    assert (await call(Write(tree, ZH, None), path=name, content="x")).ok
    assert file.read_text() == "x"


@given(st.binary(min_size=1, max_size=40).filter(lambda raw: b"/" not in raw and b"\0" not in raw))
def test_an_escaped_name_is_text_and_leads_back(raw: bytes) -> None:
    name = os.fsdecode(raw)
    shown = escaped(name)
    shown.encode("utf-8")
    assert all(char >= " " for char in shown)
    if "\\x" not in name:
        assert unescaped(shown) == name


@given(st.lists(st.sampled_from(["..", ".", "src", "deep", "folder", "up", "link", "a.py", ""]), max_size=8))
def test_no_path_leads_out(parts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        outer = Path(name).resolve()
        inside = outer / "project"
        (inside / "src" / "deep").mkdir(parents=True)
        (inside / "src" / "a.py").write_text("inside")
        (outer / "a.py").write_text("outside")
        (inside / "folder").symlink_to("..")
        (inside / "link").symlink_to("../a.py")
        (inside / "src" / "deep" / "up").symlink_to("../../..")
        with suppress(OSError):
            assert Tree(inside).read("/".join(parts)) == b"inside"
