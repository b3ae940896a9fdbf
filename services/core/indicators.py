"""Technical indicators as pure functions of price series, oldest value first.

Conventions, since they decide the digits: RSI and ATR smooth as Wilder does (the first value is a
plain mean), and so does ADX, whose sums start one move early as TA-Lib's do; EMA starts at the
first close; KDJ starts from 50 and keeps its value over a bar whose range is nil; Bollinger bands
use the population deviation. A series that is too short raises ValueError; where arithmetic has no
answer (prices that never move have no RSI and no KDJ), ZeroDivisionError.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean, pstdev

Values = Sequence[float]


def _need(values: Values, least: int) -> None:
    if len(values) < least:
        raise ValueError(f"needs {least} values, got {len(values)}")


def last(values: Values) -> float:
    """The newest value."""
    _need(values, 1)
    return values[-1]


def sma(values: Values, length: int) -> float:
    """The mean of the last `length` values."""
    _need(values, length)
    return fmean(values[-length:])


def ema(values: Values, length: int) -> list[float]:
    """The exponential average at each place: factor 2 / (length + 1), from the first value on."""
    _need(values, 1)
    factor = 2 / (length + 1)
    line = [values[0]]
    for value in values[1:]:
        line.append(line[-1] + factor * (value - line[-1]))
    return line


def dif(close: Values, fast: int, slow: int) -> list[float]:
    """MACD's DIF at each place: the fast average less the slow one. From `slow` values on."""
    _need(close, slow)
    pairs = zip(ema(close, fast), ema(close, slow), strict=True)
    return [quick - slack for quick, slack in pairs]


def dea(close: Values, fast: int, slow: int, signal: int) -> list[float]:
    """MACD's DEA at each place: the average of DIF. From `slow` + `signal` − 1 values on."""
    _need(close, slow + signal - 1)
    return ema(dif(close, fast, slow), signal)


def rsi(close: Values, length: int) -> float:
    """Wilder's relative strength, 0 to 100. No answer where no close ever moved."""
    _need(close, length + 1)
    moves = [later - earlier for earlier, later in pairwise(close)]
    gain = _wilder([max(move, 0.0) for move in moves], length)
    loss = _wilder([max(-move, 0.0) for move in moves], length)
    return 100 * gain / (gain + loss)


def kdj_k(high: Values, low: Values, close: Values, length: int, smooth: int) -> float:
    """The K of KDJ, 0 to 100."""
    return _k_line(high, low, close, length, smooth)[-1]


def kdj_d(high: Values, low: Values, close: Values, length: int, smooth: int, again: int) -> float:
    """The D of KDJ, 0 to 100: K smoothed once more."""
    found = 50.0
    for value in _k_line(high, low, close, length, smooth):
        found += (value - found) / again
    return found


def atr(high: Values, low: Values, close: Values, length: int) -> float:
    """Wilder's average true range, in the unit of the prices."""
    _need(close, length + 1)
    return _wilder(_true_ranges(high, low, close), length)


def adx(high: Values, low: Values, close: Values, length: int) -> float:
    """Wilder's average directional index, 0 to 100: how strong a trend is, not which way."""
    _need(close, 2 * length)
    rising = [max(b - a, 0.0) for a, b in pairwise(high)]
    falling = [max(a - b, 0.0) for a, b in pairwise(low)]
    pairs = list(zip(rising, falling, strict=True))
    up = _wilder_sums([r if r > f else 0.0 for r, f in pairs], length)
    down = _wilder_sums([f if f > r else 0.0 for r, f in pairs], length)
    ranges = _wilder_sums(_true_ranges(high, low, close), length)
    found = [_dx(*at) for at in zip(up, down, ranges, strict=True)]
    answer = fmean(one or 0.0 for one in found[:length])
    for one in found[length:]:
        if one is not None:
            answer += (one - answer) / length
    return answer


def boll(close: Values, length: int, width: float) -> float:
    """The mean of the last `length` closes plus `width` times their population deviation."""
    _need(close, length)
    return fmean(close[-length:]) + width * pstdev(close[-length:])


def obv(close: Values, volume: Values) -> float:
    """On-balance volume over the series, from nil: volume of rising closes less that of falling."""
    total = 0.0
    for (earlier, later), traded in zip(pairwise(close), volume[1:], strict=True):
        total += traded * sign(later - earlier)
    return total


def after_first(values: Values) -> float:
    """The sum of all values but the first."""
    return sum(values[1:])


def sign(value: float) -> int:
    """1, −1 or 0."""
    return (value > 0) - (value < 0)


def band(value: float, low: float, high: float) -> int:
    """1 below `low`, −1 above `high`, 0 from one to the other."""
    return (value < low) - (value > high)


def _wilder(values: Values, length: int) -> float:
    return _wilder_line(values, length)[-1]


def _wilder_line(values: Values, length: int) -> list[float]:
    """Wilder's smoothing at each place from the `length`-th value on; the first is their mean."""
    _need(values, length)
    line = [fmean(values[:length])]
    for value in values[length:]:
        line.append(line[-1] + (value - line[-1]) / length)
    return line


def _wilder_sums(values: Values, length: int) -> list[float]:
    """Wilder's running sum at each place from the `length`-th value on."""
    _need(values, length)
    total, line = sum(values[: length - 1]), list[float]()
    for value in values[length - 1 :]:
        total += value - total / length
        line.append(total)
    return line


def _true_ranges(high: Values, low: Values, close: Values) -> list[float]:
    """Each bar's range with the close before it; the first bar has none."""
    bars = zip(high[1:], low[1:], close[:-1], strict=True)
    return [max(top, before) - min(bottom, before) for top, bottom, before in bars]


def _dx(up: float, down: float, average: float) -> float | None:
    """The directional index of one bar; None where nothing moved either way."""
    if average == 0 or up + down == 0:
        return None
    return 100 * abs(up - down) / (up + down)


def _k_line(high: Values, low: Values, close: Values, length: int, smooth: int) -> list[float]:
    _need(close, length)
    found, line, moved = 50.0, list[float](), False
    for end in range(length, len(close) + 1):
        top, bottom = max(high[end - length : end]), min(low[end - length : end])
        if top > bottom:
            moved = True
            raw = (close[end - 1] - bottom) / (top - bottom) * 100
            found += (raw - found) / smooth
        line.append(found)
    if not moved:
        raise ZeroDivisionError("no bar has a range")
    return line


def rsi_line(close: Values, length: int) -> list[float | None]:
    """`rsi` as of each place; None where it has no answer yet."""
    moves = [later - earlier for earlier, later in pairwise(close)]
    if len(moves) < length:
        return [None] * len(close)
    gains = _wilder_line([max(move, 0.0) for move in moves], length)
    losses = _wilder_line([max(-move, 0.0) for move in moves], length)
    pairs = zip(gains, losses, strict=True)
    known = [100 * gain / (gain + loss) if gain + loss else None for gain, loss in pairs]
    return [None] * (len(close) - len(known)) + known


def kdj_lines(
    high: Values, low: Values, close: Values, length: int, smooth: int
) -> tuple[list[float | None], list[float | None], list[float | None]]:
    """K, D and J as of each place; None before there are `length` bars, and where none moved."""
    try:
        k_line = _k_line(high, low, close, length, smooth)
    except (ValueError, ZeroDivisionError):
        none: list[float | None] = [None] * len(close)
        return none, list(none), list(none)
    before: list[float | None] = [None] * (len(close) - len(k_line))
    found, d_line = 50.0, list[float]()
    for value in k_line:
        found += (value - found) / smooth
        d_line.append(found)
    j_line = [3 * k - 2 * d for k, d in zip(k_line, d_line, strict=True)]
    return before + k_line, before + d_line, before + j_line


def boll_lines(
    close: Values, length: int, width: float
) -> tuple[list[float | None], list[float | None], list[float | None]]:
    """`boll` above, at and below the mean as of each place; None before `length` closes."""
    lines: tuple[list[float | None], ...] = ([], [], [])
    for place in range(len(close)):
        window = close[place + 1 - length : place + 1] if place + 1 >= length else ()
        middle, apart = (fmean(window), width * pstdev(window)) if window else (None, 0.0)
        for line, sign in zip(lines, (1, 0, -1), strict=True):
            line.append(None if middle is None else middle + sign * apart)
    return lines[0], lines[1], lines[2]


# What an expression of core/formulas.py may call, beyond its own.
FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "last": last,
    "sma": sma,
    "dif": dif,
    "dea": dea,
    "rsi": rsi,
    "kdj_k": kdj_k,
    "kdj_d": kdj_d,
    "atr": atr,
    "adx": adx,
    "boll": boll,
    "obv": obv,
    "after_first": after_first,
    "sign": sign,
    "band": band,
    "abs": abs,
}
