"""``geekagent eval``: numbers for a set of one's own, and one clear line for a set that is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from geekagent_tui.texts.cli import EN, ZH, CliTexts
from tests.cli.conftest import STORY, CommandLine

SET = {
    "name": "own",
    "groups": [
        {
            "memories": [STORY, "数据库每天凌晨三点备份到 NAS"],
            "queries": [
                {"q": "怎么部署", "entries": [1], "answers": ["make run"]},
                {"q": "备份放在哪里", "entries": [2]},
                {"q": "怎么部署", "entries": [2]},
            ],
            "negatives": ["猫喜欢吃什么"],
        }
    ],
    "negatives": ["好的"],
}


def test_numbers_of_a_set(geekagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    result = geekagent("eval", str(path), "--json", "--profile", "lexical", "--profile", "classic")
    assert (result.code, result.err) == (0, "")
    lexical, classic = result.lines
    assert (lexical["set"], lexical["profile"], classic["profile"]) == ("own", "lexical", "classic")
    assert lexical["questions"] == 3
    assert lexical["hit_at_1"] == lexical["hit_at_5"] == pytest.approx(2 / 3)
    assert (lexical["negatives"], lexical["noise"], lexical["silent"]) == (2, 0, 1)
    assert "hit@5 0.667" in geekagent("eval", str(path)).out


def test_without_a_file_it_runs_the_users_own(geekagent: CommandLine) -> None:
    missing = geekagent("eval")
    assert missing.code == 2
    assert "recall_cases.json" in missing.err
    geekagent.geekagent.mkdir(exist_ok=True)
    (geekagent.geekagent / "recall_cases.json").write_text(json.dumps(SET), encoding="utf-8")
    assert geekagent("eval").code == 0


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("[", ""),
        ("[]", "groups"),
        ('{"groups": [{"memories": [1]}]}', "groups[0].memories"),
        ('{"groups": [{"memories": ["a"], "queries": [{"q": "x", "entries": [2]}]}]}', "queries[0].entries"),
    ],
)
def test_what_is_no_set_is_said_with_its_place(
    geekagent: CommandLine, tmp_path: Path, content: str, place: str
) -> None:
    path = tmp_path / "set.json"
    path.write_text(content, encoding="utf-8")
    result = geekagent("eval", str(path))
    assert (result.code, result.out) == (2, "")
    assert str(path) in result.err
    assert place in result.err
    assert len(result.err.splitlines()) == 1


def test_an_unknown_profile_is_said(geekagent: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(json.dumps(SET), encoding="utf-8")
    assert geekagent("eval", str(path), "--profile", "best").code == 2


@pytest.mark.parametrize("texts", [ZH, EN], ids=["zh", "en"])
def test_the_example_in_the_help_is_a_set(geekagent: CommandLine, texts: CliTexts) -> None:
    example = texts.eval_format[texts.eval_format.index("{") : texts.eval_format.rindex("}") + 1]
    (geekagent.folder / "mine.json").write_text(example, encoding="utf-8")
    result = geekagent("eval", "mine.json", "--json")
    assert result.code == 0
    (quality,) = result.lines
    assert (quality["questions"], quality["hit_at_1"], quality["negatives"], quality["noise"]) == (
        1,
        1.0,
        1,
        0.0,
    )
