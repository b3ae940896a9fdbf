"""Companies side by side over the real snapshot, against pandas over the bundle's own files.

600036.SH, 601766.SH, 000002.SZ, 002594.SZ and 00700.HK have a session together last on 2017-07-20;
365 days before lies 2016-07-20, which all have too.
"""

from datetime import date
from functools import cache
from math import sqrt

import pandas as pd
import pytest

from services.core.claims import Claim, DerivedCite, Missing
from services.core.errors import InputError
from services.core.verifier import verify
from services.views.compare.ranking import rank_figures
from services.views.compare.view import ComparedRow, CompareRequest, CompareView
from services.workbench.replay import replay
from tests.unit.reports.bundled import desk, services, session

FIVE = ("600036.SH", "601766.SH", "000002.SZ", "002594.SZ", "00700.HK")


@cache
def view(*symbols: str, span: str = "1y", indexes: bool = False) -> CompareView:
    return desk().compare_companies(CompareRequest(symbols, span, indexes), session())


def row(metric: str, *symbols: str) -> ComparedRow:
    return next(one for one in view(*(symbols or FIVE)).rows if one.metric == metric)


def closes() -> pd.DataFrame:
    """Day × company, as the sources' rows have them."""
    columns = {
        line.symbol: {bar.date: bar.close for bar in line.history.bars}
        for line in view(*FIVE).lines
    }
    return pd.DataFrame(columns).sort_index()


def test_the_span_is_the_first_and_last_session_all_have() -> None:
    common = closes().dropna().index
    last = max(common)
    assert (view(*FIVE).last, last) == (date(2017, 7, 20), date(2017, 7, 20))
    assert view(*FIVE).first == min(day for day in common if (last - day).days <= 365)


def test_change_drawdown_volatility_and_the_rebased_end_are_those_of_pandas() -> None:
    shown = view(*FIVE)
    for place, symbol in enumerate(FIVE):
        prices = closes()[symbol].loc[shown.first : shown.last].dropna()
        wanted = {
            "span_change": (prices.iloc[-1] / prices.iloc[0] - 1) * 100,
            "span_drawdown": (1 - prices / prices.cummax()).max() * 100,
            "span_volatility": prices.pct_change().dropna().std() * sqrt(250) * 100,
        }
        for metric, value in wanted.items():
            figure = row(metric).figures[place]
            assert isinstance(figure, Claim)
            assert figure.value == pytest.approx(value, rel=1e-9)
            assert isinstance(figure.cite, DerivedCite)
        end = shown.lines[place].end
        assert isinstance(end, Claim)
        assert end.value == pytest.approx(100 * prices.iloc[-1] / prices.iloc[0])


def test_multiples_stand_at_the_last_common_close() -> None:
    # The source valued 招商银行 at 21.91 with PE LYR 8.90; its close of 2017-07-20 is 25.20.
    close = closes()["600036.SH"].loc[date(2017, 7, 20)]
    figure = row("pe_lyr").figures[0]
    assert isinstance(figure, Claim)
    assert figure.as_of == date(2017, 7, 20)
    assert figure.value == pytest.approx(8.9 * close / 21.91, rel=1e-3)


def test_best_and_last_go_by_direction_and_are_not_told_of_size_leverage_or_two_currencies() -> (
    None
):
    values = [one.value for one in row("pe_lyr").figures if isinstance(one, Claim)]
    assert row("pe_lyr").best == values.index(min(values))
    assert row("pe_lyr").last == values.index(max(values))
    growth = [one.value for one in row("revenue_yoy").figures if isinstance(one, Claim)]
    assert row("revenue_yoy").best == growth.index(max(growth))
    for metric in ("market_cap", "revenue", "debt_to_assets"):
        assert (row(metric).best, row(metric).last) == (None, None)
        assert row(metric).remark
    assert "币种" in row("market_cap").remark.zh


def _multiple(value: float, symbol: str = "600036.SH") -> Claim:
    known = next(one for one in row("pe_lyr").figures if isinstance(one, Claim))
    return known.model_copy(update={"value": value, "symbol": symbol})


@pytest.mark.parametrize(
    ("values", "marked"),
    [
        ((10.0, 20.0), (None, None)),  # three values at least
        ((10.0, 10.0, 20.0), (None, 2)),  # a tie is unmarked
        ((-5.0, 10.0, 20.0), (None, None)),  # a loss is not cheap, and two are left
        ((-5.0, 10.0, 20.0, 30.0), (1, 3)),
    ],
)
def test_few_values_ties_and_losses(
    values: tuple[float, ...], marked: tuple[int | None, int | None]
) -> None:
    figures = [_multiple(one) for one in values]
    found = rank_figures("pe_lyr", figures, old=frozenset())
    assert (found.best, found.last) == marked


def test_what_is_missing_says_why_and_a_name_nobody_has_is_a_column_that_says_so() -> None:
    figure = row("pe_ttm").figures[4]
    assert isinstance(figure, Missing)
    assert figure.reason.zh in row("pe_ttm").remark.zh
    shown = view("600036.SH", "601398.SH", "没有这家")
    assert [bool(one.failed) for one in shown.entries] == [False, True, True]
    assert [one.symbol for one in shown.lines] == ["600036.SH"]
    assert len(shown.lacking) == 2
    assert all(len(one.figures) == 3 for one in shown.rows)


def test_every_figure_is_verified_exported_and_comes_out_the_same_again() -> None:
    shown = view(*FIVE, indexes=True)
    assert verify(list(shown.claims.values()), shown.trace, services().clock.now()).ok
    drawn = {one.claim_id for kept in shown.rows for one in kept.figures if isinstance(one, Claim)}
    tabled = {
        cell.claim_id
        for table in shown.tables()
        for line in table.rows
        for cell in line.cells.values()
        if isinstance(cell, Claim)
    }
    assert drawn <= tabled <= set(shown.claims)
    assert [one.symbol for one in shown.lines if one.is_index] == ["000001.SH", "HSI"]
    assert replay(services(), shown.run_ids[0], "zh").holds


def test_the_chart_as_a_table_ends_where_the_chart_ends() -> None:
    shown = view(*FIVE)
    last = shown.monthly.rows[-1]
    assert last.cells["day"] == "2017-07-20"
    assert [last.cells[one.symbol] for one in shown.lines] == [one.end for one in shown.lines]


@pytest.mark.parametrize("symbols", [("600036.SH",), (*FIVE, "600519.SH", "000001.SZ")])
def test_fewer_than_two_or_more_than_six_are_refused(symbols: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        view(*symbols)
