"""What institutions expect, as Longbridge tells it: by fiscal year, and per share of a window."""

import re
from collections.abc import Mapping
from datetime import date

from services.core.errors import ChangedError
from services.core.symbols import Symbol
from services.core.trace import Fact
from services.core.units import CURRENCIES
from services.providers.http import Body
from services.providers.longbridge.wire import NAME, seconds
from services.providers.reading import Column, facts, json_of, member, rows_of
from services.providers.sessions import ZONES

_YEAR = re.compile(r"FY\s?(\d{4})")
_ESTIMATES: Mapping[str, str] = {
    "revenue": "forecast_revenue",
    "eps": "forecast_eps",
    "net_profit": "forecast_net_profit",
}


def consensus(body: Body, symbol: Symbol, today: date) -> list[Fact]:
    """Estimates of whole fiscal years not reported yet; other periods are not of one kind."""
    document = json_of(body)
    made: list[Fact] = []
    for report in rows_of(document, "list", body, ("fiscal_year", "period_text", "details")):
        year = _YEAR.fullmatch(str(report["period_text"]).strip())
        if year is None or int(year.group(1)) != report["fiscal_year"]:
            continue
        currency = member(document, "currency", body, str)
        if currency not in CURRENCIES:
            raise ChangedError(NAME, body.table, "the currency is none we know")
        for row in rows_of(report, "details", body, ("key", "estimate", "is_released")):
            metric = _ESTIMATES.get(str(row["key"]))
            if metric is None or row["is_released"] is True:
                continue
            unit = f"{currency}/share" if metric == "forecast_eps" else currency
            made += facts(
                row,
                (Column("estimate", metric, unit, texts=True),),
                body,
                symbol=symbol.value,
                as_of=today,
                period=f"{year.group(1)}_Q4",
                note=f"机构一致预期；{year.group(1)} 财年，截止月以公司为准",
            )
    return made


def per_share(body: Body, symbol: Symbol, today: date) -> list[Fact]:
    """The median of earnings per share over a window that names no fiscal year: no period."""
    names = ("forecast_start_date", "forecast_end_date", "institution_total")
    zone = ZONES[symbol.market]
    made: list[Fact] = []
    for row in rows_of(json_of(body), "items", body, names):
        start, end = (seconds(row[name], body, name) for name in names[:2])
        if start is None or end is None:
            continue
        first, last = start.astimezone(zone).date(), end.astimezone(zone).date()
        if first <= today:
            made += facts(
                row,
                (Column("forecast_eps_median", "forecast_eps", "CNY/share", texts=True),),
                body,
                symbol=symbol.value,
                as_of=first,
                note=f"{row['institution_total']} 家机构的中位数；预测区间 {first}…{last}",
            )
    return made
