"""How far TA-Lib and pandas-ta-classic lie from our formulas on every bundled series, and the cost.

`as asked` is what the workbench does: each library started where our conventions start. `plain` is
TA-Lib's function called on the bars as they are, from its 250th bar on.
"""

import subprocess
import sys
import time
from statistics import median

import numpy as np
import pytest
import talib

from services.core.candles import PATTERNS
from services.core.indicator_formulas import SETTLED
from services.core.recomputation import TOLERANCE
from services.core.symbols import Symbol
from services.market.history import price_history
from services.market.indicators.backends import Choice
from services.market.indicators.indicators import indicators
from services.market.indicators.patterns import TA_LIB_NAMES
from tests.unit.market.bundled import bundle
from tests.unit.market.test_indicator_backends import (
    LIBRARIES,
    OVER_BARS,
    ROOT,
    SYMBOLS,
    bars_of,
    column,
    ours,
    second,
)

PLACES = 40
WARM = 250


def _places(symbol: str, first: int) -> list[int]:
    """Bar counts from `first` to all of them, evenly spread."""
    return sorted(set(np.linspace(first, len(bars_of(symbol)), PLACES, dtype=int).tolist()))


def _plain(symbol: str) -> dict[str, np.ndarray]:
    high, low, close = (column(symbol, name) for name in ("high", "low", "close"))
    upper, middle, lower = talib.BBANDS(close, 20, 2, 2, 0)
    dif, dea, _ = talib.MACD(close, 12, 26, 9)
    k, d, _ = talib.KDJ(high, low, close, 9, 3, 13, 3, 13)
    return {
        **{f"ma_{n}": talib.SMA(close, n) for n in (5, 10, 20, 60)},
        "boll_upper": upper,
        "boll_mid": middle,
        "boll_lower": lower,
        "macd_dif": dif,
        "macd_dea": dea,
        "kdj_k": k,
        "kdj_d": d,
        "rsi": talib.RSI(close, 14),
        "atr": talib.ATR(high, low, close, 14),
        "trend_strength": talib.ADX(high, low, close, 14) / 100,
    }


@pytest.mark.benchmark
def test_differences_on_every_bundled_series() -> None:
    worst: dict[str, dict[str, float]] = {one.metric: {} for one in OVER_BARS}

    def note(metric: str, column_name: str, mine: float, theirs: float) -> None:
        apart = abs(mine - theirs)
        worst[metric][column_name] = max(worst[metric].get(column_name, 0.0), apart)

    compared = 0
    for symbol in SYMBOLS:
        plain = _plain(symbol)
        for one in OVER_BARS:
            for count in _places(symbol, SETTLED):
                mine = ours(one, symbol, count)
                if mine is None:
                    continue
                for library in LIBRARIES:
                    theirs = second(symbol, library).at(one.metric, count - 1)
                    assert theirs == pytest.approx(mine, rel=TOLERANCE, abs=TOLERANCE)
                    note(one.metric, library, mine, float(theirs or 0.0))
                    compared += 1
                if one.metric in plain and count >= WARM:
                    theirs = plain[one.metric][count - 1]
                    assert theirs == pytest.approx(mine, rel=1e-6, abs=1e-6)
                    note(one.metric, "plain", mine, float(theirs))
    print(
        f"\nmax abs difference, {len(SYMBOLS)} series, {compared:,} comparisons, from bar {SETTLED}"
    )
    print(f"{'':15} {'ta-lib':>10} {'pandas-ta':>10} {'plain, from 250':>16}")
    for metric, found in worst.items():
        told = [found.get(name) for name in (*LIBRARIES, "plain")]
        cells = ["" if value is None else f"{value:.1e}" for value in told]
        print(f"{metric:15} {cells[0]:>10} {cells[1]:>10} {cells[2]:>16}")


@pytest.mark.benchmark
def test_candlesticks_on_every_bar() -> None:
    judged = found = 0
    for symbol in SYMBOLS:
        prices = [column(symbol, name).tolist() for name in ("open", "high", "low", "close")]
        for theirs, name in TA_LIB_NAMES.items():
            pattern, line = PATTERNS[name], second(symbol, "ta-lib").candles[theirs]
            for end in range(31, len(prices[0]) + 1):
                mine = pattern(*(values[end - pattern.window : end] for values in prices))
                assert mine == np.sign(line[end - 1]), (symbol, name, end)
                judged, found = judged + 1, found + (mine != 0)
    print(
        f"\ncandlesticks: {len(PATTERNS)} patterns on {judged:,} bars of {len(SYMBOLS)} series, "
        f"{found:,} found, 0 apart from TA-Lib"
    )


@pytest.mark.benchmark
@pytest.mark.parametrize("backend", ["ta-lib", "pandas-ta", "builtin"])
def test_what_a_reading_takes(backend: Choice) -> None:
    market = bundle()
    took: list[float] = []
    for symbol in SYMBOLS:
        ledger = market.ledger()
        history = price_history(ledger, Symbol(symbol), None, None)
        began = time.perf_counter()
        indicators(ledger, history, backend=backend)
        took.append((time.perf_counter() - began) * 1000)
    print(
        f"\n{backend}: {median(took):.0f} ms a symbol, {max(took):.0f} at most, 468 to 1,472 bars"
    )


@pytest.mark.benchmark
@pytest.mark.parametrize("backend", LIBRARIES)
def test_what_an_import_takes(backend: Choice) -> None:
    script = f"""
import sys, time
import numpy, pandas
sys.modules["polars"] = None  # a development tool that TA-Lib would import along
from services.market.indicators.backends import backend_of
def size():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
before, began = size(), time.perf_counter()
name = backend_of({backend!r}).name
print(f"{{name}}: {{time.perf_counter() - began:.2f}} s, {{size() - before:.0f}} MiB to import")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    print(f"\n{done.stdout.strip()}")
