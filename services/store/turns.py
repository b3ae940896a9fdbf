"""Turns of a conversation and their answers, as documents. Append only: nothing is overwritten."""

from dataclasses import dataclass

from sqlalchemy import func, insert, select

from services.core.errors import InputError
from services.store.database import Database
from services.store.documents import pack, unpack
from services.store.tables import ANSWERS, TURNS


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered to a turn, and the run its claims and trace are kept under."""

    run_id: str
    document: str


class Turns:
    """Every turn of every session; positions begin at 1."""

    def __init__(self, database: Database) -> None:
        """`database` keeps the records."""
        self._database = database

    def append(self, session_id: str, position: int, document: str) -> None:
        """Keep the turn at that position, which must be the next.

        Raises: InputError when the session went on elsewhere in the meantime.
        """
        last = select(func.coalesce(func.max(TURNS.c.position), 0)).where(
            TURNS.c.session_id == session_id
        )
        with self._database.writing() as connection:
            if connection.execute(last).scalar_one() != position - 1:
                raise InputError("session", session_id, "a session that no one else goes on with")
            connection.execute(
                insert(TURNS).values(session_id=session_id, position=position, document=document)
            )

    def answer(self, session_id: str, position: int, answer: StoredAnswer) -> None:
        """Keep what was answered. Raises: InputError when that turn has an answer already."""
        if self.answers(session_id, position):
            raise InputError("turn", position, "a turn that was not answered yet")
        with self._database.writing() as connection:
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
            .where(TURNS.c.session_id == session_id)
            .order_by(TURNS.c.position)
        )
        with self._database.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def answers(self, session_id: str, position: int | None = None) -> dict[int, StoredAnswer]:
        """The answers of a session by position of their turn; of one turn if it is given."""
        query = select(ANSWERS).where(ANSWERS.c.session_id == session_id)
        if position is not None:
            query = query.where(ANSWERS.c.position == position)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return {
            row.position: StoredAnswer(row.run_id, unpack(row.document).decode()) for row in rows
        }
