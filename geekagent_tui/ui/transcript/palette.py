"""Style names to colours: resolved from the widget's component classes, so from the theme and nowhere else."""

from __future__ import annotations

import re

from rich.style import Style
from textual.color import Color
from textual.css.styles import RenderStyles
from textual.widget import Widget

from geekagent_tui.ui.transcript.lines import ORNAMENT

PREFIX = "transcript--"

CSS = """
ColumnView {
    background: $background;
    color: $foreground;
    overflow-x: hidden;
    overflow-y: auto;
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;
    & .transcript--banner-title { color: $primary; text-style: bold; }
    & .transcript--banner { color: $text-muted; }
    & .transcript--user { background: $surface; color: $foreground; text-style: bold; }
    & .transcript--user-mark { color: $primary; text-style: bold; }
    & .transcript--bar { color: $primary; }
    & .transcript--bar-blurred { color: $primary 45%; }
    & .transcript--cursor { color: $accent; text-style: bold; }
    & .transcript--fold { color: $text-muted; }
    & .transcript--unseen { background: $primary; color: $background; text-style: bold; }
    & .transcript--heading-1 { color: $primary; text-style: bold underline; }
    & .transcript--heading-2 { color: $primary; text-style: bold; }
    & .transcript--heading-3 { color: $secondary; text-style: bold; }
    & .transcript--heading-mark { color: $foreground 30%; }
    & .transcript--strong { text-style: bold; }
    & .transcript--em { text-style: italic; }
    & .transcript--strike { text-style: strike; color: $text-muted; }
    & .transcript--code { color: $accent; background: $surface; }
    & .transcript--link { color: $primary; text-style: underline; }
    & .transcript--url { color: $text-muted; }
    & .transcript--footnote { color: $secondary; }
    & .transcript--html { color: $text-muted; }
    & .transcript--quote { color: $foreground 75%; text-style: italic; }
    & .transcript--quote-bar { color: $secondary; }
    & .transcript--marker { color: $primary; }
    & .transcript--task { color: $text-muted; }
    & .transcript--task-done { color: $success; }
    & .transcript--rule { color: $foreground 25%; }
    & .transcript--table-header { color: $primary; text-style: bold; }
    & .transcript--code-block { background: $surface; }
    & .transcript--code-label { color: $foreground 45%; text-style: italic; }
    & .transcript--code-comment { color: $foreground 50%; text-style: italic; }
    & .transcript--code-keyword { color: $secondary; }
    & .transcript--code-operator { color: $foreground 80%; }
    & .transcript--code-string { color: $success; }
    & .transcript--code-number { color: $accent; }
    & .transcript--code-function { color: $primary; }
    & .transcript--code-type { color: $warning; }
    & .transcript--code-deleted { color: $error; }
    & .transcript--code-inserted { color: $success; }
    & .transcript--reasoning-head { color: $text-muted; text-style: italic; }
    & .transcript--reasoning { color: $text-muted; }
    & .transcript--tool { color: $secondary; }
    & .transcript--tool-failed { color: $warning; }
    & .transcript--tool-label { color: $text-muted; }
    & .transcript--tool-text { color: $foreground 80%; }
    & .transcript--notice-info { color: $text-muted; }
    & .transcript--notice-warning { color: $warning; }
    & .transcript--notice-error { color: $error; }
    & .transcript--interrupted { color: $warning; }
    & .transcript--failed { color: $error; }
    & .transcript--hint { color: $text-muted; }
    & .transcript--cut { color: $warning; }
    & .transcript--waiting { color: $text-muted; }
}
"""


COMPONENTS = frozenset(re.findall(rf"{PREFIX}[\w-]+", CSS))
"""The component classes: every name a style may be made of."""


class Palette:
    """Resolves and remembers styles until ``clear``."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[str, Style] = {}

    def clear(self) -> None:
        self._styles.clear()

    def style(self, fill: str, names: str) -> Style:
        """The style of text with ``names`` in a row with ``fill``; both may be empty."""
        key = f"{fill} {names}"
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._resolve(key.split())
        return style

    def _resolve(self, names: list[str]) -> Style:
        _, _, background, color = self._widget.colors
        result = Style()
        for name in names:
            if name == ORNAMENT:
                continue
            component = self._widget.get_component_styles(PREFIX + name)
            if component.has_rule("background"):
                background = background + component.background
            color = _foreground(component, background, color)
            result += component.text_style
        flat = background + color if color.a < 1 else color
        return result + Style.from_color(flat.rich_color, background.rich_color)


def _foreground(component: RenderStyles, background: Color, color: Color) -> Color:
    if component.has_rule("auto_color") and component.auto_color:
        return background + background.get_contrast_text(component.color.a)
    return background + component.color if component.has_rule("color") else color
