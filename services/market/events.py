"""Abnormal events of one symbol: points and intervals, each with a reason made of claims only.

The rules are in event_rules.py, the sentences in event_reasons.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

import numpy as np

from services.core.claims import Claim
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.symbols import Market, Symbol
from services.market import event_rules as rules
from services.market.event_evidence import Evidence
from services.market.event_reasons import Reason, interval_reason, point_reason
from services.market.event_rules import Floats, Span, Track
from services.market.history import PriceHistory, price_history

# Enough bars before the window for the longest rule (60 returns), fetched with a margin.
_LOOKBACK = timedelta(days=400)
_NEEDED = 80
BENCHMARKS: dict[Market, Symbol] = {
    "CN": Symbol("000001.SH"),
    "HK": Symbol("HSI"),
    "US": Symbol("IXIC"),
}


@dataclass(frozen=True, slots=True)
class Event:
    """One abnormal session (`start` = `end`) or interval.

    `rules` are competence ids. `reason` and `reason_en` are templates whose places are filled from
    `claims`; nothing else in them is a figure. `explained`: the market or a suspension accounts for
    it. `caveats` say what limits the figures (adjustment, which index), in Chinese and English.
    """

    symbol: str
    start: date
    end: date
    kind: Literal["异动点", "异动区间"]
    result: Literal["涨", "跌"]
    rules: tuple[str, ...]
    reason: str
    reason_en: str
    claims: tuple[Claim, ...]
    explained: bool
    caveats: tuple[str, ...] = ()
    caveats_en: tuple[str, ...] = ()


class _Hits(NamedTuple):
    """What was found in one history: rules by place, and intervals."""

    points: dict[int, list[str]]
    runs: list[Span]
    deviations: list[Span]


def abnormal_events(
    ledger: Ledger, symbol: Symbol, start: date | None, end: date | None
) -> tuple[Event, ...]:
    """Events that end from `start` to `end`, newest first; None is unbounded. May be empty.

    The same session is judged alike whatever the window: earlier bars are fetched as needed.
    Raises: NoDataError (no bars up to `end`), ProviderError.
    """
    history = _history(ledger, symbol, start, end)
    index = _benchmark(ledger, symbol, history)
    evidence = Evidence(ledger, symbol, history, index)
    track = evidence.track
    hits = _found(symbol, track, evidence.index_returns)
    spans = rules.merged((*hits.runs, *hits.deviations))
    wanted = [span for span in spans if _within(track.days[span.last], start, end)]
    events = [_interval(evidence, span, hits) for span in wanted]
    for place, names in hits.points.items():
        if _within(track.days[place], start, end) and (sign := _direction(track, place)):
            events.append(_point(evidence, place, sign, names))
    events.sort(key=lambda event: (event.end, event.kind, event.start), reverse=True)
    return tuple(events)


def _within(day: date, start: date | None, end: date | None) -> bool:
    return (start is None or day >= start) and (end is None or day <= end)


def _history(ledger: Ledger, symbol: Symbol, start: date | None, end: date | None) -> PriceHistory:
    """Bars of the window and enough before it; everything when the start is open."""
    if start is None or start - date.min <= _LOOKBACK:
        return price_history(ledger, symbol, None, end)
    try:
        history = price_history(ledger, symbol, start - _LOOKBACK, end)
    except NoDataError:
        return price_history(ledger, symbol, None, end)
    before = sum(1 for bar in history.bars if bar.date < start)
    return history if before >= _NEEDED else price_history(ledger, symbol, None, end)


def _benchmark(ledger: Ledger, symbol: Symbol, history: PriceHistory) -> PriceHistory | None:
    """The index of the market over the same days; None for an index, or when not given."""
    if symbol.is_index:
        return None
    try:
        return price_history(
            ledger, BENCHMARKS[symbol.market], history.bars[0].date, history.bars[-1].date
        )
    except (NoDataError, ProviderError):
        return None


def _found(symbol: Symbol, track: Track, index_returns: Floats) -> _Hits:
    points: dict[int, list[str]] = {}
    for place in rules.limit_hits(symbol, track):
        rule = rules.limit_rule(symbol, track.days[place])
        points.setdefault(place, []).append(str(rule))
    for name, places in (
        (rules.RESUMPTION, rules.resumptions(track)),
        (rules.INDEX_MOVE, rules.index_moves(symbol, track)),
        (rules.Z, rules.z_hits(track)),
        (rules.VOLUME, rules.volume_hits(track)),
        (rules.GAP, rules.gap_hits(track)),
    ):
        for place in places:
            points.setdefault(place, []).append(name)
    deviations = [
        span
        for span in rules.deviations(track, index_returns)
        if rules.deviation_rule(symbol, track.days[span.last])
    ]
    return _Hits(points, rules.runs(track), deviations)


def _direction(track: Track, place: int) -> int:
    """1 up, -1 down: by the close against the one before, else against the open; 0 when flat."""
    change = track.close[place] - track.close[place - 1]
    return int(np.sign(change or track.close[place] - track.open[place]))


def _point(evidence: Evidence, place: int, sign: int, names: Sequence[str]) -> Event:
    day = evidence.track.days[place]
    return _event(evidence, day, day, sign, point_reason(evidence, place, sign, names))


def _interval(evidence: Evidence, span: Span, hits: _Hits) -> Event:
    days = evidence.track.days
    inside = [item for item in hits.runs if _part_of(item, span)]
    windows = [item for item in hits.deviations if _part_of(item, span)]
    reason = interval_reason(evidence, span, inside, windows)
    return _event(evidence, days[span.first], days[span.last], span.sign, reason)


def _part_of(item: Span, span: Span) -> bool:
    return item.sign == span.sign and span.first <= item.first and item.last <= span.last


def _event(evidence: Evidence, start: date, end: date, sign: int, reason: Reason) -> Event:
    return Event(
        symbol=evidence.symbol.value,
        start=start,
        end=end,
        kind=reason.kind,
        result="涨" if sign > 0 else "跌",
        rules=reason.rules,
        reason=reason.zh,
        reason_en=reason.en,
        claims=reason.claims,
        explained=reason.explained,
        caveats=evidence.caveats,
        caveats_en=evidence.caveats_en,
    )
