"""The SQL of the local copy of whole markets: its tables, and the wide table a screen looks at.

Screening, counting and summing are those of screen_sql.py over the table made here.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from services.store.listings import select_listing_case
from services.store.screen_sql import ScreenSelect, select_columns, select_given

# Raised when a table changes its columns: a copy of another layout is let go and pulled anew.
LAYOUT = 4
SCHEMA = (
    "DROP SCHEMA IF EXISTS copy CASCADE",
    "CREATE SCHEMA copy",
    f"CREATE TABLE copy.layout AS SELECT {LAYOUT} AS version",
    # What was pulled: `good_until` is when it goes out of date, `first` and `through` its days.
    """CREATE TABLE copy.tasks (
        task VARCHAR NOT NULL, market VARCHAR NOT NULL, kind VARCHAR NOT NULL,
        subject VARCHAR NOT NULL, state VARCHAR NOT NULL, done_at TIMESTAMPTZ NOT NULL,
        good_until TIMESTAMPTZ NOT NULL, first DATE, through DATE)""",
    # Every fetch that rows of the copy are from.
    """CREATE TABLE copy.parts (
        fetch_id VARCHAR NOT NULL, task VARCHAR NOT NULL, position INTEGER NOT NULL,
        provider VARCHAR NOT NULL, source VARCHAR NOT NULL, "table" VARCHAR NOT NULL,
        fetched_at TIMESTAMPTZ NOT NULL, body_sha256 VARCHAR NOT NULL, "rows" BIGINT NOT NULL)""",
    """CREATE TABLE copy.companies (
        task VARCHAR NOT NULL, market VARCHAR NOT NULL, kind VARCHAR NOT NULL,
        symbol VARCHAR NOT NULL, name VARCHAR, industry VARCHAR, full_name VARCHAR,
        pinyin VARCHAR, initials VARCHAR)""",
    """CREATE TABLE copy.facts (
        task VARCHAR NOT NULL, market VARCHAR NOT NULL, kind VARCHAR NOT NULL,
        fetch_id VARCHAR NOT NULL, symbol VARCHAR NOT NULL, metric VARCHAR NOT NULL,
        value DOUBLE NOT NULL, unit VARCHAR NOT NULL, as_of DATE NOT NULL, period VARCHAR,
        field VARCHAR NOT NULL, raw VARCHAR, note VARCHAR, announced_on DATE NOT NULL)""",
    """CREATE TABLE copy.bars (
        fetch_id VARCHAR NOT NULL, symbol VARCHAR NOT NULL, metric VARCHAR NOT NULL,
        value DOUBLE NOT NULL, unit VARCHAR NOT NULL, as_of DATE NOT NULL, field VARCHAR NOT NULL,
        raw VARCHAR, note VARCHAR)""",
)
# Columns of a fact as it is read back, after the fetch it is from.
FACT = "symbol, metric, value, unit, as_of, period, field, raw, note"
# What a company's annual report says of it; a list of prices never says it better.
_ANNUAL = (
    *("net_profit", "revenue", "total_revenue", "total_liabilities", "equity", "roe", "dps", "eps"),
)
_REPORTED = ", ".join(f"'{metric}'" for metric in _ANNUAL)
# The newest prices and multiples, and of a mainland company the newest annual report it has
# published, unless that is older than the one every company must have published by now.
_KNOWN = f"""
CREATE OR REPLACE TABLE {{known}} AS
WITH annual AS (
  SELECT fetch_id, {FACT} FROM copy.facts
  WHERE market = $market AND kind = 'reports' AND announced_on <= $day
    AND metric IN ({_REPORTED}) AND period LIKE '%\\_Q4' ESCAPE '\\' AND period >= $oldest
  QUALIFY period = max(period) OVER (PARTITION BY symbol)
)
SELECT fetch_id, {FACT} FROM copy.facts ANTI JOIN annual USING (symbol, metric)
WHERE market = $market AND kind = 'universe'
UNION ALL SELECT fetch_id, {FACT} FROM annual
ORDER BY symbol, fetch_id, metric, as_of
"""  # noqa: S608 — closed names
_WORKINGS = ("total_shares", "ps_ttm", "total_revenue", "dps", "current_price", "close", "equity")
# As in screen_sql.py: a derived column is the arithmetic of a formula in core/formulas.py.
_EXPRESSIONS: Mapping[str, str] = {
    "roediluted": "coalesce(v.roe, v.pb / nullif(v.pe_lyr, 0) * 100, "
    "CASE WHEN v.equity > 0 THEN v.net_profit / v.equity * 100 END)",
    "netprofit": "coalesce(v.net_profit, v.market_cap / nullif(v.pe_lyr, 0))",
    "total_revenue": "coalesce(v.revenue, v.total_revenue, v.market_cap / nullif(v.ps_ttm, 0))",
    "dy_l": "coalesce(v.dy_l, v.dps / coalesce(v.close, CASE WHEN v.current_price IS NULL "
    "THEN v.market_cap / nullif(v.total_shares, 0) END) * 100)",
}
_WIDE = f"""
CREATE OR REPLACE TABLE {{wide}} AS
WITH valued AS (
  SELECT symbol, {select_given(_WORKINGS)},
    max(as_of) FILTER (metric = 'market_cap') AS valued_on,
    max(as_of) FILTER (metric = 'pct_change') AS moved_on
  FROM {{known}} GROUP BY symbol
), reported AS (
  SELECT symbol, arg_max(industry, task) AS industry FROM copy.companies
  WHERE market = $market AND kind = 'reports' GROUP BY symbol
)
SELECT c.symbol, c.market, 'stock' AS kind, c.name, coalesce(c.industry, r.industry) AS industry,
  c.full_name, {{listing}} AS listing, NULL::DOUBLE AS elsewhere, v.valued_on, v.moved_on,
  {select_columns(_EXPRESSIONS)}
FROM copy.companies c LEFT JOIN valued v USING (symbol) LEFT JOIN reported r USING (symbol)
WHERE c.market = $market AND c.kind = 'universe'
ORDER BY c.symbol
"""  # noqa: S608 — names of the catalogue


# Every figure of the reports published by that day.
REPORTED_FIGURES = """
SELECT symbol, metric, value, unit, period FROM copy.facts
WHERE market = $reported AND kind = 'reports' AND announced_on <= $day
"""
OF_PERIODS = f"""
SELECT fetch_id, {FACT} FROM copy.facts
WHERE symbol IN (SELECT unnest($symbols::VARCHAR[])) AND kind = 'reports'
  AND period IN (SELECT unnest($periods::VARCHAR[])) AND announced_on <= $day
ORDER BY symbol, period, metric
"""  # noqa: S608 — closed names


class Annual(NamedTuple):
    """What is known of annual reports: those announced by `day`, none older than `oldest`."""

    day: date
    oldest: str


def wide(market: str) -> str:
    """The wide table of a market: one row a company."""
    return f"copy.wide_{_name_calendar(market)}"


def select_known(market: str) -> str:
    """The facts the wide table is made of, each with the fetch it is from."""
    return f"copy.known_{_name_calendar(market)}"


def list_statements(market: str, annual: Annual) -> tuple[ScreenSelect, ...]:
    """The statements that make both tables anew, in order."""
    names = {"known": select_known(market), "wide": wide(market)}
    index = f"CREATE INDEX known_{_name_calendar(market)}_symbol ON {names['known']} (symbol)"
    values: dict[str, object] = {"market": market, **annual._asdict()}
    return (
        ScreenSelect(_KNOWN.format(**names), values),
        ScreenSelect(index, None),
        ScreenSelect(_WIDE.format(**names, listing=select_listing_case("c")), {"market": market}),
    )


def _name_calendar(market: str) -> str:
    return {"CN": "cn", "HK": "hk", "US": "us"}[market]
