"""Texts about configuration and the project folder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingsTexts:
    """What can be wrong with a configuration file, and where a value came from."""

    problem: str = "{path}：{where}{reason}。{todo}"
    at_line: str = "第 {line} 行第 {column} 列，"
    at_field: str = "字段 {field}，"
    todo_config: str = "请改好后再启动；权限不会被悄悄放宽。删掉这个文件会按默认值重新生成"
    todo_user: str = "请改好或删掉这个文件后再启动"
    not_json: str = "不是合法的 JSON（{reason}）"
    not_object: str = "必须是一个 JSON 对象"
    not_utf8: str = "不是 UTF-8 编码（第 {position} 个字节）"
    duplicate: str = "键 {key} 出现了两次"
    unknown_field: str = "没有这个字段；可用的字段：{fields}"
    bad_policy: str = "必须是 allow、ask 或 deny"
    bad_value: str = "{reason}"
    unreadable: str = "读不了：{reason}"
    folder_unusable: str = (
        "文件夹 {path} 用不了：{reason}。请检查权限，或用环境变量 GEEKAGENT_HOME 另指一个文件夹。"
    )
    root_missing: str = "root 指向的文件夹 {root} 不存在"
    dotenv_line: str = ".env 第 {line} 行看不懂，已跳过：{text}"
    instructions_cut: str = "AGENTS.md 超过 {limit} KB，只用了开头部分。"
    from_environment: str = "环境变量"
    from_dotenv: str = ".env"
    from_user: str = "用户配置 {path}"
    from_project: str = "{path}"
    from_default: str = "默认值"


ZH = SettingsTexts()
EN = SettingsTexts(
    problem="{path}: {where}{reason}. {todo}",
    at_line="line {line} column {column}, ",
    at_field="field {field}, ",
    todo_config="Mend it and start again; permissions are never loosened silently. Without the file, defaults are written",
    todo_user="Mend or delete the file and start again",
    not_json="not valid JSON ({reason})",
    not_object="it must be a JSON object",
    not_utf8="not UTF-8 (byte {position})",
    duplicate="key {key} stands there twice",
    unknown_field="there is no such field; fields: {fields}",
    bad_policy="it must be allow, ask or deny",
    bad_value="{reason}",
    unreadable="it can't be read: {reason}",
    folder_unusable="The folder {path} can't be used: {reason}. Check permissions, or name another with GEEKAGENT_HOME.",
    root_missing="root names a folder that does not exist: {root}",
    dotenv_line="Line {line} of .env makes no sense and was skipped: {text}",
    instructions_cut="AGENTS.md is larger than {limit} KB; only its beginning is used.",
    from_environment="environment",
    from_dotenv=".env",
    from_user="user configuration {path}",
    from_project="{path}",
    from_default="default",
)
