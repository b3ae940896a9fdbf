"""The bundled market in DuckDB: loaded once a snapshot, read by symbol, screened in a wide table.

Everything it gives back was known at a `Horizon`; nothing announced later is in it.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from sys import intern
from typing import Any, Literal, NamedTuple

import duckdb

from services.core.catalogue import CATALOGUE
from services.core.names import NameRow
from services.core.requests import ScreenRequest
from services.core.trace import Fact, SessionGap
from services.store import points, screen_sql
from services.store.copy_rows import fact_of
from services.store.database import Database
from services.store.market_load import load_market
from services.store.screen_sql import Horizon
from services.store.snapshot import Manifest, read_manifest

_BAR_METRICS = ("open", "high", "low", "close", "volume")


# What is not valued here counts by what it is worth on another market: see screen_sql.members.
_NAMES = """
WITH valued AS (
  SELECT symbol, max(value) AS worth FROM market.facts WHERE metric = 'market_cap' GROUP BY symbol
)
SELECT symbol, name, market, kind, industry, old_names, pinyin, initials, full_name, english_name
FROM market.companies c LEFT JOIN valued v USING (symbol)
ORDER BY coalesce(v.worth, max(v.worth) OVER (
  PARTITION BY coalesce(replace(c.full_name, '-H股', ''), c.symbol))) DESC NULLS LAST, symbol
"""


class ListedCompany(NamedTuple):
    """What a symbol is: market CN | HK | US, kind stock | index, labels (None: not given)."""

    symbol: str
    market: str
    kind: str
    name: str
    industry: str | None
    full_name: str | None

    @property
    def labels(self) -> dict[str, str]:
        """The text columns that are given."""
        given = {"name": self.name, "industry": self.industry, "full_name": self.full_name}
        return {key: text for key, text in given.items() if text}


class TableFact(NamedTuple):
    """A fact and the source table it is from."""

    source: str
    table: str
    fact: Fact


class Known(NamedTuple):
    """A company and the facts known of it."""

    company: ListedCompany
    facts: tuple[TableFact, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The companies a screen asks about: how many, valued when, and how many have each field."""

    companies: int
    valued_on: date | None
    judged: dict[str, int]


@dataclass(frozen=True, slots=True)
class Screened:
    """A page of a screen: its companies in order, and counts; `valued_on` None: nothing is valued.

    `judged` tells, per bounded or ordering field, how many companies have a value.
    """

    known: tuple[Known, ...]
    companies: int
    matches: int
    valued_on: date | None
    judged: dict[str, int]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of the page, in order."""
        return tuple(item.company.symbol for item in self.known)


class MarketTables:
    """The market tables of one snapshot folder. Safe to share between threads."""

    def __init__(self, database: Database, folder: Path) -> None:
        """Load the snapshot unless this very one is loaded already.

        Raises: StoreError naming the part that is missing, changed or not in the format.
        """
        self._database = database
        self._lock = threading.Lock()
        self._made: set[Horizon] = set()
        self._scopes: dict[tuple[Horizon, str, str | None], Scope] = {}
        self._industries: dict[str, tuple[str, ...]] = {}
        self._horizons: dict[tuple[date, date, date, date], Horizon] = {}
        self.manifest: Manifest = read_manifest(folder)
        load_market(database, folder)

    def names(self) -> list[NameRow]:
        """Every symbol of the snapshot with all it may be called, the largest first."""
        with self._database.cursor() as cursor:
            cursor.execute(_NAMES)
            # Some at a time: all of them twice is more memory than everything else takes.
            chunks = iter(partial(cursor.fetchmany, 1_000), [])
            return [_name_row(row) for chunk in chunks for row in chunk]

    def labels(self) -> dict[str, frozenset[str]]:
        """The industries of each market, by market."""
        rows = self._rows(
            "SELECT market, list(DISTINCT industry) FROM market.companies "
            "WHERE industry <> '' GROUP BY market"
        )
        return {row[0]: frozenset(row[1]) for row in rows}

    def companies(self, symbols: Sequence[str]) -> dict[str, ListedCompany]:
        """What these symbols are; an unknown one is absent."""
        rows = self._rows(
            f"SELECT {screen_sql.COMPANY} FROM market.companies "  # noqa: S608 — closed names
            "WHERE symbol IN (SELECT unnest(?::VARCHAR[]))",
            [list(symbols)],
        )
        return {row[0]: ListedCompany(*row) for row in rows}

    def industries(self, market: str) -> tuple[str, ...]:
        """The industries companies of that market are in, by name; of a frozen snapshot those there
        were, though not every company is in it.
        """
        if self.manifest.scope is not None and self.manifest.scope.industries:
            return self.manifest.scope.industries.get(market, ())
        known = self._industries.get(market)
        if known is None:
            rows = self._rows(
                "SELECT DISTINCT industry FROM market.companies "
                "WHERE market = ? AND kind = 'stock' AND listing IS NULL AND industry IS NOT NULL "
                "ORDER BY industry",
                [market],
            )
            known = self._industries[market] = tuple(row[0] for row in rows)
        return known

    def horizon(self, facts: date, cn: date, hk: date, us: date) -> Horizon:
        """The newest days the snapshot has up to the given ones: equal for equal knowledge."""
        asked = (facts, cn, hk, us)
        known = self._horizons.get(asked)
        if known is None:
            known = self._horizons[asked] = self._newest(facts, cn, hk, us)
        return known

    def _newest(self, facts: date, cn: date, hk: date, us: date) -> Horizon:
        (row,) = self._rows(
            """SELECT (SELECT max(announced_on) FROM market.facts WHERE announced_on <= $facts),
                max(date) FILTER (market = 'CN' AND date <= $cn),
                max(date) FILTER (market = 'HK' AND date <= $hk),
                max(date) FILTER (market = 'US' AND date <= $us)
            FROM market.bars JOIN market.companies USING (symbol)""",
            {"facts": facts, "cn": cn, "hk": hk, "us": us},
        )
        return Horizon(row[0] or facts, row[1] or cn, row[2] or hk, row[3] or us)

    def screen(self, request: ScreenRequest, horizon: Horizon) -> Screened:
        """The page of companies that satisfy every bound, and the counts. Missing never passes."""
        self._make(horizon)
        scope = self._scope(request, horizon)
        paged = screen_sql.page(request, horizon.wide)
        with self._database.cursor() as cursor:
            rows = cursor.execute(paged.sql, paged.values).fetchall()
            if rows:
                matches = rows[0][-1]
            else:  # past the last page, or nothing matches
                counted = screen_sql.matches(request, horizon.wide)
                matches = cursor.execute(counted.sql, counted.values).fetchall()[0][0]
            known = self._with_facts(cursor, [ListedCompany(*row[:-1]) for row in rows], horizon)
        judged = {name: scope.judged[name] for name in screen_sql.list_judged_fields(request)}
        return Screened(tuple(known), scope.companies, matches, scope.valued_on, judged)

    def _scope(self, request: ScreenRequest, horizon: Horizon) -> Scope:
        """The counts that no bound changes; asked once a market or industry."""
        key = (horizon, request.market, request.industry)
        found = self._scopes.get(key)
        if found is None:
            query = screen_sql.scope(request, horizon.wide)
            (row,) = self._rows(query.sql, query.values)
            judged = dict(zip(screen_sql.COLUMNS, row[2:], strict=True))
            found = Scope(row[0], row[1], judged)
            if found.companies:  # an industry nobody has is not worth remembering
                self._scopes[key] = found
        return found

    def _with_facts(
        self,
        cursor: duckdb.DuckDBPyConnection,
        companies: Sequence[ListedCompany],
        horizon: Horizon,
    ) -> list[Known]:
        if not companies:
            return []
        query = screen_sql.facts([company.symbol for company in companies], horizon.known)
        facts: dict[str, list[TableFact]] = {}
        for row in cursor.execute(query.sql, query.values).fetchall():
            facts.setdefault(row[2], []).append(_table_fact(row))
        return [Known(company, tuple(facts.get(company.symbol, ()))) for company in companies]

    def members(
        self, market: str, columns: Sequence[str], horizon: Horizon
    ) -> screen_sql.MemberRows:
        """Every listing of the market with those screening fields, the largest first."""
        self._make(horizon)
        return screen_sql.member_rows(
            self._rows(screen_sql.members(horizon.wide, columns), [market]), columns
        )

    def points(
        self, market: str, columns: Sequence[str], horizon: Horizon
    ) -> screen_sql.MemberRows:
        """Every listing of the market with those figures (points.py). Raises: InputError."""
        self._make(horizon)
        tables = points.Tables(
            horizon.wide, horizon.known, screen_sql.REPORTED, {"facts": horizon.facts}
        )
        query = points.columns_query(tables, market, columns)
        return points.column_rows(self._rows(query.sql, query.values), columns)

    def of_periods(
        self, symbols: Sequence[str], periods: Sequence[str], horizon: Horizon
    ) -> list[TableFact]:
        """What the annual reports of these companies say of these periods."""
        values: dict[str, object] = {"symbols": list(symbols), "periods": list(periods)}
        values["facts"] = horizon.facts
        return self._facts(screen_sql.OF_PERIODS, values)

    def valued_on(self, market: Literal["CN", "HK", "US"], horizon: Horizon) -> date | None:
        """The newest day its companies are valued on; None where none is."""
        self._make(horizon)
        return self._scope(ScreenRequest(market=market), horizon).valued_on

    def peers(self, company: ListedCompany, size: int | None, horizon: Horizon) -> tuple[str, ...]:
        """The companies of its industry by market value, or the `size` largest and itself."""
        self._make(horizon)
        rows = self._rows(
            f"SELECT symbol FROM {horizon.wide} WHERE market = ? AND industry = ? "  # noqa: S608 — a name made from dates
            "AND (listing IS NULL OR symbol = ?) ORDER BY market_cap DESC NULLS LAST, symbol",
            [company.market, company.industry, company.symbol],
        )
        ordered = [row[0] for row in rows]
        largest = ordered if size is None else ordered[:size]
        return (*largest, *(() if company.symbol in largest else (company.symbol,)))

    def known(self, symbols: Sequence[str], horizon: Horizon) -> list[Known]:
        """What is known of these companies, in the order given; an unknown symbol is absent.

        Facts: the newest valuation, for A shares the newest annual net profit, total liabilities
        and dividend, and the newest close with the one before it (absent when the source lost or
        dropped sessions in between).
        """
        self._make(horizon)
        companies = self.companies(symbols)
        ordered = [companies[symbol] for symbol in symbols if symbol in companies]
        with self._database.cursor() as cursor:
            return self._with_facts(cursor, ordered, horizon)

    def reports(self, symbol: str, horizon: Horizon) -> list[TableFact]:
        """Every annual-report fact of that symbol, oldest period first."""
        return self._facts(screen_sql.REPORTS, {"symbol": symbol, "facts": horizon.facts})

    def bars(self, company: ListedCompany, start: date | None, end: date) -> list[Fact]:
        """Open, high, low, close and volume of each session, oldest first, both days included."""
        rows = self._rows(
            "SELECT date, open, high, low, close, volume, raw_open, raw_high, raw_low, raw_close, "
            "raw_volume, unit, note FROM market.bars "
            "WHERE symbol = ? AND date >= ? AND date <= ? ORDER BY date",
            [company.symbol, start or date.min, end],
        )
        return [
            _bar_fact(company.symbol, row[0], metric, row[1 + i], row[6 + i], row[11], row[12])
            for row in rows
            for i, metric in enumerate(_BAR_METRICS)
            if row[1 + i] is not None
        ]

    def has_bars(self, company: ListedCompany, end: date) -> bool:
        """Whether it has a bar up to that day."""
        sql = "SELECT 1 FROM market.bars WHERE symbol = ? AND date <= ? LIMIT 1"
        return bool(self._rows(sql, [company.symbol, end]))

    def gaps(self, symbol: str, start: date | None, end: date) -> tuple[SessionGap, ...]:
        """The gaps of its bars that touch these days, oldest first."""
        rows = self._rows(
            'SELECT symbol, start, "end", sessions, kind FROM market.gaps '
            'WHERE symbol = ? AND "end" >= ? AND start <= ? ORDER BY start',
            [symbol, start or date.min, end],
        )
        return tuple(
            SessionGap(symbol=row[0], start=row[1], end=row[2], sessions=row[3], kind=row[4])
            for row in rows
        )

    def bar_source(self) -> tuple[str, str]:
        """Source and table of the daily bars."""
        first = self.manifest.part("bars.parquet").sources[0]
        return first.source, first.table

    def _rows(self, sql: str, values: object = None) -> list[tuple[Any, ...]]:
        with self._database.cursor() as cursor:
            return cursor.execute(sql, values).fetchall()

    def _facts(self, sql: str, values: dict[str, object]) -> list[TableFact]:
        return [_table_fact(row) for row in self._rows(sql, values)]

    def _make(self, horizon: Horizon) -> None:
        """Make the tables of that instant, at its first use."""
        with self._lock:
            if horizon in self._made:
                return
            schema, name = horizon.wide.split(".")
            there = self._rows(
                "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?",
                [schema, name],
            )
            if not there:
                with self._database.transaction() as connection:
                    for query in screen_sql.list_statements(horizon, *self.bar_source()):
                        connection.execute(query.sql, query.values)
            self._made.add(horizon)


def _name_row(row: tuple[Any, ...]) -> NameRow:
    return NameRow(
        symbol=row[0],
        name=row[1],
        # The same few thousands of times.
        market=intern(row[2]),
        kind=intern(row[3]),
        industry=intern(row[4]) if row[4] else row[4],
        old_names=_split(row[5]),
        pinyin=_split(row[6]),
        initials=_split(row[7]),
        full_name=row[8],
        english_name=row[9],
    )


def _split(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, text.split("|"))) if text else ()


def _table_fact(row: tuple[Any, ...]) -> TableFact:
    """From source, table, symbol, metric, value, unit, as_of, period, field, raw, note."""
    source, *fact = row
    return TableFact(source, row[1], fact_of(fact))


def _bar_fact(
    symbol: str, day: date, metric: str, value: float, raw: str | None, unit: str, note: str
) -> Fact:
    return Fact(
        symbol=symbol,
        metric=metric,
        metric_code=CATALOGUE.codes.get(metric),
        value=value,
        unit="shares" if metric == "volume" else unit,
        as_of=day,
        field=metric,
        raw=raw,
        note=note,
    )
