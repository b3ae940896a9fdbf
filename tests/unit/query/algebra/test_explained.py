"""A query told back: every part of it is in the sentence, and two queries are not told alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.names import ShortNames
from services.query.algebra import nodes as a
from services.query.algebra.explain import explain
from services.query.algebra.wire import query_json, query_of_plan, read_query, wire_query
from services.query.planning.mapper import to_plir
from services.query.planning.plir import Plir
from tests.unit.query.algebra.made_queries import Maker
from tests.unit.query.bundled_query import metadata, youju

CN = a.In(dim="market", values=("CN",))
BANKS = a.both(CN, a.In(dim="industry", values=("银行",)))
PB, CAP, PE = a.Metric(id="pb"), a.Metric(id="market_cap"), a.Metric(id="pe_ttm")


def test_the_sentence_of_the_design() -> None:
    cheaper = a.Compare(sign="lt", left=PE, right=a.Across(how="median", of=PE, own="industry"))
    large = a.Compare(sign="gt", left=CAP, right=a.Const(value=8e10, unit="money"))
    query = a.Query(
        scope=a.both(CN, a.Not(item=a.In(dim="industry", values=("银行",)))),
        where=a.both(cheaper, large),
        order=(a.Order(by=PE, direction="asc"),),
        take=a.Take(count=3),
    )
    assert explain(query, {}) == (
        "A股（不含银行）中市盈率(TTM)小于所在行业的市盈率(TTM)中位数且总市值大于800亿元的公司，"
        "取市盈率(TTM)最低的3家"
    )
    assert explain(query, {}, "en") == (
        "the 3 lowest by P/E (TTM) of A shares (without Banks) with P/E (TTM) below the median "
        "P/E (TTM) of its industry and market cap above 80bn CNY"
    )


@pytest.mark.parametrize(
    ("scope", "zh", "en"),
    [
        (CN, "总市值大于300亿元", "market cap above 30bn CNY"),
        (a.In(dim="market", values=("HK",)), "总市值大于300亿港元", "market cap above 30bn HKD"),
        (a.In(dim="market", values=("US",)), "总市值大于300亿美元", "market cap above 30bn USD"),
        (a.In(dim="symbol", values=("03988.HK",)), "总市值大于300亿港元", "above 30bn HKD"),
        (a.In(dim="market", values=("CN", "HK")), "总市值大于300亿的", "market cap above 30bn"),
    ],
)
def test_an_amount_is_told_in_the_money_of_its_market(scope: a.Pred, zh: str, en: str) -> None:
    large = a.Compare(sign="gt", left=CAP, right=a.Const(value=3e10, unit="money"))
    query = a.Query(scope=scope, where=large)
    assert zh in explain(query, {})
    assert en in explain(query, {}, "en")
    if scope.values == ("CN", "HK"):
        assert explain(query, {}, "en").endswith("30bn")


@pytest.mark.parametrize(
    ("symbol", "zh", "en"),
    [
        ("00700.HK", "净利润大于100亿（报表币种）", "net profit above 10bn in reporting currency"),
        ("600519.SH", "净利润大于100亿元", "net profit above 10bn CNY"),
    ],
)
def test_an_amount_of_a_report_abroad_is_in_the_money_of_the_report(
    symbol: str, zh: str, en: str
) -> None:
    profit = a.Metric(id="net_profit", when=a.When(kind="own"))
    much = a.Compare(sign="gt", left=profit, right=a.Const(value=1e10, unit="money"))
    query = a.Query(rows="years", scope=a.In(dim="symbol", values=(symbol,)), where=much)
    assert zh in explain(query, {})
    assert en in explain(query, {}, "en")


def test_what_a_report_lacks_of_an_amount_is_in_the_money_of_the_report() -> None:
    revenue = a.Metric(id="revenue", when=a.When(kind="years", first=2016, last=2016))
    lacks = a.Arith(how="sub", left=a.Const(value=1e11, unit="money"), right=revenue)
    query = a.Query(scope=a.In(dim="symbol", values=("02333.HK",)), show=(lacks,))
    assert "1000亿（报表币种）" in explain(query, {})
    assert "HKD" not in explain(query, {}, "en")


def test_two_queries_are_not_told_alike() -> None:
    told: dict[str, a.Query] = {}
    for seed in range(1500):
        query = Maker(seed).query()
        for language in ("zh", "en"):
            sentence = explain(query, {}, "zh" if language == "zh" else "en")
            other = told.setdefault(sentence, query)
            assert _meaning(other) == _meaning(query), sentence


def _meaning(query: a.Query) -> str:
    """A figure shown that is also ordered or tested by, or shown twice, adds nothing to a list:
    told alike, they mean one.
    """
    seen = {one.by for one in query.order} | {
        side
        for pred in (query.where, query.check)
        for one in (a.walk(pred) if pred else ())
        if isinstance(one, a.Compare)
        for side in (one.left, one.right)
    }
    shown = tuple(dict.fromkeys(one for one in query.show if one not in seen))
    return query_json(query.model_copy(update={"show": shown}))


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_the_wire_gives_every_query_back(seed: int) -> None:
    query = Maker(seed).query()
    assert read_query(query_json(query)) == query
    wired = wire_query(query, ShortNames(), metadata())
    if wired.plir is not None:
        assert query_of_plan(wired.plir) == query
        assert wired.nlir.nodes[0].arg("algebra") == explain(query, {})


def _mapped(query: a.Query, names: ShortNames) -> Plir:
    wired = wire_query(query, names, metadata())
    assert wired.plir is None
    made = to_plir(wired.nlir, youju().names, metadata(), youju().clock)
    assert isinstance(made, Plir)
    return made


def test_a_plain_screen_is_todays_document() -> None:
    query = a.Query(
        scope=BANKS,
        where=a.both(
            a.Compare(sign="ge", left=PE, right=a.Const(value=0, unit="multiple")),
            a.Compare(sign="lt", left=PE, right=a.Const(value=10, unit="multiple")),
        ),
        order=(a.Order(by=CAP),),
        take=a.Take(count=5),
    )
    plan = _mapped(query, ShortNames())
    (node,) = plan.nodes
    assert node.action == "api_screen"
    assert node.arg("algebra") is None
    assert (node.arg("pettm"), node.arg("industry"), node.arg("size")) == ("0_10", "银行", 5)
    assert query_of_plan(plan) == query


def test_figures_of_companies_are_todays_document() -> None:
    named = ("600519.SH", "600036.SH")
    # 招商银行 is the name of two listings: of all names one sees that it needs its symbol.
    names = ShortNames({symbol: row.name for symbol, row in youju().names.known.items()})
    query = a.Query(scope=a.In(dim="symbol", values=named), show=(PE, a.Metric(id="roe")))
    plan = _mapped(query, names)
    assert {node.action for node in plan.nodes} == {"api_get_financial"}
    assert query_of_plan(plan) == query


def test_what_today_cannot_say_is_in_the_argument() -> None:
    either = a.AnyOf(
        items=(
            a.Compare(sign="lt", left=PB, right=a.Const(value=1, unit="multiple")),
            a.Compare(sign="gt", left=CAP, right=a.Const(value=1e12, unit="money")),
        )
    )
    query = a.Query(scope=BANKS, where=either)
    wired = wire_query(query, ShortNames(), metadata())
    assert wired.plir is not None
    (slot,) = wired.plir.nodes[0].args
    assert (slot.key, slot.name, slot.code) == ("algebra", "查询式", "common.query.algebra")
    assert read_query(str(slot.value)) == query


def test_spans_are_no_part_of_a_query() -> None:
    said = a.Metric(id="pb", said=((0, 3),))
    assert said == PB
    assert hash(said) == hash(PB)
    assert "said" not in query_json(a.Query(scope=CN, show=(said,)))
