import pytest

from services.core.errors import InputError
from services.core.requests import Bound
from services.market.ranges import parse_range


@pytest.mark.parametrize(
    ("text", "above", "at_least", "below"),
    [
        ("2_max", 2.0, None, None),
        ("min_2", None, None, 2.0),
        ("2_4", None, 2.0, 4.0),
        ("0_2", None, 0.0, 2.0),
        ("-5_10", None, -5.0, 10.0),
        ("-10_-5", None, -10.0, -5.0),
        ("min_0", None, None, 0.0),
        ("−3_max", -3.0, None, None),
        ("负3_max", -3.0, None, None),
        ("1亿_max", 100_000_000.0, None, None),
        ("1.5亿_3亿", None, 150_000_000.0, 300_000_000.0),
        ("1亿5000万_max", 150_000_000.0, None, None),
        ("10万亿_max", 10_000_000_000_000.0, None, None),
        ("2千_3千", None, 2_000.0, 3_000.0),
        ("3百万_max", 3_000_000.0, None, None),
        ("两千万_max", 20_000_000.0, None, None),
        ("一亿五千万_max", 150_000_000.0, None, None),
        ("三百_max", 300.0, None, None),
        ("十五_二十", None, 15.0, 20.0),
        ("一百零五_max", 105.0, None, None),
        ("一点五亿_max", 150_000_000.0, None, None),
        ("１０_２０", None, 10.0, 20.0),
        ("１亿＿ＭＡＸ", 100_000_000.0, None, None),
        ("1,000_max", 1_000.0, None, None),
        (" 5_MAX ", 5.0, None, None),
        ("100元_max", 100.0, None, None),
        ("5bn_max", 5e9, None, None),
        ("500m_1.5tn", None, 5e8, 1.5e12),
    ],
)
def test_a_range_becomes_the_bound_it_says(
    text: str, above: float | None, at_least: float | None, below: float | None
) -> None:
    assert parse_range("netprofit", text) == Bound(
        field="netprofit", above=above, at_least=at_least, below=below
    )


@pytest.mark.parametrize("text", ["0_max", "０_max", "0.0_max", "-0_max", "零_max"])
def test_zero_to_max_is_a_ranking_and_no_filter(text: str) -> None:
    assert parse_range("pettm", text) is None


def test_a_percent_sign_becomes_a_plain_percent_number() -> None:
    assert parse_range("dy_l", "5%_max") == Bound(field="dy_l", above=5.0)
    assert parse_range("roediluted", "１５％_30%") == Bound(
        field="roediluted", at_least=15.0, below=30.0
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "leave it out"),
        ("   ", "leave it out"),
        ("5", "5_max for more than it, min_5 for less"),
        ("1亿", "1亿_max for more than it"),
        ("abc", "2_max (more than 2)"),
        (">5", "2_max (more than 2)"),
        ("大于5", "2_max (more than 2)"),
        ("5-10", "2_4 (from 2"),
        ("5~10", "2_4 (from 2"),
        ("max_min", "min stands on the left"),
        ("max_5", "min stands on the left"),
        ("5_min", "min stands on the left"),
        ("max_max", "min stands on the left"),
        ("min_min", "min stands on the left"),
        ("min_max", "0_max for no limit"),
        ("5_", "two sides"),
        ("_5", "two sides"),
        ("_", "two sides"),
        ("5__6", "two sides"),
        ("1_2_3", "two sides"),
        ("10_5", "the smaller figure first"),
        ("-5_-10", "the smaller figure first"),
        ("5_5", "two different figures"),
        ("0_0", "two different figures"),
        ("nan_max", "for 'nan'"),
        ("inf_max", "for 'inf'"),
        ("min_-inf", "for '-inf'"),
        ("1e9_max", "for '1e9'"),
        ("0x10_max", "for '0x10'"),
        ("1/2_max", "for '1/2'"),
        ("--5_max", "for '--5'"),
        ("-_max", "for '-'"),
        ("5 0_max", "for '5 0'"),
        ("1.2.3_max", "for '1.2.3'"),
        ("1,00_max", "for '1,00'"),
        ("$5_max", "for '$5'"),
        ("亿_max", "for '亿'"),
        ("百_max", "for '百'"),
        ("一亿五_max", "for '一亿五'"),
        ("两千五_max", "for '两千五'"),
        ("1万2_max", "for '1万2'"),
        ("1万亿万_max", "for '1万亿万'"),
        ("二三_max", "for '二三'"),
        ("5;drop table_max", "for '5;drop table'"),
        ("5%_max", "without %"),
        ("5倍_max", "without 倍"),
        ("9" * 20 + "_max", "below 10^18"),
        ("9" * 50 + "_max", "at most 40 characters"),
        (5, "a text"),
        (None, "a text"),
        (True, "a text"),
        (["0_2"], "a text"),
    ],
)
def test_a_bad_range_is_named_with_what_to_write_instead(text: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_range("netprofit", text)
    assert caught.value.name == "netprofit"
    assert caught.value.got == (repr(text) if len(repr(text)) <= 120 else caught.value.got)
    assert says in str(caught.value.valid)


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="field"):
        parse_range("marketcap", "0_2")
