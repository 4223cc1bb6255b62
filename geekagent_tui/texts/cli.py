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
    ask_session: str = "把这一轮记进这个会话（默认不记）"
    ask_allow: str = "GeekAgent.json 里设为 ask 的工具，这一次不问就运行；可以写几次，没写到的不运行"
    allow_unknown: str = "--allow：没有名为 {names} 的工具。可用的：{tools}"
    json: str = "输出 JSON"
    json_lines: str = "把每个事件输出成一行 JSON"
    recall: str = "像每轮开始前那样，用一句话搜记忆"
    search: str = "像 memory_search 那样，用空格分开的关键词搜记忆"
    query: str = "要搜的话；- 表示标准输入每行一句，每句输出一行 JSON"
    memory_file: str = "要搜的 memory.json（默认是当前项目的）"
    profile: str = "打分方案（默认 auto）"
    top_k: str = "最多几段（默认按配置，5）"
    explain: str = "逐词列出得分"
    memory: str = "看和写长期记忆"
    memory_list: str = "列出全部条目"
    memory_add: str = "记住一条"
    memory_add_text: str = "要记住的内容；- 表示从标准输入读"
    memory_stats: str = "条数、块数和文件"
    doctor: str = "检查版本、配置、文件、终端和模型"

    not_written: str = "结果没能写到标准输出：{reason}"
    not_a_terminal: str = "geekagent 的界面需要终端；在脚本里请用 geekagent ask、recall 或 memory。"
    help: str = "显示这份帮助"
    usage: str = "用法："
    usage_arguments: str = "参数"
    usage_options: str = "选项"
    usage_required: str = "缺少 {names}"
    usage_unknown: str = "不认识 {names}"
    usage_value: str = "{name} 后面要有一个值"
    usage_choice: str = "{name} 没有 {value}；可用的：{choices}"
    usage_number: str = "{name} 要整数，{value} 不是"
    usage_no_value: str = "{name} 后面不能有值（{value}）"
    usage_ambiguous: str = "{name} 不明确，可能是 {choices}"
    bad_usage: str = "用法不对：{reason}（{command} --help 看用法）"
    no_folder: str = "当前的工作文件夹已经不在了（被删掉或移走了）；请 cd 到一个存在的文件夹再试。"
    no_such_file: str = "{path}：没有这个文件"
    bad_top_k: str = "--top-k 要 1 到 50 的整数"
    no_text: str = "没有要问的内容"
    empty_session: str = "--session 后面要有会话名"
    only_thought: str = "模型只思考了，没有给出回答"
    no_answer: str = "模型没有给出任何回答"
    hint: str = "{message} {hint}"
    system: str = "{place}系统不让这样做：{reason}"
    memory_stats_line: str = "记忆  {entries} 条 / {chunks} 块"
    explain_head: str = "   {score:.4f} 分，搜了 {chunks} 块，{elapsed:.2f} ms"
    explain_term: str = "     {term}  {tf}×/{df} 块  idf {idf:.4f} → {contribution:.4f}"
    explain_text: str = "   {text}"
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
    doctor_folder: str = "项目"
    doctor_files: str = "文件"
    doctor_terminal: str = "终端"
    doctor_model: str = "模型"
    eval: str = "量一量唤起得准不准：命中率、MRR 和噪声"
    eval_set: str = "题目文件；不写就用项目自己的 .geekagent/recall_cases.json"
    eval_profile: str = "打分方案，可以写几次来比较（默认 auto）"
    eval_no_cases: str = "还没有自己的题目：{path} 不存在。先写一个，或指定一个题目文件"
    eval_bad_set: str = "题目文件 {path} 不是合法的 JSON：{reason}"
    eval_bad_field: str = "题目文件 {path}：字段 {place} 没有，或类型不对（格式见 geekagent eval --help）"
    eval_format: str = """题目文件的格式（JSON）：
  {"name": "我的题目", "groups": [{
    "memories": ["部署窗口在周四下午", "阈值是 4000 字"],
    "queries": [{"q": "什么时候部署？", "entries": [1], "answers": ["周四"]}],
    "negatives": ["今天天气怎么样"]}]}
entries 是答案所在的条目（从 1 数起）；answers 可以不写，写了就还要求段落里有其中一个；
negatives 是记忆答不了的问题，想起任何一段都算噪声。"""
    eval_head: str = "{name}：{groups} 个记忆库"
    eval_row: str = (
        "{profile:8}  {questions} 问：hit@1 {first:.3f}  hit@5 {five:.3f}  MRR {mrr:.3f}  每问注入 {injected:.1f} 段"
        "；{negatives} 个答不了的问题：噪声 {noise:.2f} 段 {characters:.0f} 字，{silent:.0%} 不注入"
    )
    eval_unwanted: str = "          不该来却来了：{share:.0%}"
    explain_terms: str = "拆成的词：{terms}"
    explain_asked: str = "{term}（{df} 段）"
    explain_silence: str = "这句话不是在问什么，没有查记忆。"
    explain_carried: str = "接着上一问：{query}"
    explain_worth: str = "   覆盖 {coverage:.0%}，值 {worth:.2f}（门槛 {floor:.2f}），规则之前第 {rank} 名"
    explain_misses: str = "差一点的："
    explain_miss: str = "  {place}  {score:.2f} 分，覆盖 {coverage:.0%}，值 {worth:.2f}：{rule}"
    rule_floor: str = "答到的太少"
    rule_neighbour: str = "和第 {other} 段相邻，并在一起了"
    rule_duplicate: str = "和第 {other} 段说的一样"
    rule_budget: str = "超出字数"
    rule_limit: str = "超出段数"
    rule_excluded: str = "你拿掉的"
    rule_lowered: str = "你说过对这样的问题没用"
    places: str = "条目 #{entry}，第 {segment}–{last} 段"
    doctor_set: str = "已设置"
    doctor_unset: str = "未设置"
    doctor_missing: str = "没有"
    doctor_value: str = "{value}  ← {origin}"
    doctor_terminal_yes: str = "是终端"
    doctor_terminal_no: str = "不是终端"
    doctor_reachable: str = "{url} 连得上（{count} 个模型）"
    doctor_no_list: str = "{url} 连得上，但没有提供模型列表（{status}）；聊天可能照样能用，试试 geekagent ask"
    doctor_not_yet: str = "{policy}（尚未提供）"
    doctor_offline: str = "没有配置模型，用离线应答"
    doctor_notices: str = "提醒"
    doctor_size: str = "大小"
    doctor_stdin: str = "标准输入是终端"
    doctor_stdout: str = "标准输出是终端"
    doctor_encoding: str = "编码"
    doctor_state: str = "状态"
    doctor_hint: str = "怎么办"
    doctor_servers: str = "本机服务"
    doctor_local: str = "本机有 {name}（{url}，{count} 个模型）"
    doctor_no_local: str = "本机没有发现模型服务"


ZH = CliTexts()
EN = CliTexts(
    about="A terminal agent whose long-term memory comes to mind by itself. Without arguments: the interface.",
    exit_codes=(
        "Exit codes: 0 success (also without a hit); 1 the turn or operation failed; 2 wrong usage, or not a terminal; "
        "3 a configuration file is wrong; 4 memory can't be read or written; 130 interrupted by Ctrl-C."
    ),
    version="show the version",
    resume="go on with the last session",
    session="open the session of that name, a new one if there is none",
    ask="ask once; the answer goes to standard output",
    ask_text="what to ask; - reads standard input",
    ask_session="keep this turn in that session (by default it is kept nowhere)",
    ask_allow="run this tool without asking where GeekAgent.json says ask; may be given several times",
    allow_unknown="--allow: there is no tool named {names}. Tools: {tools}",
    json="print JSON",
    json_lines="print every event as a line of JSON",
    recall="search memory with a sentence, as before every turn",
    search="search memory with keywords separated by spaces, as memory_search does",
    query="what to look for; - takes one query per line of standard input and prints one line of JSON for each",
    memory_file="the memory.json to search (by default the project's)",
    profile="how to score (default: auto)",
    top_k="passages at most (default: as configured, 5)",
    explain="list the score term by term",
    memory="look at long-term memory, and add to it",
    memory_list="list all entries",
    memory_add="remember one entry",
    memory_add_text="what to remember; - reads standard input",
    memory_stats="entries, chunks and the file",
    doctor="check versions, configuration, files, terminal and model",
    not_written="The results could not be written to standard output: {reason}",
    not_a_terminal="The interface needs a terminal; in a script use geekagent ask, recall or memory.",
    help="show this help",
    usage="Usage: ",
    usage_arguments="arguments",
    usage_options="options",
    usage_required="missing {names}",
    usage_unknown="unknown {names}",
    usage_value="{name} needs a value",
    usage_choice="{name} has no {value}; there are: {choices}",
    usage_number="{name} needs a whole number, {value} is none",
    usage_no_value="{name} takes no value ({value})",
    usage_ambiguous="{name} is ambiguous, it may be {choices}",
    bad_usage="Wrong usage: {reason} (see {command} --help)",
    no_folder="The working folder is gone (deleted or moved); cd to one that exists and try again.",
    no_such_file="{path}: there is no such file",
    bad_top_k="--top-k must be a whole number from 1 to 50",
    no_text="There is nothing to ask",
    empty_session="--session needs a name",
    only_thought="the model only thought, and gave no answer",
    no_answer="the model gave no answer",
    hint="{message} {hint}",
    system="{place}the system does not allow it: {reason}",
    memory_stats_line="Memory  {entries} entries / {chunks} chunks",
    explain_head="   {score:.4f} points, {chunks} chunks searched, {elapsed:.2f} ms",
    explain_term="     {term}  {tf}×/{df} chunks  idf {idf:.4f} → {contribution:.4f}",
    explain_text="   {text}",
    no_recall="(no memory comes to mind)",
    label_memory_file="File",
    notice="Note: {text}",
    call="[tool {name} → {result}]",
    recalled="{hits} passages came to mind: {places}",
    place="entry #{entry}, segment {segment}",
    doctor_version="Version",
    doctor_python="Python",
    doctor_packages="Packages",
    doctor_config="Configuration",
    doctor_folder="Project",
    doctor_files="Files",
    doctor_terminal="Terminal",
    doctor_model="Model",
    eval="measure recall: hits, MRR and noise",
    eval_set="a set of questions; by default the project's own .geekagent/recall_cases.json",
    eval_profile="how to score; may be given several times, to compare (default: auto)",
    eval_no_cases="There are no questions of your own yet: {path} does not exist. Write one, or name a set",
    eval_bad_set="The set {path} is not valid JSON: {reason}",
    eval_bad_field="The set {path}: field {place} is missing or of the wrong type (see geekagent eval --help)",
    eval_format="""The format of a set (JSON):
  {"name": "mine", "groups": [{
    "memories": ["We deploy on Thursday afternoon", "The threshold is 4000 characters"],
    "queries": [{"q": "When do we deploy?", "entries": [1], "answers": ["Thursday"]}],
    "negatives": ["What will the weather be?"]}]}
entries: where the answer is (from 1); answers may be left out, and if not, one of them must stand in the passage;
negatives: questions that the memory can't answer; whatever comes to mind for them is noise.""",
    eval_head="{name}: {groups} memories",
    eval_row=(
        "{profile:8}  {questions} questions: hit@1 {first:.3f}  hit@5 {five:.3f}  MRR {mrr:.3f}  {injected:.1f} injected;"
        " {negatives} that can't be answered: noise {noise:.2f} passages {characters:.0f} characters, {silent:.0%} silent"
    ),
    eval_unwanted="          came and should not have: {share:.0%}",
    explain_terms="Terms: {terms}",
    explain_asked="{term} ({df} chunks)",
    explain_silence="That asks for nothing, so memory was not searched.",
    explain_carried="Goes on from: {query}",
    explain_worth="   covers {coverage:.0%}, worth {worth:.2f} (floor {floor:.2f}), rank {rank} before the rules",
    explain_misses="Near misses:",
    explain_miss="  {place}  {score:.2f} points, covers {coverage:.0%}, worth {worth:.2f}: {rule}",
    rule_floor="answers too little",
    rule_neighbour="beside passage {other}, put together with it",
    rule_duplicate="says the same as passage {other}",
    rule_budget="over the budget",
    rule_limit="over the number of passages",
    rule_excluded="you took it out",
    rule_lowered="you said it is of no use to such a question",
    places="entry #{entry}, segments {segment}–{last}",
    doctor_set="set",
    doctor_unset="not set",
    doctor_missing="missing",
    doctor_value="{value}  ← {origin}",
    doctor_terminal_yes="a terminal",
    doctor_terminal_no="not a terminal",
    doctor_reachable="{url} can be reached ({count} models)",
    doctor_no_list="{url} can be reached but offers no list of models ({status}); chat may work all the same, try geekagent ask",
    doctor_not_yet="{policy} (not there yet)",
    doctor_offline="No model is configured: answers are offline",
    doctor_notices="notices",
    doctor_size="size",
    doctor_stdin="standard input is a terminal",
    doctor_stdout="standard output is a terminal",
    doctor_encoding="encoding",
    doctor_state="state",
    doctor_hint="what to do",
    doctor_servers="local servers",
    doctor_local="{name} on this machine ({url}, {count} models)",
    doctor_no_local="No model service on this machine",
)


_RETRY = (
    ("再输入 /retry", "再试一次"),
    ("输入 /retry 再试一次", "再试一次"),
    ("输入 /retry 再试", "再试"),
    ("输入 /retry 重新回答", "再问一次"),
    ("输入 /retry", "再试一次"),
    ("ype /retry to", "ry"),
    ("ype /retry", "ry again"),
    ("/retry", "try again"),
)


def outside_ui(hint: str) -> str:
    """``hint``, in either language, for a place where there are no slash commands: "/retry" as what it means."""
    for said, meant in _RETRY:
        hint = hint.replace(said, meant)
    return hint
