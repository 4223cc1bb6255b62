"""Texts about the session database."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """What can be wrong with a session, for a person."""

    bad_name: str = "会话名 {name} 不行：只能用文字（中文也行）、数字和 - _ .，不能以 . 开头，最多 64 个字。"
    name_taken: str = "已有名为 {name} 的会话。"
    damaged: str = "会话库 {path} 坏了（{reason}），原文件留在 {aside}，已新建一个空的。长期记忆不受影响。"
    unusable: str = "会话库 {path} 打不开：{reason}。这次的对话不会保存。"
    failed: str = "会话库 {path} 读写失败：{reason}"
    newer: str = "它由更新的版本写成（格式 {version}），请升级 geekagent"
    turn_gone: str = "这个会话刚在另一个窗口里被清空或删除"
    locked: str = "另一个程序一直占着它，关掉那个程序再试"
    read_only: str = "它或它的文件夹是只读的，请检查权限"
    cant_open: str = "文件夹不存在，或没有权限"
    io_error: str = "磁盘读写出错，请检查磁盘"
    full: str = "磁盘已满，请腾出空间"
    corrupt: str = "文件坏了；把它移走，下次启动会新建一个"
    os_error: str = "{reason}，请检查文件夹的权限和磁盘空间"


ZH = SessionTexts()
EN = SessionTexts(
    bad_name="Session name {name} won't do: letters of any script, digits, - _ . (not first), 64 characters at most.",
    name_taken="There is a session named {name} already.",
    damaged="The session database {path} is damaged ({reason}); it is kept as {aside} and a new one was begun.",
    unusable="The session database {path} can't be opened: {reason}. This conversation will not be kept.",
    failed="The session database {path} could not be read or written: {reason}",
    newer="it was written by a newer version (format {version}); upgrade geekagent",
    turn_gone="another window has just reset or deleted this session",
    locked="another program holds it; close that program and try again",
    read_only="it or its folder is read-only; check permissions",
    cant_open="its folder is missing or may not be entered",
    io_error="the disk failed to read or write; check the disk",
    full="the disk is full; make room",
    corrupt="the file is damaged; move it away, the next start begins a new one",
    os_error="{reason}; check the folder's permissions and disk space",
)
