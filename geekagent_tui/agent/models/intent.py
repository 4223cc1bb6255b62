"""What a message asks of the offline responder: to remember something, the time, or neither."""

from __future__ import annotations

import re

_POLITE = (
    r"(?:请|麻烦|劳驾|拜托|帮我|帮忙|给我|替我|你|您|能不能|可不可以|可以|能|要|好的?|那|那么|再|也|顺便|一定|务必"
    r"|嗨|喂|你好|对了|hi|hey|ok|okay|[，,、。！!\s])*"
)
_MEMORY = r"(?:你的|我的)?(?:长期|永久)?记忆(?:库)?(?:里面|里|中|当中)?"
_INTO = rf"(?:记录|记|写|存|保存|加|添加|放|录)(?:入|进|到|在|进到)?(?:去)?{_MEMORY}(?:去|吧|里去)?"
_KEEP = (
    r"(?:牢牢|好好)?记住|记下来|记下|记一下|记一记|记一笔|记着|记录一下|记录下来|记录下|存一下|牢记"
    r"|记(?:一)?(?:个|件)(?:事情|事儿|事)|备忘一下"
)
_THIS = (
    r"(?:(?:下面|以下|下列|后面|如下|这|那|这么|这样)(?:的)?(?:这|一|几|些)?"
    r"(?:段话|段文字|段|句话|句|件事情|件事|条信息|条|些话|些|个事实|个|点|内容|信息|事情|事|话|文字|东西)*"
    r"|它|内容)"
)
_AFTER = r"(?P<sep>\s*[:：]|[，,、]|\s)?\s*(?P<content>.*)"

# 记住：… / 请帮我记一下这段话：… / 写进长期记忆：… / 帮我记 …
_WRITE = re.compile(
    rf"^{_POLITE}(?:{_KEEP}|{_INTO}|(?:往|在|向|给){_MEMORY}(?:写|记|加|存|添)(?:一条|一笔|一下|入|进|下)?)"
    rf"(?:了|啊|哦|吧)?(?:{_THIS}(?=\s*[:：，,\n]))?{_AFTER}$",
    re.DOTALL | re.IGNORECASE,
)
_WRITE_FOR_ME = re.compile(
    rf"^{_POLITE}(?:帮我|替我|给我)(?:记录|记|存)(?:{_THIS}(?=\s*[:：，,\n]))?{_AFTER}$", re.DOTALL
)
# 把 X 记进长期记忆[：Y] / 把 X 记下来[：Y]
_TAKE = re.compile(
    rf"^{_POLITE}[把将](?P<what>.+?)(?:都|给我|帮我|也)?(?:{_INTO}|{_KEEP})(?:吧|哦|啊|了)?[。！!]*"
    r"(?:\s*[:：，,]\s*(?P<content>.+)|\s*\n\s*(?P<below>.+))?\s*$",
    re.DOTALL,
)
# X，请记住。/ X。把这个记进长期记忆
_BEFORE = re.compile(
    rf"^(?P<content>.+?)\s*[，。；！,.;!\n]\s*(?:请|麻烦|帮我|你|也|都|要)*(?:把)?(?:{_THIS}|上面(?:的)?(?:内容|这段话|这些)?|以上(?:内容)?)?"
    rf"(?:也|都|给我|帮我)?(?:{_INTO}|记住|记下来|记一下)(?:这个|这件事|这一点|吧|哦|啊|了)?[。！!～~\s]*$",
    re.DOTALL,
)
_PRONOUN = re.compile(rf"^(?:{_THIS}|上面(?:的)?(?:内容|话)?|以上(?:内容)?|刚才(?:的|说的)?.{{0,6}})$")

_ENGLISH_POLITE = (
    r"(?:(?:please|pls|kindly|hey|hi|ok|okay|now|just|also|always|and|can you|could you|would you|will you"
    r"|i want you to|i'd like you to|you should|let's)[,\s]+)*"
)
_ENGLISH = re.compile(
    rf"^{_ENGLISH_POLITE}(?:(?:remember|memori[sz]e|keep in mind|don't forget|do not forget"
    r"|note down|write down|take note|(?:make|take) a note)\b"
    r"|(?:save|store|add|put|write)(?: this| the following)? (?:to|in|into) (?:your |my |the )?"
    r"(?:long[- ]term )?memory\b"
    r"|note(?=\s*[:：]))(?P<that>\s+(?:of\s+)?(?:that|this|the following)\b)?(?P<sep>\s*[:：,-])?\s*(?P<content>.*)$",
    re.DOTALL | re.IGNORECASE,
)
_ENGLISH_ASKED = re.compile(r"(?:can|could|would|will) you\b", re.IGNORECASE)
_RECOLLECTION = re.compile(r"^(?:when|how|what|who|whom|where|why|which|if|me|us|the time)\b", re.IGNORECASE)

_QUESTION_START = re.compile(
    r"^(?:为什么|为何|为啥|怎么|怎样|如何|什么|啥|谁|哪|几|是否|是不是|有没有|记得|还记得|你还记得)"
)
_QUESTION_END = re.compile(r"(?:[?？]|吗|么|没有?|呢)[\s。！!~～?？]*$")
_NOT_CONTENT = re.compile(
    r"^(?:了(?:吗|么|没有?|多少|什么|哪|几)|没有?[。！!？?]*$|吗|么|什么|哪些|多少|过(?:吗|什么|没|哪)|的(?:是|内容))"
)

_TIME = re.compile(
    r"几点(?:钟)?了|现在(?:是)?(?:几点|什么时间|什么时候|时间)|(?:当前|现在的|此刻的)(?:时间|日期)|报个时"
    r"|今天(?:是)?(?:几号|几月几号|星期几|周几|礼拜几|什么日子|哪天|多少号)"
    r"|what(?:'s| is) the (?:current )?(?:time|date)|what time is it|current (?:time|date)|what day is (?:it|today)"
    r"|today's date",
    re.IGNORECASE,
)
_TIME_LIMIT = 24


def to_remember(text: str) -> str | None:
    """What the user asks to have remembered, word for word; "" when it isn't said; None when nothing is asked.

    Questions about remembering (记得…吗, 记住了吗, "do you remember …?") are questions.
    """
    text = text.strip()
    return _english(text) if text.isascii() or _ENGLISH.match(text) else _chinese(text)


def asks_time(text: str) -> bool:
    """A short question for the time or date of now."""
    found = _TIME.search(text)
    return found is not None and len(text.strip()) <= _TIME_LIMIT + len(found[0])


def _chinese(text: str) -> str | None:
    if _QUESTION_START.match(text):
        return None
    taken = _TAKE.match(text)
    if taken is not None:
        return _taken(taken, text)
    written = _WRITE.match(text) or _WRITE_FOR_ME.match(text)
    if written is not None:
        content = written["content"].strip()
        explicit = bool(written["sep"] and written["sep"].strip())
        if not explicit and (_NOT_CONTENT.match(content) or _asks(text)):
            return None
        if not (explicit or content) and _asks(text):
            return None
        return "" if _PRONOUN.match(content.rstrip("。！!")) else content
    before = _BEFORE.match(text)
    if before is not None and not _asks(text):
        return before["content"].strip()
    return None


def _taken(taken: re.Match[str], text: str) -> str | None:
    what = taken["what"].strip()
    content = (taken["content"] or taken["below"] or "").strip()
    if not content and _asks(text):
        return None
    if _PRONOUN.match(what):
        return content
    if _NOT_CONTENT.match(content) and _asks(text):
        return None
    return f"{what}：{content}" if content else what


def _english(text: str) -> str | None:
    found = _ENGLISH.match(text)
    if found is None:
        return None
    content = found["content"].strip()
    explicit = bool(found["sep"] and found["sep"].strip())
    asked = text.rstrip().endswith(("?", "？"))
    if asked and not explicit:
        if not (found["that"] and _ENGLISH_ASKED.search(text[: found.start("content")])):
            return None
        content = content.rstrip("?？ ")
    if not explicit and not found["that"] and _RECOLLECTION.match(content):
        return None
    return content


def _asks(text: str) -> bool:
    """One line that ends like a question; what follows a colon may be anything."""
    return "\n" not in text and _QUESTION_END.search(text) is not None
