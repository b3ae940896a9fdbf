"""Conditions, orders and comparisons as they are put together from phrases: values of the algebra.

Each function gives None where the words do not fit together; the chart then has no such phrase.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from services.query.algebra.nodes import (
    OWN,
    YEAR_BEFORE,
    Across,
    AllOf,
    AnyOf,
    Arith,
    Change,
    Compare,
    Const,
    Direction,
    Every,
    Expr,
    In,
    Loss,
    Metric,
    Not,
    Pred,
    Sign,
    Streak,
    When,
    both,
    either,
)
from services.query.reading.figures_said import base, is_kin, is_of_days, is_of_years
from services.query.reading.phrases import (
    Amount,
    Fig,
    Listings,
    Time,
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


def run_asked(phrase: Fig, move: str, grain: str) -> RunAsked | None:
    """How long it has gone on rising or falling, up to the newest."""
    if (
        phrase.when is not None
        or phrase.agg
        or phrase.peer
        or phrase.series
        or len(phrase.mets) > 1
    ):
        return None
    sign: Sign = "gt" if move == "up" else "lt"
    zero = Const(value=0, unit="percent")
    if grain == "years":
        if not phrase.mets or not is_of_years(phrase.mets[0]):
            return None
        rate = Change(how="rate", of=base(phrase.mets[0]), since=YEAR_BEFORE, until=OWN)
        return RunAsked(
            phrase, Streak(grain="years", test=Compare(sign=sign, left=rate, right=zero))
        )
    if phrase.mets not in ((), ("close",), ("pct_change",)):
        return None
    rate = Metric(id="pct_change", when=OWN)
    return RunAsked(phrase, Streak(grain="days", test=Compare(sign=sign, left=rate, right=zero)))


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


def fall_below(phrase: Fig, sign: Sign, amount: Amount) -> tuple[Sign, Amount]:
    """跌超3%: a change below −3 %."""
    return TURNED_SIGN[sign], amount._replace(value=-amount.value)


def every_year(count: object, phrase: Fig, sign: Sign | None, amount: Amount) -> Condition | None:
    """连续三年 ROE 大于15%."""
    if len(phrase.mets) != 1 or not sign or phrase.peer or phrase.agg:
        return None
    name = phrase.mets[0]
    right, left = constant(name, amount), figure(name, phrase, own=True)
    if right is None or left is None:
        return None
    return _every(count, phrase, Compare(sign=sign, left=left, right=right))


def moved_every_year(
    count: object, phrase: Fig, move: str, sign: Sign = "gt", amount: Amount | None = None
) -> Condition | None:
    """连续三年净利润增长(超过20%)."""
    if len(phrase.mets) != 1 or not is_of_years(phrase.mets[0]):
        return None
    if amount is not None and (amount.unit not in ("percent", "number") or amount.scaled):
        return None
    value = 0.0 if amount is None else amount.value
    if move == "down":
        sign, value = TURNED_SIGN[sign], 0.0 - value
    rate = Change(how="rate", of=base(phrase.mets[0]), since=YEAR_BEFORE, until=OWN)
    test = Compare(sign=sign, left=rate, right=Const(value=value, unit="percent"))
    return _every(count, phrase, test)


def _every(count: object, phrase: Fig, test: Compare) -> Condition | None:
    if not isinstance(count, int) or not is_of_years(phrase.mets[0]):
        return None
    window = When(kind="lastn", count=count, unit="years")
    time = phrase.when
    if time is not None:
        if not time.is_one_year or time.periods is None or time.periods.kind != "years":
            return None
        last = time.periods.last
        if not isinstance(last, int):
            return None
        window = When(kind="years", first=last - count + 1, last=last)
    return limited(phrase, Every(window=window, test=test))


def moved(phrase: Fig, move: str) -> Condition | None:
    """2015年净利润下滑: the growth is below nought."""
    return moved_by(phrase, move, "gt", Amount(0.0, "percent"))


def moved_by(phrase: Fig, move: str, sign: Sign, amount: Amount) -> Condition | None:
    """净利润增长超过20%."""
    if len(phrase.mets) != 1 or phrase.agg or phrase.peer or amount.vague:
        return None
    if amount.unit != "percent" or sign not in TURNED_SIGN:
        return None
    name, value = base(phrase.mets[0]), amount.value
    if move == "down":
        sign, value = TURNED_SIGN[sign], 0.0 - value
    if is_of_years(name):
        rate = figure(f"{name}:yoy", phrase)
    elif name in ("close", "pct_change"):
        rate = figure("close:ret", phrase)
    else:
        return None
    if rate is None:
        return None
    return limited(phrase, Compare(sign=sign, left=rate, right=Const(value=value, unit="percent")))


def doubled(phrase: Fig, before: Fig | None) -> Condition | None:
    """2016年净利润比2013年翻倍."""
    time = phrase.when
    if len(phrase.mets) != 1 or time is None or time.periods is None:
        return None
    when, name = time.periods, base(phrase.mets[0])
    first, last = when.first, when.last
    if when.kind != "years" or not is_of_years(name) or not isinstance(first, int):
        return None
    if not isinstance(last, int):
        return None
    since = first - 1 if first == last else first
    if before is not None:
        said = before.when.periods if before.when else None
        if said is None or said.kind != "years" or not isinstance(said.first, int):
            return None
        if before != Fig(when=before.when):
            return None
        since = said.first
    change = Change(how="multiple", of=name, since=_year(since), until=_year(last))
    return limited(phrase, Compare(sign="ge", left=change, right=Const(value=2, unit="multiple")))


def _year(year: int) -> When:
    return When(kind="years", first=year, last=year)


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
    above = Compare(sign="gt", left=of, right=Const(value=0, unit="multiple"))
    return both(above, Compare(sign="lt", left=of, right=Const(value=1, unit="multiple")))


def losing(phrase: Fig, sense: str) -> Condition | None:
    """亏损: the newest multiple is missing, or the year's profit was negative; 盈利 its opposite."""
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


def day_test(phrase: Fig | None, sign: Sign | None, amount: Amount, kind: str) -> DayTest | None:
    """收盘价高于30的交易日, 跌超5%的天数."""
    if phrase is None or len(phrase.mets) != 1 or not sign or phrase.agg or phrase.peer:
        return None
    if len(phrase.ents) > 1 or phrase.scope is not None:
        return None
    name = phrase.mets[0]
    if name in ("close:ret", "close:fall"):
        if name == "close:fall":
            sign, amount = fall_below(phrase, sign, amount)
        name = "pct_change"
    if ":" in name or not is_of_days(name):
        return None
    right = constant(name, amount)
    if right is None:
        return None
    test = Compare(sign=sign, left=Metric(id=name, when=OWN), right=right)
    return DayTest(phrase, test, kind == "days")


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


def spanned(one: Time, other: Time, how: str) -> Time | None:
    """从一年到另一年; two years side by side are a window, or a window with a gap."""
    days = periods = None
    if not other.year_said and (year := year_of(one)) is not None:
        other = in_year(other, year)
    if one.days and other.days and one.days.kind == other.days.kind == "days":
        days = _days_between(one.days, other.days)
    if one.periods and other.periods:
        a, b = one.periods, other.periods
        if a.kind != b.kind or a.kind == "lastn" or a.only or b.only:
            return None
        if a.last is None or b.first is None or str(a.last) > str(b.first):
            return None
        periods = a.model_copy(update={"last": b.last})
        if how != "to" and not _is_next(a, b):
            periods = a.model_copy(update={"only": (a.first, b.last)}) if _single(a, b) else None
            days = None
            if periods is not None:
                periods = periods.model_copy(update={"last": b.last})
    return Time(periods, days) if periods or days else None


def year_of(time: Time) -> int | None:
    """The last year it reaches."""
    for when in (time.days, time.periods):
        last = when.last if when is not None and when.kind != "lastn" else None
        if last is not None:
            return last if isinstance(last, int) else last.year
    return None


def in_year(time: Time, year: int) -> Time:
    """A bare 三季报 or 12月 as that of a year."""
    return Time(_moved(time.periods, year), _moved(time.days, year))


def _moved(when: When | None, year: int) -> When | None:
    if when is None or when.kind == "lastn" or isinstance(when.first, int):
        return when
    if when.first is None or when.last is None or isinstance(when.last, int):
        return None
    shift = year - when.last.year
    try:
        first = when.first.replace(year=when.first.year + shift)
        return when.model_copy(update={"first": first, "last": when.last.replace(year=year)})
    except ValueError:  # 29 February
        return None


def _is_next(one: When, other: When) -> bool:
    last, first = one.last, other.first
    return isinstance(last, int) and isinstance(first, int) and first - last == 1


def _single(one: When, other: When) -> bool:
    return one.first == one.last and other.first == other.last


def _days_between(one: When, other: When) -> When | None:
    if one.first is None or other.last is None or str(one.first) > str(other.last):
        return None
    return When(kind="days", first=one.first, last=other.last)


def since(time: Time) -> Time | None:
    """2013年以来."""
    days, periods = time.days, time.periods
    if periods is not None and periods.kind == "lastn":
        return None
    return Time(
        periods.model_copy(update={"last": None}) if periods else None,
        days.model_copy(update={"last": None}) if days and days.kind == "days" else None,
    )


Rule = Callable[..., object]
Expression = Expr
