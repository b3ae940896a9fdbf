"""Yes or no of companies asked about: what the test comes to on the figures that are told."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from services.core.rendering import place
from services.query.algebra import nodes as a
from services.query.algebra.statements import losses_at, tests_at
from services.query.assertions.assertion import RowOf, cited, need_formula
from services.query.assertions.of_rows import OfRows
from services.statements.book import Book
from services.statements.statement import BrokenError, Clause, Held, need
from services.statements.tongue import Tongue

# Of so many companies each is answered by itself.
EACH_TESTED = 2
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
}
Verdict = Literal["yes", "no", "unknown", "known"]
_VERDICTS = {
    "yes": ("是", "yes"),
    "no": ("否", "no"),
    "unknown": ("无法判断", "cannot be told"),
    "known": ("能判断的各期都是", "yes in each that can be judged"),
}


class Tested(OfRows):
    """The test of the query on each row, with the figures it rests on."""

    kind: Literal["tested"] = "tested"
    rows: tuple[RowOf, ...] = Field(min_length=1, max_length=EACH_TESTED)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        held = super().prove(book)
        verdicts = [self._judge(row, book) for row in self.rows]
        return Held(" ".join(verdicts), "", uses=held.uses)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        return self.tell(held.word.split(), tongue)

    def tell(self, verdicts: Sequence[str], tongue: Tongue) -> Clause:
        """The sentences, where that is what the test came to of each row."""
        asked = self.query.check
        test = self.teller(tongue).tell(asked) if asked is not None else ""
        told: list[str] = []
        for row, verdict in zip(self.rows, verdicts, strict=True):
            word = tongue.pick(*_VERDICTS[verdict])
            of = "的" if isinstance(asked, a.Compare) else "："
            label, figures = self.label(row, tongue), self.figures(row, tongue)
            head = tongue.pick(f"{label}{of}{test}：{word}。", f"{label}, {test}: {word}. ")
            told.append(head + figures)
        return Clause(tongue.pick("。", ". ").join(told))

    def _judge(self, row: RowOf, book: Book) -> Verdict:
        """Raises: BrokenError for a test of figures that are not told."""
        need(self.query.check is not None, "malformed")
        assert self.query.check is not None  # noqa: S101 - for the type checker
        test = self.query.check
        held = self._holds(test, row, book)
        if held is None and isinstance(test, a.Every):
            each = (self._holds(one, row, book) for one in tests_at(test, self.times))
            return "known" if sum(one is True for one in each) > 1 else "unknown"
        return "unknown" if held is None else "yes" if held else "no"

    def _holds(self, test: a.Pred, row: RowOf, book: Book) -> bool | None:
        """Whether the test holds; None where a figure is missing that would decide it: one year in
        which it does not is enough for a no.
        """
        if isinstance(test, a.AllOf):
            return _at_least([self._holds(one, row, book) for one in test.items])
        if isinstance(test, a.AnyOf):
            return _at_least([self._holds(one, row, book) for one in test.items], 1)
        if isinstance(test, a.Not):
            return not self._holds(test.item, row, book)
        if isinstance(test, a.Every | a.Exists):
            each = [self._holds(one, row, book) for one in tests_at(test, self.times)]
            need(each, "no_formula", type(test).__name__)
            return _at_least(each, None if isinstance(test, a.Every) else test.least)
        if isinstance(test, a.Loss):
            return self._loses(test, row, book)
        if not isinstance(test, a.Compare):
            raise BrokenError("no_formula", type(test).__name__)
        left, right = (self._value(one, row, book) for one in (test.left, test.right))
        return None if left is None or right is None else _SIGNS[test.sign](left, right)

    def _loses(self, test: a.Loss, row: RowOf, book: Book) -> bool | None:
        """Of a year by its profit; at present by the multiple the source does not give, which then
        stands nowhere. Raises: BrokenError for a year told by neither.
        """
        first, *rest = (self._value(one, row, book) for one in losses_at(test))
        if test.when.kind != "latest":
            need(first is not None, "no_formula", "Loss")
            return first is not None and first < 0
        if first is not None or rest[0] is None:
            return False if first is not None else None
        need(not book.of(test.of, row.symbol), "not_missing", test.of)
        return rest[0] > 0

    def _value(self, expr: a.Expr, row: RowOf, book: Book) -> float | None:
        if isinstance(expr, a.Const):
            return expr.value
        if expr not in self.shown:
            raise BrokenError("no_formula", type(expr).__name__)
        one = row.figures[self.shown.index(expr)]
        return book.claims[one.claim].value if one is not None and one.claim is not None else None


def _at_least(each: Sequence[bool | None], count: int | None = None) -> bool | None:
    """Whether so many of them hold, or all; None where those that nobody knows decide it."""
    count = len(each) if count is None else count
    sure = sum(one is True for one in each)
    return True if sure >= count else None if sure + each.count(None) >= count else False


class AllTested(OfRows):
    """Whether the test holds of all of them, and of how many: two counts of companies by name."""

    kind: Literal["all_tested"] = "all_tested"
    held: str
    every: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        some, every = cited(book, self.held), cited(book, self.every)
        need_formula(some, among=True)
        need_formula(every, among=True)
        need(some.value <= every.value, "count_of_another")
        return Held("yes" if some.value == every.value else "no", "", uses=(some, every))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        some, every = map(place, held.uses)
        test = self.teller(tongue).tell(self.query.check) if self.query.check is not None else ""
        yes = held.word == "yes"
        return Clause(
            tongue.pick("是，" if yes else "不都是：", "Yes: " if yes else "No: "),
            tongue.pick(f"{every}里{some}{test}", f"of {every}, {some} satisfy: {test}"),
        )
