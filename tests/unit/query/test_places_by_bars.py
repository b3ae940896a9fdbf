"""Places and folds by what became of prices are among the companies with daily bars, and say how
many these are; by pandas over the parquet.
"""

from functools import cache
from typing import Any

import pandas as pd
import pytest

from services.query.answering.answers import Answered
from services.settings import ROOT
from tests.unit.query.bundled_query import youju

SNAPSHOT = ROOT / "data" / "snapshot"


@cache
def moves() -> Any:
    """By how many per cent each A share with bars went from the last close of 2016 on."""
    companies: Any = pd.read_parquet(SNAPSHOT / "companies.parquet")
    bars: Any = pd.read_parquet(SNAPSHOT / "bars.parquet").sort_values("date")
    shares = companies[(companies.market == "CN") & (companies.kind == "stock")]
    bars = bars[bars.symbol.isin(shares.symbol)]
    bars = bars.merge(shares[["symbol", "name"]], on="symbol")
    before = bars[bars.date.astype(str) < "2017"].groupby("name").close.last()
    return ((bars.groupby("name").close.last() / before - 1) * 100).dropna()


def asked(text: str) -> Answered:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def notes(found: Answered) -> str:
    return " ".join(str(note) for note in found.draft.notes)


@pytest.mark.parametrize("name", ["招商银行", "科大讯飞", "万科A", "比亚迪", "乐视网"])
def test_a_place_by_the_move_of_prices_is_among_those_with_bars(name: str) -> None:
    found, known = asked(f"{name}今年涨幅在A股排第几"), moves()
    place = int((known > known[name]).sum()) + 1
    assert f"名次 {place}名" in found.text
    assert f"{known[name]:.2f}%" in found.text
    assert f"公司数 {len(known)}家" in found.text


def test_among_those_named_each_has_its_place() -> None:
    found, named = (
        asked("今年涨幅：万科、招行、科大讯飞，万科排第几"),
        ["万科A", "招商银行", "科大讯飞"],
    )
    order = moves()[named].sort_values(ascending=False)
    for place, name in enumerate(order.index, start=1):
        line = next(one for one in found.text.split("；") if one.startswith(name))
        assert f"名次 {place}名" in line


def test_a_median_of_moves_says_of_how_many_it_is() -> None:
    found, known = asked("A股今年涨幅的中位数"), moves()
    assert f"为 {known.median():.2f}%" in found.text
    assert f"有所需日线的{len(known)}家" in notes(found)


def test_beside_the_mean_of_an_industry_stands_of_how_many_it_is() -> None:
    assert "公司数是1家，共22家" in notes(asked("招商银行今年涨幅比银行平均高多少"))
    assert "公司数是10家，共22家" in notes(asked("招商银行市盈率比行业平均高多少"))


def test_deepest_falls_of_companies_are_folded_each_of_its_own_bars() -> None:
    bars: Any = pd.read_parquet(SNAPSHOT / "bars.parquet").sort_values("date")
    names: Any = pd.read_parquet(SNAPSHOT / "companies.parquet").set_index("symbol").name
    falls = {
        names[symbol]: ((one.close / one.close.cummax() - 1) * 100).min()
        for symbol, one in bars[bars.date.astype(str) >= "2016-12-30"].groupby("symbol")
    }
    found = asked("招商银行今年最大回撤在A股排第几")
    assert f"{falls['招商银行']:.2f}%" in found.text
    among = [falls[name] for name in moves().index]
    assert f"名次 {sum(one > falls['招商银行'] for one in among) + 1}名" in found.text


def test_groups_by_moves_are_told() -> None:
    assert "计算机，74.36%" in asked("今年哪个行业涨幅中位数最高").text
