"""Figures a share across a split carry the flag themselves, found in the reports, not in a list."""

from datetime import date

from services.core.claims import Claim
from services.market.splits import flag_splits, split_of
from tests.unit.market.live_answers import fact
from tests.unit.reports.bundled import desk, session


def notes(symbol: str, metric: str) -> dict[str, str]:
    """The note of that figure in each year's report, as 财务 shows it."""
    shown = desk().financials(symbol, session(), count=8)
    found = [one for one in shown.claims.values() if (one.symbol, one.metric) == (symbol, metric)]
    return {str(one.period): one.cite.note or "" for one in found if isinstance(one, Claim)}


def test_the_bundle_says_which_years_are_of_other_shares() -> None:
    # Apple: 7 for 1 in June 2014 (40.03 → 6.49); Tencent: 5 for 1 in May 2014, and its report of
    # 2013 is restated (6.965 → 1.693).
    for symbol, last in (("AAPL", "2013_Q4"), ("00700.HK", "2012_Q4")):
        told = notes(symbol, "eps")
        assert {period for period, note in told.items() if "不可比" in note} == {last}
    assert "2013年报与2014年报之间" in notes("AAPL", "eps")["2013_Q4"]


def test_ordinary_years_and_totals_carry_no_flag() -> None:
    assert not [note for note in notes("600036.SH", "eps").values() if "不可比" in note]
    assert not [note for note in notes("AAPL", "net_profit").values() if "不可比" in note]


def test_the_figure_itself_says_between_which_reports_its_shares_changed() -> None:
    shown = desk().financials("AAPL", session(), count=8).claims.values()
    found = {one.period: split for one in shown if (split := split_of(one)) is not None}
    assert {str(period): tuple(map(str, split)) for period, split in found.items()} == {
        "2013_Q4": ("2013_Q4", "2014_Q4")
    }


def test_two_shares_for_one_flag_every_earlier_year_and_every_figure_a_share() -> None:
    years = {2023: (100.0, 2.0), 2024: (110.0, 2.2), 2025: (120.0, 1.2)}
    rows = [
        fact("600519.SH", metric, value, unit, as_of=date(year, 12, 31), period=f"{year}_Q4")
        for year, (profit, eps) in years.items()
        for metric, value, unit in (
            ("net_profit", profit, "CNY"),
            ("eps", eps, "CNY/share"),
            ("dps", 0.5, "CNY/share"),
        )
    ]
    flagged = {(one.metric, one.period) for one in flag_splits(rows) if one.note}
    assert flagged == {(m, f"{y}_Q4") for m in ("eps", "dps") for y in (2023, 2024)}
