"""Turns of a conversation and their answers, as documents. Append only: nothing is overwritten."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import func, insert, select

from services.core.errors import InputError
from services.store.database import Database
from services.store.documents import pack, unpack
from services.store.ownership import may_read, require_own
from services.store.tables import ANSWERS, TURNS

_KIND: Final = "conversation"


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered to a turn, and the run its claims and trace are kept under."""

    run_id: str
    document: str


class TurnsHead(NamedTuple):
    """How many turns a session has, and the document of the first."""

    turns: int
    first: str


class Turns:
    """Every turn of every session that may be read; positions begin at 1."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def append(self, session_id: str, position: int, document: str) -> bool:
        """Keep the turn at that position; False where that is not the next: the session went on
        elsewhere in the meantime.

        Raises: InputError for somebody else's session, NotAllowedError for a reader.
        """
        last = select(func.coalesce(func.max(TURNS.c.position), 0)).where(
            TURNS.c.session_id == session_id
        )
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, session_id)
            if connection.execute(last).scalar_one() != position - 1:
                return False
            connection.execute(
                insert(TURNS).values(session_id=session_id, position=position, document=document)
            )
        return True

    def answer(self, session_id: str, position: int, answer: StoredAnswer) -> None:
        """Keep what was answered. Raises: InputError when that turn has an answer already."""
        if self.answers(session_id, position):
            raise InputError("turn", position, "a turn that was not answered yet")
        with self._database.open_writing() as connection:
            require_own(connection, _KIND, session_id)
            connection.execute(
                insert(ANSWERS).values(
                    session_id=session_id,
                    position=position,
                    run_id=answer.run_id,
                    document=pack(answer.document.encode()),
                )
            )

    def list(self, session_id: str) -> tuple[str, ...]:
        """The turns of a session, oldest first."""
        query = (
            select(TURNS.c.document)
            .where(TURNS.c.session_id == session_id, may_read(_KIND, TURNS.c.session_id))
            .order_by(TURNS.c.position)
        )
        with self._database.open_reading() as connection:
            return tuple(connection.execute(query).scalars())

    def heads(self, session_ids: Sequence[str]) -> dict[str, TurnsHead]:
        """How many turns each of these sessions has, and the first; not those without a turn."""
        counted = (
            select(TURNS.c.session_id, func.count().label("turns"))
            .where(TURNS.c.session_id.in_(session_ids), may_read(_KIND, TURNS.c.session_id))
            .group_by(TURNS.c.session_id)
            .subquery()
        )
        query = select(counted, TURNS.c.document).join(
            TURNS, (TURNS.c.session_id == counted.c.session_id) & (TURNS.c.position == 1)
        )
        with self._database.open_reading() as connection:
            rows = connection.execute(query).all()
        return {row.session_id: TurnsHead(row.turns, row.document) for row in rows}

    def answers(self, session_id: str, position: int | None = None) -> dict[int, StoredAnswer]:
        """The answers of a session by position of their turn; of one turn if it is given."""
        readable = may_read(_KIND, ANSWERS.c.session_id)
        query = select(ANSWERS).where(ANSWERS.c.session_id == session_id, readable)
        if position is not None:
            query = query.where(ANSWERS.c.position == position)
        with self._database.open_reading() as connection:
            rows = connection.execute(query).all()
        return {
            row.position: StoredAnswer(row.run_id, unpack(row.document).decode()) for row in rows
        }
