"""The rules of abnormal sessions over a whole market at once, beside row logic on frames, and what
one more day costs: the rules the product has, over one track of all companies.
"""

import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from services.core.symbols import Symbol
from services.market.events import rules
from services.market.events.rules import Bools, Track
from tests.benchmark.conftest import Lines
from tests.benchmark.machine import floor_s

_COMPANIES, _SESSIONS = 5_500, 250
# Row logic takes minutes for a market: so many companies of it stand for all.
_BY_ROW = 25
# What the longest rule looks back on, with the session itself and the close before the window.
_TAIL = 62
_SYMBOL = Symbol("600000.SH")
Hits = dict[str, list[int]]
Grid = np.ndarray[Any, np.dtype[Any]]


class _Bars(NamedTuple):
    """Companies by sessions: as many rows as companies."""

    open: Grid
    high: Grid
    low: Grid
    close: Grid
    volume: Grid

    def last(self, sessions: int) -> "_Bars":
        return _Bars(*(one[:, -sessions:] for one in self))


def _market(companies: int) -> _Bars:
    """Invented bars, with moves that reach the limit and days of heavy trade."""
    random = np.random.default_rng(20261123)
    shape = (companies, _SESSIONS)
    moves = random.standard_t(3, shape) * 0.012
    close = np.round(20 * np.cumprod(1 + np.clip(moves, -0.1, 0.1), axis=1), 2)
    opened = np.round(close * (1 + random.standard_t(3, shape) * 0.008), 2)
    spread = np.abs(random.normal(0, 0.006, shape)) * (random.random(shape) < 0.9)
    high = np.round(np.maximum(opened, close) * (1 + spread), 2)
    low = np.round(np.minimum(opened, close) * (1 - spread), 2)
    return _Bars(opened, high, low, close, np.round(random.lognormal(12, 0.6, shape)))


def _days(sessions: int) -> tuple[date, ...]:
    return tuple(date(2025, 1, 1) + timedelta(days=one) for one in range(sessions))


def _track(bars: _Bars) -> Track:
    """All companies one behind the other: the first bar of each is torn from the one before it."""
    companies, sessions = bars.close.shape
    opened, high, low, close, volume = (np.ascontiguousarray(one).reshape(-1) for one in bars)
    broken: Bools = np.zeros(close.size, dtype=np.bool_)
    broken[::sessions] = True
    returns = np.full(close.size, np.nan)
    returns[1:] = (close[1:] / close[:-1] - 1) * 100
    returns[broken] = np.nan
    days, whole = _days(sessions) * companies, (None,) * close.size
    return Track(days, opened, high, low, close, volume, returns, broken, whole)


def _hits(track: Track, companies: int) -> Hits:
    days = track.days[: len(track.days) // companies]
    limits = np.tile(rules.suspected_limits(_SYMBOL, days), companies)
    return {
        "limit": rules.hits_at_limit(track, limits),
        "z": rules.z_hits(track),
        "volume": rules.volume_hits(track),
        "gap": rules.gap_hits(track),
        "run": [one.last for one in rules.runs(track)],
    }


def _hits_by_row(bars: _Bars) -> Hits:
    """The same said row by row, as one writes it on a frame; without runs, which are no rows'."""
    found: Hits = {"limit": [], "z": [], "volume": [], "gap": []}
    limit = rules.limit_of(rules.LIMIT_10, "suspected_limit")
    for at in range(len(bars.close)):
        names = ("open", "high", "low", "close", "volume")
        frame = pd.DataFrame({name: one[at] for name, one in zip(names, bars, strict=True)})
        frame["return"] = (frame.close / frame.close.shift(1) - 1) * 100
        for place in range(1, len(frame)):
            row, where = frame.iloc[place], at * len(frame) + place
            up = row["return"] >= limit and row.close == row.high
            if up or (row["return"] <= -limit and row.close == row.low):
                found["limit"].append(where)
            if abs((row.open / frame.close.iloc[place - 1] - 1) * 100) >= 5:
                found["gap"].append(where)
            if place >= 20 and row.volume >= 3 * frame.volume.iloc[place - 20 : place].mean():
                found["volume"].append(where)
            if place > 60:
                before = frame["return"].iloc[place - 60 : place]
                if abs((row["return"] - before.mean()) / before.std()) >= 3:
                    found["z"].append(where)
    return found


def _seconds(work: Callable[[], object], times: int) -> float:
    """Processor seconds, the quickest of so many."""
    taken: list[float] = []
    for _ in range(times):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.benchmark
def test_events_of_a_whole_market(lines: Lines) -> None:
    bars = _market(_COMPANIES)
    few = _Bars(*(one[:_BY_ROW] for one in bars))
    by_row = _hits_by_row(few)
    as_set = _hits(_track(few), _BY_ROW)
    assert {name: as_set[name] for name in by_row} == by_row
    assert all(by_row.values())
    rows = _seconds(lambda: _hits_by_row(few), 1) * _COMPANIES / _BY_ROW
    for companies in (_COMPANIES // 16, _COMPANIES // 4, _COMPANIES):
        part = _Bars(*(one[:companies] for one in bars))
        whole = _seconds(lambda part=part, n=companies: _hits(_track(part), n), 3)
        told = f"{1000 * whole:.0f} ms"
        if companies == _COMPANIES:
            told += f", rows on frames {rows:.0f} s: {rows / whole:.0f} ×"
        lines(
            f"rules of {companies:,} × {_SESSIONS} bars", told, whole / floor_s(), "10 × row logic"
        )
    whole = _seconds(lambda: _hits(_track(bars), _COMPANIES), 3)
    tail = bars.last(_TAIL)
    day = _seconds(lambda: _hits(_track(tail), _COMPANIES), 3)
    told = f"{1000 * day:.0f} ms for the last {_TAIL} bars of each: {whole / day:.1f} × the whole"
    lines("one day added to them", told, day / floor_s(), "50 × the whole")
