"""The layers point one way, nothing goes round in circles, and the app stays wiring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "geekagent_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "texts": {"texts"},
    "harmless": {"harmless"},
    "memory": {"memory", "texts", "harmless"},
    "agent": {"agent", "memory", "texts", "harmless"},
    "ui": {"ui", "agent", "memory", "texts", "harmless"},
    "cli": {"cli", "agent", "memory", "texts", "harmless", "ui"},
}
FORBIDDEN = {
    "texts": {"textual", "rich", "openai", "httpx", "httpx2", "pydantic", "numpy"},
    "harmless": {"textual", "rich"},
    "memory": {"textual", "rich", "openai", "httpx", "httpx2", "pydantic", "socket", "urllib", "asyncio"},
    "agent": {"textual", "rich"},
    "cli": {"textual", "rich"},
}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def layer(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    here = layer(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "geekagent_tui" and len(parts) > 1 and here in MAY_IMPORT:
            assert parts[1] in MAY_IMPORT[here], f"{path.name} imports {name}"
        assert parts[0] not in FORBIDDEN.get(here, set()), f"{path.name} imports {name}"


def test_only_the_start_of_the_app_reaches_from_the_command_line_into_the_interface() -> None:
    reaching = {
        (path.name, name)
        for path in MODULES
        if layer(path) == "cli"
        for name in imports(path)
        if name.startswith("geekagent_tui.ui")
    }
    assert {name for _, name in reaching} <= {"geekagent_tui.ui.run"}


def test_the_app_only_wires() -> None:
    lines = (PACKAGE / "ui" / "app.py").read_text(encoding="utf-8").count("\n")
    assert lines < 300
