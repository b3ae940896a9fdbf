"""Sums, medians and counts over companies, and the first of several groups."""

from typing import Literal

from pydantic import Field

from services.core.record import Record
from services.core.rendering import place
from services.core.text import NO_TEXT, Text
from services.query.algebra.explain import tell_fold
from services.query.algebra.nodes import Folded, In, both
from services.query.algebra.telling import Teller
from services.query.algebra.words import (
    BEST,
    COUNTED_GROUPS,
    GROUPED,
    ROWS,
    mark_words,
)
from services.query.assertions.assertion import Dates, called, cited, need_formula
from services.query.assertions.counted import Counted, Judged, RowKey
from services.query.assertions.of_rows import OfRows
from services.query.sayings import saying_in
from services.statements.book import Book
from services.statements.statement import Clause, Held, need
from services.statements.tongue import Tongue


class FoldTold(Record):
    """One fold: its claim, or why there is none; over how many companies, of how many (`known`,
    `total`); which named companies are not in it; the rows it is over, where it names them.
    """

    claim: str | None = None
    why: Text | None = None
    known: str | None = None
    total: str | None = None
    without: tuple[str, ...] = ()
    rows: tuple[RowKey, ...] = ()


def fold_label(fold: Folded, rows: str, teller: Teller) -> str:
    """What a fold is called: 市盈率(TTM)中位数, the median P/E (TTM)."""
    return teller.pick("", "the ") + tell_fold(fold, rows, teller)


class Folds(OfRows, Judged):
    """The folds of a query, each with its day, and over how many companies."""

    kind: Literal["folds"] = "folds"
    folds: tuple[FoldTold, ...] = Field(min_length=1)

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return super().symbols | {name for one in self.folds for name in one.without}

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        scope, every = self.query.scope, Folded(how="count")
        among = both(scope, self.query.where)
        self.need_judged(book)
        for fold, one in zip(self.query.fold, self.folds, strict=True):
            if one.claim is not None:
                self.need_fold(book, one.claim, fold, among, one.rows)
            if one.known is not None and one.total is not None:
                self.need_fold(book, one.known, Folded(how="count", of=fold.of), scope)
                self.need_fold(book, one.total, every, scope)
        return Held("folded", "")

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        told: list[str] = []
        for fold, one in zip(self.query.fold, self.folds, strict=True):
            told.append(self._tell(fold, one, tongue))
        linked = "" if self.query.fold[0].of is None else "的"
        whom = self._whom(tongue)
        folds = tongue.pick("；", "; ").join(told) + self._among(tongue)
        return Clause(tongue.pick(whom + linked, f"{whom}: "), folds)

    def _among(self, tongue: Tongue) -> str:
        """Of how many companies how many could be counted or not."""
        if (judged := self.judged_by(tongue)) is None:
            return ""
        every, few = self.total_of(tongue), place(judged[1])
        return saying_in(tongue, "judged_among", every=every, label=judged[0], few=few)

    def _tell(self, fold: Folded, one: FoldTold, tongue: Tongue) -> str:
        label = fold_label(fold, self.query.rows, self.teller(tongue))
        if one.claim is None:
            why = one.why.in_language(tongue.language) if one.why else ""
            return tongue.pick(f"{label}暂缺，{why}", f"no {label}, {why}")
        figure = tongue.book.claims[one.claim]
        if fold.of is None:
            rows = self.query.rows
            counter = NO_TEXT if rows == "companies" else ROWS[rows]
            return saying_in(tongue, "there_are", figure=place(figure), counter=counter)
        day, over = Dates(tongue).told(figure, fold.of), self._over(fold, one, tongue)
        if one.without and fold.how == "sum":  # no sum of all of them: it is told as what it is
            out = tongue.pick("、", ", ").join(called(name, tongue) for name in one.without)
            of = self.teller(tongue).tell(fold.of)
            return saying_in(
                tongue, "sum_not_whole", label=label, out=out, of=of, figure=place(figure), day=day
            )
        return saying_in(tongue, "fold_is", label=label, figure=place(figure), day=day, over=over)

    def _whom(self, tongue: Tongue) -> str:
        """Whom the folds are over: the companies listed, or all that satisfy the conditions."""
        if self.query.take is not None:
            return tongue.pick("以上各家", "Of those listed")
        whom, where = self.whom(tongue), self.query.where
        if where is None or self.query.rows != "companies":
            return whom
        tested = self.teller(tongue).tell(where)
        return tongue.pick(f"{whom}中{tested}的公司", f"{whom} with {tested}")

    def _over(self, fold: Folded, one: FoldTold, tongue: Tongue) -> str:
        """Of how many companies a fold of a whole set is; of named ones who is not in it."""
        label = self.teller(tongue).tell(fold.of) if fold.of is not None else ""
        if one.without:
            out = tongue.pick("、", ", ").join(called(name, tongue) for name in one.without)
            return tongue.pick(f"，不含{out}（没有{label}）", f", without {out} (no {label})")
        if one.known is None or one.total is None or fold.how == "count":
            return ""
        known, total = (place(tongue.book.claims[name]) for name in (one.known, one.total))
        return saying_in(tongue, "over_known", label=label, known=known, total=total)


class GroupTold(Record):
    """A group by its mark, with the claims of its folds; null where it has none."""

    mark: str
    claims: tuple[str | None, ...]


class Groups(OfRows, Counted):
    """The first of several groups, with those level with it. `last`: the other end, where no group
    was left out; `number`: how many there are, of these `marks`.
    """

    kind: Literal["groups"] = "groups"
    first: GroupTold
    tied: tuple[GroupTold, ...] = ()
    last: GroupTold | None = None
    number: str | None = None
    marks: tuple[str, ...] = ()

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        query = self.query
        if self.number is not None:
            self._need_number(book, self.number)
        for one in (self.first, *self.tied, *([self.last] if self.last else [])):
            mark = In(dim=query.group or "industry", values=(one.mark,))
            among = both(query.scope, query.where, mark)
            for fold, name in zip(query.fold, one.claims, strict=True):
                if name is not None:
                    claim = self.need_fold(book, name, fold, among)
                    own = claim.symbol.partition(":")[2]
                    need(own == one.mark, "other_company", claim.symbol)
        at = self._ordered_at
        if self.tied:
            levels = [
                cited(book, str(one.claims[at or 0])).value for one in (self.first, *self.tied)
            ]
            need(at is not None and len(set(levels)) == 1, "not_level", str(levels))
        if at is None or self.last is None:
            return Held("first", "")
        first, last = (cited(book, str(one.claims[at])).value for one in (self.first, self.last))
        down = query.order[0].direction == "desc"
        need(first >= last if down else first <= last, "not_in_order")
        return Held("first", "")

    def _need_number(self, book: Book, name: str) -> None:
        """That the claim counts the groups of these marks. Raises: BrokenError."""
        query, claim = self.query, cited(book, name)
        texts: list[str] = []
        for mark in self.marks:
            of = In(dim=query.group or "industry", values=(mark,))
            among = next(self.masks(claim, both(query.scope, query.where, of)), "")
            texts.append(f"count(each(1.0, {among}))")
        need_formula(claim, f"count({', '.join(texts)})", among=bool(query.inner))
        need(self.first.mark in self.marks, "other_company", self.first.mark)

    @property
    def _ordered_at(self) -> int | None:
        """Which fold orders the groups; None where none that is known does."""
        order = next(iter(self.query.order), None)
        if order is None or order.by is not None:
            return None
        at = min(order.fold or 0, len(self.query.fold) - 1)
        return at if self.first.claims[at] is not None else None

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        told = self._tell_first(tongue)
        if self.number is None:
            return told
        number, groups = (
            place(tongue.book.claims[self.number]),
            COUNTED_GROUPS[str(self.query.group)],
        )
        which = Text("符合条件的", " that satisfy the condition") if self.query.having else NO_TEXT
        many = saying_in(tongue, "groups_number", which=which, number=number, groups=groups)
        return Clause(many + told.head, told.tail)

    def _tell_first(self, tongue: Tongue) -> Clause:
        """The first of them, and the other end."""
        query, dates, claims = self.query, Dates(tongue), tongue.book.claims
        whom, teller = self.whom(tongue), self.teller(tongue)
        group = GROUPED[str(query.group)]
        name = self._names(tongue)
        told = [
            (fold_label(fold, query.rows, teller), claims[one], fold.of)
            for fold, one in zip(query.fold, self.first.claims, strict=True)
            if one is not None
        ]
        at = self._ordered_at
        if not told:
            lacking = tongue.comma.join(fold_label(fold, query.rows, teller) for fold in query.fold)
            return Clause(
                tongue.pick(f"{whom}按{group.zh}列出", f"{whom} by {group.en}"),
                tongue.pick(f"；{name}没有{lacking}", f"; {name}: {lacking} not available"),
            )
        if at is None:
            parts = tongue.comma.join(
                f"{label} {place(one)}{dates.told(one, of)}" for label, one, of in told
            )
            return Clause(
                tongue.pick(f"{whom}按{group.zh}列出；{name}：", f"{whom} by {group.en}; {name}: "),
                parts,
            )
        figure, fold = claims[str(self.first.claims[at])], query.fold[at]
        label = fold_label(fold, query.rows, teller)
        ends = BEST["desc"], BEST["asc"]
        way, other = ends if query.order[0].direction == "desc" else ends[::-1]
        day = dates.told(figure, fold.of)
        end = ""
        if self.last is not None:
            worst, lowest = self._mark(self.last, tongue), claims[str(self.last.claims[at])]
            end = saying_in(tongue, "group_last", way=other, name=worst, figure=place(lowest))
        lead = self._lead(whom, label, way, f"{place(figure)}{day}", tongue)
        return Clause(lead, end)

    def _lead(self, whom: str, label: str, way: Text, figure: str, tongue: Tongue) -> str:
        """The group that comes first, or is of the place that was asked about."""
        told = {"whom": whom, "label": label, "name": self._names(tongue), "figure": figure}
        group = GROUPED[str(self.query.group)]
        if self.query.take is not None and (skip := self.query.take.skip):
            at = Text(f"{skip + 1}{way.zh[1:]}", f"{skip + 1} from the {way.en}")  # 第2高
            return saying_in(tongue, "group_at_place", at=at, group=group, **told)
        return saying_in(tongue, "group_first", way=way, group=group, **told)

    def _names(self, tongue: Tongue) -> str:
        """The first group, and those level with it."""
        names = [self._mark(one, tongue) for one in (self.first, *self.tied)]
        level = tongue.pick("（并列）", " (level)") if self.tied else ""
        return tongue.pick("、", ", ").join(names) + level

    def _mark(self, one: GroupTold, tongue: Tongue) -> str:
        return mark_words(str(self.query.group), one.mark).in_language(tongue.language)
