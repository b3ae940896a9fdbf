"""Watchlists: named lists of companies, each with the day it was added and a note.

Days are the market's (the snapshot has its own), so that a change since a day is of held closes.
"""

from datetime import date
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.identity import acting, require_writer
from services.core.record import Record
from services.core.text import Text
from services.store.audit import note as note_deed
from services.store.database import Database
from services.store.given_texts import check_length
from services.store.ownership import (
    held_as,
    key_of,
    leave,
    may_change,
    may_read,
    name_in,
    require_own,
    take,
    told_name,
)
from services.store.tables import ALERT_LOOKS, ALERTS, OWNERSHIP, WATCHED, WATCHLISTS

_KIND: Final = "watchlist"
LONGEST_NAME = 60
LONGEST_NOTE = 300
# Each is asked for its price and its moves whenever the list is looked at.
MOST = 50
_FULL = Text(f"一个自选列表最多 {MOST} 家", f"at most {MOST} companies in one list")


class Watched(Record):
    """One company of a list. `added_on` is what its change is told since; events after `seen_on`
    are new. `note` is the reader's own text.
    """

    symbol: str
    added_on: date
    seen_on: date
    note: str


class Watchlists:
    """The lists of whoever is acting, and those shared with them, which they cannot change; a list
    keeps the order of adding.
    """

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def names(self) -> tuple[str, ...]:
        """Every list by name, one's own before those that are shared, oldest first."""
        return tuple(self._keys())

    def own_names(self) -> tuple[str, ...]:
        """One's own lists, oldest first."""
        query = select(WATCHLISTS.c.name).where(may_change(_KIND, WATCHLISTS.c.name))
        with self._database.open_reading() as connection:
            found = connection.execute(query.order_by(WATCHLISTS.c.seq)).scalars()
            return tuple(map(name_in, found))

    def begin(self, name: str) -> str:
        """A list of that name, empty when it is new; the name as it is kept (trimmed).

        Raises: InputError for an empty or too long name, NotAllowedError for a reader.
        """
        trimmed = check_length("list", name, LONGEST_NAME)
        key = key_of(trimmed)
        statement = insert(WATCHLISTS).values(name=key).on_conflict_do_nothing()
        with self._database.open_writing() as connection:
            take(connection, _KIND, key)
            connection.execute(statement)
        return trimmed

    def end(self, name: str) -> None:
        """Forget one's own list and what it holds. Raises: InputError listing those there are,
        NotAllowedError for a reader.
        """
        key = self._own(name)
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, key)
            for table in (WATCHED, ALERTS, ALERT_LOOKS):
                connection.execute(delete(table).where(table.c.list == key))
            connection.execute(delete(WATCHLISTS).where(WATCHLISTS.c.name == key))
            leave(connection, _KIND, key)
            note_deed(connection, "deleted", _KIND, name)

    def of(self, name: str) -> tuple[Watched, ...]:
        """What the list holds, in the order of adding.

        Raises: InputError listing those there are.
        """
        key = self._require_key(name, self._keys())
        readable = may_read(_KIND, WATCHED.c.list)
        query = select(WATCHED).where(WATCHED.c.list == key, readable).order_by(WATCHED.c.seq)
        with self._database.open_reading() as connection:
            return tuple(_make_watched(row) for row in connection.execute(query))

    def holding(self, symbol: str) -> tuple[str, ...]:
        """One's own lists that hold the company."""
        query = (
            select(WATCHED.c.list)
            .join(WATCHLISTS, WATCHLISTS.c.name == WATCHED.c.list)
            .where(WATCHED.c.symbol == symbol, may_change(_KIND, WATCHED.c.list))
            .order_by(WATCHLISTS.c.seq)
        )
        with self._database.open_reading() as connection:
            return tuple(map(name_in, connection.execute(query).scalars()))

    def add(self, name: str, symbol: str, on: date, note: str = "") -> None:
        """Put the company into the list (begun when it is new); one that is there stays as it is.

        Raises: InputError for a name or note that cannot be kept, and when the list is full.
        """
        name = self.begin(name)
        note = check_length("note", note, LONGEST_NOTE, least=0)
        held = [one.symbol for one in self.of(name)]
        if symbol not in held and len(held) >= MOST:
            raise InputError("list", name, _FULL)
        values = {
            "list": key_of(name),
            "symbol": symbol,
            "added_on": on,
            "seen_on": on,
            "note": note,
        }
        statement = insert(WATCHED).values(**values).on_conflict_do_nothing()
        with self._database.open_writing() as connection:
            connection.execute(statement)

    def remove(self, name: str, symbol: str) -> None:
        """Take the company out of one's own list; nothing happens when it is not there."""
        key = self._own(name)
        with self._database.open_writing() as connection:
            connection.execute(delete(WATCHED).where(_is(key, symbol)))
            for table in (ALERTS, ALERT_LOOKS):
                found = (table.c.list == key, table.c.symbol == symbol)
                connection.execute(delete(table).where(*found, may_change(_KIND, table.c.list)))

    def write_note(self, name: str, symbol: str, note: str) -> None:
        """Replace the note. Raises: InputError for one that is too long."""
        note = check_length("note", note, LONGEST_NOTE, least=0)
        self._change(_is(self._own(name), symbol), note=note)

    def see(self, symbol: str, on: date) -> None:
        """The company was looked at: its moves up to that day are new in no list of one's own any
        more.
        """
        mine = may_change(_KIND, WATCHED.c.list)
        self._change(and_(WATCHED.c.symbol == symbol, WATCHED.c.seen_on < on, mine), seen_on=on)

    def _change(self, which: ColumnElement[bool], **values: Any) -> None:
        with self._database.open_reading() as connection:
            found = connection.execute(select(WATCHED.c.symbol).where(which)).first()
        if found is None:  # looking at a page writes only where there is something to write
            return
        with self._database.open_writing() as connection:
            connection.execute(update(WATCHED).where(which).values(**values))

    def _keys(self) -> dict[str, str]:
        """Every list by name, and what it is kept under."""
        query = select(WATCHLISTS.c.name, OWNERSHIP.c.owner, OWNERSHIP.c.owner_name)
        query = query.outerjoin(OWNERSHIP, held_as(_KIND, WATCHLISTS.c.name))
        query = query.where(may_read(_KIND, WATCHLISTS.c.name)).order_by(WATCHLISTS.c.seq)
        with self._database.open_reading() as connection:
            rows = connection.execute(query).all()
        me = acting().owner
        mine = [row for row in rows if row.owner in {None, me}]
        named = {name_in(row.name): row.name for row in mine}
        for row in rows:
            if row not in mine:
                named.setdefault(told_name(row.name, row.owner_name), row.name)
        return named

    def _require_key(self, name: str, keys: dict[str, str]) -> str:
        """What the list is kept under."""
        if name not in keys:
            expected = Text("已有列表的名称", "the name of a list")
            raise InputError("list", name, expected, choices=list(keys))
        return keys[name]

    def _own(self, name: str) -> str:
        """What one's own list is kept under."""
        require_writer()
        key = key_of(name)
        return self._require_key(
            name, {told: held for told, held in self._keys().items() if held == key}
        )


def _is(key: str, symbol: str) -> ColumnElement[bool]:
    mine = may_change(_KIND, WATCHED.c.list)
    return and_(WATCHED.c.list == key, WATCHED.c.symbol == symbol, mine)


def _make_watched(row: Row[*tuple[Any, ...]]) -> Watched:
    return Watched(symbol=row.symbol, added_on=row.added_on, seen_on=row.seen_on, note=row.note)
