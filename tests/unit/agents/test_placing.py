"""A figure that a text types is refused though it is right: nobody could open it."""

import pytest

from services.agents.draft_check import Proof, refusals_of
from services.core.rendering import place
from tests.unit.agents.kit import ASKED, DAY, claim

REVENUE = claim("revenue", 240_477_240_000.0, "CNY", period="2016_Q4", as_of=DAY)
GROWTH = claim("revenue_yoy", 22.975, "percent", period="2016_Q4", as_of=DAY)
PE = claim("pe_ttm", 10.14, "multiple", as_of=DAY)
PROOF = Proof((REVENUE, GROWTH, PE), {"600036.SH": ("招商银行",)}, ("利润 999 亿",))


def _checks(written: str) -> list[str]:
    return [one.check for one in refusals_of(written, ASKED, PROOF, 1)]


@pytest.mark.parametrize(
    "written",
    [
        "市盈率(TTM)为10.14倍。",
        "市盈率(TTM)约10倍。",
        "2016年报营业收入2,404.77亿元。",
        "2016年报营业收入超过2400亿元。",
        "2016年报营收同比增长二成三。",
        f"市盈率(TTM)为{place(PE)}，2016年报营业收入2,404.77亿元。",
    ],
)
def test_a_typed_figure_is_refused_though_it_is_right(written: str) -> None:
    assert _checks(written) == ["unplaced"]


@pytest.mark.parametrize(
    "written",
    [
        f"市盈率(TTM)为{place(PE)}，2016年报营业收入{place(REVENUE)}，同比{place(GROWTH)}。",
        f"市盈率(TTM)为{place(PE, short=True)}，2016年报营业收入{place(REVENUE, short=True)}。",
        "截至2017-07-26没有其他数据。",
        "20 日均线没有给出。",
    ],
)
def test_places_and_what_is_no_figure_hold(written: str) -> None:
    assert _checks(written) == []


def test_a_wrong_figure_is_told_as_one() -> None:
    assert _checks("市盈率(TTM)为10.14倍，净利润 5 亿元。")[0] != "unplaced"
