"""A sentence of an answer with the statement it was made of: told again, it is the same."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated

from pydantic import Field

from services.core.claims import Claim
from services.core.ledger import Ledger
from services.core.record import Record
from services.core.text import LANGUAGES, Language, Text
from services.query.answering.outcomes import Asserted
from services.query.assertions.assertion import Assertion
from services.query.assertions.of_company import (
    CourseOfFigure,
    LackingFigure,
    One,
    SideBySide,
    Standing,
)
from services.query.assertions.of_days import Abnormal, SpanExtreme, Went
from services.query.assertions.of_folds import Folds, Groups
from services.query.assertions.of_lists import ListedRows, NoneFound, UnrankedRows
from services.query.assertions.of_rows import BesideFigure, Figures, FirstOfTimes
from services.query.assertions.of_screens import Led, ScreenCounts, Unplaced
from services.query.assertions.of_tests import AllTested, Tested
from services.query.assertions.order import Ordered, OrderedBy
from services.statements.book import Book
from services.statements.statement import Broken, broken
from services.statements.tongue import Tongue

AnyAssertion = Annotated[
    One | LackingFigure | SideBySide | Standing | Went | SpanExtreme | Abnormal
    | CourseOfFigure | Ordered | OrderedBy | Figures | FirstOfTimes | BesideFigure | ListedRows
    | ScreenCounts | Led | Unplaced | UnrankedRows | NoneFound | Folds | Groups | Tested
    | AllTested,
    Field(discriminator="kind"),
]  # fmt: skip


class MadeAnswer(Record):
    """One sentence of an answer. `names`: what its companies are called in it."""

    text: str
    statement: AnyAssertion
    language: Language
    names: Mapping[str, str] = {}

    def unproved(self, claims: Sequence[Claim], today: frozenset[date]) -> Broken | None:
        """Why it does not stand; None when it does. `today` are the days its figures were asked
        on. Nothing is believed: the statement is checked on the claims, and told anew.
        """
        statement = self.statement
        if statement.today is not None and statement.today not in today:
            return broken("stale", str(statement.today))
        book = Book.of_claims(claims, statement.subject, names=self.names)
        again = _tell(statement, Tongue(self.language, book))
        if isinstance(again, Broken):
            return again
        return None if again == self.text else broken("another_text", again[:80])


def made_of(said: Text, language: Language) -> MadeAnswer | None:
    """What makes the sentence in that language; None where no statement does."""
    if not isinstance(said, Asserted):
        return None
    text, names = said.in_language(language), _call(said.names, language)
    made = {"text": text, "statement": said.statement, "language": language, "names": names}
    return MadeAnswer.model_validate(made)


def tell(statement: Assertion, ledger: Ledger, names: Mapping[str, Text]) -> Text | Broken:
    """The sentence in both languages, with what makes it; why not, where it does not hold."""
    told: list[str] = []
    for language in LANGUAGES:
        text = _tell(statement, _speak(language, ledger, statement.subject, names))
        if isinstance(text, Broken):
            return text
        told.append(text)
    zh, en = told
    return Asserted(zh, en, statement, names)


def tell_unproved(
    statement: Tested, holds: Sequence[bool], ledger: Ledger, names: Mapping[str, Text]
) -> Text:
    """The sentence of a test on figures it does not tell: `holds` is what the store found. Nothing
    makes it: it is read as any other text.
    """
    lacking = [any(one and one.claim is None for one in row.figures) for row in statement.rows]
    pairs = zip(holds, lacking, strict=True)
    verdicts = ["yes" if yes else "unknown" if lacks else "no" for yes, lacks in pairs]
    tongues = [_speak(one, ledger, "", names) for one in LANGUAGES]
    return Text(*(one.sentence(statement.tell(verdicts, one).head) for one in tongues))


def _speak(language: Language, ledger: Ledger, about: str, names: Mapping[str, Text]) -> Tongue:
    return Tongue(language, Book.of_ledger(ledger, about, names=_call(names, language)))


def _call(names: Mapping[str, Text], language: Language) -> dict[str, str]:
    return {symbol: name.in_language(language) for symbol, name in names.items()}


def _tell(statement: Assertion, tongue: Tongue) -> str | Broken:
    held = statement.check(tongue.book)
    return held if isinstance(held, Broken) else statement.say(held, tongue)
