"""A turn about the times of the answer before: when a figure grew most, whether it ever fell, how
fast on the whole, when something first held; and whom a name means in a list.
"""

from datetime import date

import pandas as pd
import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import AnyOf, Ask, In, Query, Several, walk
from services.query.answering.answers import Answered
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query, reading
from tests.unit.query.bundled_query import youju


def _then(first: str, *turns: str) -> Query:
    """What the last turn means."""
    before: list[Query] = []
    for text in (first, *turns):
        found = query(text, before)
        assert isinstance(found, Query), text
        before.append(found)
    return before[-1]


@pytest.mark.parametrize(("first", "turn", "alone"), [
    ("万科2012到2016年营收", "哪年增长最快", "万科2012到2016年营收哪年增长最快"),
    ("万科2012到2016年营收", "哪年增长最慢", "万科2012到2016年营收哪年增长最慢"),
    (
        "Vanke revenue 2012 to 2016",
        "which year did it grow the most",
        "万科2012到2016年营收哪年增长最快",
    ),
    ("万科2012到2016年营收", "复合增速呢", "万科2012到2016年营收复合增速"),
    ("Vanke revenue 2012 to 2016", "and the CAGR?", "Vanke revenue CAGR 2012 to 2016"),
    ("BYD debt to assets 2016", "five yr trend", "BYD debt to assets over the last 5 years"),
    (
        "Tencent revenue and net profit 2012 to 2016",
        "yoy %",
        "Tencent revenue growth and net profit growth 2012 to 2016 by year",
    ),
])  # fmt: skip
def test_a_turn_goes_over_the_years_told(first: str, turn: str, alone: str) -> None:
    whole, went_on = query(alone), _then(first, turn)
    assert isinstance(whole, Query)
    assert (went_on.order, went_on.where, went_on.take) == (whole.order, whole.where, whole.take)
    assert whole.show[0] in went_on.show


def test_growth_is_of_the_figure_said_and_of_the_price_where_none_was() -> None:
    grown = _then("腾讯2012到2016年净利润,哪年涨得最多")
    assert grown.order == _then("腾讯2012到2016年净利润", "哪年增长最快").order
    assert grown.order != _then("腾讯哪年涨得最多").order
    # Of two figures each has its own year: nobody said which.
    assert query("腾讯2012到2016年净利润和营收,哪年涨得最多") is None


@pytest.mark.parametrize(("said", "told"), [
    ("腾讯2013到2016每年的最高价", "腾讯控股2013年至2016年逐年的当期最高价的最高值"),
    ("腾讯2013到2016年各年年末收盘价", "腾讯控股2013年至2016年逐年的收盘价"),
    ("Tencent year-end closes 2013 to 2016", "腾讯控股2013年至2016年逐年的收盘价"),
    (
        "Tencent's close at the end of each year from 2013 to 2016",
        "腾讯控股2013年至2016年逐年的收盘价",
    ),
    ("腾讯近三年每年最低收盘价", "腾讯控股最近3年逐年的当期收盘价的最低值"),
    ("腾讯2014年到2016年每年的平均收盘价", "腾讯控股2014年至2016年逐年的当期收盘价的平均值"),
    ("Tongrentang monthly closes Jan to June 2017", "同仁堂2017-01-01至2017-06-30逐月的收盘价"),
    ("腾讯2016年每个月涨跌多少", "腾讯控股2016-01-01至2016-12-31逐月的当期涨跌幅"),
    (
        "which month of 2016 did Apple fall the most",
        "苹果2016-01-01至2016-12-31逐月中当期涨跌幅最低的1个月",
    ),
    (
        "腾讯2016年哪个月成交量最大",
        "腾讯控股2016-01-01至2016-12-31逐月中当期成交量的合计最高的1个月",
    ),
])  # fmt: skip
def test_what_each_year_of_sessions_made(said: str, told: str) -> None:
    found = query(said)
    assert isinstance(found, Query)
    assert explain(found, names_in(found, names(), "zh"), "zh") == told


@pytest.mark.parametrize(("said", "windows"), [
    ("Tesla's best day and worst day in 2015", {2015}),
    ("Best and worst day for Baidu in 2016?", {2016}),
    ("best day and worst day for Baidu in 2016", {2016}),
    ("best and worst months for Tencent in 2016", {2016}),
])  # fmt: skip
def test_a_time_said_last_is_that_of_both(said: str, windows: set[int]) -> None:
    both = query(said)
    assert isinstance(both, Several)
    of = [one for one in both.queries if isinstance(one, Query)]
    assert [one.order[0].direction for one in of] == ["desc", "asc"]
    spans = {(one.window.first, one.window.last) for one in of if one.window is not None}
    assert spans == {(date(year, 1, 1), date(year, 12, 31)) for year in windows}
    assert of[0].scope == of[1].scope


@pytest.mark.parametrize("turn", ["list the top five by dividend yield", "按股息率排前五"])
def test_the_first_five_behind_industries_are_asked_about(turn: str) -> None:
    counted = _then("市盈率低于10的A股按行业数一下")
    asked = reading(turn, [counted]).answer
    assert isinstance(asked, Ask)
    listed, of_each = asked.options
    assert isinstance(listed, Query)
    assert isinstance(of_each, Query)
    assert listed.where == of_each.where == counted.where
    assert (listed.group, of_each.group) == (None, "industry")


@pytest.mark.parametrize("said", [
    "腾讯每年年底最高价",  # of its last day
    "腾讯每月净利润",
])  # fmt: skip
def test_what_no_period_of_sessions_made_is_put_back(said: str) -> None:
    assert query(said) is None


def test_the_first_of_the_days_that_were_counted() -> None:
    first = _then("腾讯收盘超过280的有几天", "第一次是什么时候")
    counted = _then("腾讯收盘超过280的有几天")
    assert first.where == counted.where
    assert (first.fold, first.take and first.take.count) == ((), 1)
    assert query("第一次是什么时候", [_then("A-share banks by PE")]) is None


@pytest.mark.parametrize(("said", "plain"), [
    (
        "On how many days in 2016 did HSI move more than 2% either way?",
        "2016年恒指涨跌超过2%的有几天",
    ),
    ("how many days did HSI rise or fall by more than 2% in 2016", "2016年恒指涨跌超过2%的有几天"),
    ("Did VIPS ever close above 20 bucks?", "how many days did VIPS close above 20 dollars"),
])  # fmt: skip
def test_days_of_either_way(said: str, plain: str) -> None:
    assert query(plain) is not None
    assert query(said) == query(plain)


def test_a_move_either_way_is_not_a_rise() -> None:
    both, rise = query("2016年恒指涨跌超过2%的有几天"), query("2016年恒指涨超过2%的有几天")
    assert isinstance(both, Query)
    assert isinstance(both.where, AnyOf)
    assert both != rise
    assert query("which days did Tencent move over 4% in 2017") != query(
        "Tencent price change in 2017 above 4%"
    )


def _gone(query: Query) -> set[str]:
    parts = [one for one in walk(query) if isinstance(one, In) and one.dim == "symbol"]
    return {value for one in parts for value in one.values}


@pytest.mark.parametrize(("first", "turn", "gone"), [
    (
        "Hong Kong casinos by market cap",
        "ex galaxy and sands, who's first",
        {"00027.HK", "01928.HK"},
    ),
    ("港股赌场按市值排", "不要银河和金沙", {"00027.HK", "01928.HK"}),
    ("HK banks by market cap", "without china merchants", {"03968.HK"}),
    ("A-share banks by PB", "drop china merchants", {"600036.SH"}),
])  # fmt: skip
def test_a_name_of_several_is_the_one_of_the_list(first: str, turn: str, gone: set[str]) -> None:
    assert _gone(_then(first, turn)) == gone


def test_without_a_list_a_name_of_several_is_asked_about() -> None:
    assert query("sands market cap") is None
    assert query("银河市值") is None


def test_how_many_of_them_counts_those_that_were_found() -> None:
    found = _then("A shares with market cap above 100bn yuan", "how many of them are banks")
    assert found.where == _then("A shares with market cap above 100bn yuan").where
    assert found != query("how many A-share banks are there")


@pytest.mark.parametrize(("turns", "told"), [
    (("万科2016年净利润", "2015年呢，涨了还是跌了"), "万科A的2015年净利润同比变化率"),
    (
        ("Vanke 2016 net profit", "how much did it grow?"),
        "2016 net profit year-on-year change of Vanke",
    ),
    (("万科2015和2016年净利润", "增长了多少"), "万科A的净利润从2015年到2016年的变化率"),
    (("万科2016年净利润", "一五年呢", "增长了多少"), "万科A的净利润从2015年到2016年的变化率"),
    (("万科2012年和2016年净利润", "涨了多少"), "万科A的净利润从2012年到2016年的变化率"),
    (("万科2016年净利润", "2012年呢", "增速呢"), "万科A的2012年净利润同比变化率"),
    (("万科2015和2016年净利润", "增长了多少", "那净利率呢"), "万科A的2016年净利率"),
    (("万科2016年净利润增速", "ROE呢"), "万科A的2016年净资产收益率"),
    (("万科2016年净利润增速", "营收呢"), "万科A的2016年营业收入同比变化率"),
    (("万科2016年净利润", "今年涨了多少"), "万科A的2017-01-01至2017-07-26的区间涨跌幅"),
    (("万科2015年净利润", "当年营收多少"), "万科A的2015年营业收入"),
])  # fmt: skip
def test_a_rise_behind_figures_of_reports_is_theirs(turns: tuple[str, ...], told: str) -> None:
    found, language = _then(*turns), "en" if told.isascii() else "zh"
    assert explain(found, names_in(found, names(), language), language) == told


@pytest.mark.parametrize(("turns", "told"), [
    (("港股市值最大的10家", "全市场市盈率中位数是多少"), "港股的市盈率(LYR)中位数"),
    (("港股市值最大的10家", "整个市场有多少家公司"), "港股有多少家"),
    (("腾讯市盈率多少", "全市场市盈率最低的5家"), "港股中市盈率(LYR)最低的5家"),
    (
        ("the 10 largest Hong Kong companies", "median P/B of the market"),
        "the median P/B (MRQ) of Hong Kong shares",
    ),
    (
        ("港股市值前十", "银行市值占全市场的比重"),
        "港股银行的总市值合计占港股的总市值合计的百分比、港股银行的总市值合计、港股的总市值合计",
    ),
    (("港股市值前十", "全部A股的市盈率中位数"), "A股的市盈率(TTM)中位数"),
    (("茅台市盈率", "全市场市盈率最低的5家"), "A股中市盈率(TTM)最低的5家"),
    (
        ("港股银行总市值占全市场的比例",),
        "港股银行的总市值合计占港股的总市值合计的百分比、港股银行的总市值合计、港股的总市值合计",
    ),
    # Sets against each other: what adds up by its total.
    (("沪市和深市哪个总市值大",), "A股沪市的总市值合计、A股深市的总市值合计"),
    (("银行和白酒谁的市值大",), "A股银行的总市值合计、A股白酒公司（主营名单）的总市值合计"),
])  # fmt: skip
def test_the_market_is_the_one_spoken_of(turns: tuple[str, ...], told: str) -> None:
    found, language = _then(*turns), "en" if told.isascii() else "zh"
    assert explain(found, names_in(found, names(), language), language) == told


def test_what_does_not_add_up_is_asked_how_it_is_counted() -> None:
    assert query("银行和白酒谁的市盈率低") is None


def test_groups_that_are_level_are_all_named() -> None:
    found = youju().query.ask("破净的股票分行业数一数，哪个行业最多", None)
    assert isinstance(found, Answered)
    assert found.verification.ok
    counts = {row.label: row.cells[0].text for row in found.draft.table.rows}  # pyright: ignore[reportOptionalMemberAccess]
    assert len(counts) > 1
    assert len(set(counts.values())) == 1
    assert all(name in found.text for name in counts)


MONTHS = "腾讯控股2016-01-01至2016-12-31逐月中当期涨跌幅"


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (("腾讯2016年哪几个月跌了",), f"{MONTHS}小于0%的"),
        (("which months of 2016 did Tencent fall",), f"{MONTHS}小于0%的"),
        (("which months did Tencent fall in 2016",), f"{MONTHS}小于0%的"),
        (("腾讯2016年股价", "哪几个月跌了"), f"{MONTHS}小于0%的"),
        (("did Tencent fall in 2016", "which months did it fall"), f"{MONTHS}小于0%的"),
        (("腾讯2016年每月涨跌幅", "有几个月是涨的"), f"{MONTHS}大于0%的有多少个月"),
        (
            ("in how many months of 2015 did Tencent fall more than 5%",),
            "腾讯控股2015-01-01至2015-12-31逐月中当期涨跌幅小于-5%的有多少个月",
        ),
        (("the best three months of 2016 for Tencent",), f"{MONTHS}最高的3个月"),
        (("2016年腾讯跌得最惨的两个月",), f"{MONTHS}最低的2个月"),
        (("腾讯2012到2016年哪几年跌了",), "腾讯控股2012年至2016年逐年中当期涨跌幅小于0%的"),
        (("腾讯有几年是跌的",), "腾讯控股历史逐年中当期涨跌幅小于0%的有多少年"),
        (("腾讯2016年哪几个季度跌了",), "腾讯控股2016一季报至2016年报逐季中当期涨跌幅小于0%的"),
        (
            ("how many quarters did Tencent rise in 2016",),
            "腾讯控股2016一季报至2016年报逐季中当期涨跌幅大于0%的有多少季",
        ),
        (("腾讯2016年哪个季度涨得最多",), "腾讯控股2016一季报至2016年报逐季中当期涨跌幅最高的1季"),
        # Of reports that were told it is no price; of a list no month is asked.
        (("腾讯近五年净利润", "哪几年下降了"), "腾讯控股最近5年逐年中净利润同比变化率小于0%的"),
        (("银行股市值前十", "哪几个月跌了"), None),
        (("银行股市值前十", "哪几年跌了"), None),
        (("腾讯连续涨了几个月",), None),
    ],
)
def test_the_months_at_which_a_price_went_so(turns: tuple[str, ...], told: str | None) -> None:
    before: list[Query] = []
    found: Query | None = None
    for turn in turns:
        meant = query(turn, before)
        assert isinstance(meant, Query) or turn == turns[-1], turn
        found = meant if isinstance(meant, Query) else None
        before += [found] if found is not None else []
    said = None if found is None else explain(found, names_in(found, names(), "zh"), "zh")
    assert said == told


def test_months_are_counted_of_what_their_sessions_made() -> None:
    own = frames().bars.query("symbol == '00700.HK'").set_index("date").close
    closes = own.groupby(pd.PeriodIndex(pd.to_datetime(own.index), freq="M")).last()
    moves = (closes / closes.shift() - 1).loc["2016-01":"2016-12"]
    found = youju().query.ask("腾讯2016年有几个月是涨的")
    assert isinstance(found, Answered)
    assert f"{int((moves > 0).sum())}个月" in found.text
    assert "能判断的是2016年1月至2016年12月各期" in found.draft.notes
