"""Whether a query makes sense, before anything runs: figures, times, units, currencies, additivity.

Everything is asked of the catalogue. What does not fit is a sentence, in both languages.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from services.core.boards import BOARDS
from services.core.text import Text, join_texts
from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.dimensions import (
    Dimensions,
    SenseError,
    fold_dimension,
    require_figure,
    tell_plainly,
)
from services.query.algebra.scopes import CURRENCIES, markets_of, named_symbols, segments_in
from services.query.algebra.times import is_barred, uses_reports

_MONEY = frozenset({"money", "price", "per_share"})


def check_query(query: a.Query) -> tuple[Text, ...]:
    """What is wrong with it; nothing where it may run."""
    found: dict[Text, None] = {}
    for inner in query.inner:
        found |= dict.fromkeys(check_query(inner))
    checker = _Checker(query)
    for check in (
        checker.check_rows,
        checker.check_sets,
        checker.check_bounds,
        checker.check_figures,
        checker.check_folds,
        checker.check_orders,
    ):
        try:
            check()
        except SenseError as error:
            found[error.why] = None
    return tuple(found)


def tests_in(pred: a.Pred | None) -> Iterator[a.Compare]:
    """The comparisons that must all hold of a row."""
    if isinstance(pred, a.AllOf):
        for one in pred.items:
            yield from tests_in(one)
    elif isinstance(pred, a.Compare):
        yield pred


def unmet_money(query: a.Query) -> Text | None:
    """Why an amount of the query is compared with nothing; None where each has its like."""
    tests = [one for one in a.nodes_in(query, a.Compare) if foreign_money(query, one)]
    problems = check_query(query) if tests else ()
    return next(iter(problems), None)


def foreign_money(query: a.Query, test: a.Node) -> str | None:
    """The currency of a comparison's amount, where the figures beside it need not be in it: of
    another market, or of reports in Hong Kong, whose money is not that of the shares.
    """
    if not isinstance(test, a.Compare):
        return None
    markets = markets_of(query.scope)
    for one in a.walk(test):
        said = one.unit.partition(":")[2] if isinstance(one, a.Const) else ""
        if said and {CURRENCIES[market] for market in markets} != {said}:
            return said
        if said and "HK" in markets and uses_reports(test.left):
            return said
    return None


@dataclass(slots=True)
class _Checker:
    query: a.Query

    def check_rows(self) -> None:
        query = self.query
        if query.rows in a.TIMED and named_symbols(query.scope) is None:
            raise SenseError("times_of_names")
        if query.rows == "months" and not all(map(is_barred, a.figures_in(query))):
            raise SenseError("months_of_prices")
        moves = [one for one in a.walk(query) if isinstance(one, a.Change)]
        if query.rows == "days" and any(a.OWN in (one.since, one.until) for one in moves):
            raise SenseError("day_by_day")  # a day's own change is the daily one
        if query.rows == "events" and query.where is None:
            raise SenseError("no_event")
        if query.rows != "one" and query.scope is None:
            raise SenseError("no_companies")
        if query.group is not None and not query.fold:
            raise SenseError("what_of_groups")

    def check_sets(self) -> None:
        """No set may be empty by its own words, nor a part stand beside the whole it is of."""
        beside = {one for part in a.nodes_in(self.query, a.In) for one in part.values}
        for one in segments_in(self.query.scope):
            if self.query.group == "board" or BOARDS[one].part_of in beside:
                raise SenseError(
                    "part_and_whole",
                    part=BOARDS[one].label,
                    whole=BOARDS[BOARDS[one].part_of].label,
                )
        marks: dict[str, tuple[str, ...]] = {}
        for one in a.items_of(self.query.scope):
            if not isinstance(one, a.In):
                continue
            if one.dim in marks and not set(marks[one.dim]) & set(one.values):
                values = (*marks[one.dim], *one.values)
                both = (w.MARKS.get(value, Text(value, value)) for value in values)
                raise SenseError("of_both_at_once", both=join_texts(both, "和", " and "))
            marks[one.dim] = one.values

    def check_bounds(self) -> None:
        """Bounds of one figure must leave something between them."""
        for pred in (self.query.scope, self.query.where, self.query.check):
            bounds: dict[a.Expr, list[tuple[float, float]]] = {}
            for test in tests_in(pred):
                if isinstance(test.right, a.Const):
                    bounds.setdefault(test.left, []).append(_interval(test))
            for expr, found in bounds.items():
                low, high = max(one[0] for one in found), min(one[1] for one in found)
                if low >= high and not (low == high and _is_closed(expr, low, pred)):
                    raise SenseError("contradict", of=tell_plainly(expr))

    def check_figures(self) -> None:
        """Every expression and test measures something, in one currency."""
        dimensions = Dimensions()
        # The query its rows are taken from is checked by itself.
        for part in a.walk(self.query.but(first=None)):
            if isinstance(part, a.Compare):
                dimensions.compare(part)
                self._one_currency(part)
            elif isinstance(part, a.Every | a.Exists):
                self._of_own_time(part)
            elif isinstance(part, a.Loss):
                require_figure(part.of)
        for expr in (*self.query.show, *self.query.ordered_by, *self.query.folded):
            dimensions.of(expr)

    def check_folds(self) -> None:
        query = self.query
        for one in query.fold:
            if one.of is not None:
                dimension = fold_dimension(one.how, one.of, Dimensions().of(one.of))
                if dimension in _MONEY and one.how != "count" and not self._tells_currency(one.of):
                    self._one_market(Text("合计或比较", "summed or compared"))
        if query.fold and query.take is not None and not query.order:
            raise SenseError("first_by_what")
        for one in query.having:
            if one.fold >= len(query.fold):
                raise SenseError("no_such_fold")

    def check_orders(self) -> None:
        is_timed = self.query.rows not in ("companies", "one") or self.query.group is not None
        for one in self.query.order:
            if one == a.NEWEST_FIRST and not is_timed:
                raise SenseError("no_order")
            # Reports are in currencies of their own, which the figures themselves say.
            if one.by is None or uses_reports(one.by):
                continue
            if Dimensions().of(one.by) in _MONEY:
                self._one_market(Text("排序", "ranked"))

    def _one_currency(self, test: a.Compare) -> None:
        if any(one.unit == "money" for one in a.nodes_in(test, a.Const)):
            self._one_market(Text("与同一个金额比较", "compared with one amount"))
        if (said := foreign_money(self.query, test)) is None:
            return
        own = sorted({CURRENCIES[market] for market in markets_of(self.query.scope)})
        told = w.CURRENCIES[said]
        if "HKD" in own and uses_reports(test.left):
            raise SenseError("reports_in_own", said=told)
        raise SenseError(
            "other_currency",
            said=told,
            there=join_texts([w.CURRENCIES[one] for one in own], "、", ", "),
        )

    def _tells_currency(self, expr: a.Expr) -> bool:
        """Whether each figure says in which currency it is: reports of companies by name."""
        return uses_reports(expr) and named_symbols(self.query.scope) is not None

    def _one_market(self, done: Text) -> None:
        markets = markets_of(self.query.scope)
        if len({CURRENCIES.get(market) for market in markets}) > 1:
            raise SenseError("several_currencies_done", done=done)

    def _of_own_time(self, part: a.Every | a.Exists) -> None:
        times = [one.when for one in a.nodes_in(part.test, a.Metric)]
        times += [one.until for one in a.nodes_in(part.test, a.Change)]
        if times and all(one.kind != "own" for one in times):
            raise SenseError("of_each_period")


def _interval(test: a.Compare) -> tuple[float, float]:
    value, far = test.right.value if isinstance(test.right, a.Const) else 0.0, float("inf")
    if test.sign == "eq":
        return value, value
    return (-far, value) if test.sign in {"lt", "le"} else (value, far)


def _is_closed(expr: a.Expr, value: float, pred: a.Pred | None) -> bool:
    """Whether the one number left is allowed by every bound."""
    signs = {
        test.sign
        for test in tests_in(pred)
        if test.left == expr and isinstance(test.right, a.Const) and test.right.value == value
    }
    return not signs & {"lt", "gt"}
