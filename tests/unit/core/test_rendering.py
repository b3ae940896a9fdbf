"""How figures are printed; every expected text is written by hand."""

from datetime import date

import pytest

from services.core.claims import Claim, CompetenceCite
from services.core.rendering import place, render, show
from services.core.text import Language


def _claim(value: float, unit: str, metric: str = "x") -> Claim:
    return Claim(
        claim_id="c_0123456789abcdef",
        value=value,
        metric=metric,
        symbol="600519.SH",
        as_of=date(2017, 5, 25),
        unit=unit,
        cite=CompetenceCite(competence_id="test"),
    )


@pytest.mark.parametrize(
    ("value", "unit", "metric", "language", "text"),
    [
        (16_716_637_115.839, "CNY", "net_profit", "zh", "167.17亿元"),
        (16_716_637_115.839, "CNY", "net_profit", "en", "16.72 bn CNY"),
        (61_200_000.0, "CNY", "revenue", "zh", "6,120.00万元"),
        (42_223_879_000_000.0, "CNY", "market_cap_sum", "zh", "42.22万亿元"),
        (42_223_879_000_000.0, "CNY", "market_cap_sum", "en", "42.22 tn CNY"),
        (5_538_949_000_000.0, "CNY", "total_liabilities", "zh", "55,389.49亿元"),
        (565_691_000_000.0, "HKD", "market_cap", "zh", "5,656.91亿港元"),
        (-450.0, "CNY", "net_profit", "zh", "-450.00元"),
        (450.2, "CNY", "close", "zh", "450.20元"),
        (132000.5, "HKD", "close", "zh", "132,000.50港元"),
        (-8.4861, "percent", "pct_change", "zh", "-8.49%"),
        (16.5274, "percent", "revenue_yearly_rise", "zh", "16.5%"),
        (3.7494, "percent", "revenue_rise", "zh", "3.75%"),
        (0.4267, "percent", "revenue_rise", "en", "0.43%"),
        (148.26, "percent", "ps_ttm_above_median", "zh", "148%"),
        (1_203.7, "percent", "net_profit_rise", "zh", "1,204%"),
        (16.5274, "percent", "revenue_yoy", "zh", "+16.53%"),
        (1.005, "percent", "pct_change", "zh", "+1.01%"),
        (-0.001, "percent", "pct_change", "zh", "0.00%"),
        (36.21, "percent", "roe", "zh", "36.21%"),
        (33.84, "multiple", "pe_lyr", "zh", "33.84倍"),
        (33.84, "multiple", "pe_lyr", "en", "33.84 x"),
        (3241.0, "count", "company_count", "zh", "3,241家"),
        (1_256_000_000.0, "shares", "total_shares", "zh", "12.56亿股"),
        (130.0, "sessions", "suspended_sessions", "zh", "130个交易日"),
        (20.04, "pp", "cumulative_deviation", "zh", "+20.04个百分点"),
        (3209.91, "points", "close", "zh", "3,209.91点"),
    ],
)
def test_a_figure_is_printed_with_its_unit(
    value: float, unit: str, metric: str, language: Language, text: str
) -> None:
    assert show(_claim(value, unit, metric), language).text == text


def test_a_cell_leaves_the_unit_to_its_column_but_keeps_the_scale() -> None:
    assert show(_claim(33.84, "multiple"), "zh", "cell").text == "33.84"
    assert show(_claim(565_691_000_000.0, "CNY"), "zh", "cell").text == "5,656.91亿"
    assert show(_claim(565_691_000_000.0, "CNY"), "en", "cell").text == "565.69 bn"
    assert show(_claim(12.5, "percent"), "zh", "cell").text == "12.50%"


def test_a_template_is_filled_from_claims_and_from_nothing_else() -> None:
    claim = _claim(-8.4861, "percent", "pct_change")
    template = f"上证指数{place(claim)}"
    assert render(template, {claim.claim_id: claim}) == "上证指数-8.49%"
    with pytest.raises(KeyError):
        render(template, {})
