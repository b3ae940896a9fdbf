"""What a list of companies is: of how many, how many satisfy it, who comes first, who could not be
ranked, and that nobody satisfies it.
"""

from typing import Literal

from pydantic import Field

from services.core.expression_claims import key_fits
from services.core.expression_text import leaf_key
from services.core.rendering import place
from services.core.text import Text
from services.query.algebra.nodes import Expr, Folded, Metric, Order, both
from services.query.algebra.words import BEST, GROUPED
from services.query.assertions.assertion import Dates, called, cited, need_formula
from services.query.assertions.counted import Counted, Judged
from services.query.assertions.of_rows import OfRows
from services.query.sayings import saying_in
from services.statements.book import Book
from services.statements.statement import Clause, Held, need
from services.statements.tongue import Tongue

_SAME = 1e-9


class ListedRows(OfRows, Judged):
    """Of how many companies, how many satisfy the conditions, and the first of them.

    `best`: the highest or lowest of all that satisfy them, without which the first is said to come
    first and no more. `shown` and `rows` are what orders the list and the first row, with those
    that tie with it; `more`: others tie as well.
    """

    kind: Literal["listed"] = "listed"
    satisfying: str | None = None
    best: str | None = None
    more: bool = False

    @property
    def order(self) -> Order | None:
        """By what figure the list stands; None where it was not asked for."""
        return next((one for one in self.query.order if one.by is not None), None)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        query = self.query
        self.need_judged(book)
        if self.satisfying is not None:
            among = both(query.scope, query.where)
            self.need_fold(book, self.satisfying, Folded(how="count"), among)
        held = super().prove(book)
        order = self.order
        if self.best is None or order is None or not held.uses:
            return Held("first", "", uses=held.uses)
        values = {one.value for one in held.uses}
        need(len(values) == 1, "not_in_order", str(sorted(values)))
        down = order.direction == "desc"
        fold = Folded(how="max" if down else "min", of=order.by)
        self.need_fold(book, self.best, fold, both(query.scope, query.where))
        best, first = book.claims[self.best].value, held.uses[0].value
        need(abs(best - first) <= _SAME * max(1.0, abs(best)), "not_an_extreme")
        return Held("highest" if down else "lowest", "", uses=held.uses)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        head, lead = self._head(tongue), self._lead(held, tongue)
        if self.satisfying is None:
            return Clause(head, tongue.comma + lead)
        claim = tongue.book.claims[self.satisfying]
        count, one = place(claim), claim.value == 1
        return Clause(
            head
            + tongue.pick(
                f"，符合条件的{count}",
                f", {count} {'satisfies' if one else 'satisfy'} the conditions",
            ),
            tongue.pick("；", "; ") + lead,
        )

    def _head(self, tongue: Tongue) -> str:
        """Of whom, and how many of them could be judged: 共22家，其中有市盈率(TTM)的10家."""
        whom, every, judged = self.whom(tongue), self.total_of(tongue), self.judged_by(tongue)
        label, few = (judged[0], place(judged[1])) if judged is not None else ("", "")
        if not every or self.query.first is not None:
            if not few:
                return tongue.pick(f"{whom}里", f"Of {whom}")
            return tongue.pick(f"{whom}里有{label}的{few}", f"Of {whom}, {few} have {label}")
        if not few:
            return tongue.pick(f"{whom}共{every}", f"Of {every} {whom}")
        if self.query.where is None and self.barred is None:
            return saying_in(tongue, "ordered_by", whom=whom, label=label, few=few, every=every)
        return saying_in(tongue, "have_it", whom=whom, every=every, label=label, few=few)

    def _lead(self, held: Held, tongue: Tongue) -> str:
        """The first of the list with the figure that puts it there."""
        order = self.order
        name = tongue.pick("、", ", ").join(self.label(row, tongue) for row in self.rows)
        name += tongue.pick("等", " and others") if self.more else ""
        label = self.teller(tongue).tell(self.shown[0]) if self.shown else ""
        if not held.uses and order is not None:
            return tongue.pick(f"没有一家有{label}，无法排序", f"none has {label} to be ordered by")
        if not held.uses:
            return tongue.pick(f"排在最前的是{name}", f"{name} comes first")
        figure = held.uses[0]
        day, take = Dates(tongue).told(figure, self.shown[0]), self.query.take
        told = {"name": name, "label": label, "figure": place(figure) + day}
        if take is not None and take.skip and take.count == 1 and not take.per:
            return saying_in(tongue, "at_place", **told)
        if held.word == "first":
            return saying_in(tongue, "comes_first", **told)
        most = BEST["desc" if held.word == "highest" else "asc"]
        return saying_in(tongue, "list_most", most=most, **told)


class UnrankedRows(Counted):
    """Who could not be ranked by that figure: how many, the largest of them by name."""

    kind: Literal["unranked"] = "unranked"
    of: Expr
    count: str
    named: tuple[str, ...] = Field(min_length=1)
    more: bool = False

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return super().symbols | set(self.named)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claim, scope = cited(book, self.count), self.query.scope
        masks = list(self.masks(claim, scope))
        value = self.writer().write(self.of)
        texts = [f"(count(each(1.0, {one})) - count(each({value}, {one})))" for one in masks]
        need_formula(claim, *texts)
        if isinstance(self.of, Metric):
            key = leaf_key(self.of.id, self.times.token(self.of.id, self.of.when, ""))
            for symbol in self.named:
                known = any(key_fits(key, one) for one in book.of(self.of.id, symbol))
                need(not known, "not_missing", symbol)
        return Held("gap", "", uses=(claim,))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        label, count = self.teller(tongue).tell(self.of), place(held.uses[0])
        names = tongue.pick("、", ", ").join(called(one, tongue) for one in self.named)
        companies = "company" if held.uses[0].value == 1 else "companies"
        return Clause(
            tongue.pick(
                f"{names}{'等' if self.more else '共'}{count}没有{label}，未参与排名",
                f"{count} {companies} without {label} could not be ranked"
                f"{', among them ' if self.more else ': '}{names}",
            )
        )


class NoneFound(Judged):
    """Nobody satisfies the conditions. `satisfying`: that there are none, as a figure."""

    kind: Literal["none_found"] = "none_found"
    satisfying: str | None = None

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        self.need_judged(book)
        if self.satisfying is not None:
            among = both(self.query.scope, self.query.where)
            self.need_fold(book, self.satisfying, Folded(how="count"), among)
            need(not book.claims[self.satisfying].value, "not_missing")
        uses = (book.claims[self.total],) if self.total is not None else ()
        return Held("none", "", uses=uses)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        whom = self.teller(tongue).whom(self.query.scope) if self.query.scope is not None else ""
        of_rows = ("公司", "company") if self.query.rows == "companies" else ("交易日", "session")
        sort = GROUPED.get(self.query.group or "", Text(*of_rows))
        judged = self.judged_by(tongue)
        every, of, few = self.total_of(tongue), "", ""
        if every:
            of = tongue.pick(f"（共{every}）", f" ({every})")
        if judged is not None:
            known, have = place(judged[1]), "has" if judged[1].value == 1 else "have"
            few = saying_in(tongue, "only_judged", known=known, have=have, label=judged[0])
        none = f"no {sort.en} satisfies the conditions"
        en = f"Of {whom}{of} only {few}; among them {none}" if few else f"Of {whom}{of} {none}"
        return Clause(tongue.pick(f"{whom}{of}{few}没有符合条件的{sort.zh}", en))
