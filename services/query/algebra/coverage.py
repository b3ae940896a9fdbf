"""Of how many companies an answer could judge: who has the figures that decide, and what it means
where one is missing. What is not known to be a loss is never called one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.core.catalogue import CATALOGUE
from services.core.claim_names import is_estimate
from services.core.claims import Claim, DerivedCite, Figure
from services.core.rendering import place
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra.figures import FigureMaker, FoundRow
from services.query.algebra.scopes import markets_of
from services.query.algebra.telling import Teller
from services.query.algebra.times import is_barred, when_of, year_before
from services.query.algebra.types import tests_in
from services.query.answering.outcomes import plain
from services.query.sayings import saying

_BARS = Text("所需日线", "the daily bars it takes")
# So many companies are looked at to tell by what a set's figures were told.
_JUDGED = 5


@dataclass(frozen=True)
class Coverage:
    """What is known of the companies looked at; `lines` are those, the largest first."""

    maker: FigureMaker
    lines: Sequence[FoundRow]
    tellers: tuple[Teller, Teller]

    @property
    def _query(self) -> a.Query:
        return self.maker.query

    @cached_property
    def is_of_sets(self) -> bool:
        """Whether whole markets were looked at."""
        return bool(self.maker.points.calls) and self._query.rows != "one" and bool(self.lines)

    @cached_property
    def total(self) -> Figure | None:
        """How many companies there are."""
        return self.maker.counted(None, self.lines) if self.is_of_sets else None

    @cached_property
    def barred(self) -> Figure | None:
        """How many of them have the bars that what decides is made of, where bars decide."""
        if not self.is_of_sets or not self.maker.points.is_barred():
            return None
        lines = [line for line in self.lines if line.symbol in self.maker.points.histories]
        judged = [line for line in lines if all(self._has(one, line) for one in self._of_bars())]
        return self.maker.named(tuple(line.symbol for line in judged))

    @cached_property
    def deciding(self) -> tuple[tuple[a.Expr, Claim], ...]:
        """Each figure that decides who is a row and where, with how many companies have it."""
        found: list[tuple[a.Expr, Claim]] = []
        for expr in self._list_deciding() if self.is_of_sets else ():
            found += self._count([expr])
        for window in self._list_windows() if self.is_of_sets else ():
            found += sorted(self._count(window), key=lambda one: one[1].value)[:1]
        return tuple(found)

    @cached_property
    def tested(self) -> tuple[tuple[a.Expr, Claim], ...]:
        """Those of them that the conditions are about; what only orders decides nobody's place."""
        by = [one.by for one in self._query.order]
        left = [one.left for one in tests_in(self._query.where)]
        return tuple(one for one in self.deciding if one[0] in left or one[0] not in by)

    def _count(self, exprs: Sequence[a.Expr]) -> list[tuple[a.Expr, Claim]]:
        counts = ((one, self.maker.counted(one, self.lines)) for one in exprs)
        return [(one, known) for one, known in counts if isinstance(known, Claim)]

    def known_of(self, expr: a.Expr | None) -> Claim | None:
        """How many have that figure; None where all have, or nobody can tell."""
        known = next((claim for one, claim in self.deciding if one == expr), None)
        if known is None or not isinstance(self.total, Claim):
            return None
        return known if known.value < self.total.value else None

    @property
    def is_ranking(self) -> bool:
        """Whether companies of a set are ranked without a condition."""
        query = self._query
        return (
            bool(query.ordered_by)
            and query.where is None
            and query.rows == "companies"
            and query.group is None
        )

    def notes(self, said: Sequence[a.Expr | None]) -> list[Text]:
        """How many companies have each figure that decides, but of those `said`; and what lacking
        one means.
        """
        notes = (
            [saying("earliest_report")]
            if any(isinstance(one, a.Streak) for one in a.walk(self._query))
            else []
        )
        if not isinstance(self.total, Claim):
            return notes
        for expr, known in self.deciding:
            label, few = self.told(expr), known.value < self.total.value
            if expr not in said and few:
                total = place(self.total)
                notes.append(saying("known_of", label=label, known=place(known), total=total))
        folds_bars = any(map(self.maker.is_by_line, self._query.folded))
        if folds_bars and isinstance(self.barred, Claim) and self.barred.value < self.total.value:
            known, total = place(self.barred), place(self.total)
            notes.append(saying("known_of", label=_BARS, known=known, total=total))
        barring = self._list_barring()
        for expr in barring:
            lacking = self.maker.lacking(expr, self.lines)
            if isinstance(lacking, Claim) and lacking.value:
                notes.append(saying("stay_in", label=self.told(expr), lacking=place(lacking)))
        others = (one for one in self.deciding if one[0] not in barring)
        scarcest = min(others, key=lambda one: one[1].value, default=None)
        if scarcest is not None and scarcest[1].value < self.total.value:
            notes += [why] if (why := self._why(scarcest[0], self.told(scarcest[0]))) else []
        return [*notes, *self.bases()]

    def unranked(self, expr: a.Expr) -> tuple[Figure, list[FoundRow]]:
        """How many could not be ranked by that figure, and who, the largest first."""
        return self.maker.lacking(expr, self.lines), self._without(expr)

    def lost(self) -> list[Text]:
        """What no company has of the figures that decide, where nobody is found: without a
        condition, what they would be ordered by.
        """
        found = [self.told(expr) for expr, known in self.deciding if not known.value]
        if not found and self.is_ranking:
            found = [self.told(one) for one in self._query.ordered_by]
        if isinstance(self.barred, Claim) and not self.barred.value:
            found.append(Text("日线", "daily bars"))
        return found

    def told(self, expr: a.Expr) -> Text:
        """The figure in words."""
        return Text(*(one.tell(expr) for one in self.tellers))

    def without(self, expr: a.Expr) -> tuple[str, ...]:
        """The named companies of which there is no such figure."""
        return tuple(one.symbol for one in self.lines if not self._has(expr, one))

    def _has(self, expr: a.Expr, line: FoundRow) -> bool:
        return isinstance(self.maker.figure(expr, line.symbol, line.at), Claim)

    def _without(self, expr: a.Expr) -> list[FoundRow]:
        if not isinstance(expr, a.Metric):
            return []
        token = self.maker.times.token(expr.id, expr.when, "")
        known = self.maker.points.symbols_with(expr.id, token)
        return [line for line in self.lines if line.symbol not in known]

    def _why(self, expr: a.Expr, label: Text) -> Text | None:
        """What it means that the others have not that figure."""
        lacking = self.maker.lacking(expr, self.lines)
        if not isinstance(lacking, Claim):
            return None
        lost = self._at_loss(expr)
        if lost is None or not lost.value:
            if self.is_ranking:
                return None  # who could not be ranked is named in the sentence
            return saying("not_given_nor_why", label=label, lacking=place(lacking))
        if lost.value == lacking.value:
            return saying("all_at_loss", label=label, lacking=place(lacking))
        return saying("some_at_loss", label=label, lacking=place(lacking), lost=place(lost))

    def _losses(self) -> Iterator[a.Loss]:
        """Losses of a year that nothing but a report tells."""
        where, times = self._query.where, self.maker.times
        for one in a.items_of(where):
            if not isinstance(one, a.Loss) or one.when.kind == "latest":
                continue
            if not times.is_last_year(times.token("net_profit", one.when, "")):
                yield one

    def bases(self) -> Iterator[Text]:
        """By what a report's figure was told where the source has not the report itself."""
        points, times = self.maker.points, self.maker.times
        for expr, _ in self.deciding:
            if not isinstance(expr, a.Metric) or expr.when.kind != "years":
                continue
            token = times.token(expr.id, expr.when, "")
            known = points.symbols_with(expr.id, token)
            some = [line.symbol for line in self.lines if line.symbol in known][:_JUDGED]
            points.bring_facts(some)
            found = (points.figure(symbol, expr.id, token) for symbol in some)
            guessed = (one for one in found if isinstance(one, Claim) and is_estimate(one))
            made = next(guessed, None)
            if made is not None and isinstance(made.cite, DerivedCite):
                note = plain(str(made.cite.note).removeprefix("推算 "))
                how = Text(note, made.cite.formula.replace("_", " "))
                yield saying("estimated_by", label=self.told(expr), how=how)

    def _at_loss(self, expr: a.Expr) -> Claim | None:
        """How many are at a loss by the source's own rule; None where it has none such."""
        markets = markets_of(self._query.scope)
        if not isinstance(expr, a.Metric) or any(
            one not in CATALOGUE[expr.id].missing for one in markets
        ):
            return None
        found = self.maker.at_loss(expr.id, self.lines)
        return found if isinstance(found, Claim) else None

    def _list_windows(self) -> Iterator[list[a.Expr]]:
        """The figures of each report that a test of several years or quarters needs."""
        where = self._query.where
        for one in a.items_of(where):
            if not isinstance(one, a.Every | a.Exists) or not isinstance(one.test, a.Compare):
                continue
            left = one.test.left
            if not isinstance(left, a.Metric | a.Change):
                continue
            metric = left.id if isinstance(left, a.Metric) else left.of
            if is_barred(metric):
                continue
            tokens = list(self.maker.times.reports(one.window))
            if isinstance(left, a.Change) and tokens:
                tokens.insert(0, year_before(tokens[0]))
            yield [a.Metric(id=metric, when=when_of(token)) for token in tokens]

    def _list_barring(self) -> list[a.Expr]:
        """Figures by which companies are left out: who lacks one stays in."""
        where = self._query.where
        items = a.items_of(where)
        out = [one.item for one in items if isinstance(one, a.Not)]
        return [one.left for one in out if isinstance(one, a.Compare)]

    def _of_bars(self) -> list[a.Expr]:
        """Figures made of a row's bars by which companies are chosen or stand."""
        query = self._query
        chosen = [*query.ordered_by, *query.folded, *(one.left for one in tests_in(query.where))]
        is_chosen = query.rows == "companies"
        return [one for one in chosen if is_chosen and self.maker.is_by_line(one)]

    def _list_deciding(self) -> Iterator[a.Expr]:
        """Figures that decide who is a row and where: of tests, orders and folds."""
        query = self._query
        given: list[a.Expr] = [*query.ordered_by]
        if query.take is None or query.group is not None:  # else a fold is of the rows listed
            given += query.folded
        given += [one.left for one in tests_in(query.where)]
        given += self._list_barring()
        given += [a.Metric(id="net_profit", when=one.when) for one in self._losses()]
        for expr in dict.fromkeys(given):
            if isinstance(expr, a.Metric) and expr.of is not None:
                continue
            if isinstance(expr, a.Metric | a.Change) and not self.maker.is_by_line(expr):
                yield expr
