"""How much of the budget what is injected takes."""

from __future__ import annotations

from geekagent_tui.agent.tokens import estimate
from geekagent_tui.texts.ui import UiTexts

_CELLS = 10


def budget_line(injected: str, budget: int, texts: UiTexts) -> str:
    """One line: a bar, characters against ``budget``, and an estimate of the tokens."""
    share = len(injected) / budget if budget else 1.0
    full = min(_CELLS, max(1, round(share * _CELLS))) if injected else 0
    bar = "█" * full + "░" * (_CELLS - full)
    return texts.recall_budget.format(bar=bar, used=len(injected), budget=budget, tokens=estimate(injected))
