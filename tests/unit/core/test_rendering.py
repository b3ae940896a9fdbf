"""How figures are printed; every expected text is written by hand."""

from datetime import date

import pytest

from services.core.claims import Claim, CompetenceCite
from services.core.rendering import common_scale, place, render, show
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


@pytest.mark.parametrize(
    ("values", "unit", "metric", "language", "told"),
    [
        ((786_599e6, 4_204e6), "CNY", "market_cap", "zh", ["7,865.99", "42.04"]),
        ((786_599e6, 4_204e6), "CNY", "market_cap", "en", ["786.60", "4.20"]),
        (
            (101_314_500.0, 63_367_700.0, 0.0),
            "shares",
            "volume",
            "zh",
            ["10,131.45", "6,336.77", "0.00"],
        ),
        ((4_012e6, 25_248_400.0), "CNY", "revenue", "zh", ["40.12", "0.25"]),
        # Too far apart: 50 000 yuan would be 0.00 of 亿, 620 亿 six digits of 万.
        ((62_081e6, 50_000.0), "CNY", "net_profit", "zh", None),
        ((12.0, 31.0), "multiple", "pe_ttm", "zh", None),
        ((25_000.0, 31_000.0), "CNY", "close", "zh", None),
        ((450.0, 20.0), "CNY", "net_profit", "zh", None),
        ((), "CNY", "net_profit", "zh", None),
    ],
)
def test_a_column_of_amounts_is_told_in_one_scale_where_all_stay_readable(
    values: tuple[float, ...], unit: str, metric: str, language: Language, told: list[str] | None
) -> None:
    claims = [_claim(value, unit, metric) for value in values]
    scale = common_scale(claims, language)
    if scale is None:
        assert told is None
        return
    assert [show(one, language, "cell", scale).number for one in claims] == told


def test_a_column_takes_the_scale_of_the_one_beside_it_where_it_keeps_two_digits() -> None:
    beside = common_scale([_claim(786.6e9, "CNY", "market_cap")], "en")
    assert beside is not None
    assert beside.word == "bn"
    wide = [_claim(value, "CNY", "net_profit") for value in (62_378.98e6, 154e6)]
    scale = common_scale(wide, "en", beside)
    assert [show(one, "en", "cell", scale).number for one in wide] == ["62.38", "0.15"]
    # 0.04 bn would be one digit: it stays in millions.
    small = [_claim(value, "CNY", "net_profit") for value in (940e6, 40e6)]
    told = common_scale(small, "en", beside)
    assert told is not None
    assert told.word == "m"


def test_a_template_is_filled_from_claims_and_from_nothing_else() -> None:
    claim = _claim(-8.4861, "percent", "pct_change")
    template = f"上证指数{place(claim)}"
    assert render(template, {claim.claim_id: claim}) == "上证指数-8.49%"
    with pytest.raises(KeyError):
        render(template, {})
