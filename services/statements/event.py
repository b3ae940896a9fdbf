"""An abnormal session or stretch, as the timeline tells it: its parts, each proved by its figures,
the index's move beside it, and a cause only where one was found.
"""

from typing import Literal

from pydantic import Field

from services.statements.alike import size_of
from services.statements.book import Book
from services.statements.event_parts import EventPart, Proved, own_move, prove_parts
from services.statements.event_words import say_part
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue

_MOST_PARTS = 16


class EventStatement(Statement):
    """What happened, in the order it is told."""

    kind: Literal["event"] = "event"
    parts: tuple[EventPart, ...] = Field(min_length=1, max_length=_MOST_PARTS)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        found = prove_parts(self.parts, book)
        move = own_move(found)
        need(move is not None or self.is_flagged, "not_the_inputs_of_the_rule", "event")
        scores = [one.figures[1] for one in found if one.part.what == "z"]
        uses = tuple(claim for one in found for claim in one.figures)
        day = max((one.as_of for one in uses), default=book.last_day)
        age = (book.last_day - day).days if book.last_day and day else 0
        size = size_of(scores[0].value / 6) if scores else 0.5
        word = "flagged" if move is None else "up" if move.value > 0 else "down"
        return Held(word, "return_z", "event", 0, size * max(0.2, 1 - age / 365), uses)

    @property
    def is_flagged(self) -> bool:
        """Whether others noted it and there is no figure of its own: a day without a bar."""
        return all(one.what in {"quoted", "unexplained"} for one in self.parts)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`: with its day in front."""
        own = [one for one in held.uses if one.symbol == tongue.book.symbol]
        day = max((one.as_of for one in own), default=None)
        at = tongue.pick(f"{day} 异动：", f"{day} abnormal move: ") if day else ""
        told = "".join(self.told(tongue))
        if not tongue.zh:
            told = told[:1].upper() + told[1:]
        return Clause(at + told)

    def told(self, tongue: Tongue, *, without: frozenset[str] = frozenset()) -> list[str]:
        """The parts in words with what parts them, but for those named `without`."""
        claims = tongue.book.claims
        found: list[Proved] = []
        said: list[str] = []
        for part in self.parts:
            one = Proved(part, tuple(claims[name] for name in part.claims))
            if part.what not in without:
                said.append(say_part(one, found, tongue))
            found.append(one)
        stop = tongue.pick("；", "; ")
        return [text + (stop if at + 1 < len(said) else "") for at, text in enumerate(said)]
