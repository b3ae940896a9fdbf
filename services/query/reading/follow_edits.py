"""Edits of a list that change one thing alone: its place, figure, set, a condition, a bound."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from services.query.algebra.nodes import (
    Across,
    Compare,
    Const,
    Expr,
    Folded,
    In,
    Node,
    Not,
    Order,
    Pred,
    Query,
    Rank,
    Take,
    When,
    both,
    figures_in,
    items_of,
    rewrite,
    walk,
)
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.reading.bounds_said import Bound, Rebound, bound_anew, is_meant
from services.query.reading.chart import Edge
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import asked_beside
from services.query.reading.figures_told import companies_of
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Amount, Time, constant, dimensions, said_as
from services.query.reading.remade import mapped
from services.query.reading.request import Request, gathered
from services.query.reading.set_gathered import natural_order
from services.query.reading.sets_said import is_set, without_values
from services.query.reading.shapes import EASY, Market, labelled, whole
from services.query.reading.times_joined import in_year, whole_months_of

# 哪天, 哪年: what the rows are.
THAT_ROW = frozenset({"ask.whichday", "ask.whichyear", "ask.whichmonth"})
_OF_WHOM = ("是在全部里面看，还是在刚才那几家里看？", "Of all, or of those that were listed?")


def point_at_told(request: Request, *, points: bool) -> None:
    """它们, how many are banks: of those that were told."""
    if "countof" in request.marks:
        request.count, points = True, True
    if "goback" in request.marks and not (points or "these" in request.marks):
        raise UnusedError("back to whom")
    request.marks = request.marks - {"countof", "goback"} | ({"these"} if points else set[str]())


def time_beside(
    query: Query, kind: Literal["years", "days"], step: Literal[-1, 1], market: Market
) -> Query:
    """The same of the year, or session, before the one that was said or after it.

    Raises: UnusedError where no one time was said.
    """
    symbols: Sequence[str] = named_symbols(query.scope) or ()

    def beside(at: int | date) -> int | date:
        if isinstance(at, int):
            return at + step
        if kind == "years" or not symbols:
            raise UnusedError("one time")
        return market.session_beside(symbols[0], at, step)

    def shifted(node: Node) -> Node:
        if not isinstance(node, When) or node.kind not in {"days", kind} or node.only:
            return node
        if kind == "years" and (year := whole_months_of(node)) is not None:
            return in_year(Time(days=node), year + step).days or node
        if node.first is None or node.first != node.last:
            raise UnusedError("one time")
        at = beside(node.first)
        return node.but(first=at, last=at)

    if (moved := rewrite(query, shifted)) == query:
        raise UnusedError("which time")
    return moved


def among_rows(query: Query, **changed: object) -> Query:
    """The same asked of those that were listed alone, not of those that come up in their place."""
    inner = query.but(show=())
    kept: dict[str, object] = {"first": inner, "where": None, "less": (), "take": None}
    return query.but(**(kept | changed))


def counts_told_rows(parts: Sequence[Edge], last: Query) -> bool:
    """Whether a turn counts of the first so many that were told, though it names a set:
    有几只在深市, how many are banks.
    """
    is_list = last.rows == "companies" and not (last.group or last.fold)
    if not is_list or last.take is None or last.take.count == 1 or last.take.per:
        return False
    try:
        request = gathered(parts)
    except UnusedError:
        return False
    is_bare = request.said - POINTING - {"mark.noun"} == frozenset({"count", "scope"})
    return is_bare and "market" not in dimensions(request.scope)


def next_place(request: Request, last: Query) -> Query:
    """第二低的呢: the next place of the same order."""
    pointing = {"mark.ne", "mark.these", "mark.only"}
    beyond = request.said - {"place", "direction", "take"} - pointing - EASY
    if beyond or len(last.order) != 1 or (last.fold and not last.group):
        raise UnusedError("direction")
    order = last.order[0].but(direction=request.way)
    if (beside := asked_beside(last)) is not None:
        # 市净率呢, then 最低的是哪家, 第二高的: by that, of those that were told
        take = request.rows_placed or Take(count=request.take or 1)
        return among_rows(last, order=(order.but(by=beside),), take=take)
    if request.place is None:
        return _other_end(request, last, order)
    return last.but(order=(order,), take=request.rows_placed)


def rows_at_place(request: Request, last: Query) -> Query:
    """第二呢, 第二高呢, behind the year or the day at which something is highest: the next in that
    order. Raises: UnusedError where it told no such row.
    """
    way = {request.direction, *(one.direction for one in last.order)} - {None}
    beyond = request.said - {"place", "direction"} - POINTING - THAT_ROW
    if beyond or not last.take or len(last.order) != 1 or len(way) != 1:
        raise UnusedError("place")
    take = request.rows_placed or Take(count=1, skip=last.take.skip + last.take.count - 1)
    return last.but(take=take)


def _other_end(request: Request, last: Query, order: Order) -> Query:
    """那最高的三家: of the same companies by the same figure; 最高的呢, of all or behind the lowest
    one; 最低的是哪家: of those that were told. Raises: ChoiceError where the rows before were
    themselves the first so many, and it does not say which.
    """
    asks_which, take = bool(request.asks & {"which", "ones"}), last.take
    if order == last.order[0] and take is not None:
        if request.take or take.count == 1 or take.skip or not asks_which:
            raise UnusedError("direction")
        return last.but(take=Take(count=1))
    shown = take.count if take is not None else 1
    whole = last.but(order=(order,), take=Take(count=request.take or shown))
    among = Take(count=request.take or 1)
    if take is None or last.first is not None or shown <= among.count:
        return whole
    told = among_rows(last, order=(order,), take=among)
    if asks_which:
        return told
    raise ChoiceError(_OF_WHOM, [whole, told])


def rebased(request: Request, before: Sequence[Query]) -> Sequence[Query]:
    """静态的呢: the last query by the multiple of those earnings; as it was where none was said.

    Raises: UnusedError where it has none of others, or its market's source has but one.
    """
    if "these" in request.marks and (listed := _first_told(before[-1])) is not None:
        before = (*before[:-1], listed)
    last, basis = before[-1], request.basis
    if basis is None:
        return before
    other = {"pe_lyr": "pe_ttm", "pe_ttm": "pe_lyr"}[basis]
    if (made := mapped(last, {other: basis})) == last or markets_of(last.scope) != ("CN",):
        raise UnusedError("basis of what")
    shown = tuple(dict.fromkeys(made.show))
    return (*before[:-1], made.but(show=shown))


def _first_told(last: Query) -> Query | None:
    """这五家里面, behind the share that the first five have: those five, as a list."""
    tests = [one for one in walk(last) if isinstance(one, Compare) and isinstance(one.left, Rank)]
    test = next(iter(tests), None)
    if last.rows != "one" or test is None or not isinstance(test.right, Const):
        return None
    place = test.left
    if not isinstance(place, Rank) or place.within is None:
        return None
    order, take = Order(by=place.of, direction=place.direction), Take(count=int(test.right.value))
    return Query(scope=place.within, order=(order,), take=take, show=(place.of,))


def same_within(request: Request, last: Query, market: Market) -> Query | None:
    """保险呢, behind which of the first so many are banks: which of those are of that set instead;
    None where no set of its kind was asked among them.
    """
    new, items = request.scope, items_of(last.where)
    if new is None or last.first is None:
        return None
    old = [one for one in items if is_set(one) and dimensions(one) & dimensions(new)]
    if not old:
        return None
    if request.said - POINTING - {"scope"} or len(old) > 1:
        raise UnusedError("which set")
    other = labelled(new, markets_of(last.scope), market)
    return last.but(where=both(*(other if one in old else one for one in items)))


def same_of_set(request: Request, last: Query, market: Market) -> Query:
    """保险呢, behind what share of all the banks have: the set of that kind in its place."""
    said = request.said - {"scope", "mark.bi"} - POINTING
    if said or request.scope is None:
        raise UnusedError("of one row")
    new, dims = request.scope, dimensions(request.scope)
    olds = [dimensions(one.within) for one in walk(last) if isinstance(one, Across)]
    # 创业板呢, behind a share of all A shares by number: those of it, of all of it.
    is_part = len(olds) > 1 and all(one == olds[0] and not one & dims for one in olds)

    def change(node: Node) -> Node:
        old = node.within if isinstance(node, Across | Rank) else None
        if (
            not isinstance(node, Across | Rank)
            or old is None
            or not (is_part or dims & dimensions(old))
            or dims == {"market"}
        ):
            return node
        sets = [one for one in items_of(old) if is_set(one)]
        tests = [one for one in items_of(old) if not is_set(one)]
        swapped = both(replaced(both(*sets), new, market), *tests)
        return node.but(within=swapped)

    made = rewrite(last, change)
    if made == last:
        raise UnusedError("of which set")
    return made


def groups_by_number(request: Request, last: Query) -> Query:
    """Which of those has the fewest companies, of the industries that were told."""
    if last.group is None or last.take is not None or request.direction is None:
        raise UnusedError("number of whom")
    counted = Folded(how="count")
    folds = last.fold if counted in last.fold else (*last.fold, counted)
    order = Order(fold=folds.index(counted), direction=request.way)
    return last.but(fold=folds, order=(order,), take=Take(count=request.take or 1))


def next_rows(request: Request, last: Query) -> Query:
    """再来十个: the rows behind those that were shown."""
    beyond = request.said - {"more", "mark.these", "mark.add"} - EASY
    take = last.take or Take()
    order = last.order or natural_order(last.where)
    if beyond or last.fold or last.group or take.per or not order:
        raise UnusedError("more")
    more = Take(count=request.more or take.count, skip=take.skip + take.count)
    return last.but(take=more, order=order)


def widen(request: Request, before: Sequence[Query], market: Market) -> Query:
    """再多列两只: so many more rows of the same list."""
    last = before[-1]
    if last.take is None or last.take.skip or last.take.per or request.take is None:
        raise UnusedError("more of what")
    take = last.take.but(count=last.take.count + request.take)
    return last.but(take=take)


def swapped_scope(request: Request, last: Query, market: Market) -> Query:
    """换成港股."""
    if request.scope is None or request.mets or request.conds or request.orders or request.ents:
        raise UnusedError("swap")
    return relocated(last, request.scope, market)


def relocated(query: Query, scope: Pred, market: Market) -> Query:
    """The query, and those its rows are taken from, in another set of that kind."""
    there = replaced(query.scope, scope, market)
    first = relocated(query.first, scope, market) if query.first is not None else None
    return wholes_moved(query, there).but(scope=there, first=first)


def wholes_moved(query: Query, scope: Pred | None) -> Query:
    """保险股呢, behind the largest as a share of all of another set: of all of that one."""
    old = set(items_of(query.scope))

    def moved(node: Node) -> Node:
        is_whole = isinstance(node, Across) and set(items_of(node.within)) == old
        return node.but(within=scope) if is_whole else node

    return query.but(show=tuple(rewrite(one, moved) for one in query.show))


def dropped(request: Request, last: Query) -> Query:
    """去掉市盈率的条件, 不限行业."""
    if request.dropped == ["industry"] and "industry" in dimensions(last.scope):
        kept_sets = [one for one in items_of(last.scope) if "industry" not in dimensions(one)]
        return last.but(scope=both(*kept_sets))
    items = items_of(last.where)
    kept = [one for one in items if not {*figures_in(one)} & {*request.dropped}]
    if len(kept) == len(items) or request.conds or request.orders or request.mets:
        raise UnusedError("nothing to drop")
    shown = tuple(one for one in last.show if not {*figures_in(one)} & {*request.dropped})
    return last.but(where=both(*kept), show=shown)


def bound_on(request: Request, figures: Sequence[Expr]) -> Compare | None:
    """The one bound that was said, as a test of the only one of those figures it can be of; None
    where it can be of none or of several.
    """
    sign, amount, upper = request.bounds[0]
    if len(request.bounds) > 1 or sign is None or upper is not None:
        return None
    named = [(one, said) for one in figures if (said := said_as(one)) is not None]
    ends = [(one, constant(said[0], amount)) for one, said in named]
    tests = [Compare(sign=sign, left=one, right=end) for one, end in ends if end is not None]
    return tests[0] if tests and all(one == tests[0] for one in tests) else None


def bound_checked(request: Request, last: Query) -> Query | None:
    """超过1000亿吗, behind one figure of one company; None where it is of more."""
    is_asked = last.check is not None or ("yesno" in request.asks and last.rows == "companies")
    is_bare = request.said - POINTING == frozenset({"bounds"})
    if not (is_asked and is_bare and len(last.show) == len(companies_of(last)) == 1):
        return None
    test = bound_on(request, last.show)
    return last.but(check=test) if test is not None else None


def times_bounded(request: Request, last: Query) -> Query | None:
    """低于10%的是哪几年, behind a figure year by year: the years at which it holds."""
    asked = request.said - EASY - {"mark.ne", "mark.these", "ask.whichyear", "ask.whichday"}
    if asked != frozenset({"bounds"}) or last.rows not in ("years", "quarters", "days"):
        return None
    test = bound_on(request, last.show) if len(last.show) == 1 else None
    if test is None:
        raise UnusedError("bound")
    return last.but(where=test, order=())


_LESS = frozenset({"lt", "le"})


def rebounded(request: Request, last: Query) -> Query:
    """改成10倍以下, 5%呢: the one bound it can be of, set anew."""
    others = {"conds", "orders", "ents", "scope", "when", "take"}
    if len(request.bounds) != 1 or len(request.mets) > 1 or request.said & others:
        raise UnusedError("bound")
    sign, amount, upper = request.bounds[0]
    said = Rebound(request.bounds[0], figure=next(iter(request.mets), None))
    # 小于10的, its ROE, 大于15的: the other way round it may be of what is shown.
    items, is_any_way = items_of(last.where), not last.show or sign is None
    tests = [
        one for one in items
        if isinstance(one, Compare) and is_meant(one, said)
        and (is_any_way or (sign in _LESS) is (one.sign in _LESS))
    ]  # fmt: skip
    if not tests and upper is None and sign is not None:
        return _bound_shown(request, last)
    if not tests and upper is None and "swap" in request.marks:
        return _resized(last, amount)
    is_sure = sign is not None or upper is not None or len(tests) == 1
    if len(dict.fromkeys(one.left for one in tests)) != 1 or not is_sure:
        raise UnusedError("which bound")
    anew, at = tests_anew(tests[0], request.bounds[0]), items.index(tests[0])
    rest = [one for one in items[at:] if one not in tests]
    return last.but(where=both(*items[:at], *anew, *rest))


def tests_anew(test: Pred, bound: Bound) -> Sequence[Pred]:
    """The test with that bound, or with both ends of that range. Raises: UnusedError."""
    sign, amount, upper = bound
    ends: list[Bound] = [(sign, amount, None)]
    if upper is not None:
        ends = [("ge", amount, None), ("le", upper, None)]
    anew = [bound_anew(test, Rebound(one)) for one in ends]
    if None in anew:
        raise UnusedError("unit")
    return [one for one in anew if one is not None]


def _resized(last: Query, amount: Amount) -> Query:
    """Make it three, of a list of five: so many rows of it. Raises: UnusedError."""
    is_number = amount.unit == "number" and amount.value == int(amount.value) > 0
    if last.take is None or last.take.count == 1 or not is_number:
        raise UnusedError("which bound")
    take = last.take.but(count=int(amount.value))
    return last.but(take=take)


def _bound_shown(request: Request, last: Query) -> Query:
    """它们的ROE, then 大于15%的: a bound of the one figure shown that it can be of."""
    told = [one for one in (*last.show, *(fold.of for fold in last.fold)) if one is not None]
    named = [(one, said_as(one)) for one in told]
    test = bound_on(request, [
        one for one, said in named
        if said is not None and said[1] is None and request.mets in ([], [said[0]])
    ])  # fmt: skip
    if test is None:
        raise UnusedError("which bound")
    if last.take is not None and last.order:  # of the rows that were shown
        return among_rows(last, where=test)
    return last.but(where=both(last.where, test))


def replaced(scope: Pred | None, new: Pred, market: Market) -> Pred | None:
    """The scope with a set of the new one's kind in place of the old one."""
    dims = dimensions(new)
    if "market" in dims:
        dims = dims | {"exchange", "board"}
    items = items_of(scope)
    if isinstance(new, In) and new in items and new.dim == "market":
        dims = dims | {"industry"}  # 换成全部A股, of a part of them
    kept = [one for one in items if isinstance(one, Not) or not dimensions(one) & dims]
    made = whole(both(*kept, new), market)
    # 除了美的的家电, 换成汽车: that one is in none of the new.
    gone = {*market.strays(made)} - {*market.strays(scope)}
    return both(*(left for one in items_of(made) if (left := without_values(one, gone))))
