"""公司: head and section in one run, so that no two figures of the page can disagree."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from services.core.errors import InputError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.candles import Interval
from services.market.quotes import tell_days_apart
from services.views.company.chart import ChartRequest, gather_chart
from services.views.company.head import CompanyHead, gather_head
from services.views.company.news import SCOPES, SHOWN, FeedAsked, Scope, Shown, gather_news
from services.views.company.peers import AMONG, Among, PeersAsked, gather_peers
from services.views.company.statement_rows import Kind
from services.views.company.statements import StatementsAsked, gather_statements
from services.views.company.valuation import DRAWN, SPANS, Drawn, Span, gather_valuation
from services.views.company.view import TABS, CompanyView, SectionView, Tab
from services.views.parts import Parts, basis


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """What of the page is asked for: a section, and how it is to be shown."""

    tab: Tab = "chart"
    chart: ChartRequest = field(default_factory=ChartRequest)
    fin: StatementsAsked = field(default_factory=StatementsAsked)
    peers: PeersAsked = field(default_factory=PeersAsked)
    feed: FeedAsked = field(default_factory=FeedAsked)
    past: Span = "all"
    drawn: Drawn = "multiple"


def build(parts: Parts, symbol_text: str, wanted: SectionRequest, session_id: str) -> CompanyView:
    """The view, from one run. See Desk.company."""
    symbol = parts.names.resolve(symbol_text)
    if wanted.tab not in TABS:
        raise InputError("tab", wanted.tab, "one of " + ", ".join(TABS))
    if wanted.feed.shown not in SHOWN or wanted.feed.scope not in SCOPES:
        raise InputError("feed", wanted.feed.shown, "one of " + ", ".join(SHOWN))
    if wanted.drawn not in DRAWN:
        raise InputError("drawn", wanted.drawn, "one of " + ", ".join(DRAWN))
    if wanted.past not in SPANS or wanted.peers.among not in AMONG:
        raise InputError("past", wanted.past, "one of " + ", ".join(SPANS))
    finished = parts.runner.run_once(
        "company",
        {"symbol": symbol.value, **_tell_wanted(wanted)},
        lambda ledger: _gather(parts, ledger, symbol, wanted),
        session_id=session_id,
    )
    (head, part), found = finished.output, basis(finished)
    name = head.name
    return CompanyView(
        title=Text(f"{name.zh} {symbol}", f"{name.en} {symbol}"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(*_quote_notes(head), *(part.notes if part else ())),
        head=head,
        tab=wanted.tab,
        part=part,
    )


def _tell_wanted(wanted: SectionRequest) -> dict[str, JsonValue]:
    return {
        "tab": wanted.tab,
        "range": wanted.chart.range,
        "interval": wanted.chart.interval,
        "overlays": ",".join(wanted.chart.overlays),
        "count": wanted.fin.count,
        "kind": wanted.fin.kind,
        "beside": wanted.fin.beside,
        "rows": ",".join(wanted.fin.rows),
        "columns": ",".join(wanted.peers.columns),
        "among": wanted.peers.among,
        "chosen": ",".join(wanted.peers.chosen),
        "past": wanted.past,
        "drawn": wanted.drawn,
        "feed": wanted.feed.shown,
        "scope": wanted.feed.scope,
    }


def wanted_of(told: Mapping[str, JsonValue]) -> SectionRequest:
    """What was asked for, out of the arguments of a stored run."""
    overlays = tuple(one for one in str(told["overlays"]).split(",") if one)
    chart = ChartRequest(str(told["range"]), cast("Interval", told["interval"]), overlays)
    # A run from before there were such choices says nothing of them.
    rows, chosen = (
        tuple(one for one in str(told.get(key, "")).split(",") if one) for key in ("rows", "chosen")
    )
    fin = StatementsAsked(
        cast("Kind", told["kind"]), int(str(told["count"])), str(told.get("beside", "")), rows
    )
    peers = PeersAsked(
        tuple(str(told["columns"]).split(",")), cast("Among", told.get("among", "all")), chosen
    )
    feed = FeedAsked(
        cast("Shown", str(told.get("feed", "all"))), cast("Scope", str(told.get("scope", "own")))
    )
    past = cast("Span", told.get("past", "all"))
    drawn = cast("Drawn", told.get("drawn", "multiple"))
    return SectionRequest(cast("Tab", told["tab"]), chart, fin, peers, feed, past, drawn)


def _quote_notes(head: CompanyHead) -> tuple[Text, ...]:
    """What the quote says of itself; not that multiples are of another day once they are not."""
    given = head.basis.given
    apart = tell_days_apart(given[0].as_of) if given else None
    return tuple(note for note in head.quote.notes if note != apart)


def _gather(
    parts: Parts, ledger: Ledger, symbol: Symbol, wanted: SectionRequest
) -> tuple[CompanyHead, SectionView | None]:
    head = gather_head(parts, ledger, symbol)
    last = head.basis.priced_on or parts.clock.now().date()
    part: SectionView | None = None
    if wanted.tab in {"chart", "news"}:
        chart = gather_chart(parts, ledger, symbol, last, wanted.chart)
        is_news = wanted.tab == "news"
        part = gather_news(parts, ledger, head, chart, wanted.feed) if is_news else chart
        if part is chart and chart.bars is None and head.is_company and head.has_figures:
            # Without bars the chart's section says so, and shows what there is instead.
            part = gather_valuation(parts, ledger, symbol, head, last, wanted.past, wanted.drawn)
    elif wanted.tab == "fin" and head.has_figures:
        part = gather_statements(parts, ledger, symbol, wanted.fin)
    elif wanted.tab == "peers":
        part = gather_peers(parts, ledger, symbol, wanted.peers)
    elif wanted.tab == "valuation" and head.has_figures:
        part = gather_valuation(parts, ledger, symbol, head, last, wanted.past, wanted.drawn)
    return head, part
