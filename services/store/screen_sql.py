"""The SQL of screening: the wide table of one market instant, bounds, order, counts, summaries.

Column names come from the closed maps here; values are always parameters. Derived columns use the
very arithmetic of core/formulas.py, in doubles, so the column equals the derived claim's value.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import InputError
from services.core.requests import Bound, ScreenRequest

# Seed field → column of the wide table: spelled alike, a closed list that keeps SQL closed.
COLUMNS: Mapping[str, str] = {field: field for field in SCREEN_FIELDS}
COMPANY = "symbol, market, kind, name, industry, full_name"


class Horizon(NamedTuple):
    """What is known at one instant: facts announced, and bars closed, up to these days."""

    facts: date
    cn: date
    hk: date
    us: date

    @property
    def suffix(self) -> str:
        """What the tables made for this instant are named after."""
        return "_".join(f"{day:%Y%m%d}" for day in self)

    @property
    def wide(self) -> str:
        """The wide table of this instant: one row a company."""
        return f"market.wide_{self.suffix}"

    @property
    def known(self) -> str:
        """The facts the wide table is made of, as the sources said them."""
        return f"market.known_{self.suffix}"


# The newest valuation of each company, annual figures of A shares, and the newest two closes.
_KNOWN = """
CREATE TABLE {known} AS
WITH said AS (
  SELECT f.* EXCLUDE (announced_on)
  FROM market.facts f JOIN market.companies c USING (symbol)
  -- reports of Hong Kong companies are in another currency than their price: not screened
  WHERE announced_on <= $facts AND (source <> 'annual_reports' OR (c.market = 'CN'
    AND metric IN ('net_profit', 'total_liabilities', 'dps') AND period = (
      SELECT max(period) FROM market.facts
      WHERE source = 'annual_reports' AND announced_on <= $facts)))
  QUALIFY row_number() OVER (PARTITION BY source, symbol, metric ORDER BY as_of DESC) = 1
), sessions AS (
  SELECT b.symbol, b.date, b.close, b.raw_close, b.unit, b.note,
    lead(b.date) OVER backwards AS before_day, row_number() OVER backwards AS age
  FROM market.bars b JOIN market.companies c USING (symbol)
  WHERE b.date <= CASE c.market WHEN 'CN' THEN $cn WHEN 'HK' THEN $hk ELSE $us END
  WINDOW backwards AS (PARTITION BY b.symbol ORDER BY b.date DESC)
), broken AS (
  -- a move over sessions the source lost is not one day's move
  SELECT s.symbol FROM sessions s JOIN market.gaps g USING (symbol)
  WHERE age = 1 AND g.kind <> 'suspension' AND g.start > s.before_day AND g."end" < s.date
)
SELECT source, "table", symbol, metric, value, unit, as_of, period, field, raw, note FROM said
UNION ALL
SELECT $bar_source, $bar_table, symbol, 'close', close, unit, date, NULL, 'close', raw_close, note
FROM sessions WHERE age = 1 OR (age = 2 AND symbol NOT IN (SELECT symbol FROM broken))
ORDER BY symbol, source, "table", metric, as_of
"""
# Figures that columns are made of, beside those screened by.
_WORKINGS = ("total_shares", "ps_ttm", "net_profit", "total_liabilities", "dps")
# Screening field → its column, where that is not what the source gave of the figure itself.
_EXPRESSIONS: Mapping[str, str] = {
    "pct": "(v.last_close / nullif(v.previous_close, 0) - 1) * 100",
    "roediluted": "CASE WHEN c.market = 'CN' THEN v.pb / nullif(v.pe_lyr, 0) * 100 END",
    "netprofit": "CASE WHEN c.market = 'CN' THEN "
    "coalesce(v.net_profit, v.market_cap / nullif(v.pe_lyr, 0)) END",
    "total_revenue": "CASE WHEN c.market = 'CN' THEN v.market_cap / nullif(v.ps_ttm, 0) END",
    "dy_l": "v.dps / nullif(v.market_cap / nullif(v.total_shares, 0), 0) * 100",
}


def select_columns(expressions: Mapping[str, str]) -> str:
    """The column of every screening field in a wide table: its expression, or the figure given."""
    made = {field: expressions.get(field, f"v.{metric}") for field, metric in SCREEN_FIELDS.items()}
    return ", ".join(f"{sql} AS {field}" for field, sql in made.items())


def select_given(workings: Sequence[str]) -> str:
    """What a source gave of every figure screened by, and of these others, one column each."""
    metrics = dict.fromkeys((*SCREEN_FIELDS.values(), *workings))
    return ", ".join(f"max(value) FILTER (metric = '{one}') AS {one}" for one in metrics)


_WIDE = f"""
CREATE TABLE {{wide}} AS
WITH valued AS (
  SELECT symbol, {select_given(_WORKINGS)},
    arg_max(value, as_of) FILTER (metric = 'close') AS last_close,
    CASE WHEN count(*) FILTER (metric = 'close') = 2
      THEN arg_min(value, as_of) FILTER (metric = 'close') END AS previous_close,
    max(as_of) FILTER (metric = 'market_cap') AS valued_on,
    max(as_of) FILTER (metric = 'close') AS moved_on
  FROM {{known}} GROUP BY symbol
)
SELECT c.symbol, c.market, c.kind, c.name, c.industry, c.full_name, c.listing, v.valued_on,
  v.moved_on,
  -- what the company is worth wherever it is listed: it orders those that are not valued here
  max(v.market_cap) OVER (
    PARTITION BY coalesce(replace(c.full_name, '-H股', ''), c.symbol)) AS elsewhere,
  {select_columns(_EXPRESSIONS)}
FROM market.companies c LEFT JOIN valued v USING (symbol)
WHERE c.kind = 'stock'
ORDER BY c.market, c.symbol
"""  # noqa: S608 — names of the catalogue


def list_statements(
    horizon: Horizon, bar_source: str, bar_table: str
) -> tuple["ScreenSelect", ...]:
    """The statements that make the two tables of an instant, in order."""
    index = f"CREATE INDEX known_{horizon.suffix}_symbol ON {horizon.known} (symbol)"
    values: dict[str, object] = {**horizon._asdict(), "bar_source": bar_source}
    values["bar_table"] = bar_table
    return (
        ScreenSelect(_KNOWN.format(known=horizon.known), values),
        ScreenSelect(index, None),
        ScreenSelect(_WIDE.format(known=horizon.known, wide=horizon.wide), None),
    )


class ScreenSelect(NamedTuple):
    """A statement and its parameters."""

    sql: str
    values: list[object] | dict[str, object] | None


def scope(request: ScreenRequest, table: str) -> ScreenSelect:
    """One row: companies asked about, newest valuation day, then how many have each of COLUMNS."""
    where = _scope(request)
    judged = ", ".join(f"count({name})" for name in COLUMNS.values())
    sql = f"SELECT count(*), max(valued_on), {judged} FROM {table} WHERE {where.sql}"  # noqa: S608 — closed names
    return ScreenSelect(sql, where.values)


def matches(request: ScreenRequest, table: str) -> ScreenSelect:
    """One row: how many satisfy every bound."""
    where = _where(request)
    return ScreenSelect(f"SELECT count(*) FROM {table} WHERE {where.sql}", where.values)  # noqa: S608 — closed names


def page(request: ScreenRequest, table: str) -> ScreenSelect:
    """The companies of the page, ordered, each with the number of matches.

    Missing values last, ties by symbol.
    """
    where = _where(request)
    direction = "ASC" if request.order == "asc" else "DESC"
    by_symbol = request.order_by == "symbol"
    order = f"symbol {direction}" if by_symbol else _order_by(request.order_by, direction)
    sql = (
        f"SELECT {COMPANY}, count(*) OVER () FROM {table} WHERE {where.sql} "  # noqa: S608 — closed names
        f"ORDER BY {order} LIMIT ? OFFSET ?"
    )
    return ScreenSelect(sql, [*where.values, request.size, request.offset])


def facts(symbols: Sequence[str], table: str) -> ScreenSelect:
    """What is known of these symbols. Spelled as a list: a subquery would not use the index."""
    places = ", ".join("?" * len(symbols))
    sql = f"SELECT * FROM {table} WHERE symbol IN ({places})"  # noqa: S608 — closed names
    return ScreenSelect(sql, list(symbols))


def column(field: str) -> str:
    """The column of a seed field. Raises: InputError naming the fields there are."""
    try:
        return COLUMNS[field]
    except KeyError:
        raise InputError("field", field, "one of " + ", ".join(COLUMNS)) from None


def list_judged_fields(request: ScreenRequest) -> tuple[str, ...]:
    """Every field that a bound or the order looks at, once."""
    named = [bound.field for bound in request.bounds]
    if request.order_by != "symbol":
        named.append(request.order_by)
    return tuple(dict.fromkeys(named))


def _limits(bound: Bound) -> tuple[tuple[str, float | None], ...]:
    return ((">", bound.above), (">=", bound.at_least), ("<", bound.below))


class _Clause(NamedTuple):
    """Part of a WHERE clause and its parameters."""

    sql: str
    values: list[object]


def _where(request: ScreenRequest) -> _Clause:
    where = _scope(request)
    parts, values = [where.sql], list(where.values)
    for bound in request.bounds:
        for sign, value in _limits(bound):
            if value is not None:
                parts.append(f"{column(bound.field)} {sign} ?::DOUBLE")
                values.append(value)
    return _Clause(" AND ".join(parts), values)


def _scope(request: ScreenRequest) -> _Clause:
    companies = "market = ? AND listing IS NULL"
    if request.industry is None:
        return _Clause(companies, [request.market])
    return _Clause(f"{companies} AND industry = ?", [request.market, request.industry])


def _order_by(field: str, direction: str) -> str:
    return f"{column(field)} {direction} NULLS LAST, symbol ASC"


def members(table: str, columns: Sequence[str]) -> str:
    """Every listing of a market with those columns, the largest first; `elsewhere` is what the same
    company is worth on another market, which decides where it is not valued on this one.
    """
    chosen = "".join(f", {column(name)}" for name in columns)
    return (
        f"SELECT symbol, name, industry, listing, moved_on{chosen} FROM {table} WHERE market = ? "  # noqa: S608 — closed names
        "ORDER BY coalesce(market_cap, elsewhere) DESC NULLS LAST, symbol"
    )


class MemberRows(NamedTuple):
    """The columns of `members`, each as long as `symbols`; see core/members.py.

    `moved_on` is the day of each one's change.
    """

    symbols: tuple[str, ...]
    names: tuple[str, ...]
    industries: tuple[str | None, ...]
    listings: tuple[str | None, ...]
    moved_on: tuple[date | None, ...]
    columns: dict[str, tuple[float | None, ...]]


def member_rows(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> MemberRows:
    """The answer to `members`, column by column."""
    turned = [tuple(column) for column in zip(*rows, strict=True)]
    given = turned or [()] * (5 + len(columns))
    symbols, names, industries, listings, moved_on, *values = given
    spoken = tuple(name or symbol for name, symbol in zip(names, symbols, strict=True))
    found = dict(zip(columns, values, strict=True))
    return MemberRows(symbols, spoken, industries, listings, moved_on, found)


REPORTS = """
SELECT source, "table", symbol, metric, value, unit, as_of, period, field, raw, note
FROM market.facts
WHERE symbol = $symbol AND source = 'annual_reports' AND announced_on <= $facts
ORDER BY period, metric
"""
OF_PERIODS = """
SELECT source, "table", symbol, metric, value, unit, as_of, period, field, raw, note
FROM market.facts
WHERE symbol IN (SELECT unnest($symbols::VARCHAR[])) AND source = 'annual_reports'
  AND period IN (SELECT unnest($periods::VARCHAR[])) AND announced_on <= $facts
ORDER BY symbol, period, metric
"""
REPORTED = """
SELECT symbol, metric, value, unit, period FROM market.facts
WHERE source = 'annual_reports' AND announced_on <= $facts
"""
