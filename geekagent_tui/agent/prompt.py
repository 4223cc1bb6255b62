"""The system prompt: standing instructions, project, skill and what came to mind, in that order."""

from __future__ import annotations

from geekagent_tui.texts.agent import AgentTexts


def system_prompt(texts: AgentTexts, *, project: str, skill: str, injected: str) -> str:
    """Build one turn's system prompt, parts separated by a blank line.

    ``project`` is the text of AGENTS.md ("" for none), ``skill`` the body of the loaded skill ("" for none),
    ``injected`` the recall text of this turn ("" when nothing was recalled).
    """
    parts = [texts.instructions, f"{texts.project_heading}\n{project.strip() or texts.project_none}"]
    if skill.strip():
        parts.append(f"{texts.skill_heading}\n{skill.strip()}")
    if injected:
        parts.append(f"{texts.recall_heading}\n{injected}")
    return "\n\n".join(parts)
