"""Figures over companies: that a claim counts or folds what its words say it does."""

from collections.abc import Iterator, Sequence

from services.core.claims import Claim
from services.core.expression_text import symbols_of
from services.core.record import Record
from services.core.rendering import place
from services.query.algebra.formula_text import ExpressionWriter, NoTextError
from services.query.algebra.nodes import TIMED, Expr, Folded, Pred, figures_in
from services.query.algebra.statements import counted_by
from services.query.algebra.times import is_barred, reads_bars
from services.query.assertions.assertion import OfQuery, cited, need_formula
from services.statements.book import Book
from services.statements.statement import need
from services.statements.tongue import Tongue

_NAMED = "symbol in ("


class RowKey(Record):
    """A company, or a time of one, that a fold is over."""

    symbol: str
    at: str = ""


class Counted(OfQuery):
    """An assertion with figures over companies."""

    def masks(self, claim: Claim, pred: Pred | None) -> Iterator[str]:
        """How the companies may stand in the claim: by what was asked; by their names only where
        that stands in no expression or the rows were picked by their places.
        """
        query = self.query
        picked = query.take is not None and query.group is None
        by_name = picked or query.first is not None or bool(query.less)
        by_name |= any(map(is_barred, figures_in(pred)))
        try:
            yield self.writer().write(pred) if pred is not None else "True"
        except NoTextError:
            by_name = True
        if by_name:
            formula = getattr(claim.cite, "formula", "")
            # Whoever the claim names: the verifier counts them, the table lists them.
            start = formula.find(_NAMED)
            if start >= 0:
                yield formula[start : formula.index(")", start) + 1]

    def need_fold(
        self,
        book: Book,
        name: str,
        fold: Folded,
        pred: Pred | None,
        rows: Sequence[RowKey] = (),
    ) -> Claim:
        """That claim is the fold over the companies of the predicate, or over these rows.

        Raises: BrokenError.
        """
        claim = cited(book, name)
        value = "1.0" if fold.of is None else self.writer().write(fold.of)
        is_of_times = self.query.rows in TIMED
        masks = () if is_of_times else self.masks(claim, pred)
        texts = [f"{fold.how}(each({value}, {mask}))" for mask in masks]
        if not rows and fold.of is not None and reads_bars(fold.of):
            # Whoever has bars, as the claim names them.
            named = symbols_of(getattr(claim.cite, "formula", "1"))
            rows = [RowKey(symbol=one) for one in named]
        if rows:
            of = fold.of or counted_by(self.query.where)
            told = [
                ExpressionWriter(self.times, row.at, self.query.scope, row.symbol).write(of)
                for row in rows
            ]
            texts.append(f"{fold.how}({', '.join(told)})")
        need_formula(claim, *texts)
        need(claim.symbol.partition(":")[0] == self.about, "other_company", claim.symbol)
        return claim


class KnownOf(Record):
    """How many companies have that figure."""

    of: Expr
    count: str


class Judged(Counted):
    """An assertion on a set of which not all can be judged. `total`: of how many companies;
    `scarcest`: the deciding figure that the fewest have; `barred`: how many have the bars that
    what decides is made of, where bars decide and not all have them.
    """

    total: str | None = None
    barred: str | None = None
    scarcest: KnownOf | None = None

    def need_judged(self, book: Book) -> None:
        """That they count what they say. Raises: BrokenError."""
        if self.total is not None:
            self.need_fold(book, self.total, Folded(how="count"), self.query.scope)
        if (some := self.scarcest) is not None:
            self.need_fold(book, some.count, Folded(how="count", of=some.of), self.query.scope)
        if self.barred is not None:
            need_formula(cited(book, self.barred), among=True)

    def judged_by(self, tongue: Tongue) -> tuple[str, Claim] | None:
        """What decides in words, with how many have it; None where all have."""
        if self.barred is not None:
            words = tongue.pick("所需日线", "the daily bars it takes")
            return words, tongue.book.claims[self.barred]
        if self.scarcest is not None:
            words = self.teller(tongue).tell(self.scarcest.of)
            return words, tongue.book.claims[self.scarcest.count]
        return None

    def total_of(self, tongue: Tongue) -> str:
        """Of how many companies, as printed; empty where it is not told."""
        return place(tongue.book.claims[self.total]) if self.total is not None else ""
