import pytest

from services.core.errors import InputError
from services.core.requests import Bound, ScreenRequest
from services.market.screener import screen_request


def test_without_arguments_the_first_ten_a_shares_by_symbol_are_asked() -> None:
    assert screen_request({}) == ScreenRequest(
        market="CN", bounds=(), order_by="symbol", order="desc", size=10, offset=0
    )


def test_the_seeds_own_example_is_read() -> None:
    request = screen_request(
        {"category": "HK", "pettm": "0_max", "netprofi": "1亿_max", "pb": "0_2", "order": "asc"}
    )
    assert request.market == "HK"
    assert request.bounds == (
        Bound(field="pb", at_least=0.0, below=2.0),
        Bound(field="netprofit", above=100_000_000.0),
    )
    assert request.order == "asc"


def test_none_takes_the_default() -> None:
    assert screen_request({"size": None, "pettm": None, "order": None}).size == 10


def test_the_seeds_misspelling_also_orders() -> None:
    assert screen_request({"order_by": "netprofi"}).order_by == "netprofit"


def test_a_whole_number_may_arrive_as_text_or_as_a_float() -> None:
    assert screen_request({"size": "25"}).size == 25
    assert screen_request({"size": 25.0}).size == 25


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("category", "cn", "CN | HK | US"),
        ("category", "A股", "CN | HK | US"),
        ("category", 1, "CN | HK | US"),
        ("category", "", "CN | HK | US"),
        ("order", "down", "asc | desc"),
        ("order", ["asc"], "asc | desc"),
        ("order_by", "price", "symbol | pct"),
        ("order_by", "pettm desc", "symbol | pct"),
        ("size", 0, "from 1 to 500"),
        ("size", 501, "from 1 to 500"),
        ("size", -3, "from 1 to 500"),
        ("size", 2.5, "from 1 to 500"),
        ("size", True, "from 1 to 500"),
        ("size", "ten", "from 1 to 500"),
        ("size", "１０", "from 1 to 500"),
        ("size", float("nan"), "from 1 to 500"),
        ("size", float("inf"), "from 1 to 500"),
        ("offset", -1, "from 0"),
        ("industry", "", "name of an industry"),
        ("industry", 7, "name of an industry"),
        ("industry", "行" * 41, "name of an industry"),
        ("pe", "0_2", "no such argument"),
        ("PETTM", "0_2", "no such argument"),
        ("pettm", "0~2", "2_max"),
    ],
)
def test_a_bad_argument_is_named_with_what_is_valid(name: str, value: object, says: str) -> None:
    with pytest.raises(InputError) as caught:
        screen_request({name: value})
    assert caught.value.name == name
    assert says in str(caught.value.valid)


def test_the_two_spellings_of_net_profit_must_agree() -> None:
    assert screen_request({"netprofi": "1_max", "netprofit": "1_max"}).bounds
    with pytest.raises(InputError, match="twice"):
        screen_request({"netprofi": "1_max", "netprofit": "2_max"})
