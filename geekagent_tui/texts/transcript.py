"""Texts of the transcript."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptTexts:
    """What the list of turns says. ``tool_line`` is fixed by the specification."""

    tool_line: str = "[调用工具 {name} → {result}]"
    tool_running: str = "…"
    tool_no_result: str = "没有结果"
    tool_empty: str = "（空）"
    tool_arguments: str = "参数"
    tool_result: str = "结果 · {elapsed} ms"
    tool_failure: str = "没有成功 · {elapsed} ms"
    reasoning: str = "思考 · {count} 字"
    reasoning_running: str = "正在思考 · {count} 字"
    waiting: str = "… 正在等待模型"
    queued: str = "⏳ 已排队"
    interrupted: str = "⏹ 已中断"
    failed: str = "✗ {message}"
    failed_hint: str = "{hint}"
    cut_length: str = "✂ 回答到了长度上限，后面没有了"
    cut_filter: str = "✂ 回答被服务的内容过滤截断"
    cut_unknown: str = "✂ 回答没有正常结束，可能不完整"
    unseen: str = " ↓ 新消息 "
    what_answer: str = "回答"
    what_message: str = "消息"
    what_code: str = "代码块"

    key_down: str = "下"
    key_up: str = "上"
    key_page_down: str = "下一页"
    key_page_up: str = "上一页"
    key_top: str = "顶"
    key_bottom: str = "底（跟随）"
    key_next_turn: str = "下一轮"
    key_previous_turn: str = "上一轮"
    key_next_code: str = "下一个代码块"
    key_previous_code: str = "上一个代码块"
    key_next_fold: str = "下一个折叠项"
    key_previous_fold: str = "上一个折叠项"
    key_fold: str = "展开/折叠"
    key_copy: str = "复制回答"
    key_copy_code: str = "复制代码"


ZH = TranscriptTexts()
EN = TranscriptTexts(
    tool_line="[tool {name} → {result}]",
    tool_running="…",
    tool_no_result="no result",
    tool_empty="(empty)",
    tool_arguments="Arguments",
    tool_result="Result · {elapsed} ms",
    tool_failure="Failed · {elapsed} ms",
    reasoning="Reasoning · {count} characters",
    reasoning_running="Reasoning … {count} characters",
    waiting="… waiting for the model",
    queued="⏳ queued",
    interrupted="⏹ interrupted",
    failed="✗ {message}",
    failed_hint="{hint}",
    cut_length="✂ The answer reached its length limit; there is no more",
    cut_filter="✂ The service's content filter cut the answer",
    cut_unknown="✂ The answer had no proper end and may be incomplete",
    unseen=" ↓ new ",
    what_answer="answer",
    what_message="message",
    what_code="code block",
    key_down="Down",
    key_up="Up",
    key_page_down="Page down",
    key_page_up="Page up",
    key_top="Top",
    key_bottom="Bottom (follow)",
    key_next_turn="Next turn",
    key_previous_turn="Previous turn",
    key_next_code="Next code block",
    key_previous_code="Previous code block",
    key_next_fold="Next foldable",
    key_previous_fold="Previous foldable",
    key_fold="Fold/unfold",
    key_copy="Copy answer",
    key_copy_code="Copy code",
)
