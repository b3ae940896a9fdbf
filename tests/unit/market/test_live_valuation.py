"""One company from a live source: what the source gives wins, the rest is derived or said."""

from datetime import date

import pytest

from services.core.claims import Claim, DerivedCite, Figure, Missing, ToolCite
from services.core.requests import ValuationRequest
from services.core.trace import Fact
from services.market.valuation import ALL, IN_SESSION, TWO_CURRENCIES, valuation_figures
from tests.unit.market.live_answers import Sources, answered, fact

STOCK, TENCENT, APPLE = "600519.SH", "00700.HK", "AAPL"
CAP = fact(STOCK, "market_cap", 1.8e12, "CNY")
SHARES = fact(STOCK, "total_shares", 1.2e9, "shares")


def figures(*facts: Fact, others: tuple[Fact, ...] = ()) -> dict[str, Figure]:
    second = [answered(others, provider="xueqiu")] if others else []
    sources = Sources(second, valuation=answered(facts))
    symbol = facts[0].symbol
    answer = sources.ledger.fetch(ValuationRequest(symbol=symbol))
    found = dict(valuation_figures(sources.ledger, answer, symbol))
    sources.check()
    return found


def claim(figure: Figure) -> Claim:
    assert isinstance(figure, Claim), figure
    return figure


def reason(figure: Figure) -> str:
    assert isinstance(figure, Missing), figure
    return figure.reason


@pytest.mark.parametrize(
    ("metric", "value", "unit"),
    [
        ("dy_l", 3.43, "percent"),
        ("roe", 26.1, "percent"),
        ("net_profit", 8.6e10, "CNY"),
        ("revenue", 1.7e11, "CNY"),
        ("pct_change", 0.15, "percent"),
        ("close", 1502.3, "CNY"),
    ],
)
def test_what_the_source_gives_wins_over_what_could_be_derived(
    metric: str, value: float, unit: str
) -> None:
    # Derivable from these: price 1500, net profit 9e10, revenue 1.8e11, ROE 40, yield 2 %.
    found = figures(
        CAP,
        SHARES,
        fact(STOCK, "pe_lyr", 20.0, "multiple"),
        fact(STOCK, "pb", 8.0, "multiple"),
        fact(STOCK, "ps_ttm", 10.0, "multiple"),
        fact(STOCK, "dps", 30.0, "CNY/share"),
        fact(STOCK, metric, value, unit),
    )
    assert claim(found[metric]).value == value
    assert isinstance(claim(found[metric]).cite, ToolCite)


def test_a_hong_kong_company_is_derived_from_what_its_source_gives() -> None:
    # 6e12 HKD / 24 = 2.5e11 HKD; 5 / 24 * 100 = 20.8333… %
    found = figures(
        fact(TENCENT, "market_cap", 6e12, "HKD"),
        fact(TENCENT, "pe_lyr", 24.0, "multiple"),
        fact(TENCENT, "pb", 5.0, "multiple"),
        fact(TENCENT, "dy_l", 0.7, "percent"),
    )
    assert claim(found["net_profit"]).value == 2.5e11
    assert claim(found["net_profit"]).unit == "HKD"
    assert claim(found["net_profit"]).period is None
    assert claim(found["roe"]).value == pytest.approx(20.8333, abs=1e-4)
    assert claim(found["dy_l"]).value == 0.7


def test_an_american_company_has_the_figures_its_source_gives() -> None:
    found = figures(
        fact(APPLE, "market_cap", 4e12, "USD"),
        fact(APPLE, "pe_ttm", 33.0, "multiple"),
        fact(APPLE, "close", 270.0, "USD"),
    )
    assert claim(found["pe_ttm"]).value == 33.0
    assert claim(found["close"]).value == 270.0


@pytest.mark.parametrize("symbol", [STOCK, TENCENT, APPLE])
def test_no_reason_of_a_live_source_speaks_of_the_snapshot_or_of_its_tables(symbol: str) -> None:
    found = figures(fact(symbol, "amplitude", 1.0, "percent"))
    reasons = [reason(found[metric]) for metric in ALL if metric != "amplitude"]
    for said in reasons:
        assert "快照" not in str(said)
        assert "snapshot" not in said
        assert "港股来源" not in said
        assert "年报数据" not in said


def test_a_dividend_in_another_currency_than_the_price_makes_no_yield() -> None:
    found = figures(
        fact(TENCENT, "market_cap", 6e12, "HKD"),
        fact(TENCENT, "close", 640.0, "HKD"),
        fact(TENCENT, "dps", 4.5, "CNY/share"),
    )
    assert reason(found["dy_l"]) == TWO_CURRENCIES


def test_a_dividend_in_the_currency_of_the_price_makes_one() -> None:
    # 6.4 / 640 * 100 = 1 %
    found = figures(
        fact(TENCENT, "market_cap", 6e12, "HKD"),
        fact(TENCENT, "close", 640.0, "HKD"),
        fact(TENCENT, "dps", 6.4, "HKD/share"),
    )
    assert claim(found["dy_l"]).value == pytest.approx(1.0)


def test_a_close_of_another_day_than_the_market_value_does_not_stand_for_that_day() -> None:
    # 1.8e12 / 1.2e9 = 1500, of the day of the market value
    found = figures(CAP, SHARES, fact(STOCK, "close", 1490.0, "CNY", as_of=date(2026, 11, 19)))
    assert claim(found["price_implied"]).value == 1500.0
    assert isinstance(claim(found["price_implied"]).cite, DerivedCite)
    assert found["price"] == found["price_implied"]
    assert (claim(found["close"]).value, claim(found["close"]).as_of) == (
        1490.0,
        date(2026, 11, 19),
    )


def test_a_live_price_is_never_called_a_close() -> None:
    found = figures(CAP, SHARES, fact(STOCK, "current_price", 1502.3, "CNY"))
    assert reason(found["close"]) == IN_SESSION
    assert claim(found["current_price"]).value == 1502.3


def test_another_source_fills_in_what_the_first_does_not_give_and_nothing_else() -> None:
    found = figures(
        CAP,
        fact(STOCK, "pe_ttm", 20.9, "multiple"),
        others=(
            fact(STOCK, "dy_l", 3.43, "percent"),
            fact(STOCK, "pe_ttm", 21.5, "multiple"),
        ),
    )
    yielded, multiple = claim(found["dy_l"]), claim(found["pe_ttm"])
    assert isinstance(yielded.cite, ToolCite)
    assert (yielded.value, yielded.cite.served_by) == (3.43, "xueqiu")
    assert multiple.value == 20.9


def test_no_figure_is_derived_across_two_sources() -> None:
    found = figures(CAP, others=(fact(STOCK, "total_shares", 1.2e9, "shares"),))
    assert isinstance(found["price_implied"], Missing)
    assert claim(found["total_shares"]).value == 1.2e9


@pytest.mark.parametrize(("given", "word"), [((), "来源未给出"), ((20.0,), "亏损")])
def test_only_what_the_source_gives_of_others_is_called_a_loss(
    given: tuple[float, ...], word: str
) -> None:
    other = "000858.SZ"
    rows = [CAP, fact(other, "market_cap", 5e11, "CNY")]
    rows += [fact(other, "pe_lyr", value, "multiple") for value in given]
    assert str(reason(figures(*rows)["pe_lyr"])).startswith(word)
