"""Fiscal years of one company out of EDGAR's `companyfacts`: every figure it ever filed.

A figure stands in many filings; of one year the last filed counts, known since the first filing
that said the same. Years alone: what a quarter is of is told by no row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast

from services.core.clock import BEIJING
from services.core.errors import ChangedError
from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.core.units import CURRENCIES
from services.providers.http import Body
from services.providers.reading import Column, Node, day, facts, member, not_later, once, rows_of
from services.providers.sessions import ZONES

# Of several concepts of one figure the first that has that year is taken.
NET_PROFIT = ("NetIncomeLoss", "ProfitLoss")
REVENUE = ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet")
EQUITY = ("StockholdersEquity",)
LIABILITIES = ("Liabilities",)
_YEARLY = {"net_profit": NET_PROFIT, "revenue": REVENUE}
_AT_THE_END = {"total_assets": ("Assets",), "total_liabilities": LIABILITIES, "equity": EQUITY}
_PER_SHARE = {"eps": ("EarningsPerShareBasic",)}
# Annual reports of companies at home and abroad, and their corrections.
_FORMS = frozenset({"10-K", "10-K/A", "10-KT", "20-F", "20-F/A", "40-F", "40-F/A"})
# A fiscal year is 52 or 53 weeks, or a calendar's.
_SHORTEST, _LONGEST_YEAR = 350, 380
_COLUMNS = ("end", "val", "form", "filed")


@dataclass(frozen=True, slots=True)
class _Filed:
    """One figure of one fiscal year as last filed, and since when it is known."""

    row: Node
    concept: str
    start: date | None
    end: date
    known_on: date


class CompanyFacts:
    """What one document has of us-gaap. Nothing filed after `now` is in it."""

    def __init__(self, document: object, body: Body, now: datetime) -> None:
        """Raises: ChangedError when it is no such document."""
        found = member(document, "facts", body)
        self._concepts = cast("Node", found.get("us-gaap") or {})
        self._body, self._now = body, now

    def figures(self, symbol: Symbol, wanted: frozenset[Period]) -> tuple[Fact, ...]:
        """Its fiscal years, oldest first: of `wanted`, or all. Raises: ChangedError."""
        money = self._currency()
        if money is None:
            return ()
        years = self._by_end(NET_PROFIT, money) or self._by_end(REVENUE, money)
        made: list[Fact] = []
        groups = ((_YEARLY, money, money), (_AT_THE_END, money, money))
        per_share = ((_PER_SHARE, f"{money}/shares", f"{money}/share"),)
        for concepts, key, unit in (*groups, *per_share):
            for metric, names in concepts.items():
                for end, one in self._by_end(names, key, at_end=concepts is _AT_THE_END).items():
                    period = Period(end.year, 4)
                    if end in years and (not wanted or period in wanted):
                        made += self._fact(symbol, metric, unit, period, one, years[end])
        asked = [end for end in years if not wanted or Period(end.year, 4) in wanted]
        if asked and not made:
            raise ChangedError(self._body.provider, self._body.table, "no row has a figure")
        return once(sorted(made, key=lambda fact: (fact.as_of, fact.metric)), self._body)

    def _currency(self) -> str | None:
        """The currency most of its net profit is in: abroad some add a year in dollars."""
        found: dict[str, int] = {}
        for name in (*NET_PROFIT, *REVENUE):
            for unit, rows in self._units(name).items():
                if unit in CURRENCIES and isinstance(rows, list):
                    found[unit] = found.get(unit, 0) + len(cast("list[object]", rows))
        return max(found, key=lambda unit: found[unit]) if found else None

    def _by_end(
        self, concepts: Iterable[str], unit: str, *, at_end: bool = False
    ) -> dict[date, _Filed]:
        """By the last day of a year the figure of the first concept that has it."""
        found: dict[date, _Filed] = {}
        for concept in concepts:
            rows = self._units(concept).get(unit)
            if rows is not None:
                listed = rows_of({"rows": rows}, "rows", self._body, _COLUMNS)
                for end, one in self._last_filed(listed, concept, at_end=at_end).items():
                    found.setdefault(end, one)
        return found

    def _last_filed(
        self, rows: Sequence[Node], concept: str, *, at_end: bool
    ) -> Mapping[date, _Filed]:
        body, today = self._body, self._now.astimezone(BEIJING).date()
        found: dict[date, _Filed] = {}
        for row in sorted(rows, key=lambda row: str(row["filed"])):
            filed = day(row["filed"], body, "filed")
            if row["form"] not in _FORMS or filed > today:
                continue
            end = not_later(day(row["end"], body, "end"), self._now, ZONES["CN"], body, "end")
            start = None if at_end else day(row.get("start"), body, "start")
            if start is not None and not _SHORTEST <= (end - start).days <= _LONGEST_YEAR:
                continue
            before = found.get(end)
            same = before is not None and before.row["val"] == row["val"]
            known_on = before.known_on if before is not None and same else filed
            found[end] = _Filed(row, concept, start, end, known_on)
        return found

    def _fact(
        self, symbol: Symbol, metric: str, unit: str, period: Period, one: _Filed, year: _Filed
    ) -> list[Fact]:
        span = f"财年 {year.start} 至 {one.end}"
        note = f"{span}；XBRL {one.concept}，{one.row['form']}；公告日 {one.known_on}"
        column = Column("val", metric, unit)
        about = {"symbol": symbol.value, "as_of": one.end, "period": str(period), "note": note}
        made = facts(one.row, (column,), self._body, **about)
        return [fact.model_copy(update={"field": one.concept}) for fact in made]

    def _units(self, concept: str) -> Node:
        """The rows of a concept by unit; none where it is not used."""
        found = self._concepts.get(concept)
        if found is None:
            return {}
        if not isinstance(found, dict):
            raise ChangedError(self._body.provider, self._body.table, f"{concept} is no object")
        return member(cast("Node", found), "units", self._body)
