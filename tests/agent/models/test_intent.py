"""What counts as being asked to remember, and what is only a question about it."""

from __future__ import annotations

import pytest

from geekagent_tui.agent.models.intent import asks_time, to_remember


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("记住：我喜欢用 tab 缩进", "我喜欢用 tab 缩进"),
        ("记住:我喜欢用 tab 缩进", "我喜欢用 tab 缩进"),
        ("记住 我叫小李", "我叫小李"),
        ("记住，我叫小李", "我叫小李"),
        ("记住我叫小李。", "我叫小李。"),
        ("请记住：发布前先跑 make check", "发布前先跑 make check"),
        ("请你记住我叫小李", "我叫小李"),
        ("麻烦帮我记一下：周五下午三点评审", "周五下午三点评审"),
        ("记一下周五下午三点评审", "周五下午三点评审"),
        ("帮我记一下，阈值是 4000 还是 8000？定了 4000", "阈值是 4000 还是 8000？定了 4000"),
        ("记下：a：b：c", "a：b：c"),
        ("记下来 数据库端口 5433", "数据库端口 5433"),
        ("帮我记：明天交房租", "明天交房租"),
        ("帮我记明天交房租", "明天交房租"),
        ("帮我记个事：明天交房租", "明天交房租"),
        ("帮我记一件事，明天交房租", "明天交房租"),
        ("请记住下面这段话：\n第一行\n\n第二行？", "第一行\n\n第二行？"),
        ("请记住以下内容\n第一行\n第二行", "第一行\n第二行"),
        ("记住：\n  第一行\n  第二行\n", "第一行\n  第二行"),
        ("记住这件事：服务器在二楼", "服务器在二楼"),
        ("记住这个项目用 Python 3.11", "这个项目用 Python 3.11"),
        ("记住不要用 tab 缩进", "不要用 tab 缩进"),
        ("记住没有备份就不要删库", "没有备份就不要删库"),
        ("记住几个要点：先测后改", "几个要点：先测后改"),
        ("记住过去的教训", "过去的教训"),
        ("写进长期记忆：服务器在二楼", "服务器在二楼"),
        ("存到记忆里：服务器在二楼", "服务器在二楼"),
        ("往长期记忆里写一条：服务器在二楼", "服务器在二楼"),
        ("把上月的技术选型记进长期记忆：历史压缩放第五天做", "上月的技术选型：历史压缩放第五天做"),
        ("请把服务器在二楼这件事记进长期记忆", "服务器在二楼这件事"),
        ("把这段话记进长期记忆：历史压缩放第五天做", "历史压缩放第五天做"),
        ("把下面的内容写入你的长期记忆\n第一行\n第二行", "第一行\n第二行"),
        ("把会议纪要记下来：周五评审", "会议纪要：周五评审"),
        ("将服务器密码在保险柜记到长期记忆里。", "服务器密码在保险柜"),
        ("服务器在二楼，请记住。", "服务器在二楼"),
        ("我叫小李，住杭州。把这个记进长期记忆", "我叫小李，住杭州"),
        ("remember that my dog is called Rex", "my dog is called Rex"),
        ("Remember: deploy on Fridays is forbidden", "deploy on Fridays is forbidden"),
        ("Please remember that the port is 5433.", "the port is 5433."),
        ("please, remember the port is 5433", "the port is 5433"),
        ("Could you remember that the port is 5433?", "the port is 5433"),
        ("Remember this: what is the port? 5433", "what is the port? 5433"),
        ("remember:\nline one\nline two", "line one\nline two"),
        ("Make a note that the port is 5433", "the port is 5433"),
        ("save to memory: the port is 5433", "the port is 5433"),
        ("Add to your long-term memory that I use vim", "I use vim"),
        ("remember that 我住杭州", "我住杭州"),
        ("记住：" + "长" * 900, "长" * 900),
        ("记住", ""),
        ("请记住：", ""),
        ("把这段话记进长期记忆", ""),
        ("remember", ""),
    ],
)
def test_asked_to_remember(text: str, content: str) -> None:
    assert to_remember(text) == content


@pytest.mark.parametrize(
    "text",
    [
        *("记得我叫什么吗", "你还记得我住哪里？", "还记得上次的决定吗？", "记得那个阈值是多少"),
        *("记住了吗", "记住了吗？", "你记住了没有？", "你记住了什么", "都记住了？", "你记住我的名字了吗？"),
        *("你能记住多少东西？", "能记住我说的话吗？", "把它记进长期记忆了吗？", "怎么把一句话写进长期记忆？"),
        *(
            "如何记住快捷键",
            "为什么把历史压缩放在第五天做，阈值是多少？",
            "长期记忆存在哪个文件",
            "我记住了你的建议",
        ),
        *(
            "他让我记住密码",
            "do you remember my name?",
            "Do you remember that port",
            "can you remember my name?",
        ),
        *("remember when we met", "remember me?", "I remember that the port is 5433", "what do you remember"),
        *("note the difference between a and b", "", "   ", "你好", "记者今天来了", "登记一下访客"),
    ],
)
def test_not_asked_to_remember(text: str) -> None:
    assert to_remember(text) is None


def test_a_long_text_is_decided_quickly() -> None:
    """No pattern may need more than linear time on what a person could paste."""
    assert to_remember("请" * 5_000 + "好") is None
    assert to_remember("把" + "这那，" * 5_000) is None
    assert to_remember("a，" * 5_000 + "?") is None


@pytest.mark.parametrize(
    "text",
    [
        "几点了",
        "现在几点？",
        "现在是什么时间",
        "请问今天星期几",
        "What time is it?",
        "what's the date",
        "今天几号了",
    ],
)
def test_asked_for_the_time(text: str) -> None:
    assert asks_time(text)


@pytest.mark.parametrize("text", ["我们几点开会", "上次评审是什么时间", "it is time to go", "今天做了几件事"])
def test_not_asked_for_the_time(text: str) -> None:
    assert not asks_time(text)
