"""What an expression measures: money, a price, a percentage; and why parts of it cannot meet."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.text import Text
from services.query.algebra.nodes import (
    Across,
    Arith,
    Change,
    Compare,
    Const,
    Course,
    Expr,
    Fold,
    HistoryRank,
    Metric,
    Node,
    Over,
    Rank,
    Streak,
    When,
)
from services.query.algebra.telling import Teller
from services.query.algebra.times import is_barred, is_reported

FIGURE_KINDS = frozenset({"price", "valuation", "statement", "ratio", "size"})


_A_NUMBER = Text("数", "a number")
_WORDS: Mapping[str, Text] = {
    "money": Text("金额", "an amount of money"),
    "price": Text("股价", "a price"),
    "per_share": Text("每股金额", "an amount a share"),
    "percent": Text("百分数", "a percentage"),
    "pp": Text("百分点", "percentage points"),
    "multiple": Text("倍数", "a multiple"),
    "shares": Text("股数", "a number of shares"),
    "rank": Text("名次", "a rank"),
    "count": Text("家数", "a number of companies"),
    "number": Text("数", "a number"),
}


class Problem(NamedTuple):
    """Why a query cannot be done, in both languages."""

    zh: str
    en: str


class SenseError(Exception):
    """What is asked means nothing, and why."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self.problem = Problem(zh, en)


def dimension_of(expr: Expr) -> str:
    """What an expression measures: money, price, percent … ; empty for a bare number.

    A price and an amount a share are apart from an amount: they are never divided by a total.
    """
    return Dimensions().of(expr)


@dataclass(slots=True)
class Dimensions:
    """Works out what expressions measure; raises where parts cannot meet."""

    @singledispatchmethod
    def of(self, node: Node) -> str:
        """What an expression measures. Raises: SenseError."""
        raise TypeError(type(node).__name__)

    @of.register
    def _(self, node: Metric) -> str:
        require_figure(node.id)
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
            return _add_units(left, right, node.how)
        if node.how == "mul":
            return _times(left, right)
        return _over(left, right, node.how)

    @of.register
    def _(self, node: Change) -> str:
        require_figure(node.of)
        _require_history(node.of)
        if node.how == "cagr" and is_barred(node.of):
            refuse(
                "年复合增长率按年报计算，股价请问区间涨跌幅",
                "compound growth is of annual reports; of a price ask for its change",
            )
        unit = _unit(node.of)
        if node.how == "difference":
            return "pp" if unit == "percent" else unit
        if unit == "percent":
            name, en = _names(node.of)
            refuse(
                f"{name}是百分数，变化请用百分点之差，不再求变化率",
                f"{en} is a percentage: its change is a difference in points, not a rate",
            )
        return {"multiple": "multiple"}.get(node.how, "percent")

    @of.register
    def _(self, node: Over) -> str:
        require_figure(node.of)
        _require_history(node.of)
        entry = CATALOGUE[node.of]
        if node.how == "sum" and not entry.flow:
            name, en = _names(node.of)
            refuse(f"{name}不能跨期相加", f"{en} cannot be summed over time")
        if node.of == "pct_change":
            refuse(
                "区间内的日涨跌幅请逐日看，或问区间涨跌幅",
                "ask for the daily changes day by day, or for the change over the window",
            )
        return "count" if node.how == "count" else _unit(node.of)

    @of.register
    def _(self, node: Course) -> str:
        require_figure(node.of)
        if not is_barred(node.of) or node.of in {"volume", "pct_change"}:
            name, en = _names(node.of)
            refuse(f"这是价格的走法，{name}没有", f"that is of prices, not of {en}")
        return "percent" if node.how in {"drawdown", "volatility"} else "sessions"

    @of.register
    def _(self, node: Across) -> str:
        return fold_dimension(node.how, node.of, self.of(node.of))

    @of.register
    def _(self, node: Rank) -> str:
        self.of(node.of)
        return "percent" if node.percentile else "rank"

    @of.register
    def _(self, node: HistoryRank) -> str:
        require_figure(node.of)
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
            refuse(
                f"“{zh}”比的是{_WORDS[left].zh}和{_WORDS[right].zh}，两者不能比较",
                f'"{en}" compares {_WORDS[left].en} with {_WORDS[right].en}: they cannot meet',
            )


def require_figure(metric: str) -> None:
    """Raises: SenseError for what the catalogue has not, or that is no figure of a company."""
    if metric not in CATALOGUE or CATALOGUE[metric].kind not in FIGURE_KINDS:
        refuse(f"没有“{metric}”这个指标", f'there is no figure "{metric}"')


def _require_history(metric: str) -> None:
    if not (is_barred(metric) or is_reported(metric)):
        name, en = _names(metric)
        refuse(
            f"{name}只有最近一天的数，没有历史",
            f"{en} is known of the newest day only: it has no history",
        )


def _require_time(metric: str, when: When) -> None:
    if when.kind in {"latest", "own"}:
        return
    _require_history(metric)
    if when.kind == "days" and is_reported(metric):
        name, en = _names(metric)
        refuse(
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


def _add_units(left: str, right: str, how: str) -> str:
    if left and right and left != right:
        refuse(
            f"{_WORDS[left].zh}和{_WORDS[right].zh}不能相加减",
            f"{_WORDS[left].en} and {_WORDS[right].en} cannot be added",
        )
    unit = left or right
    return "pp" if unit == "percent" and how == "sub" and left and right else unit


def _times(left: str, right: str) -> str:
    plain = {"", "multiple", "number"}
    if left in plain or right in plain:
        return right if left in plain else left
    if "shares" in {left, right} and {left, right} & {"price", "per_share"}:
        return "money"
    refuse(
        f"{_WORDS[left].zh}和{_WORDS[right].zh}不能相乘",
        f"{_WORDS[left].en} and {_WORDS[right].en} cannot be multiplied",
    )
    return ""


def _over(left: str, right: str, how: str) -> str:
    if right in {"", "number", "multiple"} and how == "div":
        return left
    if left == right or {left, right} == {"price", "per_share"}:
        return "percent" if how == "percent" else "multiple"
    if right == "shares" and left == "money" and how == "div":
        return "per_share"
    refuse(
        f"{_WORDS.get(left, _A_NUMBER).zh}和{_WORDS.get(right, _A_NUMBER).zh}相除没有意义",
        f"{_WORDS.get(left, _A_NUMBER).en} over {_WORDS.get(right, _A_NUMBER).en} means nothing",
    )
    return ""


def fold_dimension(how: Fold, of: Expr, dimension: str) -> str:
    """What a fold over companies measures. Raises: SenseError for a sum of what adds to nothing."""
    if how == "count":
        return "count"
    if how == "sum" and not _is_additive(of):
        zh, en = Teller({}, 0).tell(of), Teller({}, 1).tell(of)
        refuse(
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


def refuse(zh: str, en: str) -> None:
    """Raises: SenseError with that sentence."""
    raise SenseError(zh, en)
