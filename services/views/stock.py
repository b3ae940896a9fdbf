"""个股: quote, cards, candles, abnormal events and what the bars do not have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing, ToolCite
from services.core.errors import InputError, NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.industries import industry_label
from services.core.ledger import Ledger
from services.core.requests import ValuationRequest
from services.core.source_marks import note_text
from services.core.symbols import Symbol
from services.core.text import Language, Text
from services.market.candles import average_lines, group_bars
from services.market.events.events import EventsFound, abnormal_events
from services.market.events.leads import around_of
from services.market.events.unjudged import ALL_JUDGED
from services.market.history import (
    Bar,
    PriceHistory,
    history_before,
    price_history,
)
from services.market.outages import why_missing
from services.market.quotes import Quote, quote, tell_days_apart
from services.market.repricing import reprice
from services.market.valuation import BROKEN_BARS, valuation_figures
from services.views.events import event_caveats, events_table
from services.views.match_words import unseen_words
from services.views.parts import Parts, basis
from services.views.peers import fetch_peers, peer_links
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
    claim_words,
    figure_column,
    figure_columns,
)
from services.views.view import Average, FoundLink, Link, Stat, StockView

_YEAR = timedelta(days=365)
_TABLE_ROWS = 20
_PEERS = 8
_PRICES = ("open", "high", "low", "close", "volume")
_INDEX_STATS = ("previous_close", "open", "high", "low", "volume")
_PRICED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "dy_l")
_WORTH = (*_PRICED, "total_shares")
_STATS = (*_WORTH, *_INDEX_STATS)
# Without bars the day's prices give way to what the valuation tells of the company.
_BARELESS = (*_WORTH, "net_profit", "revenue", "roe", "bps", "float_shares")
_LABELS = {"previous_close": Text("前收盘", "Previous close")}
_PAUSES: Mapping[Language, str] = {"zh": "、", "en": ", "}
_FIRST_BAR = Text("区间内没有更早的收盘", "no earlier close in the window")
_NO_CHANGE = Text("前收盘为零，无法计算", "the previous close is zero")


_CUT = Text(
    "均线按此前全部日线计算，窗口内缺日线过多或日线不足之处不画：",
    "Averages are computed with the bars before those shown; not drawn where too many sessions of "
    "the window have no bar, or where there are too few: ",
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the run brought, before it is laid out."""

    quote: Quote
    repriced: Mapping[str, Claim]
    stats: tuple[Stat, ...]
    start: date
    end: date
    bars: PriceHistory | None
    bars_missing: Text | None
    averages: tuple[Average, ...]
    bar_rows: tuple[TableRow, ...]
    found: EventsFound
    peers: tuple[Link, ...]


def build(
    parts: Parts, symbol_text: str, start: date | None, end: date | None, session_id: str
) -> StockView:
    """The view, from one run. See Desk.stock."""
    symbol = parts.names.resolve(symbol_text)
    last = end or parts.clock.now().date()
    if start is not None and start > last:
        raise InputError("start", start.isoformat(), f"a day not after the end, {last}")
    given = {"start": start and start.isoformat(), "end": end and end.isoformat()}
    finished = parts.runner.run_once(
        "stock",
        {"symbol": symbol.value, **{name: day for name, day in given.items() if day}},
        lambda ledger: _gather(parts, ledger, symbol, start, end),
        session_id=session_id,
    )
    output, found = finished.output, basis(finished)
    name, row = parts.names.text(symbol), parts.names.row(symbol)
    return StockView(
        title=Text(f"{name.zh} {symbol}", f"{name.en} {symbol}"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=_notes(output),
        symbol=symbol.value,
        name=name,
        industry=industry_label(row.industry) if row and row.industry else None,
        currency=output.quote.currency,
        quote=output.quote,
        stats=output.stats,
        stats_table=stats_table(output.quote, output.stats),
        start=output.start,
        end=output.end,
        bars=output.bars,
        bars_missing=output.bars_missing,
        averages=tuple(one for one in output.averages if any(one.values)),
        bars_table=bars_table(output.bar_rows),
        events=output.found.events,
        events_table=events_table(
            [(name, event) for event in output.found.events],
            Text("异动", "Abnormal moves"),
            output.found.unjudged.told,
        ),
        gaps=output.bars.gaps if output.bars else (),
        peers=output.peers,
    )


def find(parts: Parts, text: str, limit: int) -> tuple[FoundLink, ...]:
    """Companies and indexes that `text` may mean, best first."""
    names = parts.names
    return tuple(
        FoundLink(one.row.symbol, names.text(one.row.symbol), unseen_words(one, text))
        for one in names.matches(text)[:limit]
    )


def _gather(
    parts: Parts, ledger: Ledger, symbol: Symbol, start: date | None, end: date | None
) -> _Found:
    shown = quote(ledger, symbol, parts.names, parts.calendar, parts.clock)
    last = end or _newest(shown, parts.clock.now().date())
    first = start or last - _YEAR
    bars, missing = None, None
    moves = EventsFound((), ALL_JUDGED)
    averages: tuple[Average, ...] = ()
    try:
        bars = price_history(ledger, symbol, first, last, calendar=parts.calendar)
        averages = _averages(
            bars, history_before(ledger, symbol, first, last, calendar=parts.calendar)
        )
        around = around_of(ledger, symbol, parts.calendar, parts.names, parts.settings.mode)
        moves = abnormal_events(ledger, symbol, first, last, calendar=parts.calendar, around=around)
    except (NoDataError, ProviderError) as error:
        missing = why_missing(ledger, error)
    anew = reprice(ledger, symbol, shown.price)
    repriced = {metric: anew[metric] for metric in _PRICED if metric in anew}
    return _Found(
        quote=shown,
        repriced=repriced,
        stats=_stats(ledger, shown, symbol, repriced),
        start=first,
        end=last,
        bars=bars,
        bars_missing=missing,
        averages=averages,
        bar_rows=bar_rows(ledger, bars) if bars else (),
        found=moves,
        peers=()
        if not symbol.is_company
        else peer_links(fetch_peers(ledger, symbol, _PEERS), symbol),
    )


def _averages(shown: PriceHistory, whole: PriceHistory) -> tuple[Average, ...]:
    """The averages at the bars shown, over the bars before them too."""
    places = {bar.date: place for place, bar in enumerate(whole.bars)}
    lines = average_lines(group_bars(whole.bars, "d"), whole.sessions)
    return tuple(
        Average(length, tuple(line[places[bar.date]] for bar in shown.bars))
        for length, line in lines.items()
    )


def _newest(shown: Quote, today: date) -> date:
    """The day the default window ends on: the last close's, for a source may end long before
    today.
    """
    price = shown.price
    if isinstance(price, Claim) and isinstance(price.cite, ToolCite):
        return min(price.as_of, today)
    return today


def _stats(
    ledger: Ledger, shown: Quote, symbol: Symbol, repriced: Mapping[str, Claim]
) -> tuple[Stat, ...]:
    names = _INDEX_STATS if symbol.is_index else _STATS
    found: Mapping[str, Figure] = {name: getattr(shown, name) for name in names}
    if isinstance(shown.volume, Missing) and isinstance(shown.market_cap, Claim):
        # The quote has asked this already: the ledger answers from its own record.
        answer = ledger.fetch(ValuationRequest(symbol=symbol.value))
        found = valuation_figures(ledger, answer, symbol.value, _BARELESS)
        names = _BARELESS
    found, price = {**found, **repriced}, shown.price
    return tuple(
        Stat(
            _LABELS.get(name) or _name_figure(found[name]),
            found[name],
            _is_apart(found[name], price),
        )
        for name in names
    )


def _name_figure(figure: Figure) -> Text:
    return claim_words(figure) if isinstance(figure, Claim) else metric_words(figure.metric)


def _is_apart(figure: Figure, price: Figure) -> bool:
    """Whether a figure that moves with the price is of another day than it."""
    if not isinstance(figure, Claim) or not isinstance(price, Claim):
        return False
    return figure.metric in _PRICED and figure.as_of != price.as_of


def stats_table(shown: Quote, stats: Sequence[Stat]) -> Table:
    """A quote and the figures beside it, one a row."""
    price = metric_words(shown.price.metric)
    lines = [
        Stat(price, shown.price),
        Stat(metric_words("change"), shown.change),
        Stat(metric_words("pct_change"), shown.pct_change),
        *stats,
    ]
    columns = (
        TableColumn("item", Text("项目", "Item"), "text"),
        TableColumn("value", Text("数值", "Value"), "figure"),
    )
    rows = tuple(TableRow({"item": line.label, "value": line.figure}) for line in lines)
    return Table("quote", Text("行情与估值", "Quote and valuation"), columns, rows)


def bars_table(rows: tuple[TableRow, ...]) -> Table:
    """The newest sessions as a table."""
    columns = (
        TableColumn("date", Text("日期", "Date"), "date"),
        *figure_columns(_PRICES[:3]),
        TableColumn("close", Text("收盘", "Close"), "figure"),
        figure_column("pct_change"),
        figure_column("volume"),
    )
    return Table("bars", Text("最近日线", "Latest daily bars"), columns, rows)


def bar_rows(
    ledger: Ledger, history: PriceHistory, count: int = _TABLE_ROWS
) -> tuple[TableRow, ...]:
    """The newest sessions first, each figure a claim."""
    places = range(max(0, len(history.bars) - count), len(history.bars))
    return tuple(_bar_row(ledger, history, place) for place in reversed(places))


def _bar_row(ledger: Ledger, history: PriceHistory, place: int) -> TableRow:
    day = history.bars[place].date
    figures: dict[str, Figure] = {
        metric: history.claim(ledger, day, metric) for metric in _PRICES if history.has(day, metric)
    }
    figures["pct_change"] = move_of(ledger, history, place)
    return TableRow({"date": day.isoformat(), **figures}, history.symbol)


def move_of(ledger: Ledger, history: PriceHistory, place: int) -> Figure:
    """How the bar at that place closed against the one before it."""
    before = history.bars[place - 1] if place else None
    return _change(ledger, history, history.bars[place].date, before)


def _change(ledger: Ledger, history: PriceHistory, day: date, before: Bar | None) -> Figure:
    """The day's move as the source gives it, else from the close before it; not across sessions the
    source lost or dropped.
    """
    if history.has(day, "pct_change"):
        return history.claim(ledger, day, "pct_change")
    if before is None:
        return _no_change(history, _FIRST_BAR)
    lost = (gap for gap in history.gaps if gap.kind != "suspension")
    if any(before.date < gap.end and gap.start < day for gap in lost):
        return _no_change(history, BROKEN_BARS)
    formula = formula_for("pct_change", "(close / previous - 1) * 100")
    closes = [history.claim(ledger, one, "close") for one in (day, before.date)]
    made: Claim | None = None
    if formula is not None:
        made = ledger.derive(formula, closes)
    return made or _no_change(history, _NO_CHANGE)


def _no_change(history: PriceHistory, reason: Text) -> Missing:
    return Missing(metric="pct_change", symbol=history.symbol, reason=reason)


def _notes(found: _Found) -> tuple[Text, ...]:
    """How prices are adjusted, what the quote says of itself, and what limits the events: each
    once.
    """
    shown = found.quote
    said = [note for one in shown.notes if (note := _tell_repriced(found, one))]
    if found.bars and found.bars.note:
        said.append(note_text(found.bars.note))
    cut = [f"MA{one.length}" for one in found.averages if None in one.values]
    if cut:
        said.append(Text(_CUT.zh + "、".join(cut), _CUT.en + ", ".join(cut)))
    said += [found.found.unjudged.told, *event_caveats(found.found.events)]
    return tuple(one for one in dict.fromkeys(said) if one)


def _tell_repriced(found: _Found, note: Text) -> Text:
    """That the multiples are of another day than the price, unless they were priced anew."""
    valued, price = found.quote.market_cap, found.quote.price
    if not found.repriced or not isinstance(valued, Claim) or not isinstance(price, Claim):
        return note
    if note != tell_days_apart(valued.as_of):
        return note
    zh, en = (
        _PAUSES[language].join(
            metric_words(metric).in_language(language) for metric in found.repriced
        )
        for language in ("zh", "en")
    )
    return Text(
        f"{zh}按 {price.as_of} 的收盘价推算，每股收益、净资产与股本沿用来源 {valued.as_of} 的数值",
        f"{en} are computed at the close of {price.as_of}; earnings, book value and shares are the "
        f"source's of {valued.as_of}",
    )
