"""Texts about the session database."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionTexts:
    """What can be wrong with a session, for a person."""

    bad_name: str = "会话名 {name} 不行：只能用英文字母、数字、- 和 _，1 到 64 个字符。"
    name_taken: str = "已有名为 {name} 的会话。"
    damaged: str = "会话库 {path} 坏了（{reason}），原文件留在 {aside}，已新建一个空的。长期记忆不受影响。"
    unusable: str = "会话库 {path} 打不开：{reason}。请检查文件夹的权限和磁盘空间。"
    failed: str = "会话库 {path} 读写失败：{reason}"
    newer: str = "它由更新的版本写成（格式 {version}），请升级 geekagent"


ZH = SessionTexts()
EN = SessionTexts(
    bad_name="Session name {name} won't do: letters, digits, - and _, 1 to 64 characters.",
    name_taken="There is a session named {name} already.",
    damaged="The session database {path} is damaged ({reason}); it is kept as {aside} and a new one was begun.",
    unusable="The session database {path} can't be opened: {reason}. Check permissions and disk space.",
    failed="The session database {path} could not be read or written: {reason}",
    newer="it was written by a newer version (format {version}); upgrade geekagent",
)
