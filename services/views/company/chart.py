"""走势: every bar of one symbol, what is drawn over it, and its abnormal events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing
from services.core.company_formulas import AVERAGES, CANDLE_AVERAGES, candle_average
from services.core.errors import InputError, NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.candles import ChartCandle, Interval, group_bars
from services.market.events.events import BENCHMARKS, Event, EventsFound, abnormal_events
from services.market.events.leads import around_of
from services.market.events.unjudged import ALL_JUDGED
from services.market.history import PriceHistory, price_history
from services.market.outages import why_missing
from services.statements.book import Book
from services.statements.tongue import Tongue
from services.views.events import event_caveats, events_table
from services.views.parts import Parts
from services.views.stock import bar_rows, bars_table, move_of
from services.views.table import Table

MAX_OVERLAYS = 3
RANGES: Mapping[str, int | None] = {
    "1m": 31, "3m": 92, "6m": 183, "1y": 365, "3y": 1096, "all": None,
}  # fmt: skip
# What the table of events has columns for, and that no cause is known.
_TOLD_APART = frozenset({"moved", "stretch", "index_day", "index_along", "unexplained"})
_NO_SESSION = Text("没有这一项", "not given")


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """What of the chart is asked for: a range of RANGES, an interval, companies laid over it."""

    range: str = "1y"
    interval: Interval = "d"
    overlays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event: how far it moved, the index meanwhile, what triggered it (a template of the
    view's claims). `within`: the events of single sessions inside it, which stand under it.
    """

    event: Event
    move: Claim | None
    index: Claim | None
    trigger: Text
    within: tuple["EventRow", ...] = ()


@dataclass(frozen=True, slots=True)
class Overlay:
    """Another company or index over the chart."""

    symbol: str
    name: Text
    history: PriceHistory


@dataclass(frozen=True, slots=True)
class ChartPart:
    """`bars` is the whole history, null with `missing` where there is none. `candles` are of the
    interval; those from `first` on are in the range. `open_sessions`: how many sessions the last
    week or month has so far, null where it is over. `readout`: what is told of the last candle;
    `lost`: length → how many sessions of its average have no bar.
    """

    symbol: str
    name: Text
    asked: ChartRequest
    bars: PriceHistory | None
    missing: Text | None
    candles: tuple[ChartCandle, ...]
    first: int
    open_sessions: int | None
    readout: Mapping[str, Figure]
    lost: Mapping[int, int]
    events: tuple[EventRow, ...]
    found: EventsFound
    benchmark: Text
    overlays: tuple[Overlay, ...]
    refused: tuple[Text, ...]
    tabled: tuple[Table, ...]

    @property
    def notes(self) -> tuple[Text, ...]:
        """What limits the events, each once."""
        return tuple(dict.fromkeys((*self.refused, *event_caveats(self.found.events))))

    @property
    def unjudged(self) -> Text:
        """Which sessions of the range could not be judged; empty where all could."""
        return self.found.unjudged.told

    def tables(self) -> tuple[Table, ...]:
        """The events, then the newest bars."""
        return self.tabled


def gather_chart(
    parts: Parts, ledger: Ledger, symbol: Symbol, last: date, asked: ChartRequest
) -> ChartPart:
    """The bars up to that day with everything over them. Raises: InputError for a range that is
    not one.
    """
    if asked.range not in RANGES:
        raise InputError("range", asked.range, "one of " + ", ".join(RANGES))
    name = parts.names.text(symbol)
    benchmark = parts.names.text(BENCHMARKS[symbol.market])
    try:
        bars = price_history(ledger, symbol, None, last, calendar=parts.calendar)
    except (NoDataError, ProviderError) as error:
        why = why_missing(ledger, error)
        none = EventsFound((), ALL_JUDGED)
        return ChartPart(
            symbol.value, name, asked, None, why, (), 0, None, {}, {}, (),
            none, benchmark, (), (), (_tell_events(name, none), bars_table(())),
        )  # fmt: skip
    days = RANGES[asked.range]
    start = None if days is None else bars.bars[-1].date - timedelta(days=days)
    candles = group_bars(bars.bars, asked.interval)
    first = next(
        (place for place, one in enumerate(candles) if start is None or one.last >= start), 0
    )
    around = around_of(ledger, symbol, parts.calendar, parts.names, parts.settings.mode)
    found = abnormal_events(ledger, symbol, start, last, calendar=parts.calendar, around=around)
    overlays, refused = _overlays(parts, ledger, symbol, last, asked.overlays)
    return ChartPart(
        symbol=symbol.value,
        name=name,
        asked=asked,
        bars=bars,
        missing=None,
        candles=candles,
        first=first,
        open_sessions=_open(parts, symbol, candles[-1], asked.interval),
        readout=_readout(ledger, bars, candles, asked.interval),
        lost=_count_lost(bars, candles),
        events=_rows(found.events, symbol),
        found=found,
        benchmark=benchmark,
        overlays=overlays,
        refused=refused,
        tabled=(_tell_events(name, found), bars_table(bar_rows(ledger, bars))),
    )


def _tell_events(name: Text, found: EventsFound) -> Table:
    """The events as a table, with what could not be judged."""
    lines = [(name, event) for event in found.events]
    return events_table(lines, Text("异动", "Abnormal moves"), found.unjudged.told)


def _overlays(
    parts: Parts, ledger: Ledger, symbol: Symbol, last: date, wanted: Sequence[str]
) -> tuple[tuple[Overlay, ...], tuple[Text, ...]]:
    """Those with bars, and why the others are not there."""
    found: list[Overlay] = []
    refused: list[Text] = []
    for text in tuple(dict.fromkeys(wanted))[:MAX_OVERLAYS]:
        other = parts.names.resolve(text)
        if other == symbol:
            continue
        name = parts.names.text(other)
        try:
            history = price_history(ledger, other, None, last, calendar=parts.calendar)
            found.append(Overlay(other.value, name, history))
        except (NoDataError, ProviderError) as error:
            why = why_missing(ledger, error)
            refused.append(Text(f"{name.zh}：{why.zh}", f"{name.en}: {why.en}"))
    return tuple(found), tuple(refused)


def _open(parts: Parts, symbol: Symbol, newest: ChartCandle, interval: Interval) -> int | None:
    """The sessions so far of a week or month that has more to come."""
    if interval == "d":
        return None
    day = newest.last
    end = day + timedelta(days=7 - day.isoweekday())
    if interval == "m":
        end = (day.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)
    to_come = parts.calendar.sessions(symbol.market, day + timedelta(days=1), end)
    return newest.places[1] - newest.places[0] + 1 if to_come else None


def _readout(
    ledger: Ledger, bars: PriceHistory, candles: Sequence[ChartCandle], interval: Interval
) -> Mapping[str, Figure]:
    """Open, high, low, close, move, volume and averages of the last candle, each a claim."""
    newest = candles[-1]
    inside = bars.bars[newest.places[0] : newest.places[1] + 1]
    top = max(inside, key=lambda bar: bar.high).date
    bottom = min(inside, key=lambda bar: bar.low).date
    told: dict[str, Figure] = {
        "open": bars.claim(ledger, newest.first, "open"),
        "high": bars.claim(ledger, top, "high"),
        "low": bars.claim(ledger, bottom, "low"),
        "close": bars.claim(ledger, newest.last, "close"),
    }
    if interval == "d":
        told["pct_change"] = move_of(ledger, bars, len(bars.bars) - 1)
        if bars.has(newest.last, "volume"):
            told["volume"] = bars.claim(ledger, newest.last, "volume")
    elif all(bars.has(bar.date, "volume") for bar in inside):
        told["volume"] = _sum_volume(ledger, bars, newest)
    for length in AVERAGES:
        told[f"ma_{length}"] = _average(ledger, bars, candles[-length:], interval, length)
    return told


def _average(
    ledger: Ledger,
    bars: PriceHistory,
    candles: Sequence[ChartCandle],
    interval: Interval,
    length: int,
) -> Figure:
    """The mean of the last closes of these candles, of sessions, weeks or months."""
    metric, expression = f"ma_{length}", "mean(values)"
    spans = [("values", candles[0].first, candles[-1].last)]
    if interval != "d":
        metric, expression = CANDLE_AVERAGES[interval], candle_average(length)
        spans = [(f"c{place}", one.first, one.last) for place, one in enumerate(candles, 1)]
    formula, why = formula_for(metric, expression), Text("日线不足", "too few bars")
    made: Claim | None = None
    if formula is not None and len(candles) == length:
        why = bars.sessions.tell_torn(candles[0].places[0], candles[-1].places[1])
        windows = [
            ledger.window(name, bars.call, bars.symbol, "close", first, last)
            for name, first, last in spans
        ]
        made = None if why else ledger.derive(formula, (), series=windows)
    return made or Missing(metric=metric, symbol=bars.symbol, reason=why)


def _count_lost(bars: PriceHistory, candles: Sequence[ChartCandle]) -> Mapping[int, int]:
    sessions, last = bars.sessions, len(bars.bars) - 1
    return {
        length: sessions.lacking(candles[-length].places[0], last).lost
        for length in AVERAGES
        if len(candles) >= length
    }


def _sum_volume(ledger: Ledger, bars: PriceHistory, candle: ChartCandle) -> Figure:
    formula = formula_for("volume", "sum(values)")
    window = ledger.window("values", bars.call, bars.symbol, "volume", candle.first, candle.last)
    made = ledger.derive(formula, (), series=(window,)) if formula else None
    return made or Missing(metric="volume", symbol=bars.symbol, reason=_NO_SESSION)


def _rows(found: Sequence[Event], symbol: Symbol) -> tuple[EventRow, ...]:
    """Events newest first; single sessions inside an interval stand under it."""
    spans = [event for event in found if event.start != event.end]
    rows: list[EventRow] = []
    for event in found:
        inside = any(one.start <= event.start and event.end <= one.end for one in spans)
        if event.start == event.end and inside:
            continue
        rows.append(_row(event, symbol, found if event.start != event.end else ()))
    return tuple(rows)


def _row(event: Event, symbol: Symbol, found: Sequence[Event] = ()) -> EventRow:
    moves = [one for one in event.claims if one.metric in {"pct_change", "run_change"}]
    move = next((one for one in moves if one.symbol == symbol.value), None)
    # The last of them: before it may stand its move over a suspension.
    index = next((one for one in reversed(moves) if one.symbol != symbol.value), None)
    within = tuple(
        _row(one, symbol)
        for one in found
        if one.start == one.end and event.start <= one.start and one.end <= event.end
    )
    return EventRow(event, move, index, _trigger(event, symbol), within)


def _trigger(event: Event, symbol: Symbol) -> Text:
    """What happened, but for the moves, which have columns, and that nobody knows why."""
    book = Book.of_claims(event.claims, symbol.value)
    zh, en = (
        "".join(event.statement.told(Tongue(language, book), without=_TOLD_APART))
        for language in ("zh", "en")
    )
    return Text(zh, en)
