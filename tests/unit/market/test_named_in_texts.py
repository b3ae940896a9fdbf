"""What texts may call a company, and which companies a text names."""

import pytest

from services.core.symbols import Symbol
from services.market.names.names import Names
from tests.unit.tools.scripted import names as bundled


@pytest.fixture(scope="module")
def names() -> Names:
    return bundled()


def test_a_company_is_called_by_its_own_names_and_by_others(names: Names) -> None:
    own, other = names.list_names(Symbol("600519.SH"))
    assert own == ("贵州茅台", "贵州茅台酒股份有限公司", "600519")
    assert other == ("茅台", "moutai", "kweichow moutai", "贵茅", "茅子", "G茅台")
    assert names.list_names("AAPL").other == ("apple",)


def test_an_index_is_not_called_by_a_code_that_a_stock_has_too(names: Names) -> None:
    assert "000001" not in names.list_names("000001.SH").own


def test_what_is_not_listed_has_no_names(names: Names) -> None:
    assert names.list_names("999999.SH") == ((), ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("贵州茅台三季报", ("贵州茅台",)),
        ("茅台 分红", ("茅台",)),
        ("$贵州茅台(SH600519)$ 回购", ("SH600519", "贵州茅台")),
        ("00700.HK 业绩", ("00700.HK",)),
        ("订单 1600519 号", ()),
        ("三季报现金流", ()),
        ("", ()),
    ],
)
def test_a_text_names_listed_companies_by_code_and_name(
    names: Names, text: str, found: tuple[str, ...]
) -> None:
    assert names.find_mentioned(text) == found
