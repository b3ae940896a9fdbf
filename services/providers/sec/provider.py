"""SEC EDGAR: what companies of New York reported for a year, official and without a key.

Frames are one concept of one calendar year over all filers in US dollars; EDGAR puts a fiscal year
into the year it most overlaps. Who files under IFRS, or in another currency, is in none. Of one
company `companyfacts` has all years. Who asks must say how to reach them (SEC_CONTACT).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    DeniedError,
    InputError,
    NoDataError,
    NotCoveredError,
)
from services.core.periods import Period
from services.core.requests import FetchRequest, FinancialsRequest, ReportsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body, Target
from services.providers.joining import join_bodies
from services.providers.provider_context import Kit
from services.providers.reading import Column, Node, day, facts, json_of, once, rows_of
from services.providers.sec.companyfacts import (
    EQUITY,
    LIABILITIES,
    NET_PROFIT,
    REVENUE,
    CompanyFacts,
)

NAME = "sec"
# The list of tickers and a frame of every filer weigh some megabytes.
_LARGEST = 40_000_000
_COLUMNS = ("cik", "end", "val", "accn")
# Of several concepts of one figure the first that a company gives is taken.
_YEARLY: Mapping[str, tuple[str, ...]] = {
    "net_profit": NET_PROFIT,
    "revenue": REVENUE[:2],
}
_AT_THE_END: Mapping[str, tuple[str, ...]] = {
    "equity": EQUITY,
    "total_liabilities": LIABILITIES,
}
_QUARTERS = (1, 2, 3, 4)


class _Reported(NamedTuple):
    """One row of a frame, and the concept it is of."""

    row: Node
    concept: str


class SecProvider:
    """Annual figures: of the whole American market in US dollars, of a company in its own money."""

    name = NAME
    capabilities = frozenset({"market_reports", "financials"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """Fiscal years of New York: a frame of a quarter lacks the last, which is in no 10-Q."""
        if isinstance(request, FinancialsRequest):
            symbol = Symbol.parse(request.symbol)
            periods = [Period.parse(text) for text in request.periods]
            years = not periods or any(period.quarter == 4 for period in periods)
            return symbol.market == "US" and not symbol.is_index and years
        if not isinstance(request, ReportsRequest) or request.market != "US":
            return False
        return Period.parse(request.period).quarter == 4

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch: fiscal years of a company, or figures of one year by symbol. The day
        of a filing is in no frame: those figures are known from the day of the fetch.

        Raises: NoDataError (that year has not been reported), ProviderError.
        """
        if isinstance(request, FinancialsRequest):
            return self._company(request)
        if not isinstance(request, ReportsRequest):
            raise NotCoveredError(NAME, request.capability, "does not answer this")
        period = Period.parse(request.period)
        tickers, listed = self._tickers()
        bodies = [listed]
        yearly = {
            metric: self._first(names, f"CY{period.year}", bodies)
            for metric, names in _YEARLY.items()
        }
        ends = {cik: one.row["end"] for cik, one in yearly["net_profit"].items()}
        at_end = {
            metric: self._at_end(names, period.year, ends, bodies)
            for metric, names in _AT_THE_END.items()
        }
        whole = join_bodies(bodies, "frames")
        found: list[Fact] = []
        for metric, by_company in (yearly | at_end).items():
            for cik, one in by_company.items():
                if one.row["end"] == ends.get(cik, one.row["end"]):
                    for symbol in tickers.get(cik, ()):
                        found += self._fact(symbol, metric, one, period, whole)
        if not found and any(yearly.values()):
            raise ChangedError(NAME, whole.table, "no row has a figure")
        if not found:
            raise NoDataError(
                f"market_reports {period}",
                Text(
                    "SEC 还没有这一年的年报数字", "the SEC has no annual figures of that year yet"
                ),
            )
        found.sort(key=lambda fact: fact.symbol)
        stamp = (whole.fetched_at, whole.sha256)
        return (Fetched(NAME, whole.table, once(found, whole), *stamp),)

    def _company(self, request: FinancialsRequest) -> tuple[Fetched, ...]:
        symbol = Symbol.parse(request.symbol)
        tickers, listed = self._tickers()
        filer = next((cik for cik, names in tickers.items() if symbol.value in names), None)
        if filer is None:
            raise NotCoveredError(NAME, "company_tickers", f"{symbol} is no ticker of a filer")
        path = f"/api/xbrl/companyfacts/CIK{filer:010d}.json"
        body = self._get("SEC_DATA_URL", "companyfacts", path)
        if body.status == 404:
            raise NotCoveredError(NAME, "companyfacts", f"{symbol} has filed no figures")
        document = CompanyFacts(json_of(body), body, self._kit.clock.now())
        rows = document.figures(symbol, frozenset(map(Period.parse, request.periods)))
        if not rows:
            why = Text(
                "SEC 没有它这些财年的年报数字（us-gaap）",
                "the SEC has no annual figures (us-gaap) of these fiscal years",
            )
            raise NoDataError(f"financials {symbol}", why)
        whole = join_bodies([listed, body], "companyfacts")
        return (Fetched(NAME, whole.table, rows, whole.fetched_at, whole.sha256),)

    def _fact(
        self, symbol: str, metric: str, one: _Reported, period: Period, body: Body
    ) -> list[Fact]:
        on = day(one.row["end"], body, "end")
        if on > self._kit.clock.now().astimezone(BEIJING).date():
            raise ChangedError(NAME, body.table, f"gives a year that ends on {on}")
        began = one.row.get("start")
        note = f"财年 {began or '—'} 至 {on}；XBRL {one.concept}，以最近一次申报为准"
        column = Column("val", metric, "USD")
        return [
            fact.model_copy(update={"field": one.concept})
            for fact in facts(
                one.row, (column,), body, symbol=symbol, as_of=on, period=str(period), note=note
            )
        ]

    def _first(
        self, concepts: tuple[str, ...], frame: str, bodies: list[Body]
    ) -> dict[int, _Reported]:
        """By company the first of these concepts that it reported in that frame."""
        found: dict[int, _Reported] = {}
        for concept in concepts:
            for row in self._frame(concept, frame, bodies):
                found.setdefault(row["cik"], _Reported(row, concept))
        return found

    def _at_end(
        self,
        concepts: tuple[str, ...],
        year: int,
        ends: Mapping[int, str],
        bodies: list[Body],
    ) -> dict[int, _Reported]:
        """By company what stood on the day its fiscal year ended: in one of four quarters' frames,
        or the first of the next year.
        """
        found: dict[int, _Reported] = {}
        frames = [f"CY{year}Q{quarter}I" for quarter in _QUARTERS] + [f"CY{year + 1}Q1I"]
        for concept in concepts:
            for frame in frames:
                for row in self._frame(concept, frame, bodies):
                    if row["end"] == ends.get(row["cik"]):
                        found.setdefault(row["cik"], _Reported(row, concept))
        return found

    def _frame(self, concept: str, frame: str, bodies: list[Body]) -> list[Node]:
        """The rows of one frame; none where EDGAR has no such frame (yet)."""
        path = f"/api/xbrl/frames/us-gaap/{concept}/USD/{frame}.json"
        body = self._get("SEC_DATA_URL", f"frames/{concept}/{frame}", path)
        if body.status == 404:
            return []
        bodies.append(body)
        rows = rows_of(json_of(body), "data", body, _COLUMNS)
        for row in rows:
            if isinstance(row["cik"], bool) or not isinstance(row["cik"], int):
                raise ChangedError(NAME, body.table, "a cik is no number")
        return rows

    def _tickers(self) -> tuple[dict[int, list[str]], Body]:
        """The symbols of each filer, and the body that says so."""
        table = "company_tickers"
        body = self._get("SEC_WEB_URL", table, "/files/company_tickers.json")
        document: Any = json_of(body)
        # The rows are the values of one object: what else may stand there has no ticker.
        values = list(document.values()) if isinstance(document, dict) else []
        rows = [row for row in values if isinstance(row, dict) and "ticker" in row]
        found: dict[int, list[str]] = {}
        for row in rows_of(rows, "", body, ("cik_str", "ticker")):
            try:
                symbol = Symbol.parse(str(row["ticker"]))
            except InputError:
                continue
            if symbol.market == "US" and not symbol.is_index:
                found.setdefault(row["cik_str"], []).append(symbol.value)
        if not found:
            raise ChangedError(NAME, table, "lists no ticker")
        return found, body

    def _get(self, base: str, table: str, path: str) -> Body:
        contact = self._kit.settings.sec_contact
        if not contact:
            raise DeniedError(
                NAME, table, "asks who is asking: set SEC_CONTACT to name and address"
            )
        headers = {"User-Agent": contact, "Accept": "application/json"}
        target = Target(
            NAME,
            table,
            self._kit.settings.urls[base],
            headers,
            accepts=frozenset({200, 404}),
            largest=_LARGEST,
        )
        return self._kit.http.get(target, path)
