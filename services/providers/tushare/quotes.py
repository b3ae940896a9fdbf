"""Bars and valuations of Tushare. A-share bars are made 前复权 here; the others come unadjusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from services.core.catalogue import CATALOGUE
from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    NoDataError,
    NotCoveredError,
)
from services.core.requests import BarsRequest, DatedValuationsRequest, ValuationRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.joining import stamp_row
from services.providers.reading import Column, Node, day, facts, number
from services.providers.sessions import last_complete
from services.providers.tushare.client import NAME, TableAnswer, TushareClient, write_day

_PRICES = ("open", "high", "low", "close")
# How far back the newest valuation row may lie: a longer suspension has none.
_VALUED_WITHIN = timedelta(days=45)
_UNADJUSTED = "未复权"


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of daily bars: its name, its columns beyond ts_code and trade_date, what is said.

    `note` is how its prices are adjusted; null where there is nothing to adjust.
    """

    name: str
    columns: tuple[Column, ...]
    note: str | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        return ("ts_code", "trade_date", *(column.field for column in self.columns))


def _prices(unit: str) -> tuple[Column, ...]:
    return tuple(Column(name, name, unit) for name in _PRICES)


_CHANGE = Column("pct_chg", "pct_change", "percent")
# 手 and 千元, the volume with fractions where an order need not be whole lots.
_LOTS = (Column("vol", "volume", "lots", "shares"), Column("amount", "amount", "CNY_qian", "CNY"))
_A_SHARES = _Table("daily", (*_prices("CNY"), _CHANGE, *_LOTS))
_INDEXES = _Table("index_daily", (*_prices("points"), _CHANGE, *_LOTS))
# `adj_factor` is a table of shares: a fund's prices stay as they were traded.
_FUNDS = _Table("fund_daily", (*_prices("CNY"), _CHANGE, *_LOTS), _UNADJUSTED)
_HONG_KONG = _Table(
    "hk_daily",
    (
        *_prices("HKD"),
        _CHANGE,
        Column("vol", "volume", "shares"),
        Column("amount", "amount", "HKD"),
    ),
    _UNADJUSTED,
)
_AMERICA = _Table(
    "us_daily",
    (
        *_prices("USD"),
        Column("pct_change", "pct_change", "percent"),
        Column("vol", "volume", "shares"),
        Column("amount", "amount", "USD"),
    ),
    _UNADJUSTED,
)
# 万元 and 万股 here, unlike the balance sheet's 股; `pe` is on the last annual report.
VALUATION = (
    Column("close", "close", "CNY"),
    Column("turnover_rate", "turnover_rate", "percent"),
    Column("pe", "pe_lyr", "multiple"),
    Column("pe_ttm", "pe_ttm", "multiple"),
    Column("pb", "pb", "multiple"),
    Column("ps_ttm", "ps_ttm", "multiple"),
    Column("dv_ttm", "dy_l", "percent"),
    Column("total_share", "total_shares", "shares_wan", "shares"),
    Column("float_share", "float_shares", "shares_wan", "shares"),
    Column("total_mv", "market_cap", "CNY_wan", "CNY"),
)

# 元 and 股 here, unlike `daily_basic`; no close stands beside them.
_INDEX_VALUATION = (
    Column("total_mv", "market_cap", "CNY"),
    Column("turnover_rate", "turnover_rate", "percent"),
    Column("pe", "pe_lyr", "multiple"),
    Column("pe_ttm", "pe_ttm", "multiple"),
    Column("pb", "pb", "multiple"),
)


def daily_bars(client: TushareClient, request: BarsRequest, now: datetime) -> tuple[Fetched, ...]:
    """See Provider.fetch. Today's row is there an hour or two after the close: `as_of` says."""
    symbol = Symbol.parse(request.symbol)
    table = _table_of(symbol)
    last = last_complete(symbol.market, now)
    end = min(request.end or last, last)
    start = request.start
    what = f"daily_bars {symbol}"
    if start is not None and start > end:
        raise NoDataError(
            what, Text("这段日期内还没有收盘", "no session has closed within these dates")
        )
    window = {"end_date": write_day(end)} | ({"start_date": write_day(start)} if start else {})
    bars = client.table(table.name, table.fields, ts_code=symbol.value, **window)
    if not bars.rows:
        if start == last and last.weekday() < 5:
            raise NotCoveredError(NAME, table.name, f"the row of {last} is not published yet")
        why = Text(
            "这段日期内没有成交，或没有这个代码", "no trading within these dates, or no such code"
        )
        raise NoDataError(what, why)
    rows = _date_rows(bars, symbol, start, end)
    if table is _A_SHARES:
        today = now.astimezone(BEIJING).date()
        return (_adjust_prices(client, symbol, rows, bars, today),)
    made = [
        fact
        for on, row in rows
        for fact in facts(
            row, table.columns, bars.body, symbol=symbol.value, as_of=on, note=table.note
        )
    ]
    return (_part(table.name, made, bars.bodies),)


def valuation(
    client: TushareClient, request: ValuationRequest, now: datetime
) -> tuple[Fetched, ...]:
    """See Provider.fetch: the newest row of `daily_basic`. A loss has no PE there, and none here.

    Raises: NoDataError when there is no row within `_VALUED_WITHIN`.
    """
    symbol = Symbol.parse(request.symbol)
    today = now.astimezone(BEIJING).date()
    found, rows = _read_valuation(client, symbol, today - _VALUED_WITHIN, today)
    if not rows:
        why = Text("近 45 天没有估值行", "no valuation row within the last 45 days")
        raise NoDataError(f"valuation {symbol}", why)
    newest = [(on, row) for on, row in rows if on == rows[-1][0]]
    return (_worth(symbol, newest, found),)


def read_dated_valuations(
    client: TushareClient, request: DatedValuationsRequest, now: datetime
) -> tuple[Fetched, ...]:
    """See Provider.fetch: the rows of `daily_basic` within the dates, oldest first."""
    symbol = Symbol.parse(request.symbol)
    end = min(request.end, last_complete(symbol.market, now))
    none = NoDataError(
        f"dated_valuations {symbol}",
        Text("这段日期内没有估值行", "no valuation row within these dates"),
    )
    if request.start > end:
        raise none
    found, rows = _read_valuation(client, symbol, request.start, end)
    if not rows:
        raise none
    return (_worth(symbol, rows, found),)


def _read_valuation(
    client: TushareClient, symbol: Symbol, start: date, end: date
) -> tuple[TableAnswer, list[tuple[date, Node]]]:
    """The rows of `daily_basic` within these days, oldest first."""
    name, columns = _valuation_of(symbol)
    fields = ("ts_code", "trade_date", *(column.field for column in columns))
    window = {"start_date": write_day(start), "end_date": write_day(end)}
    found = client.table(name, fields, ts_code=symbol.value, **window)
    return found, _date_rows(found, symbol, start, end)


def _valuation_of(symbol: Symbol) -> tuple[str, tuple[Column, ...]]:
    """The table that has its multiples, and the columns of it."""
    if symbol.is_index:
        return "index_dailybasic", _INDEX_VALUATION
    return "daily_basic", VALUATION


def _worth(symbol: Symbol, rows: list[tuple[date, Node]], found: TableAnswer) -> Fetched:
    name, columns = _valuation_of(symbol)
    made = [
        fact
        for on, row in rows
        for fact in facts(row, columns, found.body, symbol=symbol.value, as_of=on)
    ]
    return _part(name, made, found.bodies)


def _table_of(symbol: Symbol) -> _Table:
    if symbol.is_index or symbol.is_fund:
        return _INDEXES if symbol.is_index else _FUNDS
    return {"CN": _A_SHARES, "HK": _HONG_KONG, "US": _AMERICA}[symbol.market]


def _date_rows(
    found: TableAnswer, symbol: Symbol, start: date | None, end: date
) -> list[tuple[date, Node]]:
    """The rows by their day, oldest first. ChangedError for another code's or another day's."""
    dated: list[tuple[date, Node]] = []
    for row in found.rows:
        on = day(row["trade_date"], found.body, "trade_date")
        if row["ts_code"] != symbol.value:
            raise ChangedError(NAME, found.body.table, "answers about another code")
        if on > end or (start is not None and on < start):
            raise ChangedError(NAME, found.body.table, f"gives {on}, outside of the days asked")
        dated.append((on, row))
    return sorted(dated, key=lambda pair: pair[0])


def _adjust_prices(
    client: TushareClient,
    symbol: Symbol,
    rows: list[tuple[date, Node]],
    bars: TableAnswer,
    today: date,
) -> Fetched:
    """Prices as `price × factor ÷ newest factor`; volume and amount are never adjusted."""
    window = {"start_date": write_day(rows[0][0]), "end_date": write_day(today)}
    columns = ("ts_code", "trade_date", "adj_factor")
    found = client.table("adj_factor", columns, ts_code=symbol.value, **window)
    factors = _factors(found, symbol, rows[0][0], today)
    newest_day = max(factors, default=today)
    note = f"前复权，因子基准日 {newest_day}"
    plain = tuple(column for column in _A_SHARES.columns if column.field not in _PRICES)
    made: list[Fact] = []
    for on, row in rows:
        if on not in factors:
            raise ChangedError(NAME, "adj_factor", f"no factor of {on}")
        for name in _PRICES:
            price = number(row, Column(name, name, "CNY"), bars.body)
            if price is not None:
                fact = _price(symbol, on, name, price, (factors[on], factors[newest_day]))
                made.append(fact.model_copy(update={"note": note}))
        made += facts(row, plain, bars.body, symbol=symbol.value, as_of=on)
    return _part("daily", made, (*bars.bodies, *found.bodies))


def _factors(found: TableAnswer, symbol: Symbol, start: date, end: date) -> Mapping[date, Decimal]:
    column = Column("adj_factor", "adj_factor", "multiple")
    factors: dict[date, Decimal] = {}
    for on, row in _date_rows(found, symbol, start, end):
        factor = number(row, column, found.body)
        if factor is None or factor <= 0 or factors.setdefault(on, factor) != factor:
            raise ChangedError(NAME, "adj_factor", f"no factor of {on}")
    return factors


def _price(
    symbol: Symbol, on: date, name: str, price: Decimal, factors: tuple[Decimal, Decimal]
) -> Fact:
    own, newest = factors
    return Fact(
        symbol=symbol.value,
        metric=name,
        metric_code=CATALOGUE.codes.get(name),
        value=float(price * own / newest),
        unit="CNY",
        as_of=on,
        field=f"daily.{name}×adj_factor",
        raw=f"{price} × {own} ÷ {newest}",
    )


def _part(table: str, made: list[Fact], bodies: tuple[Body, ...]) -> Fetched:
    """One part. Raises: ChangedError when no row has a close: bars and values stand on it."""
    needed = "market_cap" if table == "index_dailybasic" else "close"
    if not any(fact.metric == needed for fact in made):
        raise ChangedError(NAME, table, f"no row has a {needed}")
    return stamp_row(NAME, table, made, bodies)
