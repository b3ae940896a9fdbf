"""Which company a short word typed in the search box means."""

import pytest

from services.views.meant import company_meant
from tests.unit.market.bundled import names


@pytest.mark.parametrize(
    ("typed", "symbol"),
    [
        ("zsyh", "600036.SH"),  # 中信银行 is spelled zxyh, 浙商银行 is listed in Hong Kong alone
        ("gsyh", "601398.SH"),  # and in Hong Kong
        ("bank of china", "601988.SH"),
        ("payh", "000001.SZ"),
        ("00700.HK", "00700.HK"),
        ("tencent", "00700.HK"),
    ],
)
def test_one_name_spelled_like_that_is_the_company(typed: str, symbol: str) -> None:
    assert company_meant(names(), typed) == symbol


@pytest.mark.parametrize("typed", ["jsyh", "wly", "招商", "中国", "qqqqqqq"])
def test_names_that_are_alike_or_only_begin_like_that_are_asked_back(typed: str) -> None:
    assert company_meant(names(), typed) == typed
