"""A turn that says one thing alone, where what was asked has one thing of that kind: the same asked
with the new one in its place, wherever that stands (2014年呢, behind which month of 2015 rose most;
那跌的呢, behind days that rose by more than 5%; 恒生指数呢, behind whether the SSE was beaten).

What has no such thing, or several, is for the other ways a turn goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta

from services.core.catalogue import CATALOGUE
from services.core.symbols import Symbol
from services.query.algebra.nodes import (
    OWN,
    TIMED,
    Across,
    Arith,
    Change,
    Compare,
    Const,
    Course,
    Metric,
    Node,
    Order,
    Over,
    Query,
    Rank,
    When,
    figures_in,
    items_of,
    nodes_in,
    rewrite,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import ChoiceError
from services.query.reading.figures_said import is_of_days, is_of_years
from services.query.reading.figures_told import is_of_companies
from services.query.reading.follow_edits import relocated
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Time, dimensions
from services.query.reading.predicates import TURNED_SIGN
from services.query.reading.remade import in_place_of, mapped, owner_of
from services.query.reading.request import Request
from services.query.reading.sets_said import is_set
from services.query.reading.shapes import Market, listed
from services.query.reading.shapes_company import companies
from services.query.reading.times_joined import in_year, year_of

# 比谁, behind two who were compared and a third: whom it stands for.
_FOR_WHOM = ("换掉哪一家？", "In whose place?")
_OTHERWISE = frozenset({"mark.these", "mark.only"})  # 其中沪市的: in the one that was told


def exchanged(request: Request, last: Query, market: Market) -> Query | None:
    """The last query with what is said in the place of its own; None for other turns.

    Raises: ChoiceError where it may stand for either of two companies.
    """
    said = request.said - POINTING
    if request.said & _OTHERWISE or not said or not said <= _EXCHANGES.keys():
        return None
    made: Query | None = last
    for one in sorted(said):
        made = _EXCHANGES[one](request, made, market) if made is not None else None
    return made


# ---------------------------------------------------------------- another time
def _time_in_place(request: Request, last: Query, _: Market) -> Query | None:
    return in_that_time(last, request.when) if request.when is not None else None


def in_that_time(last: Query, time: Time) -> Query | None:
    """Of parts of one year, and what is looked for within it: the same part of the other year. Of
    what became of a figure over years: from and to the ones said, or to the one. None of others.
    """
    if not time.year_said:
        return None
    if (ends := _ends_of(last)) is not None:
        return _between_others(last, ends, time)
    year = year_of(time) if time.is_one_year else None
    windows = _times_told(last)
    if year is None or not windows or any(one != windows[0] for one in windows):
        return None
    window = windows[0]
    if window.kind != "days" or not _is_part_of_year(window):
        return None
    is_whole = last.rows == "months" or not _ends_a_month(window.last)
    new = time.days if is_whole else in_year(Time(days=window), year).days
    return rewrite(last, lambda one: new if one == window else one) if new else None


def _times_told(last: Query) -> Sequence[When]:
    return [one for one in nodes_in(last, When) if one.kind not in ("own", "latest")]


def _ends_of(last: Query) -> tuple[int, int] | None:
    """The two years, more than one apart, from and to which all it asks lies; None of others."""
    told = _times_told(last)
    years = sorted({one.first for one in told if isinstance(one.first, int)})
    is_between = any(isinstance(one, Change | Arith) for one in walk(last))
    if len(years) != 2 or years[1] - years[0] < 2 or not is_between or last.rows != "companies":
        return None
    are_ends = all(one.kind == "years" and one.first == one.last for one in told)
    return (years[0], years[1]) if are_ends else None


def leave_out_its_ends(request: Request, last: Query) -> None:
    """中国平安这几年呢, behind what became of a figure over them: of the time that was told."""
    said, ends = request.when and request.when.periods, _ends_of(last)
    is_same = said is not None and ends == (said.first, said.last)
    if is_same and request.said - POINTING != frozenset({"when"}):
        request.when = None


def _between_others(last: Query, ends: tuple[int, int], time: Time) -> Query | None:
    said = time.periods
    if said is None or said.kind != "years" or said.only:
        return None
    since, until = (ends[0] if time.is_one_year else said.first), said.last
    if not (isinstance(since, int) and isinstance(until, int) and since < until):
        return None
    if (since, until) == ends:  # every year in between
        return None
    anew = dict(zip(ends, (since, until), strict=True))

    def moved(node: Node) -> Node:
        if not isinstance(node, When) or node.kind != "years" or node.first != node.last:
            return node
        year = anew.get(node.first) if isinstance(node.first, int) else None
        return node.but(first=year, last=year) if year is not None else node

    return rewrite(last, moved)


def _is_part_of_year(window: When) -> bool:
    first, last = window.first, window.last
    if not isinstance(first, date) or not isinstance(last, date) or first.year != last.year:
        return False
    is_edge = first == last and (_ends_a_month(last) or (first.month, first.day) == (1, 1))
    return is_edge or (first < last and first.day == 1)


def _ends_a_month(day: object) -> bool:
    return isinstance(day, date) and (day + timedelta(days=1)).day == 1


# ---------------------------------------------------------------- another index, company
def _owner_in_place(request: Request, last: Query, _: Market) -> Query | None:
    """恒生指数呢, behind whether an index was beaten: that one instead. 招行呢, behind which of two
    has more: the three of them.
    """
    new, mine = listed(request.ents), named_symbols(last.scope) or ()
    owners = {one for node in walk(last) if (one := owner_of(node)) is not None} - set(mine)
    if len(new) == len(owners) == 1 and all(Symbol(one).is_index for one in (*new, *owners)):
        return in_place_of(last, {owners.pop(): new[0]}) if mine != new else None
    is_contest = len(mine) > 1 and bool(last.order) and last.rows == "companies" and not last.take
    if not is_contest or set(new) & set(mine) or last.group:
        return None
    if "mark.swap" not in request.said:
        return last.but(scope=companies((*mine, *new)))
    if len(new) != 1 or len(mine) != 2:
        return None
    raise ChoiceError(_FOR_WHOM, [in_place_of(last, {one: new[0]}) for one in mine])


# ---------------------------------------------------------------- another figure
def _figure_in_place(request: Request, last: Query, market: Market) -> Query | None:
    """成交额呢, behind a mean of prices, a sum, the median of the largest: of it."""
    if _move_said(request) is not None:
        return _move_in_place(request, last, market)
    (new, *others) = request.mets
    if others or new not in CATALOGUE or last.rows != "companies" or last.group:
        return None
    if last.fold:
        return _fold_of(last, new)
    if "mark.swap" in request.said and not is_of_companies(last):
        return _figure_of_list(last, new)
    if not is_of_companies(last) or last.check is not None:
        return None
    if "mark.swap" in request.said and (part := _part_of_share(last)) is not None:
        return mapped(last, {part: new}) if _has_times(last, part, new) else None
    told = set(figures_in(last))
    is_mean = bool(last.show) and all(isinstance(one, Over) for one in last.show)
    if len(told) != 1 or not is_mean or not _has_times(last, min(told), new):
        return None
    return mapped(last, {told.pop(): new})


def _part_of_share(last: Query) -> str | None:
    """The figure whose share of another is told: 换成营业收入, of the same whole."""
    match last.show[:1]:
        case (Arith(how="percent", left=Metric(id=part)),):
            return part
        case _:
            return None


def _figure_of_list(last: Query, new: str) -> Query | None:
    """换成市净率, of a list by one figure: by that one, within the bounds that were said."""
    told = set(figures_in(last))
    bounds = [one for one in nodes_in(last, Const) if one.value]
    if len(told) != 1 or not _has_times(last, min(told), new):
        return None
    is_bound = bounds and CATALOGUE[new].unit != CATALOGUE[min(told)].unit
    return None if is_bound else mapped(last, {told.pop(): new})


def _fold_of(last: Query, new: str) -> Query | None:
    """That fold of the other figure, of the same companies; a number, by that figure's bound."""
    (fold, *others) = last.fold
    if others:
        return None
    if fold.how == "count":
        told = {one.id for one in nodes_in(last.where, Metric)}
        is_bound = len(told) == 1 and not last.take and last.first is None
        if not is_bound or CATALOGUE[new].unit != CATALOGUE[next(iter(told))].unit:
            return None
        return mapped(last, {told.pop(): new})
    of = fold.of
    if not isinstance(of, Metric) or of.id == new or not _has_times(last, of.id, new):
        return None
    if last.take is None and not named_symbols(last.scope):
        return None
    return last.but(fold=(fold.but(of=of.but(id=new)),), show=())


def _has_times(last: Query, old: str, new: str) -> bool:
    """Whether the times it is asked of are those of the new figure too."""
    if all(one.kind == "latest" for one in nodes_in(last, When)):
        return True
    return any(is_of(old) and is_of(new) for is_of in (is_of_years, is_of_days))


# ---------------------------------------------------------------- the other way
def _move_said(request: Request) -> bool | None:
    """Whether 涨 or 跌 was said and nothing else: True of a rise; None where neither was."""
    if request.mets in (["close:fall"], ["close:ret"]):
        return request.mets == ["close:ret"]
    if len(request.conds) != 1 or not isinstance(request.conds[0], Compare):
        return None
    test = request.conds[0]
    is_move = isinstance(test.left, Metric) and test.left.id == "pct_change"
    is_bare = isinstance(test.right, Const) and not test.right.value
    return test.sign == "gt" if is_move and is_bare and test.sign in ("gt", "lt") else None


def _move_in_place(request: Request, last: Query, _: Market) -> Query | None:
    rises = _move_said(request)
    return _other_way(last, rises=rises) if rises is not None else None


def _other_way(last: Query, *, rises: bool) -> Query | None:
    """那跌的呢, behind how often, how long or when a price rose most: the same of falls."""
    of_moves = last.but(order=tuple(map(_order_turned, last.order)))
    turned = rewrite(of_moves, _turned)
    return turned if turned != last and _rises(turned) == rises else None


def _order_turned(order: Order) -> Order:
    by = order.by
    is_move = by == Metric(id="pct_change", when=OWN) or (
        isinstance(by, Change) and by.of == "close" and by.until == OWN
    )
    return order.but(direction="asc" if order.direction == "desc" else "desc") if is_move else order


_RISES: Mapping[str, str] = {"longest_rise": "longest_fall", "rising": "falling"}
_RUNS: Mapping[str, str] = {**_RISES, **{fall: rise for rise, fall in _RISES.items()}}


def _turned(node: Node) -> Node:
    match node:
        case Course(how=how) if how in _RUNS:
            return node.model_copy(update={"how": _RUNS[how]})
        case Compare(left=Metric(id="pct_change"), right=Const(value=bound) as right) if bound:
            return node.but(sign=TURNED_SIGN[node.sign], right=right.but(value=-bound))
        case _:
            return node


def _rises(query: Query) -> bool | None:
    """Whether what it says of how a price moves is of rises; None where it says several."""
    said = [one.how in _RISES for one in nodes_in(query, Course) if one.how in _RUNS]
    said += [
        one.sign in ("gt", "ge")
        for one in nodes_in(query, Compare)
        if isinstance(one.left, Metric) and one.left.id == "pct_change"
    ]
    said += [one.direction == "desc" for one in query.order if _order_turned(one) != one]
    return said[0] if len(said) == 1 else None


_EXTREMES = (Metric(id="high", when=OWN), Metric(id="low", when=OWN))


def _end_in_place(request: Request, last: Query, _: Market) -> Query | None:
    """最高的呢, behind the month of the lowest volume: the other end of the same times."""
    orders = [one for one in last.order if one.by is not None]
    if last.rows not in TIMED or len(orders) != 1 or last.take is None or last.take.skip:
        return None
    if orders[0].by in _EXTREMES:  # 最高价 and 最低价 are each its own figure
        return None
    if request.direction not in ("asc", "desc") or request.direction == orders[0].direction:
        return None
    return last.but(order=(orders[0].but(direction=request.way),))


# ---------------------------------------------------------------- another set, another number
def _set_in_place(request: Request, last: Query, market: Market) -> Query | None:
    """钢铁呢, behind a fold or the second of a set: that of the other set."""
    scope, take = request.scope, last.take
    is_of_set = last.rows == "companies" and not (last.group or is_of_companies(last))
    is_placed = take is not None and take.skip and take.count == 1
    if not (last.fold or is_placed) or not is_of_set or scope is None:
        return None
    if not dimensions(scope) <= dimensions(last.scope) or not all(map(is_set, items_of(scope))):
        return None
    there = relocated(last, scope, market)
    return there.but(order=()) if last.fold and take is None else there


def _number_in_place(request: Request, last: Query, _: Market) -> Query | None:
    """前三家呢, behind the median of the first five: of so many."""
    take = last.take
    if last.rows == "one" and request.take is not None:
        return _places_up_to(last, request.take)
    if not last.fold or last.group or take is None or take.skip or request.take is None:
        return None
    return last.but(take=take.but(count=request.take)) if last.rows == "companies" else None


def _places_up_to(last: Query, count: int) -> Query | None:
    """如果算前五, behind what share the first three have: that of so many."""
    told = [one for one in nodes_in(last, Compare) if isinstance(one.left, Rank)]
    if not told or any(one != told[0] for one in told) or told[0].sign != "le":
        return None
    anew = told[0].but(right=Const(value=count))
    return rewrite(last, lambda one: anew if one == told[0] else one)


def _fold_in_place(request: Request, last: Query, _: Market) -> Query | None:
    """平均数呢, behind a figure against the median of its industry: against that."""
    told = {one.how for one in (*nodes_in(last, Across), *last.fold)} - {"count"}
    if len(told) != 1 or last.group or request.agg is None or request.agg in told:
        return None
    if last.fold:
        (fold, *others) = last.fold
        return None if others else last.but(fold=(fold.but(how=request.agg),))
    return rewrite(last, lambda one: one.but(how=request.agg) if isinstance(one, Across) else one)


def _bound_in_place(request: Request, last: Query, _: Market) -> Query | None:
    """3%呢, behind days that fell by more than 5%: by so much."""
    (said, *others) = request.bounds
    tests = [
        one
        for one in nodes_in(last, Compare)
        if isinstance(one.right, Const) and one.right.value and one.right.unit == said[1].unit
    ]
    if others or said[0] is not None or said[2] is not None or len(tests) != 1:
        return None
    old = tests[0].right
    assert isinstance(old, Const)  # noqa: S101 — as it was looked for
    value = said[1].value if old.value > 0 else -said[1].value
    if last.rows not in TIMED or said[1].vague or value == old.value:
        return None
    return rewrite(last, lambda one: old.but(value=value) if one == old else one)


_Exchange = Callable[[Request, Query, Market], Query | None]
_EXCHANGES: Mapping[str, _Exchange] = {
    "when": _time_in_place,
    "ents": _owner_in_place,
    "mets": _figure_in_place,
    "conds": _move_in_place,
    "direction": _end_in_place,
    "scope": _set_in_place,
    "take": _number_in_place,
    "agg": _fold_in_place,
    "bounds": _bound_in_place,
}
