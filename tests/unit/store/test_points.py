"""Points of the local copy: each column what the sources said, derived where reports do not say."""

from collections.abc import Iterator
from datetime import date

import pytest

from services.core.errors import InputError
from services.store import copy_answers
from services.store.database import Database
from services.store.market_copy import MarketCopy
from tests.unit.store.test_market_copy import A, B, C, fact, listed, report, told

DAY = date(2026, 11, 20)


@pytest.fixture
def copy() -> Iterator[MarketCopy]:
    database = Database(":memory:")
    yield MarketCopy(database)
    database.close()


def columns(copy: MarketCopy, *names: str) -> dict[str, dict[str, float | None]]:
    with copy.open_reading() as cursor:
        rows = copy_answers.points(cursor, "CN", names, DAY)
    return {name: dict(zip(rows.symbols, rows.columns[name], strict=True)) for name in names}


def test_a_column_is_of_its_report_and_nothing_published_later(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0), fact(B, "pb", 2.0), fact(C, "ps_ttm", 3.0))
    told(
        copy,
        "2025_Q4",
        report(A, "net_profit", 30.0, "2025_Q4", "2026-03-30"),
        report(A, "revenue", 120.0, "2025_Q4", "2026-03-30"),
        report(B, "net_profit", 24.0, "2025_Q4", "2026-11-21"),
    )
    told(copy, "2024_Q4", report(A, "net_profit", 20.0, "2024_Q4", "2025-03-30"))
    told(copy, "2026_Q3", report(A, "net_profit", 25.0, "2026_Q3", "2026-10-28"))
    found = columns(
        copy,
        "pb",
        "ps_ttm",
        "net_profit @ y2025",
        "net_profit @ q20260930",
        "net_margin @ y2025",
        "net_profit_yoy @ y2025",
    )
    assert found == {
        "pb": {A: 1.0, B: 2.0, C: None},
        "ps_ttm": {A: None, B: None, C: 3.0},
        "net_profit @ y2025": {A: 30.0, B: None, C: None},
        "net_profit @ q20260930": {A: 25.0, B: None, C: None},
        "net_margin @ y2025": {A: 25.0, B: None, C: None},
        "net_profit_yoy @ y2025": {A: 50.0, B: None, C: None},
    }


def test_what_a_report_says_wins_over_what_follows_from_it(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0))
    told(
        copy,
        "2025_Q4",
        report(A, "net_profit", 30.0, "2025_Q4", "2026-03-30"),
        report(A, "equity", 100.0, "2025_Q4", "2026-03-30"),
        report(A, "roe", 31.5, "2025_Q4", "2026-03-30").model_copy(update={"unit": "percent"}),
    )
    assert columns(copy, "roe @ y2025") == {"roe @ y2025": {A: 31.5}}


def test_another_currency_is_no_figure_of_the_market(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0))
    foreign = report(A, "revenue", 30.0, "2025_Q4", "2026-03-30")
    told(copy, "2025_Q4", foreign.model_copy(update={"unit": "USD"}))
    assert columns(copy, "revenue @ y2025") == {"revenue @ y2025": {A: None}}


@pytest.mark.parametrize("name", ["nonsense", "pb; DROP", "revenue @ 2016", "revenue @ y20", ""])
def test_a_column_that_is_none_is_refused(copy: MarketCopy, name: str) -> None:
    listed(copy, fact(A, "pb", 1.0))
    with pytest.raises(InputError):
        columns(copy, name)


def test_a_multiple_of_the_last_year_stands_for_that_year_alone(copy: MarketCopy) -> None:
    lyr = fact(A, "pe_lyr", 8.0).model_copy(update={"period": "LYR_2025"})
    other = fact(B, "pe_lyr", 8.0).model_copy(update={"period": "LYR_2024"})
    listed(copy, fact(A, "market_cap", 80.0), lyr, fact(B, "market_cap", 80.0), other)
    told(copy, "2025_Q4", report(B, "net_profit", 30.0, "2025_Q4", "2026-03-30"))
    found = columns(copy, "net_profit @ y2025", "net_profit @ y2024", "net_profit @ q20250930")
    assert found == {
        "net_profit @ y2025": {A: 10.0, B: 30.0},
        "net_profit @ y2024": {A: None, B: 10.0},
        "net_profit @ q20250930": {A: None, B: None},
    }
