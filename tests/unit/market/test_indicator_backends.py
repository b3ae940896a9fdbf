"""TA-Lib, pandas-ta-classic and our own formulas: the same answers on every bundled series."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import talib

from services.core.candles import PATTERNS
from services.core.errors import ConfigError
from services.core.evaluation import evaluate
from services.core.indicator_formulas import INDICATORS, SETTLED, Indicator
from services.core.recomputation import TOLERANCE
from services.core.symbols import Symbol
from services.market.history import Bar, price_history
from services.market.indicators.backends import Choice, Floats, backend_of
from services.market.indicators.patterns import TA_LIB_NAMES
from services.market.indicators.reading import Second, second_of
from tests.unit.market.bundled import FOLDER, bundle

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[3]
SYMBOLS = tuple(
    sorted(set(pq.read_table(FOLDER / "bars.parquet", columns=["symbol"])[0].to_pylist()))
)
LIBRARIES: tuple[Choice, ...] = ("ta-lib", "pandas-ta")
# Alone over bars: what a library can compute a second time.
OVER_BARS = [one for one in INDICATORS if one.series]


@cache
def bars_of(symbol: str) -> tuple[Bar, ...]:
    return price_history(bundle().ledger(), Symbol(symbol), None, None).bars


@cache
def second(symbol: str, library: Choice) -> Second:
    found = second_of(backend_of(library), bars_of(symbol))
    assert found is not None
    return found


def column(symbol: str, name: str) -> Floats:
    return np.array([getattr(bar, name) for bar in bars_of(symbol)], dtype=np.float64)


def ours(one: Indicator, symbol: str, count: int) -> float | None:
    """Our formula's answer as of the `count`-th bar; None where a volume is missing."""
    first = count - one.window if one.window else 0
    series = {name: column(symbol, name)[first:count].tolist() for name in one.series}
    if any(np.isnan(values).any() for values in series.values()):
        return None
    return evaluate(one.expression, series)


def test_there_are_all_twenty_six_stocks_and_three_indexes() -> None:
    assert len(SYMBOLS) == 29


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_each_figure_is_the_librarys_to_a_billionth(symbol: str, library: Choice) -> None:
    found, have = second(symbol, library), len(bars_of(symbol))
    compared = 0
    for count in (SETTLED, 250, have - 1, have):
        for one in OVER_BARS:
            mine, theirs = ours(one, symbol, count), found.at(one.metric, count - 1)
            if mine is None:
                assert theirs is None
                continue
            assert theirs == pytest.approx(mine, rel=TOLERANCE, abs=TOLERANCE), one.metric
            compared += 1
    # 18 figures at four places; an index without volumes has no obv_share.
    assert compared in {4 * len(OVER_BARS), 4 * (len(OVER_BARS) - 1)}


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_ta_libs_own_functions_agree_once_their_start_is_forgotten(symbol: str) -> None:
    """Called plainly: it starts EMA and KDJ with a mean, we with the first close and with 50."""
    high, low, close = (column(symbol, name) for name in ("high", "low", "close"))
    upper, middle, lower = talib.BBANDS(close, 20, 2, 2, 0)
    dif, dea, bar = talib.MACD(close, 12, 26, 9)
    k, d, _ = talib.KDJ(high, low, close, 9, 3, 13, 3, 13)
    plain = {
        "rsi": talib.RSI(close, 14),
        "macd_dif": dif,
        "macd_dea": dea,
        "kdj_k": k,
        "kdj_d": d,
        "atr": talib.ATR(high, low, close, 14),
        "trend_strength": talib.ADX(high, low, close, 14) / 100,
        "boll_upper": upper,
        "boll_mid": middle,
        "boll_lower": lower,
    }
    have = len(close)
    for one in OVER_BARS:
        if one.metric in plain:
            # 250 bars on, a start has lost all but (25 / 27)²⁵⁰, some 4e-9, of what it weighed.
            assert plain[one.metric][249] == pytest.approx(ours(one, symbol, 250), rel=1e-6)
            assert plain[one.metric][-1] == pytest.approx(ours(one, symbol, have), rel=1e-9)
    # The bar of Chinese terminals is twice TA-Lib's.
    assert 2 * bar[-1] == pytest.approx(2 * (dif[-1] - dea[-1]))


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_both_libraries_name_the_same_sixty_one_candlesticks(symbol: str) -> None:
    first, other = (second(symbol, library).candles for library in LIBRARIES)
    assert len(first) == 61
    assert set(first) == set(other)
    for name, line in first.items():
        # From a place on where every pattern has the bars it is measured by.
        assert [np.sign(value) for value in line[30:]] == [np.sign(v) for v in other[name][30:]]


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_our_candlesticks_are_theirs(symbol: str) -> None:
    found = second(symbol, "ta-lib").candles
    prices = [column(symbol, name).tolist() for name in ("open", "high", "low", "close")]
    last = len(prices[0])
    for theirs, name in TA_LIB_NAMES.items():
        pattern = PATTERNS[name]
        mine = [
            pattern(*(prices_of[end - pattern.window : end] for prices_of in prices))
            for end in range(last - 150, last + 1)
        ]
        assert mine == [np.sign(value) for value in found[theirs][last - 151 :]], name


def test_every_candlestick_of_ours_has_its_name_there() -> None:
    assert set(TA_LIB_NAMES.values()) == set(PATTERNS)
    assert set(TA_LIB_NAMES) <= set(second("TSLA", "ta-lib").candles)


def test_bars_without_a_range_leave_kdj_as_it_was() -> None:
    moving = [
        Bar(bar.date, 10, 10 + n % 3, 9, 9.5, 100.0) for n, bar in enumerate(bars_of("TSLA")[:130])
    ]
    resting = [bar._replace(open=9.5, high=9.5, low=9.5, close=9.5) for bar in moving[:20]]
    bars = [*moving, *resting]
    series = {name: [getattr(bar, name) for bar in bars] for name in ("high", "low", "close")}
    for library in LIBRARIES:
        found = second_of(backend_of(library), bars)
        assert found is not None
        for one in OVER_BARS:
            if one.metric.startswith("kdj"):
                assert found.at(one.metric, 149) == pytest.approx(evaluate(one.expression, series))


def test_auto_is_ta_lib_and_builtin_is_none() -> None:
    chosen = backend_of("auto")
    assert chosen is not None
    assert chosen.name == f"TA-Lib {talib.__version__}"
    assert backend_of("builtin") is None


def test_no_such_backend_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="auto, ta-lib, pandas-ta or builtin"):
        backend_of("talib")  # pyright: ignore[reportArgumentType] — a setting may say anything


@pytest.mark.parametrize(
    ("absent", "asked", "printed"),
    [
        ([], "auto", "TA-Lib"),
        (["talib"], "auto", "pandas-ta-classic"),
        (["talib", "pandas_ta_classic"], "auto", "None"),
        (["talib"], "ta-lib", "pip install ta-lib==0.8.2"),
        (["pandas_ta_classic"], "pandas-ta", "pip install pandas-ta-classic==0.8.32"),
    ],
)
def test_what_is_not_installed_is_passed_over_unless_it_is_named(
    absent: list[str], asked: str, printed: str
) -> None:
    """In a process of its own, where these cannot be imported."""
    script = f"""
import sys
for name in {absent!r}:
    sys.modules[name] = None
from services.core.errors import ConfigError
from services.market.indicators.backends import backend_of
try:
    found = backend_of({asked!r})
    print(found.name if found else None)
except ConfigError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert printed in done.stdout


def test_neither_is_imported_before_it_is_asked() -> None:
    script = (
        "import sys, services.tools.registry;"
        "print([name for name in ('talib', 'pandas_ta_classic') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
