"""A turn that points at a time the turn before found or told is read behind the figure of that
time: 那年营收多少, 第二天涨了多少, and the lowest close since then.

What was found is looked up again, and kept nowhere: the turn is a question with that day in it.
So is what stands behind a question that finds a time: 哪年利润最低，比前一年少了多少.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from services.core.errors import ConfigError, InputError, NoDataError, ProviderError
from services.core.lazy import import_later
from services.core.ledger import Ledger
from services.core.text import Language
from services.market.calendar import Calendar
from services.query.algebra.nodes import Query, Several
from services.query.planning.nlir import Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.conversations import kept_query
from services.query.reading.readers import ReadTurn
from services.query.reading.time_found import (
    GRAINS,
    TimeFound,
    at_time,
    finding,
    is_of_time,
    points_at,
    points_at_time,
    said_of_time,
    time_told,
)
from services.tools.running import Runner

# What carries a query out is not needed where a plan is only read.
if TYPE_CHECKING:
    from services.query.algebra import run as running
    from services.query.answering.desk import ActionDesk
else:
    running = import_later("services.query.algebra.run")

# Where a second question may begin in a turn.
_BREAK = re.compile(r"[?？,，;；](?=.)|\s(?=and\b)")


@dataclass(frozen=True, slots=True)
class FoundTimes:
    """Reads such turns. `read_turn` reads any; `wire` writes a query into the turn that asked it;
    `desk` is what a query is looked up with, on a ledger that nobody keeps.
    """

    read_turn: Callable[[str, Session], ReadTurn]
    calendar: Calendar
    wire: Callable[[Query, Turn, Language], Turn]
    runner: Runner
    desk: "Callable[[Ledger], ActionDesk]"

    def read(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        """The turn with that time in it; None where it points at none, or is not read so."""
        behind = self._read_behind(text, context, language)
        return behind or self._read_both(text, context, language)

    def _read_both(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        """A question that finds a time, and one behind it that points there; None where the whole
        is read as a figure of that time beside it.
        """
        for at in _BREAK.finditer(text):
            first, rest = text[: at.start()], text[at.end() :]
            if not any(points_at(rest, grain, language) for grain in GRAINS):
                continue
            read = self.read_turn(first, context)
            asked = read.query
            if not isinstance(asked, Query) or finding(asked) is None:
                continue
            name = f"turn_{len(context.turns) + 1:02}"
            turn = Turn(turn_id=name, user_query=first, language=context.language)
            told = self.wire(asked, turn, language)
            behind = context.model_copy(update={"turns": (*context.turns, told)})
            then = self._read_behind(rest, behind, language)
            if then is None or not isinstance(then.query, Query):
                continue
            whole = self.read_turn(text, context).query
            if isinstance(whole, Query) and whole != asked == whole.but(show=asked.show):
                return None
            return replace(read, query=Several(queries=(asked, then.query)))
        return None

    def _read_behind(self, text: str, context: Session, language: Language) -> ReadTurn | None:
        last = context.turns[-1] if context.turns else None
        query = kept_query(last) if last is not None else None
        found = self._find(text, query, language) if query is not None else None
        if last is None or found is None:
            return None
        said = [*said_of_time(text, found, language, self.calendar)]
        if said and not found.is_told:
            told = self.wire(found.query, last, language)
            context = context.model_copy(update={"turns": (*context.turns[:-1], told)})
        for at, one in enumerate(said):
            read = self.read_turn(one, context)
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
                "time", {}, lambda ledger: running.first_time(asked, self.desk(ledger))
            )
        except (NoDataError, ProviderError, ConfigError, InputError):
            return None
        return at_time(asked, token) if token else None


def _is_answered(read: ReadTurn) -> bool:
    """Whether it is a plan, or is left with plans to choose from."""
    if isinstance(read.query, Query) and read.query.unheld is not None:
        return False
    return read.query is not None or isinstance(read.answer, Nlir) or bool(read.options)
