"""Texts of the command line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CliTexts:
    """Help and errors of ``geekagent``."""

    about: str = "有长期记忆、会自己想起来的终端智能体。不带参数打开界面。"
    exit_codes: str = (
        "退出码：0 成功（没有命中也是 0）；1 这一轮或这个操作失败；2 用法不对或不是终端；3 配置文件有错；"
        "4 记忆读不了或写不进；130 被 Ctrl-C 中断。"
    )
    version: str = "显示版本"
    resume: str = "接着上次的会话"
    session: str = "打开（没有就新建）这个名字的会话"
    ask: str = "问一句，答案写到标准输出"
    ask_text: str = "要问的话；- 表示从标准输入读"
    ask_session: str = "把这一轮记进这个会话（缺省不记）"
    json: str = "输出 JSON"
    json_lines: str = "把每个事件输出成一行 JSON"
    recall: str = "像每轮开始前那样，用一句话搜记忆"
    search: str = "像 memory_search 那样，用空格分开的关键词搜记忆"
    query: str = "要搜的话；- 表示标准输入每行一句，每句输出一行 JSON"
    memory_file: str = "要搜的 memory.json（缺省是当前项目的）"
    profile: str = "打分方式（缺省 auto）"
    top_k: str = "最多几段（缺省按配置，5）"
    explain: str = "逐词列出得分"
    memory: str = "看和写长期记忆"
    memory_list: str = "列出全部条目"
    memory_add: str = "记住一条"
    memory_add_text: str = "要记住的内容；- 表示从标准输入读"
    memory_stats: str = "条数、块数和文件"
    doctor: str = "检查版本、配置、文件、终端和模型"

    not_a_terminal: str = "geekagent 的界面需要终端；在脚本里请用 geekagent ask、recall 或 memory。"
    bad_profile: str = "没有名为 {name} 的打分方式；可用的：{names}"
    bad_top_k: str = "--top-k 要 1 到 50 的整数"
    no_text: str = "没有要问的内容"
    failed: str = "{message}"
    hint: str = "{message} {hint}"
    cancelled: str = "已中断"
    unexpected: str = "程序内部出错（{kind}）：{reason}"
    memory_stats_line: str = "记忆  {entries} 条 / {chunks} 块"
    explain_head: str = "   {score:.4f} 分，搜了 {chunks} 块，{elapsed:.2f} ms"
    explain_term: str = "     {term}  {tf}×/{df} 块  idf {idf:.4f} → {contribution:.4f}"
    no_recall: str = "（没有相关记忆）"
    label_memory_file: str = "文件"
    notice: str = "注意：{text}"
    call: str = "[调用工具 {name} → {result}]"
    recalled: str = "唤起 {hits} 段：{places}"
    place: str = "条目 #{entry}，第 {segment} 段"

    doctor_version: str = "版本"
    doctor_python: str = "Python"
    doctor_packages: str = "组件"
    doctor_config: str = "配置"
    doctor_files: str = "文件"
    doctor_terminal: str = "终端"
    doctor_model: str = "模型"
    doctor_set: str = "已设置"
    doctor_unset: str = "未设置"
    doctor_missing: str = "没有"
    doctor_reachable: str = "连得上（{count} 个模型）"
    doctor_offline: str = "没有配置模型，用离线应答"
    doctor_local: str = "本机有 {name}（{url}，{count} 个模型）"
    doctor_no_local: str = "本机没有发现模型服务"


ZH = CliTexts()
