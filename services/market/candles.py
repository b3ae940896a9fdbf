"""Bars as a chart shows them: by day, week or month, and the lines over all of them.

For drawing only: a figure that is written needs a claim.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Literal, NamedTuple

from services.core import indicators
from services.core.company_formulas import AVERAGES
from services.core.indicator_formulas import SETTLED, SETTLED_KDJ
from services.core.sessions import TradedSessions
from services.market.history import Bar, average_values

Interval = Literal["d", "w", "m"]
Line = Sequence[float | None]
INDICATORS = ("macd", "rsi", "kdj", "boll")


class ChartCandle(NamedTuple):
    """One session, week or month, called by its last session; `places` are those of its bars."""

    first: date
    last: date
    open: float
    high: float
    low: float
    close: float
    volume: float | None
    places: tuple[int, int]


def group_bars(bars: Sequence[Bar], interval: Interval) -> tuple[ChartCandle, ...]:
    """The bars by ISO week or calendar month of the session, oldest first; `d` keeps them."""
    candles: list[ChartCandle] = []
    start = 0
    for _, group in groupby(bars, lambda bar: _key(bar.date, interval)):
        inside = list(group)
        volumes = [bar.volume for bar in inside if bar.volume is not None]
        candles.append(
            ChartCandle(
                inside[0].date,
                inside[-1].date,
                inside[0].open,
                max(bar.high for bar in inside),
                min(bar.low for bar in inside),
                inside[-1].close,
                sum(volumes) if volumes else None,
                (start, start + len(inside) - 1),
            )
        )
        start += len(inside)
    return tuple(candles)


def _key(day: date, interval: Interval) -> tuple[int, int]:
    if interval == "w":
        year, week, _ = day.isocalendar()
        return year, week
    return (day.year, day.month) if interval == "m" else (day.toordinal(), 0)


def average_lines(candles: Sequence[ChartCandle], sessions: TradedSessions) -> Mapping[int, Line]:
    """Length → the mean of so many closes at each candle, over the sessions held; None where
    too many of the window are lost (core/sessions.py) or there are too few.
    """
    closes = [one.close for one in candles]
    return {
        length: _where_held(average_values(closes, length), candles, sessions, length)
        for length in AVERAGES
    }


def _where_held(
    line: Line, candles: Sequence[ChartCandle], sessions: TradedSessions, length: int
) -> Line:
    """The line without the candles whose window of so many lacks too many sessions."""
    return [
        None if sessions.tell_torn(candles[max(0, end + 1 - length)].places[0], one.places[1])
        else value
        for end, (one, value) in enumerate(zip(candles, line, strict=True))
    ]  # fmt: skip


def indicator_lines(
    name: str, candles: Sequence[ChartCandle], sessions: TradedSessions
) -> Mapping[str, Line]:
    """The lines of one indicator over these candles, by the parameters of `compute_indicators`:
    MACD 12, 26, 9 (the bar is twice the difference), RSI 14, KDJ 9, 3, 3, Bollinger 20, 2; None as
    in `average_lines`.
    """
    reach = {"boll": 20, "kdj": SETTLED_KDJ}.get(name, SETTLED)
    lines = _indicator(name, candles)
    return {word: _where_held(line, candles, sessions, reach) for word, line in lines.items()}


def _indicator(name: str, candles: Sequence[ChartCandle]) -> Mapping[str, Line]:
    close = [one.close for one in candles]
    high, low = [one.high for one in candles], [one.low for one in candles]
    if name == "macd":
        return _macd(close)
    if name == "rsi":
        return {"RSI": indicators.rsi_line(close, 14)}
    if name == "kdj":
        return dict(zip("KDJ", indicators.kdj_lines(high, low, close, 9, 3), strict=True))
    return dict(zip(("UP", "MID", "LOW"), indicators.boll_lines(close, 20, 2.0), strict=True))


def _macd(close: Sequence[float]) -> Mapping[str, Line]:
    slow, signal = 26, 9
    if len(close) < slow + signal - 1:
        none: Line = [None] * len(close)
        return {"DIF": none, "DEA": none, "MACD": none}
    dif, dea = indicators.dif(close, 12, slow), indicators.dea(close, 12, slow, signal)
    bars = [2 * (quick - slack) for quick, slack in zip(dif, dea, strict=True)]
    # Where the averages began no longer shows after as many values as they are long.
    hidden = slow + signal - 2
    return {
        name: [None] * hidden + line[hidden:]
        for name, line in (("DIF", dif), ("DEA", dea), ("MACD", bars))
    }
