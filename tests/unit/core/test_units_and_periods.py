from datetime import date
from decimal import Decimal

import pytest

from services.core.errors import InputError
from services.core.periods import Period
from services.core.units import convert, parse_amount


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        ("17919986.777", "CNY_wan", "CNY", "179199867770"),
        ("179199867770", "CNY", "CNY_yi", "1791.9986777"),
        ("31245.67", "lots", "shares", "3124567"),
        ("4701234.567", "CNY_qian", "CNY", "4701234567"),
        ("0.3621", "ratio", "percent", "36.21"),
        ("1.256", "shares_yi", "shares_wan", "12560"),
    ],
)
def test_a_unit_is_converted_exactly(value: str, source: str, target: str, expected: str) -> None:
    assert convert(Decimal(value), source, target) == Decimal(expected)


@pytest.mark.parametrize(
    ("source", "target"),
    [("percent", "pp"), ("CNY", "HKD"), ("CNY", "CNY/share"), ("shares", "CNY"), ("dozen", "CNY")],
)
def test_two_dimensions_never_convert(source: str, target: str) -> None:
    with pytest.raises(InputError, match="unit"):
        convert(Decimal(1), source, target)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5656.91亿", "565691000000"),
        ("6120.00万", "61200000"),
        ("3.59%", "3.59"),
        ("-0.02", "-0.02"),
        ("25683.00亿", "2568300000000"),
        ("1,234.5", "1234.5"),
        ("2千万", "20000000"),
        ("0", "0"),
    ],
)
def test_an_upstream_amount_becomes_a_plain_number(text: str, number: str) -> None:
    assert parse_amount(text) == Decimal(number)


@pytest.mark.parametrize("text", ["", "-", "--", "  "])
def test_a_blank_amount_is_missing_and_not_zero(text: str) -> None:
    assert parse_amount(text) is None


@pytest.mark.parametrize("text", ["abc", "12..3", "NaN", "inf", "12亿元左右"])
def test_an_unknown_spelling_is_noticed(text: str) -> None:
    with pytest.raises(InputError, match="amount"):
        parse_amount(text)


@pytest.mark.parametrize(
    ("text", "canonical", "end"),
    [
        ("2023_q4", "2023_Q4", date(2023, 12, 31)),
        ("2023Q3", "2023_Q3", date(2023, 9, 30)),
        ("20231231", "2023_Q4", date(2023, 12, 31)),
        ("2016-06-30", "2016_Q2", date(2016, 6, 30)),
        ("FY2016", "2016_Q4", date(2016, 12, 31)),
        ("2016年报", "2016_Q4", date(2016, 12, 31)),
        ("2016年中报", "2016_Q2", date(2016, 6, 30)),
        ("2016三季报", "2016_Q3", date(2016, 9, 30)),
        ("LYR_2016", "LYR_2016", date(2016, 12, 31)),
        ("TTM_2017Q1", "TTM_2017Q1", date(2017, 3, 31)),
        ("MRQ_2017Q1", "MRQ_2017Q1", date(2017, 3, 31)),
    ],
)
def test_every_spelling_of_a_period_has_one_canonical_form(
    text: str, canonical: str, end: date
) -> None:
    period = Period.parse(text)
    assert (str(period), period.end) == (canonical, end)
    assert Period.parse(str(period)) == period


@pytest.mark.parametrize(
    "text", ["", "2023", "2023_Q5", "20231230", "Q4", "23Q4", "FY16", "1816_Q4"]
)
def test_a_period_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="period"):
        Period.parse(text)


def test_a_valuation_basis_knows_its_report_and_its_name() -> None:
    assert str(Period.parse("LYR_2016").report) == "2016_Q4"
    assert Period.parse("TTM_2017Q1").label("zh") == "TTM·2017一季报"
    assert Period.parse("2016_Q4").label("en") == "FY2016"
