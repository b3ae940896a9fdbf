"""Technical indicators of one symbol from its daily bars: each figure a claim, each word a rule.

The figures are core/indicator_formulas.py's, the judgements competences named `indicator.…`; an
installed library computes the figures a second time. What cannot be said is Missing with why.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure, Missing
from services.core.indicator_formulas import INDICATORS, SETTLED, SETTLED_KDJ
from services.core.indicators import sign
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.source_marks import note_text
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market.history import PriceHistory
from services.market.indicators.backends import Choice, backend_of
from services.market.indicators.patterns import (
    JUDGED_FROM,
    PatternHit,
    Patterns,
    crosses,
    hits_of,
    patterns,
)
from services.market.indicators.reading import FIGURES, BarReader, Place, second_of

Stance = Literal["bullish", "neutral", "bearish"]
Signal = Literal["buy", "sell", "hold"]
_CONFIDENCE: Mapping[Signal, str] = {
    "buy": "score / 100",
    "sell": "1 - score / 100",
    "hold": "1 - abs(score - 50) / 50",
}
_LEVELS = ("low_20", "low_60", "high_20", "high_60", "ma_20", "ma_60", "boll_lower", "boll_upper")
# What the score of a day rests on, as far as it is over bars.
_SCORED = ("ma_5", "ma_20", "ma_60", "macd_dif", "macd_dea", "obv_share", "rsi")
_SHOWN_LEVELS = 3
_SHOWN_SIGNALS = 6
_STILL = int(COMPETENCES["indicator.still"].values["still_sessions"])
_ADVICE = ("technical_score", "position_suggestion", "stop_loss", "take_profit")


class TimedSignal(NamedTuple):
    """A signal of one session, how much of the score agrees with it, and what gave it."""

    date: date
    signal: Signal
    confidence: Figure
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Indicators:
    """Everything computed, by metric, as of the last bar; a judgement is None where it lacks bars.

    Of `patterns`, levels and `signals` None is "cannot be said" (`why`), empty is "none". `support`
    and `resistance` are nearest first; `signals` oldest first, the last of them of the last bar.
    `recomputed_by`: the library that computed the figures a second time, None where there is none.
    """

    as_of: date
    figures: Mapping[str, Figure]
    direction: Literal["up", "down", "sideways"] | None
    alignment: Literal["bullish", "bearish", "mixed"] | None
    obv_trend: Literal["up", "down", "flat"] | None
    patterns: Patterns | None
    support: tuple[Claim, ...] | None
    resistance: tuple[Claim, ...] | None
    stance: Stance | None
    signals: tuple[TimedSignal, ...] | None
    notes: tuple[Text, ...]
    recomputed_by: str | None
    why: Text = NO_TEXT

    def reason(self, metric: str) -> Text:
        """Why there is no such figure; empty where there is."""
        found = self.figures[metric]
        return found.reason if isinstance(found, Missing) else NO_TEXT


def indicators(ledger: Ledger, history: PriceHistory, *, backend: Choice = "auto") -> Indicators:
    """Every indicator as of the newest bar of the history, patterns and signals of late.

    `backend` is the library that computes the figures a second time: a figure on which it disagrees
    is Missing. Raises: ConfigError when the one that is named is not installed.
    """
    library = backend_of(backend)
    kept = _since_jump(history)
    reading = BarReader(ledger, kept, second_of(library, kept.bars))
    last = reading.last
    why = _explain_unjudged(reading)
    hits = [] if why else hits_of(reading)
    crossed = [] if why else _late_crosses(reading)
    reading.record(_list_places(last, hits, crossed))
    held = _list_withheld(reading)
    figures = {
        metric: held.get(metric) or reading.figure(metric, last) for metric in ("close", *FIGURES)
    }
    stance = _stance(figures["technical_score"])
    support, resistance = _levels(figures)
    judged = patterns(reading, hits) if not why else None
    return Indicators(
        as_of=kept.bars[last].date,
        figures=figures,
        direction=_direction(reading, last),
        alignment=_alignment(reading, last),
        obv_trend=_obv_trend(reading.value("obv_share", last)),
        patterns=judged,
        support=support,
        resistance=resistance,
        stance=stance,
        signals=tuple(_signals(reading, stance, crossed)) if stance else None,
        notes=tuple(_notes(history, kept, reading.second.by if reading.second else None, judged)),
        recomputed_by=reading.second.by if reading.second else None,
        why=why,
    )


def _list_places(last: int, hits: Sequence[PatternHit], crossed: Sequence["_Cross"]) -> list[Place]:
    """Every figure over bars that is going to have a claim."""
    wanted: list[Place] = [(metric, last) for metric in FIGURES]
    wanted += [place for hit in hits for place in hit.shown]
    return wanted + [(metric, cross.place) for cross in crossed for metric in _SCORED]


def _explain_unjudged(reading: BarReader) -> Text:
    """Why patterns and signals cannot be judged at all; empty where they can."""
    return reading.too_few(JUDGED_FROM, reading.last) or _moveless(reading)


def _moveless(reading: BarReader) -> Text:
    """That the prices of late never moved, in words; empty where they did."""
    bars = reading.history.bars[-_STILL:]
    prices = {price for bar in bars for price in (bar.open, bar.high, bar.low, bar.close)}
    if len(bars) == _STILL and len(prices) == 1:
        return Text(
            f"近 {_STILL} 个交易日价格没有变化，没有信号",
            f"no price moved in {_STILL} sessions: no signal",
        )
    return NO_TEXT


def _list_withheld(reading: BarReader) -> dict[str, Missing]:
    """What is not advised, with the reason: nothing when prices rest, no stop for a bear.

    No claim is made of what is withheld.
    """
    still = _moveless(reading)
    why = dict.fromkeys(_ADVICE, still)
    if not still:
        stance = _stance(reading.figure("technical_score", reading.last))
        why = {name: _no_exit(reading, name, stance) for name in ("stop_loss", "take_profit")}
    symbol = reading.history.symbol
    return {
        name: Missing(metric=name, symbol=symbol, reason=reason)
        for name, reason in why.items()
        if reason
    }


def _no_exit(reading: BarReader, name: str, stance: Stance | None) -> Text:
    """Why there is no stop or target to give; empty where there is one, or it says so itself."""
    if stance is None:
        return Text.of("没有技术评分，无从判断立场，不给止损止盈")
    if stance == "bearish":
        return Text.of("立场偏空，不给多头的止损止盈")
    level = reading.number(name, reading.last)
    return Text.of("按规则算出的价格不是正数") if level is not None and level <= 0 else NO_TEXT


def _stance(score: Figure) -> Stance | None:
    return stance_of(score.value) if isinstance(score, Claim) else None


def stance_of(score: float | None) -> Stance | None:
    """What a technical score means by the registered bands."""
    bands = COMPETENCES["indicator.stance"].values
    if score is None:
        return None
    if score >= bands["bullish_from"]:
        return "bullish"
    return "bearish" if score <= bands["bearish_to"] else "neutral"


def _direction(reading: BarReader, place: int) -> Literal["up", "down", "sideways"] | None:
    order = _order(reading, ("close", "ma_20", "ma_60"), place)
    words: Mapping[int, Literal["up", "down", "sideways"]] = {1: "up", -1: "down", 0: "sideways"}
    return None if order is None else words[order]


def _alignment(reading: BarReader, place: int) -> Literal["bullish", "bearish", "mixed"] | None:
    order = _order(reading, ("ma_5", "ma_10", "ma_20", "ma_60"), place)
    words: Mapping[int, Literal["bullish", "bearish", "mixed"]] = {
        1: "bullish",
        -1: "bearish",
        0: "mixed",
    }
    return None if order is None else words[order]


def _order(reading: BarReader, metrics: Sequence[str], place: int) -> int | None:
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


class _Cross(NamedTuple):
    """A session in which lines crossed, one way only, and which."""

    place: int
    signal: Signal
    words: tuple[str, ...]


def _late_crosses(reading: BarReader) -> list[_Cross]:
    """The newest crosses of the last sessions before the newest one, as signals, oldest first."""
    span = int(COMPETENCES["indicator.signal"].values["signal_sessions"])
    last = reading.last
    found: list[_Cross] = []
    for place, words in sorted(crosses(reading.closes()).items()):
        golden = {("golden" in word) for word in words}
        if last - span < place < last and len(golden) == 1 and reading.follows(place):
            found.append(_Cross(place, "buy" if golden.pop() else "sell", words))
    return found[-(_SHOWN_SIGNALS - 1) :]


def _signals(reading: BarReader, stance: Stance, crossed: Sequence[_Cross]) -> list[TimedSignal]:
    """The crosses of late, and the stance of the last session."""
    timed = [_make_signal(reading, *cross) for cross in crossed]
    now: Mapping[Stance, Signal] = {"bullish": "buy", "bearish": "sell", "neutral": "hold"}
    return [*timed, _make_signal(reading, reading.last, now[stance], ("stance",))]


def _make_signal(
    reading: BarReader, place: int, signal: Signal, because: tuple[str, ...]
) -> TimedSignal:
    expression = _CONFIDENCE[signal]
    made = next(one for one in INDICATORS if one.expression == expression)
    day = reading.history.bars[place].date
    return TimedSignal(day, signal, reading.derive_figure(made, place), because)


def _is_unadjusted(history: PriceHistory) -> bool:
    """Whether the source says that a stock's prices are not adjusted at all."""
    raw = "未复权" in history.note or "不复权" in history.note
    return raw and not Symbol(history.symbol).is_index


def _since_jump(history: PriceHistory) -> PriceHistory:
    """The bars from the last split or ex-date on that unadjusted prices show; else all of them."""
    if not _is_unadjusted(history):
        return history
    limit = COMPETENCES["indicator.unadjusted"].values["jump_limit"]
    jumps = [
        place
        for place, (before, bar) in enumerate(pairwise(history.bars), start=1)
        if abs(bar.close / before.close - 1) * 100 > limit
    ]
    if not jumps:
        return history
    bars = history.bars[jumps[-1] :]
    gaps = tuple(gap for gap in history.gaps if gap.start > bars[0].date)
    return replace(history, bars=bars, gaps=gaps)


_ADJUSTED_AS = Text("价格口径：{how}", "{how}")
_OVER_GAPS = Text(
    "近 {bars} 根日线之间缺 {lost} 个交易日的日线，指标按有日线的交易日连续计算",
    "{lost} sessions have no bar among the last {bars} bars: the indicators run over those held",
)
_UNSETTLED = Text(
    f"日线不足 {SETTLED} 根，递推指标（RSI、MACD、ATR、ADX）不给出，KDJ 需 {SETTLED_KDJ} 根",
    f"there are fewer than {SETTLED} bars: recursive indicators (RSI, MACD, ATR, ADX) are not "
    f"given; KDJ takes {SETTLED_KDJ}",
)
_SUSPENDED = Text(
    "期间有停牌，停牌日没有日线，指标按有成交的交易日连续计算",
    "trading was suspended for a time: the indicators run over the sessions that traded",
)
_RECOMPUTED = Text(
    "{by} 独立复算，相差超过十亿分之一的不给出",
    "recomputed by {by}; what differs by more than a part in a billion is not given",
)
_COMPUTED_ONCE = Text(
    "没有第二种算法复算，数值只由本工作台公式算出",
    "no second library recomputed the figures: the formulas here alone made them",
)
_DISPUTED = Text(
    "{by} 判断不同、未列出的 K 线形态：{patterns}",
    "candlestick patterns left out because {by} judges them otherwise: {patterns}",
)
_JUMPED = Text(
    "价格未复权，{day} 的跳变视为除权或拆股，此前的日线不用",
    "prices are not adjusted: the jump of {day} is taken for a split or an ex-date, and no bar "
    "before it is used",
)
_UNADJUSTED = Text(
    "价格未复权：除权除息日的跳变会进入指标",
    "prices are not adjusted: the jumps of ex-dates go into the indicators",
)


def _notes(
    history: PriceHistory,
    kept: PriceHistory,
    by: str | None,
    judged: Patterns | None,
) -> list[Text]:
    """What a reader must know of the bars behind every figure, and of who computed them."""
    bars = kept.bars
    first, last = bars[0].date, bars[-1].date
    notes = [Text(f"日线 {first} 至 {last}", f"daily bars {first} to {last}")]
    if history.note:
        notes.append(_ADJUSTED_AS.format(how=note_text(history.note)))
    notes += _adjustment(history, kept)
    shown = min(len(bars), SETTLED)
    if lost := kept.sessions.lacking(len(bars) - shown, len(bars) - 1).lost:
        notes.append(_OVER_GAPS.format(bars=str(shown), lost=str(lost)))
    if len(bars) < SETTLED:
        notes.append(_UNSETTLED)
    if kept.sessions.lacking(0, len(bars) - 1).suspended:
        notes.append(_SUSPENDED)
    notes.append(_RECOMPUTED.format(by=by) if by else _COMPUTED_ONCE)
    if by and judged and judged.disputed:
        names = Text("、".join(judged.disputed), ", ".join(judged.disputed))
        notes.append(_DISPUTED.format(by=by, patterns=names))
    return notes


def _adjustment(history: PriceHistory, kept: PriceHistory) -> list[Text]:
    if len(kept.bars) < len(history.bars):
        return [_JUMPED.format(day=str(kept.bars[0].date))]
    return [_UNADJUSTED] if _is_unadjusted(history) else []
