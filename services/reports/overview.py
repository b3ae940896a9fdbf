"""总览: indexes, markets, industries, the largest companies, and what happened lately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Answer, Ledger
from services.core.requests import ScreenRequest, SummaryRequest
from services.core.symbols import Market, Symbol
from services.market.events import Event, abnormal_events
from services.market.history import PriceHistory, price_history
from services.market.quotes import quote
from services.market.screener import ScreenResult, screen
from services.reports.events import events_table
from services.reports.parts import Parts, basis
from services.reports.screen import MARKET_WORDS, screen_columns, screen_row
from services.reports.sources import snapshot_facts
from services.reports.table import (
    Column,
    Row,
    Table,
    Words,
    figure_column,
    figure_columns,
    metric_words,
)
from services.reports.view import EventLine, IndexCard, MarketCard, OverviewView, Stat

INDEXES = ("000001.SH", "HSI", "IXIC")
SUMMARY = (
    "company_count",
    "market_cap_sum",
    "pe_ttm_median",
    "pe_lyr_median",
    "pb_median",
    "loss_count",
)
_NOT_GIVEN = "来源未给出 | not given by the source"
_SPARK = timedelta(days=183)
_LATELY = timedelta(days=45)
_LARGEST = 10
_JUDGED = 5
_WITH_BARS = 30
_LARGEST_FIGURES = ("market_cap", "netprofit", "close", "pettm", "pelyr", "pb", "dy_l")
_INDEX_FIGURES = ("price", "previous_close", "change", "pct_change")
_COUNTS = Words(
    "市值、估值与公司数为快照采集日的横截面，日线与异动截至快照时钟；两者日期不同，见各数字的出处。",
    "Market values, multiples and counts are of the capture day; bars and events run to the "
    "snapshot's clock. The days differ: see each figure's source.",
)
_LIVE_COUNTS = Words(
    "市值、估值与公司数来自最近一次全市场取数，抓取时间见各数字的出处；异动仅看指数与总市值最大的公司。",
    "Market values, multiples and counts are of the newest whole-market fetch: each figure's "
    "source says when. Events are of the indexes and the largest companies only.",
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the run brought, before it is laid out."""

    indexes: tuple[IndexCard, ...]
    markets: tuple[MarketCard, ...]
    industries: tuple[Row, ...]
    largest: ScreenResult
    events: tuple[EventLine, ...]


class _Group(NamedTuple):
    """A market or industry of a summary: its scope (`CN`, `CN:银行`), name and figures."""

    scope: str
    name: str
    figures: Mapping[str, Figure]


def build(parts: Parts, session_id: str) -> OverviewView:
    """The view, from one run. See Desk.overview."""
    finished = parts.runner.run(
        "overview", {}, lambda ledger: _gather(parts, ledger), session_id=session_id
    )
    output, found = finished.output, basis(finished)
    live = parts.settings.mode == "live"
    return OverviewView(
        title=Words("总览", "Overview"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(_LIVE_COUNTS if live else _COUNTS,),
        clock=parts.clock.now(),
        indexes=output.indexes,
        index_table=_index_table(output.indexes),
        markets=output.markets,
        market_table=_market_table(output.markets),
        industries=_industry_table(output.industries),
        largest=_largest_table(output.largest, live=live),
        events=output.events,
        events_table=events_table(
            [(line.name, line.event) for line in output.events],
            Words("近期异动：指数与有日线的 A 股", "Recent moves: indexes, A shares with bars"),
        ),
        snapshot=None if live else snapshot_facts(parts.manifest),
    )


def _gather(parts: Parts, ledger: Ledger) -> _Found:
    clock = parts.clock.now()
    mainland = _groups(ledger, ledger.fetch(SummaryRequest(market="CN")))
    hong_kong = _groups(ledger, ledger.fetch(SummaryRequest(market="HK")))
    largest = screen(ledger, ScreenRequest(market="CN", order_by="market_cap", size=_LARGEST))
    return _Found(
        indexes=tuple(_index_card(parts, ledger, symbol, clock) for symbol in INDEXES),
        markets=(_market_card("CN", mainland[0]), _market_card("HK", hong_kong[0])),
        industries=tuple(_industry_row(group) for group in mainland[1:]),
        largest=largest,
        events=_lately(parts, ledger, clock.date(), largest),
    )


def _groups(ledger: Ledger, answer: Answer) -> list[_Group]:
    """The market as a whole, then its industries in the order of the answer."""
    groups: list[_Group] = []
    for scope in answer.symbols:
        given = {fact.metric: ledger.claim(call, fact) for call, fact in answer.facts(scope)}
        figures: dict[str, Figure] = {
            metric: given.get(metric) or Missing(metric=metric, symbol=scope, reason=_NOT_GIVEN)
            for metric in SUMMARY
        }
        groups.append(_Group(scope, answer.label(scope, "name") or scope, figures))
    return groups


def _market_card(market: Literal["CN", "HK"], group: _Group) -> MarketCard:
    stats = tuple(Stat(metric_words(metric), group.figures[metric]) for metric in SUMMARY)
    known = [stat.figure.as_of for stat in stats if isinstance(stat.figure, Claim)]
    return MarketCard(market, MARKET_WORDS[market], stats, max(known, default=None))


def _industry_row(group: _Group) -> Row:
    return Row({"name": group.name, **group.figures}, group.scope)


def _index_card(parts: Parts, ledger: Ledger, symbol: str, clock: datetime) -> IndexCard:
    listed = Symbol(symbol)
    found = quote(ledger, listed, parts.names, parts.calendar, parts.clock)
    return IndexCard(symbol, found.name, found, _closes(ledger, listed, clock.date()))


def _closes(ledger: Ledger, symbol: Symbol, end: date) -> PriceHistory | None:
    try:
        return price_history(ledger, symbol, end - _SPARK, end)
    except (NoDataError, ProviderError):
        return None


def _lately(
    parts: Parts, ledger: Ledger, end: date, largest: ScreenResult
) -> tuple[EventLine, ...]:
    """Events of the last weeks of the indexes and of the A shares with daily bars, newest first.

    Hong Kong and US companies are left out: judging them too takes five times as long. Live, every
    A share has bars: the largest few are judged. One that cannot be asked is left out.
    """
    live = parts.settings.mode == "live"
    shares = [row.symbol for row in largest.rows][:_JUDGED] if live else _barred(ledger, "CN")
    lines = [
        EventLine(parts.names.name(symbol), event)
        for symbol in [*INDEXES, *shares]
        for event in _events(parts, ledger, Symbol(symbol), end)
    ]
    return tuple(sorted(lines, key=lambda line: line.event.end, reverse=True))


def _events(parts: Parts, ledger: Ledger, symbol: Symbol, end: date) -> tuple[Event, ...]:
    try:
        return abnormal_events(ledger, symbol, end - _LATELY, end, calendar=parts.calendar)
    except (NoDataError, ProviderError):
        return ()


def _barred(ledger: Ledger, market: Market) -> list[str]:
    """The symbols that have a daily move, which only those with bars have: they sort first."""
    request = ScreenRequest(market=market, order_by="pct", size=_WITH_BARS)
    rows = screen(ledger, request).rows
    return [row.symbol for row in rows if isinstance(row.figures["pct"], Claim)]


def _index_table(cards: Sequence[IndexCard]) -> Table:
    columns = (
        Column("symbol", "代码", "Code", "symbol"),
        Column("name", "名称", "Name", "text"),
        figure_column("price", "close"),
        Column("previous_close", "前收盘", "Previous close", "figure"),
        *figure_columns(("change", "pct_change")),
    )
    rows = tuple(
        Row(
            {"symbol": card.symbol, "name": card.name}
            | {name: getattr(card.quote, name) for name in _INDEX_FIGURES},
            card.symbol,
        )
        for card in cards
    )
    return Table("indexes", "指数", "Indexes", columns, rows)


def _market_table(cards: Sequence[MarketCard]) -> Table:
    columns = (Column("name", "市场", "Market", "text"), *figure_columns(SUMMARY))
    rows = tuple(
        Row(
            {"name": card.name}
            | {key: stat.figure for key, stat in zip(SUMMARY, card.stats, strict=True)},
            card.market,
        )
        for card in cards
    )
    return Table("markets", "市场", "Markets", columns, rows)


def _industry_table(rows: tuple[Row, ...]) -> Table:
    columns = (Column("name", "行业", "Industry", "text"), *figure_columns(SUMMARY))
    return Table("industries", "A 股行业", "A-share industries", columns, rows)


def _largest_table(result: ScreenResult, *, live: bool) -> Table:
    return Table(
        "largest",
        "总市值最大的 A 股公司",
        "Largest A shares by market value",
        screen_columns(_LARGEST_FIGURES, live=live),
        tuple(screen_row(row) for row in result.rows),
    )
