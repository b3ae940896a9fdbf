"""Turns behind the days at which something held, or how many there were; the counts are taken from
the bars by hand.
"""

from collections.abc import Callable, Sequence

import pandas as pd
import pytest

from services.core.claims import Claim
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query

RISES = "科大讯飞2015年单日涨幅超过5%的有几天"
ABOVE = "2016年上证指数收在3000点上面的有多少天"


def last_of(turns: Sequence[str]) -> Query:
    """The query of the last turn."""
    before: list[Query] = []
    for turn in turns:
        found = query(turn, before)
        assert isinstance(found, Query), turn
        before.append(found)
    return before[-1]


def told(turns: Sequence[str]) -> str:
    """What the last turn is told to mean."""
    language = "en" if turns[0].isascii() else "zh"
    found = last_of(turns)
    return explain(found, names_in(found, names(), language), language)


def closes(symbol: str, year: int) -> tuple[pd.Series, pd.Series]:
    """The closes of a year, and their changes from the close before, in per cent."""
    bars = frames().bars
    mine = bars[bars.symbol == symbol].set_index("date").close.sort_index()
    mine.index = pd.to_datetime(mine.index)
    moved = mine.pct_change() * 100
    of_year = mine.index.year == year
    return mine[of_year], moved[of_year]


def count(symbol: str, year: int, held: Callable[[pd.Series, pd.Series], pd.Series]) -> int:
    return int(held(*closes(symbol, year)).sum())


# No bar of these is lost in the years asked about.
@pytest.mark.parametrize(
    ("turns", "symbol", "year", "held"),
    [
        ((RISES, "跌超5%的呢"), "002230.SZ", 2015, lambda _, m: m < -5),
        ((RISES, "超过9%的呢"), "002230.SZ", 2015, lambda _, m: m > 9),
        ((RISES, "跌超5%的呢", "超过9%的呢"), "002230.SZ", 2015, lambda _, m: m < -9),
        ((RISES, "东方财富呢"), "300059.SZ", 2015, lambda _, m: m > 5),
        ((ABOVE, "15年呢"), "000001.SH", 2015, lambda c, _: c > 3000),
        ((ABOVE, "15年呢", "5000点以上的呢"), "000001.SH", 2015, lambda c, _: c >= 5000),
        (("上证2015年收盘站上5000点一共几天？",), "000001.SH", 2015, lambda c, _: c > 5000),
        (("How often did Tencent rise in 2016", "and fall?"), "00700.HK", 2016, lambda _, m: m < 0),
        (("腾讯2016年上涨的有多少天", "下跌的呢"), "00700.HK", 2016, lambda _, m: m < 0),
        (
            ("Highest and lowest close for Tesla in 2014?", "how many days above 250 in total?"),
            "TSLA", 2014, lambda c, _: c > 250,
        ),
        (
            ("How many days did Tesla close above 250 in 2014?", "between 200 and 210?"),
            "TSLA", 2014, lambda c, _: (c >= 200) & (c <= 210),
        ),
    ],
)  # fmt: skip
def test_another_bound_year_or_direction(
    turns: Sequence[str],
    symbol: str,
    year: int,
    held: Callable[[pd.Series, pd.Series], pd.Series],
) -> None:
    (row,) = ask(last_of(turns)).outcome.rows
    (figure,) = row.figures.values()
    assert isinstance(figure, Claim)
    assert figure.value == count(symbol, year, held) > 0


_UP = "科大讯飞2015-01-01至2015-12-31逐日中涨跌幅大于5%的"


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ((RISES, "哪几天"), _UP),
        ((RISES, "有哪些"), _UP),
        ((RISES, "哪几天", "一共几天"), f"{_UP}有多少天"),
        ((RISES, "第一次是哪天"), f"{_UP}中取前1天"),
        ((RISES, "2016年第一次是哪天"), f"{_UP.replace('2015-', '2016-')}中取前1天"),
        ((RISES, "次年呢"), f"{_UP.replace('2015-', '2016-')}有多少天"),
        ((RISES, "东方财富2016年呢"), f"东方财富{_UP[4:].replace('2015-', '2016-')}有多少天"),
        (
            (RISES, "涨幅在1%到2%之间的呢"),
            "科大讯飞2015-01-01至2015-12-31逐日中涨跌幅不低于1%且不超过2%的有多少天",
        ),
        (
            ("招行2016年有几个月是涨的", "跌的呢", "哪几个月"),
            "招商银行2016-01-01至2016-12-31逐月中当期涨跌幅小于0%的",
        ),
        (
            ("万科有几年净利润超过100亿", "超过150亿呢"),
            "万科A历史逐年中净利润大于150亿元的有多少年",
        ),
        (
            ("腾讯净利润下降过几次", "营收呢"),
            "腾讯控股历史逐年中营业收入同比变化率小于0%的有多少年",
        ),
        # Companies are asked for: no days are.
        ((RISES, "跌超5%的有哪些公司"), "A股中涨跌幅小于-5%的公司"),
        # How far it went is no count.
        ((RISES, "全年涨了多少"), "科大讯飞的2015-01-01至2015-12-31的区间涨跌幅"),
    ],
)
def test_they_go_on_as_a_list(turns: Sequence[str], said: str) -> None:
    assert told(turns) == said


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (("科大讯飞2015年涨了多少", "次年呢"), "科大讯飞的2016-01-01至2016-12-31的区间涨跌幅"),
        (("腾讯2016年1月涨了多少", "前一年呢"), "腾讯控股的2015-01-01至2015-01-31的区间涨跌幅"),
        (
            ("恒指和上证2014年谁涨得多", "上证那年最大单日跌幅是哪天"),
            "上证指数2014-01-01至2014-12-31逐日中涨跌幅最低的1天",
        ),
        (
            ("How did Evergrande's stock do in 2016", "biggest one day jump?"),
            "the day with the highest change % of Evergrande 2016-01-01 to 2016-12-31",
        ),
        (
            ("招行2015年最大回撤多少", "比亚迪呢", "谁跌得狠"),
            "招商银行、比亚迪，按2015-01-01至2015-12-31收盘价的最大回撤从低到高",
        ),
        (
            ("山西汾酒2016年净利润", "那股价呢，跟2012年底比"),
            "山西汾酒的(最近收盘与2012-12-31收盘价之差)占2012-12-31收盘价的百分比、最近收盘、"
            "2012-12-31收盘价",
        ),
        (
            ("腾讯2016年最高收盘价", "恒指2016年呢"),
            "恒生指数的2016-01-01至2016-12-31收盘价的最高值",
        ),
        (
            ("山西汾酒净利润12年到16年", "营收跟2012年比", "那净利润跟2013年比"),
            "山西汾酒的净利润从2013年到最新的变化率、净利润、2013年净利润",
        ),
        (("腾讯2016年涨了多少", "比恒指强多少"), told(("腾讯2016年涨了多少", "比恒指高多少"))),
    ],
)
def test_moves_go_on(turns: Sequence[str], said: str) -> None:
    assert told(turns) == said


@pytest.mark.parametrize(
    "turns",
    [
        ("腾讯今年涨了多少", "前一年呢"),  # so far, or the whole of it
        ("招行市盈率", "比浦发银行强多少"),  # nobody knows which way a multiple is better
        ("市值最大的五家银行", "跌停的呢"),
        (RISES, "跌超5%涨超5%的呢"),
    ],
)
def test_what_nobody_can_tell_is_put_back(turns: Sequence[str]) -> None:
    assert query(turns[-1], [last_of(turns[:-1])]) is None


def test_days_behind_a_lost_bar_are_told() -> None:
    """03333 has no bar of 2015-05-28: nobody knows how far it went on 2015-05-29."""
    asked = query("恒大2015年5月哪天跌得最多")
    assert isinstance(asked, Query)
    notes = [one.zh for one in ask(asked).outcome.notes]
    assert any("2015-05-29" in one and "无从判断" in one for one in notes)
