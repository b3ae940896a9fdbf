"""Letting go of runs that are old and that nothing points at, when a setting asks for it.

A run's own time is the market's, which in a snapshot is always the same instant: how old a run is
says a mark set once a day, so that the first run can go only so many days after the first sweep.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Column, Connection, and_, delete, exists, func, insert, select, union_all

from services.store.database import Database
from services.store.tables import (
    ALERTS,
    ANSWERS,
    CLAIM_INDEX,
    FETCHES,
    JOB_RESULTS,
    MODEL_CALLS,
    OWNERSHIP,
    ROW_SETS,
    RUN_CALLS,
    RUN_MARKS,
    RUNS,
    TOOL_CALLS,
)

_DAY = timedelta(days=1)


class Swept(NamedTuple):
    """What went: runs, calls no other run has, rows no other call has."""

    runs: int
    calls: int
    row_sets: int


def sweep(database: Database, days: int) -> Swept:
    """Let go of the runs made more than `days` days ago that no conversation, report, score,
    alert or share points at, with whatever only they had. Nothing goes when `days` is 0.

    Where other processes keep runs meanwhile, rows stay: one of them may just be counting on a row
    set that is there already.
    """
    if not days:
        return Swept(0, 0, 0)
    with database.open_writing() as connection:
        now = connection.execute(select(func.now())).scalar_one()
        marks = select(func.max(RUN_MARKS.c.noted_at), func.max(RUN_MARKS.c.seq))
        marked_at, marked = connection.execute(marks).one()
        newest = connection.execute(select(func.max(RUNS.c.seq))).scalar()
        # Without a new run since, the mark of then says enough.
        is_due = marked_at is None or now - marked_at >= _DAY
        if newest is not None and newest != marked and is_due:
            connection.execute(insert(RUN_MARKS).values(seq=newest))
        before = select(func.max(RUN_MARKS.c.seq)).where(
            RUN_MARKS.c.noted_at <= now - timedelta(days=days)
        )
        border = connection.execute(before).scalar()
        if border is None:
            return Swept(0, 0, 0)
        gone = _let_runs_go(connection, border)
        if not gone:
            return Swept(0, 0, 0)
        calls = _let_go(connection, TOOL_CALLS.c.tool_call_id, (RUN_CALLS.c.tool_call_id,))
        used = (TOOL_CALLS.c.row_set, FETCHES.c.row_set)
        rows = 0 if database.shared else _let_go(connection, ROW_SETS.c.sha256, used)
        return Swept(gone, calls, rows)


def _let_runs_go(connection: Connection, border: int) -> int:
    pointed_at = union_all(
        select(ANSWERS.c.run_id),
        select(ALERTS.c.run_id),
        select(JOB_RESULTS.c.run_id).where(JOB_RESULTS.c.run_id.is_not(None)),
        select(OWNERSHIP.c.id).where(OWNERSHIP.c.kind == "run", OWNERSHIP.c.shared),
    )
    old = select(RUNS.c.run_id).where(RUNS.c.seq <= border, RUNS.c.run_id.not_in(pointed_at))
    gone = connection.execute(select(func.count()).select_from(old.subquery())).scalar_one()
    if gone:
        for table in (RUN_CALLS, MODEL_CALLS, CLAIM_INDEX):
            connection.execute(delete(table).where(table.c.run_id.in_(old)))
        mine = (OWNERSHIP.c.kind == "run") & OWNERSHIP.c.id.in_(old)
        connection.execute(delete(OWNERSHIP).where(mine))
        connection.execute(delete(RUNS).where(RUNS.c.run_id.in_(old)))
    return gone


def _let_go(connection: Connection, key: Column[str], used: Sequence[Column[str]]) -> int:
    """The rows whose key is used nowhere; how many they were."""
    table = key.table
    free = and_(*(~exists().where(column == key) for column in used))
    count = select(func.count()).select_from(table).where(free)
    gone = connection.execute(count).scalar_one()
    connection.execute(delete(table).where(free))
    return gone
