"""Which addresses are links, and LaTeX as it is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geekagent_tui.ui.transcript import Transcript
from geekagent_tui.ui.transcript.blocks import stacked
from geekagent_tui.ui.transcript.flow import Flow
from geekagent_tui.ui.transcript.latex import readable
from geekagent_tui.ui.transcript.links import addresses
from tests.ui.transcript.shared import TranscriptApp, done, drawn


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("[文](https://a.example/x)", ("https://a.example/x",)),
        ("见 https://a.example/x_y(z)。下", ("https://a.example/x_y(z)",)),
        ("(https://a.example), 完", ("https://a.example",)),
        ("<mailto:a@b.example> [x](mailto:c@d.example)", ("mailto:a@b.example", "mailto:c@d.example")),
        (
            "[x](javascript:alert(1)) [y](file:///etc/passwd) [z](/rel) [w](HTTP://A.example)",
            ("HTTP://A.example",),
        ),
        ("`https://a.example` 和 https://a.example https://a.example", ("https://a.example",)),
        ("| a |\n|-|\n| https://t.example |", ("https://t.example",)),
    ],
)
def test_only_web_and_mail_addresses_are_links(source: str, found: tuple[str, ...]) -> None:
    assert addresses(stacked(Flow.of(source).blocks, 60)) == found
    assert addresses(stacked(Flow.of(source).blocks, 12)) == found


class LinkApp(TranscriptApp):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, ...]] = []

    def on_transcript_links_requested(self, event: Transcript.LinksRequested) -> None:
        self.links.append(event.addresses)


async def test_u_and_a_click_ask_for_links() -> None:
    app = LinkApp()
    async with app.run_test(size=(40, 12)) as pilot:
        app.transcript.set_turns([done("a", "问", "中文 https://a.example/x 完\n\n[b](https://b.example)")])
        await pilot.pause()
        before = app.transcript.scroll_offset
        await pilot.press("u")
        await pilot.click(app.transcript, offset=(2 + 5 + 3, 2))
        await pilot.click(app.transcript, offset=(2 + 1, 2))
        await pilot.click(app.transcript, offset=(2, 4))
        await pilot.pause()
        assert app.links == [
            ("https://a.example/x", "https://b.example"),
            ("https://a.example/x",),
            ("https://b.example",),
        ]
        assert app.transcript.scroll_offset == before


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (r"\frac{a+b}{c} \le \sum_{i=1}^{n} x_i^2", "(a+b)/c ≤ ∑ᵢ₌₁ⁿ xᵢ²"),
        (r"\mathbb{R}^n \to \text{值}", "ℝⁿ → 值"),
        (r"e^{i\pi} + 1 = 0", "e^(iπ) + 1 = 0"),
        (r"\sqrt{x^2+y^2}", "√(x²+y²)"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "a b\nc d"),
        (r"\hat{y} = \operatorname{softmax}(Wx)", "ŷ = softmax(Wx)"),
        (r"90^\circ", "90°"),
        (r"\unknown{x}", r"\unknown{x}"),
        (r"\frac{a", "a/"),
        ("x^", "x^"),
        ("\\", "\\"),
    ],
)
def test_latex_is_readable(source: str, read: str) -> None:
    assert readable(source) == read


@given(st.text(alphabet=st.sampled_from(list("\\{}^_&$ab1 ")), max_size=60))
def test_no_latex_is_too_broken(source: str) -> None:
    assert isinstance(readable(source), str)


def test_depth_is_no_danger() -> None:
    assert readable("{" * 5_000)[:1] == ""
    assert readable("\\frac" * 5_000) is not None
    assert readable("x^" * 5_000) is not None


def test_dollars_that_are_no_mathematics_stay() -> None:
    for text in ("价格 $5 和 $10", "$HOME/bin:$PATH", "a$b$c", r"\$x^2\$"):
        assert drawn(text) == [text.replace("\\$", "$")]
    assert drawn(r"$x$，\(a_1\)，$$y^2$$") == ["x，a₁，y²"]
    assert drawn("`$x^2$`") == ["$x^2$"]
    assert drawn("$$\nx^2\n$$\n后") == ["x²", "", "后"]
    assert drawn("- a\n  \\[\n  x_1\n  \\]\n- b") == ["• a", "", "  x₁", "• b"]


def test_half_a_formula_does_not_show_its_marks() -> None:
    flow = Flow()
    for char in r"前 $x^{2}$ 后 \(a_1\) 完":
        flow.feed(char)
        (row,) = [line.text for line in stacked(flow.blocks, 60)]
        assert "(" not in row
        assert "\\" not in row[:-1]
    assert row == "前 x² 后 a₁ 完"
