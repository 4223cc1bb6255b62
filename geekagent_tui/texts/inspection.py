"""Texts of the screen that shows one turn's recall and request."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InspectionTexts:
    """What the inspection of a turn says."""

    title: str = "检查这一轮：{text}"
    summary: str = (
        "{hits} 段 · {characters} 字 · 约 {tokens} 词元 · {elapsed} ms · 搜了 {chunks} 块 · 方案 {profile}"
    )
    no_recall: str = "这一轮没有搜成记忆。"
    never_begun: str = "这条消息没有发出去，没有搜记忆。"
    silent: str = "没有查记忆：{reason}"
    silent_smalltalk: str = "这句话不是在问什么"
    silent_off: str = "自动唤起关着"
    silent_private: str = "私密会话"
    renewed: str = "发送前记忆变了：重新搜过，和预览的不一样。"
    injected_heading: str = "放进提示的原文"
    injected_none: str = "什么也没有放进提示。"
    why_heading: str = "每一段为什么来"
    passage: str = "{mark}{rank}. 条目 #{entry}，第 {segment} 段 · 得分 {score}"
    passage_joined: str = "{mark}{rank}. 条目 #{entry}，第 {segment}–{last} 段 · 得分 {score}"
    coverage: str = " · 答到 {coverage}"
    pinned: str = " · 钉住的"
    cut: str = " · 按字数截短"
    drawn: str = "估计：回答用到了它（{count} 个只有它有的词也在回答里）"
    not_drawn: str = "估计：看不出回答用到它"
    word: str = "{word}（词干 {term}）"
    term: str = "{term}  问句 {query} 次 · 出现 {tf} 次 · {df} 块有 · idf {idf} → {contribution}"
    misses_heading: str = "差一点的"
    miss: str = "条目 #{entry} 第 {segment} 段 · {score} · {rule}：{start}"
    terms_heading: str = "问句拆成的词"
    asked: str = "{term}  {count} 次 · {df} 块有 · idf {idf} · 权重 {factor}"
    keywords: str = "{terms}"
    none: str = "（没有）"
    request_heading: str = "第 {round} 次请求，照原样（记忆标了颜色；y 复制）"
    request_none: str = "没有存下这一轮的请求：离线应答不发请求，旧版本也没有存。"
    today_heading: str = "用现在的记忆再搜一遍"
    today_same: str = "和当时一样。"
    today_new: str = "＋ 条目 #{entry} 第 {segment} 段：{start}"
    today_gone: str = "－ 条目 #{entry} 第 {segment} 段：{start}"
    today_kept: str = "＝ 条目 #{entry} 第 {segment} 段"

    key_passage: str = "下一段"
    key_previous: str = "上一段"
    key_today: str = "现在再搜"
    key_without: str = "不带记忆再问"
    key_without_one: str = "不带这段再问"
    key_case: str = "记成题目"
    key_copy: str = "复制请求"
    key_close: str = "返回"
    key_scroll: str = "滚动"
    tip_today: str = "用同一个问题搜现在的记忆，看有什么不同"
    tip_without: str = "不带任何记忆再问一次，两个回答并排（不进会话）"
    tip_without_one: str = "不带选中的这一段再问一次，两个回答并排（不进会话）"
    tip_case: str = "记下“这条该来”或“这条不该来”，geekagent eval 会用"
    what_request: str = "请求"

    compare_title: str = "并排：同一个问题（不进会话）"
    compare_then: str = "当时"
    compare_without: str = "不带记忆"
    compare_without_one: str = "不带条目 #{entry} 第 {segment} 段"
    compare_waiting: str = "… 正在等待模型"
    compare_failed: str = "✗ {message}\n{hint}"
    compare_called: str = "（模型想调用工具 {names}；对照里不执行）"
    compare_empty: str = "（没有回答）"
    nothing_injected: str = "这一轮本来就没有放进记忆。"

    case_title: str = "记成题目（Enter 记下，Esc 返回）"
    case_unwanted: str = "✗ 不该来：条目 #{entry}  {start}"
    case_wanted: str = "✓ 该来：条目 #{entry}  {start}"
    case_done_wanted: str = "记下了：问这句话，条目 #{entry} 该来。"
    case_done_unwanted: str = "记下了：问这句话，条目 #{entry} 不该来。"
    case_failed: str = "没能记下题目：{reason}"
    case_nothing: str = "记忆是空的，没有可以记的。"


ZH = InspectionTexts()
