"""Saved screens: a name for a set of screening arguments, replaced when saved again."""

from datetime import UTC, datetime
from typing import Any, Final

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import Row, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.identity import acting, require_writer
from services.core.record import Record
from services.store.audit import note
from services.store.database import Database
from services.store.given_texts import check_length
from services.store.ownership import (
    held_as,
    key_of,
    leave,
    may_change,
    may_read,
    name_in,
    take,
    told_name,
)
from services.store.tables import OWNERSHIP, SCREENS

_KIND: Final = "screen"
_LONGEST_NAME = 60


class Screen(Record):
    """Screening arguments as the user wrote them; `saved_at` is real time, not the market's.

    `by` is who shares it, null for one's own; its `name` then says so too, and is what it is
    loaded by.
    """

    name: str
    arguments: dict[str, JsonValue]
    saved_at: datetime
    by: str | None = None


class Screens:
    """The saved screens of whoever is acting, and those shared with them."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def save(self, name: str, arguments: dict[str, JsonValue]) -> Screen:
        """Keep `arguments` under `name` (trimmed), replacing what was there.

        Raises: InputError for an empty or too long name, NotAllowedError for a reader.
        """
        trimmed = check_length("name", name, _LONGEST_NAME)
        text, key = to_json(arguments).decode(), key_of(trimmed)
        with self._database.open_writing() as connection:
            take(connection, _KIND, key)
            connection.execute(
                insert(SCREENS)
                .values(name=key, arguments=text)
                .on_conflict_do_update(
                    index_elements=["name"], set_={"arguments": text, "saved_at": func.now()}
                )
            )
        return self.load(trimmed)

    def list(self) -> tuple[Screen, ...]:
        """Every saved screen, by name: one's own before those that are shared."""
        query = select(SCREENS, OWNERSHIP.c.owner, OWNERSHIP.c.owner_name)
        query = query.outerjoin(OWNERSHIP, held_as(_KIND, SCREENS.c.name))
        with self._database.open_reading() as connection:
            rows = connection.execute(query.where(may_read(_KIND, SCREENS.c.name))).all()
        found = [_screen(row) for row in rows]
        return tuple(sorted(found, key=lambda screen: (screen.by is not None, screen.name)))

    def load(self, name: str) -> Screen:
        """The screen listed under `name`. Raises: InputError listing those there are."""
        known = {screen.name: screen for screen in reversed(self.list())}
        if (found := known.get(name.strip())) is None:
            raise InputError("name", name, "the name of a saved screen", choices=sorted(known))
        return found

    def delete(self, name: str) -> None:
        """Forget one's own screen; nothing happens when there is none. Raises: NotAllowedError."""
        require_writer()
        key = key_of(name.strip())
        with self._database.open_writing() as connection:
            mine = may_change(_KIND, SCREENS.c.name)
            connection.execute(delete(SCREENS).where(SCREENS.c.name == key, mine))
            leave(connection, _KIND, key)
            note(connection, "deleted", _KIND, name_in(key))


def _screen(row: Row[*tuple[Any, ...]]) -> Screen:
    by = None if row.owner in {None, acting().owner} else str(row.owner_name)
    return Screen(
        name=told_name(row.name, by),
        arguments=from_json(row.arguments),
        saved_at=row.saved_at.astimezone(UTC),
        by=by,
    )
