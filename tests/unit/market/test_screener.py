"""Screens of the real snapshot, with figures worked out by hand from the source's own text."""

from datetime import date, datetime

import pytest

from services.core.claims import Claim, DerivedCite, Missing, ToolCite
from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.text import Text
from services.market import valuation
from services.market.screener import ScreenRow, screen, screen_request
from services.market.valuation import (
    BROKEN_BARS,
    FEW_REPORTS,
    HK_GIVES_LITTLE,
    LOSS,
    NO_BARS,
    NO_PROFIT,
    NO_US_VALUATION,
)
from tests.unit.market.bundled import bundle


def find(symbol: str, **arguments: object) -> ScreenRow:
    ledger = bundle().ledger()
    result = screen(ledger, screen_request({"size": 500, **arguments}))
    return next(row for row in result.rows if row.symbol == symbol)


def claim(row: ScreenRow, key: str) -> Claim:
    figure = row.figures[key]
    assert isinstance(figure, Claim), figure
    return figure


def reason(row: ScreenRow, key: str) -> str:
    figure = row.figures[key]
    assert isinstance(figure, Missing), figure
    return figure.reason


def test_moutais_profit_is_its_market_value_over_its_static_pe() -> None:
    row = find("600519.SH", pelyr="33.84_33.85")
    assert claim(row, "pelyr").value == 33.84
    profit = claim(row, "netprofit")
    # 5656.91 亿 / 33.84 = 167.1663… 亿 (the annual report: 167.18 亿)
    assert profit.value == pytest.approx(565_691_000_000 / 33.84, rel=1e-15)
    assert round(profit.value / 1e8, 2) == 167.17
    assert (profit.metric, profit.period, profit.unit) == ("net_profit", "2016_Q4", "CNY")
    assert profit.metric_code == "company.finance.net_profit"
    assert isinstance(profit.cite, DerivedCite)
    assert profit.cite.note == "推算 总市值/市盈率(LYR)，±0.1%"


def test_revenue_by_price_to_sales_is_trailing_and_never_called_fiscal_year() -> None:
    revenue = claim(find("600519.SH", pelyr="33.84_33.85"), "total_revenue")
    assert (revenue.metric, revenue.period) == ("revenue", "TTM_2017Q1")


def test_an_annual_report_wins_over_the_derived_profit() -> None:
    # 招商银行 2016 annual report: net profit attributable 62,081 million yuan
    profit = claim(find("600036.SH", industry="银行"), "netprofit")
    assert profit.value == 62_081_000_000
    assert isinstance(profit.cite, ToolCite)
    assert profit.cite.source == "annual_reports"


def test_dividend_yield_divides_the_dividend_by_the_price_of_the_valuation_day() -> None:
    # 招商银行: dividend 0.74 for 2016; 5525.67 亿 / 252.2 亿 shares = 21.90987… yuan
    row = find("600036.SH", industry="银行")
    assert claim(row, "price").value == pytest.approx(552_567_000_000 / 25_220_000_000)
    assert claim(row, "price").metric == "price_implied"
    assert claim(row, "dy_l").value == pytest.approx(0.74 / 21.909873116574147 * 100)
    assert claim(row, "dy_l").period == "2016_Q4"


def test_the_move_is_the_newest_bar_against_the_one_before() -> None:
    # 招商银行 closes: 2017-07-24 25.71, 2017-07-25 25.53 -> 25.53 / 25.71 - 1 = -0.7001 %
    move = claim(find("600036.SH", industry="银行"), "pct")
    assert move.value == pytest.approx((25.53 / 25.71 - 1) * 100)
    assert move.as_of == date(2017, 7, 25)


def test_a_loss_is_said_and_never_a_zero() -> None:
    # 2,890 A shares have a static PE; ordered by it, those after them have none
    ledger = bundle().ledger()
    result = screen(ledger, screen_request({"order_by": "pelyr", "size": 500, "offset": 2890}))
    losing = next(row for row in result.rows if isinstance(row.figures["market_cap"], Claim))
    assert reason(losing, "pelyr") == LOSS
    assert reason(losing, "roediluted") == NO_PROFIT
    assert result.judged["pelyr"].value == 2890


def test_reasons_name_what_the_source_does_not_give() -> None:
    moutai = find("600519.SH", pelyr="33.84_33.85")
    assert reason(moutai, "pct") == NO_BARS
    assert reason(moutai, "tl") == FEW_REPORTS
    assert reason(moutai, "dy_l") == FEW_REPORTS
    tencent = find("00700.HK", category="HK", pelyr="0_100", order_by="pb", size=500)
    for key in ("pettm", "netprofit", "total_revenue", "roediluted", "dy_l", "tl"):
        assert reason(tencent, key) == HK_GIVES_LITTLE
    apple = find("AAPL", category="US", order_by="pct")
    assert reason(apple, "pb") == NO_US_VALUATION
    assert claim(apple, "price").as_of == date(2016, 7, 25)
    assert claim(apple, "price").metric == "close"


def test_every_reason_has_english_and_carries_no_digit() -> None:
    # Every text constant of the module is a reason, so one added later is held to this too.
    reasons = {
        name: text
        for name, text in vars(valuation).items()
        if name.isupper() and isinstance(text, Text)
    }
    assert {LOSS, NO_BARS, FEW_REPORTS, HK_GIVES_LITTLE, BROKEN_BARS} <= set(reasons.values())
    for name, text in reasons.items():
        zh, en = text.zh, text.en
        assert zh, name
        assert en, name
        assert not any(c.isdigit() for c in zh + en), name


def test_a_missing_figure_never_passes_a_filter_however_wide() -> None:
    ledger = bundle().ledger()
    result = screen(ledger, screen_request({"pelyr": "min_100万", "size": 1}))
    assert result.match_count.value == result.judged["pelyr"].value == 2890


def test_zero_to_two_leaves_negatives_out_and_min_two_lets_them_in() -> None:
    def matches(text: str) -> float:
        return screen(bundle().ledger(), screen_request({"pct": text})).match_count.value

    # of ten A shares with bars: 600036 -0.70, 601766 -0.59 and others below zero
    assert matches("min_2") == matches("0_2") + matches("min_0")
    assert matches("min_0") > 0


def test_hong_kong_has_no_trailing_pe_to_filter_by_and_says_how_many_were_judged() -> None:
    result = screen(bundle().ledger(), screen_request({"category": "HK", "pettm": "0_20"}))
    assert (result.match_count.value, result.judged["pettm"].value) == (0, 0)
    assert result.rows == ()


def test_a_bound_on_a_us_valuation_is_no_data_with_the_reason() -> None:
    with pytest.raises(NoDataError, match=r"screen US.*美股.*市盈率"):
        screen(bundle().ledger(), screen_request({"category": "US", "pettm": "0_20"}))


def test_an_unknown_industry_is_no_data() -> None:
    with pytest.raises(NoDataError, match="没有这个行业"):
        screen(bundle().ledger(), screen_request({"industry": "不存在"}))


def test_pages_follow_each_other_without_overlap() -> None:
    def symbols(offset: int) -> list[str]:
        arguments = {"order_by": "pb", "size": 10, "offset": offset}
        result = screen(bundle().ledger(), screen_request(arguments))
        return [row.symbol for row in result.rows]

    assert len(set(symbols(0) + symbols(10))) == 20


def test_before_the_valuation_day_nothing_is_valued() -> None:
    early = bundle(datetime(2017, 5, 24, 18, tzinfo=BEIJING))
    with pytest.raises(NoDataError, match="市盈率"):
        screen(early.ledger(), screen_request({"pettm": "0_20"}))
    ledger = early.ledger()
    result = screen(ledger, screen_request({"order_by": "tl", "size": 3}))
    assert reason(result.rows[0], "pelyr") != LOSS
    assert early.verified(ledger).ok


def test_a_days_bar_counts_only_once_its_session_has_closed() -> None:
    def last_day(hour: int) -> date:
        market = bundle(datetime(2017, 7, 25, hour, tzinfo=BEIJING))
        result = screen(market.ledger(), screen_request({"pct": "min_100", "size": 50}))
        return max(claim(row, "pct").as_of for row in result.rows)

    assert last_day(14) == date(2017, 7, 24)
    assert last_day(15) == date(2017, 7, 25)
