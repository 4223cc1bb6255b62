"""Texts of memory: what recall, search and the tools say, and what can be wrong with the file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryTexts:
    """What memory says. Where the model reads it too, both read the same."""

    recall_heading: str = "自动唤起 {hits} 条相关记忆（供参考）："
    search_heading: str = "找到 {hits} 条相关记忆："
    search_nothing: str = "没有找到相关记忆"
    hit: str = "{rank}. （条目 #{entry}，第 {segment} 段）{text}"
    hit_joined: str = "{rank}. （条目 #{entry}，第 {segment}–{last} 段）{text}"

    remembered: str = "已记住：{entry}"
    remembered_cut: str = "已记住（过长已截短）：{entry}"
    already_known: str = "这条记忆已经存在"
    content_missing: str = "缺少参数 content"
    write_failed: str = "没有记住：{reason}"
    read_only: str = "没有记住，记忆现在是只读的：{reason}"

    changed: str = "已改好（改动 {change}）"
    no_entry: str = "没有第 {number} 条"
    stale: str = "第 {number} 条已经不是那一条了，没有改动。现在是：{found}"
    nothing_left: str = "没有可写的内容，没有改动"
    not_undone_nothing: str = "没有可以撤销或重做的改动"
    not_undone_unknown: str = "没有改动 {change}"
    not_undone_done: str = "改动 {change} 已经撤销过了"
    not_undone_kind: str = "改动 {change} 不能撤销"
    not_undone_changed: str = "改动 {change} 写下的内容后来又被改过，没有撤销：{text}"
    not_undone_purged: str = "改动 {change} 的内容已经彻底删除，找不回来"

    list_heading: str = "长期记忆（{entries} 条）："
    list_row: str = "{number}. {entry}"
    list_empty: str = "（暂无长期记忆）"

    not_strings: str = "memory.json 必须是字符串数组"
    at_item: str = "{fault}：{path} 第 {line} 行第 {column} 列，第 {item} 项是{kind}"
    at_top: str = "{fault}：{path} 第 {line} 行第 {column} 列，最外层是{kind}"
    at_syntax: str = "{fault}：{path} 第 {line} 行第 {column} 列不是合法的 JSON（{detail}）"
    at_byte: str = "{fault}：{path} 第 {line} 行第 {column} 列，第 {byte} 个字节不是合法的 UTF-8"
    too_deep: str = "{fault}：{path} 第 {line} 行第 {column} 列，嵌套太深"
    unreadable: str = "读不了 {path}：{reason}"
    unwritable: str = "写不了 {path}：{reason}"
    unjournalled: str = (
        "记忆的修改记录用不了（{reason}）。记忆照常存下，但没有记录、不能撤销；修改和删除暂时不行。"
    )
    journal_anew: str = "记忆的修改记录坏了，原文件留在 {aside}，已重新开始记录。记忆本身没有受影响。"
    ledger_newer: str = "它是更新版本的 GeekAgent 写的，请升级程序"
    locked: str = "写不了 {path}：另一个进程占着锁超过 {seconds} 秒，稍后再试"

    kind_object: str = "对象"
    kind_array: str = "数组"
    kind_string: str = "字符串"
    kind_number: str = "数字"
    kind_boolean: str = "布尔值"
    kind_null: str = "null"

    os_permission: str = "没有权限，请检查文件和文件夹的权限"
    os_full: str = "磁盘已满，请腾出空间"
    os_read_only: str = "文件系统是只读的"
    os_folder: str = "它是一个文件夹"
    os_no_folder: str = "上级路径不是文件夹"
    os_not_regular: str = "它不是普通文件"
    os_loop: str = "符号链接绕成了圈"

    profile_unknown: str = "没有名为 {name} 的打分方案。可用的方案：{names}"


ZH = MemoryTexts()
EN = MemoryTexts(
    recall_heading="{hits} memories came to mind (for reference):",
    search_heading="{hits} memories found:",
    search_nothing="No memory found",
    hit="{rank}. (entry #{entry}, segment {segment}) {text}",
    hit_joined="{rank}. (entry #{entry}, segments {segment}–{last}) {text}",
    remembered="Remembered: {entry}",
    remembered_cut="Remembered (too long, cut): {entry}",
    already_known="This memory exists already",
    content_missing="Missing argument content",
    write_failed="Not remembered: {reason}",
    read_only="Not remembered, memory is read-only now: {reason}",
    changed="Done (change {change})",
    no_entry="There is no entry {number}",
    stale="Entry {number} is another one now, nothing was changed. It is: {found}",
    nothing_left="There is nothing to write, nothing was changed",
    not_undone_nothing="There is nothing to undo or redo",
    not_undone_unknown="There is no change {change}",
    not_undone_done="Change {change} is undone already",
    not_undone_kind="Change {change} can't be undone",
    not_undone_changed="What change {change} wrote was changed since, so it was not undone: {text}",
    not_undone_purged="What change {change} was about was removed for good",
    list_heading="Long-term memory ({entries} entries):",
    list_row="{number}. {entry}",
    list_empty="(no long-term memory yet)",
    not_strings="memory.json must be an array of strings",
    at_item="{fault}: {path} line {line} column {column}, item {item} is {kind}",
    at_top="{fault}: {path} line {line} column {column}, the outermost value is {kind}",
    at_syntax="{fault}: {path} line {line} column {column} is not valid JSON ({detail})",
    at_byte="{fault}: {path} line {line} column {column}, byte {byte} is not valid UTF-8",
    too_deep="{fault}: {path} line {line} column {column}, nested too deeply",
    unreadable="Cannot read {path}: {reason}",
    unwritable="Cannot write {path}: {reason}",
    unjournalled=(
        "The journal of memory can't be used ({reason}). What is remembered is stored all the same, but not noted and not "
        "to be undone; changing and deleting have to wait."
    ),
    journal_anew="The journal of memory was damaged; it is kept as {aside} and begun anew. Memory itself is whole.",
    ledger_newer="a newer version of GeekAgent wrote it; update the program",
    locked="Cannot write {path}: another process has held the lock for more than {seconds} s, try again later",
    kind_object="an object",
    kind_array="an array",
    kind_string="a string",
    kind_number="a number",
    kind_boolean="a boolean",
    kind_null="null",
    os_permission="permission denied, check the permissions of file and folder",
    os_full="the disk is full, make room",
    os_read_only="the file system is read-only",
    os_folder="it is a folder",
    os_no_folder="its parent is not a folder",
    os_not_regular="it is not a regular file",
    os_loop="its symbolic links go round in a circle",
    profile_unknown="There is no scoring profile named {name}. Profiles: {names}",
)
