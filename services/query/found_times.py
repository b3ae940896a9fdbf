"""A turn that points at a time the turn before found or told is read behind the figure of that
time: 那年营收多少, 第二天涨了多少, and the lowest close since then.

What was found is looked up again, and kept nowhere: the turn is a question with that day in it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from services.core.errors import ConfigError, InputError, NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.text import Language
from services.market.calendar import Calendar
from services.query.algebra.nodes import Query
from services.query.algebra.run import first_time
from services.query.answering.desk import ActionDesk
from services.query.planning.nlir import Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.conversations import kept_query
from services.query.reading.readers import ReadTurn
from services.query.reading.time_found import (
    TimeFound,
    at_time,
    finding,
    is_of_time,
    points_at_time,
    said_of_time,
    time_told,
)
from services.tools.running import Runner


@dataclass(frozen=True, slots=True)
class FoundTimes:
    """Reads such turns. `read_turn` reads any; `wire` writes a query into the turn that asked it;
    `desk` is what a query is looked up with, on a ledger that nobody keeps.
    """

    read_turn: Callable[[str, Session], ReadTurn]
    calendar: Calendar
    wire: Callable[[Query, Turn, Language], Turn]
    runner: Runner
    desk: Callable[[Ledger], ActionDesk]

    def read(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        """The turn with that time in it; None where it points at none, or is not read so."""
        last = context.turns[-1] if context.turns else None
        query = kept_query(last) if last is not None else None
        found = self._find(text, query, language) if query is not None else None
        if last is None or found is None:
            return None
        told = self.wire(found.query, last, language)
        behind = context.model_copy(update={"turns": (*context.turns[:-1], told)})
        said = said_of_time(text, found, language, self.calendar)
        for at, one in enumerate(said):
            read = self.read_turn(one, behind)
            is_there = not at or (isinstance(read.query, Query) and is_of_time(read.query, found))
            if _is_answered(read) and is_there:
                return replace(read, goes_on=True)
        return None

    def _find(self, text: str, query: Query, language: Language) -> TimeFound | None:
        """The time the query is of, or the one it found."""
        asked = finding(query)
        if asked is None:
            return time_told(query)
        if not points_at_time(text, asked, language):
            return None
        try:
            token = self.runner.try_out(
                "time", {}, lambda ledger: first_time(asked, self.desk(ledger))
            )
        except (NoDataError, ProviderError, ConfigError, InputError):
            return None
        return at_time(asked, token) if token else None


def _is_answered(read: ReadTurn) -> bool:
    """Whether it is a plan, or is left with plans to choose from."""
    if isinstance(read.query, Query) and read.query.unheld is not None:
        return False
    return read.query is not None or isinstance(read.answer, Nlir) or bool(read.options)
