"""A text as it is read: width, simplified characters, and where each character was shown."""

import pytest

from services.language.numerals import chinese_at, small_number
from services.language.plain_text import plain, plain_question, simplified


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("貴州茅臺營業收入爲388.62億元", "贵州茅台营业收入为388.62亿元"),
        ("股東權益淨利潤週轉率", "股东权益净利润周转率"),
        ("陸續、登陸、參考、參股", "陆续、登陆、参考、参股"),
        ("乾隆年間的乾淨", "乾隆年间的干净"),
        ("著名的顯著增長", "著名的显著增长"),
        ("皇后之後", "皇后之后"),
        ("參拾億", "叁拾亿"),
        ("总资产周转率", "总资产周转率"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(shown: str, read: str) -> None:
    assert simplified(shown) == read
    assert plain(shown).text == read
    assert plain_question(shown) == read
    assert len(read) == len(shown)


def test_half_a_character_stands_for_nothing() -> None:
    assert simplified("淨利潤\ud800為") == "净利润\ufffd为"


def test_a_traditional_text_knows_where_its_characters_were_shown() -> None:
    shown = "**貴州茅臺** 的市盈率是 ３１.５１ 倍"
    read = plain(shown)
    assert read.text == "贵州茅台的市盈率是31.51倍"
    at = read.text.index("31.51")
    start, end = read.span(at, at + 5)
    assert shown[start:end] == "３１.５１"


@pytest.mark.parametrize(
    ("said", "value"), [("陸佰億", 600 * 10**8), ("參拾萬", 300_000), ("貳仟零伍", 2005)]
)
def test_numerals_of_banks_in_traditional_characters(said: str, value: int) -> None:
    read = chinese_at(plain(said).text, 0)
    assert read is not None
    assert (read.value, read.end) == (value, len(said))


@pytest.mark.parametrize(
    ("said", "value"),
    [("三千一", 3100), ("三千零一", 3001), ("两万五", 25_000), ("一亿五", 150_000_000),
     ("两千五亿", 250_000_000_000), ("三百五十", 350), ("十五", 15)],
)  # fmt: skip
def test_a_last_digit_without_a_place_is_of_the_next_lower(said: str, value: int) -> None:
    read = chinese_at(said, 0)
    assert read is not None
    assert read.value == value


@pytest.mark.parametrize(
    ("said", "value"),
    [("12", 12), ("十", 10), ("十二", 12), ("二十", 20), ("两", 2), ("一百", 100), ("百", 100),
     ("一百二十三", 123), ("一百零五", 105), ("一百二", 120), ("twelve", 12),
     ("fifty", 50), ("几", 0), ("", 0)],
)  # fmt: skip
def test_small_numbers_in_figures_and_words(said: str, value: int) -> None:
    assert small_number(said) == value
