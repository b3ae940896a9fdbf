"""How much is in the store, and how its jobs of the last day ended: of everybody, for an admin."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Table, func, select

from services.core.identity import require_admin
from services.store.database import Database
from services.store.tables import ALERTS, FETCHES, JOB_RESULTS, JOBS, RUNS, SESSIONS

_COUNTED: Mapping[str, Table] = {
    "sessions": SESSIONS,
    "runs": RUNS,
    "fetches": FETCHES,
    "jobs": JOBS,
    "alerts": ALERTS,
}
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """`sizes` in bytes (see Database.sizes), `rows` by what they are (conversations and visits,
    runs, kept answers of sources, jobs, alerts), `ended` the jobs of the last 24 hours by how they
    ended, by the database's clock.
    """

    sizes: Mapping[str, int]
    rows: Mapping[str, int]
    ended: Mapping[str, int]


def read_status(database: Database) -> StoreStatus:
    """As it is now. Raises: NotAllowedError for everybody but an admin."""
    require_admin()
    with database.open_reading() as connection:
        rows = {
            name: int(connection.execute(select(func.count()).select_from(table)).scalar_one())
            for name, table in _COUNTED.items()
        }
        now = connection.execute(select(func.now())).scalar_one()
        lately = select(JOB_RESULTS.c.status, func.count()).where(
            JOB_RESULTS.c.finished_at > now - _DAY
        )
        counted = connection.execute(lately.group_by(JOB_RESULTS.c.status)).all()
        ended = {str(row[0]): int(row[1]) for row in counted}
    return StoreStatus(database.sizes(), rows, ended)
