"""What was asked for and did not come, with the reason."""

from typing import Literal

from services.statements.book import Book
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue


class GapStatement(Statement):
    """`what` is the Chinese name of what lacks."""

    kind: Literal["gap"] = "gap"
    what: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        need(any(lack.what.zh == self.what for lack in book.lacks), "not_missing")
        return Held("gap", self.what, "none", 0, 0.2)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        lack = next(one for one in tongue.book.lacks if one.what.zh == held.topic)
        what, why = lack.what.in_language(tongue.language), lack.why.in_language(tongue.language)
        return Clause(tongue.pick(f"{what}（{why}）", f"{what} ({why})"))
