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
    not_string: str = "必须是字符串"
    not_integer: str = "必须是整数"
    not_number: str = "必须是数字"
    too_small: str = "不能小于 {ge}"
    too_large: str = "不能大于 {le}"
    not_positive: str = "必须大于 {gt}"
    too_deep: str = "括号套得太深，不像是配置"
    unreadable: str = "读不了：{reason}"
    os_not_regular: str = "它不是普通文件（是管道或设备）"
    os_folder: str = "它是一个文件夹"
    os_no_folder: str = "上级路径不是文件夹"
    os_permission: str = "没有权限"
    os_read_only: str = "文件系统是只读的"
    os_full: str = "磁盘已满"
    os_loop: str = "符号链接绕成了圈"
    os_closed: str = "它没有打开"
    folder_unusable: str = (
        "文件夹 {path} 用不了：{reason}。请检查权限，或用环境变量 GEEKAGENT_HOME 另指一个文件夹。"
    )
    root_missing: str = "root 指向的文件夹 {root} 不存在"
    dotenv_line: str = ".env 第 {line} 行（{text}）看不懂，已跳过；要写成 名字=值。"
    model_missing: str = "没有设置 OPENAI_MODEL：不知道该用哪个模型。请在 .env 里写上 OPENAI_MODEL=模型名。"
    key_missing: str = "OPENAI_BASE_URL 指向 {host}，但没有设置 OPENAI_API_KEY，先用离线应答。服务不需要密钥的话，写任意一个值。"
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
    not_string="it must be a string",
    not_integer="it must be a whole number",
    not_number="it must be a number",
    too_small="it can't be less than {ge}",
    too_large="it can't be more than {le}",
    not_positive="it must be more than {gt}",
    too_deep="nested too deep to be a configuration",
    unreadable="it can't be read: {reason}",
    os_not_regular="it is not a regular file (a pipe or a device)",
    os_folder="it is a folder",
    os_no_folder="its parent is not a folder",
    os_permission="permission denied",
    os_read_only="the file system is read-only",
    os_full="the disk is full",
    os_loop="its symbolic links go round in a circle",
    os_closed="it is not open",
    folder_unusable="The folder {path} can't be used: {reason}. Check permissions, or name another with GEEKAGENT_HOME.",
    root_missing="root names a folder that does not exist: {root}",
    dotenv_line="Line {line} of .env ({text}) makes no sense and was skipped; write NAME=value.",
    model_missing="OPENAI_MODEL is not set, so no model is named. Write OPENAI_MODEL=name into .env.",
    key_missing="OPENAI_BASE_URL names {host} but OPENAI_API_KEY is not set: offline for now. If the service needs no key, write any value.",
    instructions_cut="AGENTS.md is larger than {limit} KB; only its beginning is used.",
    from_environment="environment",
    from_dotenv=".env",
    from_user="user configuration {path}",
    from_project="{path}",
    from_default="default",
)
