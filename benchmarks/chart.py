"""Line charts as plain SVG, for the curves that benchmarks report."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 460, 320
"""Of one panel, in pixels, with its axes and its title."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 30, 34, 46
_LEGEND = 22
_COLOURS = ("#d1495b", "#2e6f95", "#3f8f5b", "#b3752a", "#7b5ea7", "#4d4d4d")
_STYLE = "font-family:ui-sans-serif,system-ui,'Noto Sans CJK SC',sans-serif;font-size:12px"


@dataclass(frozen=True, slots=True)
class Line:
    """``points`` are (x, y), x ascending."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """``log``: both axes by powers of ten. ``mark``: an x that gets an upright line, with its name; ``aim``: a y that
    gets a level one."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    log: bool = False
    mark: tuple[float, str] | None = None
    aim: float | None = None


class _Axis:
    """Values to pixels, from ``low`` to ``high`` of the values."""

    def __init__(self, values: Sequence[float], first: float, last: float, *, log: bool) -> None:
        self._log = log
        self._first, self._last = first, last
        if log:
            low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
            self._low, self._high = float(low), float(max(high, low + 1))
            self.ticks = [10.0**power for power in range(low, int(self._high) + 1)]
        else:
            step = _step(max(values) - min(values))
            self._low = math.floor(min(values) / step + 1e-9) * step
            self._high = max(math.ceil(max(values) / step - 1e-9) * step, self._low + step)
            count = round((self._high - self._low) / step)
            self.ticks = [self._low + step * at for at in range(count + 1)]

    def __call__(self, value: float) -> float:
        value = math.log10(value) if self._log else value
        return self._first + (value - self._low) / (self._high - self._low) * (self._last - self._first)


def chart(panels: Sequence[Panel]) -> str:
    """An SVG with the panels side by side and one legend below; a name has the same colour in all."""
    names = list(dict.fromkeys(line.name for panel in panels for line in panel.lines))
    colours = {name: _COLOURS[at % len(_COLOURS)] for at, name in enumerate(names)}
    width, height = WIDTH * len(panels), HEIGHT + _LEGEND
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" style="{_STYLE}" fill="#333">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for at, panel in enumerate(panels):
        parts.append(f'<g transform="translate({at * WIDTH},0)">')
        parts.extend(_panel(panel, colours))
        parts.append("</g>")
    room = (width - _LEFT) / max(1, len(names))
    for at, name in enumerate(names):
        x = _LEFT + at * room
        parts.append(_path([(x, HEIGHT + 6), (x + 18, HEIGHT + 6)], colours[name], 2.5))
        parts.append(_text(x + 24, HEIGHT + 10, name))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel, colours: dict[str, str]) -> list[str]:
    points = [point for line in panel.lines for point in line.points]
    marked = [] if panel.mark is None else [panel.mark[0]]
    aimed = [] if panel.aim is None else [panel.aim]
    across = _Axis([x for x, _ in points] + marked, _LEFT, WIDTH - _RIGHT, log=panel.log)
    up = _Axis(
        [y for _, y in points] + aimed + ([] if panel.log else [0.0]), HEIGHT - _BOTTOM, _TOP, log=panel.log
    )
    parts = [_text(_LEFT, 20, panel.title, weight="600")]
    for value in up.ticks:
        parts.append(_path([(_LEFT, up(value)), (WIDTH - _RIGHT, up(value))], "#e4e4e4", 1))
        parts.append(_text(_LEFT - 6, up(value) + 4, _number(value), anchor="end"))
    for value in across.ticks:
        parts.append(
            _path([(across(value), HEIGHT - _BOTTOM), (across(value), HEIGHT - _BOTTOM + 4)], "#999", 1)
        )
        parts.append(_text(across(value), HEIGHT - _BOTTOM + 17, _number(value), anchor="middle"))
    parts.append(
        _path([(_LEFT, _TOP), (_LEFT, HEIGHT - _BOTTOM), (WIDTH - _RIGHT, HEIGHT - _BOTTOM)], "#999", 1)
    )
    parts.append(_text((WIDTH + _LEFT - _RIGHT) / 2, HEIGHT - 10, panel.x_label, anchor="middle"))
    middle = (HEIGHT - _BOTTOM + _TOP) / 2
    turned = f' transform="rotate(-90 14 {middle:.0f})"'
    parts.append(_text(14, middle, panel.y_label, anchor="middle", more=turned))
    if panel.aim is not None:
        parts.append(_path([(_LEFT, up(panel.aim)), (WIDTH - _RIGHT, up(panel.aim))], "#999", 1, dashed=True))
    if panel.mark is not None:
        x = across(panel.mark[0])
        parts.append(_path([(x, _TOP), (x, HEIGHT - _BOTTOM)], "#333", 1, dashed=True))
        parts.append(_text(x + 5, _TOP + 10, panel.mark[1]))
    for line in panel.lines:
        places = [(across(x), up(y)) for x, y in line.points]
        parts.append(_path(places, colours[line.name], 2))
        parts.extend(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colours[line.name]}"/>' for x, y in places
        )
    return parts


def _step(span: float) -> float:
    """A round distance between two ticks, five or so of them to the span."""
    rough = span / 5 or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(nice * power for nice in (1, 2, 2.5, 5, 10) if nice * power >= rough * 0.999)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.4g}"


def _path(points: Sequence[tuple[float, float]], colour: str, width: float, *, dashed: bool = False) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "400", more: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}"{more}>'
        f"{html.escape(text)}</text>"
    )
