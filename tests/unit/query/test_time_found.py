"""A turn that points at a time the turn before found is of that time, whatever it asks of it."""

import re

import pytest

from services.core.claims import Claim
from services.query.answering.answers import Answered
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.bundled_query import talk

HIGHEST = ("上证2015年最高收盘是哪天",)
ROSE = ("东方财富2015年哪天涨得最多",)
APPLE = ("On which day of 2015 did Apple rise the most?",)
MONTH = ("东方财富2016年哪个月涨得最多",)
YEAR = ("腾讯净利率哪年最低",)
BEST = ("In which year was Apple's net profit highest?",)

# Turns, and how the last of them is read: 2015-06-12, 2015-08-27, 2015-08-26, March 2016, 2013,
# 2015.
READ = (
    ((*HIGHEST, "第二天呢"), "上证指数的2015-06-15收盘价"),
    ((*HIGHEST, "前一天呢"), "上证指数的2015-06-11收盘价"),
    ((*HIGHEST, "那天成交量多少"), "上证指数的2015-06-12成交量"),
    ((*HIGHEST, "之后五个交易日涨了多少"), "上证指数的2015-06-15至2015-06-19的区间涨跌幅"),
    ((*HIGHEST, "之后三个月涨了多少"), "上证指数的2015-06-15至2015-09-12的区间涨跌幅"),
    ((*HIGHEST, "那之前一个月涨了多少"), "上证指数的2015-05-12至2015-06-12的区间涨跌幅"),
    ((*HIGHEST, "那个月涨了多少"), "上证指数的2015-06-01至2015-06-30的区间涨跌幅"),
    ((*HIGHEST, "那一年涨了多少"), "上证指数的2015-01-01至2015-12-31的区间涨跌幅"),
    ((*HIGHEST, "到年底涨了多少"), "上证指数的2015-06-13至2015-12-31的区间涨跌幅"),
    ((*HIGHEST, "一个月后收盘多少"), "上证指数的2015-07-12收盘价"),
    ((*HIGHEST, "那之后的最低收盘是哪天"), "上证指数2015-06-13至最新逐日中收盘价最低的1天"),
    ((*ROSE, "同一天招行涨了多少"), "招商银行的2015-08-27涨跌幅"),
    ((*ROSE, "次日成交量比那天大吗"), "东方财富的2015-08-28成交量是否大于2015-08-27成交量"),
    ((*APPLE, "And the next day?"), "2015-08-27 change % of Apple"),
    ((*APPLE, "what about the day before?"), "2015-08-25 change % of Apple"),
    ((*APPLE, "return over the next three months"), "from 2015-08-27 to 2015-11-26 of Apple"),
    ((*APPLE, "and the lowest close after that?"), "the lowest close of Apple 2015-08-27 to now"),
    ((*MONTH, "下个月呢"), "东方财富的2016-04-01至2016-04-30的区间涨跌幅"),
    ((*MONTH, "同一个月招行呢"), "招商银行的2016-03-01至2016-03-31的区间涨跌幅"),
    ((*MONTH, "之后到年底涨了多少"), "东方财富的2016-04-01至2016-12-31的区间涨跌幅"),
    ((*YEAR, "那年营收多少"), "腾讯控股的2013年营业收入"),
    ((*YEAR, "前一年呢"), "腾讯控股的2012年净利率"),
    ((*YEAR, "之后呢"), "腾讯控股2014年至最新逐年的净利率"),
    ((*YEAR, "那年股价涨了多少"), "腾讯控股的2013-01-01至2013-12-31的区间涨跌幅"),
    ((*YEAR, "同年茅台呢"), "贵州茅台的2013年净利率"),
    ((*YEAR, "比前一年高多少"), "腾讯控股的2013年净利率与2012年净利率之差"),
    ((*BEST, "the following year?"), "2016 net profit of Apple"),
    ((*BEST, "and Tencent that year?"), "2015 net profit of Tencent"),
    # Behind a time that was told, what follows it.
    (("招行2015年12月31日收盘价", "之后一个月涨了多少"), "招商银行的2016-01-04至2016-01-31的区间"),
)  # fmt: skip

# What no source has of that time, or what points at no time that was found.
PUT_BACK = (
    (*HIGHEST, "当日成交额"),
    (*ROSE, "第三天呢"),
    ("茅台2016年净利润", "第二天呢"),
    ("茅台2016年净利润", "之后一个月涨了多少"),
    ("茅台、五粮液的市盈率", "第二天呢"),
    ("恒大7月26号收盘", "前一个交易日", "当天涨了多少"),
)


@pytest.mark.parametrize(("turns", "told"), READ, ids=lambda one: "|".join(one))
def test_it_is_read_as_of_that_time(turns: tuple[str, ...], told: str) -> None:
    found = talk(*turns)
    assert isinstance(found, Answered), found.ask_back
    assert told in found.plan_words


@pytest.mark.parametrize("turns", PUT_BACK, ids="|".join)
def test_what_is_of_no_such_time_is_put_back(turns: tuple[str, ...]) -> None:
    assert not isinstance(talk(*turns), Answered)


@pytest.mark.parametrize(
    ("base", "first", "turn"),
    [
        ("招行2016年最高收盘是哪天", "max", "第二天涨了多少"),
        ("招行2016年最低收盘是哪天", "min", "第二天呢"),
    ],
)
def test_the_next_session_is_that_of_the_bars(base: str, first: str, turn: str) -> None:
    bars = frames().bars
    mine = bars[(bars.symbol == "600036.SH")].set_index("date").close.sort_index()
    year = mine[[at.year == 2016 for at in mine.index]]
    day = year.idxmax() if first == "max" else year.idxmin()
    at = list(mine.index).index(day)
    closes = (mine.iloc[at], mine.iloc[at + 1])
    expected = closes[1] if turn == "第二天呢" else (closes[1] / closes[0] - 1) * 100
    found = talk(base, turn)
    assert isinstance(found, Answered)
    told = [one.value for one in found.claims if isinstance(one, Claim)]
    assert any(abs(value - expected) < 1e-6 for value in told)


def test_a_year_whose_reports_are_not_out_is_said_so() -> None:
    found = talk("贵州茅台2017年之后每年的净利润")
    assert isinstance(found, Answered)
    assert not found.claims


# In one turn: what is found, and what is asked of that time.
BOTH = (
    ("山西汾酒哪一年利润最差？比前一年掉了多少", "2014年净利润、2013年净利润"),
    ("山西汾酒哪一年利润最差，那一年营收增长多少", "山西汾酒的2014年营业收入同比变化率"),
    ("山西汾酒哪一年利润最差，同比下降了多少", "山西汾酒的2014年净利润同比变化率"),
    ("腾讯净利率哪年最低，前一年呢", "腾讯控股的2012年净利率"),
    ("上证指数2015年哪天跌得最多，前一天跌了多少", "上证指数的2015-08-21涨跌幅"),
    ("which year was Apple's profit lowest and how much did it fall from the year before", "2012"),
    ("In which year was Apple's net profit highest, and the following year?", "2016 net profit"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told"), BOTH, ids=lambda one: one)
def test_what_is_found_and_what_is_asked_of_it_are_one_turn(text: str, told: str) -> None:
    found = talk(text)
    assert isinstance(found, Answered), found.ask_back
    first, second = re.split("[；;]", found.plan_words)
    assert re.search("最[高低]的1[年天]|(?:high|low)est", first)
    assert told in second


def test_a_time_of_its_own_is_no_time_that_was_found() -> None:
    found = talk("腾讯2016年净利润多少，比上一年多多少")
    assert isinstance(found, Answered), found.ask_back
    assert "；" not in found.plan_words
