"""The SQL of screening: the wide table of one market instant, bounds, order, counts, summaries.

Column names come from the closed maps here; values are always parameters. Derived columns use the
very arithmetic of core/formulas.py, in doubles, so the column equals the derived claim's value.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from services.core.errors import InputError
from services.core.requests import Bound, ScreenRequest

# Seed field → column of the wide table (they are spelled alike; the map is what keeps SQL closed).
COLUMNS: Mapping[str, str] = {
    "pct": "pct",
    "dy_l": "dy_l",
    "pettm": "pettm",
    "pelyr": "pelyr",
    "roediluted": "roediluted",
    "pb": "pb",
    "netprofit": "netprofit",
    "total_revenue": "total_revenue",
    "tl": "tl",
    "market_cap": "market_cap",
}
COMPANY = "symbol, market, kind, name, industry, full_name"
# Summary metric → aggregate over the wide table, and which markets have it.
AGGREGATES: Mapping[str, str] = {
    "company_count": "count(*)",
    "market_cap_sum": "sum(market_cap)",
    "pe_ttm_median": "median(pettm)",
    "pe_lyr_median": "median(pelyr)",
    "pb_median": "median(pb)",
    "loss_count": "count(*) FILTER (WHERE market_cap IS NOT NULL AND pelyr IS NULL)",
}


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
_WIDE = """
CREATE TABLE {wide} AS
WITH valued AS (
  SELECT symbol,
    max(value) FILTER (metric = 'market_cap') AS market_cap,
    max(value) FILTER (metric = 'total_shares') AS total_shares,
    max(value) FILTER (metric = 'pe_ttm') AS pettm,
    max(value) FILTER (metric = 'pe_lyr') AS pelyr,
    max(value) FILTER (metric = 'pb') AS pb,
    max(value) FILTER (metric = 'ps_ttm') AS ps_ttm,
    max(value) FILTER (metric = 'net_profit') AS net_profit,
    max(value) FILTER (metric = 'total_liabilities') AS total_liabilities,
    max(value) FILTER (metric = 'dps') AS dps,
    arg_max(value, as_of) FILTER (metric = 'close') AS last_close,
    CASE WHEN count(*) FILTER (metric = 'close') = 2
      THEN arg_min(value, as_of) FILTER (metric = 'close') END AS previous_close,
    max(as_of) FILTER (metric = 'market_cap') AS valued_on
  FROM {known} GROUP BY symbol
)
SELECT c.symbol, c.market, c.kind, c.name, c.industry, c.full_name, v.market_cap, v.valued_on,
  (v.last_close / nullif(v.previous_close, 0) - 1) * 100 AS pct,
  v.pettm, v.pelyr, v.pb,
  CASE WHEN c.market = 'CN' THEN v.pb / nullif(v.pelyr, 0) * 100 END AS roediluted,
  CASE WHEN c.market = 'CN' THEN
    coalesce(v.net_profit, v.market_cap / nullif(v.pelyr, 0)) END AS netprofit,
  CASE WHEN c.market = 'CN' THEN v.market_cap / nullif(v.ps_ttm, 0) END AS total_revenue,
  v.total_liabilities AS tl,
  v.dps / nullif(v.market_cap / nullif(v.total_shares, 0), 0) * 100 AS dy_l
FROM market.companies c LEFT JOIN valued v USING (symbol)
WHERE c.kind = 'stock'
ORDER BY c.market, c.symbol
"""


def making(horizon: Horizon, bar_source: str, bar_table: str) -> tuple["Query", ...]:
    """The statements that make the two tables of an instant, in order."""
    index = f"CREATE INDEX known_{horizon.suffix}_symbol ON {horizon.known} (symbol)"
    values: dict[str, object] = {**horizon._asdict(), "bar_source": bar_source}
    values["bar_table"] = bar_table
    return (
        Query(_KNOWN.format(known=horizon.known), values),
        Query(index, None),
        Query(_WIDE.format(known=horizon.known, wide=horizon.wide), None),
    )


class Query(NamedTuple):
    """A statement and its parameters."""

    sql: str
    values: list[object] | dict[str, object] | None


def scope(request: ScreenRequest, table: str) -> Query:
    """One row: companies asked about, newest valuation day, then how many have each of COLUMNS."""
    where = _scope(request)
    judged = ", ".join(f"count({name})" for name in COLUMNS.values())
    sql = f"SELECT count(*), max(valued_on), {judged} FROM {table} WHERE {where.sql}"  # noqa: S608 — closed names
    return Query(sql, where.values)


def matches(request: ScreenRequest, table: str) -> Query:
    """One row: how many satisfy every bound."""
    where = _where(request)
    return Query(f"SELECT count(*) FROM {table} WHERE {where.sql}", where.values)  # noqa: S608 — closed names


def page(request: ScreenRequest, table: str) -> Query:
    """The companies of the page, ordered, each with the number of matches.

    Missing values last, ties by symbol.
    """
    where = _where(request)
    direction = "ASC" if request.order == "asc" else "DESC"
    by_symbol = request.order_by == "symbol"
    order = f"symbol {direction}" if by_symbol else _ordering(request.order_by, direction)
    sql = (
        f"SELECT {COMPANY}, count(*) OVER () FROM {table} WHERE {where.sql} "  # noqa: S608 — closed names
        f"ORDER BY {order} LIMIT ? OFFSET ?"
    )
    return Query(sql, [*where.values, request.size, request.offset])


def facts(symbols: Sequence[str], table: str) -> Query:
    """What is known of these symbols. Spelled as a list: a subquery would not use the index."""
    places = ", ".join("?" * len(symbols))
    sql = f"SELECT * FROM {table} WHERE symbol IN ({places})"  # noqa: S608 — closed names
    return Query(sql, list(symbols))


def column(field: str) -> str:
    """The column of a seed field. Raises: InputError naming the fields there are."""
    try:
        return COLUMNS[field]
    except KeyError:
        raise InputError("field", field, "one of " + ", ".join(COLUMNS)) from None


def judged_fields(request: ScreenRequest) -> tuple[str, ...]:
    """Every field that a bound or the order looks at, once."""
    named = [bound.field for bound in request.bounds]
    if request.order_by != "symbol":
        named.append(request.order_by)
    return tuple(dict.fromkeys(named))


def spelled(bounds: Sequence[Bound]) -> str:
    """The bounds as a reader may read them; never executed."""
    parts = [
        f"{bound.field} {sign} {value:.15g}"
        for bound in bounds
        for sign, value in _limits(bound)
        if value is not None
    ]
    return f"count(*) FILTER (WHERE {' AND '.join(parts)})" if parts else "count(*)"


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
    if request.industry is None:
        return _Clause("market = ?", [request.market])
    return _Clause("market = ? AND industry = ?", [request.market, request.industry])


def _ordering(field: str, direction: str) -> str:
    return f"{column(field)} {direction} NULLS LAST, symbol ASC"


def summary(table: str, aggregates: Mapping[str, str] = AGGREGATES) -> str:
    """A row for the market and one an industry: industry, is-whole, newest day, the aggregates."""
    figures = ", ".join(aggregates.values())
    return (
        f"SELECT industry, grouping(industry) = 1 AS whole, max(valued_on), {figures} "  # noqa: S608 — closed names
        f"FROM {table} WHERE market = ? GROUP BY GROUPING SETS ((), (industry)) "
        "ORDER BY whole DESC, sum(market_cap) DESC NULLS LAST, industry"
    )


REPORTS = """
SELECT source, "table", symbol, metric, value, unit, as_of, period, field, raw, note
FROM market.facts
WHERE symbol = $symbol AND source = 'annual_reports' AND announced_on <= $facts
ORDER BY period, metric
"""
