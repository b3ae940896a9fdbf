"""From what people write to one symbol, on the names of the bundled market."""

import pytest

from services.core.errors import InputError
from services.core.names import NameRow
from services.core.symbols import Symbol
from services.market.names.names import Names
from tests.unit.market.bundled import names


def choices(text: str) -> tuple[str, ...]:
    with pytest.raises(InputError) as caught:
        names().resolve(text)
    assert caught.value.name == "symbol"
    return caught.value.choices


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("600519", "600519.SH"),
        ("SH600519", "600519.SH"),
        ("６００５１９", "600519.SH"),
        ("$贵州茅台(SH600519)$", "600519.SH"),
        ("贵州茅台(600519)", "600519.SH"),
        ("贵州茅台 SH600519", "600519.SH"),
        ("贵州茅台", "600519.SH"),
        ("茅台", "600519.SH"),
        ("茅台股票", "600519.SH"),
        ("贵 州 茅 台", "600519.SH"),
        ("贵州茅台酒股份有限公司", "600519.SH"),
        ("gzmt", "600519.SH"),
        ("guizhoumaotai", "600519.SH"),
        ("maotai", "600519.SH"),
        ("招行", "600036.SH"),
        ("东财", "300059.SZ"),
        ("万科", "000002.SZ"),
        ("万科A", "000002.SZ"),
        ("深发展A", "000001.SZ"),
        ("中国南车", "601766.SH"),
        ("payh", "000001.SZ"),
        ("腾讯", "00700.HK"),
        ("700", "00700.HK"),
        ("tencent", "00700.HK"),
        ("Apple", "AAPL"),
        ("apple inc", "AAPL"),
        ("aapl", "AAPL"),
        ("苹果", "AAPL"),
        ("000001.SH", "000001.SH"),
        ("上证指数", "000001.SH"),
        ("上证综指", "000001.SH"),
        ("大盘", "000001.SH"),
        ("HSI", "HSI"),
        ("恒生指数", "HSI"),
        ("IXIC", "IXIC"),
        ("纳斯达克", "IXIC"),
        ("nasdaq", "IXIC"),
        ("平安银行 000001", "000001.SZ"),
        ("上证指数(000001)", "000001.SH"),
    ],
)
def test_one_company_is_found_however_it_is_written(text: str, symbol: str) -> None:
    assert names().resolve(text) == Symbol(symbol)


def test_ping_an_is_asked_back_with_both_companies_and_both_markets() -> None:
    assert {"000001.SZ", "601318.SH", "02318.HK"} <= set(choices("平安"))


def test_a_code_that_is_a_stock_and_an_index_is_asked_back() -> None:
    assert set(choices("000001")) == {"000001.SZ", "000001.SH"}


def test_a_code_whose_index_is_not_loaded_is_still_asked_back() -> None:
    assert choices("000016") == ("000016.SZ", "000016.SH")


def test_a_name_listed_in_two_markets_is_asked_back_unless_the_market_is_said() -> None:
    assert choices("中国平安") == ("601318.SH", "02318.HK")
    assert choices("招商银行") == ("600036.SH", "03968.HK")
    assert names().resolve("中国平安H股") == Symbol("02318.HK")
    assert names().resolve("中国平安(A股)") == Symbol("601318.SH")
    assert names().resolve("港股中国平安") == Symbol("02318.HK")
    assert names().resolve("招商银行 HK") == Symbol("03968.HK")


def test_a_name_that_contradicts_its_code_is_asked_back() -> None:
    assert set(choices("贵州茅台(600036)")) == {"600036.SH", "600519.SH"}


def test_a_shared_beginning_is_asked_back_and_not_guessed() -> None:
    assert {"600030.SH", "601998.SH"} <= set(choices("中信"))


def test_an_unknown_company_gets_the_nearest_names() -> None:
    assert choices("贵州茅苔")[0] == "600519.SH"
    with pytest.raises(InputError, match="not listed here"):
        names().resolve("字节跳动")


def test_a_well_formed_code_that_is_not_listed_is_refused_with_near_codes() -> None:
    assert "600981.SH" in choices("SH688981")  # listed three years after the snapshot
    assert "01999.HK" in choices("99999")


def test_a_part_of_an_english_word_is_no_name() -> None:
    with pytest.raises(InputError):
        names().resolve("microsoft")  # not in the source; Smith Micro Software is another company


@pytest.mark.parametrize("text", ["", "   ", "茅" * 100, "。", "*", "(", "$$"])
def test_what_is_no_name_at_all_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        names().resolve(text)


def test_lower_case_letters_that_are_a_ticker_and_initials_are_asked_back() -> None:
    rows = [
        NameRow("ABCD", "ABCD Inc", "US", "stock", None, (), (), (), None, "ABCD Inc"),
        NameRow("600001.SH", "爱比西地", "CN", "stock", None, (), (), ("abcd",), None, None),
    ]
    small = Names(rows)
    assert small.resolve("ABCD") == Symbol("ABCD")
    with pytest.raises(InputError) as caught:
        small.resolve("abcd")
    assert set(caught.value.choices) == {"ABCD", "600001.SH"}


def test_a_name_is_given_back_and_an_unlisted_symbol_is_its_own_name() -> None:
    assert names().name(Symbol("600519.SH")) == "贵州茅台"
    assert names().name("HSI") == "恒生指数"
    assert names().name("999999.XX") == "999999.XX"
    row = names().row("00700.HK")
    assert row is not None
    assert row.market == "HK"
    assert names().row("999999.XX") is None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("gzmt", "600519.SH"),
        ("茅台", "600519.SH"),
        ("60051", "600519.SH"),
        ("apple", "AAPL"),
        ("万科", "000002.SZ"),
        ("上证", "000001.SH"),
        ("腾讯", "00700.HK"),
    ],
)
def test_a_search_puts_the_best_first(text: str, first: str) -> None:
    assert names().search(text, 5)[0].symbol == first


def test_a_search_for_ping_an_has_both_mainland_companies_at_the_top() -> None:
    assert {row.symbol for row in names().search("平安", 2)} == {"000001.SZ", "601318.SH"}


@pytest.mark.parametrize("text", ["", " ", "\\", "没有这个名字的公司", "x" * 500, "\x00"])
def test_a_search_never_raises(text: str) -> None:
    assert names().search(text, 5) == ()
    assert names().search("平安", 0) == ()
