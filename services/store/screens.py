"""Saved screens: a name for a set of screening arguments, replaced when saved again."""

from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue
from pydantic_core import from_json, to_json
from sqlalchemy import Row, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from services.core.errors import InputError
from services.core.record import Record
from services.store.database import Database
from services.store.tables import SCREENS

_LONGEST_NAME = 60


class Screen(Record):
    """Screening arguments as the user wrote them; `saved_at` is real time, not the market's."""

    name: str
    arguments: dict[str, JsonValue]
    saved_at: datetime


class Screens:
    """The saved screens of this store, shared by its users."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def save(self, name: str, arguments: dict[str, JsonValue]) -> Screen:
        """Keep `arguments` under `name` (trimmed), replacing what was there.

        Raises: InputError for an empty or too long name.
        """
        trimmed = name.strip()
        if not 1 <= len(trimmed) <= _LONGEST_NAME:
            raise InputError("name", name, f"1 to {_LONGEST_NAME} characters")
        text = to_json(arguments).decode()
        with self._database.writing() as connection:
            connection.execute(
                insert(SCREENS)
                .values(name=trimmed, arguments=text)
                .on_conflict_do_update(
                    index_elements=["name"], set_={"arguments": text, "saved_at": func.now()}
                )
            )
        return self.load(trimmed)

    def list(self) -> tuple[Screen, ...]:
        """Every saved screen, by name."""
        with self._database.reading() as connection:
            return tuple(
                _screen(row) for row in connection.execute(select(SCREENS).order_by(SCREENS.c.name))
            )

    def load(self, name: str) -> Screen:
        """The screen saved under `name`. Raises: InputError listing those there are."""
        query = select(SCREENS).where(SCREENS.c.name == name.strip())
        with self._database.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            choices = [screen.name for screen in self.list()]
            raise InputError("name", name, "the name of a saved screen", choices=choices)
        return _screen(row)

    def delete(self, name: str) -> None:
        """Forget the screen; nothing happens when there is none."""
        with self._database.writing() as connection:
            connection.execute(delete(SCREENS).where(SCREENS.c.name == name.strip()))


def _screen(row: Row[*tuple[Any, ...]]) -> Screen:
    return Screen(
        name=row.name,
        arguments=from_json(row.arguments),
        saved_at=row.saved_at.astimezone(UTC),
    )
