"""Style names to colours: written in the theme's variables, resolved when a row is drawn, and nowhere else.

A table and not Textual's component classes: each of those is a virtual node that the stylesheet matches at every
update of the widget, and fifty of them cost a quarter of the first frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rich.style import Style
from textual.color import Color
from textual.style import Style as ThemeStyle
from textual.widget import Widget

from geekagent_tui.ui.transcript.lines import ORNAMENT
from geekagent_tui.ui.transcript.links import without_addresses

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "banner-title": "bold $primary",
        "banner": "$text-muted",
        "user": "bold $foreground on $surface",
        "user-mark": "bold $primary",
        "bar": "$primary",
        "bar-blurred": "$primary 45%",
        "cursor": "bold $accent",
        "fold": "$text-muted",
        "unseen": "bold $background on $primary",
        "heading-1": "bold underline $primary",
        "heading-2": "bold $primary",
        "heading-3": "bold $secondary",
        "heading-4": "italic $secondary",
        "strong": "bold",
        "em": "italic",
        "strike": "strike $text-muted",
        "code": "$accent on $surface",
        "link": "underline $primary",
        "url": "$text-muted",
        "footnote": "$secondary",
        "html": "$text-muted",
        "quote": "italic $foreground 75%",
        "quote-bar": "$secondary",
        "marker": "$primary",
        "task": "$text-muted",
        "task-done": "$success",
        "rule": "$foreground 25%",
        "table-header": "bold $primary",
        "code-block": "on $surface",
        "code-label": "italic $foreground 45%",
        "code-comment": "italic $foreground 50%",
        "code-keyword": "$secondary",
        "code-operator": "$foreground 80%",
        "code-string": "$success",
        "code-number": "$accent",
        "code-function": "$primary",
        "code-type": "$warning",
        "code-deleted": "$error",
        "code-inserted": "$success",
        "reasoning-head": "italic $text-muted",
        "reasoning": "$text-muted",
        "tool": "$secondary",
        "tool-failed": "$warning",
        "tool-label": "$text-muted",
        "tool-text": "$foreground 80%",
        "notice-info": "$text-muted",
        "notice-warning": "$warning",
        "notice-error": "$error",
        "interrupted": "$warning",
        "failed": "$error",
        "hint": "$text-muted",
        "cut": "$warning",
        "waiting": "$text-muted",
        "math": "italic $secondary",
        "caret": "bold $background on $accent",
        "selection": "on $primary 50%",
        "found": "on $warning 35%",
        "found-current": "bold $background on $warning",
    }
)
"""Every name a style may be made of, as Textual writes styles in content markup."""


class Palette:
    """Resolves and remembers styles until ``clear``."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._styles: dict[str, Style] = {}

    def clear(self) -> None:
        self._styles.clear()

    def style(self, fill: str, names: str) -> Style:
        """The style of text with ``names`` in a row with ``fill``; both may be empty."""
        if "@" in names:
            names = " ".join(without_addresses(names.split()))
        key = f"{fill} {names}"
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._resolve(key.split())
        return style

    def over(self, fill: str, name: str) -> Style:
        """What ``name`` adds to text that has its own style already, in a row with ``fill``."""
        key = f"{fill} + {name}"
        style = self._styles.get(key)
        if style is None:
            named = ThemeStyle.parse(STYLES[name], self._widget.app.theme_variables)
            under = self.style(fill, "").bgcolor
            _, _, background, _ = self._widget.colors
            if under is not None:
                background = Color.from_rich_color(under)
            if named.background is not None:
                background = background + named.background
            color = (background + named.foreground).rich_color if named.foreground is not None else None
            style = self._styles[key] = Style(
                bold=named.bold, underline=named.underline, color=color, bgcolor=background.rich_color
            )
        return style

    def _resolve(self, names: list[str]) -> Style:
        _, _, background, color = self._widget.colors
        variables = self._widget.app.theme_variables
        result = Style()
        for name in names:
            if name == ORNAMENT:
                continue
            named = ThemeStyle.parse(STYLES[name], variables)
            if named.background is not None:
                background = background + named.background
            color = _foreground(named, background, color)
            result += Style(
                bold=named.bold, italic=named.italic, underline=named.underline, strike=named.strike
            )
        flat = background + color if color.a < 1 else color
        return result + Style.from_color(flat.rich_color, background.rich_color)


def _foreground(named: ThemeStyle, background: Color, color: Color) -> Color:
    if named.foreground is None:
        return color
    if named.auto_color:
        return background + background.get_contrast_text(named.foreground.a)
    return background + named.foreground
