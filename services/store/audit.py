"""Who did what with which record. Append only: nothing here changes or removes a line.

Without a sign-in there is nobody to tell apart, and nothing is noted.
"""

from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select

from services.core.identity import acting, require_admin
from services.core.record import Record
from services.store.database import Database
from services.store.tables import AUDIT


class AuditLine(Record):
    """One deed, in real time: by whom, what (viewed, exported, shared, unshared, deleted, restored,
    switched), and with which record of which kind.
    """

    seq: int
    happened_at: datetime
    owner: str
    owner_name: str
    team: str
    action: str
    kind: str
    id: str


def note(connection: Connection, action: str, kind: str, name: str) -> None:
    """Note a deed of whoever is acting, in the very transaction that does it."""
    me = acting()
    if not me.local:
        who = {"owner": me.owner, "owner_name": me.name, "team": me.team}
        connection.execute(insert(AUDIT).values(action=action, kind=kind, id=name, **who))


class Audit:
    """Every deed of this store. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def note(self, action: str, kind: str, name: str) -> None:
        """Note what changed no record, such as that it was looked at or exported."""
        if not acting().local:
            with self._database.open_writing() as connection:
                note(connection, action, kind, name)

    def lines(self, *, limit: int | None = None) -> tuple[AuditLine, ...]:
        """The newest deeds, newest first; all of them without a limit.

        Raises: NotAllowedError for everybody but an admin.
        """
        require_admin()
        query = select(AUDIT).order_by(AUDIT.c.seq.desc()).limit(limit)
        with self._database.open_reading() as connection:
            found = connection.execute(query).mappings().all()
        return tuple(
            AuditLine.model_validate({**row, "happened_at": row["happened_at"].astimezone(UTC)})
            for row in found
        )
