"""Abnormal events of one symbol: points and intervals, each with a reason made of claims only.

The rules are in event_rules.py, the sentences in event_reasons.py. With a live source they are
joined by what was flagged, and by notices and news near them (event_leads.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from services.core.claims import Claim
from services.core.errors import NoDataError, ProviderError
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.symbols import Market, Symbol
from services.market.calendar import Calendar
from services.market.events import rules
from services.market.events.evidence import EventEvidence
from services.market.events.leads import Flag, Lead, Near, SymbolLeads, direction_of, rules_of
from services.market.events.reasons import (
    EventReason,
    explain_flagged,
    interval_reason,
    point_reason,
)
from services.market.events.rules import Floats, SessionSpan, Track
from services.market.events.unjudged import Unjudged, count_lost, find_unjudged
from services.market.history import PriceHistory, history_before, price_history
from services.statements.event import EventStatement as EventStatement

if TYPE_CHECKING:
    import numpy as np
else:
    np = import_later("numpy")

BENCHMARKS: dict[Market, Symbol] = {
    "CN": Symbol("000001.SH"),
    "HK": Symbol("HSI"),
    "US": Symbol("IXIC"),
}


@dataclass(frozen=True, slots=True)
class Event:
    """One abnormal session (`start` = `end`) or interval.

    `rules` are competence ids. `statement` is what happened, `reason` and `reason_en` its words,
    templates whose places are filled from `claims`; nothing else in them is a figure, but for
    titles, which are quoted between 《》.
    `explained`: the market or a suspension accounts for it, or a notice or headline lies near it.
    `leads` are what was said around it, the oldest first; none where no live source was asked.
    `caveats` say what limits the figures (adjustment, which index, a source that did not answer),
    in Chinese and English.
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
    statement: EventStatement
    caveats: tuple[str, ...] = ()
    caveats_en: tuple[str, ...] = ()
    leads: tuple[Lead, ...] = ()

    @property
    def is_rise(self) -> bool:
        """Whether the price rose."""
        return self.result == "涨"


class EventsFound(NamedTuple):
    """Events newest first, and which sessions of the days asked about could not be judged."""

    events: tuple[Event, ...]
    unjudged: Unjudged


class _Hits(NamedTuple):
    """What was found in one history: rules by place, and intervals."""

    points: dict[int, list[str]]
    runs: list[SessionSpan]
    deviations: list[SessionSpan]


@dataclass(frozen=True, slots=True)
class _Case:
    """What events of one symbol are made from; `near` by the days of an event, empty offline."""

    evidence: EventEvidence
    hits: _Hits
    near: Mapping[tuple[date, date], Near]


def abnormal_events(
    ledger: Ledger,
    symbol: Symbol,
    start: date | None,
    end: date | None,
    *,
    calendar: Calendar | None = None,
    around: SymbolLeads | None = None,
) -> EventsFound:
    """Events that end from `start` to `end`, newest first; None is unbounded. May be empty.

    The same session is judged alike whatever the window: earlier bars are fetched as needed. By
    `calendar` the suspensions are found that the source does not name. With `around`, flagged days
    are events too, and what was said near an event becomes its leads; a source that fails there
    takes nothing away and is named in the caveats.
    Raises: NoDataError (no bars up to `end`), ProviderError.
    """
    history = history_before(ledger, symbol, start, end, calendar=calendar)
    index = _benchmark(ledger, symbol, history, calendar)
    evidence = EventEvidence(ledger, symbol, history, index)
    track = evidence.track
    hits = _find_hits(symbol, track, evidence.index_returns)
    spans = rules.merge_spans((*hits.runs, *hits.deviations))
    wanted = [span for span in spans if _within(track.days[span.last], start, end)]
    flags: Mapping[date, Sequence[Flag]] = {}
    if around is not None:
        flags = around.flags(start or track.days[0], end or track.days[-1])
    bare = _mark(track, hits.points, flags)
    points = {
        place: sign
        for place in hits.points
        if _within(track.days[place], start, end)
        and (sign := _direction(track, place) or direction_of(flags.get(track.days[place], ())))
    }
    single = [*(track.days[place] for place in points), *bare]
    windows = [(track.days[span.first], track.days[span.last]) for span in wanted]
    windows += [(day, day) for day in single]
    case = _Case(evidence, hits, _near(around, windows))
    events = [_interval(case, span) for span in wanted]
    events += [_point(case, place, sign) for place, sign in points.items()]
    events += [_make_flagged(case, day, direction_of(flags[day])) for day in bare]
    events.sort(key=lambda event: (event.end, event.kind, event.start), reverse=True)
    within = (start, end)
    lost = count_lost(symbol, history.gaps, within, calendar)
    beside = evidence.index_returns if index is not None else None
    return EventsFound(tuple(events), find_unjudged(symbol, track, beside, within, lost))


def _mark(
    track: Track, points: dict[int, list[str]], flags: Mapping[date, Sequence[Flag]]
) -> list[date]:
    """Add the flagged sessions to the points; the days without a bar that flags give a direction.

    The first bar of all has no return: what happened that day is told by the flags only.
    """
    places = {day: place for place, day in enumerate(track.days) if place}
    bare: list[date] = []
    for day, found in flags.items():
        place = places.get(day)
        if place is not None:
            points.setdefault(place, []).extend(rules_of(found))
        elif direction_of(found):
            bare.append(day)
    return bare


def _near(
    around: SymbolLeads | None, windows: Sequence[tuple[date, date]]
) -> dict[tuple[date, date], Near]:
    """What was said near each event; asked once for them all."""
    if around is None or not windows:
        return {}
    around.publications(min(first for first, _ in windows), max(last for _, last in windows))
    return {window: around.near(*window) for window in windows}


def _within(day: date, start: date | None, end: date | None) -> bool:
    return (start is None or day >= start) and (end is None or day <= end)


def _benchmark(
    ledger: Ledger, symbol: Symbol, history: PriceHistory, calendar: Calendar | None
) -> PriceHistory | None:
    """The index of the market over the same days; None for an index, or when not given."""
    if symbol.is_index:
        return None
    first, last = history.bars[0].date, history.bars[-1].date
    try:
        return price_history(ledger, BENCHMARKS[symbol.market], first, last, calendar=calendar)
    except (NoDataError, ProviderError):
        return None


def _find_hits(symbol: Symbol, track: Track, index_returns: Floats) -> _Hits:
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
    change = track.returns[place] if track.lost[place] else 0.0
    change = change or track.close[place] - track.close[place - 1]
    return int(np.sign(change or track.close[place] - track.open[place]))


def _point(case: _Case, place: int, sign: int) -> Event:
    day, names = case.evidence.track.days[place], case.hits.points[place]
    near = case.near.get((day, day))
    return _event(case, (day, day), sign, point_reason(case.evidence, place, names, near))


def _make_flagged(case: _Case, day: date, sign: int) -> Event:
    reason = explain_flagged(case.evidence.symbol.value, case.near[day, day])
    return _event(case, (day, day), sign, reason)


def _interval(case: _Case, span: SessionSpan) -> Event:
    days = case.evidence.track.days
    window = (days[span.first], days[span.last])
    inside = [item for item in case.hits.runs if _part_of(item, span)]
    windows = [item for item in case.hits.deviations if _part_of(item, span)]
    reason = interval_reason(case.evidence, span, inside, windows, case.near.get(window))
    return _event(case, window, span.sign, reason)


def _part_of(item: SessionSpan, span: SessionSpan) -> bool:
    return item.sign == span.sign and span.first <= item.first and item.last <= span.last


def _event(case: _Case, window: tuple[date, date], sign: int, reason: EventReason) -> Event:
    near = case.near.get(window, Near())
    return Event(
        symbol=case.evidence.symbol.value,
        start=window[0],
        end=window[1],
        kind=reason.kind,
        result="涨" if sign > 0 else "跌",
        rules=reason.rules,
        reason=reason.zh,
        reason_en=reason.en,
        claims=reason.claims,
        explained=reason.explained,
        statement=reason.statement,
        caveats=(*case.evidence.caveats, *(note.zh for note in near.notes)),
        caveats_en=(*case.evidence.caveats_en, *(note.en for note in near.notes)),
        leads=near.leads,
    )
