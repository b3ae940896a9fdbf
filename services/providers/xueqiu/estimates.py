"""Institutions' forecasts of Xueqiu: the consensus a year, without the number of institutions."""

from typing import Any

from services.core.clock import BEIJING
from services.core.errors import ChangedError, NoDataError, NotCoveredError
from services.core.periods import Period
from services.core.requests import ForecastRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.reading import Column, Node, facts, once, rows_of
from services.providers.xueqiu.client import NAME, XueqiuClient, read_list, spell_symbol

_FORECASTS = (
    Column("eps", "forecast_eps", "CNY/share"),
    Column("pe", "forecast_pe", "multiple"),
    Column("roe", "forecast_roe", "percent"),
)
_FORECAST_NOTE = "机构一致预期，雪球未给出机构数与日期；是预测，不是业绩"


def forecast(client: XueqiuClient, request: ForecastRequest) -> tuple[Fetched, ...]:
    """The consensus per year that is not over, as of the day it was asked.

    Raises: NoDataError, UnavailableError (empty for guests, who are not always shown it).
    """
    symbol = Symbol.parse(request.symbol)
    path = "/stock/report/earningforecast.json"
    answer = client.ask("stock", "earningforecast.json", path, {"symbol": spell_symbol(symbol)})
    body, today = answer.body, client.now.astimezone(BEIJING).date()
    rows = rows_of(
        read_list(answer, "list"), "", body, ("forecast_year", *(c.field for c in _FORECASTS))
    )
    found: list[Fact] = []
    for row in sorted(rows, key=lambda row: _year(row, body)):
        period = f"{_year(row, body)}_Q4"
        if Period.parse(period).end >= today:
            about: dict[str, Any] = {"symbol": symbol.value, "as_of": today, "period": period}
            found += facts(row, _FORECASTS, body, **about, note=_FORECAST_NOTE)
    if not found and client.is_anonymous:
        raise NotCoveredError(NAME, body.table, "is empty, as it may be for guests")
    if not found:
        raise NoDataError(
            f"forecast {symbol}", Text("雪球没有它的机构预期", "Xueqiu has no forecast of it")
        )
    return (Fetched(NAME, body.table, once(found, body), body.fetched_at, body.sha256),)


def _year(row: Node, body: Body) -> int:
    text = str(row["forecast_year"]).removesuffix(".0")
    if not (text.isdigit() and len(text) == 4):
        raise ChangedError(NAME, body.table, "forecast_year is no year")
    return int(text)
