"""The two looks. Colours are named here and nowhere else."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="geekagent-dark",
    primary="#7aa2f7",
    secondary="#9d7cd8",
    accent="#ff9e64",
    warning="#e0af68",
    error="#f7768e",
    success="#9ece6a",
    foreground="#c8d0e8",
    background="#16171f",
    surface="#1c1e29",
    panel="#242736",
    dark=True,
    variables={
        "border-blurred": "#3b4058",
        "input-selection-background": "#7aa2f7 35%",
        "text-muted": "#828bb0",
        "text-disabled": "#565d7a",
        "footer-key-foreground": "#7aa2f7",
        "footer-description-foreground": "#828bb0",
    },
)

LIGHT = Theme(
    name="geekagent-light",
    primary="#2454b8",
    secondary="#7048a8",
    accent="#b4540a",
    warning="#96690a",
    error="#b3263e",
    success="#3f7a1c",
    foreground="#20242f",
    background="#f7f8fb",
    surface="#eef0f6",
    panel="#e2e5ef",
    dark=False,
    variables={
        "border-blurred": "#b4bacb",
        "input-selection-background": "#2454b8 25%",
        "text-muted": "#5c6378",
        "text-disabled": "#9aa0b3",
        "footer-key-foreground": "#2454b8",
        "footer-description-foreground": "#5c6378",
    },
)
