"""Whose a record is: the one condition in every lookup by id, and sharing with the team.

A record nobody is named for is of the one reader a workbench without a sign-in has, who writes
nothing here; so that there nothing is looked up and nothing costs. A run may be read by whoever may
read the conversation or the job it belongs to.
"""

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.identity import LOCAL, Identity, Kind, acting, require_writer
from services.core.record import Record
from services.core.text import Text
from services.store.audit import note
from services.store.database import Database
from services.store.tables import ANSWERS, JOB_RESULTS, OWNERSHIP

_NOT_YOURS = Text("你自己的", "one of your own")


class Ownership(Record):
    """Of whom a record is, by the name others see, whether that is who is acting, and whether the
    team may read it.
    """

    owner_name: str
    mine: bool
    shared: bool


def may_read(kind: Kind, key: Any) -> ColumnElement[bool]:
    """That the record with that key (a column) may be read by whoever is acting: it is their own,
    or shared with their team.
    """
    me = acting()
    if me.local:
        return _of_nobody(kind, key)
    shared = and_(OWNERSHIP.c.shared, OWNERSHIP.c.team == me.team)
    readable = _match_key(kind, key, or_(OWNERSHIP.c.owner == me.owner, shared))
    if kind != "run":
        return readable
    answered = select(ANSWERS.c.run_id).where(may_read("conversation", ANSWERS.c.session_id))
    ended = select(JOB_RESULTS.c.run_id).where(
        JOB_RESULTS.c.run_id.is_not(None), may_read("job", JOB_RESULTS.c.job_id)
    )
    return or_(readable, key.in_(answered), key.in_(ended))


def may_change(kind: Kind, key: Any) -> ColumnElement[bool]:
    """That the record with that key (a column) is of whoever is acting."""
    me = acting()
    if me.local:
        return _of_nobody(kind, key)
    return _match_key(kind, key, OWNERSHIP.c.owner == me.owner)


def take(connection: Connection, kind: Kind, key: str) -> None:
    """Note that the record with that key, made in this very transaction, is of whoever is acting.

    Raises: NotAllowedError for a reader, whose are but the runs of the pages looked at.
    """
    me = acting() if kind == "run" else require_writer()
    if not me.local:
        row = {"kind": kind, "id": key, "shared": False, **_columns(me)}
        connection.execute(insert(OWNERSHIP).values(row).on_conflict_do_nothing())


def require_own(connection: Connection, kind: Kind, key: str) -> None:
    """Raises: InputError for a record that is not one's own, as for one that is not there;
    NotAllowedError for a reader.
    """
    require_writer()
    if not connection.execute(select(may_change(kind, literal(key)))).scalar():
        raise InputError(kind, name_in(key), _NOT_YOURS)


def leave(connection: Connection, kind: Kind, key: str) -> None:
    """Forget whose the record was, which is gone: a next one with that key is its maker's."""
    mine = (OWNERSHIP.c.kind == kind, OWNERSHIP.c.id == key, OWNERSHIP.c.owner == acting().owner)
    connection.execute(delete(OWNERSHIP).where(*mine))


def key_of(name: str) -> str:
    """What a record that its owner calls so is kept under: the name, behind a line that says whose,
    with which no (trimmed) name of the reader without a sign-in begins.
    """
    me = acting()
    return name if me.local else f"\n{me.owner}\n{name}"


def name_in(key: str) -> str:
    """What its owner calls the record kept under that key."""
    return key.split("\n", 2)[2] if key.startswith("\n") else key


def told_name(key: str, by: str | None) -> str:
    """What the record kept under that key is called in a list: with whose it is, if another's."""
    return name_in(key) if by is None else f"{name_in(key)} · {by}"


def held_as(kind: Kind, key: Any) -> ColumnElement[bool]:
    """That a line of OWNERSHIP is of the record with that key (a column): to join it by."""
    return and_(OWNERSHIP.c.kind == kind, OWNERSHIP.c.id == key)


def list_owners(database: Database, kind: Kind) -> tuple[Identity, ...]:
    """Everybody who has a record of that kind, and the reader there is without a sign-in: for what
    is done by schedule in their name. Of what they may do nothing is known: they are readers.
    """
    of_kind = select(OWNERSHIP.c.owner, OWNERSHIP.c.owner_name, OWNERSHIP.c.team).where(
        OWNERSHIP.c.kind == kind
    )
    with database.open_reading() as connection:
        rows = connection.execute(of_kind.distinct().order_by(OWNERSHIP.c.owner)).all()
    people = {row.owner: Identity(owner=row[0], name=row[1], team=row[2]) for row in rows}
    return (LOCAL, *people.values())


class Sharing:
    """Gives what is one's own to the team to read, and takes it back. Safe to share."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def share(self, kind: Kind, name: str, *, shared: bool) -> None:
        """Let the team read it from now on, or no more; `name` is the id, or what a screen or list
        is called.

        Raises: InputError for what is not one's own, NotAllowedError for a reader.
        """
        key = _key(kind, name)
        given = update(OWNERSHIP).where(OWNERSHIP.c.kind == kind, OWNERSHIP.c.id == key)
        with self._database.open_writing() as connection:
            require_own(connection, kind, key)
            connection.execute(given.values(shared=shared, team=acting().team))
            note(connection, "shared" if shared else "unshared", kind, name)

    def of(self, kind: Kind, name: str) -> Ownership | None:
        """Of whom it is, if it may be read; None without a sign-in."""
        me = acting()
        query = select(OWNERSHIP).where(
            held_as(kind, _key(kind, name)), may_read(kind, OWNERSHIP.c.id)
        )
        with self._database.open_reading() as connection:
            row = None if me.local else connection.execute(query).first()
        if row is None:
            return None
        return Ownership(owner_name=row.owner_name, mine=row.owner == me.owner, shared=row.shared)


def _key(kind: Kind, name: str) -> str:
    return key_of(name) if kind in {"screen", "watchlist"} else name


def _of_nobody(kind: Kind, key: Any) -> ColumnElement[bool]:
    return key.not_in(select(OWNERSHIP.c.id).where(OWNERSHIP.c.kind == kind))


def _match_key(kind: Kind, key: Any, which: ColumnElement[bool]) -> ColumnElement[bool]:
    return key.in_(select(OWNERSHIP.c.id).where(OWNERSHIP.c.kind == kind, which))


def _columns(me: Identity) -> dict[str, str]:
    return {"owner": me.owner, "owner_name": me.name, "team": me.team}
