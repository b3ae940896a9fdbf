"""Libraries that compute the indicators a second time: TA-Lib first, else pandas-ta-classic.

Both are optional: what is shown is our own formulas' answer, and a library confirms or disputes it.
The series are given to it so that it starts where our conventions do (core/indicators.py).
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from services.core.errors import ConfigError
from services.core.lazy import import_later

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    np, Floats = import_later("numpy"), Any

Choice = Literal["auto", "ta-lib", "pandas-ta", "builtin"]
SETTING = "agent.tools.indicators.backend"
# Copies of the first close before the others: an average that starts with a mean starts at it.
_LEAD = 40
_INSTALL = {"ta-lib": "ta-lib==0.8.2", "pandas-ta": "pandas-ta-classic==0.8.32"}


class Columns(NamedTuple):
    """Bars by column, oldest first; no price is missing, and a missing volume is NaN."""

    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats


class IndicatorLine(NamedTuple):
    """A figure at each bar (NaN where there is none) and what was asked of the library."""

    values: Floats
    asked: str


class Macd(NamedTuple):
    """DIF and DEA at each bar."""

    dif: Floats
    dea: Floats


class Library(Protocol):
    """What is asked of either library: plain series in, one value a bar out, NaN at the start."""

    name: str
    asked: Mapping[str, str]

    def mean(self, values: Floats, length: int) -> Floats:
        """The simple average."""
        ...

    def highest(self, values: Floats, length: int) -> Floats:
        """The highest of the last `length`."""
        ...

    def lowest(self, values: Floats, length: int) -> Floats:
        """The lowest of the last `length`."""
        ...

    def wilder(self, values: Floats, length: int) -> Floats:
        """Wilder's average, the first a plain mean."""
        ...

    def band(self, close: Floats, width: float) -> Floats:
        """The Bollinger band over 20 closes, `width` population deviations above the mean."""
        ...

    def rsi(self, close: Floats) -> Floats:
        """RSI(14)."""
        ...

    def macd(self, close: Floats) -> Macd:
        """MACD(12, 26, 9), each average started with a plain mean."""
        ...

    def atr(self, bars: Columns) -> Floats:
        """ATR(14)."""
        ...

    def adx(self, bars: Columns) -> Floats:
        """ADX(14)."""
        ...

    def obv(self, close: Floats, volume: Floats) -> Floats:
        """On-balance volume, from any start."""
        ...

    def candles(self, bars: Columns) -> Mapping[str, Floats]:
        """Every candlestick pattern by TA-Lib's name; positive rising, negative falling, 0 none."""
        ...


@dataclass(frozen=True, slots=True)
class Backend:
    """One library that is installed; `name` with its version."""

    library: Library

    @property
    def name(self) -> str:
        """The library and its version, as a reader knows it."""
        return self.library.name

    def lines(self, bars: Columns) -> Mapping[str, IndicatorLine]:
        """Every figure of core/indicator_formulas.py that is over bars alone, by metric."""
        found = _averages(self.library, bars) | _oscillators(self.library, bars)
        found |= _volumes(self.library, bars.close, bars.volume)
        return {
            metric: IndicatorLine(values, self._name_output(metric))
            for metric, values in found.items()
        }

    def candles(self, bars: Columns) -> Mapping[str, Floats]:
        """Every candlestick pattern at each bar, by TA-Lib's name."""
        return self.library.candles(bars)

    def _name_output(self, metric: str) -> str:
        kind = next(kind for kind in self.library.asked if metric.startswith(kind))
        return self.library.asked[kind]


def _averages(library: Library, bars: Columns) -> dict[str, Floats]:
    found = {f"ma_{length}": library.mean(bars.close, length) for length in (5, 10, 20, 60)}
    for length in (20, 60):
        found[f"high_{length}"] = library.highest(bars.high, length)
        found[f"low_{length}"] = library.lowest(bars.low, length)
    for name, width in (("mid", 0), ("upper", 2), ("lower", -2)):
        found[f"boll_{name}"] = library.band(bars.close, width)
    return found


def _oscillators(library: Library, bars: Columns) -> dict[str, Floats]:
    led = np.concatenate([np.full(_LEAD, bars.close[0]), bars.close])
    macd = library.macd(led)
    k = _from_fifty(library, _raw_stochastic(library, bars))
    return {
        "rsi": library.rsi(bars.close),
        "macd_dif": macd.dif[_LEAD:],
        "macd_dea": macd.dea[_LEAD:],
        "kdj_k": k,
        "kdj_d": _from_fifty(library, k),
        "atr": library.atr(bars),
        "trend_strength": library.adx(bars) / 100,
    }


def _raw_stochastic(library: Library, bars: Columns) -> Floats:
    """RSV(9) at each bar; NaN where nine bars have no range."""
    top, bottom = library.highest(bars.high, 9), library.lowest(bars.low, 9)
    height = top - bottom
    height[height <= 0] = np.nan
    return (bars.close - bottom) / height * 100


def _from_fifty(library: Library, values: Floats) -> Floats:
    """Wilder's average over 3, started at 50; where there is no value it stays as it was."""
    there = np.flatnonzero(~np.isnan(values))
    smooth = library.wilder(np.concatenate([np.full(3, 50.0), values[there]]), 3)[3:]
    found = np.full(len(values), np.nan)
    found[there] = smooth
    for place in range(1, len(found)):
        if np.isnan(found[place]):
            found[place] = found[place - 1]
    return found


def _volumes(library: Library, close: Floats, volume: Floats) -> dict[str, Floats]:
    """What is over 21 bars; NaN where one of them has no volume."""
    lost = np.isnan(volume)
    known = np.where(lost, 0.0, volume)
    line, before = library.obv(close, known), library.mean(known, 20)
    share, multiple = np.full(len(close), np.nan), np.full(len(close), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        share[20:] = (line[20:] - line[:-20]) / (before[20:] * 20) * 100
        multiple[20:] = volume[20:] / before[19:-1]
    for place in np.flatnonzero(lost):
        share[place : place + 21] = multiple[place : place + 21] = np.nan
    return {"obv_share": share, "volume_multiple": multiple}


class _TaLib:
    """TA-Lib by its function interface, which is safe in threads; float64 without NaN only."""

    asked: Mapping[str, str] = {
        "ma_": "SMA",
        "high_": "MAX",
        "low_": "MIN",
        "boll_": "BBANDS(20, 2, 2)",
        "rsi": "RSI(14)",
        "macd_": "MACD(12, 26, 9)",
        "kdj_": "MAX, MIN, RMA(3)",
        "atr": "ATR(14)",
        "trend_strength": "ADX(14)",
        "obv_share": "OBV, SMA(20)",
        "volume_multiple": "SMA(20)",
    }

    def __init__(self, package: Any) -> None:
        self._ta = package
        self.name = f"TA-Lib {package.__version__}"

    def mean(self, values: Floats, length: int) -> Floats:
        return self._ta.SMA(values, length)

    def highest(self, values: Floats, length: int) -> Floats:
        return self._ta.MAX(values, length)

    def lowest(self, values: Floats, length: int) -> Floats:
        return self._ta.MIN(values, length)

    def wilder(self, values: Floats, length: int) -> Floats:
        return self._ta.RMA(values, length)

    def band(self, close: Floats, width: float) -> Floats:
        upper, middle, lower = self._ta.BBANDS(close, 20, 2, 2, 0)
        return middle if width == 0 else upper if width > 0 else lower

    def rsi(self, close: Floats) -> Floats:
        return self._ta.RSI(close, 14)

    def macd(self, close: Floats) -> Macd:
        dif, dea, _ = self._ta.MACD(close, 12, 26, 9)
        return Macd(dif, dea)

    def atr(self, bars: Columns) -> Floats:
        return self._ta.ATR(bars.high, bars.low, bars.close, 14)

    def adx(self, bars: Columns) -> Floats:
        return self._ta.ADX(bars.high, bars.low, bars.close, 14)

    def obv(self, close: Floats, volume: Floats) -> Floats:
        return self._ta.OBV(close, volume)

    def candles(self, bars: Columns) -> Mapping[str, Floats]:
        names: Sequence[str] = self._ta.get_function_groups()["Pattern Recognition"]
        prices = bars[:4]
        return {name: getattr(self._ta, name)(*prices).astype(np.float64) for name in names}


class _PandasTa:
    """pandas-ta-classic, its own arithmetic and never TA-Lib's; None from it is all NaN here."""

    asked: Mapping[str, str] = {
        "ma_": "sma",
        "high_": "rolling max",
        "low_": "rolling min",
        "boll_": "bbands(20, 2, ddof=0)",
        "rsi": "rsi(14)",
        "macd_": "macd(12, 26, 9)",
        "kdj_": "rolling max and min, rma(3)",
        "atr": "atr(14)",
        "trend_strength": "adx(14)",
        "obv_share": "obv, sma(20)",
        "volume_multiple": "sma(20)",
    }

    def __init__(self, package: Any) -> None:
        self._ta = package
        self._series = import_module("pandas").Series
        self.name = f"pandas-ta-classic {package.version}"

    def mean(self, values: Floats, length: int) -> Floats:
        return self._line(self._ta.sma, values, length=length)

    def highest(self, values: Floats, length: int) -> Floats:
        return self._series(values).rolling(length).max().to_numpy(copy=True)

    def lowest(self, values: Floats, length: int) -> Floats:
        return self._series(values).rolling(length).min().to_numpy(copy=True)

    def wilder(self, values: Floats, length: int) -> Floats:
        return self._line(self._ta.rma, values, length=length)

    def band(self, close: Floats, width: float) -> Floats:
        column = 1 if width == 0 else 2 if width > 0 else 0
        return self._line(self._ta.bbands, close, column=column, length=20, std=2, ddof=0)

    def rsi(self, close: Floats) -> Floats:
        return self._line(self._ta.rsi, close, length=14)

    def macd(self, close: Floats) -> Macd:
        asked = {"fast": 12, "slow": 26, "signal": 9}
        dif = self._line(self._ta.macd, close, column=0, **asked)
        return Macd(dif, self._line(self._ta.macd, close, column=2, **asked))

    def atr(self, bars: Columns) -> Floats:
        return self._line(self._ta.atr, bars.high, bars.low, bars.close, length=14)

    def adx(self, bars: Columns) -> Floats:
        return self._line(self._ta.adx, bars.high, bars.low, bars.close, column=0, length=14)

    def obv(self, close: Floats, volume: Floats) -> Floats:
        return self._line(self._ta.obv, close, volume)

    def candles(self, bars: Columns) -> Mapping[str, Floats]:
        prices = [self._series(column) for column in bars[:4]]
        found = self._ta.cdl_pattern(*prices, name="all")
        lines = {str(name): found[name].to_numpy(np.float64) for name in found.columns}
        # Its doji carries its parameters in its name, and `inside` is no pattern of TA-Lib's.
        named = {name.removesuffix("_10_0.1").replace("_", ""): at for name, at in lines.items()}
        return {name: at for name, at in named.items() if name != "CDLINSIDE"}

    def _line(
        self,
        work: Callable[..., Any],
        *columns: Floats,
        column: int | None = None,
        **options: float,
    ) -> Floats:
        found = work(*(self._series(one) for one in columns), talib=False, **options)
        if found is None:
            return np.full(len(columns[0]), np.nan)
        line = found if column is None else found.iloc[:, column]
        return line.to_numpy(np.float64)


@cache
def _ta_lib() -> Backend | None:
    try:
        return Backend(_TaLib(import_module("talib")))
    except ImportError:
        return None


@cache
def _pandas_ta() -> Backend | None:
    # It reads the day of the year in a way pandas is about to drop, once, when it is imported.
    warnings.filterwarnings(
        "ignore", message=r"Timestamp\.dayofyear is deprecated", module=r"pandas_ta_classic\."
    )
    try:
        return Backend(_PandasTa(import_module("pandas_ta_classic")))
    except ImportError:
        return None


def backend_of(choice: Choice) -> Backend | None:
    """The library of that choice; None for `builtin`, and for `auto` where none is installed.

    Raises: ConfigError when the one that is named is not installed, or is no choice.
    """
    match choice:
        case "builtin":
            return None
        case "auto":
            return _ta_lib() or _pandas_ta()
        case "ta-lib" | "pandas-ta":
            found = _ta_lib() if choice == "ta-lib" else _pandas_ta()
        case _:
            valid = "auto, ta-lib, pandas-ta or builtin"
            raise ConfigError(SETTING, f"no backend is called {choice!r}; choose {valid}")
    if found is None:
        way = f"pip install {_INSTALL[choice]}, or set {SETTING} to auto or builtin"
        raise ConfigError(SETTING, f"{choice} is not installed; {way}")
    return found
