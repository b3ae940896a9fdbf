"""Patterns of late: which, on which day, over which bars, and the claims that show them.

Candlesticks are core/candles.py's, shapes and crosses follow the rule `indicator.patterns`. A
candlestick that a library judges otherwise is not told but named in `disputed`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from services.core.candles import PATTERNS
from services.core.claims import Figure
from services.core.indicator_formulas import SETTLED
from services.core.indicators import dif, ema, sign, sma
from services.core.limits import COMPETENCES
from services.market.indicators.reading import BarReader, Place

Direction = Literal["bullish", "bearish", "neutral"]
_RULE = COMPETENCES["indicator.patterns"].values
SESSIONS = int(_RULE["pattern_sessions"])
# The shape that looks back longest: a high of 60 sessions before the session itself.
JUDGED_FROM = 61
_WORDS: Mapping[int, Direction] = {1: "bullish", -1: "bearish", 0: "neutral"}
# TA-Lib's names of the candlesticks that core/candles.py knows.
TA_LIB_NAMES: Mapping[str, str] = {
    "CDLDOJI": "doji",
    "CDLDRAGONFLYDOJI": "dragonfly_doji",
    "CDLGRAVESTONEDOJI": "gravestone_doji",
    "CDLHAMMER": "hammer",
    "CDLHANGINGMAN": "hanging_man",
    "CDLINVERTEDHAMMER": "inverted_hammer",
    "CDLSHOOTINGSTAR": "shooting_star",
    "CDLENGULFING": "engulfing",
    "CDLHARAMI": "harami",
    "CDLPIERCING": "piercing",
    "CDLDARKCLOUDCOVER": "dark_cloud_cover",
    "CDLMORNINGSTAR": "morning_star",
    "CDLEVENINGSTAR": "evening_star",
    "CDL3WHITESOLDIERS": "three_white_soldiers",
    "CDL3BLACKCROWS": "three_black_crows",
    "CDLMARUBOZU": "marubozu",
}
_THEIRS = {ours: theirs for theirs, ours in TA_LIB_NAMES.items()}


class PatternHit(NamedTuple):
    """A pattern of `bars` bars that ends with the one at `place`.

    `shown`: the figures that show it, by metric and place; `candle` and `sign` are those of a
    candlestick.
    """

    name: str
    place: int
    direction: Direction
    bars: int
    shown: tuple[Place, ...]
    candle: str = ""
    sign: int = 0


@dataclass(frozen=True, slots=True)
class ToldPattern:
    """A pattern as told: it rests on the bars from `start` to `day`."""

    name: str
    day: date
    direction: Direction
    start: date
    shown: tuple[Figure, ...]
    found_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedPattern:
    """A candlestick of the newest bar that only the library knows; it has no claim."""

    name: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Patterns:
    """`now` are the names of the newest bar's, `late` those of late with what shows them.

    `others` is None where no library was asked.
    """

    now: tuple[str, ...]
    late: tuple[ToldPattern, ...]
    others: tuple[NamedPattern, ...] | None
    disputed: tuple[str, ...]


class _Shape(NamedTuple):
    """A shape: what it says, the figures that decide it (a session back: −1), and how."""

    name: str
    direction: Direction
    bars: int
    figures: tuple[tuple[str, int], ...]
    holds: Callable[..., bool]


def _above(first: float, second: float) -> bool:
    return first > second


def _below(first: float, second: float) -> bool:
    return first < second


def _on_volume(close: float, high: float, volume: float) -> bool:
    return close > high and volume >= _RULE["breakout_volume"]


def _is_boxed(height: float, strength: float) -> bool:
    return height <= _RULE["box_limit"] and strength <= _RULE["box_strength"]


_RSI = COMPETENCES["indicator.rsi"].values
_SHAPES = (
    _Shape("breakout", "bullish", 21, (("close", 0), ("high_20", -1)), _above),
    _Shape("breakdown", "bearish", 21, (("close", 0), ("low_20", -1)), _below),
    _Shape(
        "volume_breakout",
        "bullish",
        61,
        (("close", 0), ("high_60", -1), ("volume_multiple", 0)),
        _on_volume,
    ),
    _Shape("gap_up", "bullish", 2, (("low", 0), ("high", -1)), _above),
    _Shape("gap_down", "bearish", 2, (("high", 0), ("low", -1)), _below),
    _Shape("boll_upper_break", "neutral", 20, (("close", 0), ("boll_upper", 0)), _above),
    _Shape("boll_lower_break", "neutral", 20, (("close", 0), ("boll_lower", 0)), _below),
    _Shape("box", "neutral", 20, (("box_height", 0), ("trend_strength", 0)), _is_boxed),
    _Shape(
        "rsi_overbought", "bearish", 15, (("rsi", 0),), lambda rsi: rsi > _RSI["rsi_overbought"]
    ),
    _Shape("rsi_oversold", "bullish", 15, (("rsi", 0),), lambda rsi: rsi < _RSI["rsi_oversold"]),
)
_CROSSED = {"ma": ("ma_5", "ma_20"), "macd": ("macd_dif", "macd_dea")}


def hits_of(reading: BarReader) -> list[PatternHit]:
    """Every pattern that ends in the last sessions, the oldest first; one that lasts, twice.

    That is where it begins and, where it still holds, at the newest bar. No claim is made yet.
    """
    crossed = crosses(reading.closes())
    found: list[PatternHit] = []
    for place in range(max(reading.last + 1 - SESSIONS, 1), reading.last + 1):
        before = {hit.name for hit in _shapes_at(reading, place - 1)}
        fresh = [
            hit
            for hit in _shapes_at(reading, place)
            if hit.name not in before or place == reading.last
        ]
        words = crossed.get(place, ())
        found += [*fresh, *(_cross(word, place) for word in words), *_candles_at(reading, place)]
    return [hit for hit in found if _whole(reading, hit)]


def _whole(reading: BarReader, hit: PatternHit) -> bool:
    """Whether bars that must follow each other do.

    A gap in price after a suspension is one; over a session that the source lost there is none, nor
    is the day known on which lines crossed. No candlestick is made of bars before and after either.
    """
    if hit.name.endswith("_cross"):
        return reading.follows(hit.place)
    if not hit.candle and not hit.name.startswith("gap_"):
        return True
    bars = reading.history.bars
    start, end = bars[hit.place + 1 - hit.bars].date, bars[hit.place].date
    return not any(
        start < gap.end and gap.start < end and (hit.candle or gap.kind != "suspension")
        for gap in reading.history.gaps
    )


def _cross(word: str, place: int) -> PatternHit:
    metrics = _CROSSED[word.partition("_")[0]]
    shown = tuple((metric, at) for at in (place - 1, place) for metric in metrics)
    return PatternHit(word, place, "bullish" if "golden" in word else "bearish", 2, shown)


def patterns(reading: BarReader, hits: Sequence[PatternHit]) -> Patterns:
    """What these hits are, with their claims; the library's figures must be recorded before."""
    second = reading.second
    disputed = [hit for hit in hits if second and not _agrees(second.candles, hit)]
    told = [hit for hit in hits if hit not in disputed]
    return Patterns(
        now=tuple(hit.name for hit in told if hit.place == reading.last),
        late=tuple(_make_pattern(reading, hit) for hit in told),
        others=None if second is None else _others(second.candles, reading.last),
        disputed=tuple(dict.fromkeys(hit.name for hit in disputed)),
    )


def _make_pattern(reading: BarReader, hit: PatternHit) -> ToldPattern:
    bars = reading.history.bars
    by = (reading.second.by,) if hit.candle and reading.second else ()
    return ToldPattern(
        name=hit.name,
        day=bars[hit.place].date,
        direction=hit.direction,
        start=bars[max(hit.place + 1 - hit.bars, 0)].date,
        shown=tuple(reading.figure(metric, place) for metric, place in hit.shown),
        found_by=("有据", *by),
    )


def _agrees(candles: Mapping[str, Sequence[float]], hit: PatternHit) -> bool:
    """Whether the library has the same; it is asked of candlesticks only."""
    line = candles.get(_THEIRS.get(hit.candle, ""))
    return line is None or sign(line[hit.place]) == hit.sign


def _others(candles: Mapping[str, Sequence[float]], place: int) -> tuple[NamedPattern, ...]:
    return tuple(
        NamedPattern(name, _WORDS[sign(line[place])])
        for name, line in candles.items()
        if line[place] and name not in TA_LIB_NAMES
    )


def _shapes_at(reading: BarReader, place: int) -> list[PatternHit]:
    found: list[PatternHit] = []
    for shape in _SHAPES:
        shown = tuple((metric, place + back) for metric, back in shape.figures)
        numbers = [reading.number(metric, at) for metric, at in shown]
        if None not in numbers and shape.holds(*numbers):
            found.append(PatternHit(shape.name, place, shape.direction, shape.bars, shown))
    return found


def _candles_at(reading: BarReader, place: int) -> list[PatternHit]:
    found: list[PatternHit] = []
    for name, pattern in PATTERNS.items():
        number = reading.number(f"candle_{name}", place)
        if number:
            word = pattern.word(sign(number))
            direction = "neutral" if pattern.neutral else _WORDS[sign(number)]
            shown = ((f"candle_{name}", place),)
            found.append(
                PatternHit(word, place, direction, pattern.bars, shown, name, sign(number))
            )
    return found


def crosses(closes: Sequence[float]) -> dict[int, tuple[str, ...]]:
    """By place, the crosses of MA5 with MA20 and of DIF with DEA, once each can be computed.

    A line that only touches the other has not crossed it.
    """
    found: dict[int, tuple[str, ...]] = {}
    for name, line, least in (("ma", _ma_gap(closes), 20), ("macd", _macd_gap(closes), SETTLED)):
        side = 0
        for place in range(least - 1, len(closes)):
            now = sign(line[place])
            if side * now == -1:
                word = f"{name}_{'golden' if now > 0 else 'death'}_cross"
                found[place] = (*found.get(place, ()), word)
            side = now or side
    return found


def _ma_gap(closes: Sequence[float]) -> list[float]:
    places = range(1, len(closes) + 1)
    return [
        sma(closes[n - 5 : n], 5) - sma(closes[n - 20 : n], 20) if n >= 20 else 0.0 for n in places
    ]


def _macd_gap(closes: Sequence[float]) -> list[float]:
    if len(closes) < SETTLED:
        return [0.0] * len(closes)
    line = dif(closes, 12, 26)
    return [quick - slow for quick, slow in zip(line, ema(line, 9), strict=True)]
