"""A text from outside, figure by figure, against what the snapshot holds of its companies."""

from functools import cache

import pandas as pd
import pytest

from services.core.errors import InputError
from services.grounding.ground import LONGEST
from services.settings import ROOT
from services.views.text_check import TextCheckView
from tests.unit.reports.bundled import desk, session

FACTS = pd.read_parquet(ROOT / "data" / "snapshot" / "facts.parquet")


@cache
def _read(text: str, about: str = "") -> TextCheckView:
    return desk().check_text(text, session(), about=about)


def _told(text: str, about: str = "") -> list[tuple[str, str, str]]:
    return [(one.span, one.standing, one.mind) for one in _read(text, about).figures]


def _held(symbol: str, metric: str) -> float:
    rows = FACTS.loc[(FACTS["symbol"] == symbol) & (FACTS["metric"] == metric), "value"]
    return float(rows.iloc[-1])


PASTED = (
    "招商银行2016年净利润620.81亿元，同比增长7.60%，营业收入2,190.25亿元，每股收益2.46元。"
    "贵州茅台市盈率31.51倍。"
)


def test_each_figure_of_a_pasted_text_is_told_and_the_wrong_one_with_what_is_held() -> None:
    assert _told(PASTED) == [
        ("620.81亿元", "agrees", ""),
        ("7.60%", "agrees", ""),
        ("2,190.25亿元", "differs", ""),
        ("2.46元", "agrees", ""),
        ("31.51倍", "agrees", ""),
    ]
    wrong = _read(PASTED).figures[2].claims[0]
    assert (wrong.metric, wrong.period, wrong.value) == ("revenue", "2016_Q4", 209_025_000_000)
    row = _read(PASTED).tables()[0].rows[2]
    assert row.cells["held"] == wrong
    assert str(row.cells["about"]).startswith("招商银行 营业收入 2016年报")
    assert set(_read(PASTED).companies) == {"600036.SH", "600519.SH"}


@pytest.mark.parametrize(
    ("symbol", "name", "metric", "called", "unit", "scale"),
    [
        ("600519.SH", "贵州茅台", "pb", "市净率", "倍", 1),
        ("601318.SH", "中国平安", "pe_ttm", "市盈率", "倍", 1),
        ("000333.SZ", "美的集团", "market_cap", "总市值", "亿元", 1e8),
        ("000858.SZ", "五粮液", "pe_ttm", "市盈率", "倍", 1),
    ],
)
def test_what_the_snapshot_holds_agrees_and_a_tenth_more_differs(
    symbol: str, name: str, metric: str, called: str, unit: str, scale: float
) -> None:
    value = _held(symbol, metric) / scale
    ((_, standing, _),) = _told(f"{name}{called}{value:.2f}{unit}。")
    assert standing == "agrees"
    view = _read(f"{name}{called}{value * 1.1:.2f}{unit}。")
    (wrong,) = view.figures
    assert wrong.standing == "differs"
    assert {one.metric for one in wrong.claims} == {metric}
    assert {one.symbol for one in wrong.claims} == {symbol}


def test_what_is_not_held_is_undecided_and_says_why() -> None:
    assert _told("招商银行不良贷款率1.87%。") == [("1.87%", "undecided", "unheld")]
    assert _told("招商银行1998年净利润12亿元。") == [("12亿元", "undecided", "time")]
    row = _read("招商银行1998年净利润12亿元。").tables()[0].rows[0]
    assert row.cells["held"] is None
    assert "2016年报" in str(row.cells["why"])


def test_a_figure_of_another_company_is_held_against_the_one_that_is_named() -> None:
    (one,) = _read("招商银行市盈率31.51倍。").figures  # 贵州茅台's
    assert one.standing == "differs"
    assert {claim.symbol for claim in one.claims} == {"600036.SH"}


def test_a_number_of_another_sentence_is_not_taken_for_the_figure_named_before() -> None:
    text = "Kweichow Moutai has a P/E of 31.51. Its staff is 70,000."
    assert [one[1] for one in _told(text)] == ["agrees", "undecided"]


def test_a_text_that_names_nobody_is_about_the_company_it_was_pasted_for() -> None:
    text = "基本每股收益2.46元/股"
    assert _told(text, "600036.SH") == [("2.46元/股", "agrees", "")]
    (one,) = _told(text)
    assert one[1] == "undecided"
    assert any("没有认出文中的公司" in note.zh for note in _read(text).notes)


@pytest.mark.parametrize("text", ["", "   ", "1" * (LONGEST + 1)])
def test_nothing_and_too_much_are_refused_with_what_is_valid(text: str) -> None:
    with pytest.raises(InputError):
        desk().check_text(text, session())
