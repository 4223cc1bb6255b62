"""Every kind of Markdown as rows."""

from __future__ import annotations

import pytest

from geekagent_tui.ui.transcript.code import CodeBlock
from geekagent_tui.ui.transcript.flow import Flow
from geekagent_tui.ui.transcript.lines import joined
from geekagent_tui.ui.transcript.table import fit
from tests.ui.transcript.shared import drawn, look


def styles(source: str, text: str) -> str:
    for spans, _fill, _glue in look(Flow.of(source).blocks, 60):
        for span in spans:  # type: ignore[attr-defined]  # the first field of a look
            if span.text == text:
                return str(span.style)
    raise AssertionError(f"{text!r} is not drawn on its own")


def test_blocks_have_a_blank_row_between() -> None:
    assert drawn("# 题\n段\n\n---") == ["题", "", "段", "", "─" * 40]


def test_lists_nest_count_and_tick() -> None:
    source = "- 一\n  1. 甲\n  2. 乙\n     - 深\n- [x] 做完\n- [ ] 没做\n\n7. 七\n7. 八"
    assert drawn(source) == [
        "• 一", "  1. 甲", "  2. 乙", "     ▪ 深", "☑ 做完", "☐ 没做", "", "7. 七", "8. 八",
    ]  # fmt: skip


def test_a_list_item_wraps_under_its_text() -> None:
    assert drawn("- 一二三四五六", 10) == ["• 一二三四", "  五六"]


def test_quote_html_footnote_image_and_link() -> None:
    source = "> 引\n> 用\n\n<b>粗</b> <br>下\n\n![图](x.png) 注[^n]\n\n[^n]: 说明"
    expected = ["▎ 引", "▎ 用", "", "<b>粗</b>", "下", "", "[图] 注[n]", "", "[n] 说明"]
    assert drawn(source) == expected
    link = "[文](https://a.example) <https://b.example>"
    assert drawn(link, 60) == ["文 (https://a.example) https://b.example"]


def test_a_line_break_of_the_source_stays() -> None:
    assert drawn("一\n二") == ["一", "二"]


def test_inline_styles() -> None:
    source = "a **b *c*** `d` ~~e~~"
    found = [styles(source, text) for text in ("a ", "b ", "c", "d", "e")]
    assert found == ["", "strong", "strong em", "code", "strike"]


@pytest.mark.parametrize(
    "text", ["[/]", "[a=1,b=2]", "[/some/path]", "[bold]x[/bold]", "[@click=app.quit]q[/]"]
)
def test_nothing_is_read_as_markup(text: str) -> None:
    assert drawn(text) == [text]
    assert drawn(f"```\n{text}\n```") == [f" {text}"]
    assert drawn(f"|h|\n|-|\n|{text}|")[-1] == text


def test_controls_are_made_visible_even_as_entities() -> None:
    assert drawn("a\x1b[31m\x00\x9b\ud800\u202eb") == ["a␛[31m␀\ufffd\ufffd\ufffdb"]
    assert drawn("&#x202e;&#27;x") == ["\ufffd\ufffdx"]
    assert drawn("`\x07`\n\n```\x1b\n\x08\n```") == ["␇", "", " ␛", " ␈"]


def test_a_table_aligns_in_cells_and_fits() -> None:
    source = "|名|数|\n|:-|-:|\n|甲甲|1|\n|b|22|"
    assert drawn(source) == ["名   │ 数", "─────┼───", "甲甲 │  1", "b    │ 22"]
    wide = f"|a|b|\n|-|-|\n|{'长' * 30}|x|"
    assert all(len(row.encode("gb18030")) <= 60 for row in drawn(wide, 20))
    assert drawn(wide, 20)[2].endswith("│ x")


def test_a_table_too_narrow_for_its_columns_becomes_a_list() -> None:
    source = "|aaaa|bbbb|cccc|\n|-|-|-|\n|11111|22222|33333|"
    assert drawn(source, 13) == ["aaaa: 11111", "bbbb: 22222", "cccc: 33333"]


def test_fit_takes_from_the_widest() -> None:
    assert fit([4, 30, 6], 20) == (4, 10, 6)
    assert fit([4, 5], 9) == (4, 5)
    assert fit([30, 30, 30], 10) is None


def test_a_fence_is_highlighted_under_its_language() -> None:
    source = "```python\ndef f():\n\treturn 'x'\n```"
    assert drawn(source) == [" python", " def f():", "     return 'x'"]
    assert styles(source, "def") == "code-keyword"
    assert styles(source, "'x'") == "code-string"
    assert drawn("```nosuchlanguage\nx\n```") == [" nosuchlanguage", " x"]


def test_code_is_copied_as_written() -> None:
    (block,) = Flow.of("```\nlong " + "x" * 50 + "\n\tend\n```").blocks
    assert isinstance(block, CodeBlock)
    assert block.text == "long " + "x" * 50 + "\n\tend"
    assert joined(block.lines(20)) == "long " + "x" * 50 + "\n    end"


def test_rows_copy_without_ornaments() -> None:
    (block,) = Flow.of("> 引用的文字很长").blocks
    assert joined(block.lines(10)) == "引用的文字很长"
    (table,) = Flow.of("|a|b|\n|-|-|\n|1|2|").blocks
    assert joined(table.lines(30)) == "ab\n12"


def test_depth_does_not_crash() -> None:
    assert drawn(">" * 50 + " tief", 20)
    assert drawn("\n".join("  " * depth + "- x" for depth in range(30)), 20)
