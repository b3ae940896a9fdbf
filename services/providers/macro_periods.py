"""Months, quarters and days of macro series as their sources write them."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple, TypeVar

from services.core.errors import ChangedError
from services.core.requests import MacroRequest
from services.core.trace import Fact
from services.providers.http import Body
from services.providers.reading import Column, Node, day, facts

Row = TypeVar("Row")
SERIES_NAMES: Mapping[str, str] = {
    "pmi": "采购经理指数",
    "money_supply": "货币供应量",
    "cpi": "居民消费价格",
    "ppi": "工业生产者出厂价格",
    "gdp": "国内生产总值",
    "lpr": "贷款市场报价利率",
    "social_financing": "社会融资规模",
}
_MONTH = re.compile(r"(\d{4})(?:年|-)?(\d{1,2})(?:月份?)?")
# 2026Q3, and 2026年第1-3季度 or 2026年第1季度: always from the start of the year.
_QUARTER = re.compile(r"(\d{4})(?:Q|年第(?:1-)?)([1-4])(?:季度)?")


class PeriodSpan(NamedTuple):
    """A period by its last day, and as `Fact.period` spells it."""

    end: date
    period: str


def month_span(cell: object, body: Body, field: str) -> PeriodSpan:
    """`202610` or `2026年10月份`. Raises: ChangedError."""
    match = _MONTH.fullmatch(str(cell).strip())
    if match is None or not 1 <= int(match[2]) <= 12:
        raise ChangedError(body.provider, body.table, f"{field} is no month")
    year, month = int(match[1]), int(match[2])
    return PeriodSpan(_last_day(year, month), f"{year}-{month:02}")


def quarter_span(cell: object, body: Body, field: str) -> PeriodSpan:
    """`2026Q3` or `2026年第1-3季度`. Raises: ChangedError."""
    match = _QUARTER.fullmatch(str(cell).strip())
    if match is None:
        raise ChangedError(body.provider, body.table, f"{field} is no quarter")
    year, quarter = int(match[1]), int(match[2])
    return PeriodSpan(_last_day(year, quarter * 3), f"{year}_Q{quarter}")


def day_span(cell: object, body: Body, field: str) -> PeriodSpan:
    """A figure that holds from a day on, named by its month. Raises: ChangedError."""
    on = cell if isinstance(cell, date) else day(cell, body, field)
    return PeriodSpan(on, f"{on:%Y-%m}")


def newest_facts(
    dated: Iterable[tuple[PeriodSpan, Node]],
    columns: tuple[Column, ...],
    body: Body,
    request: MacroRequest,
    *,
    today: date,
    note: str | None,
) -> list[Fact]:
    """The figures of the newest periods asked for, oldest first. Raises: ChangedError."""
    made: list[Fact] = []
    for span, row in _newest_spans(dated, request.count, today, body):
        made += facts(
            row,
            columns,
            body,
            symbol=f"macro:{request.series}",
            as_of=span.end,
            period=span.period,
            note=note,
        )
    return made


def _newest_spans(
    dated: Iterable[tuple[PeriodSpan, Row]], count: int, today: date, body: Body
) -> list[tuple[PeriodSpan, Row]]:
    """The rows of the newest `count` periods that have ended, oldest first.

    Raises: ChangedError when a source that has rows has only such of the future.
    """
    known = list(dated)
    ended = sorted((pair for pair in known if pair[0].end <= today), key=lambda pair: pair[0].end)
    if known and not ended:
        raise ChangedError(body.provider, body.table, "every period lies in the future")
    kept = set(sorted({span.period for span, _ in ended})[-count:])
    return [(span, row) for span, row in ended if span.period in kept]


def _last_day(year: int, month: int) -> date:
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)
