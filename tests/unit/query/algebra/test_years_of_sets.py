"""A year of a whole market: what reports say, and what the multiple of that very year implies."""

import math

import pytest

from services.core.claims import Claim
from services.query.algebra.nodes import AllOf, Folded, In, Loss, Metric, Order, Query, Take, When
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query

CN = In(dim="market", values=("CN",))
BANKS = AllOf(items=(CN, In(dim="industry", values=("银行",))))


def _year(year: int) -> When:
    return When(kind="years", first=year, last=year)


def _profit(year: int) -> Metric:
    return Metric(id="net_profit", when=_year(year))


def test_the_last_fiscal_year_is_that_of_its_multiple() -> None:
    asked = ask(Query(scope=BANKS, fold=(Folded(how="sum", of=_profit(2016)),)))
    banks = frames().companies.query("market == 'CN' and industry == '银行'")
    reported = {"600036.SH": banks.loc["600036.SH", "net_profit@2016"]}
    implied = (banks.market_cap / banks.pe_lyr).drop(index="600036.SH")
    wanted = implied.sum() + sum(reported.values())
    figure = asked.outcome.rows[-1].figures["fold_1"]
    assert asked.failures == ()
    assert isinstance(figure, Claim)
    assert math.isclose(figure.value, wanted, rel_tol=1e-9)
    assert any("推算" in one.zh for one in asked.outcome.notes)
    assert any("estimated" in one.en for one in asked.outcome.notes)


def test_a_row_of_it_says_that_it_is_estimated() -> None:
    by = _profit(2016)
    asked = ask(Query(scope=CN, order=(Order(by=by),), take=Take(count=3), show=(by,)))
    assert asked.failures == ()
    assert "推算" in asked.outcome.sentences[0].zh
    assert "estimated" in asked.outcome.sentences[0].en


@pytest.mark.parametrize("year", [2015, 2017])
def test_no_other_year_is_implied(year: int) -> None:
    known = frames().companies.query("market == 'CN'").get(f"net_profit@{year}")
    asked = ask(Query(scope=CN, fold=(Folded(how="count", of=_profit(year)),)))
    assert asked.failures == ()
    figures = [row.figures["fold_1"] for row in asked.outcome.rows]
    counts = [one.value for one in figures if isinstance(one, Claim)]
    assert counts == [known.notna().sum() if known is not None else 0]


def test_a_loss_of_the_last_year_is_told_by_the_multiple_that_is_missing() -> None:
    asked = ask(
        Query(scope=CN, where=Loss(of="pe_lyr", when=_year(2016)), fold=(Folded(how="count"),))
    )
    table = frames().companies.query("market == 'CN'")
    profit = table["net_profit@2016"]
    lost = (profit < 0) | (profit.isna() & table.pe_lyr.isna() & (table.market_cap > 0))
    figure = asked.outcome.rows[-1].figures["fold_1"]
    assert asked.failures == ()
    assert isinstance(figure, Claim)
    assert figure.value == lost.sum()


def test_of_an_earlier_year_only_reports_tell_a_loss() -> None:
    asked = ask(Query(scope=CN, where=Loss(of="pe_lyr", when=_year(2015))))
    table = frames().companies.query("market == 'CN'")
    assert [one for one in table["net_profit@2015"].dropna() if one < 0] == []
    assert asked.outcome.rows == ()
    assert "可判断" in asked.outcome.sentences[0].zh


@pytest.mark.parametrize(
    "text",
    [
        "2016年亏损的A股有几家",
        "2016年净利润为负的A股有几家",
        "how many A shares made a loss in 2016",
    ],
)
def test_a_loss_of_a_year_is_one_however_it_is_said(text: str) -> None:
    found = query(text)
    assert isinstance(found, Query)
    assert found.where == Loss(of="pe_lyr", when=_year(2016))
