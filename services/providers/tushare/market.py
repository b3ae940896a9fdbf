"""Every mainland share at the close of the last session: names, prices, sizes and multiples."""

from collections.abc import Sequence
from datetime import date, datetime

from services.core.errors import ChangedError, InputError, NotCoveredError, UnavailableError
from services.core.requests import UniverseRequest
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.joining import join_bodies
from services.providers.reading import Column, Node, day, facts, once, plain
from services.providers.sessions import last_complete
from services.providers.tushare.client import NAME, TableAnswer, TushareClient, write_day
from services.providers.tushare.quotes import VALUATION

# Of the shares that traded, how many the table of multiples may lack.
_MISSING = 0.02
_TRADED = (
    Column("close", "close", "CNY"),
    Column("pct_chg", "pct_change", "percent"),
    Column("vol", "volume", "lots", "shares"),
    Column("amount", "amount", "CNY_qian", "CNY"),
)
# The close stands in `daily` already; a list has the floating value too.
_VALUED = (
    *(column for column in VALUATION if column.metric != "close"),
    Column("circ_mv", "float_market_cap", "CNY_wan", "CNY"),
)


def universe(client: TushareClient, request: UniverseRequest, now: datetime) -> tuple[Fetched, ...]:
    """Every listed share in symbol order; one suspended on that day is only named.

    Raises: NotCoveredError (the newest session is not published yet), ChangedError, ProviderError.
    """
    last = last_complete("CN", now)
    named = client.table("stock_basic", ("ts_code", "name", "industry"), list_status="L")
    traded = _of_day(client, "daily", _TRADED, last)
    valued = _of_day(client, "daily_basic", _VALUED, last)
    if len(valued.rows) < len(traded.rows) * (1 - _MISSING):
        words = f"values {len(valued.rows)} of the {len(traded.rows)} shares that traded"
        raise UnavailableError(NAME, "daily_basic", words)
    whole = join_bodies([*named.bodies, *traded.bodies, *valued.bodies], "daily_basic+daily")
    labels = _labels(named)
    found = [*_figures(traded, _TRADED, last), *_figures(valued, _VALUED, last)]
    found.sort(key=lambda fact: fact.symbol)
    for fact in found:
        labels.setdefault(fact.symbol, {})
    in_order = {symbol: labels[symbol] for symbol in sorted(labels)}
    stamp = (whole.fetched_at, whole.sha256)
    return (Fetched(NAME, whole.table, once(found, whole), *stamp, in_order),)


def _of_day(
    client: TushareClient, table: str, columns: Sequence[Column], last: date
) -> TableAnswer:
    """The rows of the session `last`, all shares. Raises: NotCoveredError while there are none."""
    fields = ("ts_code", "trade_date", *(column.field for column in columns))
    found = client.table(table, fields, trade_date=write_day(last))
    if not found.rows:
        raise NotCoveredError(NAME, table, f"has no row of {last} yet")
    return found


def _figures(found: TableAnswer, columns: Sequence[Column], last: date) -> list[Fact]:
    made: list[Fact] = []
    for row in found.rows:
        if day(row["trade_date"], found.body, "trade_date") != last:
            raise ChangedError(NAME, found.body.table, "answers about another day")
        symbol = _symbol(row)
        if symbol is not None:
            made += facts(row, columns, found.body, symbol=symbol.value, as_of=last)
    return made


def _labels(named: TableAnswer) -> dict[str, dict[str, str]]:
    labels: dict[str, dict[str, str]] = {}
    for row in named.rows:
        symbol = _symbol(row)
        if symbol is not None:
            words = {"name": plain(row["name"]), "industry": plain(row["industry"])}
            labels[symbol.value] = {key: text for key, text in words.items() if text}
    return labels


def _symbol(row: Node) -> Symbol | None:
    """The share of that row; None for a spelling that is none of ours."""
    try:
        return Symbol.parse(str(row["ts_code"]))
    except InputError:
        return None
