"""What is typed in the boxes of a screening field, in the unit beside them, and the range it is."""

import pytest

from services.core.errors import InputError
from services.core.text import Language
from services.views.screen_boxes import Boxes, fill_boxes, read_boxes, unit_words


def read(field: str, low: str, high: str = "", language: Language = "zh") -> str:
    return read_boxes(field, Boxes(low, high), "CNY", language)


@pytest.mark.parametrize(
    ("field", "low", "high", "language", "wire"),
    [
        ("market_cap", "200", "", "zh", "20000000000_max"),  # 200 亿元
        ("market_cap", "200", "", "en", "200000000000_max"),  # 200 bn
        ("market_cap", "", "1,500.5", "zh", "min_150050000000"),
        ("market_cap", "3000万", "5bn", "zh", "30000000_5000000000"),
        ("market_cap", "200元", "", "zh", "200_max"),
        ("netprofit", "-5", "", "zh", "-500000000_max"),
        ("netprofit", "−0.3", "0", "zh", "-30000000_0"),
        ("pettm", "0", "20", "zh", "0_20"),
        ("roediluted", "15%", "", "en", "15_max"),
        ("pct", "-3", "", "zh", "-3_max"),
        ("pb", " ", "", "zh", ""),
    ],
)
def test_a_bare_amount_counts_in_the_unit_beside_the_box(
    field: str, low: str, high: str, language: Language, wire: str
) -> None:
    assert read(field, low, high, language) == wire
    again = fill_boxes(field, wire, language)
    assert read_boxes(field, again, "CNY", language) == wire


@pytest.mark.parametrize(
    ("wire", "language", "boxes"),
    [
        ("20000000000_max", "zh", ("200", "")),
        ("20000000000_max", "en", ("20", "")),
        ("200亿_max", "en", ("20", "")),
        ("min_5bn", "zh", ("", "50")),
        ("200_max", "zh", ("0.000002", "")),  # an address always was in yuan
        ("2_4", "zh", ("0.00000002", "0.00000004")),
        ("", "zh", ("", "")),
        ("abc_max", "zh", ("abc", "")),
    ],
)
def test_an_address_in_base_units_stands_in_the_boxes_in_their_unit(
    wire: str, language: Language, boxes: tuple[str, str]
) -> None:
    assert fill_boxes("market_cap", wire, language) == boxes


@pytest.mark.parametrize(
    ("field", "low", "high", "said"),
    [
        ("market_cap", "abc", "", "请写数字，如 500（亿元），或 3000万"),
        ("pettm", "-", "", "请写数字，如 20"),
        ("market_cap", "20%", "", "请写数字，如 500（亿元），或 3000万"),
        ("market_cap", "-5", "", "总市值不会小于 0"),
        ("dy_l", "", "-1", "股息率不会小于 0"),
        ("pettm", "20", "20", "下限要比上限小"),
        ("pettm", "1e999", "", "请写数字，如 20"),
        ("pettm", "2_4", "", "请写数字，如 20"),
    ],
)
def test_nonsense_is_told_by_what_may_be_written(
    field: str, low: str, high: str, said: str
) -> None:
    with pytest.raises(InputError) as wrong:
        read(field, low, high)
    assert wrong.value.valid.zh == said
    assert "_" not in wrong.value.valid.zh + wrong.value.valid.en
    assert wrong.value.valid.en.isascii()


def test_the_unit_says_the_currency() -> None:
    assert unit_words("market_cap", "HKD").zh == "亿港元"
    assert unit_words("market_cap", "CNY").en == "bn CNY"
    assert (unit_words("pettm", "CNY").zh, unit_words("dy_l", "CNY").zh) == ("倍", "%")
