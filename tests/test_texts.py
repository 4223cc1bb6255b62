"""The catalogues: every language says the same things with the same fields."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from string import Formatter
from typing import Any

import pytest

from geekagent_tui import texts

AREAS = [module.name for module in pkgutil.iter_modules(texts.__path__)]


def languages(area: str) -> tuple[Any, Any]:
    module = importlib.import_module(f"geekagent_tui.texts.{area}")
    if not hasattr(module, "EN"):
        pytest.skip(f"texts/{area}.py has no English yet")
    return module.ZH, module.EN


def fields(text: str) -> set[str]:
    return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_use_the_same_fields(area: str) -> None:
    chinese, english = languages(area)
    for field in dataclasses.fields(chinese):
        one, other = getattr(chinese, field.name), getattr(english, field.name)
        assert type(one) is type(other), field.name
        if isinstance(one, str):
            assert fields(one) == fields(other), field.name
            assert "" not in fields(one), f"{field.name}: a field without a name"
        else:
            assert len(one) == len(other), field.name


@pytest.mark.parametrize("area", AREAS)
def test_english_has_no_chinese_left_over(area: str) -> None:
    chinese, english = languages(area)
    same = [
        field.name
        for field in dataclasses.fields(chinese)
        if isinstance(getattr(chinese, field.name), str)
        and getattr(chinese, field.name) == getattr(english, field.name)
        and any("\u4e00" <= char <= "\u9fff" for char in getattr(chinese, field.name))
    ]
    assert same == []
