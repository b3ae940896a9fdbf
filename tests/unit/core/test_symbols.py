import pytest

from services.core.errors import InputError
from services.core.symbols import Symbol


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("600519", "600519.SH"),
        ("SH600519", "600519.SH"),
        ("sh600519", "600519.SH"),
        ("600519.SS", "600519.SH"),
        ("600519.SH", "600519.SH"),
        (" 600519.sh ", "600519.SH"),
        ("$贵州茅台(SH600519)$", "600519.SH"),
        ("0700.HK", "00700.HK"),
        ("700", "00700.HK"),
        ("700.HK", "00700.HK"),
        ("hk00700", "00700.HK"),
        ("00700", "00700.HK"),
        ("AAPL", "AAPL"),
        ("aapl", "AAPL"),
        ("AAPL.US", "AAPL"),
        ("usAAPL", "AAPL"),
        ("BRK-B", "BRK.B"),
        ("BRK_B", "BRK.B"),
        ("300059", "300059.SZ"),
        ("002594", "002594.SZ"),
        ("688001", "688001.SH"),
        ("920163", "920163.BJ"),
        ("SH000001", "000001.SH"),
        ("000001.SZ", "000001.SZ"),
        ("399001", "399001.SZ"),
        ("HSI", "HSI"),
        ("HKHSI", "HSI"),
        (".IXIC", "IXIC"),
        ("510300", "510300.SH"),
        ("159915", "159915.SZ"),
    ],
)
def test_every_spelling_people_write_becomes_the_one_inside(text: str, inside: str) -> None:
    assert Symbol.parse(text).value == inside


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "999999",
        "1234567",
        "SH123456",
        "SZ600519",
        "600519.HK",
        "600519.XX",
        "贵州茅台!",
        "BJ600519",
        "-600519",
        "TOOLONGX",
        "60O519",
        "\x00",
        "00700.US1",
    ],
)
def test_anything_else_is_refused_with_the_valid_forms(text: str) -> None:
    with pytest.raises(InputError, match="symbol"):
        Symbol.parse(text)


def test_a_bare_number_that_is_stock_and_index_is_asked_back() -> None:
    with pytest.raises(InputError) as caught:
        Symbol.parse("000001")
    assert caught.value.choices == ("000001.SZ", "000001.SH")


@pytest.mark.parametrize(
    ("text", "board", "market", "currency", "xueqiu"),
    [
        ("600519", "main", "CN", "CNY", "SH600519"),
        ("300059", "chinext", "CN", "CNY", "SZ300059"),
        ("688001", "star", "CN", "CNY", "SH688001"),
        ("920163", "bse", "CN", "CNY", "BJ920163"),
        ("900901", "b_share", "CN", "USD", "SH900901"),
        ("200002", "b_share", "CN", "HKD", "SZ200002"),
        ("SH000001", "index", "CN", "CNY", "SH000001"),
        ("399006", "index", "CN", "CNY", "SZ399006"),
        ("700", "hk", "HK", "HKD", "00700"),
        ("HSI", "index", "HK", "HKD", "HSI"),
        ("TSLA", "us", "US", "USD", "TSLA"),
        ("IXIC", "index", "US", "USD", "IXIC"),
    ],
)
def test_a_symbol_knows_its_board_market_currency_and_wire_spelling(
    text: str, board: str, market: str, currency: str, xueqiu: str
) -> None:
    symbol = Symbol.parse(text)
    assert (symbol.board, symbol.market, symbol.currency, symbol.xueqiu) == (
        board,
        market,
        currency,
        xueqiu,
    )


@pytest.mark.parametrize(
    ("text", "is_a_share", "is_fund"),
    [
        ("600519", True, False),
        ("920163", True, False),
        ("900901", False, False),
        ("SH000001", False, False),
        ("399006", False, False),
        ("510300", False, True),
        ("159915", False, True),
        ("00700", False, False),
        ("TSLA", False, False),
    ],
)
def test_a_fund_an_index_and_a_b_share_are_no_a_share(
    text: str, is_a_share: bool, is_fund: bool
) -> None:
    symbol = Symbol.parse(text)
    assert (symbol.is_a_share, symbol.is_fund) == (is_a_share, is_fund)


@pytest.mark.parametrize("ticker", ["USB", "USAR", "USE", "USFD", "US"])
def test_a_ticker_that_begins_with_us_is_that_company_and_no_other(ticker: str) -> None:
    assert Symbol.parse(ticker).value == ticker
    assert Symbol.parse(f"US.{ticker}").value == ticker
    assert Symbol.parse(f"us{ticker}").value == ticker
