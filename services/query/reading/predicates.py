"""Conditions, orders and comparisons as they are put together from phrases: values of the algebra.

Each function gives None where the words do not fit together; the chart then has no such phrase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from services.query.algebra.nodes import (
    Across,
    AllOf,
    AnyOf,
    Arith,
    Compare,
    Const,
    Direction,
    Expr,
    In,
    Loss,
    Metric,
    Not,
    Pred,
    Sign,
    Streak,
    both,
    either,
)
from services.query.reading.figures_said import is_kin
from services.query.reading.phrases import (
    Amount,
    Fig,
    Listings,
    constant,
    dimensions,
    figure,
    reference,
)

NOT_SIGN: Mapping[str, Sign] = {"lt": "ge", "gt": "le", "le": "gt", "ge": "lt"}
TURNED_SIGN: Mapping[str, Sign] = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition that named its companies: 茅台市盈率低于30吗."""

    ents: tuple[Listings, ...]
    pred: Pred


@dataclass(frozen=True, slots=True)
class Sort:
    """An order said. `direction`: None where only the figure was said. `is_list`: 从高到低, not an
    extreme. `skip` and `take` where the place was said with it (第三低)."""

    phrase: Fig
    direction: Literal["asc", "desc", "both"] | None
    skip: int = 0
    take: int | None = None
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """Two figures set against each other; `right` None where one phrase names both."""

    how: Literal["add", "sub", "mul", "div", "percent", "rate"]
    left: Fig
    right: Fig | None


@dataclass(frozen=True, slots=True)
class DayTest:
    """Sessions at which something holds, listed or counted."""

    phrase: Fig
    test: Compare
    is_counted: bool


@dataclass(frozen=True, slots=True)
class RunAsked:
    """How many years or sessions in a row: 净利润连续几年增长."""

    phrase: Fig
    streak: Streak


@dataclass(frozen=True, slots=True)
class FoldTest:
    """A fold of each group against a number: 平均市盈率低于20的行业."""

    phrase: Fig
    sign: Sign
    right: Const


@dataclass(frozen=True, slots=True)
class CountShare:
    """What share of a set fulfils a condition, by number: 破净的公司占A股的比例."""

    pred: Pred
    within: Pred


Condition = Pred | Asked


def fold_test(phrase: Fig, sign: Sign | None, amount: Amount) -> FoldTest | None:
    """As a condition of groups: the phrase has a fold and one figure."""
    if (
        not sign
        or phrase.agg is None
        or len(phrase.mets) != 1
        or phrase.ents
        or phrase.peer
        or phrase.series
    ):
        return None
    right = constant(phrase.mets[0], amount)
    return FoldTest(phrase, sign, right) if right is not None else None


def count_share(condition: Condition, within: Fig) -> CountShare | None:
    """The share by number of companies."""
    if isinstance(condition, Asked) or within.scope is None or within != Fig(scope=within.scope):
        return None
    return CountShare(condition, within.scope)


def limited(phrase: Fig, pred: Pred | None) -> Condition | None:
    """A condition that named its set or its companies too: 市盈率小于8的银行, 银行市盈率小于8."""
    if pred is None:
        return None
    if phrase.ents:
        return Asked(phrase.ents, pred) if phrase.scope is None else None
    return both(phrase.scope, pred)


def compare(phrase: Fig, sign: Sign | None, amount: Amount) -> Condition | None:
    """Figures against a number; several figures must all hold."""
    if not sign or not phrase.is_plain or phrase.series:
        return None
    made: list[Pred] = []
    for name in phrase.mets:
        right, left = constant(name, amount), figure(name, phrase)
        if right is None or left is None:
            return None
        made.append(Compare(sign=sign, left=left, right=right))
    return limited(phrase, both(*made))


def between(phrase: Fig, bounds: tuple[Amount, Amount] | None) -> Condition | None:
    """A range, both ends in it."""
    if bounds is None or not phrase.is_plain:
        return None
    bare = replace(phrase, scope=None, ents=())
    low, high = compare(bare, "ge", bounds[0]), compare(bare, "le", bounds[1])
    if low is None or high is None or isinstance(low, Asked) or isinstance(high, Asked):
        return None
    return limited(phrase, both(low, high))


def again(condition: Condition, sign: Sign, amount: Amount) -> Compare | None:
    """One more bound of the figure said last: 市盈率大于10小于20."""
    if isinstance(condition, Asked):
        return None
    last = condition.items[-1] if isinstance(condition, AllOf | AnyOf) else condition
    if not isinstance(last, Compare) or not isinstance(last.left, Metric):
        return None
    right = constant(last.left.id, amount)
    return Compare(sign=sign, left=last.left, right=right) if right is not None else None


def versus(phrase: Fig, sign: Sign | None, other: Fig) -> Condition | None:
    """A figure against another figure, company, or fold of peers."""
    if not sign or phrase.agg or phrase.peer or phrase.series or other.series:
        return None
    if not phrase.mets:
        phrase = replace(phrase, mets=other.mets)
    if len(phrase.mets) != 1 or (other.mets and not is_kin(phrase.mets[0], other.mets[0])):
        return None
    left, right = figure(phrase.mets[0], phrase), reference(other, phrase)
    if left is None or right is None or left == right:
        return None
    return limited(phrase, Compare(sign=sign, left=left, right=right))


def factor(phrase: Fig, other: Fig, sign: Sign | None, amount: Amount) -> Pred | None:
    """比B大10倍 → A > B × 10; 比B高5个百分点 → A − B > 5."""
    held = versus(phrase, sign, other)
    if not isinstance(held, Compare):
        return None
    if amount.unit == "multiple" and not amount.vague:
        times = Arith(how="mul", left=held.right, right=Const(value=amount.value))
        return Compare(sign=held.sign, left=held.left, right=times)
    by = constant((phrase.mets or other.mets)[0], amount)
    if by is None or held.sign not in ("gt", "ge", "lt", "le"):
        return None
    more, less = (held.left, held.right) if held.sign in ("gt", "ge") else (held.right, held.left)
    return Compare(sign="ge", left=Arith(how="sub", left=more, right=less), right=by)


def cheap(level: str) -> Compare:
    """便宜 is below the median of its own industry, and said so."""
    of = Metric(id="pe_ttm")
    return Compare(
        sign="lt" if level == "low" else "gt",
        left=of,
        right=Across(how="median", of=of, own="industry"),
    )


def below_book() -> Pred | None:
    """破净: below its book, which is above nought."""
    of = Metric(id="pb")
    above = Compare(sign="ge", left=of, right=Const(value=0, unit="multiple"))
    return both(above, Compare(sign="lt", left=of, right=Const(value=1, unit="multiple")))


def losing(phrase: Fig, sense: str) -> Condition | None:
    """亏损: the newest multiple is missing, or the profit of a year negative; 盈利 the opposite."""
    if phrase.mets not in ((), ("net_profit",), ("pe_ttm",)) or phrase.agg or phrase.peer:
        return None
    if phrase.when is not None:
        held = figure("net_profit", phrase)
        sign: Sign = "lt" if sense == "loss" else "gt"
        zero = Const(value=0, unit="money")
        return limited(phrase, held and Compare(sign=sign, left=held, right=zero))
    if phrase.ents:
        return None
    if sense == "loss":
        return limited(phrase, Loss())
    return limited(
        phrase,
        Compare(sign="gt", left=Metric(id="pe_ttm"), right=Const(value=0, unit="multiple")),
    )


def negative(phrase: Fig) -> Condition | None:
    """市盈率为负 is a loss; any other figure below nought."""
    if phrase.mets in (("pe_ttm",), ("pe_lyr",)) and not phrase.ents and not phrase.when:
        return limited(phrase, Loss(of=phrase.mets[0]))
    return compare(phrase, "lt", Amount(0.0, "number"))


def negated(condition: Condition) -> Pred | None:
    """不是市盈率大于20的; of several conditions nobody knows which is meant."""
    if isinstance(condition, Asked | AllOf | AnyOf):
        return None
    return Not(item=condition)


def alternative(one: Condition, other: Condition) -> Pred | None:
    """A或B; where `and` stands beside `or`, what belongs together must be asked."""
    if isinstance(one, Asked | AllOf) or isinstance(other, Asked | AllOf):
        return None
    return AnyOf(items=(*(one.items if isinstance(one, AnyOf) else (one,)), other))


def together(one: Condition, other: Condition) -> Condition | None:
    """A且B."""
    if isinstance(one, Asked) and not isinstance(other, Asked):
        return Asked(one.ents, both(one.pred, other) or other)
    if isinstance(one, Asked) or isinstance(other, Asked):
        return None
    if isinstance(one, AnyOf) or isinstance(other, AnyOf):
        return None
    return both(one, other)


def sorted_by(phrase: Fig, direction: Direction | None, *, is_list: bool = False) -> Sort | None:
    """按市值从高到低, 市值最高的."""
    if len(phrase.mets) != 1 or phrase.peer or phrase.series:
        return None
    if phrase.mets[0] == "close:fall":
        if direction is None:
            return None
        turned: Direction = "asc" if direction == "desc" else "desc"
        return Sort(replace(phrase, mets=("close:ret",)), turned, is_list=is_list)
    return Sort(phrase, direction, is_list=is_list)


def placed(phrase: Fig, place: tuple[int, bool], direction: Direction) -> Sort | None:
    """第三低."""
    count, is_from_end = place
    made = sorted_by(phrase, direction)
    if made is None or is_from_end:
        return None
    return replace(made, skip=count - 1, take=1)


def without(ents: Sequence[Listings]) -> Not | None:
    """除了茅台和五粮液."""
    if any(len(one) != 1 for one in ents):
        return None
    return Not(item=In(dim="symbol", values=tuple(one[0] for one in ents)))


def excluded(pred: Pred) -> Not | None:
    """除了银行; of several kinds of set nobody knows which is left out."""
    if isinstance(pred, In) and pred.dim == "industry" and pred.label:
        return None  # finer than the source: without it the rest cannot be told
    return None if isinstance(pred, AllOf | Not) else Not(item=pred)


def united(one: Pred, other: Pred) -> Pred | None:
    """A股银行和港股银行, 银行或保险: sets joined are a union."""
    if isinstance(one, Not) or isinstance(other, Not):
        return None
    if isinstance(one, In) and isinstance(other, In):
        return either(one, other) if one.dim == other.dim else None
    if isinstance(one, AllOf) and isinstance(other, In):  # A股银行或保险
        last = one.items[-1]
        if isinstance(last, In) and last.dim == other.dim:
            return both(*one.items[:-1], either(last, other))
    if dimensions(one) != dimensions(other):
        return None
    return AnyOf(items=(one, other))


def intersected(one: Pred, other: Pred) -> Pred | None:
    """创业板医药: sets of two kinds meet."""
    return None if dimensions(one) & dimensions(other) else both(one, other)


Rule = Callable[..., object]
Expression = Expr
