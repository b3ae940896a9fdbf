"""估值: today's multiples among those of the past, and beside the peers'.

The past is worked out from the adjusted close and the last annual report known then, where prices
and accounts are of one currency and the shares stayed the same; live a source gives it day by day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.company_formulas import LINES, MOST_REPORTS, PRICE_AT
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.requests import DatedValuationsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import report_data
from services.market.history import price_history
from services.market.outages import why_missing
from services.market.peers import PeerStanding, compare, find_members
from services.market.valuation_history import PAST_DAYS, past_multiples
from services.views.company.head import CompanyHead, adjustment_of
from services.views.company.valuation_past import (
    MULTIPLES,
    TOO_FEW,
    Band,
    Dot,
    PastMultiples,
    usable_reports,
)
from services.views.parts import Parts
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)

Span = Literal["1y", "3y", "all"]
Drawn = Literal["multiple", "price"]
DRAWN: tuple[Drawn, ...] = ("multiple", "price")
SPANS: Mapping[Span, timedelta | None] = {
    "1y": timedelta(days=365),
    "3y": timedelta(days=3 * 365),
    "all": None,
}
_TODAY = ("pe_ttm", "pe_lyr", "pb", "dy_l")
_CURRENCIES = Text(
    "报表币种与股价不同，不相除", "accounts and price are in two currencies: not divided"
)
_ADJUSTED = Text(
    "日线的复权方式不能还原当时的股价", "its adjusted prices do not give back the price of then"
)
_ONE_DAY = Text(
    "来源只有一天的倍数，没有历史", "the source holds one day of this multiple: no history"
)


class Channel(NamedTuple):
    """The price within lines of one multiple of the same past each: `close` is the newest, `lines`
    the multiples told of the band, by word, each with the newest price it would make.
    """

    band: Band
    close: Claim
    lines: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class ValuationPart:
    """`bands` are the multiples with a past; `why` says why there is none. `today` are those of
    the price shown, `standings` tell the median of its peers and how many of them have the
    multiple, `peers` how many there are. `given` says that the past is the source's own, day by
    day, and not worked out.
    """

    bands: tuple[Band, ...]
    why: Text | None
    today: Mapping[str, Figure]
    standings: Mapping[str, PeerStanding]
    peers: Claim | None
    given: bool
    span: Span
    drawn: Drawn = "multiple"
    channels: tuple[Channel, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def without_past(self) -> Mapping[str, Figure]:
        """Those of today that no band tells of."""
        told = {band.metric for band in self.bands}
        return {metric: one for metric, one in self.today.items() if metric not in told}

    def tables(self) -> tuple[Table, ...]:
        """Every multiple: now, its place in its own past, the peers' median."""
        words = ("now", "percentile", "median", "p10", "p90")
        heads = {
            "now": Text("现在", "Now"),
            "percentile": Text("分位", "Percentile"),
            "median": Text("中位", "Median"),
            "p10": Text("10% 分位", "10th percentile"),
            "p90": Text("90% 分位", "90th percentile"),
        }
        columns = (
            TableColumn("metric", Text("倍数", "Multiple"), "text"),
            *(TableColumn(word, heads[word], "figure") for word in words),
            TableColumn("peers", Text("同行中位数", "Peer median"), "figure"),
            TableColumn("counted", Text("同行有数据的公司", "Peers with a value"), "figure"),
        )
        rows = [
            TableRow(
                {
                    "metric": band.name,
                    **{w: band.told.get(w) for w in words},
                    **self._beside(band.metric),
                }
            )
            for band in self.bands
        ]
        rows += [
            TableRow({"metric": metric_words(metric), "now": one, **self._beside(metric)})
            for metric, one in self.without_past.items()
        ]
        table = Table("valuation", Text("贵不贵", "Dear or cheap"), columns, tuple(rows))
        return (table, *((_channel_table(self.channels),) if self.channels else ()))

    def _beside(self, metric: str) -> Mapping[str, Figure | None]:
        found = self.standings.get(metric)
        return {"peers": found.median, "counted": found.count} if found is not None else {}


def gather_valuation(
    parts: Parts,
    ledger: Ledger,
    symbol: Symbol,
    head: CompanyHead,
    last: date,
    span: Span = "all",
    drawn: Drawn = "multiple",
) -> ValuationPart:
    """Today's multiples, their past of so long, and the peers. Raises: ProviderError."""
    bands, why = _bands(parts, ledger, symbol, head, last, span, drawn)
    today: dict[str, Figure] = {
        metric: head.at_price.get(metric) or getattr(head.quote, metric) for metric in _TODAY
    }
    standings, peers = _peers(ledger, symbol)
    given = parts.settings.mode == "live"
    channels = _channels(parts, ledger, symbol, last, bands) if drawn == "price" else ()
    return ValuationPart(bands, why, today, standings, peers, given, span, drawn, channels)


def _channels(
    parts: Parts, ledger: Ledger, symbol: Symbol, last: date, bands: Sequence[Band]
) -> tuple[Channel, ...]:
    """The bands with the price each of their multiples would make of the newest close."""
    if not bands:
        return ()
    bars = price_history(ledger, symbol, None, last, calendar=parts.calendar)
    close = bars.claim(ledger, bars.bars[-1].date, "close")
    made: list[Channel] = []
    for band in bands:
        lines: dict[str, Figure] = {}
        for word in LINES:
            found = band.told[word]
            name = f"{found.metric}_price"
            formula = formula_for(name, PRICE_AT)
            derived = None
            if formula and isinstance(found, Claim) and isinstance(band.now, Claim):
                derived = ledger.derive(formula, (close, band.now, found))
            lines[word] = derived or Missing(metric=name, symbol=symbol.value, reason=TOO_FEW)
        made.append(Channel(band, close, lines))
    return tuple(made)


def _peers(ledger: Ledger, symbol: Symbol) -> tuple[Mapping[str, PeerStanding], Claim | None]:
    """Its place among its peers by each multiple, and how many these are."""
    try:
        found = compare(ledger, symbol, metrics=_TODAY)
    except (NoDataError, ProviderError):
        return {}, None
    members = find_members(ledger, symbol, found.industry)
    return found.standings, members.total if members is not None else None


def _bands(
    parts: Parts,
    ledger: Ledger,
    symbol: Symbol,
    head: CompanyHead,
    last: date,
    span: Span,
    drawn: Drawn,
) -> tuple[tuple[Band, ...], Text | None]:
    back = SPANS[span]
    if parts.settings.mode == "live":
        closes = _closes(parts, ledger, symbol, last) if drawn == "price" else {}
        return _read_bands(parts, ledger, symbol, back or PAST_DAYS, closes)
    try:
        bars = price_history(ledger, symbol, None, last, calendar=parts.calendar)
        found = report_data(
            ledger, symbol, ("eps", "dps", "equity", "net_profit"), kind="annual",
            count=MOST_REPORTS + 2, clock=parts.clock,
        )  # fmt: skip
    except (NoDataError, ProviderError) as error:
        return (), why_missing(ledger, error)
    if found.currency != symbol.currency:
        return (), _CURRENCIES
    way = adjustment_of(bars.note)
    if way not in {"additive", "splits", "none"}:
        return (), _ADJUSTED
    additive = way == "additive"
    reports = usable_reports(found, additive=additive)
    since = last - back if back else None
    past = PastMultiples(ledger, symbol, bars, reports, since, additive=additive)
    bands = [band for metric in MULTIPLES if (band := past.band(metric, head)) is not None]
    return tuple(bands), None if bands else TOO_FEW


def _closes(parts: Parts, ledger: Ledger, symbol: Symbol, last: date) -> Mapping[date, float]:
    """The adjusted close of each session: as its lines go by the same factor, only the proportion
    of a multiple to another decides where they lie.
    """
    try:
        bars = price_history(ledger, symbol, None, last, calendar=parts.calendar)
    except (NoDataError, ProviderError):
        return {}
    return {bar.date: bar.close for bar in bars.bars}


def _read_bands(
    parts: Parts,
    ledger: Ledger,
    symbol: Symbol,
    back: timedelta,
    closes: Mapping[date, float],
) -> tuple[tuple[Band, ...], Text | None]:
    """The past as a source gives it, of three years or less."""
    until = parts.calendar.last_complete_session(symbol.market, parts.clock.now())
    told = past_multiples(ledger, symbol, ("pe_ttm", "pb"), until, back)
    made: list[Band] = []
    why: Text | None = None
    for metric, row in told.items():
        now = row["now"]
        if isinstance(now, Missing):
            why = now.reason
            continue
        request = DatedValuationsRequest(symbol=symbol.value, start=until - back, end=until)
        facts = ledger.fetch(request).facts(symbol.value, metric)
        dots = tuple(
            sorted(Dot(fact.as_of, fact.value, closes.get(fact.as_of)) for _, fact in facts)
        )
        made.append(Band(metric, dots, dict(row), None))
    return tuple(made), None if made else why


def _channel_table(channels: Sequence[Channel]) -> Table:
    """Each line of each channel: the multiple, and the price at it."""
    columns = (
        TableColumn("metric", Text("倍数", "Multiple"), "text"),
        TableColumn("multiple", Text("历史值", "Of its past"), "figure"),
        TableColumn("price", Text("对应股价", "Implied price"), "figure"),
    )
    rows = tuple(
        TableRow(
            {
                "metric": metric_words(channel.band.told[word].metric),
                "multiple": channel.band.told[word],
                "price": line,
            }
        )
        for channel in channels
        for word, line in channel.lines.items()
    )
    return Table("channel", Text("股价通道", "Price channel"), columns, rows)


def no_history() -> Text:
    """Why a multiple of one day has no place in its past."""
    return _ONE_DAY
