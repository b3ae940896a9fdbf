"""Sessions said of a price: 近60个交易日, and 近60日涨跌幅, which means the same.

A plan of prices has days only: the first and last of them stand for the sessions up to today. What
answers the plan finds the number again in the question, and counts from the last bar there is.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from services.core.symbols import Market, Symbol
from services.market.calendar import Calendar
from services.query.algebra.nodes import Node, Query, When, rewrite
from services.query.algebra.scopes import named_symbols
from services.query.algebra.wire_spans import is_of_spans
from services.query.reading.other_tools import Served
from services.query.reading.time_expressions import SaidTime, WhenReader

# Two calendar days for each session and the longest holidays: enough to hold so many sessions.
_HOLIDAYS = timedelta(days=40)


def first_session(calendar: Calendar, market: Market, today: date, count: int) -> date | None:
    """The first of the last `count` sessions up to `today`; None where fewer are known."""
    days = calendar.sessions(market, today - timedelta(days=2 * count) - _HOLIDAYS, today)
    return days[-count] if len(days) >= count else None


def in_sessions(when: SaidTime, calendar: Calendar, market: Market, today: date) -> SaidTime:
    """The same time as days that hold its sessions; any other time as it is."""
    start = first_session(calendar, market, today, when.sessions) if when.sessions else None
    return replace(when, start=start, end=today, time_range=None) if start else when


def name_days(query: Query, calendar: Calendar, today: date) -> Query:
    """Prices of a company over the last so many sessions as prices over the days that hold them;
    any other query as it is.
    """
    markets: list[Market] = [Symbol.parse(one).market for one in named_symbols(query.scope) or ()]
    if len(set(markets)) != 1:
        return query
    market = markets[0]

    def change(node: Node) -> Node:
        if not isinstance(node, When) or node.kind != "lastn" or node.unit != "sessions":
            return node
        start = first_session(calendar, market, today, node.count or 1)
        return When(kind="days", first=start, last=today) if start else node

    named: Query = rewrite(query, change)
    return named if is_of_spans(named) else query


def name_days_served(served: Served, calendar: Calendar, today: date) -> Served:
    """Prices over the last so many sessions as prices over the days that hold them."""
    days = served.days
    markets: set[Market] = {Symbol.parse(one).market for one in served.symbols}
    if days is None or days.kind != "lastn" or len(markets) != 1:
        return served
    start = first_session(calendar, markets.pop(), today, days.count or 1)
    if start is None:
        return served
    return replace(served, days=days.but(kind="days", first=start, last=today))


def sessions_said(
    questions: Sequence[str],
    days: tuple[date | None, date | None],
    calendar: Calendar,
    market: Market,
    today: date,
) -> int | None:
    """How many sessions these days of a plan stand for; None when they are days and no more.

    A question that names no company is read on the mainland's calendar.
    """
    for count in (count for text in questions for count in _counts(text, today)):
        for of in dict.fromkeys((market, "CN")):
            if days == (first_session(calendar, of, today, count), today):
                return count
    return None


def _counts(question: str, today: date) -> list[int]:
    text, reader = unicodedata.normalize("NFKC", question).lower(), WhenReader(today)
    found: list[int] = []
    place = 0
    while place < len(text):
        end, when = reader.at(text, place, None) or (place, None)
        if when is not None and when.sessions:
            found.append(when.sessions)
        place = max(end, place + 1)
    return found
