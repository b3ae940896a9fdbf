"""What makes no sense is a sentence in both languages, before anything is fetched."""

from datetime import date

import pytest

from services.query.algebra import nodes as a
from services.query.algebra.types import check_query
from tests.unit.query.algebra.asked import ask

CN, HK = a.In(dim="market", values=("CN",)), a.In(dim="market", values=("HK",))
MOUTAI = a.In(dim="symbol", values=("600519.SH",))
DAYS = a.When(kind="days", first=date(2016, 1, 1), last=date(2016, 12, 31))


def figure(metric: str, **more: object) -> a.Metric:
    return a.Metric.model_validate({"id": metric, **more})


def bound(metric: str, sign: str, value: float, unit: str = "number") -> a.Compare:
    right = a.Const(value=value, unit=unit)
    return a.Compare.model_validate({"sign": sign, "left": figure(metric), "right": right})


def ratio(left: str, right: str, how: str = "div") -> a.Arith:
    return a.Arith.model_validate({"how": how, "left": figure(left), "right": figure(right)})


YEARS = a.When(kind="years", first=2013, last=2016)
WRONG: tuple[tuple[a.Query, str], ...] = (
    (
        a.Query(scope=CN, where=a.both(bound("pe_ttm", "gt", 20), bound("pe_ttm", "lt", 10))),
        "互相矛盾",
    ),
    (a.Query(scope=CN, where=a.both(bound("pb", "gt", 2), bound("pb", "le", 2))), "互相矛盾"),
    (
        a.Query(scope=CN, where=bound("market_cap", "gt", 1e9, "money:USD")),
        "是人民币；没有汇率",
    ),
    (a.Query(scope=HK, where=bound("net_profit", "gt", 1e9, "money:HKD")), "报表用各自的币种"),
    (a.Query(scope=HK, where=bound("net_profit", "gt", 1e9, "money:CNY")), "报表用各自的币种"),
    (a.Query(scope=a.either(CN, HK), where=bound("market_cap", "gt", 1e9, "money")), "币种"),
    (a.Query(scope=a.either(CN, HK), order=(a.Order(by=figure("market_cap")),)), "币种"),
    (a.Query(scope=a.both(CN, HK), show=(figure("pb"),)), "没有公司同时属于"),
    (a.Query(scope=MOUTAI, show=(ratio("eps", "revenue"),)), "没有意义"),
    (a.Query(scope=MOUTAI, show=(ratio("revenue", "pb", "add"),)), "不能相加减"),
    (a.Query(scope=MOUTAI, show=(ratio("revenue", "equity", "mul"),)), "不能相乘"),
    (
        a.Query(
            scope=CN, where=a.Compare(sign="gt", left=figure("pb"), right=figure("market_cap"))
        ),
        "不能比较",
    ),
    (a.Query(scope=CN, fold=(a.Folded(how="sum", of=figure("roe")),)), "不能相加"),
    (
        a.Query(scope=MOUTAI, show=(a.Over(how="sum", of="total_assets", window=YEARS),)),
        "不能跨期相加",
    ),
    (a.Query(scope=MOUTAI, show=(a.Over(how="max", of="pe_ttm", window=DAYS),)), "没有历史"),
    (a.Query(scope=MOUTAI, show=(figure("pe_ttm", when=YEARS),)), "没有历史"),
    (a.Query(scope=MOUTAI, show=(figure("revenue", when=DAYS),)), "报告期"),
    (a.Query(rows="years", scope=CN, show=(figure("revenue", when=a.OWN),)), "点名"),
    (a.Query(rows="events", scope=CN, window=DAYS), "什么事件"),
    (a.Query(scope=CN, group="industry"), "要算什么"),
    (
        a.Query(scope=CN, take=a.Take(count=5), fold=(a.Folded(how="mean", of=figure("pb")),)),
        "按什么排",
    ),
    (a.Query(scope=CN, show=(figure("nonsense"),)), "没有“nonsense”"),
    (
        a.Query(scope=CN, where=a.Every(window=YEARS, test=bound("net_profit", "gt", 0))),
        "各期自己",
    ),
    (a.Query(show=(figure("pb"),)), "哪些公司"),
    (
        a.Query(
            scope=MOUTAI,
            show=(a.Change(how="rate", of="roe", since=a.YEAR_BEFORE, until=a.LATEST),),
        ),
        "百分点",
    ),
)


@pytest.mark.parametrize(("query", "said"), WRONG, ids=[said for _, said in WRONG])
def test_it_is_said_and_nothing_is_fetched(query: a.Query, said: str) -> None:
    problems = check_query(query)
    assert any(said in one.zh for one in problems), problems
    assert all(one.en and not any("\u4e00" <= c <= "\u9fff" for c in one.en) for one in problems)
    asked = ask(query)
    assert asked.outcome.absent is not None
    assert said in asked.outcome.absent.zh
    assert asked.ledger.trace.tool_calls == ()


def test_what_makes_sense_passes() -> None:
    sound = a.Query(
        scope=a.both(CN, a.Not(item=MOUTAI)),
        where=a.both(bound("pe_ttm", "ge", 0), bound("pe_ttm", "lt", 10)),
        show=(ratio("market_cap", "total_shares"), ratio("net_profit", "revenue", "percent")),
        order=(a.Order(by=ratio("net_profit", "market_cap", "percent")),),
    )
    assert check_query(sound) == ()


def test_no_data_is_never_nobody() -> None:
    """Multiples of the US are not in the bundle: nobody can tell who satisfies it."""
    america = a.In(dim="market", values=("US",))
    asked = ask(a.Query(scope=america, where=bound("pb", "lt", 1), order=()))
    assert asked.outcome.absent is not None
    assert "市净率" in asked.outcome.absent.zh
    nobody = ask(a.Query(scope=CN, where=bound("pb", "lt", 0.0001)))
    assert nobody.outcome.absent is None
    assert "没有符合条件" in nobody.outcome.sentences[0].zh
