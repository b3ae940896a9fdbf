"""定时报告: which reports of companies are written by schedule, and the last of each."""

from dataclasses import dataclass
from datetime import date

from services.core.symbols import Symbol
from services.core.text import Text
from services.store.schedules import EVERY as EVERY
from services.store.schedules import Every as Every
from services.views.parts import Parts


@dataclass(frozen=True, slots=True)
class ListedSchedule:
    """One of them. `done_for` is the session the last report is of, `job_id` its job, both null
    before the first; `problem` says why the last one was not begun.
    """

    schedule_id: str
    symbol: str
    name: Text
    every: Every
    done_for: date | None
    job_id: str | None
    problem: Text | None


def listed(parts: Parts) -> tuple[ListedSchedule, ...]:
    """One's own, oldest first."""
    return tuple(
        ListedSchedule(
            schedule_id=one.schedule_id,
            symbol=one.wanted.symbol,
            name=parts.names.text(Symbol(one.wanted.symbol)),
            every=one.wanted.every,
            done_for=one.done_for,
            job_id=one.job_id,
            problem=one.problem,
        )
        for one in parts.schedules.list()
    )
