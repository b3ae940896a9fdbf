"""A multiple of a report period, and where today's stands among those of three years."""

from datetime import date, timedelta
from statistics import median

import numpy as np
import pytest

from services.core.claims import Claim, Figure, Missing
from services.core.errors import UnavailableError
from services.core.requests import DatedValuationsRequest
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.market.fundamentals import FinancialData, financial_data
from services.market.valuation_history import past_multiples
from tests.unit.market.live_answers import CLOSED, TODAY, Sources, answered, fact, on_days

STOCK = "600519.SH"
LAST = date(2023, 12, 29)


def asked(sources: Sources, *metrics: str, period: str, count: int = 1) -> FinancialData:
    found = financial_data(
        sources.ledger, Symbol(STOCK), metrics, period=period, count=count, clock=CLOSED
    )
    sources.check()
    return found


def multiples(day: date, pe: float) -> list[Fact]:
    return [
        fact(STOCK, "close", pe * 60, "CNY", as_of=day),
        fact(STOCK, "pe_ttm", pe, "multiple", as_of=day),
    ]


def test_a_periods_multiple_is_that_of_its_last_session() -> None:
    rows = [*multiples(LAST - timedelta(days=1), 29.1), *multiples(LAST, 29.4)]
    sources = Sources(dated_valuations=answered(rows))
    found = asked(sources, "pe_ttm", period="2023_Q4")
    claim = found.figures["pe_ttm"]["2023_Q4"]
    assert isinstance(claim, Claim)
    assert (claim.value, claim.as_of, claim.period) == (29.4, LAST, None)
    assert any("最后一个交易日" in note for note in found.notes)
    (request,) = (one for one in sources.asked if isinstance(one, DatedValuationsRequest))
    assert (request.start, request.end) == (date(2023, 12, 17), date(2023, 12, 31))


def test_each_year_of_several_has_its_own_and_one_not_ended_has_none() -> None:
    sources = Sources(dated_valuations=answered(multiples(LAST, 29.4)))
    found = asked(sources, "pe_ttm", "pe_lyr", period="2026_Q4", count=3)
    row = found.figures["pe_ttm"]
    assert isinstance(row["2026_Q4"], Missing)
    assert "尚未结束" in row["2026_Q4"].reason
    assert isinstance(row["2025_Q4"], Claim)
    ends = [one.end for one in sources.asked if isinstance(one, DatedValuationsRequest)]
    assert ends == [date(2025, 12, 31), date(2024, 12, 31)]
    # A source leaves out the multiple of a loss.
    lyr = found.figures["pe_lyr"]["2025_Q4"]
    assert isinstance(lyr, Missing)
    assert "亏损" in lyr.reason


def test_a_source_that_fails_is_named() -> None:
    down = UnavailableError("eastmoney", "RPT_VALUEANALYSIS_DET", "answered 502")
    found = asked(Sources(dated_valuations=down), "pb", period="2023_Q4")
    assert "东方财富" in found.reasons["pb"]


def band(sources: Sources) -> dict[str, Figure]:
    found = dict(past_multiples(sources.ledger, Symbol(STOCK), ("pe_ttm",), TODAY)["pe_ttm"])
    sources.check()
    return found


def days(count: int) -> list[date]:
    return [TODAY - timedelta(days=back) for back in range(count - 1, -1, -1)]


def test_the_place_of_today_among_past_sessions_is_counted() -> None:
    values = np.round(20 + 5 * np.sin(np.arange(600) / 40), 2)
    by_day = dict(zip(days(600), map(float, values), strict=True))
    rows = on_days(days(600), lambda day: multiples(day, by_day[day]))
    found = {
        word: one.value
        for word, one in band(Sources(dated_valuations=answered(rows))).items()
        if isinstance(one, Claim)
    }
    assert found["now"] == values[-1]
    assert found["low"] == values.min()
    assert found["high"] == values.max()
    assert found["median"] == median(map(float, values))
    for percent in (10, 25, 75, 90):
        assert found[f"p{percent}"] == pytest.approx(float(np.percentile(values, percent)))
    assert found["percentile"] == pytest.approx(100 * float((values <= values[-1]).mean()))


def test_a_loss_in_between_and_a_young_company_have_no_place() -> None:
    some = on_days(days(400), lambda day: multiples(day, 20.0))
    lossy = [one for one in some if not (one.metric == "pe_ttm" and one.as_of.day == 3)]
    found = band(Sources(dated_valuations=answered(lossy)))
    assert isinstance(found["now"], Claim)
    assert isinstance(found["percentile"], Missing)
    assert "亏损" in found["percentile"].reason
    young = on_days(days(100), lambda day: multiples(day, 20.0))
    found = band(Sources(dated_valuations=answered(young)))
    assert isinstance(found["percentile"], Missing)
    assert "不足一年" in found["percentile"].reason
