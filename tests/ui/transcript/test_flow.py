"""However the text is cut, the end is the same; and little is parsed on the way there."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geekagent_tui.harmless import harmless
from geekagent_tui.ui.transcript import flow as module
from geekagent_tui.ui.transcript.flow import Flow
from geekagent_tui.ui.transcript.markdown import Env, Piece, parse
from geekagent_tui.ui.transcript.steady import steadied
from tests.ui.transcript.shared import look, rows


@pytest.fixture(autouse=True, params=[1, 8], ids=["short", "usual"])
def thresholds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with what is meant for long texts at work in short ones."""
    monkeypatch.setattr("geekagent_tui.ui.transcript.growing.LONG_ITEM", request.param)
    monkeypatch.setattr("geekagent_tui.ui.transcript.steady.LONG_PARAGRAPH", request.param * 75)


PIECES = st.sampled_from(
    [
        "# 题\n",
        "段落 **粗",
        "体** x\n",
        "\n",
        "\n\n",
        "- a\n",
        "- b",
        "* c\n",
        "  - d\n",
        "1. x\n",
        "2. y\n",
        "3) z\n",
        "```python\n",
        "def f():\n",
        "    return 1\n",
        "```\n",
        "```",
        "~~~\n",
        "|a|b|\n",
        "|-|-|\n",
        "|1|2|\n",
        "|x|",
        "> q\n",
        "[foo]: /url\n",
        "[foo]:\n",
        "/u\n",
        '"title"\n',
        "[foo] ",
        "[^1] ",
        "[^1]: note\n",
        "---\n",
        "===\n",
        "    code\n",
        "$$\n",
        "$x^2$",
        "\\(a",
        "\\)",
        "\\[\n",
        "\\]\n",
        "  - n\n",
        "  text\n",
        "    - m\n",
        "- a\n  - b\n  - c\n",
        "- x\n  ```\n  y\n",
        "  |a|\n  |-|\n",
        "  [r]\n",
        "中文，标点。",
        "\r\n",
        "\r",
        "- [x] t\n",
        "<div>\n",
        "</div>\n",
        "\t",
        "*",
        "_",
        "`",
        "~~",
        "\\",
        "&#27;",
        "#",
        "-",
        "+",
        "\x00",
        "👩‍👩‍👧",
        "e\u0301",
        "a" * 50,
        " ",
    ]
)


INLINE = st.sampled_from(
    [
        "中文，标点。",
        "然后",
        "word. ",
        "more, ",
        "**粗**",
        "**",
        "*",
        "`码`",
        "`",
        "[链](/u)",
        "[",
        "](/u)",
        "<b>",
        "&amp;",
        "~~",
        "$x_1$",
        "$",
        "\\(",
        "\\)",
        "_x_",
        "_",
        "\\",
        " ",
        "https://a.example",
        "2 * 3",
        "！好",
    ]
)


@given(st.lists(INLINE, max_size=60), st.integers(1, 20), st.integers(10, 60))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_long_paragraph_streamed_equals_whole(parts: list[str], size: int, width: int) -> None:
    """At every moment it is what a parse of the whole open end would show."""
    text = "段" + "".join(parts)
    flow = Flow()
    for at in range(0, len(text), size):
        flow.feed(text[at : at + size])
        whole = parse(steadied(text[: at + size]), {})
        if len(text[: at + size].strip()) > 1:
            assert "".join(rows(flow.blocks, width)) == "".join(rows([piece.block for piece in whole], width))
    flow.finish()
    assert look(flow.blocks, width) == look([piece.block for piece in parse(text, {})], width)


@given(
    st.lists(PIECES, max_size=25), st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(10, 60)
)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_streamed_in_pieces_equals_whole(parts: list[str], sizes: list[int], width: int) -> None:
    text = "".join(parts)
    flow = Flow()
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        flow.feed(text[at : at + size])
        at, turn = at + size, turn + 1
        if turn % 2:
            look(flow.blocks, width)
    flow.finish()
    plain = harmless(text.replace("\r\n", "\n").replace("\r", "\n"))
    assert look(flow.blocks, width) == look([piece.block for piece in parse(plain, {})], width)


def long_code() -> str:
    body = "".join(f'def f{n}():\n    """Doc\n\n    more"""\n    return {n}\n\n\n' for n in range(60))
    return f"```python\n{body}```\nend\n"


@pytest.mark.parametrize("source", [long_code(), long_code().removesuffix("```\nend\n")])
def test_long_code_is_the_same_streamed(source: str) -> None:
    flow = Flow()
    for at in range(0, len(source), 37):
        flow.feed(source[at : at + 37])
        look(flow.blocks, 50)
    flow.finish()
    assert look(flow.blocks, 50) == look([piece.block for piece in parse(source, {})], 50)


KINDS = {
    "prose": "一段不长的文字。\n\n" * 200,
    "code": "```\n" + "x = 1\n" * 400,
    "list": "- 一项\n" * 400,
    "numbers": "".join(f"{n}. 项\n" for n in range(1, 300)),
    "nested": "- 一项\n" + "  - 里面的一项\n" * 300,
    "deep": "1. 一项\n" + "   - 里面\n     - 更里面\n" * 150,
    "table": "|a|b|\n|-|-|\n" + "|1|2|\n" * 300,
}


@pytest.mark.parametrize("kind", KINDS)
def test_work_is_linear(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parser sees a few times the text, not its square."""
    source = KINDS[kind]
    seen = 0

    def counted(text: str, env: Env, continued: Piece | None = None, depth: int = 0) -> list[Piece]:
        nonlocal seen
        seen += len(text)
        return parse(text, env, continued, depth)

    monkeypatch.setattr(module, "parse", counted)
    flow = Flow()
    for at in range(0, len(source), 5):
        flow.feed(source[at : at + 5])
        _ = flow.blocks
    flow.finish()
    assert seen < 25 * len(source)
    assert look(flow.blocks, 40) == look([piece.block for piece in parse(source, {})], 40)


def test_a_definition_that_comes_late_makes_the_link() -> None:
    flow = Flow()
    flow.feed("见 [它]。\n\n再来一段。\n\n[它]: https://a.example\n\n完")
    flow.finish()
    assert rows(flow.blocks, 60)[0] == "见 它 (https://a.example)。"


def test_closed_blocks_are_kept_as_they_are() -> None:
    flow = Flow()
    flow.feed("一\n\n二\n\n三")
    before = flow.blocks
    flow.feed("三三三\n")
    assert flow.blocks[0] is before[0]
    assert [len(flow.blocks), len(before)] == [3, 3]


@pytest.mark.parametrize(
    ("half", "shown"),
    [
        ("a **b", "a **b**"),
        ("a **", "a "),
        ("a `b", "a `b`"),
        ("x\n\na ~~b", "x\n\na ~~b~~"),
        ("2 * 3", "2 * 3"),
        ("```\na **b", "```\na **b"),
    ],
)
def test_half_written_marks_do_not_show(half: str, shown: str) -> None:
    assert steadied(half) == shown


def test_bold_never_flickers() -> None:
    """At no moment of its arrival are the stars of a bold word on the screen."""
    flow = Flow()
    for char in "前 **粗体** 后，`码` 完":
        flow.feed(char)
        assert "*" not in "".join(rows(flow.blocks, 40))
        assert "`" not in "".join(rows(flow.blocks, 40))
