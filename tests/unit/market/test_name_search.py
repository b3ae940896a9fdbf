"""The one ranking of what a text may mean, held against the sizes in the bundled files."""

from pathlib import Path

import duckdb
import pytest

from services.core.errors import InputError
from services.core.text import Text
from services.market.names.searching import MARKETS
from services.views.match_words import match_words, unseen_words
from tests.unit.market.bundled import names

_SNAPSHOT = Path(__file__).parents[3] / "data" / "snapshot"


def mainland_by_size(like: str) -> list[str]:
    """Mainland companies so called that have a market value, the largest first."""
    found = duckdb.execute(
        "SELECT c.symbol FROM read_parquet(?) c JOIN read_parquet(?) f USING (symbol) "
        "WHERE f.metric = 'market_cap' AND c.market = 'CN' AND c.kind = 'stock' AND c.name LIKE ? "
        "ORDER BY f.value DESC",
        [str(_SNAPSHOT / "companies.parquet"), str(_SNAPSHOT / "facts.parquet"), like],
    )
    return [row[0] for row in found.fetchall()]


@pytest.mark.parametrize("begins", ["招商", "中国", "华", "东方"])
def test_of_names_that_begin_so_the_larger_stand_first(begins: str) -> None:
    sized = mainland_by_size(f"{begins}%")
    found = [one.row.symbol for one in names().matches(begins) if one.row.symbol in sized]
    assert found == sized


def test_a_company_valued_on_another_market_alone_stands_by_that_size() -> None:
    """工商银行 has no value in Shanghai and the largest of all banks in Hong Kong."""
    found = [one.row.symbol for one in names().matches("gsyh")]
    assert found[0] == "601398.SH"


@pytest.mark.parametrize("text", ["招商", "平安", "工商", "zsyh", "中国", "000001"])
def test_who_is_asked_back_is_asked_in_the_order_of_the_list(text: str) -> None:
    with pytest.raises(InputError) as caught:
        names().resolve(text)
    listed = [one.row.symbol for one in names().matches(text)]
    assert list(caught.value.choices) == [one for one in listed if one in caught.value.choices]
    assert caught.value.choices[0] == listed[0]


def test_what_begins_so_stands_before_what_holds_it_and_home_before_abroad() -> None:
    found = [one for one in names().matches("平安") if one.kind == "name"]
    markets = [MARKETS.index(one.row.market) for one in found]
    assert markets == sorted(markets)
    home = [one.row.name.startswith("平安") for one in found if one.row.market == "CN"]
    assert home == sorted(home, reverse=True)


def test_each_says_what_of_it_fits() -> None:
    told = {one.row.symbol: match_words(one, "招商") for one in names().matches("招商")}
    assert told["600036.SH"] == Text("名称含「招商」", "named 招商银行")
    assert told["000703.SZ"] == Text("曾用名招商股份", "formerly 招商股份")
    spelled = {one.row.symbol: match_words(one, "ZSYH").zh for one in names().matches("ZSYH")}
    assert spelled["600036.SH"] == "拼音首字母 zsyh"


def test_the_list_says_only_what_the_name_and_code_do_not_show() -> None:
    told = {one.row.symbol: unseen_words(one, "招商") for one in names().matches("招商")}
    assert not told["600036.SH"]
    assert told["000703.SZ"].zh == "曾用名招商股份"
