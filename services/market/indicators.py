"""Technical indicators of one symbol from its daily bars: each figure a claim, each word a rule.

The figures are core/indicator_formulas.py's, the judgements competences named `indicator.…`.
What there are too few bars for is Missing with how many it needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.competence import COMPETENCES
from services.core.formulas import Formula, formula_for
from services.core.indicator_formulas import INDICATORS, Indicator
from services.core.indicators import dif, ema, sign, sma
from services.core.ledger import Ledger
from services.market.history import PriceHistory

Stance = Literal["bullish", "neutral", "bearish"]
Signal = Literal["buy", "sell", "hold"]
_BY_METRIC: Mapping[str, Indicator] = {
    one.metric: one for one in INDICATORS if one.metric != "signal_confidence"
}
_CONFIDENCE: Mapping[Signal, str] = {
    "buy": "score / 100",
    "sell": "1 - score / 100",
    "hold": "1 - abs(score - 50) / 50",
}
_VOLUME = "volume / mean(window)"
_LEVELS = ("low_20", "low_60", "high_20", "high_60", "ma_20", "ma_60", "boll_lower", "boll_upper")
_SHOWN_LEVELS = 3
_SHOWN_SIGNALS = 6
# So many bars the pattern that looks back longest needs: a MACD cross.
_JUDGED_FROM = 35
# From so many bars on the start of a recursive indicator no longer shows.
SETTLED = 120
_HOLLOW = "区间内价格或成交量没有变化，无法计算"


class TimedSignal(NamedTuple):
    """A signal of one session and how much of the score agrees with it."""

    date: date
    signal: Signal
    confidence: Figure


@dataclass(frozen=True, slots=True)
class Indicators:
    """Everything computed, by metric, as of the last bar; a judgement is None where it lacks bars.

    Of `patterns`, levels and `signals` None is "too few bars", empty is "none". `support` and
    `resistance` are nearest first; `signals` oldest first, the last of them of the last bar.
    """

    as_of: date
    figures: Mapping[str, Figure]
    direction: Literal["up", "down", "sideways"] | None
    alignment: Literal["bullish", "bearish", "mixed"] | None
    obv_trend: Literal["up", "down", "flat"] | None
    patterns: tuple[str, ...] | None
    support: tuple[Claim, ...] | None
    resistance: tuple[Claim, ...] | None
    stance: Stance | None
    signals: tuple[TimedSignal, ...] | None
    notes: tuple[str, ...]


@dataclass(slots=True)
class Reading:
    """The bars of one symbol, and the claims of any of its sessions by place."""

    ledger: Ledger
    history: PriceHistory
    _made: dict[tuple[str, int], Figure] = field(default_factory=dict[tuple[str, int], Figure])

    @property
    def last(self) -> int:
        """The place of the newest bar."""
        return len(self.history.bars) - 1

    def closes(self) -> list[float]:
        """Every close, the oldest first."""
        return [bar.close for bar in self.history.bars]

    def figure(self, metric: str, place: int) -> Figure:
        """A figure as of that session; Missing with the reason where it cannot be computed."""
        if place < 0:
            return self._missing(metric, "没有更早的日线")
        found = self._made.get((metric, place))
        if found is None:
            found = self._made[metric, place] = self._compute(metric, place)
        return found

    def value(self, metric: str, place: int) -> float | None:
        """The number of a figure, for judging; None where it is Missing."""
        found = self.figure(metric, place)
        return found.value if isinstance(found, Claim) else None

    def derived(self, made: Indicator, place: int) -> Figure:
        """A figure computed from others of the same session."""
        names = [text.rpartition("=")[2] for text in made.inputs]
        inputs: list[Claim] = []
        for name in names:
            one = self.figure(name, place)
            if isinstance(one, Missing):
                return self._missing(made.metric, one.reason)
            inputs.append(one)
        answer = self.ledger.derive(_formula(made.metric, made.expression), inputs)
        return answer or self._missing(made.metric, _HOLLOW)

    def _compute(self, metric: str, place: int) -> Figure:
        day = self.history.bars[place].date
        if metric in {"close", "volume"}:
            if self.history.has(day, metric):
                return self.history.claim(self.ledger, day, metric)
            return self._missing(metric, f"{day} 没有该数据")
        if metric == "volume_multiple":
            return self._volume_multiple(place)
        made = _BY_METRIC[metric]
        return self.derived(made, place) if made.inputs else self._over(made, place)

    def _over(self, made: Indicator, place: int) -> Figure:
        """A figure over a stretch of bars that ends with that session."""
        if place + 1 < made.least:
            return self._missing(made.metric, _too_few(made.least, place + 1))
        first = place + 1 - made.window if made.window else 0
        refs = [self._window(name, name, first, place) for name in made.series]
        if any(ref.count != place + 1 - first for ref in refs):
            return self._missing(made.metric, "区间内有交易日缺少价格或成交量")
        answer = self.ledger.derive(_formula(made.metric, made.expression), (), series=refs)
        return answer or self._missing(made.metric, _HOLLOW)

    def _volume_multiple(self, place: int) -> Figure:
        formula = _formula("volume_multiple", _VOLUME)
        window = formula.window or 0
        volume = self.figure("volume", place)
        if isinstance(volume, Missing):
            return self._missing("volume_multiple", volume.reason)
        if place < window:
            return self._missing("volume_multiple", _too_few(window + 1, place + 1))
        ref = self._window("window", "volume", place - window, place - 1)
        if ref.count != window:
            return self._missing("volume_multiple", "区间内有交易日缺少成交量")
        answer = self.ledger.derive(formula, (volume,), series=(ref,))
        return answer or self._missing("volume_multiple", _HOLLOW)

    def _window(self, name: str, metric: str, first: int, last: int) -> SeriesRef:
        bars, call = self.history.bars, self.history.call
        days = bars[first].date, bars[last].date
        return self.ledger.window(name, call, self.history.symbol, metric, *days)

    def _missing(self, metric: str, reason: str) -> Missing:
        return Missing(metric=metric, symbol=self.history.symbol, reason=reason)


def indicators(ledger: Ledger, history: PriceHistory) -> Indicators:
    """Every indicator as of the newest bar of the history, and the signals of late."""
    reading = Reading(ledger, history)
    last = reading.last
    names = ("close", "volume_multiple", *_BY_METRIC)
    figures = {metric: reading.figure(metric, last) for metric in names}
    stance = stance_of(reading.value("technical_score", last))
    for metric in ("stop_loss", "take_profit"):
        if why := _no_exit(figures[metric], stance):
            figures[metric] = Missing(metric=metric, symbol=history.symbol, reason=why)
    support, resistance = _levels(figures)
    return Indicators(
        as_of=history.bars[last].date,
        figures=figures,
        direction=_direction(reading, last),
        alignment=_alignment(reading, last),
        obv_trend=_obv_trend(reading.value("obv_share", last)),
        patterns=tuple(_patterns(reading, last)) if last + 1 >= _JUDGED_FROM else None,
        support=support,
        resistance=resistance,
        stance=stance,
        signals=tuple(_signals(reading, stance)) if stance else None,
        notes=tuple(_notes(history)),
    )


def _no_exit(level: Figure, stance: Stance | None) -> str:
    """Why there is no stop or target to give; empty where there is one."""
    if stance is None:
        return "日线不足以判断立场，不给止损止盈"
    if stance == "bearish":
        return "立场偏空，不给多头的止损止盈"
    return "按规则算出的价格不是正数" if isinstance(level, Claim) and level.value <= 0 else ""


def stance_of(score: float | None) -> Stance | None:
    """What a technical score means by the registered bands."""
    bands = COMPETENCES["indicator.stance"].values
    if score is None:
        return None
    if score >= bands["bullish_from"]:
        return "bullish"
    return "bearish" if score <= bands["bearish_to"] else "neutral"


def _direction(reading: Reading, place: int) -> Literal["up", "down", "sideways"] | None:
    order = _order(reading, ("close", "ma_20", "ma_60"), place)
    words: Mapping[int, Literal["up", "down", "sideways"]] = {1: "up", -1: "down", 0: "sideways"}
    return None if order is None else words[order]


def _alignment(reading: Reading, place: int) -> Literal["bullish", "bearish", "mixed"] | None:
    order = _order(reading, ("ma_5", "ma_10", "ma_20", "ma_60"), place)
    words: Mapping[int, Literal["bullish", "bearish", "mixed"]] = {
        1: "bullish",
        -1: "bearish",
        0: "mixed",
    }
    return None if order is None else words[order]


def _order(reading: Reading, metrics: Sequence[str], place: int) -> int | None:
    """1 where each is above the next, −1 where each is below it, else 0; None if one is missing."""
    values: list[float] = []
    for metric in metrics:
        value = reading.value(metric, place)
        if value is None:
            return None
        values.append(value)
    signs = {sign(before - after) for before, after in pairwise(values)}
    return signs.pop() if len(signs) == 1 else 0


def _obv_trend(share: float | None) -> Literal["up", "down", "flat"] | None:
    limit = COMPETENCES["indicator.obv"].values["obv_share_limit"]
    if share is None:
        return None
    return "up" if share >= limit else "down" if share <= -limit else "flat"


def _patterns(reading: Reading, place: int) -> list[str]:
    """The patterns of that session, by their registered definitions."""
    close = reading.history.bars[place].close
    rsi = reading.value("rsi", place)
    limits = COMPETENCES["indicator.rsi"].values
    found = [
        ("breakout", _above(close, reading.value("high_20", place - 1))),
        ("breakdown", _above(reading.value("low_20", place - 1), close)),
        ("boll_upper_break", _above(close, reading.value("boll_upper", place))),
        ("boll_lower_break", _above(reading.value("boll_lower", place), close)),
        ("rsi_overbought", _above(rsi, limits["rsi_overbought"])),
        ("rsi_oversold", _above(limits["rsi_oversold"], rsi)),
    ]
    crosses = _crosses(reading.closes()).get(place, ())
    return [name for name, holds in found if holds] + [*crosses, *_engulfing(reading, place)]


def _above(left: float | None, right: float | None) -> bool:
    return left is not None and right is not None and left > right


def _engulfing(reading: Reading, place: int) -> list[str]:
    if place == 0:
        return []
    before, bar = reading.history.bars[place - 1], reading.history.bars[place]
    was, now = sign(before.close - before.open), sign(bar.close - bar.open)
    covers = min(bar.open, bar.close) < min(before.open, before.close) and max(
        bar.open, bar.close
    ) > max(before.open, before.close)
    if not covers or was * now != -1:
        return []
    return ["bullish_engulfing" if now > 0 else "bearish_engulfing"]


def _crosses(closes: Sequence[float]) -> dict[int, tuple[str, ...]]:
    """By place, the crosses of MA5 with MA20 and of MACD's two lines, once each can be computed.

    A line that only touches the other has not crossed it.
    """
    found: dict[int, tuple[str, ...]] = {}
    for name, line, least in (("ma", _ma_gap(closes), 20), ("macd", _macd_gap(closes), 34)):
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
    if len(closes) < 34:
        return [0.0] * len(closes)
    line = dif(closes, 12, 26)
    return [quick - slow for quick, slow in zip(line, ema(line, 9), strict=True)]


class _Sides(NamedTuple):
    """The nearest levels below the close and above it; None where there are too few bars."""

    support: tuple[Claim, ...] | None
    resistance: tuple[Claim, ...] | None


def _levels(figures: Mapping[str, Figure]) -> _Sides:
    close, levels = figures["close"], dict[float, Claim]()
    for metric in _LEVELS:
        found = figures[metric]
        if isinstance(found, Claim):
            levels.setdefault(found.value, found)
    if isinstance(close, Missing) or not levels:
        return _Sides(None, None)
    below = sorted((value for value in levels if value < close.value), reverse=True)
    above = sorted(value for value in levels if value > close.value)
    return _Sides(
        tuple(levels[value] for value in below[:_SHOWN_LEVELS]),
        tuple(levels[value] for value in above[:_SHOWN_LEVELS]),
    )


def _signals(reading: Reading, stance: Stance | None) -> list[TimedSignal]:
    """The crosses of late, and the stance of the last session."""
    span = int(COMPETENCES["indicator.signal"].values["signal_sessions"])
    last = reading.last
    crossed: list[tuple[int, Signal]] = []
    for place, words in sorted(_crosses(reading.closes()).items()):
        golden = {("golden" in word) for word in words}
        if last - span < place < last and len(golden) == 1:
            crossed.append((place, "buy" if golden.pop() else "sell"))
    timed = [_timed(reading, place, signal) for place, signal in crossed[-(_SHOWN_SIGNALS - 1) :]]
    if stance is not None:
        now: Mapping[Stance, Signal] = {"bullish": "buy", "bearish": "sell", "neutral": "hold"}
        timed.append(_timed(reading, last, now[stance]))
    return timed


def _timed(reading: Reading, place: int, signal: Signal) -> TimedSignal:
    expression = _CONFIDENCE[signal]
    made = next(one for one in INDICATORS if one.expression == expression)
    return TimedSignal(reading.history.bars[place].date, signal, reading.derived(made, place))


def _notes(history: PriceHistory) -> list[str]:
    """What a reader must know of the bars behind every figure."""
    bars = history.bars
    notes = [f"日线 {bars[0].date} 至 {bars[-1].date}"]
    if history.note:
        notes.append(f"价格口径：{history.note}")
    if len(bars) < SETTLED:
        notes.append("日线较短，EMA、RSI、ATR 等递推指标的起点仍有影响")
    lost = [gap for gap in history.gaps if gap.kind != "suspension"]
    if any(bars[0].date <= gap.start <= bars[-1].date for gap in lost):
        notes.append("来源缺若干交易日的日线，指标按现有日线计算")
    return notes


def _too_few(needed: int, have: int) -> str:
    return f"至少需要 {needed} 根日线，区间内只有 {have} 根；可增大 lookback"


def _formula(metric: str, expression: str) -> Formula:
    found = formula_for(metric, expression)
    if found is None:
        raise KeyError(f"{metric}: {expression}")
    return found
