"""The figures of one symbol's bars at any of its sessions, as plain numbers and as claims.

A number serves to judge; what is shown is the claim of the same formula. Where a library computes
it otherwise (indicator_backends.py) there is no claim, and the reason says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.evaluation import evaluate
from services.core.formulas import Formula, formula_for
from services.core.indicator_formulas import (
    CANDLES,
    INDICATORS,
    SETTLED,
    SETTLED_KDJ,
    Indicator,
)
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.recomputation import agrees, recompute_call
from services.core.sessions import TradedSessions
from services.core.text import Text
from services.core.trace import Fact
from services.market.history import Bar, PriceHistory
from services.market.indicators.backends import Backend, Columns, IndicatorLine

if TYPE_CHECKING:
    import numpy as np
else:
    np = import_later("numpy")

VOLUME_MULTIPLE = Indicator(
    "volume_multiple",
    "volume / mean(window)",
    ("volume",),
    inputs=("volume",),
    unit="multiple",
    window=20,
    least=21,
)
_RAW = frozenset({"open", "high", "low", "close", "volume"})
_BY_METRIC: Mapping[str, Indicator] = {
    one.metric: one
    for one in (*INDICATORS, *CANDLES, VOLUME_MULTIPLE)
    if one.metric != "signal_confidence"
}
FIGURES = tuple(
    one.metric for one in (*INDICATORS, VOLUME_MULTIPLE) if one.metric != "signal_confidence"
)
_HOLLOW = Text(
    "区间内价格或成交量没有变化，无法计算",
    "neither price nor volume moves in the span: cannot be computed",
)
_TORN = Text("区间内有交易日缺少价格或成交量", "a session of the span lacks price or volume")
_EARLIER = Text("没有更早的日线", "there are no earlier bars")

# A figure of a session: its metric and the place of its bar.
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Second:
    """What a library computes from the same bars, a line a metric and a candlestick pattern."""

    by: str
    lines: Mapping[str, IndicatorLine]
    candles: Mapping[str, Sequence[float]]

    def at(self, metric: str, place: int) -> float | None:
        """Its figure of that session; None where it has none."""
        line = self.lines.get(metric)
        value = None if line is None else float(line.values[place])
        return value if value is not None and np.isfinite(value) else None


def second_of(backend: Backend | None, bars: Sequence[Bar]) -> Second | None:
    """What that library says of these bars; None where there is no library."""
    if backend is None:
        return None
    columns = Columns(
        *(
            np.array([getattr(bar, name) for bar in bars], dtype=np.float64)
            for name in Columns._fields
        )
    )
    candles = {name: line.tolist() for name, line in backend.candles(columns).items()}
    return Second(backend.name, backend.lines(columns), candles)


@dataclass(slots=True)
class BarReader:
    """The bars of one symbol, and the numbers and claims of any of its sessions by place.

    Lost sessions between them are as core/sessions.py has it for every window.
    """

    ledger: Ledger
    history: PriceHistory
    second: Second | None = None
    _numbers: dict[Place, float | None] = field(default_factory=dict[Place, float | None])
    _made: dict[Place, Figure] = field(default_factory=dict[Place, Figure])
    _sessions: TradedSessions = field(init=False)

    def __post_init__(self) -> None:
        """Count the sessions once."""
        self._sessions = self.history.sessions

    @property
    def last(self) -> int:
        """The place of the newest bar."""
        return len(self.history.bars) - 1

    def closes(self) -> list[float]:
        """Every close, the oldest first."""
        return [bar.close for bar in self.history.bars]

    def number(self, metric: str, place: int) -> float | None:
        """A figure as of that session, without a claim; None where it cannot be computed."""
        if place < 0:
            return None
        if metric in _RAW:
            return getattr(self.history.bars[place], metric)
        if (metric, place) not in self._numbers:
            self._numbers[metric, place] = self._evaluate_indicator(_BY_METRIC[metric], place)
        return self._numbers[metric, place]

    def figure(self, metric: str, place: int) -> Figure:
        """A figure as of that session; Missing with the reason where it cannot be computed."""
        if place < 0:
            return self._make_missing(metric, _EARLIER)
        found = self._made.get((metric, place))
        if found is None:
            found = self._made[metric, place] = self._compute(metric, place)
        return found

    def value(self, metric: str, place: int) -> float | None:
        """The number of a figure that has a claim; None where it is Missing."""
        found = self.figure(metric, place)
        return found.value if isinstance(found, Claim) else None

    def derive_figure(self, made: Indicator, place: int) -> Figure:
        """A figure computed from others of the same session."""
        inputs: list[Claim] = []
        for _, metric in _name_series(made.inputs):
            one = self.figure(metric, place)
            if isinstance(one, Missing):
                return self._make_missing(made.metric, one.reason)
            inputs.append(one)
        answer = self.ledger.derive(_formula(made), inputs)
        return answer or self._make_missing(made.metric, _HOLLOW)

    def record(self, wanted: Iterable[Place]) -> None:
        """Put the library's figures of these places in the trace, so that claims may name them.

        To be done before the claims are made.
        """
        second = self.second
        if second is None:
            return
        rows: list[Fact] = []
        for metric, place in dict.fromkeys(wanted):
            value = second.at(metric, place)
            if value is not None and self.number(metric, place) is not None:
                asked = second.lines[metric].asked
                rows.append(self._recompute_fact(metric, place, value, asked))
        if rows:
            self.ledger.record(recompute_call(self.history.call, second.by, rows))

    def _recompute_fact(self, metric: str, place: int, value: float, asked: str) -> Fact:
        unit = _BY_METRIC[metric].unit
        bar = self.history.facts["close"][self.history.bars[place].date]
        return Fact(
            symbol=self.history.symbol,
            metric=metric,
            value=value,
            unit=bar.unit if unit == "first" else unit,
            as_of=bar.as_of,
            field=asked,
            raw=repr(value),
        )

    def _compute(self, metric: str, place: int) -> Figure:
        if metric in _RAW:
            day = self.history.bars[place].date
            if self.history.has(day, metric):
                return self.history.claim(self.ledger, day, metric)
            return self._make_missing(metric, Text.of(f"{day} 没有该数据"))
        made = _BY_METRIC[metric]
        if not made.series:
            return self.derive_figure(made, place)
        if needed := self._lacks(made, place):
            return self._make_missing(metric, needed)
        number = self.number(metric, place)
        if number is None:
            return self._make_missing(metric, _TORN if self._is_torn(made, place) else _HOLLOW)
        other = self.second.at(metric, place) if self.second else None
        if self.second is not None and other is not None and not agrees(number, other):
            by = self.second.by
            why = Text(
                f"两种算法不一致：{by} 复算的结果不同，不给出",
                f"two computations differ: {by} finds another figure, so none is given",
            )
            return self._make_missing(metric, why)
        return self._over(made, place)

    def _over(self, made: Indicator, place: int) -> Figure:
        """The claim of a figure over a stretch of bars that ends with that session."""
        first, end = self._stretch(made, place)
        refs = [self._window(name, metric, first, end) for name, metric in _series(made)]
        inputs = [self.figure(metric, place) for _, metric in _name_series(made.inputs)]
        given = [one for one in inputs if isinstance(one, Claim)]
        if len(given) < len(inputs) or any(ref.count != end + 1 - first for ref in refs):
            return self._make_missing(made.metric, _TORN)
        answer = self.ledger.derive(_formula(made), given, series=refs)
        return answer or self._make_missing(made.metric, _HOLLOW)

    def _evaluate_indicator(self, made: Indicator, place: int) -> float | None:
        """The formula's answer. A stretch with a hole in it has none, nor has a nil divisor."""
        values: dict[str, float | Sequence[float]] = {}
        for name, metric in _name_series(made.inputs):
            one = self.number(metric, place)
            if one is None:
                return None
            values[name] = one
        if made.series:
            if self._lacks(made, place) or self._is_torn(made, place):
                return None
            first, end = self._stretch(made, place)
            for name, metric in _series(made):
                column = [getattr(bar, metric) for bar in self.history.bars[first : end + 1]]
                values[name] = column
        try:
            return evaluate(made.expression, values)
        except ZeroDivisionError:
            return None

    def _lacks(self, made: Indicator, place: int) -> Text:
        """What it lacks of bars, in words; empty where there are enough."""
        settled = SETTLED_KDJ if made.metric.startswith("kdj_") else SETTLED
        needed = made.least if made.window else max(made.least, settled)
        return self._sessions.window(place, needed, adjacent=made.adjacent).why

    def too_few(self, needed: int, place: int) -> Text:
        """Why nothing can be said over so many bars up to this one; empty where it can."""
        return self._sessions.window(place, needed).why

    def follows(self, place: int) -> bool:
        """Whether no session is lost between this bar and the one before it."""
        return place > 0 and not self._sessions.lacking(place - 1, place).lost

    def _is_torn(self, made: Indicator, place: int) -> bool:
        first, _ = self._stretch(made, place)
        return any(
            getattr(bar, metric) is None
            for bar in self.history.bars[first : place + 1]
            for metric in made.series
        )

    def _stretch(self, made: Indicator, place: int) -> tuple[int, int]:
        """First and last bar it is over; with claims of a session beside it, those before that."""
        end = place - 1 if made.inputs else place
        return (end + 1 - made.window if made.window else 0), end

    def _window(self, name: str, metric: str, first: int, last: int) -> SeriesRef:
        bars, call = self.history.bars, self.history.call
        days = bars[first].date, bars[last].date
        return self.ledger.window(name, call, self.history.symbol, metric, *days)

    def _make_missing(self, metric: str, reason: Text) -> Missing:
        return Missing(metric=metric, symbol=self.history.symbol, reason=reason)


def _name_series(texts: Sequence[str]) -> list[tuple[str, str]]:
    """`close` or `short=ma_5` → the name in the expression and the metric."""
    return [(text.partition("=")[0], text.rpartition("=")[2]) for text in texts]


def _series(made: Indicator) -> list[tuple[str, str]]:
    return [(slot.name, slot.metric) for slot in _formula(made).series]


def _formula(made: Indicator) -> Formula:
    found = formula_for(made.metric, made.expression)
    if found is None:
        raise KeyError(f"{made.metric}: {made.expression}")
    return found
