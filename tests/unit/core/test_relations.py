"""Right arithmetic on inputs that do not belong together is refused (figures by hand)."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from services.core.claims import Claim
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.trace import Fact
from services.core.verifier import verify
from tests.unit.core import samples

END = date(2016, 12, 31)
CASES: dict[str, tuple[str, str, Sequence[Fact], str]] = {
    "a margin of this year's revenue and last year's profit": (
        "net_margin",
        "net_profit / revenue * 100",
        (
            samples.fact("net_profit", 28e8, "CNY", as_of=date(2015, 12, 31), period="2015_Q4"),
            samples.fact("revenue", 1034e8, "CNY", as_of=END, period="2016_Q4"),
        ),
        "period_equal",
    ),
    "growth against two years before": (
        "revenue_yoy",
        "(revenue / previous - 1) * 100",
        (
            samples.fact("revenue", 1034e8, "CNY", as_of=END, period="2016_Q4"),
            samples.fact("revenue", 582e8, "CNY", as_of=date(2014, 12, 31), period="2014_Q4"),
        ),
        "period_equal",
    ),
    "growth of one currency against another": (
        "revenue_yoy",
        "(revenue / previous - 1) * 100",
        (
            samples.fact("revenue", 1034e8, "CNY", as_of=END, period="2016_Q4"),
            samples.fact("revenue", 800e8, "HKD", as_of=date(2015, 12, 31), period="2015_Q4"),
        ),
        "unit_equal",
    ),
    "a yield of yuan on Hong Kong dollars": (
        "dy_l",
        "dps / close * 100",
        (
            samples.fact("dps", 0.5, "CNY/share", as_of=END, period="2016_Q4"),
            samples.fact("close", 50.0, "HKD"),
        ),
        "unit_equal",
    ),
    "profit from a market value and a multiple of two days": (
        "net_profit",
        "market_cap / pe_lyr",
        (
            samples.fact("market_cap", 565e9, "CNY"),
            samples.fact("pe_lyr", 30.0, "multiple", as_of=date(2017, 4, 3), period="LYR_2016"),
        ),
        "as_of_equal",
    ),
    "a run that starts after it ends": (
        "run_change",
        "(last / first - 1) * 100",
        (
            samples.fact("close", 10.0, "CNY", as_of=date(2017, 7, 20)),
            samples.fact("close", 12.0, "CNY", as_of=date(2017, 7, 24)),
        ),
        "as_of_equal",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_inputs_that_do_not_belong_together_are_refused(name: str) -> None:
    metric, expression, rows, check = CASES[name]
    assert _checks(metric, expression, rows, (0, 1)) == [check]


# 450.2 → 449.5 is a day; 445.0 → 449.5 leaves out 07-24.
@pytest.mark.parametrize(("places", "checks"), [((0, 1), []), ((0, 2), ["as_of_equal"])])
def test_a_day_change_is_against_the_session_before(
    places: tuple[int, int], checks: list[str]
) -> None:
    found = _checks("pct_change", "(close / previous - 1) * 100", samples.BARS, places)
    assert found == checks


def test_three_deviations_must_be_of_sessions_in_a_row() -> None:
    ledger, days = _two_series(5)
    changes = [_deviation(ledger, days, place) for place in range(1, 5)]
    formula = formula_for("cumulative_deviation", "d1 + d2 + d3")
    assert formula is not None
    for chosen, checks in (
        (changes[:3], []),
        ([changes[0], changes[1], changes[3]], ["as_of_equal"]),
        ([changes[1], changes[0], changes[2]], ["as_of_equal"]),
    ):
        made = ledger.derive(formula, chosen)
        assert made is not None
        result = verify([made, *ledger.claims], ledger.trace, samples.NOW)
        assert [f.check for f in result.failures if f.claim_index == 0] == checks


@pytest.mark.parametrize(
    ("first", "last", "check"),
    [(1, 20, None), (2, 20, "series_complete"), (0, 19, "as_of_equal"), (2, 21, "as_of_equal")],
)
def test_a_volume_multiple_is_over_the_twenty_sessions_before(
    first: int, last: int, check: str | None
) -> None:
    days = [date(2017, 1, 1) + timedelta(days=place) for place in range(22)]
    rows = [samples.fact("volume", 100.0 + n, "shares", as_of=day) for n, day in enumerate(days)]
    call = samples.call("tc_volume", tuple(rows))
    ledger = Ledger(lambda _request: (call,))
    ledger.record(call)
    formula = formula_for("volume_multiple", "volume / mean(window)")
    assert formula is not None
    window = ledger.window("window", call, "600519.SH", "volume", days[first], days[last])
    ledger.derive(formula, (ledger.claim(call, rows[21]),), series=(window,))
    failures = verify(ledger.claims, ledger.trace, samples.NOW).failures
    assert [f.check for f in failures] == ([check] if check else [])


def _checks(
    metric: str, expression: str, rows: Sequence[Fact], places: tuple[int, int]
) -> list[str]:
    call = samples.call("tc_rows", tuple(rows))
    ledger = Ledger(lambda _request: (call,))
    ledger.record(call)
    formula = formula_for(metric, expression)
    assert formula is not None
    ledger.derive(formula, [ledger.claim(call, rows[place]) for place in places])
    return [f.check for f in verify(ledger.claims, ledger.trace, samples.NOW).failures]


def _two_series(count: int) -> tuple[Ledger, list[date]]:
    days = [date(2017, 7, 3) + timedelta(days=place) for place in range(count)]
    rows = [
        samples.fact("close", base + place * step, unit, symbol=symbol, as_of=day)
        for symbol, base, step, unit in (
            ("600519.SH", 100.0, 5.0, "CNY"),
            ("000001.SH", 3000.0, 10.0, "points"),
        )
        for place, day in enumerate(days)
    ]
    call = samples.call("tc_two", tuple(rows))
    ledger = Ledger(lambda _request: (call,))
    ledger.record(call)
    for row in rows:
        ledger.claim(call, row)
    return ledger, days


def _deviation(ledger: Ledger, days: Sequence[date], place: int) -> Claim:
    change = formula_for("pct_change", "(close / previous - 1) * 100")
    distance = formula_for("deviation", "stock - index")
    assert change is not None
    assert distance is not None
    closes = {(c.symbol, c.as_of): c for c in ledger.claims if c.metric == "close"}
    pair = [
        ledger.derive(change, (closes[symbol, days[place]], closes[symbol, days[place - 1]]))
        for symbol in ("600519.SH", "000001.SH")
    ]
    made = ledger.derive(distance, [item for item in pair if item is not None])
    assert made is not None
    return made
