"""Prices over days, against pandas on the bundled bars: what a window begins with, ends with and
lacks; sessions at which something holds.
"""

import math
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from random import Random
from typing import Literal

import pandas as pd
import pytest
from numpy import busday_count

from services.core.claims import Claim, Missing
from services.query.algebra import nodes as a
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames

WITH_BARS = ("600036.SH", "601766.SH", "000002.SZ", "600809.SH", "00700.HK", "AAPL", "TSLA")


@cache
def _by_symbol() -> dict[str, pd.DataFrame]:
    return {str(one): own.set_index("date") for one, own in frames().bars.groupby("symbol")}


def bars(symbol: str) -> pd.DataFrame:
    return _by_symbol()[symbol]


@cache
def _ends(symbol: str) -> tuple[date, date]:
    days = bars(symbol).index
    return days[0], days[-1]


@cache
def _lost() -> dict[str, list[date]]:
    return {str(one): own.start.tolist() for one, own in frames().gaps.groupby("symbol")}


def is_lost(symbol: str, first: date, last: date) -> bool:
    """Whether the source lost a session on one of these days, or has not all of them."""
    begins, ends = _ends(symbol)
    gone = ends < last - timedelta(days=12) or begins > first
    return gone or any(first <= day <= last for day in _lost().get(symbol, ()))


def named(*symbols: str) -> a.In:
    return a.In(dim="symbol", values=symbols)


def window(seed: int) -> a.When:
    random = Random(seed)
    first = date(2012, 1, 1) + timedelta(days=random.randrange(1700))
    last = first + timedelta(days=random.randrange(20, 300))
    return a.When(kind="days", first=first, last=min(last, date(2017, 7, 26)))


def symbols() -> list[str]:
    known = set(frames().bars.symbol)
    return [one for one in WITH_BARS if one in known]


@pytest.mark.parametrize("seed", range(25))
def test_a_change_is_from_the_close_before_the_window_to_its_last(seed: int) -> None:
    asked_for, symbol = window(seed), symbols()[seed % len(symbols())]
    assert isinstance(asked_for.first, date)
    assert isinstance(asked_for.last, date)
    query = a.Query(
        scope=named(symbol),
        show=(a.Change(how="rate", of="close", since=asked_for, until=asked_for),),
    )
    asked = ask(query)
    assert asked.failures == ()
    closes = bars(symbol).close
    before = closes[closes.index < asked_for.first]
    inside = closes[closes.index <= asked_for.last]
    (row,) = asked.outcome.rows
    figure = row.figures["figure_1"]
    lost = before.empty or is_lost(symbol, before.index[-1], asked_for.first - timedelta(days=1))
    lost = lost or is_lost(symbol, inside.index[-1], asked_for.last)
    if lost:
        assert isinstance(figure, Missing)
        return
    assert isinstance(figure, Claim)
    assert math.isclose(figure.value, (inside.iloc[-1] / before.iloc[-1] - 1) * 100)


@pytest.mark.parametrize("seed", range(25))
def test_a_fold_over_sessions_is_of_those_there_are_and_tells_which_lack(seed: int) -> None:
    asked_for, symbol = window(seed + 100), symbols()[seed % len(symbols())]
    assert isinstance(asked_for.first, date)
    assert isinstance(asked_for.last, date)
    how = ("max", "min", "mean", "median")[seed % 4]
    query = a.Query(
        scope=named(symbol),
        show=(a.Over.model_validate({"how": how, "of": "close", "window": asked_for}),),
    )
    asked = ask(query)
    assert asked.failures == ()
    closes = bars(symbol).close
    inside = closes[(closes.index >= asked_for.first) & (closes.index <= asked_for.last)]
    figure = asked.outcome.rows[0].figures["figure_1"]
    if isinstance(figure, Missing):
        assert len(inside) < busday_count(asked_for.first, asked_for.last) / 2
        return
    assert math.isclose(figure.value, getattr(inside, how)())
    notes = [note.zh for note in asked.outcome.notes]
    is_told = any("没有计入" in note for note in notes)
    assert is_told or not is_lost(symbol, asked_for.first, asked_for.last)
    if how in {"max", "min"}:
        day = inside.idxmax() if how == "max" else inside.idxmin()
        assert any(note.endswith(f"在 {day}") for note in notes)


def test_days_of_a_company_in_order() -> None:
    asked_for = a.When(kind="days", first=date(2016, 1, 1), last=date(2016, 12, 31))
    query = a.Query(
        rows="days",
        scope=named("600036.SH"),
        window=asked_for,
        show=(a.Metric(id="close", when=a.OWN),),
        order=(a.Order(by=a.Metric(id="close", when=a.OWN)),),
        take=a.Take(count=3),
    )
    asked = ask(query)
    closes = bars("600036.SH").close
    inside = closes[(closes.index >= date(2016, 1, 1)) & (closes.index <= date(2016, 12, 31))]
    wanted = inside.sort_index().sort_values(ascending=False, kind="stable")[:3]
    assert asked.failures == ()
    assert [row.label.zh for row in asked.outcome.rows] == [str(day) for day in wanted.index]
    assert [one.value for one in asked.outcome.claims] == wanted.tolist()


def _moves(symbol: str) -> pd.Series:
    closes = bars(symbol).close
    moves = (closes / closes.shift(1) - 1) * 100
    days = closes.index
    broken = [
        day for before, day in pairwise(days) if is_lost(symbol, before + timedelta(days=1), day)
    ]
    return moves.drop(broken).dropna()


@pytest.mark.parametrize("rows", ["years", "quarters", "months"])
def test_each_period_is_of_its_own_sessions(rows: Literal["years", "quarters", "months"]) -> None:
    spans = {"years": a.When(kind="years", first=2013, last=2016)}
    spans["quarters"] = a.When(kind="quarters", first=date(2016, 3, 31), last=date(2016, 12, 31))
    spans["months"] = a.When(kind="days", first=date(2016, 1, 1), last=date(2016, 12, 31))
    shown: tuple[a.Expr, ...] = (
        a.Metric(id="close", when=a.OWN),
        a.Over(how="max", of="high", window=a.OWN),
        a.Over(how="mean", of="close", window=a.OWN),
        a.Change(how="rate", of="close", since=a.OWN, until=a.OWN),
    )
    query = a.Query(rows=rows, scope=named("00700.HK"), window=spans[rows], show=shown)
    asked = ask(query)
    assert asked.failures == ()
    own = bars("00700.HK")
    months = pd.PeriodIndex(pd.to_datetime(own.index), freq=rows[0].upper())
    closes = own.close.groupby(months).last()
    wanted = pd.DataFrame(
        {
            "close": closes,
            "high": own.high.groupby(months).max(),
            "mean": own.close.groupby(months).mean(),
            "rate": (closes / closes.shift() - 1) * 100,
        }
    )
    found = {row.label.zh: row.figures.values() for row in asked.outcome.rows}
    names = {
        "years": [f"{year}年" for year in range(2013, 2017)],
        "quarters": [f"2016年{one}季度" for one in "一二三四"],
        "months": [f"2016年{month}月" for month in range(1, 13)],
    }
    assert list(found) == names[rows]
    times = wanted.loc["2013" if rows == "years" else "2016-01" : "2016-12"]
    for figures, (_, line) in zip(found.values(), times.iterrows(), strict=True):
        values = [one.value for one in figures if isinstance(one, Claim)]
        assert values == pytest.approx(line.tolist())


def test_sessions_at_which_something_held() -> None:
    asked_for = a.When(kind="days", first=date(2017, 6, 1), last=date(2017, 7, 26))
    query = a.Query(
        rows="events",
        scope=a.In(dim="market", values=("CN",)),
        window=asked_for,
        where=a.Compare(
            sign="gt", left=a.Metric(id="pct_change", when=a.OWN), right=a.Const(value=4)
        ),
    )
    asked = ask(query)
    wanted = [
        (symbol, day)
        for symbol in sorted(set(frames().bars.symbol) & set(frames().companies.index))
        if frames().companies.market[symbol] == "CN"
        for day, move in _moves(symbol).items()
        if date(2017, 6, 1) <= day <= date(2017, 7, 26) and move > 4
    ]
    assert wanted
    assert asked.failures == ()
    found = [(one.symbol, one.as_of) for one in asked.outcome.claims]
    assert sorted(found) == sorted(wanted)
    assert any("有日线" in one.zh for one in (*asked.outcome.sentences, *asked.outcome.notes))


def test_companies_with_such_a_session_and_a_run_of_them() -> None:
    asked_for = a.When(kind="days", first=date(2017, 1, 1), last=date(2017, 7, 26))
    up = a.Compare(sign="gt", left=a.Metric(id="pct_change", when=a.OWN), right=a.Const(value=5))
    mainland = a.In(dim="market", values=("CN",))
    query = a.Query(scope=mainland, where=a.Exists(window=asked_for, test=up, least=2))
    wanted = {
        symbol
        for symbol in set(frames().bars.symbol) & set(frames().companies.index)
        if frames().companies.market[symbol] == "CN"
        and (_moves(symbol)[date(2017, 1, 1) : date(2017, 7, 26)] > 5).sum() >= 2
    }
    assert wanted
    assert {row.symbol for row in ask(query).outcome.rows} == wanted


def test_the_deepest_fall_is_from_a_close_to_a_later_one() -> None:
    asked_for = a.When(kind="days", first=date(2013, 1, 1), last=date(2013, 6, 30))
    found = 0
    for symbol in symbols():
        query = a.Query(scope=named(symbol), show=(a.Course(how="drawdown", window=asked_for),))
        asked = ask(query)
        assert asked.failures == ()
        figure = asked.outcome.rows[0].figures["figure_1"]
        closes = bars(symbol).close
        inside = closes[(closes.index >= date(2013, 1, 1)) & (closes.index <= date(2013, 6, 30))]
        if isinstance(figure, Missing):
            assert inside.empty
            continue
        found += 1
        assert math.isclose(figure.value, (inside / inside.cummax() - 1).min() * 100)
    assert found


def test_a_place_in_its_own_history() -> None:
    asked_for = a.When(kind="days", first=date(2013, 1, 1), last=date(2013, 6, 30))
    found = {}
    for symbol in symbols():
        query = a.Query(scope=named(symbol), show=(a.HistoryRank(of="close", window=asked_for),))
        asked = ask(query)
        assert asked.failures == ()
        figure = asked.outcome.rows[0].figures["figure_1"]
        closes = bars(symbol).close
        inside = closes[(closes.index >= asked_for.first) & (closes.index <= asked_for.last)]
        if isinstance(figure, Claim):
            below = (inside[:-1] < inside.iloc[-1]).mean() * 100
            assert math.isclose(figure.value, below)
            found[symbol] = figure.value
    assert found


@pytest.mark.parametrize("seed", range(12))
def test_days_that_satisfy_a_test_are_counted_as_days(seed: int) -> None:
    asked_for, symbol = window(seed), symbols()[seed % len(symbols())]
    closes = bars(symbol).close
    inside = closes[(closes.index >= asked_for.first) & (closes.index <= asked_for.last)]
    line = float(inside.median()) if len(inside) else 1.0
    query = a.Query(
        rows="days",
        scope=named(symbol),
        window=asked_for,
        where=a.Compare(
            sign="gt",
            left=a.Metric(id="close", when=a.When(kind="own")),
            right=a.Const(value=line, unit="price"),
        ),
        fold=(a.Folded(how="count"),),
    )
    asked = ask(query)
    assert asked.failures == ()
    wanted = int((inside > line).sum())
    told = asked.outcome.sentences[0].zh if asked.outcome.sentences else ""
    if wanted:
        (row,) = asked.outcome.rows
        figure = row.figures["fold_1"]
        assert isinstance(figure, Claim)
        assert figure.value == wanted
        assert told.endswith("天。")
    else:
        assert asked.outcome.rows == ()
    first, last = asked_for.first, asked_for.last
    assert isinstance(first, date)
    assert isinstance(last, date)
    is_told = any("没有计入" in note.zh for note in asked.outcome.notes)
    assert is_told or not any(first <= day <= last for day in _lost().get(symbol, ()))


def test_the_price_of_a_set_is_what_its_market_values_stand_on() -> None:
    """Of a market a few have closes: market value over shares, for everybody alike."""
    close, mainland = a.Metric(id="close"), a.In(dim="market", values=("CN",))
    listed = frames().companies.query("market == 'CN'")
    prices = (listed.market_cap / listed.total_shares).dropna()
    folded = ask(a.Query(scope=mainland, fold=(a.Folded(how="median", of=close),))).outcome
    (found,) = [one for row in folded.rows for one in row.figures.values()]
    assert isinstance(found, Claim)
    assert math.isclose(found.value, prices.median(), rel_tol=1e-9)
    dear = a.Compare(sign="gt", left=close, right=a.Const(value=100.0, unit="price"))
    listed_dear = ask(a.Query(scope=mainland, where=dear)).outcome
    assert {row.symbol for row in listed_dear.rows} == {*prices[prices > 100].index}


def test_named_companies_are_priced_alike() -> None:
    """Closes where all have one; where one has none, what the market values stand on, of all."""
    close = a.Metric(id="close")
    for symbols, priced in (
        (("600036.SH", "000002.SZ"), "close"),
        (("600036.SH", "000858.SZ"), "price_implied"),
    ):
        made = ask(a.Query(scope=named(*symbols), show=(close,))).outcome
        figures = [one for row in made.rows for one in row.figures.values()]
        assert {one.metric for one in figures} == {priced}


def test_a_close_ever_above_is_looked_for_session_by_session() -> None:
    closes = bars("00700.HK").close
    ever = a.Compare(
        sign="gt",
        left=a.Metric(id="close", when=a.OWN),
        right=a.Const(value=float(closes.max()) - 0.1, unit="price"),
    )
    for window in (a.ALL, a.When(kind="years", first=2016, last=2017)):
        query = a.Query(scope=named("00700.HK"), check=a.Exists(window=window, test=ever))
        asked = ask(query)
        assert any("是" in one.zh and "否" not in one.zh for one in asked.outcome.sentences)
    never = ever.model_copy(
        update={"right": a.Const(value=float(closes.max()) + 0.1, unit="price")}
    )
    asked = ask(a.Query(scope=named("00700.HK"), check=a.Exists(window=a.ALL, test=never)))
    assert any("否" in one.zh for one in asked.outcome.sentences)
