"""Messages that ask memory nothing: thanks and greetings, and "go on"."""

from __future__ import annotations

import re

from geekagent_tui.memory.lexical.folding import fold_slowly

_POLITE = """
好 好的 好吧 好啊 好呀 好滴 好嘞 行 行吧 可以 可以的 没问题 嗯 嗯嗯 嗯哼 哦 噢 喔 啊 哈 哈哈 哈哈哈 呵呵
嘿 嗨 对 对的 是 是的 没错 不 不是 不用 不用了 不客气 没事 没关系 谢谢 谢谢你 谢谢您 谢谢啦 谢了 多谢 感谢
非常感谢 辛苦 辛苦了 你好 您好 你好啊 大家好 早 早安 早上好 上午好 中午好 下午好 晚上好 晚安 再见 拜拜 回头见
知道了 我知道了 明白 明白了 懂了 了解 了解了 收到 赞 很好 太好了 不错 真棒 棒 厉害 牛 完美 加油 在吗 在么
稍等 等等 ok okay okey k kk yes yeah yep yup no nope nah sure fine
good great nice cool awesome perfect excellent wow thanks thank_you thx ty cheers many_thanks
thanks_a_lot thank_you_very_much thank_you_so_much much_appreciated hello hi hey yo hello_there hi_there
good_morning good_afternoon good_evening good_night bye goodbye see_you got_it i_see understood alright
all_right right lol haha welcome you're_welcome no_problem no_worries never_mind nevermind sorry hmm um
uh well so please
"""

_ONWARD = """
继续 请继续 继续吧 继续说 接着 接着说 接着讲 往下 往下说 然后呢 还有呢 再说说 说下去 讲下去 下一步 接下来呢
continue go_on please_continue keep_going carry_on go_ahead next and_then what_else more tell_me_more
proceed
"""


def _pattern(phrases: str) -> re.Pattern[str]:
    words = sorted((re.escape(phrase).replace("_", " ") for phrase in phrases.split()), key=len, reverse=True)
    return re.compile(rf"(?:(?:{'|'.join(words)})(?![a-z'])\s*)+")


_SMALLTALK = _pattern(_POLITE)
_GO_ON = _pattern(_ONWARD)
_SEPARATORS = re.compile(r"[^\w']+|_")


def is_smalltalk(text: str) -> bool:
    """Whether a message is nothing but politeness, or has no letter or digit at all."""
    bare = _bare(text)
    return not bare or _SMALLTALK.fullmatch(bare) is not None


def is_onward(text: str) -> bool:
    """Whether a message asks to go on, politeness around it or not."""
    bare = _bare(text)
    politeness = _SMALLTALK.match(bare)
    rests = [bare] if politeness is None else [bare, bare[politeness.end() :]]
    return any(_GO_ON.fullmatch(rest) for rest in rests)


def _bare(text: str) -> str:
    return _SEPARATORS.sub(" ", fold_slowly(text.replace("’", "'"))).strip()
