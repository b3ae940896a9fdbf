"""The multiples of every session since a report, worked out from adjusted closes and the annual
report known then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.company_formulas import (
    MOST_REPORTS,
    PAST_WORDS,
    Dividends,
    past_expression,
)
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import FinancialData
from services.market.history import PriceHistory
from services.views.company.head import CompanyHead

# When an annual report is known, and its dividend paid, at the latest by the exchanges' rules and
# by custom: the bundle gives neither day.
_KNOWN_AFTER = timedelta(days=120)
_PAID_AFTER = timedelta(days=181)
# More than this between the shares behind two reports is another number of shares.
_SAME_SHARES = 0.03
_FEWEST = 120
MULTIPLES = ("pe_report", "pb_report")
TOO_FEW = Text(
    "年报或日线太少，不算历史分位", "too few reports or bars for a place among past multiples"
)


class Dot(NamedTuple):
    """One session of a line: the day, the multiple as computed, and the price it is of (with what
    was paid after; null where the source gives the multiple alone). For drawing only.
    """

    day: date
    value: float
    price: float | None


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
        return metric_words(f"{self.metric}_now" if self.metric in MULTIPLES else self.metric)

    @property
    def now(self) -> Figure:
        """Today's."""
        return self.told["now"]


class KnownReport(NamedTuple):
    """One annual report as the past needs it."""

    period: Period
    eps: Claim
    equity: Claim
    dps: Claim | None
    shares: float


def usable_reports(found: FinancialData, *, additive: bool) -> tuple[KnownReport, ...]:
    """The reports, oldest first, over which the shares stayed the same: a report is used until
    the next one, so the shares of that one decide.
    """
    every: list[KnownReport] = []
    for name in found.periods:
        eps, equity = found.figures["eps"].get(name), found.figures["equity"].get(name)
        profit, dps = found.figures["net_profit"].get(name), found.figures["dps"].get(name)
        if not (isinstance(eps, Claim) and isinstance(equity, Claim) and isinstance(profit, Claim)):
            break
        if eps.value <= 0 or equity.value <= 0 or (additive and not isinstance(dps, Claim)):
            break
        paid = dps if isinstance(dps, Claim) and additive else None
        shares = profit.value / eps.value
        every.append(KnownReport(Period.parse(name), eps, equity, paid, shares))
    kept = every[:1]
    for later, earlier in pairwise(every):
        if abs(later.shares / every[0].shares - 1) > _SAME_SHARES:
            break
        kept.append(earlier)
    return tuple(reversed(kept[:MOST_REPORTS]))


class PastMultiples:
    """The multiples of every session since the first usable report, or since a day after it."""

    def __init__(
        self,
        ledger: Ledger,
        symbol: Symbol,
        bars: PriceHistory,
        reports: Sequence[KnownReport],
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
        return made or Missing(metric=name, symbol=self._symbol.value, reason=TOO_FEW)

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
                Dot(bar.date, (bar.close + owed) / base, bar.close + owed)
                for bar in self._bars.bars
                if first <= bar.date <= last
            ]
        return tuple(dots)
