"""A multiple at a newer close: only where a share is still the same share."""

from datetime import date

import pytest

from services.core.claims import Claim
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.market.repricing import reprice
from tests.unit.market.live_answers import Sources, answered, fact

STOCK, THEN, NOW = "600036.SH", date(2026, 11, 10), date(2026, 11, 19)
NOTE = "前复权，除权后整列会变"


def bars(then: float, now: float, note: str | None = NOTE) -> list[Fact]:
    return [
        fact(STOCK, metric, close, "CNY", as_of=day, note=note)
        for day, close in ((THEN, then), (NOW, now))
        for metric in ("open", "high", "low", "close")
    ]


def at(then: float, now: float, note: str | None = NOTE) -> dict[str, float]:
    """The figures at the close of `now`, of a company valued at 20 yuan a share."""
    valued = [
        fact(STOCK, "market_cap", 2e11, "CNY", as_of=THEN),
        fact(STOCK, "total_shares", 1e10, "shares", as_of=THEN),
        fact(STOCK, "pe_ttm", 8.0, "multiple", as_of=THEN, period="TTM_2026Q3"),
    ]
    call = answered(bars(then, now, note))
    sources = Sources(valuation=answered(valued), daily_bars=call)
    sources.ledger.record(call)
    price = sources.ledger.claim(call, call.rows[-1])
    found = reprice(sources.ledger, Symbol(STOCK), price)
    sources.check()
    assert all(isinstance(one, Claim) and one.as_of == NOW for one in found.values())
    return {metric: claim.value for metric, claim in found.items()}


def test_the_multiple_moves_as_the_price_does() -> None:
    assert at(20.1, 25.0) == pytest.approx({"market_cap": 2.5e11, "pe_ttm": 10.0})


@pytest.mark.parametrize(
    ("then", "now", "note"),
    [
        (18.18, 22.7, NOTE),  # one new share for ten since: the adjusted close lies 9 % lower
        (20.0, 12.5, "不复权"),  # nothing adjusted: two shares for one would not be seen
        (20.0, 12.5, None),
    ],
)
def test_nothing_is_priced_anew_where_a_share_may_not_be_the_same(
    then: float, now: float, note: str | None
) -> None:
    assert at(then, now, note) == {}
