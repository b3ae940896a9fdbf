"""The claims an event's reason may cite, made from the bars of the symbol and of its index."""

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from services.core.claims import Claim
from services.core.formulas import FORMULAS, Formula
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.source_marks import ADJUSTED
from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap, ToolCall
from services.market.events import rules
from services.market.events.rules import Floats, SessionSpan, Track, track_of
from services.market.history import PriceHistory, gaps_call

if TYPE_CHECKING:
    import numpy as np
else:
    np = import_later("numpy")

_CALLED = {
    "pct_change": "(close / previous - 1) * 100",
    "gap": "(open / previous - 1) * 100",
    "deviation": "stock - index",
    "cumulative_deviation": "d1 + d2 + d3",
    "run_change": "(last / first - 1) * 100",
    "volume_multiple": "volume / mean(window)",
    "return_z": "zscore(returns(window))",
}
_FORMULAS: dict[str, Formula] = {
    item.metric: item for item in FORMULAS if _CALLED.get(item.metric) == item.expression
}


def count_gap(bars: ToolCall, gap: SessionGap) -> ToolCall:
    """A gap found in `bars` with its sessions as a figure."""
    fact = Fact(
        symbol=gap.symbol,
        metric="suspended_sessions",
        value=gap.sessions,
        unit="sessions",
        as_of=gap.end,
        field="sessions without a bar",
        raw=f"{gap.start}…{gap.end}",
    )
    return gaps_call(bars, Symbol(gap.symbol), (gap,), fact)


class EventEvidence:
    """One symbol's history beside its index's; every method makes a claim or says there is none."""

    def __init__(
        self, ledger: Ledger, symbol: Symbol, history: PriceHistory, index: PriceHistory | None
    ) -> None:
        """`index` is None for an index, or when no source gave it."""
        self._ledger = ledger
        self._history = history
        self._index = index
        self.symbol = symbol
        self.track = track_of(history)
        self.index_track = track_of(index) if index else None

    @property
    def is_additive(self) -> bool:
        """Whether prices are additively adjusted, so that percentages far back are distorted."""
        return ADJUSTED["additive_qfq_201707"].zh in self._history.note

    @property
    def is_raw(self) -> bool:
        """Whether the source says that its prices are not adjusted for dividends and splits."""
        return "未复权" in self._history.note

    @cached_property
    def index_returns(self) -> Floats:
        """The index's return on each day of the track; NaN where it has none."""
        found = np.full(len(self.track.days), np.nan)
        if self.index_track is not None:
            places = self._index_places
            for place, day in enumerate(self.track.days):
                if (there := places.get(day)) is not None:
                    found[place] = self.index_track.returns[there]
        return found

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """What limits the figures, in Chinese."""
        found: list[str] = []
        if self.is_additive:
            found.append("A 股价格为加法前复权序列，越早的百分比失真越大；涨跌停只能称疑似")
        if self.is_raw:
            found.append("价格未复权：除权除息日与拆股日的涨跌不是收益")
        if self.symbol.market == "CN" and not self.symbol.is_index and self._index is not None:
            found.append("偏离值一律以上证指数为基准")
        if self._index is None and not self.symbol.is_index:
            found.append("来源没有基准指数，未判断偏离值")
        return tuple(found)

    @cached_property
    def caveats_en(self) -> tuple[str, ...]:
        """What limits the figures, in English."""
        found: list[str] = []
        if self.is_additive:
            found.append(
                "A-share prices are additively adjusted: percentages further back are distorted, "
                "and a limit hit can only be called suspected"
            )
        if self.is_raw:
            found.append("Prices are unadjusted: moves on ex-dates and splits are no returns")
        if self.symbol.market == "CN" and not self.symbol.is_index and self._index is not None:
            found.append("Deviation is measured against the SSE Composite for every A share")
        if self._index is None and not self.symbol.is_index:
            found.append("The source has no benchmark index, so deviation was not judged")
        return tuple(found)

    def change(self, place: int) -> Claim | None:
        """The return of that session; None where it is not judged."""
        if place == 0 or np.isnan(self.track.returns[place]):
            return None
        return self._change(self._history, self.track, place)

    def index_change(self, place: int) -> Claim | None:
        """The index's return on that session's day; None where it is not judged."""
        there = self._index_places.get(self.track.days[place])
        if self._index is None or self.index_track is None or not there:
            return None
        if np.isnan(self.index_track.returns[there]):
            return None
        return self._change(self._index, self.index_track, there)

    def run_change(self, span: SessionSpan) -> Claim | None:
        """The change from the close before the span to its last close."""
        return self._run(self._history, *self._ends(span))

    def index_run(self, span: SessionSpan) -> Claim | None:
        """The index over the same days; None when it has no close on one of the two ends."""
        first, last = self._ends(span)
        index = self._index
        if index is None or not (index.has(first, "close") and index.has(last, "close")):
            return None
        return self._run(index, first, last)

    def gap(self, place: int) -> Claim | None:
        """How far the session opened from the previous close."""
        days = self.track.days
        opened = self._history.claim(self._ledger, days[place], "open")
        previous = self._history.claim(self._ledger, days[place - 1], "close")
        return self._derive("gap", (opened, previous))

    def z(self, place: int) -> Claim | None:
        """The return in standard deviations from the mean of the 60 before it."""
        window = int(rules.limit_of(rules.Z, "z_window"))
        return self._over("return_z", "close", (), place - window - 1, place)

    def volume_multiple(self, place: int) -> Claim | None:
        """The session's volume over the mean of the 20 before it."""
        window = int(rules.limit_of(rules.VOLUME, "volume_window"))
        volume = self._history.claim(self._ledger, self.track.days[place], "volume")
        return self._over("volume_multiple", "volume", (volume,), place - window, place - 1)

    def deviation(self, window: SessionSpan) -> Claim | None:
        """The sum of the returns' distance from the index's over three sessions."""
        parts: list[Claim] = []
        for place in range(window.first, window.last + 1):
            stock, index = self.change(place), self.index_change(place)
            if stock is None or index is None:
                return None
            made = self._derive("deviation", (stock, index))
            if made is None:
                return None
            parts.append(made)
        return self._derive("cumulative_deviation", parts)

    def count_suspended(self, place: int) -> Claim | None:
        """How many sessions were suspended before this one; None where there was no suspension.

        One that the source itself does not tell of was found against the exchange's calendar, so
        the calendar is who counted its sessions.
        """
        gap = self.track.suspended[place]
        if gap is None:
            return None
        if self._history.has(gap.end, "suspended_sessions"):
            return self._history.claim(self._ledger, gap.end, "suspended_sessions")
        if gap in self._history.call.gaps:
            return None
        call = count_gap(self._history.call, gap)
        self._ledger.record(call)
        return self._ledger.claim(call, call.rows[0])

    def rule(self, competence_id: str, metric: str, place: int, unit: str) -> Claim:
        """A figure of a rule, applied on that session's day."""
        day = self.track.days[place]
        return self._ledger.competence(competence_id, metric, self.symbol.value, day, unit)

    @cached_property
    def _index_places(self) -> dict[date, int]:
        if self.index_track is None:
            return {}
        return {day: place for place, day in enumerate(self.index_track.days)}

    def _ends(self, span: SessionSpan) -> tuple[date, date]:
        return self.track.days[span.first - 1], self.track.days[span.last]

    def _change(self, history: PriceHistory, track: Track, place: int) -> Claim | None:
        days = track.days
        if track.lost[place]:
            return history.claim(self._ledger, days[place], "pct_change")
        close = history.claim(self._ledger, days[place], "close")
        previous = history.claim(self._ledger, days[place - 1], "close")
        return self._derive("pct_change", (close, previous))

    def _run(self, history: PriceHistory, first: date, last: date) -> Claim | None:
        ends = (
            history.claim(self._ledger, last, "close"),
            history.claim(self._ledger, first, "close"),
        )
        return self._derive("run_change", ends)

    def _over(
        self, metric: str, series: str, inputs: Sequence[Claim], first: int, last: int
    ) -> Claim | None:
        days, call = self.track.days, self._history.call
        window = self._ledger.window(
            "window", call, self.symbol.value, series, days[first], days[last]
        )
        return self._ledger.derive(_FORMULAS[metric], inputs, series=(window,))

    def _derive(self, metric: str, inputs: Sequence[Claim]) -> Claim | None:
        return self._ledger.derive(_FORMULAS[metric], inputs)
