"""What a local copy of a market is made of, one task each, and how long each stays good."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple, get_args

from services.core.errors import YoujuError
from services.core.periods import Period
from services.core.symbols import Market
from services.market.calendar import Calendar

Kind = Literal["universe", "reports", "bars"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MARKETS: tuple[Market, ...] = get_args(Market)
# How far back bars are pulled: a year of events and the sessions before it that they are judged by.
WINDOW = timedelta(days=600)
# Sessions asked for again, to see that upstream has not adjusted the past.
OVERLAP = 5
# Prices of a whole market while it trades.
IN_SESSION = timedelta(minutes=5)
REPORTS = timedelta(days=1)
OLD_REPORTS = timedelta(days=30)
# The last session is not in the bars yet, though the symbol traded.
NOT_YET_THERE = timedelta(minutes=10)
ANNUALS = 4


class Task(NamedTuple):
    """One thing to pull: the list of a market, a report period, or the bars of a symbol."""

    market: Market
    kind: Kind
    subject: str = ""

    @property
    def key(self) -> str:
        """What its mark is found by."""
        return ":".join(part for part in self if part)


class SyncProgress(NamedTuple):
    """How far one kind has come; `subject` is the task that was just done."""

    kind: Kind
    done: int
    total: int
    subject: str


OnProgress = Callable[[SyncProgress], None]


class TaskFailure(NamedTuple):
    """A task that no source could answer."""

    task: str
    error: YoujuError


@dataclass(slots=True)
class Synced:
    """What a run did: tasks pulled, those that were good already, and those that failed.

    `stopped`: the kinds given up after several failures in a row. Running again goes on from here.
    """

    market: Market
    pulled: dict[str, int] = field(default_factory=dict[str, int])
    good_already: dict[str, int] = field(default_factory=dict[str, int])
    nothing: dict[str, int] = field(default_factory=dict[str, int])
    failures: list[TaskFailure] = field(default_factory=list[TaskFailure])
    stopped: list[str] = field(default_factory=list[str])


def oldest_annual(day: date) -> Period:
    """The annual report that every mainland company must have published by that day: April 30."""
    return Period(day.year - (1 if (day.month, day.day) >= (4, 30) else 2), 4)


def annual_periods(day: date) -> list[Period]:
    """The annual reports that some may have published by that day, newest first."""
    newest = Period(day.year - 1, 4)
    oldest = oldest_annual(day)
    return [Period(year, 4) for year in range(newest.year, oldest.year - 1, -1)]


def newest_quarters(day: date) -> list[Period]:
    """The quarter that ended last before that day, and the one before it."""
    last = (day.month - 1) // 3
    newest = Period(day.year, last) if last else Period(day.year - 1, 4)
    return [newest, _before(newest)]


def report_periods(day: date) -> list[Period]:
    """Every period a sync pulls: the last annual reports and the newest quarters."""
    newest = annual_periods(day)[0].year
    annual = [Period(year, 4) for year in range(newest, newest - ANNUALS, -1)]
    return list(dict.fromkeys([*annual, *newest_quarters(day)]))


def good_until(task: Task, calendar: Calendar, at: datetime) -> datetime:
    """When what was pulled at that instant is to be pulled again.

    Prices: minutes while the market trades, else until it trades again. Bars: until the next close.
    Reports: a day; those everybody has published, a month.
    """
    if task.kind == "reports":
        day = calendar.local_day(task.market, at)
        old = Period.parse(task.subject) < oldest_annual(day)
        return at + (OLD_REPORTS if old else REPORTS)
    if task.kind == "bars":
        return calendar.next_close(task.market, at)
    trading = calendar.is_open(task.market, at)
    return at + IN_SESSION if trading else calendar.next_open(task.market, at)


def _before(period: Period) -> Period:
    if period.quarter == 1:
        return Period(period.year - 1, 4)
    return Period(period.year, period.quarter - 1)
