"""Candlestick patterns as pure functions of four price series, oldest bar first.

Each says of the newest bar 1 or −1 where the pattern ends there, rising or falling, else 0. What
is long, short or near is measured against the bars before, with the widths TA-Lib made customary.
Whether a trend went before is not asked. A series that is too short raises ValueError.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

Values = Sequence[float]
# How many bars a measure looks back, for bodies and shadows and for what is near.
_LONG, _NEAR = 10, 5
BACK = _LONG


class Candle(NamedTuple):
    """One bar."""

    open: float
    high: float
    low: float
    close: float

    @property
    def body(self) -> float:
        """The distance from open to close."""
        return abs(self.close - self.open)

    @property
    def range(self) -> float:
        """The distance from low to high."""
        return self.high - self.low

    @property
    def top(self) -> float:
        """The upper end of the body."""
        return max(self.open, self.close)

    @property
    def bottom(self) -> float:
        """The lower end of the body."""
        return min(self.open, self.close)

    @property
    def upper(self) -> float:
        """The upper shadow."""
        return self.high - self.top

    @property
    def lower(self) -> float:
        """The lower shadow."""
        return self.bottom - self.low

    @property
    def color(self) -> Literal[1, -1]:
        """1 when it closed at its open or above, else −1."""
        return 1 if self.close >= self.open else -1


class _Bars:
    """Bars by how long ago they were, 0 for the newest, and the measures before each."""

    def __init__(self, series: tuple[Values, Values, Values, Values], least: int) -> None:
        if len(series[3]) < least:
            raise ValueError(f"needs {least} values, got {len(series[3])}")
        self._bars = [Candle(*bar) for bar in zip(*series, strict=True)]

    def __getitem__(self, ago: int) -> Candle:
        return self._bars[-1 - ago]

    def _before(self, ago: int, length: int) -> list[Candle]:
        end = len(self._bars) - 1 - ago
        return self._bars[end - length : end]

    def _mean_body(self, ago: int) -> float:
        return sum(bar.body for bar in self._before(ago, _LONG)) / _LONG

    def _mean_range(self, ago: int, length: int) -> float:
        return sum(bar.range for bar in self._before(ago, length)) / length

    def is_long(self, ago: int) -> bool:
        """A body above the mean of the ten before it."""
        return self[ago].body > self._mean_body(ago)

    def is_short(self, ago: int) -> bool:
        """A body of that mean or less."""
        return self[ago].body <= self._mean_body(ago)

    def is_small(self, ago: int) -> bool:
        """A body below that mean."""
        return self[ago].body < self._mean_body(ago)

    def is_doji(self, ago: int) -> bool:
        """A body of a tenth of the mean range or less."""
        return self[ago].body <= 0.1 * self._mean_range(ago, _LONG)

    def trifle(self, ago: int) -> float:
        """A shadow below this is next to none."""
        return 0.1 * self._mean_range(ago, _LONG)

    def near(self, ago: int) -> float:
        """A distance up to this is near."""
        return 0.2 * self._mean_range(ago, _NEAR)

    def far(self, ago: int) -> float:
        """A distance above this is far."""
        return 0.6 * self._mean_range(ago, _NEAR)


def _gaps_up(later: Candle, earlier: Candle) -> bool:
    return later.bottom > earlier.top


def _gaps_down(later: Candle, earlier: Candle) -> bool:
    return later.top < earlier.bottom


def _doji(bars: _Bars) -> int:
    return int(bars.is_doji(0))


def _dragonfly(bars: _Bars) -> int:
    bar, trifle = bars[0], bars.trifle(0)
    return int(bars.is_doji(0) and bar.upper < trifle < bar.lower)


def _gravestone(bars: _Bars) -> int:
    bar, trifle = bars[0], bars.trifle(0)
    return int(bars.is_doji(0) and bar.lower < trifle < bar.upper)


def _hangs(bars: _Bars) -> bool:
    """A small body at the top of its bar with a shadow below that is longer."""
    bar = bars[0]
    return bars.is_small(0) and bar.lower > bar.body and bar.upper < bars.trifle(0)


def _stands(bars: _Bars) -> bool:
    """The same upside down."""
    bar = bars[0]
    return bars.is_small(0) and bar.upper > bar.body and bar.lower < bars.trifle(0)


def _hammer(bars: _Bars) -> int:
    return int(_hangs(bars) and bars[0].bottom <= bars[1].low + bars.near(1))


def _hanging_man(bars: _Bars) -> int:
    return -int(_hangs(bars) and bars[0].bottom >= bars[1].high - bars.near(1))


def _inverted_hammer(bars: _Bars) -> int:
    return int(_stands(bars) and _gaps_down(bars[0], bars[1]))


def _shooting_star(bars: _Bars) -> int:
    return -int(_stands(bars) and _gaps_up(bars[0], bars[1]))


def _holds(outer: Candle, inner: Candle) -> bool:
    """The one body within the other, at most one of their ends being the same."""
    within = outer.bottom <= inner.bottom and inner.top <= outer.top
    return within and (outer.bottom, outer.top) != (inner.bottom, inner.top)


def _engulfing(bars: _Bars) -> int:
    bar, before = bars[0], bars[1]
    return bar.color if bar.color != before.color and _holds(bar, before) else 0


def _harami(bars: _Bars) -> int:
    long, short = bars[1], bars[0]
    found = bars.is_long(1) and bars.is_short(0) and _holds(long, short)
    return -long.color if found else 0


def _piercing(bars: _Bars) -> int:
    first, bar = bars[1], bars[0]
    turned = first.color == -1 and bar.color == 1 and bars.is_long(1) and bars.is_long(0)
    middle = first.close + 0.5 * first.body
    return int(turned and bar.open < first.low and middle < bar.close < first.open)


def _dark_cloud(bars: _Bars) -> int:
    first, bar = bars[1], bars[0]
    turned = first.color == 1 and bar.color == -1 and bars.is_long(1)
    middle = first.close - 0.5 * first.body
    return -int(turned and bar.open > first.high and first.open < bar.close < middle)


def _star(bars: _Bars) -> bool:
    """A long bar, a short one, and one that is not short, of the other color than the first."""
    lengths = bars.is_long(2) and bars.is_short(1) and not bars.is_short(0)
    return lengths and bars[0].color != bars[2].color


def _morning_star(bars: _Bars) -> int:
    first, star, bar = bars[2], bars[1], bars[0]
    found = _star(bars) and first.color == -1 and _gaps_down(star, first)
    return int(found and bar.close > first.close + 0.3 * first.body)


def _evening_star(bars: _Bars) -> int:
    first, star, bar = bars[2], bars[1], bars[0]
    found = _star(bars) and first.color == 1 and _gaps_up(star, first)
    return -int(found and bar.close < first.close - 0.3 * first.body)


def _soldiers(bars: _Bars) -> int:
    first, second, third = bars[2], bars[1], bars[0]
    plain = all(bars[ago].color == 1 and bars[ago].upper < bars.trifle(ago) for ago in range(3))
    rising = first.close < second.close < third.close
    steps = all(
        bars[ago + 1].open < bars[ago].open <= bars[ago + 1].close + bars.near(ago + 1)
        and bars[ago].body > bars[ago + 1].body - bars.far(ago + 1)
        for ago in range(2)
    )
    return int(plain and rising and steps and not bars.is_short(0))


def _crows(bars: _Bars) -> int:
    first, second, third = bars[2], bars[1], bars[0]
    plain = all(bars[ago].color == -1 and bars[ago].lower < bars.trifle(ago) for ago in range(3))
    falling = bars[3].color == 1 and bars[3].high > first.close > second.close > third.close
    steps = all(bars[ago + 1].close < bars[ago].open < bars[ago + 1].open for ago in range(2))
    return -int(plain and falling and steps)


def _marubozu(bars: _Bars) -> int:
    bar, trifle = bars[0], bars.trifle(0)
    return bar.color if bars.is_long(0) and bar.upper < trifle and bar.lower < trifle else 0


class CandlePattern(NamedTuple):
    """One pattern: its names, its words when rising and falling, how many bars make it, its test.

    `measured`: whether bars before it are needed to measure it. `neutral`: it says nothing of the
    direction, and its only sign is 1.
    """

    name: str
    zh: str
    bars: int
    test: Callable[[_Bars], int]
    rising: str = ""
    falling: str = ""
    measured: bool = True
    neutral: bool = False

    @property
    def en(self) -> str:
        """Its English name."""
        return self.name.replace("_", " ").capitalize()

    @property
    def window(self) -> int:
        """How many bars decide it, those it is measured against included."""
        return self.bars + (BACK if self.measured else 0)

    def word(self, sign: int) -> str:
        """What it is called when it points that way: `bullish_harami`."""
        return (self.rising if sign > 0 else self.falling) or self.name

    def __call__(self, open: Values, high: Values, low: Values, close: Values) -> int:  # noqa: A002 — the price's own name
        """1, −1 or 0 of the newest bar. Raises: ValueError."""
        return self.test(_Bars((open, high, low, close), self.window))


def _both_ways(
    name: str, zh: str, bars: int, test: Callable[[_Bars], int], *, measured: bool = True
) -> CandlePattern:
    return CandlePattern(name, zh, bars, test, f"bullish_{name}", f"bearish_{name}", measured)


PATTERNS: Mapping[str, CandlePattern] = {
    one.name: one
    for one in (
        CandlePattern("doji", "十字星", 1, _doji, neutral=True),
        CandlePattern("dragonfly_doji", "蜻蜓十字", 1, _dragonfly, neutral=True),
        CandlePattern("gravestone_doji", "墓碑十字", 1, _gravestone, neutral=True),
        CandlePattern("hammer", "锤子线", 2, _hammer),
        CandlePattern("hanging_man", "上吊线", 2, _hanging_man),
        CandlePattern("inverted_hammer", "倒锤子线", 2, _inverted_hammer),
        CandlePattern("shooting_star", "射击之星", 2, _shooting_star),
        _both_ways("engulfing", "吞没", 2, _engulfing, measured=False),
        _both_ways("harami", "孕线", 2, _harami),
        CandlePattern("piercing", "刺透", 2, _piercing),
        CandlePattern("dark_cloud_cover", "乌云盖顶", 2, _dark_cloud),
        CandlePattern("morning_star", "启明星", 3, _morning_star),
        CandlePattern("evening_star", "黄昏星", 3, _evening_star),
        CandlePattern("three_white_soldiers", "红三兵", 3, _soldiers),
        CandlePattern("three_black_crows", "三只乌鸦", 4, _crows),
        _both_ways("marubozu", "光头光脚", 1, _marubozu),
    )
}
