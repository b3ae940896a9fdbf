"""Daily bars with their claims and gaps, from the bundled market."""

from datetime import date

import pytest

from services.core.claims import ToolCite
from services.core.errors import NoDataError
from services.core.symbols import Symbol
from services.market.history import average_values, price_history
from tests.unit.market.bundled import bundle

VANKE = Symbol("000002.SZ")


def test_a_bar_is_the_sources_own_row() -> None:
    # 2017-06-23 in the source: open 21.84, high 24.07, low 21.8, close 24.07, volume 125118677.
    found = price_history(bundle().ledger(), VANKE, date(2017, 6, 22), date(2017, 6, 26))
    assert [bar.date.day for bar in found.bars] == [22, 23, 26]
    assert found.bars[1][1:] == (21.84, 24.07, 21.8, 24.07, 125118677.0)


def test_the_claim_of_a_bar_cites_its_raw_text_and_adjustment() -> None:
    market = bundle()
    ledger = market.ledger()
    found = price_history(ledger, VANKE, date(2017, 6, 1), date(2017, 6, 30))
    claim = found.claim(ledger, date(2017, 6, 23), "close")
    assert isinstance(claim.cite, ToolCite)
    assert (claim.value, claim.unit, claim.cite.raw) == (24.07, "CNY", "24.07")
    assert "加法前复权" in found.note
    assert market.verified(ledger).ok


def test_a_suspension_is_a_gap_and_not_a_filled_bar() -> None:
    found = price_history(bundle().ledger(), VANKE, date(2015, 12, 1), date(2016, 7, 31))
    gap = next(gap for gap in found.gaps if gap.kind == "suspension")
    assert (gap.start, gap.end, gap.sessions) == (date(2015, 12, 21), date(2016, 7, 1), 130)
    assert not found.has(date(2016, 1, 4), "close")


def test_a_day_without_a_bar_has_no_claim() -> None:
    ledger = bundle().ledger()
    found = price_history(ledger, VANKE, date(2015, 12, 1), date(2016, 7, 31))
    with pytest.raises(NoDataError, match="000002"):
        found.claim(ledger, date(2016, 1, 4), "close")


def test_a_window_without_bars_and_a_stock_without_bars_are_no_data() -> None:
    with pytest.raises(NoDataError):
        price_history(bundle().ledger(), VANKE, date(2016, 1, 1), date(2016, 1, 31))
    with pytest.raises(NoDataError):
        price_history(bundle().ledger(), Symbol("600519.SH"), None, None)


def test_a_moving_average_begins_when_it_has_enough_values() -> None:
    assert average_values([1.0, 2.0, 6.0, 10.0], 3) == [None, None, 3.0, 6.0]
    assert average_values([1.0], 5) == [None]
    assert average_values([], 5) == []
