"""Steps of one sentence, and turns that go on: what was said before holds in what follows."""

from datetime import date
from itertools import product

import pytest

from services.query.algebra.explain import explain
from services.query.algebra.nodes import (
    Across,
    Arith,
    Ask,
    Change,
    Compare,
    Const,
    Folded,
    In,
    Metric,
    Order,
    OtherTool,
    Query,
    Rank,
    Several,
    Take,
    When,
    both,
)
from services.query.reading.other_tools import Served
from tests.unit.query.asking import query, reading

Q3 = date(2016, 9, 30)
CN = In(dim="market", values=("CN",))
BANKS = both(CN, In(dim="industry", values=("银行",)))
CAP, PE, PB, YIELD = (Metric(id=one) for one in ("market_cap", "pe_ttm", "pb", "dy_l"))

# A list, with one more thing said of it each time: what follows must differ for each.
LISTS = (
    "A股银行",
    "银行里市盈率小于10的",
    "银行里市净率小于1的",
    "银行里市盈率小于10且股息率大于3%的",
    "市盈率小于10的A股",
    "港股里市盈率小于10的",
    "创业板里市盈率小于10的",
    "市盈率小于10的A股，不含银行",
    "市盈率小于10的A股，不含招商银行",
    "营业收入最大的50家A股",
    "营业收入最大的50家银行",
    "营业收入最大的30家A股",
)
FOLLOWED = (
    "其中市值最大的三家",
    "有几家",
    "市值合计多少",
    "市净率中位数呢",
    "不含平安银行",
    "按总股本从高到低",
    "再要求市净率低于2",
    "分行业看看各有多少家",
)


def after(text: str, *before: str) -> Query | Several | None:
    """The query of a turn behind these."""
    known: list[Query] = []
    for one in before:
        found = query(one, known)
        assert isinstance(found, Query), one
        known.append(found)
    return query(text, known)


@pytest.mark.parametrize("turn", FOLLOWED)
def test_a_turn_behind_lists_that_differ_differs(turn: str) -> None:
    found = {text: after(turn, text) for text in LISTS}
    read = {text: one for text, one in found.items() if one is not None}
    assert len(read) > len(LISTS) // 2, found
    alike = [
        (one, other)
        for one, other in product(read, read)
        if one < other and read[one] == read[other]
    ]
    assert not alike


def test_a_condition_behind_the_first_so_many_is_of_those_alone() -> None:
    found = query("净利润排前20但股息率不到2%的有谁")
    assert isinstance(found, Query)
    assert found.first is not None
    assert found.first.take == Take(count=20)
    assert found.where == Compare(sign="lt", left=YIELD, right=Const(value=2, unit="percent"))


def test_a_condition_before_the_first_so_many_is_of_all() -> None:
    found = query("股息率不到2%的A股里净利润前20")
    assert isinstance(found, Query)
    assert found.first is None
    assert found.take == Take(count=20)


def test_groups_in_an_order_are_all_of_them() -> None:
    found = query("ROE大于15%的公司，分行业算PE中位数，从低到高")
    assert isinstance(found, Query)
    assert found.take is None
    assert found.order == (Order(fold=0, direction="asc"),)


def test_two_asks_of_one_company_are_both_answered() -> None:
    found = query("海康威视属于哪个行业，市值在同行里第几大")
    assert isinstance(found, Several)
    tool, place = found.queries
    assert tool == OtherTool(action="profile", symbols=("002415.SZ",))
    assert isinstance(place, Query)
    assert isinstance(place.show[0], Rank)


def test_an_order_before_those_who_are_named_is_of_them() -> None:
    """哪家市盈率高 alone is of all A shares; with two names behind it, of the two."""
    found = reading("哪家市盈率高，腾讯还是茅台，再看中石油和中石化的市净率哪家低").answer
    assert isinstance(found, Several)
    two, oil = (("00700.HK", "600519.SH"), ("601857.SH", "600028.SH"))
    scopes = [one.scope for one in found.queries if isinstance(one, Query)]
    assert scopes == [In(dim="symbol", values=two), In(dim="symbol", values=oil)]


def test_a_figure_and_its_place_are_one_answer() -> None:
    found = query("茅台PE多少，在行业里排第几")
    assert isinstance(found, Query)
    assert {type(one) for one in found.show} == {Rank, Metric, Across}


def test_how_many_and_their_total_are_of_the_same_companies() -> None:
    found = query("银行总共多少家，合计市值多少")
    assert found == Query(scope=BANKS, fold=(Folded(how="count"), Folded(how="sum", of=CAP)))


def test_groups_of_the_first_so_many_are_of_those_alone() -> None:
    found = query("市值前100的A股里，各行业占了几家")
    assert isinstance(found, Query)
    assert found.group == "industry"
    assert found.first is not None
    assert found.first.take == Take(count=100)


def test_bounds_that_exclude_each_other_are_put_back_in_one_sentence_too() -> None:
    assert query("PE在30以上同时又在20以下的公司") is None


def test_a_day_that_a_tool_has_no_place_for_is_no_second_question() -> None:
    assert not isinstance(reading("招行KDJ，2016-11-11那天").answer, Several | OtherTool)


def test_what_stands_beside_an_exclusion_goes_too() -> None:
    found = after("去掉银行和保险", "市值大于2000亿的A股")
    assert isinstance(found, Query)
    assert "不含银行或保险公司（主营名单）" in explain(found, {})


def test_a_group_that_came_out_is_what_its_companies_are_of() -> None:
    groups = query("A股平均股息率最高的行业")
    assert isinstance(groups, Query)
    found = query("它里面股息率前五名", [groups])
    assert found == Query(
        scope=CN,
        first=groups,
        order=(Order(by=YIELD, direction="desc"),),
        take=Take(count=5),
        show=(YIELD,),
    )


def test_a_word_that_points_at_nothing_is_put_back() -> None:
    assert query("它里面股息率前五名") is None


@pytest.mark.parametrize(
    ("text", "before", "year"),
    [
        ("那2015年呢", "2016年上证指数最大回撤", 2015),
        ("2014年呢", "招商银行2016年净利润同比", 2014),
        ("2013年的呢", "2016年ROE最高的十家银行", 2013),
    ],
)
def test_another_time_alone_is_the_same_question_of_it(text: str, before: str, year: int) -> None:
    first, found = query(before), after(text, before)
    assert isinstance(first, Query)
    assert isinstance(found, Query)
    assert found == query(before.replace("2016", str(year)))


def test_below_this_figure_is_below_the_fold_that_was_told() -> None:
    found = after("低于这个数的有哪些", "银行的市净率中位数")
    test = Compare(sign="lt", left=PB, right=Across(how="median", of=PB, within=BANKS))
    assert found == Query(scope=BANKS, where=test, show=(PB, test.right))


def test_beside_the_median_of_its_industry_is_both_figures() -> None:
    found = after("跟行业中位数比呢", "茅台PE")
    assert isinstance(found, Query)
    assert found.show == (PE, Across(how="median", of=PE, own="industry"))


def test_rows_are_the_first_of_the_list_that_was_counted_in_its_order() -> None:
    said = ("银行里市值超过300亿的列出来", "加上ROE这一列，从高到低", "剩下几家")
    found = after("前两名", *said)
    assert isinstance(found, Query)
    assert found.take == Take(count=2)
    assert found.order == (Order(by=Metric(id="roe"), direction="desc"),)


def test_the_total_of_several_is_one_figure_of_a_share() -> None:
    found = query("万科和保利地产市值加起来占房地产板块多少")
    assert isinstance(found, Query)
    share = found.show[0]
    assert isinstance(share, Arith)
    assert share.how == "percent"
    assert share.left == Across(
        how="sum", of=CAP, within=In(dim="symbol", values=("000002.SZ", "600048.SH"))
    )


@pytest.mark.parametrize("part", ["半导体", "煤炭", "电力", "水泥", "软件"])
def test_a_set_finer_than_its_source_says_so(part: str) -> None:
    for text in (f"{part}行业有没有破净的股票", f"{part}和银行的市盈率中位数"):
        put = reading(text).answer
        assert isinstance(put, Ask)  # whether the whole industry is wanted
        (found,) = put.options
        assert isinstance(found, Query)
        assert f"未细分{part}" in explain(found, {})
        assert "does not split out" in explain(found, {}, "en")


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("美的成交量", ("volume",)),
        ("茅台今天开盘价、最高价、最低价", ("open", "high", "low")),
        ("茅台pe/pb/ps", ("pe_ttm", "pb", "ps_ttm")),
        ("茅台最新一期净利润", ("net_profit",)),
    ],
)
def test_the_newest_figures_of_a_company_are_read_by_their_names(
    text: str, figures: tuple[str, ...]
) -> None:
    found = query(text)
    assert isinstance(found, Query)
    assert found.show == tuple(Metric(id=one) for one in figures)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("茅台2016年9月30日总资产", When(kind="quarters", first=Q3, last=Q3)),
        ("茅台2016年1-9月净利润", When(kind="quarters", first=Q3, last=Q3)),
        ("2015年12月31日茅台总资产", When(kind="years", first=2015, last=2015)),
        ("阿里巴巴2017财年营收", When(kind="years", first=2017, last=2017)),
    ],
)
def test_a_day_that_a_report_ends_on_is_that_report(text: str, when: When) -> None:
    found = query(text)
    assert isinstance(found, Query)
    assert isinstance(found.show[0], Metric)
    assert found.show[0].when == when


def test_a_bare_report_against_last_year_is_the_same_one_a_year_before() -> None:
    found = query("茅台三季报营收和去年比怎么样")
    assert isinstance(found, Query)
    change = found.show[0]
    assert isinstance(change, Change)
    assert isinstance(change.since.first, date)
    assert isinstance(change.until.first, date)
    assert change.until.first.year - change.since.first.year == 1
    assert change.since.first.month == change.until.first.month


@pytest.mark.parametrize(
    "text",
    ["茅台一致预期EPS", "consensus EPS forecast for Kweichow Moutai", "机构预测茅台每股收益"],
)
def test_what_analysts_expect_is_asked_as_theirs(text: str) -> None:
    found = reading(text).answer
    assert found == Served("query", ("600519.SH",), ("eps",), period="预期")


def test_a_forecast_of_ours_is_asked_of_nobody() -> None:
    assert not isinstance(reading("茅台股价预测").answer, Query | Served | Several | OtherTool)


@pytest.mark.parametrize("text", ["比亚迪A股和H股市盈率", "比亚迪H股和A股哪个市盈率低"])
def test_two_listings_of_a_company_are_both_asked(text: str) -> None:
    found = query(text)
    assert isinstance(found, Query)
    assert isinstance(found.scope, In)
    assert set(found.scope.values) == {"002594.SZ", "01211.HK"}


def test_no_list_is_made_by_quotes_of_a_few() -> None:
    assert query("成交量最大的A股") is None


# Both ends of one figure, however the second is joined to the first.
ENDS = (
    "腾讯净利率哪年最高，哪年最低",
    "腾讯净利率哪年最高哪年最低",
    "腾讯净利率哪年最高、哪年最低",
    "腾讯净利率最高的是哪年，最低的是哪年",
    "腾讯净利率最高和最低的分别是哪年",
    "which year was Tencent's net margin highest and which year was it lowest",
)


def test_both_ends_are_asked_in_many_ways() -> None:
    found = {text: query(text) for text in ENDS}
    first = found[ENDS[0]]
    assert isinstance(first, Several)
    assert [one.order[0].direction for one in first.queries if isinstance(one, Query)] == [
        "desc",
        "asc",
    ]
    assert [text for text, one in found.items() if one != first] == []
    assert query("腾讯净利率哪年最高，哪年最高") != first


def test_what_has_no_time_of_its_own_is_of_the_year_that_is_found() -> None:
    grown = query("腾讯哪年净利润最低，增长了多少")
    assert isinstance(grown, Query)
    assert grown.take == Take(count=1)
    assert [one.until for one in grown.show if isinstance(one, Change)] == [When(kind="own")]
    gap = query("万科哪年净利润最低？比2016年低多少")
    assert isinstance(gap, Query)
    sides = [(one.left, one.right) for one in gap.show if isinstance(one, Arith)]
    of_2016 = Metric(id="net_profit", when=When(kind="years", first=2016, last=2016))
    assert sides == [(Metric(id="net_profit", when=When(kind="own")), of_2016)]
