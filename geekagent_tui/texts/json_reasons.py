"""What Python's json module says is wrong, in the user's language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JsonTexts:
    """The faults that JSON can have."""

    value: str = "这里应该是一个值"
    comma: str = "这里少了逗号"
    colon: str = "这里少了冒号"
    name: str = "这里应该是双引号括起来的键名"
    trailing: str = "最后一项后面不能有逗号"
    open: str = "这里的引号没有闭合"
    control: str = "字符串里有没转义的控制字符（换行要写成 \\n）"
    escape: str = "反斜杠后面的字符不对"
    unicode: str = "\\u 后面要跟四位十六进制数"
    extra: str = "后面还有多余的内容"


ZH = JsonTexts()
EN = JsonTexts(
    value="a value should stand here",
    comma="a comma is missing here",
    colon="a colon is missing here",
    name="a name in double quotes should stand here",
    trailing="no comma after the last one",
    open="this quotation mark is never closed",
    control="a control character in a string must be escaped (a line end as \\n)",
    escape="this can't follow a backslash",
    unicode="four hexadecimal digits follow \\u",
    extra="something follows the end",
)

_SAID = {
    "Expecting value": "value",
    "Expecting ',' delimiter": "comma",
    "Expecting ':' delimiter": "colon",
    "Expecting property name enclosed in double quotes": "name",
    "Illegal trailing comma before end of object": "trailing",
    "Illegal trailing comma before end of array": "trailing",
    "Unterminated string starting at": "open",
    "Invalid control character at": "control",
    "Invalid \\escape": "escape",
    "Invalid \\uXXXX escape": "unicode",
    "Extra data": "extra",
}


def json_reason(message: str, texts: JsonTexts = ZH) -> str:
    """``JSONDecodeError.msg`` for a person. What is not known stays as it is."""
    field = _SAID.get(message.rstrip(": "))
    return str(getattr(texts, field)) if field else message
