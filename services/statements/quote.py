"""Words of a notice, headline or post, as they stand there."""

from typing import Literal

from pydantic import Field

from services.statements.book import Book
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue

# A quotation may not close its own signs, nor look like a place of a figure.
_SIGNS = str.maketrans({"「": "『", "」": "』", "{": "｛", "}": "｝", "\n": " "})


class QuoteStatement(Statement):
    """`span` stands word for word in the text called `source`."""

    kind: Literal["quote"] = "quote"
    source: str
    span: str = Field(min_length=4, max_length=60)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        need(self.source in book.texts, "unknown_source")
        need(self.span in book.texts[self.source], "not_word_for_word")
        return Held("quote", "quote", "event", 0, 0.4)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        del held, tongue
        return Clause(f"「{self.span.translate(_SIGNS)}」")
