"""What every kind of statement is: a record that code proves and says.

A record has no field for a direction, a sign or an adjective: which way a figure went is found.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from typing import Literal

from services.core.claims import Claim
from services.core.record import Record
from services.core.text import Text
from services.statements.book import Book
from services.statements.reasons import REASONS
from services.statements.tongue import Tongue

Stance = Literal[-1, 0, 1]
Factor = Literal["growth", "quality", "valuation", "size", "price", "event", "none"]


@dataclass(frozen=True, slots=True)
class StatementTime:
    """The time a statement is of: an annual report, a day, or none."""

    period: str | None = None
    day: date | None = None

    @property
    def order(self) -> tuple[str, str]:
        """Sorts newest last; reports before days of one year."""
        return (self.period or "", self.day.isoformat() if self.day else "")


@dataclass(frozen=True, slots=True)
class Held:
    """A statement that is true, and what code found.

    `word` is the direction, `stance` whether it speaks for the company (1), against it (-1) or
    neither; `size` 0…1 how big it is; `uses` the claims it points at and `derived` those it adds.
    `topic` is the figure it is about.
    """

    word: str
    topic: str
    factor: Factor = "none"
    stance: Stance = 0
    size: float = 0.0
    uses: tuple[Claim, ...] = ()
    derived: tuple[Claim, ...] = ()
    when: StatementTime = StatementTime()


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a statement may not be said: a code of `reasons.py`, and the reason in words."""

    code: str
    why: Text


class BrokenError(Exception):
    """Raised within a check; never leaves the floor."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.broken = broken(code, detail)


def broken(code: str, detail: str = "") -> Broken:
    """The refusal of that code; `detail` are the values that decided."""
    why = REASONS[code]
    shown = Text(f"（{detail}）", f" ({detail})") if detail else Text("", "")
    return Broken(code, Text(why.zh + shown.zh, why.en + shown.en))


def need(holds: object, code: str, detail: str = "") -> None:
    """Raises: BrokenError of that code unless it holds."""
    if not holds:
        raise BrokenError(code, detail)


@dataclass(frozen=True, slots=True)
class Clause:
    """A statement as it is joined: what, with its own figure; and what is said of it."""

    head: str
    tail: str = ""


class Statement(Record, ABC):
    """One thing that may be said of a company, as a frozen record."""

    def check(self, book: Book) -> Held | Broken:
        """What code found, or why it may not be said. Derived figures are added to the book."""
        try:
            return self.prove(book)
        except BrokenError as error:
            return error.broken

    def say(self, held: Held, tongue: Tongue) -> str:
        """The whole sentence, with places where figures stand."""
        clause = self.clause(held, tongue)
        parts = [tongue.at(held.when.period, held.when.day), clause.head, clause.tail]
        return tongue.sentence(tongue.comma.join(part for part in parts if part))

    @abstractmethod
    def prove(self, book: Book) -> Held:
        """As `check`. Raises: BrokenError."""

    @abstractmethod
    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """Head and tail, templates with places."""

    def brief(self, held: Held, tongue: Tongue) -> str:
        """A few words without a figure, for answers; empty where the kind has none."""
        del held, tongue
        return ""
