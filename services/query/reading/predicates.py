"""Conditions, orders and comparisons as they are put together from phrases: values of the algebra.

Each function gives None where the words do not fit together; the chart then has no such phrase.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal, cast

from services.query.algebra.nodes import (
    LATEST,
    AllOf,
    AnyOf,
    Arith,
    Change,
    Compare,
    Const,
    Direction,
    Expr,
    Grouping,
    Metric,
    Not,
    Own,
    Pred,
    Rank,
    Sign,
    When,
    both,
)
from services.query.reading.figures_said import growth_of, is_kin, is_of_years, unit
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
from services.query.reading.times_joined import spanned

NOT_SIGN: Mapping[str, Sign] = {"lt": "ge", "gt": "le", "le": "gt", "ge": "lt"}
# What is said of a figure below nought without its sign, and that figure: 跌幅, 亏损额.
FALLEN: Mapping[str, str] = {"close:fall": "close:ret", "net_profit:lost": "net_profit"}
TURNED_SIGN: Mapping[str, Sign] = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}


@dataclass(frozen=True, slots=True)
class AskedOf:
    """A condition that named its companies: 茅台市盈率低于30吗."""

    ents: tuple[Listings, ...]
    pred: Pred


@dataclass(frozen=True, slots=True)
class Sort:
    """An order said. `direction`: None where only the figure was said. `is_list`: 从高到低, not an
    extreme. `skip` and `take` where the place was said with it (第三低). `is_time`: of a year or a
    day, not of companies (哪年最高). `is_between`: of those named (沪市和深市哪个总市值大).
    `is_row`: the one of those told that is so (最高的那家); `is_price`: by what it costs;
    `is_size`: by how big it is; `is_growth`: by how it grew. `is_asked`: whether one is so
    (是不是最高的). `group`: which of these it asks for (哪个行业…高).
    """

    phrase: Fig
    direction: Literal["asc", "desc", "both"] | None
    skip: int = 0
    take: int | None = None
    is_list: bool = False
    is_time: bool = False
    is_between: bool = False
    is_row: bool = False
    is_price: bool = False
    is_size: bool = False
    is_growth: bool = False
    is_asked: bool = False
    group: Grouping | None = None

    @property
    def way(self) -> Direction:
        """The direction said; the highest first where none was."""
        return "asc" if self.direction == "asc" else "desc"


# How far two figures lie apart: by how much, how many times, by how many per cent.
Gap = Literal["sub", "div", "excess"]
# What was asked of two ends: how much lies between, how many times, how far above.
GAPS: Mapping[str, Gap] = {"diff": "sub", "mult": "div", "excess": "excess"}


@dataclass(frozen=True, slots=True)
class Relation:
    """Two figures set against each other; `right` None where one phrase names both. `also`: what
    more is asked of the same two (高多少，高几成). `sign`: whether the left is on that side (高吗).
    `rows`: the places of the two among those told (第一名和第二名差多少).
    """

    how: Literal["add", "sub", "mul", "div", "percent", "rate", "excess"]
    left: Fig
    right: Fig | None
    also: tuple[Gap, ...] = ()
    sign: Sign | None = None
    rows: tuple[int, int] | None = None


# The so many times at which something held: how many, behind how many, counted from the newest.
Occasion = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class DayTest:
    """Sessions at which something holds, listed or counted."""

    phrase: Fig
    test: Pred
    is_counted: bool = False
    occasion: Occasion | None = None


@dataclass(frozen=True, slots=True)
class FoldTest:
    """A fold of each group against a number: 平均市盈率低于20的行业."""

    phrase: Fig
    sign: Sign
    right: Const


@dataclass(frozen=True, slots=True)
class InYears:
    """The years, or the months, at which it holds: 哪几年下降, 有几个月是涨的."""

    pred: AskedOf | Pred
    when: Time | None
    asked: str = "whichyear"


@dataclass(frozen=True, slots=True)
class PlacedIn:
    """What share of a set a company's figure is ahead of; None: of the one the phrase names."""

    phrase: Fig
    within: Pred | None


@dataclass(frozen=True, slots=True)
class ToldTest:
    """A comparison with the value told last: 低于这个数. `figure`: of which, where said."""

    sign: Sign
    figure: str | None = None


# 把它去掉: who is to go is whom the turn before was of.
IT = "it"


@dataclass(frozen=True, slots=True)
class TakenOut:
    """Who is to go from the rows of the list before: 把里头亏损的剔掉."""

    pred: Pred


Condition = Pred | AskedOf


def told_test(phrase: Fig, sign: Sign | None) -> ToldTest | None:
    """Of one figure at most, with nothing else said of it."""
    if not sign or len(phrase.mets) > 1 or phrase != Fig(mets=phrase.mets):
        return None
    return ToldTest(sign, next(iter(phrase.mets), None))


def on_days(held: DayTest | None, asked: object, phrase: Fig | None = None) -> DayTest | None:
    """Of whom and when it is asked which sessions they are, how many, or the so many last ones."""
    whole = held.phrase.merged(phrase or Fig()) if held is not None else None
    if held is None or whole is None:
        return None
    occasion = cast("Occasion", asked) if isinstance(asked, tuple) else None
    return replace(held, phrase=whole, is_counted=asked in ("days", "count"), occasion=occasion)


def fold_test(phrase: Fig, sign: Sign | None, amount: Amount) -> FoldTest | None:
    """As a condition of groups: the phrase has a fold and one figure."""
    is_bare = not (phrase.ents or phrase.peer or phrase.series or phrase.also)
    if not sign or phrase.agg is None or len(phrase.mets) != 1 or not is_bare:
        return None
    right = constant(phrase.mets[0], amount)
    return FoldTest(phrase, sign, right) if right is not None else None


def count_test(sign: Sign | None, count: object) -> FoldTest | None:
    """As a condition of groups: how many companies (at least 20, 超过100家)."""
    if not sign or not isinstance(count, int | float) or count != int(count) or count < 1:
        return None
    return FoldTest(Fig(agg="count"), sign, Const(value=int(count)))


def ahead_of(phrase: Fig, sign: Sign | None, within: Pred) -> PlacedIn | None:
    """市净率超过了百分之多少的A股: a place in per cent."""
    if sign not in ("gt", "ge") or not phrase.is_plain or phrase.scope is not None:
        return None
    return PlacedIn(phrase, within)


def limited(phrase: Fig, pred: Pred | None) -> Condition | None:
    """A condition that named its set or its companies too: 市盈率小于8的银行, 银行市盈率小于8."""
    if pred is None:
        return None
    if phrase.ents:
        return AskedOf(phrase.ents, pred) if phrase.scope is None else None
    return both(phrase.scope, pred)


def compare(phrase: Fig, sign: Sign | None, amount: Amount) -> Condition | None:
    """Figures against a number; several figures must all hold."""
    if not sign or not phrase.is_plain or phrase.series:
        return None
    if "close:drawdown" in phrase.mets:
        return None  # a fall is told below nought: 回撤大于20% would be turned round
    made: list[Pred] = []
    for name in phrase.mets:
        is_fall = name in FALLEN  # 跌幅超过20%: a change below −20 %
        said = amount._replace(value=-amount.value) if is_fall else amount
        right, left = constant(name, said), figure(name, phrase)
        if right is None or left is None:
            return None
        way = TURNED_SIGN.get(sign, sign) if is_fall else sign
        made += [*_above_nought(left), Compare(sign=way, left=left, right=right)]
        if name == "net_profit:lost" and way in ("gt", "ge"):  # 亏损不到1亿 is a loss
            made.append(Compare(sign="lt", left=left, right=Const(value=0, unit="money")))
    return limited(phrase, both(*made))


def _above_nought(expr: Expr) -> list[Pred]:
    """市盈率乘以市净率: two multiples below nought would be a product above it."""
    if not isinstance(expr, Arith) or expr.how != "mul":
        return []
    zero = Const(value=0, unit="multiple")
    return [Compare(sign="ge", left=one, right=zero) for one in (expr.left, expr.right)]


def between(phrase: Fig, bounds: tuple[Amount, Amount] | None) -> Condition | None:
    """A range, both ends in it."""
    if bounds is None or not phrase.is_plain:
        return None
    bare = replace(phrase, scope=None, ents=())
    low, high = compare(bare, "ge", bounds[0]), compare(bare, "le", bounds[1])
    if low is None or high is None or isinstance(low, AskedOf) or isinstance(high, AskedOf):
        return None
    return limited(phrase, both(low, high))


def within_bounds(
    phrase: Fig, one: tuple[Sign, Amount], other: tuple[Sign, Amount]
) -> Condition | None:
    """大于100亿小于300亿市值的传媒股: two bounds said before their figure."""
    first = compare(phrase, *one)
    second = compare(Fig(when=phrase.when, mets=phrase.mets), *other)
    return together(first, second) if first is not None and second is not None else None


def versus(phrase: Fig, sign: Sign | None, other: Fig) -> Condition | None:
    """A figure against another figure, company, or fold of peers."""
    is_fall = "close:drawdown" in (*phrase.mets, *other.mets)
    if not sign or phrase.agg or phrase.peer or phrase.series or other.series or is_fall:
        return None
    if other == Fig(agg=other.agg) and other.agg and dimensions(phrase.scope) == {"industry"}:
        other = replace(other, peer="industry")  # 银行里市净率低于平均的: of the banks
    if other.ents and other.when and not phrase.when:
        phrase = replace(phrase, when=other.when)  # higher than Gree's in 2016: both in 2016
    if not phrase.mets:
        phrase = replace(phrase, mets=other.mets)
    if len(phrase.mets) > 1 and not other.mets:  # PE、PB都低于行业平均: each of them
        return versus_each(replace(phrase, mets=()), sign, other, phrase.mets)
    if len(phrase.mets) != 1 or (other.mets and not is_kin(phrase.mets[0], other.mets[0])):
        return None
    left, right = figure(phrase.mets[0], phrase), reference(other, phrase)
    if left is None or right is None or left == right:
        return None
    if phrase.mets[0] in FALLEN:  # 跌幅超过上证指数: it went further down
        if other.mets not in ((), phrase.mets):
            return None
        return _fell_beyond(
            phrase, Compare(sign=TURNED_SIGN.get(sign, sign), left=left, right=right)
        )
    return limited(phrase, Compare(sign=sign, left=left, right=right))


def _fell_beyond(phrase: Fig, held: Compare) -> Condition | None:
    """Who fell further than another fell at all."""
    if held.sign not in ("lt", "le"):
        return limited(phrase, held)
    nought = Const(value=0, unit=unit(FALLEN[phrase.mets[0]]))
    return limited(phrase, both(held, Compare(sign="lt", left=held.left, right=nought)))


def versus_each(
    phrase: Fig, sign: Sign | None, other: Fig, mets: Sequence[str]
) -> Condition | None:
    """Cheaper than the other on both P/E and P/B."""
    if phrase.mets or other.mets:
        return None
    made = [versus(replace(phrase, mets=(one,)), sign, other) for one in mets]
    if len(made) < 2:
        return None
    return reduce(lambda held, one: together(held, one) if held and one else None, made)


def times(of: Expr, by: float) -> Arith:
    """So many times a figure."""
    return Arith(how="mul", left=of, right=Const(value=by))


def negated(condition: Condition) -> Pred | None:
    """不是市盈率大于20的: what is known to lie on the other side of that bound; of several tests
    nobody knows which is meant.
    """
    if isinstance(condition, AskedOf | AllOf | AnyOf):
        return None
    if isinstance(condition, Compare) and condition.sign in NOT_SIGN:
        return condition.but(sign=NOT_SIGN[condition.sign])
    return Not(item=condition)


def alternative(one: Condition, other: Condition) -> Pred | None:
    """A或B; where `and` stands beside `or`, what belongs together must be asked."""
    if isinstance(one, AskedOf | AllOf) or isinstance(other, AskedOf | AllOf):
        return None
    return AnyOf(items=(*(one.items if isinstance(one, AnyOf) else (one,)), other))


def together(one: Condition, other: Condition) -> Condition | None:
    """A且B; of companies that were named, both of the same ones."""
    if isinstance(one, AskedOf):
        if isinstance(other, AskedOf) and other.ents != one.ents:
            return None
        pred = other.pred if isinstance(other, AskedOf) else other
        return AskedOf(one.ents, both(one.pred, pred) or pred)
    if isinstance(other, AskedOf) or isinstance(one, AnyOf) or isinstance(other, AnyOf):
        return None
    return both(one, _in_the_time_of(one, other))


def _grown(phrase: Fig) -> Pred | None:
    """营业收入增长, 还分红 beside a condition is one: growth, or what was paid, is above nought."""
    if phrase != Fig(mets=phrase.mets, when=phrase.when, scope=phrase.scope):
        return None
    if len(phrase.mets) != 1 or not (phrase.mets[0].endswith(":yoy") or phrase.mets == ("dps",)):
        return None
    held = figure(phrase.mets[0], Fig(when=phrase.when))
    if held is None:
        return None
    kind = "price" if phrase.mets == ("dps",) else "percent"
    test = Compare(sign="gt", left=held, right=Const(value=0, unit=kind))
    return both(phrase.scope, test)


def grown_and(phrase: Fig, other: Condition) -> Condition | None:
    """营业收入增长且净利润下降."""
    one = _grown(phrase)
    return together(one, other) if one is not None else None


def grown_beside(phrase: Fig, other: Condition) -> Condition | None:
    """营收增长、净利润下降: beside a rise or fall a growth is one too, no figure to be shown."""
    if not isinstance(other, Compare) or not isinstance(other.left, Change):
        return None
    right = other.right
    return grown_and(phrase, other) if isinstance(right, Const) and not right.value else None


def and_grown(one: Condition, phrase: Fig) -> Condition | None:
    """净利润下降但营业收入增长."""
    other = _grown(phrase)
    if other is None or isinstance(one, AskedOf):
        return together(one, other) if other is not None else None
    return together(one, _in_the_time_of(one, other))


def _in_the_time_of(one: Pred, other: Pred) -> Pred:
    """2016年营收超过千亿但净利润不到十亿, 2015年营收下降净利润增长: the year said first is that of
    both.
    """
    first = one.items[-1] if isinstance(one, AllOf) else one
    if not isinstance(first, Compare) or not isinstance(other, Compare):
        return other
    said, newest = _time_in(first.left), _time_in(other.left)
    if said is None or said.kind not in ("years", "quarters") or newest != LATEST:
        return other
    field = "when" if isinstance(other.left, Metric) else "until"
    return other.but(left=other.left.model_copy(update={field: said}))


def _time_in(expr: Expr) -> When | None:
    """The time of a reported figure, or of its growth over the year before; None of any other."""
    match expr:
        case Metric(id=name, when=when) if is_of_years(name):
            return when
        case Change(of=name, since=When(kind="before"), until=when) if is_of_years(name):
            return when
        case _:
            return None


def grown_from(phrase: Fig, earlier: Time) -> Fig | None:
    """2016年营收比2013年增长: of each company of a set, a growth from one year to another."""
    of, time = phrase.single, phrase.when
    if of is None or time is None or phrase.ents or phrase.agg or growth_of(of) is None:
        return None
    if not (time.is_one_year and earlier.is_one_year):
        return None
    span = spanned(earlier, time, "to")
    if span is None or span.periods is None or span.periods.kind != "years":
        return None
    return replace(phrase, when=Time(span.periods), mets=(f"{of}:yoy",))


def placed_within(phrase: Fig, own: Own, count: int) -> Pred | None:
    """市值在行业里排前三: among its own industry, each company by its place."""
    of = figure(phrase.single, Fig(when=phrase.when)) if phrase.single is not None else None
    if of is None or phrase != Fig(scope=phrase.scope, when=phrase.when, mets=phrase.mets):
        return None
    place = Rank(of=of, own=own)
    return both(phrase.scope, Compare(sign="le", left=place, right=Const(value=count)))


def sorted_by(phrase: Fig, direction: Direction | None, *, is_list: bool = False) -> Sort | None:
    """按市值从高到低, 市值最高的."""
    if len(phrase.mets) != 1 or phrase.peer or phrase.series:
        return None
    turned: Direction = "asc" if direction == "desc" else "desc"
    if phrase.mets[0] == "close:drawdown" and direction is not None:  # the deepest is the lowest
        return Sort(phrase, turned, is_list=is_list)
    if (figure_of := FALLEN.get(phrase.mets[0])) is not None:
        is_least = direction == "asc" and figure_of == "net_profit"  # of years with a loss alone
        made = Sort(
            phrase if is_least else replace(phrase, mets=(figure_of,)), turned, is_list=is_list
        )
        return made if direction is not None else None
    return Sort(phrase, direction, is_list=is_list)


def best(said: str, take: int | None = None) -> Sort | None:
    """最赚钱, top gainers: a word that says a figure and its end."""
    name, _, way = said.partition("-")
    return Sort(Fig(mets=(name,)), "asc" if way == "asc" else "desc", take=take)


def placed(
    phrase: Fig, place: tuple[int, bool], direction: Direction, last: int = 0
) -> Sort | None:
    """第三低; second and third cheapest (`last`)."""
    count, is_from_end = place
    made = sorted_by(phrase, direction)
    if made is None or is_from_end:
        return None
    return replace(made, skip=count - 1, take=max(last - count + 1, 1))
