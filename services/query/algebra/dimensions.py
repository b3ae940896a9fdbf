"""What an expression measures: money, a price, a percentage; and why parts of it cannot meet."""

from dataclasses import dataclass
from functools import singledispatchmethod

from services.core.catalogue import CATALOGUE
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra.telling import Teller
from services.query.algebra.times import is_barred, is_reported
from services.query.algebra.words import MEASURES
from services.query.sayings import saying

FIGURE_KINDS = frozenset({"price", "valuation", "statement", "ratio", "size"})


class SenseError(Exception):
    """What is asked means nothing, and why: a saying with its places filled."""

    def __init__(self, name: str, /, **parts: Text | str) -> None:
        self.why = saying(name, **parts)
        super().__init__(self.why.en)


def dimension_of(expr: a.Expr) -> str:
    """What an expression measures: money, price, percent … ; empty for a bare number.

    A price and an amount a share are apart from an amount: they are never divided by a total.
    """
    return Dimensions().of(expr)


@dataclass(slots=True)
class Dimensions:
    """Works out what expressions measure; raises where parts cannot meet."""

    @singledispatchmethod
    def of(self, node: a.Node) -> str:
        """What an expression measures. Raises: SenseError."""
        raise TypeError(type(node).__name__)

    @of.register
    def _(self, node: a.Metric) -> str:
        require_figure(node.id)
        _require_time(node.id, node.when)
        return _unit(node.id)

    @of.register
    def _(self, node: a.Const) -> str:
        if node.unit in {"number", "multiple"}:
            return "" if node.unit == "number" else "multiple"
        return node.unit.partition(":")[0]

    @of.register
    def _(self, node: a.Arith) -> str:
        left, right = self.of(node.left), self.of(node.right)
        if node.how in {"add", "sub"}:
            return _add_units(left, right, node.how)
        if node.how == "mul":
            return _times(left, right)
        return _over(left, right, node.how)

    @of.register
    def _(self, node: a.Change) -> str:
        require_figure(node.of)
        _require_history(node.of)
        if node.how == "cagr" and is_barred(node.of):
            raise SenseError("no_cagr_of_prices")
        unit = _unit(node.of)
        if node.how == "difference":
            return "pp" if unit == "percent" else unit
        if unit == "percent":
            raise SenseError("no_rate_of_percent", of=_label(node.of))
        return {"multiple": "multiple"}.get(node.how, "percent")

    @of.register
    def _(self, node: a.Over) -> str:
        require_figure(node.of)
        _require_history(node.of)
        entry = CATALOGUE[node.of]
        if node.how == "sum" and not entry.flow:
            raise SenseError("no_sum_over_time", of=_label(node.of))
        if node.of == "pct_change":
            raise SenseError("day_by_day")
        return "count" if node.how == "count" else _unit(node.of)

    @of.register
    def _(self, node: a.Course) -> str:
        require_figure(node.of)
        if not is_barred(node.of) or node.of in {"volume", "pct_change"}:
            raise SenseError("of_prices_alone", of=_label(node.of))
        return "percent" if node.how in {"drawdown", "volatility"} else "sessions"

    @of.register
    def _(self, node: a.Across) -> str:
        return fold_dimension(node.how, node.of, self.of(node.of))

    @of.register
    def _(self, node: a.Rank) -> str:
        self.of(node.of)
        return "percent" if node.percentile else "rank"

    @of.register
    def _(self, node: a.HistoryRank) -> str:
        require_figure(node.of)
        _require_history(node.of)
        return "percent"

    @of.register
    def _(self, node: a.Streak) -> str:
        self.compare(node.test)
        return "number"

    def compare(self, test: a.Compare) -> None:
        """Both sides of a comparison must measure the same."""
        left, right = self.of(test.left), self.of(test.right)
        if left and right and not _alike(left, right):
            raise SenseError(
                "cannot_meet", test=tell_plainly(test), left=_word(left), right=_word(right)
            )


def require_figure(metric: str) -> None:
    """Raises: SenseError for what the catalogue has not, or that is no figure of a company."""
    if metric not in CATALOGUE or CATALOGUE[metric].kind not in FIGURE_KINDS:
        raise SenseError("no_figure", said=metric)


def _require_history(metric: str) -> None:
    if not (is_barred(metric) or is_reported(metric)):
        if CATALOGUE[metric].kind == "valuation" and metric.startswith(("pe_", "pb")):
            raise SenseError("no_history_of_multiple", of=_label(metric))
        raise SenseError("no_history", of=_label(metric))


def _require_time(metric: str, when: a.When) -> None:
    if when.kind in {"latest", "own"}:
        return
    _require_history(metric)
    if when.kind == "days" and is_reported(metric):
        raise SenseError("not_of_a_day", of=_label(metric))


def _unit(metric: str) -> str:
    unit = CATALOGUE[metric].unit
    return "" if unit in {"any", "number"} else unit


def _word(dimension: str) -> Text:
    return MEASURES.get(dimension, MEASURES["number"])


def _label(metric: str) -> Text:
    return Text(CATALOGUE[metric].zh, CATALOGUE[metric].en)


def _alike(left: str, right: str) -> bool:
    kin = ({"percent", "pp"}, {"count", "number"}, {"money", "price", "per_share"})
    if left == right:
        return True
    if {left, right} == {"price", "per_share"} or {left, right} == {"price", "money"}:
        return True
    return any({left, right} <= one for one in kin[:2])


def _add_units(left: str, right: str, how: str) -> str:
    if left and right and left != right:
        raise SenseError("cannot_be_added", left=_word(left), right=_word(right))
    unit = left or right
    return "pp" if unit == "percent" and how == "sub" and left and right else unit


def _times(left: str, right: str) -> str:
    plain = {"", "multiple", "number"}
    if left in plain or right in plain:
        return right if left in plain else left
    if "shares" in {left, right} and {left, right} & {"price", "per_share"}:
        return "money"
    raise SenseError("cannot_be_multiplied", left=_word(left), right=_word(right))


def _over(left: str, right: str, how: str) -> str:
    if right in {"", "number", "multiple"} and how == "div":
        return left
    if left == right or {left, right} == {"price", "per_share"}:
        return "percent" if how == "percent" else "multiple"
    if right == "shares" and left == "money" and how == "div":
        return "per_share"
    raise SenseError("over_means_nothing", left=_word(left), right=_word(right))


def fold_dimension(how: a.Fold, of: a.Expr, dimension: str) -> str:
    """What a fold over companies measures. Raises: SenseError for a sum of what adds to nothing."""
    if how == "count":
        return "count"
    if how == "sum" and not is_additive(of):
        raise SenseError("no_sum", of=tell_plainly(of))
    return dimension


def is_additive(expr: a.Expr) -> bool:
    """Whether it may be summed over companies."""
    if isinstance(expr, a.Metric):
        return CATALOGUE[expr.id].additive
    if isinstance(expr, a.Arith):
        if expr.how == "percent" and isinstance(expr.right, a.Across):  # shares of one whole
            return expr.right.own is None and is_additive(expr.left)
        parts = [one for one in (expr.left, expr.right) if not isinstance(one, a.Const)]
        return expr.how in {"add", "sub", "mul"} and all(map(is_additive, parts))
    if isinstance(expr, a.Change):
        return expr.how == "difference" and CATALOGUE[expr.of].additive
    return isinstance(expr, a.Over) and expr.how == "sum" and CATALOGUE[expr.of].additive


def tell_plainly(node: a.Node) -> Text:
    """An expression or test in words, companies by their codes."""
    return Text(Teller({}, 0).tell(node), Teller({}, 1).tell(node))
