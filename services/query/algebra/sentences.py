"""What an answer of the algebra says, in a few sentences, each made of a statement: of whom, how
many, the first of them with its figure and the day it is of.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from services.core.claims import Claim, Figure
from services.core.ledger import Ledger
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra.coverage import Coverage
from services.query.algebra.explain import listed_by
from services.query.algebra.figures import FoundRow
from services.query.algebra.scopes import named_symbols
from services.query.answering.outcomes import id_of
from services.query.answering.sentences import say
from services.query.assertions.assertion import Assertion, CitedFigure, OfQuery, RowOf
from services.query.assertions.counted import KnownOf, RowKey
from services.query.assertions.made import tell, tell_unproved
from services.query.assertions.of_folds import Folds, FoldTold, Groups, GroupTold
from services.query.assertions.of_lists import ListedRows, NoneFound, UnrankedRows
from services.query.assertions.of_rows import (
    ROWS_BESIDE,
    ROWS_TOLD,
    BesideFigure,
    Figures,
    FirstOfTimes,
)
from services.query.assertions.of_tests import EACH_TESTED, AllTested, Tested
from services.query.assertions.order import OrderedBy
from services.statements.statement import Broken

Kind = TypeVar("Kind", bound=OfQuery)
# The largest of those that cannot be ranked are named.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class AnswerSentences:
    """The sentences of one answer. `shown`: what each column is."""

    query: a.Query
    coverage: Coverage
    shown: Sequence[a.Expr]

    def listed(
        self, lines: Sequence[FoundRow], rows: Sequence[RowOf], count: Figure | None
    ) -> Iterator[Text]:
        """Of a list: of how many companies, how many, the first of them; or of named companies
        what was asked, and who of them has more.
        """
        if named_symbols(self.query.scope) is not None or self.query.rows == "one":
            few = tuple(rows[:ROWS_TOLD])
            yield self._say(self._of(Figures, rows=few, more=len(rows) > len(few)))
            yield from self._tell_order(few if len(few) == len(rows) else ())
        elif self.query.rows == "companies":
            yield self._tell_list(lines, rows, count)
            yield from self._tell_beside(rows)
            if not self.query.fold:
                yield from self._tell_unranked()
        else:
            barred = self.coverage.barred
            yield self._say(self._of(FirstOfTimes, rows=tuple(rows[:1]), barred=id_of(barred)))

    def folded(self, folds: Sequence[tuple[Figure, Sequence[FoundRow]]]) -> Text:
        """The folds, each with the rows it is over where it names them."""
        told: list[FoldTold] = []
        for fold, (figure, lines) in zip(self.query.fold, folds, strict=True):
            known, total, without = self._over(fold)
            told.append(
                FoldTold(
                    claim=id_of(figure),
                    why=None if isinstance(figure, Claim) else figure.reason,
                    known=known,
                    total=total,
                    without=without,
                    rows=tuple(RowKey(symbol=one.symbol, at=one.at) for one in lines),
                )
            )
        return self._say(self._of(Folds, folds=tuple(told), **self._judged()))

    def grouped(
        self, groups: Sequence[tuple[str, Sequence[Figure]]], number: Figure | None = None
    ) -> Text:
        """How many groups there are, the first with its figures, and the last where none was left
        out.
        """
        told = [
            GroupTold(mark=mark, claims=tuple(id_of(one) for one in figures))
            for mark, figures in groups
        ]
        at = next((one.fold or 0 for one in self.query.order if one.by is None), 0)
        known = [one for one in told if one.claims[min(at, len(one.claims) - 1)] is not None]
        last = known[-1] if self.query.take is None and len(known) > 1 else None
        values = self._values
        level = [values.get(str(one.claims[min(at, len(one.claims) - 1)])) for one in told]
        is_ranked = any(one.by is None for one in self.query.order)
        tied = [one for one, value in zip(told[1:], level[1:], strict=True) if value == level[0]]
        tied = tied if is_ranked and level[0] is not None else []
        last = last if last not in tied else None
        marks = tuple(mark for mark, _ in groups) if isinstance(number, Claim) else ()
        counted = {"number": id_of(number), "marks": marks}
        return self._say(self._of(Groups, first=told[0], tied=tuple(tied), last=last, **counted))

    def checked(self, lines: Sequence[FoundRow], rows: Sequence[RowOf]) -> Iterator[Text]:
        """Yes or no of each company asked about, with the figures it rests on; of many, of how
        many it holds.
        """
        if len(lines) <= EACH_TESTED:
            tested = self._of(Tested, rows=tuple(rows[:EACH_TESTED]))
            holds, names = [bool(one.holds) for one in lines], self._names(tested)
            yield self._try(tested) or tell_unproved(tested, holds, self._ledger, names)
            return
        maker = self.coverage.maker
        held = maker.named(tuple(one.symbol for one in lines if one.holds))
        every = maker.named(tuple(one.symbol for one in lines))
        if isinstance(held, Claim) and isinstance(every, Claim):
            yield self._say(self._of(AllTested, held=held.claim_id, every=every.claim_id))

    def none_found(self) -> Text:
        """That nobody, or none of the groups, satisfies the conditions."""
        few = min(self.coverage.tested, key=lambda one: one[1].value, default=None)
        is_few = few is not None and self.coverage.known_of(few[0]) is not None
        is_counted = self.coverage.is_of_sets and not self.query.group
        count = self.coverage.maker.of_all(a.Folded(how="count"), ()) if is_counted else None
        return self._say(
            self._of(
                NoneFound,
                total=id_of(self.coverage.total),
                barred=self._barred(),
                scarcest=KnownOf(of=few[0], count=few[1].claim_id) if few and is_few else None,
                satisfying=id_of(count),
            )
        )

    def said(self) -> tuple[a.Expr | None, ...]:
        """The figures of which the sentences tell how many companies have them."""
        if self.query.group is not None:
            return ()
        if self.query.fold and not (self.query.show or self.query.take):
            return tuple(one.of for one in self.query.fold) if self.query.where is None else ()
        scarcest = self._scarcest() if named_symbols(self.query.scope) is None else None
        return (scarcest.of,) if scarcest is not None else ()

    def _tell_list(
        self, lines: Sequence[FoundRow], rows: Sequence[RowOf], count: Figure | None
    ) -> Text:
        order = next((one for one in self.query.order if one.by is not None), None)
        by = order.by if order is not None else next(iter(self.shown), None)
        firsts = self._first(order, rows)
        made = self._of(
            ListedRows,
            total=id_of(self.coverage.total),
            barred=self._barred(),
            scarcest=self._scarcest(),
            satisfying=id_of(count) if self.query.where is not None else None,
            shown=(by,) if by is not None else (),
            rows=self._only(by, firsts[:_NAMED]),
            more=len(firsts) > _NAMED,
        )
        best = self._best(order, lines)
        if best is not None and (told := self._try(made.but(best=best))):
            return told
        return self._say(made)

    def _judged(self) -> dict[str, object]:
        """Of how many companies a count under conditions could judge how many."""
        query = self.query
        is_count = all(one.of is None for one in query.fold) and query.take is None
        if not is_count or query.where is None or query.rows != "companies":
            return {}
        scarcest, barred = self._scarcest(), self._barred()
        if scarcest is None and barred is None:
            return {}
        return {"total": id_of(self.coverage.total), "barred": barred, "scarcest": scarcest}

    def _first(self, order: a.Order | None, rows: Sequence[RowOf]) -> Sequence[RowOf]:
        """The first row, with those of the same figure where that orders the list."""
        take = self.query.take
        if order is None or order.by is None or (take is not None and (take.skip or take.per)):
            return rows[:1]
        known, told = self._values, [row.figures[0] for row in self._only(order.by, rows)]
        values = [known.get(one.claim or "") if one is not None else None for one in told]
        tied = [row for row, value in zip(rows, values, strict=True) if value in values[:1]]
        return tied if values and values[0] is not None else rows[:1]

    def _best(self, order: a.Order | None, lines: Sequence[FoundRow]) -> str | None:
        """The highest or lowest of all that satisfy the conditions, where the first is that."""
        take = self.query.take
        if order is None or (take is not None and (take.skip or take.per)):
            return None
        fold = a.Folded(how="max" if order.direction == "desc" else "min", of=order.by)
        return id_of(self.coverage.maker.of_all(fold, lines))

    def _tell_beside(self, rows: Sequence[RowOf]) -> Iterator[Text]:
        """The figure asked for beside what orders or limits the list: who of the first has it."""
        parts = [node for one in self.query.show for node in a.walk(one) if node != one]
        beside = [one for one in self.query.show if one not in listed_by(self.query)]
        whole = [one for one in beside if one not in parts]  # what a share is made of: in the table
        if len(whole) == 1 and len(rows) <= ROWS_BESIDE and (len(rows) > 1 or whole == beside):
            yield self._say(self._of(BesideFigure, rows=self._only(whole[0], rows), shown=whole))
        elif len(beside) > 1 and (len(rows) == 1 or not all(map(_is_plain, beside))):
            # Its place among its peers: told of the first of them, with what it is made of.
            sides = [part for one in beside for part in a.parts_of(one)]
            shown = tuple(one for one in self.query.show if one in beside or one in sides)
            figures = tuple(rows[0].figures[self.shown.index(one)] for one in shown)
            first = rows[0].but(figures=figures)
            yield self._say(self._of(Figures, rows=(first,), shown=shown, more=len(rows) > 1))

    def _tell_order(self, rows: Sequence[RowOf]) -> Iterator[Text]:
        """Who has more, where one figure of companies was asked."""
        if len(self.query.show) != 1 or self.query.rows != "companies" or len(rows) < 2:
            return
        claims = {one.claim_id: one for one in self._ledger.claims}
        found = [
            (claims[one.claim].value, row)
            for row in self._only(self.query.show[0], rows)
            if (one := row.figures[0]) is not None and one.claim is not None
        ]
        if len(found) == len(rows):
            ranked = tuple(row for _, row in sorted(found, key=lambda pair: -pair[0]))
            told = self._try(self._of(OrderedBy, rows=ranked))
            yield from [told] if told is not None else []

    def _tell_unranked(self) -> Iterator[Text]:
        """Who could not be ranked, where a ranking without conditions was asked."""
        by = next(iter(self.query.ordered_by), None)
        if not self.coverage.is_ranking or by is None or self.coverage.known_of(by) is None:
            return
        count, lacking = self.coverage.unranked(by)
        if isinstance(count, Claim) and count.value and lacking:
            named = tuple(one.symbol for one in lacking[:_NAMED])
            more = len(lacking) > _NAMED
            yield self._say(
                self._of(UnrankedRows, of=by, count=count.claim_id, named=named, more=more)
            )

    def _over(self, fold: a.Folded) -> tuple[str | None, str | None, tuple[str, ...]]:
        """Of how many companies a fold of a whole set is; of named ones who is not in it."""
        if fold.of is None:
            return None, None, ()
        if named_symbols(self.query.scope) is not None:
            is_of_companies = self.query.rows == "companies"
            return None, None, self.coverage.without(fold.of) if is_of_companies else ()
        known, total = self.coverage.known_of(fold.of), self.coverage.total
        if known is None or self.query.where is not None or self.query.take is not None:
            return None, None, ()
        return known.claim_id, id_of(total), ()

    def _scarcest(self) -> KnownOf | None:
        """The deciding figure that the fewest companies have, where some lack it."""
        total = self.coverage.total
        if not isinstance(total, Claim):
            return None
        few = [one for one in self.coverage.deciding if one[1].value < total.value]
        found = min(few, key=lambda one: one[1].value) if few else None
        return KnownOf(of=found[0], count=found[1].claim_id) if found is not None else None

    def _barred(self) -> str | None:
        """How many have bars, where bars decide and some have none."""
        total, barred = self.coverage.total, self.coverage.barred
        few = isinstance(total, Claim) and isinstance(barred, Claim) and barred.value < total.value
        return id_of(barred) if few else None

    def _only(self, expr: a.Expr | None, rows: Sequence[RowOf]) -> tuple[RowOf, ...]:
        """The rows with that figure alone; without any for none."""
        if expr is None:
            return tuple(one.but(figures=()) for one in rows)
        at = self.shown.index(expr)
        return tuple(one.but(figures=(one.figures[at],)) for one in rows)

    @property
    def _values(self) -> dict[str, float]:
        """The value of each claim by its id."""
        return {one.claim_id: one.value for one in self._ledger.claims}

    def _of(self, kind: type[Kind], **fields: object) -> Kind:
        shown = {"shown": tuple(self.shown)} if "shown" in kind.model_fields else {}
        told = {"query": self.query, "times": self.coverage.maker.times, **shown, **fields}
        return kind.model_validate(told)

    def _say(self, statement: Assertion) -> Text:
        """The sentence; where it does not hold, that it is not said and why."""
        return say(statement, self._ledger, self._names(statement))

    def _try(self, statement: Assertion) -> Text | None:
        told = tell(statement, self._ledger, self._names(statement))
        return None if isinstance(told, Broken) else told

    @property
    def _ledger(self) -> Ledger:
        return self.coverage.maker.points.ledger

    def _names(self, statement: Assertion) -> dict[str, Text]:
        desk = self.coverage.maker.points.desk
        return {symbol: desk.named(symbol) for symbol in sorted(statement.symbols)}


def _is_plain(expr: a.Expr) -> bool:
    return isinstance(expr, a.Metric | a.Change)


def row_of(line: FoundRow, figures: Sequence[Figure]) -> RowOf:
    """A row as statements carry it."""
    told = tuple(
        CitedFigure(claim=one.claim_id) if isinstance(one, Claim) else CitedFigure(why=one.reason)
        for one in figures
    )
    return RowOf(symbol=line.symbol, at=line.at, figures=told)
