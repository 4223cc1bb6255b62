"""Words that say nothing about what a question is after. They are read in questions only, never left out of memory."""

from __future__ import annotations

import re

_ENGLISH = """
a an the and or but if then else than that this these those there here it its it's i i'm i've me my mine
we us our ours you your yours he him his she her hers they them their theirs what when where which who
whom whose why how be am is are was were been being do does did doing done have has had having can could
will would shall should may might must of to in on at by for from with as into about over under again so
just also too very s t please tell let's
"""

ENGLISH = frozenset(_ENGLISH.split())
"""Function words of English, negations and numbers left out: they change what is asked."""

_CHINESE = """
什么时候 什么 甚么 为什么 为何 因何 怎么样 怎么办 怎么 怎样 如何 多少 几个 哪个 哪些 哪里 哪儿 哪位 哪一 哪种
哪年 哪天 哪 谁 何时 何地 何处 何种 何人 吗 呢 吧 啊 嘛 请问 请 是否 能否 可否 是不是 有没有 时候 我们
你们 他们 它们 我 你 您 他 她 它 这个 那个 这些 那些 因为 所以 但是 如果 可以 已经 一个 一种 以及 或者
还是 就是 由于 对于 关于 其中 其他 某个 的 了 在 是 和 也 就 都 把 被 从 到 给 与 及 这 那 并 而 等
有 着 过 得 地 之 于 以 为 所 其 或 但 又 还 将 会 能 要 让 使 对 向 由 因 则 且 几
"""

CHINESE_WORDS = re.compile("|".join(sorted(_CHINESE.split(), key=len, reverse=True)))
"""Function words and question words of Chinese, simplified as ``folding`` leaves them."""
