"""What the local copy says to a screen, a summary, a look at peers, or a question for bars.

Everything is read through one cursor of `MarketCopy.reading`, so that all of an answer is of the
same state of the copy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import duckdb

from services.core.clock import BEIJING
from services.core.requests import ScreenRequest
from services.core.trace import Fact
from services.store import copy_sql, screen_sql
from services.store import points as point_sql
from services.store.copy_rows import fact_of
from services.store.market_tables import ListedCompany


class Origin(NamedTuple):
    """The fetch that brought a figure."""

    source: str
    table: str
    fetched_at: datetime
    body_sha256: str


class CopiedFact(NamedTuple):
    """A fact and the fetch it is from."""

    fetch_id: str
    fact: Fact


class Copied(NamedTuple):
    """A company and what the copy knows of it."""

    company: ListedCompany
    facts: tuple[CopiedFact, ...]


@dataclass(frozen=True, slots=True)
class CopyScreen:
    """A page of a screen: its companies in order, and counts; `judged` by field of the screen."""

    known: tuple[Copied, ...]
    companies: int
    matches: int
    valued_on: date | None
    judged: Mapping[str, int]


def screen(cursor: duckdb.DuckDBPyConnection, request: ScreenRequest) -> CopyScreen:
    """The page of companies that satisfy every bound, and the counts. Missing never passes."""
    table = copy_sql.wide(request.market)
    query = screen_sql.scope(request, table)
    (scope,) = cursor.execute(query.sql, query.values).fetchall()
    paged = screen_sql.page(request, table)
    rows = cursor.execute(paged.sql, paged.values).fetchall()
    if rows:
        matches = rows[0][-1]
    else:  # past the last page, or nothing matches
        counted = screen_sql.matches(request, table)
        matches = cursor.execute(counted.sql, counted.values).fetchall()[0][0]
    known = find_known(cursor, [ListedCompany(*row[:-1]) for row in rows])
    counts = dict(zip(screen_sql.COLUMNS, scope[2:], strict=True))
    judged = {name: counts[name] for name in screen_sql.list_judged_fields(request)}
    return CopyScreen(tuple(known), scope[0], matches, scope[1], judged)


def members(
    cursor: duckdb.DuckDBPyConnection, market: str, columns: Sequence[str]
) -> screen_sql.MemberRows:
    """Every listing of the market with those screening fields, the largest first."""
    sql = screen_sql.members(copy_sql.wide(market), columns)
    return screen_sql.member_rows(cursor.execute(sql, [market]).fetchall(), columns)


def points(
    cursor: duckdb.DuckDBPyConnection, market: str, columns: Sequence[str], day: date
) -> screen_sql.MemberRows:
    """Every listing of the market with those figures (points.py). Raises: InputError."""
    values: dict[str, object] = {"reported": market, "day": day}
    tables = point_sql.Tables(
        copy_sql.wide(market), copy_sql.select_known(market), copy_sql.REPORTED_FIGURES, values
    )
    query = point_sql.columns_query(tables, market, columns)
    return point_sql.column_rows(cursor.execute(query.sql, query.values).fetchall(), columns)


def of_periods(
    cursor: duckdb.DuckDBPyConnection, symbols: Sequence[str], periods: Sequence[str], day: date
) -> list[CopiedFact]:
    """What the reports of these companies say of these periods."""
    if not symbols or not periods:
        return []
    values = {"symbols": list(symbols), "periods": list(periods), "day": day}
    rows = cursor.execute(copy_sql.OF_PERIODS, values).fetchall()
    return [CopiedFact(row[0], fact_of(row)) for row in rows]


def find_companies(
    cursor: duckdb.DuckDBPyConnection, market: str, symbols: Sequence[str]
) -> list[Copied]:
    """What the copy knows of these companies of that market."""
    if not symbols:
        return []
    where = "symbol IN (SELECT unnest(?::VARCHAR[]))"
    return find_known(cursor, _companies(cursor, market, where, [list(symbols)]))


def find_valuation_day(cursor: duckdb.DuckDBPyConnection, market: str) -> date | None:
    """The newest day its companies are valued on; None where none is."""
    sql = f"SELECT max(valued_on) FROM {copy_sql.wide(market)} WHERE listing IS NULL"  # noqa: S608 — closed names
    return cursor.execute(sql).fetchall()[0][0]


def company(cursor: duckdb.DuckDBPyConnection, market: str, symbol: str) -> ListedCompany | None:
    """What the copy knows under that symbol; None when it is not listed there."""
    found = _companies(cursor, market, "symbol = ?", [symbol])
    return found[0] if found else None


def peers(
    cursor: duckdb.DuckDBPyConnection, about: ListedCompany, size: int | None
) -> list[Copied]:
    """The companies of its industry by market value, or the `size` largest of them and itself."""
    found = _companies(
        cursor,
        about.market,
        "industry = ? AND (listing IS NULL OR symbol = ?)",
        [about.industry, about.symbol],
    )
    chosen = [
        one for place, one in enumerate(found) if size is None or place < size or one == about
    ]
    return find_known(cursor, chosen)


def find_known(
    cursor: duckdb.DuckDBPyConnection, companies: Sequence[ListedCompany]
) -> list[Copied]:
    """What the copy knows of these companies of one market, in the order given."""
    if not companies:
        return []
    table = copy_sql.select_known(companies[0].market)
    query = screen_sql.facts([one.symbol for one in companies], table)
    facts: dict[str, list[CopiedFact]] = {}
    for row in cursor.execute(query.sql, query.values).fetchall():
        facts.setdefault(row[1], []).append(CopiedFact(row[0], fact_of(row)))
    return [Copied(one, tuple(facts.get(one.symbol, ()))) for one in companies]


def bars(
    cursor: duckdb.DuckDBPyConnection, symbol: str, start: date | None, end: date | None
) -> list[CopiedFact]:
    """The bars of these days, oldest first."""
    rows = cursor.execute(
        "SELECT fetch_id, symbol, metric, value, unit, as_of, NULL, field, raw, note "
        "FROM copy.bars WHERE symbol = ? AND as_of >= ? AND as_of <= ? ORDER BY as_of, rowid",
        [symbol, start or date.min, end or date.max],
    ).fetchall()
    return [CopiedFact(row[0], fact_of(row)) for row in rows]


def main_fetch(cursor: duckdb.DuckDBPyConnection, market: str) -> str:
    """The fetch that counts of a market stand on: its list, the main part of it."""
    rows = cursor.execute(
        "SELECT fetch_id FROM copy.parts WHERE task = ? ORDER BY position LIMIT 1",
        [f"{market}:universe"],
    ).fetchall()
    return rows[0][0]


def origins(cursor: duckdb.DuckDBPyConnection, fetch_ids: Sequence[str]) -> Mapping[str, Origin]:
    """The fetches of these names."""
    rows = cursor.execute(
        'SELECT fetch_id, source, "table", fetched_at, body_sha256 FROM copy.parts '
        "WHERE fetch_id IN (SELECT unnest(?::VARCHAR[]))",
        [list(fetch_ids)],
    ).fetchall()
    return {row[0]: Origin(row[1], row[2], row[3].astimezone(BEIJING), row[4]) for row in rows}


def _companies(
    cursor: duckdb.DuckDBPyConnection, market: str, where: str, values: list[Any]
) -> list[ListedCompany]:
    rows = cursor.execute(
        f"SELECT {screen_sql.COMPANY} FROM {copy_sql.wide(market)} WHERE {where} "  # noqa: S608 — closed names
        "ORDER BY market_cap DESC NULLS LAST, symbol",
        values,
    ).fetchall()
    return [ListedCompany(*row) for row in rows]
