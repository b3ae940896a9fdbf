"""Arguments that several tools share: booleans, time ranges and dates, as seed 000 words them."""

import calendar
from datetime import date, timedelta
from typing import Annotated, Literal, NamedTuple

from pydantic import AfterValidator

from services.core.errors import InputError
from services.core.symbols import Symbol
from services.market.names.names import Names
from services.tools.schema import argument

TimeRange = Literal["OneDay", "OneWeek", "OneMonth", "OneYear", "NoLimit"]
DAY_FORM = 'YYYY-MM-DD, or "" for no limit'
_DAYS = {"OneDay": 1, "OneWeek": 7}
_MONTHS = {"OneMonth": 1, "OneYear": 12}


def _calendar_day(text: str) -> str:
    if text:
        if len(text) != 10:
            raise ValueError(DAY_FORM)
        date.fromisoformat(text)
    return text


StockCode = Annotated[
    str,
    argument("股票代码", valid="a stock code such as AAPL or 600519", min_length=1, max_length=60),
]
MarketName = Annotated[Literal["CN", "HK", "US"], argument("市场：CN、HK、US，须与股票代码一致。")]
DayText = Annotated[str, AfterValidator(_calendar_day)]


def resolve_listed(names: Names, symbol: str, market: str) -> Symbol:
    """The symbol meant, which must be of that market. Raises: InputError."""
    found = names.resolve(symbol)
    if found.market != market:
        raise InputError("market", market, f"{found.market} for {found}")
    return found


def company(names: Names, symbol: str, market: str) -> Symbol:
    """As `resolve_listed`, and no index. Raises: InputError."""
    found = resolve_listed(names, symbol, market)
    if found.is_index:
        raise InputError("symbol", symbol, "a company: an index has no company figures")
    return found


class DayWindow(NamedTuple):
    """Days asked about, both included; `start` None means from the beginning."""

    start: date | None
    end: date


def window(time_range: TimeRange, start_date: str, end_date: str, today: date) -> DayWindow:
    """The days meant. Dates given win over `time_range`, which counts back from `today`.

    A later `end_date` than today ends today. Raises: InputError for reversed or future dates.
    """
    if not start_date and not end_date:
        return DayWindow(_back(time_range, today), today)
    end = min(date.fromisoformat(end_date), today) if end_date else today
    if not start_date:
        return DayWindow(None, end)
    start = date.fromisoformat(start_date)
    if end_date and start > date.fromisoformat(end_date):
        raise InputError("startDate", start_date, f"a day on or before endDate {end_date}")
    if start > today:
        raise InputError(
            "startDate", start_date, f"a day on or before {today.isoformat()}, which is today here"
        )
    return DayWindow(start, end)


def _back(time_range: TimeRange, today: date) -> date | None:
    if time_range in _DAYS:
        return today - timedelta(days=_DAYS[time_range])
    if time_range not in _MONTHS:
        return None
    months = today.year * 12 + today.month - 1 - _MONTHS[time_range]
    year, month = divmod(months, 12)
    return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))
