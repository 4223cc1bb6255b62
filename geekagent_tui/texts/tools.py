"""Texts of the tools: what the model is told about them, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ToolTexts:
    """What the tools say, to the model and to the user."""

    path: str = "相对项目根目录的路径"
    outside: str = "{path} 在项目根目录之外，不能访问"
    missing: str = "{path} 不存在"
    not_file: str = "{path} 不是普通文件"
    not_folder: str = "{path} 不是文件夹"
    too_large: str = "{path} 超过 {limit} 字节，不读也不写；可以用 run_shell 处理"
    binary: str = "{path} 是二进制文件"
    protected: str = "{path} 是 GeekAgent 自己的文件，不能用工具改"
    changed: str = "{path} 在确认之后又变了，没有写；请重新读过再改"
    os_problem: str = "{path}：{reason}"

    ls_about: str = "列出一个文件夹里的文件和子文件夹（不含隐藏的和 .gitignore 里的）"
    ls_path: str = "文件夹，相对项目根目录；不填就是根目录"
    ls_all: str = "也列出隐藏的"
    ls_empty: str = "（空文件夹）"
    size: str = "{path}  {size} 字节"
    more_paths: str = "（只列出前 {shown} 个，请缩小范围）"

    read_about: str = "读一个文本文件，从第 offset 行起，一次最多约 {limit} 个字符；没读完会说明下一个 offset"
    read_offset: str = "从第几行开始，从 1 数起"
    read_head: str = "{path}，第 {first}–{last} 行，共 {total} 行"
    read_next: str = "（没有完，接着读用 offset={next}）"
    read_empty: str = "{path} 是空文件"
    read_past: str = "{path} 只有 {total} 行，没有第 {offset} 行"
    line_cut: str = "…（这一行有 {length} 个字符，后面略）"

    glob_about: str = "按通配符找文件：* 一段，** 任意层，例如 src/**/*.py；最多 200 个"
    glob_pattern: str = "通配符路径，相对项目根目录"
    glob_none: str = "没有匹配 {pattern} 的文件"

    search_about: str = (
        "在文件内容里搜索正则表达式，返回“路径:行号: 内容”，最多 50 行；跳过隐藏、忽略和二进制文件"
    )
    search_pattern: str = "正则表达式"
    search_path: str = "只搜这个文件夹或文件，相对项目根目录；不填就是全部"
    search_glob: str = "只搜名字匹配的文件，例如 *.py"
    search_none: str = "没有找到 {pattern}"
    search_more: str = "（只列出前 {shown} 行，请缩小范围）"
    search_failed: str = "搜索没有成功：{reason}"
    search_slow: str = "搜索超过 {seconds} 秒，已停止；请缩小范围或换简单些的表达式"

    write_about: str = "写一个文件，整个内容替换成 content；文件夹不存在会建。改一小处请用 patch"
    write_content: str = "文件的全部内容"
    written_new: str = "已新建 {path}（{lines} 行）"
    written: str = "已写入 {path}（+{added} −{removed} 行）"
    unchanged: str = "{path} 的内容本来就是这样，没有动"
    patch_about: str = (
        "改一个文件：每个 hunk 把 old 换成 new。old 必须在文件里正好出现一次，有一个对不上就什么都不改"
    )
    patch_hunks: str = "要改的地方，按顺序"
    hunk_none: str = "第 {number} 处：old 在 {path} 里没有找到，什么也没有改"
    hunk_many: str = "第 {number} 处：old 在 {path} 里出现了 {count} 次，请多带几行上下文；什么也没有改"
    hunk_empty: str = "第 {number} 处：old 是空的；什么也没有改"
    hunks_none: str = "没有给出要改的地方"
    no_journal: str = "记不下撤销用的内容，所以没有写 {path}：{reason}"
    new_file: str = "新文件 {path}"

    shell_about: str = "在项目根目录用 bash 运行一条命令，标准输出和错误输出合在一起返回。没有键盘输入；默认 {seconds} 秒超时"
    shell_command: str = "要运行的命令"
    shell_timeout: str = "超时秒数，1–600"
    shell_ended: str = "[退出码 {code} · {seconds} 秒]"
    shell_signalled: str = "[被信号 {signal} 结束 · {seconds} 秒]"
    shell_timed_out: str = "[超过 {limit} 秒，已结束命令和它的子进程]"
    shell_cancelled: str = "[被用户中断，已结束命令和它的子进程]"
    shell_cut: str = "\n…（输出共 {length} 个字符，中间略去 {left} 个）…\n"
    shell_no_bash: str = "没有找到 bash"
    shell_empty: str = "（没有输出）"

    fetch_about: str = "取一个 http 或 https 网页，返回文字"
    fetch_url: str = "完整的地址"
    fetch_bad_url: str = "不是可以取的地址（只取 http 和 https）：{url}"
    fetch_private: str = "这是本机或内网的地址：{host} → {address}"
    fetch_redirect: str = "从 {url} 转过来"
    fetch_status: str = "{url} 返回 {status}"
    fetch_slow: str = "{url} 在 {seconds} 秒内没有取完"
    fetch_failed: str = "取不到 {url}：{reason}"
    fetch_unresolved: str = "找不到主机"
    fetch_binary: str = "{url} 不是文字（{kind}）"
    fetch_redirects: str = "{url} 转了超过 {limit} 次"
    fetch_cut: str = "（内容太长，只取了前 {length} 个字符）"
    fetch_big: str = "（只取了前 {length} 字节）"
    fetch_head: str = "{url}"

    todo_about: str = (
        "用这张表整个替换当前的计划；步骤多的任务先列计划，做一步改一步，同一时间最多一项 in_progress"
    )
    todo_items: str = "全部事项，按顺序"
    todo_two: str = "同时只能有一项 in_progress，现在有 {count} 项；计划没有改"
    todo_empty_text: str = "第 {number} 项没有内容；计划没有改"
    todo_long: str = "最多 {limit} 项；计划没有改"
    todo_done: str = "计划已更新：{total} 项，完成 {done} 项"
    todo_cleared: str = "计划已清空"
    todo_none: str = "还没有计划"
    todo_marks: tuple[str, str, str] = ("☐", "▶", "☑")

    delegate_about: str = (
        "把一件独立的事交给一个没有上下文、没有工具的助手，只拿回结论；要把它需要的材料全写进 task"
    )
    delegate_task: str = "任务和全部需要的材料"
    delegate_prompt: str = (
        "你替另一个助手完成一件独立的事。你没有工具，也看不到之前的对话。只给结论和必要的理由，用任务的语言。"
    )
    delegate_nothing: str = "助手没有给出结论"
    delegate_cut: str = "（结论没有写完）"


ZH = ToolTexts()
