"""总览: indexes, markets, industries, the largest companies, and what happened lately."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claim_names import name_counted
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError, ProviderError
from services.core.industries import industry_label
from services.core.ledger import Ledger
from services.core.members import UNCLASSIFIED
from services.core.requests import ScreenRequest, SummaryRequest
from services.core.symbols import Market, Symbol
from services.core.text import NO_TEXT, Text, join_texts
from services.market.aggregates import (
    Group,
    industry_groups,
    largest_members,
    list_left_out,
    market_group,
)
from services.market.events.events import EventsFound, abnormal_events
from services.market.events.unjudged import ALL_JUDGED
from services.market.history import PriceHistory, price_history
from services.market.names.names import Names
from services.market.outages import Absence, ask_each, attempt, require_one
from services.market.quotes import quote
from services.market.screener import ScreenResult, ScreenRow, screen
from services.views.events import events_table, tell_each_unjudged
from services.views.member_words import (
    UNCLASSIFIED_WORDS,
    left_out_words,
    moved_words,
    unranked_words,
)
from services.views.parts import Parts, basis
from services.views.screen import MARKET_WORDS, screen_columns, screen_row
from services.views.sources import snapshot_facts
from services.views.syncing import copies
from services.views.table import (
    Cell,
    Table,
    TableColumn,
    TableRow,
    figure_column,
    figure_columns,
)
from services.views.view import EventLine, IndexCard, MarketCard, OverviewView, Stat

_SUMMED: tuple[Market, ...] = ("CN", "HK")
INDEXES = ("000001.SH", "HSI", "IXIC")
SUMMARY = (
    "company_count",
    "judged_market_cap",
    "market_cap_sum",
    "pe_ttm_median",
    "pe_lyr_median",
    "pb_median",
    "judged_pct",
    "pct_change_median",
    "loss_count",
)
_SPARK = timedelta(days=183)
_LATELY = timedelta(days=45)
_LARGEST = 10
_LARGEST_WORDS = Text("市值最大的公司", "The largest companies")
_JUDGED = 5
# So many of an industry are named.
_NAMED = 3
_WITH_BARS = 30
_LARGEST_FIGURES = ("market_cap", "netprofit", "price", "pettm", "pelyr", "pb", "dy_l")
_INDEX_FIGURES = ("price", "previous_close", "change", "pct_change")
_COUNTS = Text(
    "市值、估值与公司数为快照采集日的横截面，日线与异动截至快照时钟；两者日期不同，见各数字的出处。",
    "Market values, multiples and counts are of the capture day; bars and events run to the "
    "snapshot's clock. The days differ: see each figure's source.",
)
_LIVE_COUNTS = Text(
    "市值、估值与公司数来自最近一次全市场取数，抓取时间见各数字的出处；异动仅看指数与总市值最大的公司。",
    "Market values, multiples and counts are of the newest whole-market fetch: each figure's "
    "source says when. Events are of the indexes and the largest companies only.",
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the run brought, before it is laid out; `absent` says which parts did not come."""

    indexes: tuple[IndexCard, ...]
    markets: tuple[MarketCard, ...]
    industries: tuple[TableRow, ...]
    moved: Text | None
    largest: ScreenResult | None
    left_out: tuple[Text, ...]
    events: tuple[EventLine, ...]
    unjudged: Text
    absent: tuple[Text, ...]


class _Summary(NamedTuple):
    """A market as a whole, its industries as rows, and what it lists beside companies."""

    whole: Group
    industries: tuple[TableRow, ...]
    left_out: Text | None


def build(parts: Parts, session_id: str) -> OverviewView:
    """The view, from one run. See Desk.overview."""
    finished = parts.runner.run_once(
        "overview", {}, lambda ledger: _gather(parts, ledger), session_id=session_id
    )
    output, found = finished.output, basis(finished)
    live = parts.settings.mode == "live"
    return OverviewView(
        title=Text("总览", "Overview"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(*output.left_out, _LIVE_COUNTS if live else _COUNTS),
        clock=parts.clock.now(),
        indexes=output.indexes,
        index_table=_index_table(output.indexes),
        markets=output.markets,
        market_table=_market_table(output.markets),
        industries=_industry_table(output.industries, output.moved or NO_TEXT),
        largest=_largest_table(output.largest, parts.names, live=live),
        events=output.events,
        events_table=events_table(
            [(line.name, line.event) for line in output.events],
            Text("近期异动：指数与有日线的公司", "Recent moves: indexes, companies with bars"),
            output.unjudged,
        ),
        snapshot=snapshot_facts(parts.manifest) if parts.settings.frozen or not live else None,
        copies=copies(parts),
        absent=output.absent,
    )


def _gather(parts: Parts, ledger: Ledger) -> _Found:
    """Every part by itself: one that fails is named and the others are shown.

    Raises: what happened to the first when none came.
    """
    clock = parts.clock.now()
    summaries: dict[Market, _Summary | Absence] = {
        market: _summary(ledger, market, parts.names) for market in _SUMMED
    }
    request = ScreenRequest(market="CN", order_by="market_cap", size=_LARGEST)
    largest = attempt(ledger, lambda: screen(ledger, request))
    cards = ask_each(ledger, INDEXES, lambda symbol: _index_card(parts, ledger, symbol, clock))
    named = [
        *((MARKET_WORDS[market], found) for market, found in summaries.items()),
        (_LARGEST_WORDS, largest),
        *((parts.names.text(symbol), found) for symbol, found in cards.items()),
    ]
    require_one(found for _, found in named)
    mainland = summaries["CN"]
    ranked = None if isinstance(largest, Absence) else largest
    found = [one for one in summaries.values() if not isinstance(one, Absence)]
    lines, unjudged = _lately(parts, ledger, clock.date(), ranked.rows if ranked else ())
    return _Found(
        indexes=tuple(card for card in cards.values() if not isinstance(card, Absence)),
        markets=tuple(_market_card(market, found) for market, found in summaries.items()),
        industries=() if isinstance(mainland, Absence) else mainland.industries,
        moved=None
        if isinstance(mainland, Absence)
        else moved_words(MARKET_WORDS["CN"], mainland.whole.figures),
        largest=ranked,
        left_out=tuple(one.left_out for one in found if one.left_out),
        events=lines,
        unjudged=unjudged,
        absent=tuple(_absent(name, found) for name, found in named if isinstance(found, Absence)),
    )


def _summary(ledger: Ledger, market: Market, names: Names) -> _Summary | Absence:
    return attempt(ledger, lambda: _sum_market(ledger, market, names))


def _sum_market(ledger: Ledger, market: Market, names: Names) -> _Summary:
    answer = ledger.fetch(SummaryRequest(market=market))
    groups = industry_groups(ledger, answer) if market == "CN" else []
    return _Summary(
        market_group(ledger, answer),
        tuple(
            _industry_row(group, largest_members(ledger, answer, group.industry, _NAMED), names)
            for group in groups
        ),
        left_out_words(MARKET_WORDS[market], list_left_out(ledger, answer)),
    )


def _absent(name: Text, found: Absence) -> Text:
    why = found.why
    return Text(f"{name.zh}没有取到：{why.zh}", f"{name.en} did not come: {why.en}")


def _market_card(market: Market, found: _Summary | Absence) -> MarketCard:
    """The whole market's figures; when they did not come, each says why."""
    figures: Mapping[str, Figure] = (
        {metric: Missing(metric=metric, symbol=market, reason=found.why) for metric in SUMMARY}
        if isinstance(found, Absence)
        else found.whole.figures
    )
    stats = tuple(
        Stat(_name_figure(metric, figures[metric]), figures[metric]) for metric in SUMMARY
    )
    # Changes may be of a later day than what the market is worth.
    counted = figures["company_count"]
    day = counted.as_of if isinstance(counted, Claim) else None
    return MarketCard(market, MARKET_WORDS[market], stats, day)


def _industry_row(group: Group, largest: Sequence[tuple[str, str]], names: Names) -> TableRow:
    """One industry with its largest companies by name; no link leads from those without one."""
    label = group.industry or UNCLASSIFIED
    name = UNCLASSIFIED_WORDS if label == UNCLASSIFIED else industry_label(label)
    first = join_texts([names.text(symbol, said) for symbol, said in largest], "　", ", ")
    return TableRow({"name": name, "largest": first, **group.figures}, group.scope)


def _index_card(parts: Parts, ledger: Ledger, symbol: str, clock: datetime) -> IndexCard:
    listed = Symbol(symbol)
    found = quote(ledger, listed, parts.names, parts.calendar, parts.clock)
    # What ended long ago is drawn up to its end.
    end = found.price.as_of if isinstance(found.price, Claim) else clock.date()
    return IndexCard(
        symbol, parts.names.text(symbol, found.name), found, _closes(ledger, listed, end)
    )


def _closes(ledger: Ledger, symbol: Symbol, end: date) -> PriceHistory | None:
    try:
        return price_history(ledger, symbol, end - _SPARK, end)
    except (NoDataError, ProviderError):
        return None


def _lately(
    parts: Parts, ledger: Ledger, end: date, largest: Sequence[ScreenRow]
) -> tuple[tuple[EventLine, ...], Text]:
    """Events of the last weeks of the indexes and of the companies with daily bars, newest first;
    and of whom how many sessions could not be judged.

    Live, every A share has bars: the largest few are judged, and of other markets none. US bars end
    before those weeks. One that cannot be asked is left out.
    """
    live = parts.settings.mode == "live"
    if live:
        shares = [row.symbol for row in largest][:_JUDGED]
    else:
        shares = [symbol for market in _SUMMED for symbol in _list_with_bars(ledger, market)]
    found = [
        (parts.names.text(symbol), _events(parts, ledger, Symbol(symbol), end))
        for symbol in [*INDEXES, *shares]
    ]
    lines = [EventLine(name, event) for name, one in found for event in one.events]
    lines.sort(key=lambda line: line.event.end, reverse=True)
    return tuple(lines), tell_each_unjudged([(name, one.unjudged) for name, one in found])


def _events(parts: Parts, ledger: Ledger, symbol: Symbol, end: date) -> EventsFound:
    try:
        return abnormal_events(ledger, symbol, end - _LATELY, end, calendar=parts.calendar)
    except (NoDataError, ProviderError):
        return EventsFound((), ALL_JUDGED)


def _list_with_bars(ledger: Ledger, market: Market) -> list[str]:
    """The symbols that have a daily move, which only those with bars have: they sort first."""
    request = ScreenRequest(market=market, order_by="pct", size=_WITH_BARS)
    rows = screen(ledger, request).rows
    return [row.symbol for row in rows if isinstance(row.figures["pct"], Claim)]


def _index_table(cards: Sequence[IndexCard]) -> Table:
    columns = (
        TableColumn("symbol", Text("代码", "Code"), "symbol"),
        TableColumn("name", Text("名称", "Name"), "text"),
        figure_column("price", "close"),
        TableColumn("previous_close", Text("前收盘", "Previous close"), "figure"),
        *figure_columns(("change", "pct_change")),
    )
    rows = tuple(
        TableRow(
            {"symbol": card.symbol, "name": card.name}
            | {name: getattr(card.quote, name) for name in _INDEX_FIGURES},
            card.symbol,
        )
        for card in cards
    )
    return Table("indexes", Text("指数", "Indexes"), columns, rows)


def _market_table(cards: Sequence[MarketCard]) -> Table:
    columns = (
        TableColumn("name", Text("市场", "Market"), "text"),
        *_summary_columns(*_figures_of(cards)),
    )
    rows = tuple(
        TableRow(
            {"name": card.name}
            | {key: stat.figure for key, stat in zip(SUMMARY, card.stats, strict=True)},
            card.market,
        )
        for card in cards
    )
    return Table("markets", Text("市场", "Markets"), columns, rows)


def _figures_of(cards: Sequence[MarketCard]) -> Iterator[Mapping[str, Figure]]:
    for card in cards:
        yield {key: stat.figure for key, stat in zip(SUMMARY, card.stats, strict=True)}


def _summary_columns(*rows: Mapping[str, Cell]) -> Iterator[TableColumn]:
    for key in SUMMARY:
        known = next((one for row in rows if isinstance(one := row.get(key), Claim)), None)
        yield TableColumn(key, _name_figure(key, known), "figure")


def _name_figure(metric: str, figure: Cell) -> Text:
    """Its name, and over whom it counts."""
    return Text(*name_counted(figure)) if isinstance(figure, Claim) else metric_words(metric)


def _industry_table(rows: tuple[TableRow, ...], moved: Text) -> Table:
    whole = (row.cells for row in rows)
    columns = (TableColumn("name", Text("行业", "Industry"), "text"), *_summary_columns(*whole))
    return Table("industries", Text("A 股行业", "A-share industries"), columns, rows, moved)


def _largest_table(found: ScreenResult | None, names: Names, *, live: bool) -> Table:
    rows = found.rows if found else ()
    note = unranked_words(found, "market_cap", names) if found else None
    return Table(
        "largest",
        Text("总市值最大的 A 股公司", "Largest A shares by market value"),
        screen_columns(_LARGEST_FIGURES, live=live, rows=rows),
        tuple(screen_row(row, names) for row in rows),
        note or NO_TEXT,
    )
