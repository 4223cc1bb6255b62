"""What a model says about memory, held against what it did."""

from __future__ import annotations

import json
import re
from typing import Any

from geekagent_tui.agent.models.base import ToolCall
from geekagent_tui.memory.secrets import mask

_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|“[^”\n]*”|「[^」\n]*」|\"[^\"\n]*\"|^>.*$", re.DOTALL | re.MULTILINE
)
_CLAIM = re.compile(
    r"(?:我|已经?|帮你|为你|好的?[，,！!]?\s*|^)(?:把?[^。！？\n，,]{0,12})?"
    r"(?:记住了|记下了|记下来了|已记住(?!的)|已记下(?!来的|的)|存进了?(?:长期)?记忆|写进了?(?:长期)?记忆|存入了?(?:长期)?记忆|保存到了?(?:长期)?记忆)"
    r"|已(?:经)?(?:帮你|为你)?(?:记住|记下)(?!来的|的)|已(?:经)?(?:存进|写进|写入|存入|保存到)(?:了)?(?:长期)?记忆"
    r"|\bI(?:'ve| have)(?: now| just)? (?:saved|stored|remembered|noted|recorded|added)\b[^.\n]{0,60}"
    r"\b(?:memory|remember|that|this|it)\b|\b(?:saved|stored|added) (?:it |this |that )?(?:to|in) "
    r"(?:my |your )?(?:long-term )?memory\b",
    re.MULTILINE | re.IGNORECASE,
)
_DENIAL = re.compile(
    r"没有?|还没|尚未|未能|不能|无法|不会|如果|要是|是否|吗|之前|以前|上次|早就|\b(?:not|n't|never|if|unable|before|earlier|previously)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]?")


def claims_to_remember(answer: str) -> bool:
    """Whether an answer says that it has just stored something. Quotes and code don't count, nor a sentence that denies
    it, asks, or speaks of earlier."""
    spoken = _QUOTED.sub(" ", answer)
    return any(
        _CLAIM.search(sentence) and not _DENIAL.search(sentence) and not sentence.endswith(("?", "？"))
        for sentence in _SENTENCE.findall(spoken)
    )


def without_secrets(call: ToolCall) -> str:
    """The arguments of a call as they are shown and kept: those of memory's tools with their secrets masked."""
    if not call.name.startswith("memory_") or not mask(call.arguments)[1]:
        return call.arguments
    try:
        return json.dumps(_masked(json.loads(call.arguments)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return json.dumps(mask(call.arguments)[0], ensure_ascii=False)


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)[0]
    if isinstance(value, dict):
        return {key: _masked(each) for key, each in value.items()}
    return [_masked(each) for each in value] if isinstance(value, list) else value
