"""A text made of statements, with what it was made of: told again, it is the same."""

from collections.abc import Mapping, Sequence

from services.core.claims import Claim
from services.core.record import Record
from services.core.rendering import Language
from services.statements.book import Book, Lack
from services.statements.dateline import dateline
from services.statements.paragraphs import Paragraph, tell
from services.statements.registry import AnyStatement
from services.statements.statement import Broken, Held, StatementTime, broken
from services.statements.tongue import Tongue
from services.statements.weigh import Weigh


class Opening(Record):
    """The first paragraph: whom and of when, the answer, and the figures one looks for first.

    `dated` are all statements of the report: what its dateline is of.
    """

    name: str
    dated: tuple[AnyStatement, ...]
    answer: Weigh
    levels: tuple[AnyStatement, ...] = ()


class Made(Record):
    """One text of a report and its statements. `year`: days of it go without their year;
    `wording`: how its sentences are worded (`Tongue.wording`), 1 where nothing says so.
    """

    text: str
    part: Opening | Paragraph
    symbol: str
    language: Language
    year: int
    lender: bool = False
    names: Mapping[str, str] = {}
    wording: int = 1

    @property
    def statements(self) -> tuple[AnyStatement, ...]:
        """Every statement it tells."""
        if isinstance(self.part, Paragraph):
            return self.part.statements
        return (*self.part.levels, *self.part.answer.pro, *self.part.answer.con)


def tell_part(part: Opening | Paragraph, tongue: Tongue) -> str | Broken:
    """The text of that part; why not, where a statement of it does not hold."""
    if isinstance(part, Paragraph):
        return tell(part, tongue)
    held: list[Held] = []
    for one in part.dated:
        found = one.check(tongue.book)
        if isinstance(found, Broken):
            return found
        held.append(found)
    if (wrong := part.answer.check(tongue.book, ())) is not None:
        return wrong
    sentences = [part.answer.say(tongue.book, tongue, part.name)]
    levels = _levels(part.levels, tongue)
    if isinstance(levels, Broken):
        return levels
    sentences += levels
    sentences.append(dateline(held, tongue))
    return tongue.pick("", " ").join(one for one in sentences if one)


def _levels(levels: Sequence[AnyStatement], tongue: Tongue) -> list[str] | Broken:
    """A sentence a time, the figures of one time side by side."""
    by_time: dict[StatementTime, list[str]] = {}
    for one in levels:
        found = one.check(tongue.book)
        if isinstance(found, Broken):
            return found
        by_time.setdefault(found.when, []).append(one.clause(found, tongue).head)
    return [
        tongue.sentence(
            tongue.comma.join(part for part in (tongue.at(when.period, when.day), *heads) if part)
        )
        for when, heads in by_time.items()
    ]


def unproved(
    made: Sequence[Made], claims: Sequence[Claim], lacks: Sequence[Lack] = ()
) -> Broken | None:
    """The first reason why one of the texts does not stand; None when all do.

    Nothing is believed: each statement is checked anew on the claims, and the text told anew.
    """
    for one in made:
        book = Book.of_claims(
            claims, one.symbol, names=one.names, lender=one.lender, lacks=lacks
        )  # fmt: skip
        again = tell_part(one.part, Tongue(one.language, book, one.year, one.wording))
        if isinstance(again, Broken):
            return again
        if again != one.text:
            return broken("another_text", _difference(one.text, again))
    return None


def _difference(text: str, again: str) -> str:
    """Where the two part, some characters of each."""
    at = next((n for n, (a, b) in enumerate(zip(text, again, strict=False)) if a != b), 0)
    return f"«{text[max(0, at - 4) : at + 8]}» / «{again[max(0, at - 4) : at + 8]}»"
