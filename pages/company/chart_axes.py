"""Axes of the candle chart: ticks of our own, so that no library's months or digits show."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from pages.company.palette import Palette
from pages.ui import chart, state
from services.core.day_words import MONTHS
from services.market.candles import ChartCandle, Interval

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
_MOST = 7
_LOG_TICKS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
_BELOW, _ABOVE, _BESIDE_TAG = 0.06, 0.05, 0.065
_QUARTER, _YEAR = 3, 12


def reach(candles: Sequence[ChartCandle]) -> tuple[float, float]:
    """The lowest and highest price among them."""
    return min(one.low for one in candles), max(one.high for one in candles)


def on_axis(value: float, *, log: bool) -> float:
    """Where an annotation of that value stands."""
    return log10(value) if log and value > 0 else value


def price_axis(
    candles: Sequence[ChartCandle],
    look: Palette,
    domain: tuple[float, float],
    low: float,
    high: float,
    *,
    log: bool,
) -> dict[str, Any]:
    """Prices at the right, fitted to the candles in view."""
    span = (high - low) or high or 1.0
    bottom, top = low - _BELOW * span, high + _ABOVE * span
    shown = _log_ticks(low, high) if log else price_ticks(bottom, top)
    apart = _BESIDE_TAG * span
    kept = [tick for tick in shown if abs(tick - candles[-1].close) > apart]
    axis: dict[str, Any] = {"range": [bottom, top]}
    if log and low > 0:
        axis = {"type": "log", "range": [log10(low * 0.93), log10(high * 1.05)]}
    return axis | {
        "side": "right", "domain": domain, "zeroline": False, "gridcolor": look.grid,
        "tickvals": kept, "ticktext": [f"{tick:,.10g}" for tick in kept],
        "tickfont": {"color": look.mute}, "showspikes": True, "spikemode": "across",
        "spikethickness": 1, "spikedash": "dot", "spikecolor": look.mute, "spikesnap": "cursor",
    }  # fmt: skip


def price_ticks(low: float, high: float) -> list[float]:
    """Round prices between these, a handful of them, evenly apart."""
    span = high - low
    scale = 10.0 ** max(0, floor(log10(span)) - 1) if span > 0 else 1.0
    step = next(
        (one * size for size in (1, scale) for one in _STEPS if span / (one * size) <= _MOST),
        span,
    )
    first = floor(low / step) + 1
    return [round(step * place, 6) for place in range(first, int(high // step) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    made = [base * 10.0**power for power in range(-2, 7) for base in _LOG_TICKS]
    inside = [tick for tick in made if low <= tick <= high]
    return inside if len(inside) <= _MOST + 1 else inside[::2]


def volume_axis(
    candles: Sequence[ChartCandle], look: Palette, domain: tuple[float, float]
) -> dict[str, Any]:
    """Volume from zero, one unit for the whole chart, two ticks."""
    most = max((one.volume or 0.0 for one in candles), default=0.0)
    return {
        "side": "right", "domain": domain, "zeroline": False, "gridcolor": look.grid,
        "range": [0, most * 1.08 or 1], "tickfont": {"color": look.mute}, "fixedrange": True,
        **chart.ticks([one.volume or 0.0 for one in candles], 1),
    }  # fmt: skip


def pane_axis(
    name: str, look: Palette, domain: tuple[float, float], seen: Sequence[float]
) -> dict[str, Any]:
    """An indicator's own scale: 30 and 70 for what runs to 100, else what is `seen` of it."""
    most = 1.1 * max(map(abs, seen), default=0.0)
    own: dict[str, Any] = {"nticks": 3} | ({"range": [-most, most]} if most else {})
    if name == "rsi":
        own = {"range": [10, 90], "tickvals": [30, 70]}
    elif name == "kdj":
        own = {"tickvals": [20, 80]}
    return own | {
        "side": "right", "domain": domain, "gridcolor": look.grid, "zerolinecolor": look.grid,
        "tickfont": {"color": look.mute}, "fixedrange": True,
    }  # fmt: skip


def dates(
    candles: Sequence[ChartCandle], visible: Sequence[ChartCandle], interval: Interval
) -> tuple[list[str], list[str]]:
    """The first candle of each month, of each quarter or year where more are in view, and what it
    is called; January is the year.
    """
    months = len({(one.last.year, one.last.month) for one in visible})
    every = 1 if months <= _YEAR + 2 else _QUARTER if months <= 4 * _YEAR + 1 else _YEAR
    if interval != "d" and every == 1 and months > _YEAR:
        every = _QUARTER
    values: list[str] = []
    names: list[str] = []
    seen: set[tuple[int, int]] = set()
    for place, one in enumerate(candles):
        key = (one.last.year, one.last.month)
        fresh = key not in seen
        seen.add(key)
        if place == 0 or not fresh or (key[1] - 1) % every:
            continue
        values.append(one.last.isoformat())
        names.append(_name(*key))
    return values, names


def month_name(day: str) -> str:
    """What the month of an ISO day is called on an axis."""
    return _name(int(day[:4]), int(day[5:7]))


def _name(year: int, month: int) -> str:
    if month == 1:
        return str(year)
    return MONTHS[month - 1] if state.language() == "en" else f"{month}月"
