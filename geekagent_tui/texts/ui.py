"""Texts of the full-screen interface."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UiTexts:
    """What the interface says. Named fields in braces are filled in by ``str.format``."""

    banner: str = "GeekAgent —— 主动记忆（BM25 分块 + 自动唤起）"
    banner_about: str = (
        "每轮提问前，程序先用你的原话搜一遍长期记忆，把最相关的段落放进本轮提示，并在“唤起”栏照实列出。"
    )
    banner_offline: str = "离线应答：还没有配置模型，回答只摘自记忆。配置 OPENAI_BASE_URL、OPENAI_API_KEY、OPENAI_MODEL（环境变量或 .env）后重启即可。"
    banner_keys: str = "Enter 发送 · Ctrl+J 换行 · / 命令 · F1 帮助 · Ctrl+Q 退出"

    chat_title: str = "对话"
    composer_title: str = "输入"
    sidebar_title: str = "上下文"
    recall_title: str = "唤起"
    placeholder: str = "说点什么，或输入 / 看命令"
    placeholder_booting: str = "正在打开…（可以先写）"
    placeholder_running: str = "回答中：Enter 排队，Esc 停止"

    label_model: str = "模型"
    label_session: str = "会话"
    label_root: str = "目录"
    label_instructions: str = "指令"
    label_skill: str = "技能"
    label_context: str = "上下文"
    label_turn_tokens: str = "本轮"
    label_total_tokens: str = "累计"
    label_todos: str = "计划"
    memory_line: str = "记忆  {entries} 条 / {chunks} 块"
    memory_read_only: str = "只读：{reason}"
    instructions_loaded: str = "AGENTS.md 已载入"
    instructions_none: str = "无 AGENTS.md"
    none: str = "无"
    tokens_exact: str = "{prompt} + {completion} 词元"
    tokens_estimate: str = "约 {prompt} + {completion} 词元"
    context_exact: str = "{tokens} 词元 · {percent}%"
    context_estimate: str = "约 {tokens} 词元 · {percent}%"
    context_unknown: str = "—"
    offline_tag: str = "离线"
    queued_count: str = "排队 {count} 条"
    found_local: str = "发现本机模型服务 {name}（{url}，{count} 个模型），输入 /connect 使用；不会自动使用。"

    recall_none_yet: str = "发一条消息，这里会列出放进本轮提示的记忆段落，连同分数和理由。"
    recall_running: str = "正在搜索记忆…"
    recall_empty: str = "这一轮没有相关记忆，什么也没有放进提示。"
    recall_failed: str = "这一轮没有搜成记忆。"
    recall_summary: str = "{hits} 段 · {characters} 字 · {elapsed} ms · 搜了 {chunks} 块"
    recall_turn: str = "第 {number} 轮：{text}"
    recall_hit: str = "{rank}. 条目 #{entry}，第 {segment} 段"
    recall_score: str = "{score}"
    recall_why: str = "词：{terms}"
    recall_term: str = "{term}\N{NO-BREAK SPACE}{contribution}"
    recall_detail_head: str = "词（出现×/块数 idf → 得分）"
    recall_detail: str = "{term}  {tf}×/{df} 块  idf {idf} → {contribution}"
    recall_detail_repeat: str = "{term}（问句中 {count} 次）  {tf}×/{df} 块  idf {idf} → {contribution}"
    recall_receipt: str = "唤起 {hits} 段"

    key_send: str = "发送"
    key_newline: str = "换行"
    key_stop: str = "停止"
    key_back: str = "回输入框"
    key_help: str = "帮助"
    key_palette: str = "命令"
    key_quit: str = "退出"
    key_recall: str = "唤起"
    key_sidebar: str = "上下文"
    key_chat: str = "对话"
    key_next_pane: str = "下一栏"
    key_previous_pane: str = "上一栏"
    key_up: str = "上"
    key_down: str = "下"
    key_top: str = "顶"
    key_bottom: str = "底"
    key_detail: str = "展开"
    key_copy: str = "复制"
    key_close: str = "关闭"
    key_choose: str = "选择"
    key_complete: str = "补全"
    key_allow: str = "允许"
    key_refuse: str = "不允许"

    tip_back: str = "停止回答；没有回答时回到输入框，收起叫出来的栏"
    tip_recall: str = "“唤起”栏：这一轮放进了哪些记忆；再按收起"
    tip_sidebar: str = "“上下文”栏：模型、会话、记忆、词元；再按收起"
    tip_chat: str = "到对话里走动"
    tip_palette: str = "命令面板"
    tip_newline: str = "换行；终端能报告时 Shift+Enter、Alt+Enter 也行"
    tip_detail: str = "展开或收起逐词得分"
    tip_copy_chunk: str = "复制这一段记忆"

    copied: str = "已复制{what}（{count} 字）"
    nothing_to_copy: str = "没有可复制的内容"
    what_chunk: str = "这一段记忆"
    what_message: str = "这条消息"
    what_code: str = "代码块"

    command_unknown: str = "未知命令：{name}（输入 /help 查看）"
    command_help: str = "帮助：按键和命令"
    command_memory: str = "列出长期记忆"
    command_new: str = "新建会话"
    command_open: str = "打开会话；不带名字则从列表里选"
    command_sessions: str = "列出会话"
    command_reset: str = "清空当前会话（记忆不动）"
    command_exit: str = "退出"
    command_retry: str = "再问一次上一条没有答完的消息"
    command_theme: str = "切换深色和浅色"
    command_connect: str = "使用本机发现的模型服务"
    argument_session: str = "名字"
    argument_connect: str = "序号 模型"

    session_opened: str = "已打开会话 {name}（{turns} 轮）"
    session_created: str = "已新建会话 {name}"
    session_exists: str = "会话 {name} 已存在，用 /open {name} 打开"
    session_missing: str = "没有名为 {name} 的会话（输入 /sessions 查看）"
    session_row: str = "{name}  {turns} 轮  {when}  {title}"
    sessions_title: str = "会话（Enter 打开，Esc 返回）"
    sessions_none: str = "（还没有会话）"
    sessions_heading: str = "会话（{n} 个）："
    session_current: str = "当前"
    session_offer: str = "上次的会话是 {name}（{turns} 轮，{when}）：/open {name} 接着聊，或直接开始新的。"
    session_busy: str = "回答还在进行，先按 Esc 停下来再换会话。"
    reset_done: str = "已清空会话 {name}，删去 {turns} 轮；长期记忆没有动。"
    reset_question: str = "清空会话 {name} 的 {turns} 轮？删去的不能恢复，长期记忆不动。"
    retry_nothing: str = "没有可以再问的消息。"
    draft_restored: str = "找回了上次没有发出的草稿。"
    theme_changed: str = "主题：{name}"
    connect_none: str = (
        "没有发现本机的模型服务（看过 Ollama 11434、LM Studio 1234、llama.cpp 8080、vLLM 8000）。"
    )
    connect_row: str = "{number}. {name}  {url}  模型：{models}"
    connect_pick: str = "发现多个选择，输入 /connect 序号 模型："
    connect_done: str = "已改用 {model}（{url}），到关闭程序为止；要长期使用，请写进 .env。"
    connect_unknown: str = "没有序号为 {number} 的服务。"
    booting: str = "正在打开，请稍候。"
    not_ready: str = "还没打开完，消息先排着队。"

    memory_broken: str = (
        "memory.json 读不了，记忆现在是只读的：{reason}\n原文件没有动，副本在 {copy}。改好后会自动重新载入。"
    )
    memory_broken_no_copy: str = (
        "memory.json 读不了，记忆现在是只读的：{reason}\n原文件没有动。改好后会自动重新载入。"
    )
    memory_recovered: str = "memory.json 又能读了，记忆恢复可写。"
    clipboard_osc: str = "已请终端复制{what}（{count} 字）"

    permit_title: str = "允许调用 {name} 吗？"

    yes_once: str = "允许这一次（y）"
    no_refuse: str = "不允许（n）"
    yes_reset: str = "清空（y）"
    no_keep: str = "不清空（n）"

    help_title: str = "帮助（Esc 关闭）"
    help_keys: str = "按键"
    help_commands: str = "命令"
    help_everywhere: str = "到处"
    help_composer: str = "输入框"
    help_chat: str = "对话"
    help_recall: str = "唤起栏"
    help_about: str = (
        "每一轮：先用你的原话搜长期记忆，把最好的至多 {top_k} 段放进这一轮的提示（“唤起”栏里照实列出），再请模型回答。"
        "说“记住…”就会写进长期记忆；记忆存在 .geekagent/memory.json，一个普通的 JSON 数组，可以直接改。"
    )
    help_history: str = "光标在首行按 ↑、末行按 ↓：翻看发过的消息"
    help_slash: str = "行首输入 / 补全命令"
    help_resume: str = "滚到旧处时新内容不打扰；End 回到最新"
    help_select: str = "选一轮，“唤起”栏显示那一轮放进了什么"

    thread_failed: str = "程序内部出错（{kind}）：{reason}。其余部分可以接着用。"


ZH = UiTexts()
