"""Alerts: the abnormal events that looks by schedule found in watchlists, until they are seen.

An alert is of whose the list is. It points at the run whose claims say it, and is new until the
company was looked at after its day: there is one mark of what was seen, that of the list.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy import and_, select
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.record import Record
from services.core.text import Text
from services.store.database import Database
from services.store.ownership import key_of, may_change, name_in
from services.store.tables import ALERT_LOOKS, ALERTS, WATCHED, WATCHLISTS

_KIND: Final = "watchlist"


class FoundEvent(Record):
    """One event as it was found: its days, its rules (competence ids), and why in two languages,
    templates whose places are filled from the claims of `run_id`.
    """

    symbol: str
    start: date
    end: date
    kind: str
    result: str
    rules: tuple[str, ...]
    reason: str
    reason_en: str
    run_id: str


class Alert(Record):
    """An event that was not seen yet, the list it is of by name, and when it was found (real
    time).
    """

    list: str
    event: FoundEvent
    found_at: datetime


class Alerts:
    """The alerts of whoever is acting. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def looked(self, name: str) -> Mapping[str, date]:
        """Through which session each company of one's own list was looked at; those never looked
        at are not there.
        """
        query = select(ALERT_LOOKS.c.symbol, ALERT_LOOKS.c.through).where(
            ALERT_LOOKS.c.list == key_of(name), may_change(_KIND, ALERT_LOOKS.c.list)
        )
        with self._database.open_reading() as connection:
            return {row.symbol: row.through for row in connection.execute(query)}

    def keep(self, name: str, found: Sequence[FoundEvent], through: Mapping[str, date]) -> int:
        """Keep what a look at one's own list found, and through which session each company was
        looked at; how many are new. One found before, by whichever replica, is kept once.

        Raises: InputError for a list that is gone, or somebody else's.
        """
        key = key_of(name)
        own = select(WATCHLISTS.c.name).where(
            WATCHLISTS.c.name == key, may_change(_KIND, WATCHLISTS.c.name)
        )
        new = 0
        with self._database.open_writing() as connection:
            if connection.execute(own).first() is None:
                raise InputError("list", name, Text("自己的列表", "a list of one's own"))
            for event in found:
                values = {
                    "list": key,
                    "symbol": event.symbol,
                    "start_on": event.start,
                    "end_on": event.end,
                    "run_id": event.run_id,
                    "document": event.model_dump_json(),
                }
                statement = insert(ALERTS).values(**values).on_conflict_do_nothing()
                new += len(connection.execute(statement.returning(ALERTS.c.symbol)).all())
            for symbol, day in through.items():
                statement = insert(ALERT_LOOKS).values(list=key, symbol=symbol, through=day)
                connection.execute(
                    statement.on_conflict_do_update(
                        index_elements=["list", "symbol"], set_={"through": day}
                    )
                )
        return new

    def new(self, limit: int = 50) -> tuple[Alert, ...]:
        """Those whose company was not looked at since, newest day first."""
        unseen = and_(
            WATCHED.c.list == ALERTS.c.list,
            WATCHED.c.symbol == ALERTS.c.symbol,
            WATCHED.c.seen_on < ALERTS.c.end_on,
        )
        query = (
            select(ALERTS.c.list, ALERTS.c.document, ALERTS.c.found_at)
            .join(WATCHED, unseen)
            .where(may_change(_KIND, ALERTS.c.list))
            .order_by(ALERTS.c.end_on.desc(), ALERTS.c.symbol, ALERTS.c.list)
            .limit(limit)
        )
        with self._database.open_reading() as connection:
            return tuple(
                Alert(
                    list=name_in(row.list),
                    event=FoundEvent.model_validate_json(row.document),
                    found_at=row.found_at.astimezone(UTC),
                )
                for row in connection.execute(query)
            )
