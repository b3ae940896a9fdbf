"""Watchlists: named lists of companies, each with the day it was added and a note.

Days are the market's (the snapshot has its own), so that a change since a day is of held closes.
"""

from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.record import Record
from services.core.text import Text
from services.store.database import Database
from services.store.tables import WATCHED, WATCHLISTS

LONGEST_NAME = 60
LONGEST_NOTE = 300
# Each is asked for its price and its moves whenever the list is looked at.
MOST = 50
_FULL = Text(f"一个自选列表最多 {MOST} 家", f"at most {MOST} companies in one list")
_NAME = Text(f"1 到 {LONGEST_NAME} 个字", f"1 to {LONGEST_NAME} characters")
_NOTE = Text(f"最多 {LONGEST_NOTE} 个字", f"at most {LONGEST_NOTE} characters")


class Watched(Record):
    """One company of a list. `added_on` is what its change is told since; events after `seen_on`
    are new. `note` is the reader's own text.
    """

    symbol: str
    added_on: date
    seen_on: date
    note: str


class Watchlists:
    """The lists of this store, shared by its users; a list keeps the order of adding."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def names(self) -> tuple[str, ...]:
        """Every list, oldest first."""
        query = select(WATCHLISTS.c.name).order_by(WATCHLISTS.c.seq)
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def begin(self, name: str) -> str:
        """A list of that name, empty when it is new; the name as it is kept (trimmed).

        Raises: InputError for an empty or too long name.
        """
        trimmed = _checked("list", name.strip(), _NAME, least=1, most=LONGEST_NAME)
        statement = insert(WATCHLISTS).values(name=trimmed).on_conflict_do_nothing()
        with self._database.writing() as connection:
            connection.execute(statement)
        return trimmed

    def end(self, name: str) -> None:
        """Forget the list and what it holds. Raises: InputError listing those there are."""
        self._known(name)
        with self._database.writing() as connection:
            connection.execute(delete(WATCHED).where(WATCHED.c.list == name))
            connection.execute(delete(WATCHLISTS).where(WATCHLISTS.c.name == name))

    def of(self, name: str) -> tuple[Watched, ...]:
        """What the list holds, in the order of adding.

        Raises: InputError listing those there are.
        """
        self._known(name)
        query = select(WATCHED).where(WATCHED.c.list == name).order_by(WATCHED.c.seq)
        with self._database.reading() as connection:
            return tuple(_watched(row) for row in connection.execute(query))

    def holding(self, symbol: str) -> tuple[str, ...]:
        """The lists that hold the company."""
        query = (
            select(WATCHED.c.list)
            .join(WATCHLISTS, WATCHLISTS.c.name == WATCHED.c.list)
            .where(WATCHED.c.symbol == symbol)
            .order_by(WATCHLISTS.c.seq)
        )
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def add(self, name: str, symbol: str, on: date, note: str = "") -> None:
        """Put the company into the list (begun when it is new); one that is there stays as it is.

        Raises: InputError for a name or note that cannot be kept, and when the list is full.
        """
        name = self.begin(name)
        note = _checked("note", note.strip(), _NOTE, least=0, most=LONGEST_NOTE)
        held = [one.symbol for one in self.of(name)]
        if symbol not in held and len(held) >= MOST:
            raise InputError("list", name, _FULL)
        values = {"list": name, "symbol": symbol, "added_on": on, "seen_on": on, "note": note}
        statement = insert(WATCHED).values(**values).on_conflict_do_nothing()
        with self._database.writing() as connection:
            connection.execute(statement)

    def remove(self, name: str, symbol: str) -> None:
        """Take the company out of the list; nothing happens when it is not there."""
        self._known(name)
        with self._database.writing() as connection:
            connection.execute(delete(WATCHED).where(_is(name, symbol)))

    def write_note(self, name: str, symbol: str, note: str) -> None:
        """Replace the note. Raises: InputError for one that is too long."""
        note = _checked("note", note.strip(), _NOTE, least=0, most=LONGEST_NOTE)
        self._change(_is(name, symbol), note=note)

    def see(self, symbol: str, on: date) -> None:
        """The company was looked at: its moves up to that day are new in no list any more."""
        self._change(and_(WATCHED.c.symbol == symbol, WATCHED.c.seen_on < on), seen_on=on)

    def _change(self, which: ColumnElement[bool], **values: Any) -> None:
        with self._database.reading() as connection:
            found = connection.execute(select(WATCHED.c.symbol).where(which)).first()
        if found is None:  # looking at a page writes only where there is something to write
            return
        with self._database.writing() as connection:
            connection.execute(update(WATCHED).where(which).values(**values))

    def _known(self, name: str) -> None:
        names = self.names()
        if name not in names:
            expected = Text("已有列表的名称", "the name of a list")
            raise InputError("list", name, expected, choices=list(names))


def _is(name: str, symbol: str) -> ColumnElement[bool]:
    return and_(WATCHED.c.list == name, WATCHED.c.symbol == symbol)


def _checked(field: str, text: str, expected: Text, *, least: int, most: int) -> str:
    if not least <= len(text) <= most:
        raise InputError(field, text, expected)
    return text


def _watched(row: Row[*tuple[Any, ...]]) -> Watched:
    return Watched(symbol=row.symbol, added_on=row.added_on, seen_on=row.seen_on, note=row.note)
