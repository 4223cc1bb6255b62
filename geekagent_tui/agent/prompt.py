"""The system prompt: standing instructions, project, skill and what came to mind, in that order."""

from __future__ import annotations

from geekagent_tui.texts.agent import AgentTexts


def system_prompt(texts: AgentTexts, *, project: str, skill: str, injected: str) -> str:
    """Build one turn's system prompt, parts separated by a blank line.

    ``project`` is the text of AGENTS.md ("" for none), ``skill`` the body of the loaded skill ("" for none),
    ``injected`` the recall text of this turn ("" when nothing was recalled). It stands
    last: all from its heading to the end is material, as the instructions say.
    """
    # Nothing ever follows the recalled text, so its end can't be forged; and what it is, is said before it begins.
    instructions = f"{texts.instructions}\n{texts.recall_fence}" if injected else texts.instructions
    parts = [instructions, f"{texts.project_heading}\n{project.strip() or texts.project_none}"]
    if skill.strip():
        parts.append(f"{texts.skill_heading}\n{skill.strip()}")
    if injected:
        parts.append(f"{texts.recall_heading}\n{injected}")
    return "\n\n".join(parts)
