"""Reported figures of Xueqiu.

Every figure of a statement is a pair: the value and its growth, the growth a fraction. A-share
statements are year to date. The currency is the reports' own, which may not be the price's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from services.core.clock import BEIJING
from services.core.errors import (
    ChangedError,
    InputError,
    NoDataError,
    NotCoveredError,
)
from services.core.periods import Period
from services.core.requests import FinancialsRequest
from services.core.source_marks import join_notes
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.reading import Column, Node, facts, instant, member, once, require, rows_of
from services.providers.xueqiu.client import NAME, DocumentAnswer, XueqiuClient, spell_symbol
from services.providers.xueqiu.quotes import currency_of

# Stands for the reports' currency in the columns below.
_MONEY = "CNY"
_GROWTH = "[1]"
_NEWEST = 20
_LONGEST = 100
_ENTERPRISE = 1


@dataclass(frozen=True, slots=True)
class _Table:
    """One statement. `always` are its columns for every company, `usual` for all but banks.

    The income list comes first of a market's: only it says when the source took a report in.
    """

    name: Literal["indicator", "income", "balance"]
    always: tuple[Column, ...]
    usual: tuple[Column, ...] = ()


_TABLES: Mapping[Market, tuple[_Table, ...]] = {
    "CN": (
        _Table(
            "income",
            (
                Column("total_revenue", "total_revenue", _MONEY),
                Column("net_profit_atsopc", "net_profit", _MONEY),
                Column("net_profit", "net_profit_total", _MONEY),
                Column("net_profit_atsopc" + _GROWTH, "net_profit_yoy", "ratio", "percent"),
            ),
            (
                Column("revenue", "revenue", _MONEY),
                Column("revenue" + _GROWTH, "revenue_yoy", "ratio", "percent"),
            ),
        ),
        _Table(
            "balance",
            (
                Column("total_assets", "total_assets", _MONEY),
                Column("total_liab", "total_liabilities", _MONEY),
            ),
            (Column("total_quity_atsopc", "equity", _MONEY),),
        ),
        # `np_per_share` is book value; `asset_liab_ratio` is a percent here, a fraction in balance.
        _Table(
            "indicator",
            (
                Column("avg_roe", "roe", "percent"),
                Column("basic_eps", "eps", _MONEY + "/share"),
                Column("np_per_share", "bps", _MONEY + "/share"),
            ),
            (
                Column("gross_selling_rate", "gross_margin", "percent"),
                Column("net_selling_rate", "net_margin", "percent"),
                Column("asset_liab_ratio", "debt_to_assets", "percent"),
            ),
        ),
    ),
    "HK": (
        _Table(
            "income",
            (Column("ploashh", "net_profit", _MONEY),),
            # Banks and insurers have no turnover.
            (Column("tto", "revenue", _MONEY),),
        ),
        _Table(
            "balance",
            (
                Column("ta", "total_assets", _MONEY),
                Column("tlia", "total_liabilities", _MONEY),
            ),
        ),
        _Table(
            "indicator",
            (
                Column("roe", "roe", "percent"),
                Column("beps", "eps", _MONEY + "/share"),
                Column("bps", "bps", _MONEY + "/share"),
            ),
            (
                Column("gpm", "gross_margin", "percent"),
                Column("tlia_ta", "debt_to_assets", "percent"),
            ),
        ),
    ),
    "US": (
        _Table(
            "income",
            (
                Column("total_revenue", "revenue", _MONEY),
                Column("net_income_atcss", "net_profit", _MONEY),
            ),
        ),
        _Table(
            "indicator",
            (Column("roe_avg", "roe", "percent"),),
            (Column("basic_eps", "eps", _MONEY + "/share"),),
        ),
    ),
}
_FLAVOURS = {"avg_roe": "加权", "roe_avg": "平均净资产口径", "roe": "来源未注明口径"}
# American names: `2025年FY` is a fiscal year, `2025年Q6` its first six months (`sd` and `ed` of the
# row say so), `2025年Q1` … a quarter: whether of its months or year to date is not said.
_AMERICAN = re.compile(r"(\d{4})年?(FY|Q[12346])")
_AMERICAN_PERIODS: Mapping[str, str] = {"FY": "Q4", "Q6": "Q2"}
_YEAR_TO_DATE = "年初至报告期末，未年化"


@dataclass(slots=True)
class _Question:
    """Whose reports, of which periods (none named: all), on which day in Beijing.

    `taken_in` is when the source last took in the report that ended on a day.
    """

    symbol: Symbol
    wanted: frozenset[Period]
    today: date
    taken_in: dict[date, date] = field(default_factory=dict[date, date])


def financials(client: XueqiuClient, request: FinancialsRequest) -> tuple[Fetched, ...]:
    """Figures of each report period known at the clock, oldest first, a part per statement.

    Of American reports only fiscal years, and half years where they are asked for.
    Raises: NoDataError, UnavailableError (an American quarter was asked for), ProviderError.
    """
    symbol = Symbol.parse(request.symbol)
    wanted = frozenset(Period.parse(text) for text in request.periods)
    asked = _Question(symbol, wanted, client.now.astimezone(BEIJING).date())
    abroad_in_part = symbol.market == "US" and any(period.quarter != 4 for period in wanted)
    if abroad_in_part and all(period.quarter % 2 for period in wanted):
        raise NotCoveredError(NAME, "finance", "American quarters are not told apart here")
    parts: list[Fetched] = []
    for table in _TABLES[symbol.market]:
        answer = _statement(client, asked, table)
        rows = _statement_facts(answer, table, asked)
        if rows:
            body = answer.body
            parts.append(Fetched(NAME, body.table, rows, body.fetched_at, body.sha256))
    if not parts and abroad_in_part:
        raise NotCoveredError(NAME, "finance", "has no half year of this company")
    if not parts:
        raise NoDataError(
            f"financials {symbol}",
            Text("雪球没有这些报告期的数据", "Xueqiu has nothing for these report periods"),
        )
    return tuple(parts)


def newest_filed(today: date) -> Period:
    """The newest report period every mainland company has filed: its legal deadline is over."""
    for year in (today.year, today.year - 1):
        for quarter in (4, 3, 2, 1):
            if Period(year, quarter).due < today:
                return Period(year, quarter)
    return Period(today.year - 2, 4)


def _how_many(asked: _Question) -> int:
    if not asked.wanted:
        return _NEWEST
    return min((asked.today.year - min(asked.wanted).year + 1) * 4, _LONGEST)


def _statement(client: XueqiuClient, asked: _Question, table: _Table) -> DocumentAnswer:
    symbol = asked.symbol
    path = f"finance/{symbol.market.lower()}/{table.name}.json"
    years_only = symbol.market == "US" and all(period.quarter == 4 for period in asked.wanted)
    params: dict[str, str | int] = {
        "symbol": spell_symbol(symbol),
        "type": "Q4" if years_only else "all",
        "is_detail": "true",
        "count": _how_many(asked),
        "timestamp": "",
    }
    return client.ask("stock", path, f"/v5/stock/{path}", params)


def _statement_facts(answer: DocumentAnswer, table: _Table, asked: _Question) -> tuple[Fact, ...]:
    body, data = answer.body, member(answer.document, "data", answer.body)
    rows = rows_of(data, "list", body, ("report_date", "report_name", "ctime"))
    if not rows:
        return ()
    currency = currency_of(data.get("currency"), body)
    found: list[Fact] = []
    unknown = 0
    for row in sorted(rows, key=lambda row: instant(row["report_date"], body, "report_date")):
        ended = _local_day(row["report_date"], body, "report_date")
        if row["ctime"] is not None:
            asked.taken_in[ended] = _local_day(row["ctime"], body, "ctime")
        if asked.symbol.market == "US" and _is_quarter(row):
            continue
        period = _period(row, ended, asked.symbol, body)
        known_on, said = _find_known_on(ended, period, asked, body)
        if period is None or max(ended, known_on) > asked.today:
            unknown += 1
        elif not asked.wanted or period in asked.wanted:
            about: dict[str, Any] = {"as_of": ended, "period": str(period)}
            columns = _columns(table, row, data, currency)
            found += _row_facts(row, columns, body, about, said, asked.symbol)
    if unknown == len(rows):
        raise ChangedError(NAME, body.table, "every report is of the future, or has no period")
    return once(found, body)


def _columns(table: _Table, row: Node, data: Node, currency: str) -> list[Column]:
    """The columns with the reports' currency; of banks and the like those their rows have."""
    usual = table.usual
    if data.get("org_type") != _ENTERPRISE:
        usual = tuple(column for column in usual if column.field.removesuffix(_GROWTH) in row)
    return [
        Column(column.field, column.metric, column.unit.replace(_MONEY, currency), into=column.into)
        for column in (*table.always, *usual)
    ]


def _row_facts(
    row: Node,
    columns: Sequence[Column],
    body: Body,
    about: Mapping[str, Any],
    known: str,
    symbol: Symbol,
) -> list[Fact]:
    cells = _pairs(row, columns, body)
    found: list[Fact] = []
    for column in columns:
        words = [_FLAVOURS.get(column.field, "")]
        part_of_a_year = not str(about["period"]).endswith("Q4")
        if symbol.market == "CN" and column.metric == "roe" and part_of_a_year:
            words.append(_YEAR_TO_DATE)
        words.append(known)
        note = join_notes(*words)
        found += facts(cells, (column,), body, symbol=symbol.value, **about, note=note)
    return found


def _pairs(row: Node, columns: Sequence[Column], body: Body) -> Node:
    """`{name: value, name[1]: growth}` of the columns' cells. Raises: ChangedError."""
    names = {column.field.removesuffix(_GROWTH) for column in columns}
    require(row, sorted(names), body)
    cells: Node = {}
    for name in names:
        pair = row[name] if row[name] not in (None, "-") else [None, None]
        if not isinstance(pair, list) or len(pair) != 2:
            raise ChangedError(NAME, body.table, f"{name} is no pair of value and growth")
        cells[name], cells[name + _GROWTH] = pair
    return cells


def _is_quarter(row: Node) -> bool:
    """Whether an American row is of a single quarter, or of months whose start is not told."""
    match = _AMERICAN.fullmatch(str(row["report_name"]))
    return match is not None and match[2] not in _AMERICAN_PERIODS


def _period(row: Node, ended: date, symbol: Symbol, body: Body) -> Period | None:
    """The period by its name, fiscal years being companies' own; None for one we cannot read.

    Raises: ChangedError when a mainland name and its day differ.
    """
    name = str(row["report_name"])
    if (match := _AMERICAN.fullmatch(name)) and match[2] in _AMERICAN_PERIODS:
        name = f"{match[1]}_{_AMERICAN_PERIODS[match[2]]}"
    try:
        period = Period.parse(name)
    except InputError:
        period = None
    if symbol.market == "CN" and (period is None or period.end != ended):
        raise ChangedError(NAME, body.table, "report_name and report_date differ")
    return period


def _find_known_on(
    ended: date, period: Period | None, asked: _Question, body: Body
) -> tuple[date, str]:
    """By which day the report was public, and how that is known, in words for the reader.

    The source renews its time when it takes a report in again; without one, what it serves is
    public on the day it is fetched, on the mainland by its legal deadline at the latest.
    """
    if taken_in := asked.taken_in.get(ended):
        return taken_in, f"来源收录于 {taken_in}（最近一次收录，可能晚于发布）"
    fetched = body.fetched_at.astimezone(BEIJING).date()
    if asked.symbol.market == "CN" and period is not None and period.due < fetched:
        return period.due, f"来源未给收录日，法定披露期限 {period.due}"
    return fetched, f"来源未给收录日，{fetched} 抓取时已公开"


def _local_day(milliseconds: object, body: Body, name: str) -> date:
    """The day of an epoch in milliseconds in Beijing. Raises: ChangedError."""
    return instant(milliseconds, body, name).astimezone(BEIJING).date()
