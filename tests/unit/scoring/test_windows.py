"""Every figure over sessions, of every bundled symbol, against pandas and the calendar."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time
from functools import cache
from math import sqrt

import numpy as np
import pandas as pd
import pytest

from services.core.claims import Claim, DerivedCite
from services.core.clock import BEIJING, FixedClock
from services.core.formulas import FORMULAS
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.verifier import verify
from services.market.calendar import Calendar
from services.market.events.events import BENCHMARKS
from services.market.history import PriceHistory, price_history
from services.market.indicators.indicators import indicators
from services.scoring.fact_kline import kline_analysis
from services.scoring.fact_words import RunSubject
from tests.unit.market.bundled import FOLDER, bundle
from tests.unit.scoring.scored import BANK, desk

BARS = pd.read_parquet(FOLDER / "bars.parquet")
GAPS = pd.read_parquet(FOLDER / "gaps.parquet")
SYMBOLS = tuple(sorted(BARS["symbol"].unique()))
CALENDAR = Calendar()
# Over so many sessions held; none where more than a fifth of those spanned is lost.
WHOLE = ("volatility_60", "drawdown_250", "sharp_falls", "worst_session", "amount_20")
ENDS = {"return_60": 60, "return_250": 250}


@cache
def course(symbol: str) -> pd.DataFrame:
    """A row per session of the exchange from the first bar to the last; NaN where there is none.

    `halted`: the company was suspended.
    """
    bars = BARS[BARS["symbol"] == symbol].set_index("date").sort_index()
    days = [date.fromisoformat(str(day)) for day in bars.index]
    bars.index = pd.Index(days)
    sessions = CALENDAR.sessions(Symbol(symbol).market, days[0], days[-1])
    assert set(days) <= set(sessions)
    found = bars[["open", "high", "low", "close", "volume"]].reindex(list(sessions))
    found["halted"] = False
    named = GAPS[(GAPS["symbol"] == symbol) & (GAPS["kind"] == "suspension")]
    for start, end in zip(named["start"], named["end"], strict=True):
        inside = (found.index >= date.fromisoformat(str(start))) & (
            found.index <= date.fromisoformat(str(end))
        )
        found.loc[inside, "halted"] = True
    return found


def span(symbol: str, back: int) -> float | None:
    """The change since the session exactly so many back, which must have a close."""
    closes = course(symbol)["close"]
    base = closes.iloc[-1 - back] if len(closes) > back else np.nan
    return None if np.isnan(base) else float(closes.iloc[-1] / base - 1) * 100


def expected(symbol: str) -> dict[str, float | None]:
    frame = course(symbol)
    traded = frame[~frame["halted"]]
    found: dict[str, float | None] = {name: span(symbol, back) for name, back in ENDS.items()}

    def window(size: int, column: str = "close") -> pd.Series | None:
        part = traded[column].dropna().iloc[-size:]
        if len(part) < size:
            return None
        spanned = traded.loc[part.index[0] :]
        return None if len(spanned) - size > 0.2 * len(spanned) else part

    quarter, year = window(61), window(250)
    moves = None if quarter is None else quarter.pct_change().dropna()
    found["volatility_60"] = None if moves is None else float(moves.std()) * sqrt(250) * 100
    # Of single sessions: those whose session before was traded has a close too.
    before = traded["close"].shift(1)
    own = None if moves is None else moves[before.loc[moves.index].notna()]
    over = None if moves is None else moves[before.loc[moves.index].isna()]
    hidden = own is None or (len(over) > 0 and over.min() <= max(-0.05, min(own.min(), 0)))
    found["worst_session"] = None if hidden else float(own.min()) * 100
    found["sharp_falls"] = None if hidden else float((own <= -0.05).sum())
    found["drawdown_250"] = None if year is None else float((1 - year / year.cummax()).max()) * 100
    closes, volumes = window(20), window(20, "volume")
    both = closes is not None and volumes is not None
    found["amount_20"] = float((closes * volumes).mean()) if both else None
    for size in (5, 10, 20, 60):
        part = window(size)
        found[f"ma_{size}"] = None if part is None else float(part.mean())
    for size in (20, 60):
        high, low = window(size, "high"), window(size, "low")
        found[f"high_{size}"] = None if high is None else float(high.max())
        found[f"low_{size}"] = None if low is None else float(low.min())
    index = BENCHMARKS[Symbol(symbol).market].value
    first, last = frame.index[-61], frame.index[-1]
    beside = course(index)["close"].reindex([first, last])
    own = found["return_60"]
    found["relative_strength"] = (
        None
        if own is None or beside.isna().any()
        else own - float(beside.iloc[1] / beside.iloc[0] - 1) * 100
    )
    return found


def last_day(symbol: str) -> date:
    return course(symbol).index[-1]


@cache
def measured(symbol: str) -> tuple[Ledger, Mapping[str, Claim], str]:
    """What Step 1 says of the course on its last day, and why the rest is not there."""
    ledger = bundle().ledger()
    day = last_day(symbol)
    clock = FixedClock(datetime.combine(day, time(23), BEIJING))
    made = kline_analysis(
        ledger, RunSubject(Symbol(symbol), symbol, day), replace(desk(), clock=clock)
    )
    claims = {claim.claim_id: claim for claim in ledger.claims}
    return ledger, {claims[name].metric: claims[name] for name in made.figures}, str(made.why)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_windows_are_of_the_sessions_held_and_tell_what_they_lack(symbol: str) -> None:
    ledger, told, why = measured(symbol)
    wanted = expected(symbol)
    for metric in (*ENDS, *WHOLE, "relative_strength", "ma_60"):
        value = wanted[metric]
        if value is None:
            assert metric not in told, metric
        else:
            assert told[metric].value == pytest.approx(value, rel=1e-9), metric
    traded = course(symbol)[~course(symbol)["halted"]]["close"]
    for metric, size in (("drawdown_250", 250), ("volatility_60", 61), ("ma_60", 60)):
        held = traded.dropna().iloc[-size:]
        lost = int(traded.loc[held.index[0] :].isna().sum())
        note = told[metric].cite.note or ""
        assert (f"缺 {lost} 个交易日的日线" in note) == (lost > 0), (metric, why)
    assert verify(ledger.claims, ledger.trace, bundle().clock.now()).ok


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_what_lacks_within_a_return_is_told_on_it(symbol: str) -> None:
    _, told, _ = measured(symbol)
    for metric, back in ENDS.items():
        if metric not in told:
            continue
        inside = course(symbol).iloc[-1 - back :]
        halted = int(inside["halted"].sum())
        lost = int(inside["close"].isna().sum()) - halted
        note = told[metric].cite.note or ""
        assert (f"缺 {lost} 个交易日" in note) == (lost > 0)
        assert (f"停牌 {halted} 个交易日" in note) == (halted > 0)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_indicators_are_of_the_sessions_held(symbol: str) -> None:
    ledger = bundle().ledger()
    found = indicators(ledger, price_history(ledger, Symbol(symbol), None, None), backend="builtin")
    wanted = expected(symbol)
    for metric in [name for name in wanted if name.startswith(("ma_", "high_", "low_"))]:
        figure, value = found.figures[metric], wanted[metric]
        if value is None:
            assert not isinstance(figure, Claim)
            assert "的日线，超过 20%" in str(figure.reason)
        else:
            assert isinstance(figure, Claim)
            assert figure.value == pytest.approx(value, rel=1e-9)
    frame = course(symbol)
    close = frame["close"].dropna()
    moves = close.diff().iloc[1:]
    gain, loss = (wilder(part, 14) for part in (moves.clip(lower=0), (-moves).clip(lower=0)))
    dif = close.ewm(span=12, adjust=False).mean() - close.ewm(span=26, adjust=False).mean()
    for metric, value in (
        ("rsi", 100 * gain / (gain + loss)),
        ("macd_dif", float(dif.iloc[-1])),
        ("macd_dea", float(dif.ewm(span=9, adjust=False).mean().iloc[-1])),
    ):
        figure = found.figures[metric]
        assert isinstance(figure, Claim), metric
        assert figure.value == pytest.approx(value, rel=1e-9), metric
    assert verify(ledger.claims, ledger.trace, bundle().clock.now()).ok


def test_sixty_sessions_back_of_the_banks_last_bar_is_27_april() -> None:
    _, told, _ = measured(BANK)
    figure = told["return_60"]
    assert isinstance(figure.cite, DerivedCite)
    assert figure.cite.series[0].start == date(2017, 4, 27)
    assert round(figure.value, 2) == 39.97
    assert "缺 5 个交易日的日线" in str(figure.cite.note)


def wilder(values: pd.Series, length: int) -> float:
    """Wilder's average: a plain mean first, then the newest by one part in `length`."""
    found = float(values.iloc[:length].mean())
    for value in values.iloc[length:]:
        found += (float(value) - found) / length
    return found


def test_the_bank_has_every_figure_over_its_last_sessions() -> None:
    """A5 of the walk: 21.60 is the mean of the last 60 closes held, of 65 sessions."""
    _, told, _ = measured(BANK)
    assert round(told["ma_60"].value, 2) == 21.60
    assert {"volatility_60", "drawdown_250", "sharp_falls", "worst_session"} <= told.keys()
    closes = BARS[BARS["symbol"] == BANK].sort_values("date")["close"].iloc[-60:]
    assert told["ma_60"].value == pytest.approx(closes.mean(), rel=1e-12)


def rows_of(history: PriceHistory, count: int) -> tuple[date, date]:
    return history.bars[-count].date, history.bars[-1].date


# By hand off gaps.parquet: 2017-06-13 ends 20 sessions of the index in which 6 are lost, of 26.
@pytest.mark.parametrize(
    ("metric", "symbol", "last", "count", "held"),
    [
        ("return_60", BANK, date(2017, 7, 25), 61, False),  # counted in rows: of another day
        ("ma_60", BANK, date(2017, 7, 25), 60, True),
        ("rsi", BANK, date(2017, 7, 25), 200, True),
        ("ma_20", "000001.SH", date(2017, 6, 13), 20, False),
        ("ma_60", "000001.SH", date(2017, 6, 13), 60, True),
        ("return_z", BANK, date(2017, 6, 22), 62, True),
        ("return_z", BANK, date(2017, 6, 12), 62, False),  # the sessions before it are lost
    ],
)
def test_a_window_holds_with_a_fifth_of_it_lost_and_not_with_more(
    metric: str, symbol: str, last: date, count: int, *, held: bool
) -> None:
    ledger = bundle().ledger()
    history = price_history(ledger, Symbol(symbol), None, last)
    formula = next(one for one in FORMULAS if one.metric == metric and not one.holed)
    slot = formula.series[0]
    days = rows_of(history, count)
    window = ledger.window(slot.name, history.call, symbol, slot.metric, *days)
    ledger.derive(formula, [], series=[window])
    failures = verify(ledger.claims, ledger.trace, bundle().clock.now()).failures
    assert [one.check for one in failures] == ([] if held else ["series_complete"])
