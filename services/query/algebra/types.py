"""Whether a query makes sense, before anything runs: figures, times, units, currencies, additivity.

Everything is asked of the catalogue. What does not fit is a sentence, in both languages.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.query.algebra.explain import MARKS, Teller
from services.query.algebra.nodes import (
    Across,
    AllOf,
    Arith,
    Change,
    Compare,
    Const,
    Every,
    Exists,
    Expr,
    Fold,
    HistoryRank,
    In,
    Loss,
    Metric,
    Node,
    Over,
    Pred,
    Query,
    Rank,
    Streak,
    When,
    walk,
)
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.algebra.times import is_barred, is_reported

_KINDS = frozenset({"price", "valuation", "statement", "ratio", "size"})
_CURRENCIES: Mapping[str, str] = {"CN": "CNY", "HK": "HKD", "US": "USD"}
_WORDS: Mapping[str, tuple[str, str]] = {
    "money": ("金额", "an amount of money"),
    "price": ("股价", "a price"),
    "per_share": ("每股金额", "an amount a share"),
    "percent": ("百分数", "a percentage"),
    "pp": ("百分点", "percentage points"),
    "multiple": ("倍数", "a multiple"),
    "shares": ("股数", "a number of shares"),
    "rank": ("名次", "a rank"),
    "count": ("家数", "a number of companies"),
    "number": ("数", "a number"),
}
_MONEY = frozenset({"money", "price", "per_share"})


class Problem(NamedTuple):
    """Why a query cannot be done, in both languages."""

    zh: str
    en: str


class _TypeError(Exception):
    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.problem = Problem(zh, en)


def check_query(query: Query) -> tuple[Problem, ...]:
    """What is wrong with it; nothing where it may run."""
    found: dict[Problem, None] = {}
    if query.first is not None:
        found |= dict.fromkeys(check_query(query.first))
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
        except _TypeError as error:
            found[error.problem] = None
    return tuple(found)


def dimension_of(expr: Expr) -> str:
    """What an expression measures: money, price, percent … ; empty for a bare number.

    A price and an amount a share are apart from an amount: they are never divided by a total.
    """
    return _Dimensions().of(expr)


def tests_in(pred: Pred | None) -> Iterator[Compare]:
    """The comparisons that must all hold of a row."""
    if isinstance(pred, AllOf):
        for one in pred.items:
            yield from tests_in(one)
    elif isinstance(pred, Compare):
        yield pred


@dataclass(slots=True)
class _Dimensions:
    """Works out what expressions measure; raises where parts cannot meet."""

    @singledispatchmethod
    def of(self, node: Node) -> str:
        raise TypeError(type(node).__name__)

    @of.register
    def _(self, node: Metric) -> str:
        _require_figure(node.id)
        _require_time(node.id, node.when)
        return _unit(node.id)

    @of.register
    def _(self, node: Const) -> str:
        if node.unit in {"number", "multiple"}:
            return "" if node.unit == "number" else "multiple"
        return node.unit.partition(":")[0]

    @of.register
    def _(self, node: Arith) -> str:
        left, right = self.of(node.left), self.of(node.right)
        if node.how in {"add", "sub"}:
            return _added(left, right, node.how)
        if node.how == "mul":
            return _times(left, right)
        return _over(left, right, node.how)

    @of.register
    def _(self, node: Change) -> str:
        _require_figure(node.of)
        _require_history(node.of)
        if node.how == "cagr" and is_barred(node.of):
            _refuse(
                "年复合增长率按年报计算，股价请问区间涨跌幅",
                "compound growth is of annual reports; of a price ask for its change",
            )
        unit = _unit(node.of)
        if node.how == "difference":
            return "pp" if unit == "percent" else unit
        if unit == "percent":
            name, en = _names(node.of)
            _refuse(
                f"{name}是百分数，变化请用百分点之差，不再求变化率",
                f"{en} is a percentage: its change is a difference in points, not a rate",
            )
        return {"multiple": "multiple"}.get(node.how, "percent")

    @of.register
    def _(self, node: Over) -> str:
        _require_figure(node.of)
        _require_history(node.of)
        entry = CATALOGUE[node.of]
        if node.how == "sum" and not entry.flow:
            name, en = _names(node.of)
            _refuse(f"{name}不能跨期相加", f"{en} cannot be summed over time")
        if node.of == "pct_change":
            _refuse(
                "区间内的日涨跌幅请逐日看，或问区间涨跌幅",
                "ask for the daily changes day by day, or for the change over the window",
            )
        return "count" if node.how == "count" else _unit(node.of)

    @of.register
    def _(self, node: Across) -> str:
        return _folded(node.how, node.of, self.of(node.of))

    @of.register
    def _(self, node: Rank) -> str:
        self.of(node.of)
        return "percent" if node.percentile else "rank"

    @of.register
    def _(self, node: HistoryRank) -> str:
        _require_figure(node.of)
        _require_history(node.of)
        return "percent"

    @of.register
    def _(self, node: Streak) -> str:
        self.compare(node.test)
        return "number"

    def compare(self, test: Compare) -> None:
        """Both sides of a comparison must measure the same."""
        left, right = self.of(test.left), self.of(test.right)
        if left and right and not _alike(left, right):
            zh, en = Teller({}, 0).tell(test), Teller({}, 1).tell(test)
            _refuse(
                f"“{zh}”比的是{_WORDS[left][0]}和{_WORDS[right][0]}，两者不能比较",
                f'"{en}" compares {_WORDS[left][1]} with {_WORDS[right][1]}: they cannot meet',
            )


@dataclass(slots=True)
class _Checker:
    query: Query

    def check_rows(self) -> None:
        query = self.query
        if query.rows in {"years", "quarters", "days"} and named_symbols(query.scope) is None:
            _refuse(
                "逐期的数据要点名公司，请说是哪几家",
                "figures by period are of companies by name: say which",
            )
        if query.rows == "events" and query.where is None:
            _refuse("没有说是什么事件", "no event was said")
        if query.rows != "one" and query.scope is None:
            _refuse("没有说是哪些公司", "no companies were said")
        if query.group is not None and not query.fold:
            _refuse("分组之后要算什么？", "what is to be computed of each group?")
        for part in walk(query):
            if isinstance(part, Streak) and part.grain == "days" and part in query.show:
                _refuse(
                    "连续交易日数只能作条件",
                    "a run of sessions can be a condition only",
                )

    def check_sets(self) -> None:
        """No set may be empty by its own words."""
        marks: dict[str, tuple[str, ...]] = {}
        scope = self.query.scope
        parts = scope.items if isinstance(scope, AllOf) else (scope,) if scope is not None else ()
        for one in parts:
            if not isinstance(one, In):
                continue
            if one.dim in marks and not set(marks[one.dim]) & set(one.values):
                both = [
                    MARKS.get(value, (value, value)) for value in (*marks[one.dim], *one.values)
                ]
                _refuse(
                    f"没有公司同时属于{'和'.join(word[0] for word in both)}",
                    f"no company belongs to {' and '.join(word[1] for word in both)} at once",
                )
            marks[one.dim] = one.values

    def check_bounds(self) -> None:
        """Bounds of one figure must leave something between them."""
        for pred in (self.query.scope, self.query.where, self.query.check):
            bounds: dict[Expr, list[tuple[float, float]]] = {}
            for test in tests_in(pred):
                if isinstance(test.right, Const):
                    bounds.setdefault(test.left, []).append(_interval(test))
            for expr, found in bounds.items():
                low, high = max(one[0] for one in found), min(one[1] for one in found)
                if low >= high and not (low == high and _closed(expr, low, pred)):
                    zh, en = Teller({}, 0).tell(expr), Teller({}, 1).tell(expr)
                    _refuse(
                        f"对{zh}的条件互相矛盾，没有数能同时满足",
                        f"the conditions on {en} contradict each other: no number satisfies both",
                    )

    def check_figures(self) -> None:
        """Every expression and test measures something, in one currency."""
        dimensions = _Dimensions()
        for part in _own_parts(self.query):
            if isinstance(part, Compare):
                dimensions.compare(part)
                self._one_currency(part)
            elif isinstance(part, Every | Exists):
                self._of_own_time(part)
            elif isinstance(part, Loss):
                _require_figure(part.of)
        for expr in self._expressions():
            dimensions.of(expr)

    def check_folds(self) -> None:
        query = self.query
        for one in query.fold:
            if one.of is not None:
                dimension = _folded(one.how, one.of, _Dimensions().of(one.of))
                if dimension in _MONEY and one.how != "count":
                    self._one_market("合计或比较", "summed or compared")
        if query.fold and query.take is not None and not query.order:
            _refuse(
                "要算前几名的合计，请说按什么排",
                "to fold the first of them, say what they are ordered by",
            )
        for one in query.having:
            if one.fold >= len(query.fold):
                _refuse("条件所指的汇总不存在", "the condition is on a figure that is not computed")

    def check_orders(self) -> None:
        for one in self.query.order:
            if one.by is not None and _Dimensions().of(one.by) in _MONEY:
                self._one_market("排序", "ranked")

    def _expressions(self) -> Iterable[Expr]:
        query = self.query
        yield from query.show
        yield from (one.by for one in query.order if one.by is not None)
        yield from (one.of for one in query.fold if one.of is not None)

    def _one_currency(self, test: Compare) -> None:
        for one in walk(test):
            if not isinstance(one, Const):
                continue
            said = one.unit.partition(":")[2]
            if not said:
                if one.unit == "money":
                    self._one_market("与同一个金额比较", "compared with one amount")
                continue
            own = {_CURRENCIES.get(market, "") for market in markets_of(self.query.scope)}
            if own != {said}:
                there = "、".join(sorted(own))
                _refuse(
                    f"金额说的是{said}，这些公司的数据是{there}；没有汇率来源，不能换算",
                    f"the amount is in {said}, the figures of these companies in {there}; "
                    "there is no exchange rate here, so nothing is converted",
                )

    def _one_market(self, zh: str, en: str) -> None:
        markets = markets_of(self.query.scope)
        if len({_CURRENCIES.get(market) for market in markets}) > 1:
            _refuse(
                f"这些公司的金额币种不同，没有汇率来源，不能{zh}",
                f"these companies' amounts are in several currencies and there is no exchange "
                f"rate here: they cannot be {en}",
            )

    def _of_own_time(self, part: Every | Exists) -> None:
        times = [one.when for one in walk(part.test) if isinstance(one, Metric)]
        times += [one.until for one in walk(part.test) if isinstance(one, Change)]
        if times and all(one.kind != "own" for one in times):
            _refuse(
                "逐期的条件要看各期自己的数",
                "a test of every period is about the figures of each",
            )


def _own_parts(query: Query) -> Iterator[Node]:
    """Every node of the query but those of the one its rows are taken from."""
    bare = query.model_copy(update={"first": None})
    yield from walk(bare)


def _require_figure(metric: str) -> None:
    if metric not in CATALOGUE or CATALOGUE[metric].kind not in _KINDS:
        _refuse(f"没有“{metric}”这个指标", f'there is no figure "{metric}"')


def _require_history(metric: str) -> None:
    if not (is_barred(metric) or is_reported(metric)):
        name, en = _names(metric)
        _refuse(
            f"{name}只有最近一天的数，没有历史",
            f"{en} is known of the newest day only: it has no history",
        )


def _require_time(metric: str, when: When) -> None:
    if when.kind in {"latest", "own"}:
        return
    _require_history(metric)
    if when.kind == "days" and is_reported(metric):
        name, en = _names(metric)
        _refuse(
            f"{name}按报告期给出，没有某一天的数",
            f"{en} is of report periods: there is none of a day",
        )


def _unit(metric: str) -> str:
    unit = CATALOGUE[metric].unit
    return "" if unit in {"any", "number"} else unit


def _names(metric: str) -> tuple[str, str]:
    return CATALOGUE[metric].zh, CATALOGUE[metric].en


def _alike(left: str, right: str) -> bool:
    kin = ({"percent", "pp"}, {"count", "number"}, {"money", "price", "per_share"})
    if left == right:
        return True
    if {left, right} == {"price", "per_share"} or {left, right} == {"price", "money"}:
        return True
    return any({left, right} <= one for one in kin[:2])


def _added(left: str, right: str, how: str) -> str:
    if left and right and left != right:
        _refuse(
            f"{_WORDS[left][0]}和{_WORDS[right][0]}不能相加减",
            f"{_WORDS[left][1]} and {_WORDS[right][1]} cannot be added",
        )
    unit = left or right
    return "pp" if unit == "percent" and how == "sub" and left and right else unit


def _times(left: str, right: str) -> str:
    plain = {"", "multiple", "number"}
    if left in plain or right in plain:
        return right if left in plain else left
    if "shares" in {left, right} and {left, right} & {"price", "per_share"}:
        return "money"
    _refuse(
        f"{_WORDS[left][0]}和{_WORDS[right][0]}不能相乘",
        f"{_WORDS[left][1]} and {_WORDS[right][1]} cannot be multiplied",
    )
    return ""


def _over(left: str, right: str, how: str) -> str:
    if right in {"", "number", "multiple"} and how == "div":
        return left
    if left == right or {left, right} == {"price", "per_share"}:
        return "percent" if how == "percent" else "multiple"
    if right == "shares" and left == "money" and how == "div":
        return "per_share"
    _refuse(
        f"{_WORDS.get(left, ('数', ''))[0]}和{_WORDS.get(right, ('数', ''))[0]}相除没有意义",
        f"{_WORDS.get(left, ('', 'a number'))[1]} over {_WORDS.get(right, ('', 'a number'))[1]} "
        "means nothing",
    )
    return ""


def _folded(how: Fold, of: Expr, dimension: str) -> str:
    if how == "count":
        return "count"
    if how == "sum" and not _is_additive(of):
        zh, en = Teller({}, 0).tell(of), Teller({}, 1).tell(of)
        _refuse(
            f"{zh}不能相加，可以问平均值或中位数",
            f"{en} cannot be summed; ask for its mean or median",
        )
    return dimension


def _is_additive(expr: Expr) -> bool:
    if isinstance(expr, Metric):
        return CATALOGUE[expr.id].additive
    if isinstance(expr, Arith):
        parts = [one for one in (expr.left, expr.right) if not isinstance(one, Const)]
        return expr.how in {"add", "sub", "mul"} and all(map(_is_additive, parts))
    if isinstance(expr, Change):
        return expr.how == "difference" and CATALOGUE[expr.of].additive
    return isinstance(expr, Over) and expr.how == "sum" and CATALOGUE[expr.of].additive


def _interval(test: Compare) -> tuple[float, float]:
    value, far = test.right.value if isinstance(test.right, Const) else 0.0, float("inf")
    if test.sign == "eq":
        return value, value
    return (-far, value) if test.sign in {"lt", "le"} else (value, far)


def _closed(expr: Expr, value: float, pred: Pred | None) -> bool:
    """Whether the one number left is allowed by every bound."""
    signs = {
        test.sign
        for test in tests_in(pred)
        if test.left == expr and isinstance(test.right, Const) and test.right.value == value
    }
    return not signs & {"lt", "gt"}


def _refuse(zh: str, en: str) -> None:
    raise _TypeError(zh, en)
