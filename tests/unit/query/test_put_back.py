"""What is refused, and what a question put back says and offers, on the bundled market."""

import pytest

from services.query.planning.nlir import AskBack
from tests.unit.query.bundled_query import youju


def put_back(text: str, session: str | None = None) -> AskBack:
    turn = youju().query.plan(text, session).turn
    assert turn.ask_back is not None, turn.nlir
    return turn.ask_back


def is_answered(text: str) -> bool:
    return youju().query.plan(text).turn.nlir is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("我五十块买的中石油啥辰光好解套", "预测"),
        ("所以要不要上车呀蓬蓬率", "建议"),
        ("牛市还会来吗", "预测"),
        ("茅台会反弹吗", "预测"),
        ("茅台2016年年报出来之后会怎么走", "预测"),
        ("tmr buy tesla put or call", "advice"),
        ("so is it worth getting in?", "advice"),
        ("有没有啥内幕消息透露透露", "内幕"),
        ("你们内部认为海螺水泥合理估值应该是多少倍", "判断"),
        ("who will win the premier league", "not about listed companies"),
        ("我女友生日要送什么", "不是上市公司数据"),
    ],
)
def test_a_refusal_does_not_wait_for_every_word(text: str, said: str) -> None:
    assert said in put_back(text).reason


@pytest.mark.parametrize(
    "text",
    [
        "2015年那轮牛市上证指数涨了多少",
        "2016年初崩盘后上证指数怎么走的",
        "茅台2015年见顶后跌了多少",
    ],
)
def test_a_turn_of_the_market_that_is_dated_is_no_forecast(text: str) -> None:
    turn = youju().query.plan(text).turn
    assert turn.ask_back is None or "预测" not in turn.ask_back.reason


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("top 5", "by which figure"),
        ("按规模给家电企业排个座次", "规模"),
        ("涨了多少", "涨了"),
        ("股息率大于3%的蓬蓬公司", "蓬蓬"),
        # A mean is no company's: who it is of is asked, and not which it is.
        ("医药行业里市值中位数的公司是哪家", "中位数"),
    ],
)
def test_what_is_missing_is_said(text: str, said: str) -> None:
    assert said in put_back(text).reason


@pytest.mark.parametrize(
    "text",
    [
        "top 5",
        "filter > 15%",
        "按规模给家电企业排个座次",
        "华润的ROE",
        "股息率大于3%的蓬蓬公司",
        "PE",
    ],
)
def test_every_choice_can_be_asked(text: str) -> None:
    session = youju().query.plan(text).session_id
    back = youju().query.plan(text, session).turn.ask_back
    assert back is not None
    assert back.choices
    for choice in back.choices:
        again = youju().query.plan(text).session_id
        assert youju().query.plan(choice, again).turn.nlir is not None, choice


def test_a_choice_keeps_what_was_read() -> None:
    for choice in put_back("华润2015年的ROE").choices:
        assert "2015" in choice
        assert "ROE" in choice.upper()


def test_sectors_of_a_market_are_no_companies_of_it() -> None:
    """Sectors before the market they are in: which five of them, or five companies of each?"""
    found = put_back("Sectors in A shares by total market cap, top five")
    assert found.choices == (
        "the 5 with the highest combined market cap of A shares by industry",
        "the 5 highest by market cap in each industry of A shares",
    )


def test_the_plan_without_an_unread_word_is_offered() -> None:
    assert put_back("蓬蓬茅台2015年净利润").choices == ("贵州茅台的2015年净利润",)


@pytest.mark.parametrize("word", ["doubled", "Flip", "Leave", "median"])
def test_an_ordinary_word_is_nobodys_name(word: str) -> None:
    back = put_back(f"{word} zzyzx")
    assert "may be several listings" not in back.reason
    assert "is not listed here" not in back.reason


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("银行里比招行便宜的", "银行里比招行市净率低的"),
        ("招商股息率", "招商银行(600036.SH)股息率"),
    ],
)
def test_a_choice_keeps_the_set_and_the_figure_that_were_said(text: str, choice: str) -> None:
    found = put_back(text).choices
    assert choice in found
    assert all(map(is_answered, found))
