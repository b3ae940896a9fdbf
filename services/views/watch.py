"""自选: the companies of a list with their price, what they did since they were added, and what
happened since they were last looked at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from pydantic import JsonValue

from services.core.claims import Claim, Figure, Missing
from services.core.compare_formulas import COMPARED_SPAN
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text, join_texts
from services.market.events.events import Event, EventsFound, abnormal_events
from services.market.events.unjudged import ALL_JUDGED, Unjudged
from services.market.history import PriceHistory, price_history
from services.market.outages import Absence, attempt, why_missing
from services.market.quotes import Quote, quote
from services.market.repricing import reprice
from services.store.watchlists import Watched
from services.views.events import events_table, tell_each_unjudged
from services.views.parts import Parts, basis
from services.views.table import Table, TableColumn, TableRow, View, figure_column, price_words

KIND = "watch"
SINCE = "watched_change"
_FIGURES = ("price", "pct_change", SINCE, "pe_ttm")
_SPARK = timedelta(days=92)
# A close of the day of adding, or the last one before it: the longest halts of holidays fit in.
_BEFORE = timedelta(days=30)
# Moves are looked for no further back than this, however long a company was not looked at.
_LATELY = timedelta(days=183)
_YEAR = timedelta(days=365)
_EXPRESSION = next(one.expression for one in COMPARED_SPAN if one.metric == SINCE)
_NOT_YET = Text("加入以来还没有新的收盘", "no new close since it was added")
_NO_CLOSE = Text("加入那天之前没有收盘", "no close on or before the day of adding")
_OVERSTATED = Text(
    "加入超过一年的，涨跌幅因加法复权而偏大，只看方向",
    "Of those added more than a year ago additive adjustment overstates the change: read its "
    "direction only",
)


@dataclass(frozen=True, slots=True)
class WatchEntry:
    """One company of the list. `figures` has price, pct_change, watched_change and pe_ttm;
    `history` the closes of about three months for a sparkline, null without bars; `events` those
    after it was last seen, newest first; `unjudged` what could not be judged of those days;
    `unasked` names the source that failed where there may
    be events nobody could tell of.
    """

    watched: Watched
    name: Text
    figures: Mapping[str, Figure]
    history: PriceHistory | None
    events: tuple[Event, ...]
    unjudged: Unjudged = ALL_JUDGED
    unasked: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchView(View):
    """自选: one list. `list` is the name the reader gave it, as are the notes of its entries."""

    list: str
    entries: tuple[WatchEntry, ...]

    def tables(self) -> tuple[Table, ...]:
        """The companies, and what happened to them since they were seen."""
        return (self.table(), self._events())

    @property
    def price_words(self) -> Text:
        """What its prices are: closes, or what a market value and its shares give."""
        return price_words(one.figures["price"] for one in self.entries)

    def table(self) -> Table:
        """The companies in the order they were added."""
        columns = (
            TableColumn("symbol", Text("代码", "Code"), "symbol"),
            TableColumn("name", Text("名称", "Name"), "text"),
            TableColumn("price", self.price_words, "figure"),
            *(figure_column(key) for key in _FIGURES[1:]),
            TableColumn("added_on", Text("加入日", "Added on"), "date"),
            TableColumn("note", Text("备注", "Note"), "text"),
        )
        rows = tuple(
            TableRow(
                {
                    "symbol": one.watched.symbol,
                    "name": one.name,
                    "added_on": one.watched.added_on.isoformat(),
                    "note": one.watched.note,
                    **one.figures,
                },
                one.watched.symbol,
            )
            for one in self.entries
        )
        return Table("watch", Text("自选", "Watchlist"), columns, rows)

    def _events(self) -> Table:
        found = [(one.name, event) for one in self.entries for event in one.events]
        made = events_table(found, Text("上次看过以来的异动", "Moves since last seen"))
        lost = [(one.name, one.unasked) for one in self.entries if one.unasked is not None]
        notes = [tell_each_unjudged([(one.name, one.unjudged) for one in self.entries])]
        if lost:
            notes.append(
                Text(
                    "没有问到：" + "；".join(f"{name.zh}（{why.zh}）" for name, why in lost),
                    "Could not be asked: "
                    + "; ".join(f"{name.en} ({why.en})" for name, why in lost),
                )
            )
        return replace(made, note=join_texts([one for one in notes if one], "。", ". "))


def build(parts: Parts, name: str, held: Sequence[Watched], session_id: str) -> WatchView:
    """The view of a list with that name and these companies, from one run."""
    finished = parts.runner.run(
        KIND,
        _tell_held(held),
        lambda ledger: tuple(_entry(parts, ledger, one) for one in held),
        session_id=session_id,
    )
    found, today = basis(finished), parts.clock.now().date()
    return WatchView(
        title=Text("自选", "Watchlist"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(_OVERSTATED,) if any(today - one.added_on > _YEAR for one in held) else (),
        list=name,
        entries=finished.output,
    )


def held_of(told: Mapping[str, JsonValue]) -> tuple[Watched, ...]:
    """What was watched, out of the arguments of a stored run; notes are no part of a run."""
    made: list[Watched] = []
    for text in str(told["watched"]).split():
        symbol, added, seen = text.split("@")
        days = {"added_on": date.fromisoformat(added), "seen_on": date.fromisoformat(seen)}
        made.append(Watched(symbol=symbol, note="", **days))
    return tuple(made)


def _tell_held(held: Sequence[Watched]) -> dict[str, JsonValue]:
    return {"watched": " ".join(f"{one.symbol}@{one.added_on}@{one.seen_on}" for one in held)}


def _entry(parts: Parts, ledger: Ledger, watched: Watched) -> WatchEntry:
    """One company by itself: what cannot be had says why, and the others stand."""
    symbol, today = Symbol(watched.symbol), parts.clock.now().date()
    found = attempt(ledger, lambda: quote(ledger, symbol, parts.names, parts.calendar, parts.clock))
    start = min(watched.added_on - _BEFORE, today - _SPARK)
    bars = _bars(parts, ledger, symbol, start, today)
    moves = _events(parts, ledger, symbol, max(watched.seen_on, today - _LATELY), today)
    return WatchEntry(
        watched=watched,
        name=parts.names.text(symbol),
        figures={**_quote_symbol(ledger, symbol, found), SINCE: _since(ledger, watched, bars)},
        history=bars if isinstance(bars, PriceHistory) else None,
        events=() if isinstance(moves, Text) else moves.events,
        unjudged=ALL_JUDGED if isinstance(moves, Text) else moves.unjudged,
        unasked=moves if isinstance(moves, Text) else None,
    )


def _bars(
    parts: Parts, ledger: Ledger, symbol: Symbol, start: date, today: date
) -> PriceHistory | Text:
    try:
        return price_history(ledger, symbol, start, today, calendar=parts.calendar)
    except (NoDataError, ProviderError) as error:
        return why_missing(ledger, error)


def _quote_symbol(ledger: Ledger, symbol: Symbol, found: Quote | Absence) -> dict[str, Figure]:
    """Price, its move, and the multiple at that price."""
    if isinstance(found, Absence):
        names = ("price", "pct_change", "pe_ttm")
        return {name: Missing(metric=name, symbol=symbol.value, reason=found.why) for name in names}
    multiple = reprice(ledger, symbol, found.price).get("pe_ttm") or found.pe_ttm
    return {"price": found.price, "pct_change": found.pct_change, "pe_ttm": multiple}


def _since(ledger: Ledger, watched: Watched, bars: PriceHistory | Text) -> Figure:
    """From the close of the day of adding (or the last before it) to the newest close."""

    def without(reason: Text) -> Missing:
        return Missing(metric=SINCE, symbol=watched.symbol, reason=reason)

    if isinstance(bars, Text):
        return without(bars)
    last = bars.bars[-1].date
    base = max((bar.date for bar in bars.bars if bar.date <= watched.added_on), default=None)
    if base is None or base == last:
        return without(_NO_CLOSE if base is None else _NOT_YET)
    window = ledger.window("values", bars.call, watched.symbol, "close", base, last)
    formula = formula_for(SINCE, _EXPRESSION)
    made: Claim | None = ledger.derive(formula, (), series=(window,)) if formula else None
    return made or without(NO_TEXT)


def _events(
    parts: Parts, ledger: Ledger, symbol: Symbol, seen: date, today: date
) -> EventsFound | Text:
    """What ended after the day it was seen; or which source failed to say."""
    none = EventsFound((), ALL_JUDGED)
    if seen >= today:
        return none
    try:
        return abnormal_events(
            ledger, symbol, seen + timedelta(days=1), today, calendar=parts.calendar
        )
    except NoDataError:
        return none
    except ProviderError as error:
        return why_missing(ledger, error)
