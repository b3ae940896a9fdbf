"""估值: today's multiples among those of the past, and beside the peers'.

The past is worked out from the adjusted close and the last annual report known then, where prices
and accounts are of one currency and the shares stayed the same; live a source gives it day by day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.company_formulas import (
    MOST_REPORTS,
    PAST_WORDS,
    Dividends,
    past_expression,
)
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.requests import DatedValuationsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import FinancialData, report_data
from services.market.history import PriceHistory, price_history
from services.market.outages import why_missing
from services.market.peers import Comparison, compare
from services.market.valuation_history import PAST_DAYS, past_multiples
from services.views.company.head import CompanyHead, adjustment_of
from services.views.parts import Parts
from services.views.table import Table, TableColumn, TableRow, metric_words

# When an annual report is known, and its dividend paid, at the latest by the exchanges' rules and
# by custom: the bundle gives neither day.
_KNOWN_AFTER = timedelta(days=120)
_PAID_AFTER = timedelta(days=181)
# More than this between the shares behind two reports is another number of shares.
_SAME_SHARES = 0.03
_FEWEST = 120
Span = Literal["1y", "3y", "all"]
SPANS: Mapping[Span, timedelta | None] = {
    "1y": timedelta(days=365),
    "3y": timedelta(days=3 * 365),
    "all": None,
}
_PEERS = 24
_PAST = ("pe_report", "pb_report")
_TODAY = ("pe_ttm", "pe_lyr", "pb", "dy_l")
_CURRENCIES = Text(
    "报表币种与股价不同，不相除", "accounts and price are in two currencies: not divided"
)
_ADJUSTED = Text(
    "日线的复权方式不能还原当时的股价", "its adjusted prices do not give back the price of then"
)
_TOO_FEW = Text(
    "年报或日线太少，不算历史分位", "too few reports or bars for a place among past multiples"
)
_ONE_DAY = Text(
    "来源只有一天的倍数，没有历史", "the source holds one day of this multiple: no history"
)


class Dot(NamedTuple):
    """One session of a line: the day, and the multiple as computed. For drawing only."""

    day: date
    value: float


@dataclass(frozen=True, slots=True)
class Band:
    """One multiple over time: its line, and what is told of it, by the words of PAST_WORDS."""

    metric: str
    dots: tuple[Dot, ...]
    told: Mapping[str, Figure]
    given: Claim | None

    @property
    def name(self) -> Text:
        """What the multiple is called: one worked out from reports has a name of its own."""
        return metric_words(f"{self.metric}_now" if self.metric in _PAST else self.metric)

    @property
    def now(self) -> Figure:
        """Today's."""
        return self.told["now"]


@dataclass(frozen=True, slots=True)
class ValuationPart:
    """`bands` are the multiples with a past; `why` says why there is none. `today` are those of
    the price shown, `medians` of the others of the industry. `given` says that the past is the
    source's own, day by day, and not worked out.
    """

    bands: tuple[Band, ...]
    why: Text | None
    today: Mapping[str, Figure]
    medians: Mapping[str, Figure]
    counted: Figure | None
    given: bool
    span: Span
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
            TableColumn("peers", Text("同行中位", "Median of peers"), "figure"),
        )
        rows = [
            TableRow(
                {
                    "metric": band.name,
                    **{w: band.told.get(w) for w in words},
                    "peers": self.medians.get(band.metric),
                }
            )
            for band in self.bands
        ]
        rows += [
            TableRow(
                {"metric": metric_words(metric), "now": one, "peers": self.medians.get(metric)}
            )
            for metric, one in self.without_past.items()
        ]
        return (Table("valuation", Text("贵不贵", "Dear or cheap"), columns, tuple(rows)),)


class _Report(NamedTuple):
    """One annual report as the past needs it."""

    period: Period
    eps: Claim
    equity: Claim
    dps: Claim | None
    shares: float


def gather_valuation(
    parts: Parts, ledger: Ledger, symbol: Symbol, head: CompanyHead, last: date, span: Span = "all"
) -> ValuationPart:
    """Today's multiples, their past of so long, and the peers. Raises: ProviderError."""
    bands, why = _bands(parts, ledger, symbol, head, last, span)
    today: dict[str, Figure] = {
        metric: head.at_price.get(metric) or getattr(head.quote, metric) for metric in _TODAY
    }
    comparison = _peers(ledger, symbol)
    medians = (
        {metric: comparison.standings[metric].median for metric in _TODAY} if comparison else {}
    )
    counted = comparison.standings["pb"].count if comparison else None
    given = parts.settings.mode == "live"
    return ValuationPart(bands, why, today, medians, counted, given, span)


def _peers(ledger: Ledger, symbol: Symbol) -> Comparison | None:
    try:
        return compare(ledger, symbol, _PEERS)
    except (NoDataError, ProviderError):
        return None


def _bands(
    parts: Parts, ledger: Ledger, symbol: Symbol, head: CompanyHead, last: date, span: Span
) -> tuple[tuple[Band, ...], Text | None]:
    back = SPANS[span]
    if parts.settings.mode == "live":
        return _read_bands(parts, ledger, symbol, back or PAST_DAYS)
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
    reports = _usable(found, additive=additive)
    since = last - back if back else None
    past = _Past(ledger, symbol, bars, reports, since, additive=additive)
    bands = [band for metric in _PAST if (band := past.band(metric, head)) is not None]
    return tuple(bands), None if bands else _TOO_FEW


def _read_bands(
    parts: Parts, ledger: Ledger, symbol: Symbol, back: timedelta
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
        dots = tuple(sorted(Dot(fact.as_of, fact.value) for _, fact in facts))
        made.append(Band(metric, dots, dict(row), None))
    return tuple(made), None if made else why


def _usable(found: FinancialData, *, additive: bool) -> tuple[_Report, ...]:
    """The reports, oldest first, over which the shares stayed the same: a report is used until
    the next one, so the shares of that one decide.
    """
    every: list[_Report] = []
    for name in found.periods:
        eps, equity = found.figures["eps"].get(name), found.figures["equity"].get(name)
        profit, dps = found.figures["net_profit"].get(name), found.figures["dps"].get(name)
        if not (isinstance(eps, Claim) and isinstance(equity, Claim) and isinstance(profit, Claim)):
            break
        if eps.value <= 0 or equity.value <= 0 or (additive and not isinstance(dps, Claim)):
            break
        paid = dps if isinstance(dps, Claim) and additive else None
        shares = profit.value / eps.value
        every.append(_Report(Period.parse(name), eps, equity, paid, shares))
    kept = every[:1]
    for later, earlier in pairwise(every):
        if abs(later.shares / every[0].shares - 1) > _SAME_SHARES:
            break
        kept.append(earlier)
    return tuple(reversed(kept[:MOST_REPORTS]))


class _Past:
    """The multiples of every session since the first usable report, or since a day after it."""

    def __init__(
        self,
        ledger: Ledger,
        symbol: Symbol,
        bars: PriceHistory,
        reports: Sequence[_Report],
        since: date | None,
        *,
        additive: bool,
    ) -> None:
        """Cut the sessions into stretches over which report and dividends stay the same."""
        self._ledger, self._symbol, self._bars = ledger, symbol, bars
        self._additive, self._since = additive, since
        self._reports = tuple(reports)
        # Whether the first stretch begins after its report's dividend.
        self._late = False
        while since and len(days := self._days()) > 1 and days[1][0] <= since:
            self._drop_stretch()
        while self._reports and not all(count for _, count in self._cut()):
            self._drop_stretch()

    def _drop_stretch(self) -> None:
        self._late = self._additive and not self._late
        if not self._late:
            self._reports = self._reports[1:]

    def _days(self) -> list[tuple[date, date]]:
        """First and last possible day of each stretch."""
        last = self._bars.bars[-1].date
        edges: list[date] = []
        for report in self._reports:
            edges.append(report.period.end + _KNOWN_AFTER)
            if self._additive:
                edges.append(report.period.end + _PAID_AFTER)
        edges = [edge for edge in edges[self._late :] if edge <= last]
        ends = [*(edge - timedelta(days=1) for edge in edges[1:]), last]
        if self._since is not None and edges:
            edges[0] = max(edges[0], self._since)
        return list(zip(edges, ends, strict=True))

    def _cut(self) -> list[tuple[tuple[date, date], int]]:
        counted: list[tuple[tuple[date, date], int]] = []
        for first, last in self._days():
            inside = [bar.date for bar in self._bars.bars if first <= bar.date <= last]
            span = (inside[0], inside[-1]) if inside else (first, last)
            counted.append((span, len(inside)))
        return counted

    @property
    def _dividends(self) -> Dividends:
        if not self._additive:
            return "none"
        is_paid = len(self._days()) + self._late == 2 * len(self._reports)
        if self._late:
            return "late_paid" if is_paid else "late_owed"
        return "paid" if is_paid else "owed"

    def band(self, metric: str, head: CompanyHead) -> Band | None:
        """That multiple over time; None where it has too short a past."""
        cut = self._cut()
        shares = head.quote.total_shares
        if not self._reports or sum(count for _, count in cut) < _FEWEST:
            return None
        if metric == "pb_report" and not isinstance(shares, Claim):
            return None
        halves = 1 if not self._additive else 2
        series = [
            self._ledger.window(
                f"{'ab'[place % halves]}{place // halves + 1}", self._bars.call,
                self._symbol.value, "close", *span,
            )
            for place, (span, _) in enumerate(cut, self._late)
        ]  # fmt: skip
        inputs = self._inputs(metric, shares)
        told = {word: self._make_band(metric, word, inputs, series) for word in PAST_WORDS}
        given = head.quote.pe_lyr if metric == "pe_report" else None
        return Band(
            metric,
            self._dots(metric, cut, shares),
            told,
            given if isinstance(given, Claim) else None,
        )

    def _inputs(self, metric: str, shares: Figure) -> list[Claim]:
        paid = [one.dps for one in self._reports[self._late :] if one.dps is not None]
        if metric == "pe_report":
            return [*paid, *(report.eps for report in self._reports)]
        own = [shares] if isinstance(shares, Claim) else []
        return [*paid, *(report.equity for report in self._reports), *own]

    def _make_band(
        self, metric: str, word: str, inputs: Sequence[Claim], series: Sequence[SeriesRef]
    ) -> Figure:
        name = f"{metric}_{word}"
        expression = past_expression(metric, len(self._reports), self._dividends, word)
        formula = formula_for(name, expression)
        made = self._ledger.derive(formula, inputs, series=series) if formula else None
        return made or Missing(metric=name, symbol=self._symbol.value, reason=_TOO_FEW)

    def _dots(
        self, metric: str, cut: Sequence[tuple[tuple[date, date], int]], shares: Figure
    ) -> tuple[Dot, ...]:
        dots: list[Dot] = []
        halves = 1 if not self._additive else 2
        for place, ((first, last), _) in enumerate(cut, self._late):
            report = self._reports[place // halves]
            after = self._reports[place // halves + place % halves :]
            owed = sum(one.dps.value for one in after if one.dps is not None)
            base = report.eps.value
            if metric == "pb_report" and isinstance(shares, Claim):
                base = report.equity.value / shares.value
            dots += [
                Dot(bar.date, (bar.close + owed) / base)
                for bar in self._bars.bars
                if first <= bar.date <= last
            ]
        return tuple(dots)


def no_history() -> Text:
    """Why a multiple of one day has no place in its past."""
    return _ONE_DAY
