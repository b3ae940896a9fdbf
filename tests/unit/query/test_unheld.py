"""What nobody has, asked beside what is held: told first, and the rest answered; or put back."""

import pytest

from services.query.algebra.wire import query_of
from services.query.answering.answers import Answered
from services.query.planning.nlir import AskBack
from tests.unit.query.bundled_query import youju


def answered(text: str, session: str | None = None) -> Answered:
    found = youju().query.ask(text, session)
    assert isinstance(found, Answered), found
    return found


def put_back(text: str) -> AskBack:
    turn = youju().query.plan(text).turn
    assert turn.ask_back is not None, turn.nlir
    return turn.ask_back


@pytest.mark.parametrize(
    ("text", "held", "lack"),
    [
        ("贵州茅台2016年的营业收入、存货和净利润", "营业收入", "没有「存货」的数据"),
        ("五粮液的ROE、经营现金流", "净资产收益率", "没有「经营现金流」的数据"),
        ("苹果、三星、耐克的净利率", "苹果、耐克的净利率", "没有收录「三星」"),
        ("Nike's revenue, EPS and free cash flow in 2016", "revenue", "“free cash flow”"),
        ("Apple, Microsoft and Nike net margin", "net margin", "no company called “Microsoft”"),
        ("市盈率最低的10家银行，看换手率", "市盈率", "没有「换手率」的数据"),
    ],
)
def test_what_is_held_is_answered_and_what_is_not_is_told_first(
    text: str, held: str, lack: str
) -> None:
    found = answered(text)
    assert held in found.plan_words
    assert lack in found.plan_words
    first = found.text.splitlines()[0]
    assert lack in first
    assert first in found.draft.lacks  # pages and exports draw it as what is lacking
    assert len(found.text.splitlines()) > 1


def test_the_plan_carries_what_is_not_held() -> None:
    turn = youju().query.plan("贵州茅台的营业收入和存货").turn
    assert turn.plir is not None
    query = query_of(turn.plir.nodes[0])
    assert query is not None
    assert query.unheld is not None
    assert query.unheld.figures == ("存货",)
    assert len(query.show) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("存货超过10亿的银行里市盈率最低的5家", "条件"),
        ("A股换手率最高的10只", "排序"),
        ("华为和中兴通讯的营收合计", "算不全"),
        ("贵州茅台的存货比五粮液高吗", "算不出来"),
        ("三星的毛利率", "没有收录「三星」"),
        ("贵州茅台的存货", "存货"),
    ],
)
def test_what_hangs_on_it_is_put_back_and_says_so(text: str, says: str) -> None:
    assert says in put_back(text).reason


@pytest.mark.parametrize(
    "text",
    [
        "贵州茅台的扣非净利润",  # another profit, not the net profit beside something
        "BOE's free float market value",
        "比亚迪卖了多少辆车",
    ],
)
def test_a_word_that_makes_a_figure_another_one_is_no_second_figure(text: str) -> None:
    put_back(text)


def test_a_follow_up_says_it_while_the_same_is_asked() -> None:
    first = answered("贵州茅台2016年的营业收入和存货")
    same = answered("五粮液呢", first.session_id)
    assert "没有「存货」的数据" in same.text
    other = answered("毛利率呢", first.session_id)
    assert "存货" not in other.text


def test_every_choice_of_what_is_put_back_can_be_asked() -> None:
    for text in ("存货超过10亿的银行里市盈率最低的5家", "华为和中兴通讯的营收合计"):
        planned = youju().query.plan(text)
        assert planned.ask_back is not None
        assert planned.ask_back.choices
        for choice in planned.ask_back.choices:
            assert youju().query.plan(choice, planned.session_id).turn.nlir is not None, choice


@pytest.mark.parametrize(
    "text",
    ["港股里2016年净利润高于2015年的有哪些", "A股港股里2016年净利润高于2015年的有哪些"],
)
def test_a_list_without_the_reports_of_one_market_is_no_list_of_both(text: str) -> None:
    assert "币种不同" in answered(text).text


def test_what_followed_a_report_that_came_out_is_no_forecast() -> None:
    assert "不预测" not in put_back("长城汽车出2016年报以后一个月股价怎么走").reason
    assert "不预测" in put_back("茅台2016年年报出来之后会怎么走").reason


# The last day the mainland's rules allow: April 30 for the year, October 31 for nine months.
@pytest.mark.parametrize(
    ("text", "due", "choices"),
    [
        (
            "茅台出2016年报以后一个月股价怎么走",
            "2017-04-30",
            ("贵州茅台的2017-05-01至2017-05-30的区间涨跌幅",),
        ),
        (
            "茅台年报之后那一周涨了多少",
            "2017-04-30",
            ("贵州茅台的2017-05-01至2017-05-07的区间涨跌幅",),
        ),
        (
            "招行年报之后一个月涨了多少，近三年",
            "2017-04-30",
            (
                "招商银行的2015-05-01至2015-05-30的区间涨跌幅、2016-05-01至2016-05-30的区间涨跌幅、"
                "2017-05-01至2017-05-30的区间涨跌幅",
            ),
        ),
        ("茅台2016年报公布后第二天涨了多少", "2017-04-30", ("贵州茅台的2017-05-02涨跌幅",)),
        (
            "茅台三季报披露前一周跌了多少",
            "2016-10-31",
            ("贵州茅台的2016-10-24至2016-10-30的区间涨跌幅",),
        ),
        (
            "How did Moutai move in the week after its FY2015 report",
            "2016-04-30",
            ("price change from 2016-05-01 to 2016-05-07 of Kweichow Moutai",),
        ),
        ("How did Apple move in the week after its FY2015 report", "not held", ()),
        ("腾讯2016年中报之后一周涨了多少", "没有2016中报的发布日", ()),
    ],
)
def test_no_day_of_a_publication_is_guessed(text: str, due: str, choices: tuple[str, ...]) -> None:
    found = put_back(text)
    assert due in found.reason
    assert found.choices == choices
    assert all(isinstance(youju().query.ask(one), Answered) for one in choices)


def test_the_figures_of_a_report_need_no_day_of_its_publication() -> None:
    assert "发布日" not in put_back("茅台2016年报以后的净利润").reason
