"""How long an answer may be served again; the days are of the real calendar of November 2026."""

from datetime import date, datetime

import pytest

from services.core.clock import BEIJING
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    PostsRequest,
    SpotRequest,
    ValuationRequest,
)
from services.core.trace import Fact
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.providers.base import Fetched

EXPIRES = expiry(Calendar())


def at(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, second, tzinfo=BEIJING)


def of_day(day: date) -> list[Fetched]:
    fact = Fact(symbol="600519.SH", metric="close", value=1.0, unit="CNY", as_of=day, field="c")
    return [Fetched("eastmoney", "kline", (fact,), at(20, 16), "0" * 64)]


SPOT = SpotRequest(symbol="600519.SH")
BARS = BarsRequest(symbol="600519.SH", start=date(2026, 1, 1))
FRIDAY, THURSDAY = of_day(date(2026, 11, 20)), of_day(date(2026, 11, 19))


@pytest.mark.parametrize(
    ("request_", "parts", "now", "expected"),
    [
        (SPOT, FRIDAY, at(20, 10), at(20, 10, 0, 15)),
        (SPOT, FRIDAY, at(20, 12), at(20, 13)),  # lunch
        (SPOT, FRIDAY, at(20, 16), at(23, 9, 30)),
        (SPOT, FRIDAY, at(21, 12), at(23, 9, 30)),
        (BARS, FRIDAY, at(20, 16), at(23, 15)),
        (BARS, THURSDAY, at(20, 16), at(20, 16, 10)),  # the session's bar is not published yet
        (BARS, THURSDAY, at(20, 10), at(20, 15)),
        (BarsRequest(symbol="600519.SH", end=date(2026, 6, 30)), THURSDAY, at(20, 16), at(23, 15)),
        (ValuationRequest(symbol="600519.SH"), THURSDAY, at(20, 16), at(20, 16, 10)),
        (FinancialsRequest(symbol="600519.SH"), FRIDAY, at(20, 16), at(21, 16)),
        (PostsRequest(symbol="600519.SH", order="new"), FRIDAY, at(20, 16), at(20, 16, 1)),
    ],
)
def test_an_answer_goes_out_of_date_when_its_kind_of_data_changes(
    request_: FetchRequest, parts: list[Fetched], now: datetime, expected: datetime
) -> None:
    assert EXPIRES(request_, parts, now) == expected
