"""Texts of the transcript."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TranscriptTexts:
    """What the list of turns says. ``tool_line`` is fixed by the specification."""

    tool_line: str = "[调用工具 {name} → {result}]"
    tool_running: str = "…"
    tool_running_for: str = "… {seconds} 秒"
    tool_task: str = "交给助手的任务"
    tool_command: str = "命令"
    tool_no_result: str = "没有结果"
    tool_empty: str = "（空）"
    tool_arguments: str = "参数"
    tool_result: str = "结果 · {elapsed} ms"
    tool_failure: str = "没有成功 · {elapsed} ms"
    reasoning: str = "思考 · {count} 字"
    reasoning_running: str = "正在思考 · {count} 字"
    message_folded: str = "… 共 {lines} 行 {count} 字，Enter 看全文"
    receipt: str = "🧠 {hits} 段 · {characters} 字 · {elapsed} ms"
    receipt_none: str = "🧠 无相关记忆"
    receipt_taken_out: str = "🧠 你拿掉了 {taken} 段，没有放记忆"
    receipt_smalltalk: str = "🧠 没有在问什么，没有查记忆"
    receipt_off: str = "🧠 自动唤起关着"
    receipt_private: str = "🔒 私密：没有读记忆"
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
    what_selection: str = "选中的文字"

    key_down: str = "下"
    key_up: str = "上"
    key_page_down: str = "下一页"
    key_page_up: str = "上一页"
    key_top: str = "顶"
    key_bottom: str = "底（跟随）"
    key_next_turn: str = "下一轮"
    key_previous_turn: str = "上一轮"
    key_next_code: str = "代码块"
    key_previous_code: str = "上一个代码块"
    key_next_fold: str = "下一个折叠项"
    key_previous_fold: str = "上一个折叠项"
    key_fold: str = "展开/折叠"
    key_copy: str = "复制"
    key_copy_code: str = "复制代码"
    key_select: str = "选择"
    key_pager: str = "分页查看"
    key_editor: str = "编辑器"
    key_links: str = "链接"
    key_ask_again: str = "再问"
    key_recall: str = "唤起"
    key_inspect: str = "检查"
    tip_inspect: str = "全屏看这一轮的唤起和发出的请求；在 🧠 行上按 Enter 也行"
    key_find_next: str = "下一处"
    key_find_previous: str = "上一处"
    key_find_read: str = "到对话里"
    key_find_close: str = "结束搜索"

    tip_next_code: str = "下一个代码块；搜索时是下一处"
    tip_previous_code: str = "上一个代码块；搜索时是上一处"
    tip_copy: str = "复制选中的文字，没有选中时是回答"
    tip_select: str = "用键盘选文字：hjkl、w b、0 $、g G 走动，y 复制，Esc 取消"
    tip_pager: str = "在 $PAGER 里看光标处的代码块，或这一轮"
    tip_editor: str = "在 $EDITOR 里打开光标处的代码块，或这一轮"
    tip_links: str = "这一轮里的链接：先看地址，再打开"
    tip_ask_again: str = "把这一轮的消息再问一次"
    tip_recall: str = "看这一轮唤起了什么"

    @property
    def receipt_silent(self) -> dict[str, str]:
        """Why nothing was looked up → the receipt that says so."""
        return {
            "smalltalk": self.receipt_smalltalk,
            "off": self.receipt_off,
            "private": self.receipt_private,
        }


ZH = TranscriptTexts()
EN = TranscriptTexts(
    tool_line="[tool {name} → {result}]",
    tool_running="…",
    tool_running_for="… {seconds} s",
    tool_task="Task for the helper",
    tool_command="Command",
    tool_no_result="no result",
    tool_empty="(empty)",
    tool_arguments="Arguments",
    tool_result="Result · {elapsed} ms",
    tool_failure="Failed · {elapsed} ms",
    reasoning="Reasoning · {count} characters",
    reasoning_running="Reasoning … {count} characters",
    message_folded="… {lines} lines, {count} characters: Enter shows all",
    receipt="🧠 {hits} passages · {characters} characters · {elapsed} ms",
    receipt_none="🧠 no memory of use",
    receipt_taken_out="🧠 you took out {taken}, no memory went in",
    receipt_smalltalk="🧠 nothing was asked, memory was not searched",
    receipt_off="🧠 recall is off",
    receipt_private="🔒 private: memory was not read",
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
    what_selection="selected text",
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
    key_select="Select",
    key_pager="Pager",
    key_editor="Editor",
    key_links="Links",
    key_ask_again="Ask again",
    key_recall="Recall",
    key_inspect="Inspect",
    tip_inspect="All of the turn's recall and its request on a full screen; Enter on the 🧠 line does it too",
    key_find_next="Next match",
    key_find_previous="Previous match",
    key_find_read="To the chat",
    key_find_close="End search",
    tip_next_code="Next code block; next match while searching",
    tip_previous_code="Previous code block; previous match while searching",
    tip_copy="Copy the selected text, else the answer",
    tip_select="Select by keys: move with hjkl, w b, 0 $, g G; y copies, Esc cancels",
    tip_pager="Show the code block at the cursor, else the turn, in $PAGER",
    tip_editor="Open the code block at the cursor, else the turn, in $EDITOR",
    tip_links="The turn's links: see the address, then open it",
    tip_ask_again="Ask this turn's message again",
    tip_recall="See what this turn recalled",
)
