"""What is due by schedule: alerts of watchlists, and reports that are written again and again.

Asked for every few minutes by a worker where there are workers, else by the workbench itself. What
was done is in the store, so that it is done once, however many ask and however often.
"""

import logging
from datetime import date, timedelta
from typing import NamedTuple

from services.core.errors import YoujuError
from services.core.identity import acting_as
from services.core.symbols import Symbol
from services.core.text import Text
from services.store.ownership import list_owners
from services.store.schedules import Every, Schedule, list_schedules
from services.views import alerts, analysis
from services.views.parts import Parts

_LOG = logging.getLogger("youju.due")


class Done(NamedTuple):
    """How many alerts were found that were not there before, and how many reports begun."""

    alerts: int
    reports: int


def do_due(parts: Parts) -> Done:
    """Do what is due for everybody, each in their name. What fails is logged, noted, and tried
    again the next time.
    """
    return Done(
        find_alerts(parts), sum(_write(parts, one) for one in list_schedules(parts.database))
    )


def find_alerts(parts: Parts) -> int:
    """Look through the watchlists of everybody; how many alerts are new."""
    found = 0
    for who in list_owners(parts.database, "watchlist"):
        with acting_as(who):
            try:
                found += alerts.look(parts)
            except YoujuError as error:
                _LOG.warning("alerts: %s", error)
    return found


def session_due(parts: Parts, symbol: str, every: Every) -> date:
    """The newest session a report of that company is due for: the last that has ended, or the last
    of the last week whose sessions have all ended.
    """
    market = Symbol(symbol).market
    last = parts.calendar.last_complete_session(market, parts.clock.now())
    after = parts.calendar.next_session(market, last)
    if every == "daily" or _week(after) != _week(last):
        return last
    return parts.calendar.previous_session(market, last - timedelta(days=last.weekday()))


def _write(parts: Parts, schedule: Schedule) -> bool:
    """Begin the report, if it is due and nobody else did."""
    wanted, kept = schedule.wanted, parts.schedules
    day = session_due(parts, wanted.symbol, wanted.every)
    if schedule.done_for is not None and schedule.done_for >= day:
        return False
    with acting_as(wanted.who):
        if not kept.claim(schedule.schedule_id, day):
            return False
        try:
            job = analysis.start(
                parts,
                wanted.symbol,
                alerts.SESSION,
                question="",
                language=wanted.language,
                by_rule=False,
            )
        except YoujuError as error:
            _LOG.warning("scheduled report of %s: %s", wanted.symbol, error)
            kept.settle(schedule.schedule_id, problem=Text.read(str(error)))
            return False
        kept.settle(schedule.schedule_id, job_id=job)
    return True


def _week(day: date) -> tuple[int, int]:
    return day.isocalendar()[:2]
