"""Rows of the answer before, picked by their place in it (市值大的那家), what was told as a share
of more (of a set, of its industry, of another figure), and which list is gone on from.
"""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.dimensions import is_additive
from services.query.algebra.nodes import (
    TIMED,
    Across,
    Compare,
    Direction,
    Expr,
    Fold,
    Folded,
    In,
    Metric,
    Order,
    Pred,
    Query,
    Take,
    both,
    items_of,
)
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import asked_beside, compared
from services.query.reading.figures_said import is_of_years, join_figures, unit
from services.query.reading.figures_told import (
    BY_WHAT,
    companies_of,
    is_of_companies,
    rows_as_set,
    set_told,
    time_of,
)
from services.query.reading.follow_edits import among_rows, bound_on, replaced, same_of_set
from services.query.reading.lists_told import list_gone_on_from, told_list
from services.query.reading.phrases import Fig, Time, dimensions, said_as
from services.query.reading.predicates import NOT_SIGN, Relation, Sort, negated
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import Market, listed, made, whole
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_relation import set_apart
from services.query.reading.shapes_share import share_of_number, share_of_part, whole_said
from services.query.reading.shapes_times import SHAPES as OF_TIMES


def pick_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """最高的那家总市值多少: of those told the one that is highest, and what is asked of it.

    Raises: UnusedError; ChoiceError where several figures of them were told.
    """
    last, sort = list_gone_on_from(request, before), request.orders[0]
    if last.rows == "days" and last.where is not None:
        return _pick_day(request, last)
    last = set_told(last) if last.rows == "one" or last.fold else last
    if last.rows != "companies" or last.group or last.check or request.orders[1:]:
        raise UnusedError("row of what")
    _check_whom(sort, last)
    _check_size(sort, before[-1])
    each = [
        _picked(request, last, Order(by=by, direction=sort.way)) for by in _ordered_by(last, sort)
    ]
    if len(each) != 1:
        raise ChoiceError(BY_WHAT, each)
    return each[0]


def has_winner(last: Query) -> bool:
    """Whether it told which of the companies it names is first."""
    is_of_several = is_of_companies(last) and len(named_symbols(last.scope) or ()) > 1
    return is_of_several and last.rows == "companies" and last.take is None and len(last.order) == 1


def of_winner(request: Request, before: Sequence[Query], market: Market) -> Query:
    """Payout ratio for that one, behind which of three yields the most: of the first of them."""
    last = before[-1]
    if not has_winner(last) or not request.mets:
        raise UnusedError("who is first")
    return _picked(request, last, last.order[0])


def _check_whom(sort: Sort, last: Query) -> None:
    """Raises: UnusedError where it is of others than those told: the cheapest of the five."""
    named = len(named_symbols(last.scope) or ())
    told = last.take.count if last.take is not None else named
    if sort.take not in (None, told) or (is_of_companies(last) and named == 1):
        raise UnusedError("of how many")


def _check_size(sort: Sort, last: Query) -> None:
    """Raises: UnusedError where the largest of those counted is so by what they were counted by:
    最大的那只, behind how many swung by more than 10%.
    """
    is_number = [one.of for one in last.fold] == [None]
    tested = compared(last.where)
    if sort.is_size and is_number and tested and not _of_unit(tested, "money"):
        raise UnusedError("largest by what")


def _pick_day(request: Request, last: Query) -> Query:
    """The biggest one, behind the days that fell by more than 5%: that of the deepest fall."""
    tests = [one for one in items_of(last.where) if isinstance(one, Compare)]
    (sort, *others) = request.orders
    if len(tests) != 1 or others or request.mets or sort.phrase != Fig() or sort.is_price:
        raise UnusedError("day of what")
    by, is_fall = tests[0].left, tests[0].sign in ("lt", "le")
    way: Direction = "asc" if (sort.direction == "asc") is not is_fall else "desc"
    order = (Order(by=by, direction=way),)
    return last.but(fold=(), show=(by,), order=order, take=Take(count=1))


def _picked(request: Request, last: Query, order: Order) -> Query:
    time = time_of(last)
    is_price = any(one.is_price for one in request.orders)
    is_which = is_price and is_of_companies(last) and not request.mets
    if is_which and order.by is not None:  # which is cheaper, of two: both of them
        return Query(scope=last.scope, order=(order,), show=(order.by,))
    asked: list[Expr] = [
        needed(one, Fig(when=request.when or (time if is_of_years(one) else None)))
        for one in request.mets
    ]
    told = () if is_of_companies(last) else last.show
    show = [*asked, order.by] if order.by is not None else asked
    is_same = last.take is None or last.order == (order,)
    take = Take(count=1, skip=last.take.skip if last.take is not None and is_same else 0)
    among = last if is_same else among_rows(last)
    kept: dict[str, object] = {"order": (order,), "take": take}
    return among.but(**(kept | {"show": tuple(dict.fromkeys([*told, *show]))}))


def without_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """去掉第一家, 把最贵的拿掉再算: those told without that one, folded again where they were."""
    last, gone = before[-1], request.gone[0]
    is_of_each = last.take is not None and last.take.per is not None
    if len(request.gone) > 1 or last.rows != "companies" or last.group or is_of_each:
        raise UnusedError("row of what")
    rows = last.but(fold=())
    if isinstance(gone, Sort):
        row = _extreme(last, rows, gone)
    else:
        rows = rows.but(order=last.order or natural_order(last.where))
        row = rows.but(take=_place(rows, gone))
    row = row.but(show=())
    if last.take is None:
        return rows.but(less=(*last.less, row), fold=last.fold)
    return among_rows(rows, less=(row,), fold=last.fold)


def _extreme(last: Query, rows: Query, gone: Sort) -> Query:
    by = _ordered_by(last, gone)
    if len(by) != 1:
        raise UnusedError("row by what")
    order = Order(by=by[0], direction=gone.way)
    among = rows if last.take is None else among_rows(rows)
    return among.but(order=(order,), take=Take(count=1))


def _place(rows: Query, place: int) -> Take:
    """The row of that place; 0 is the last one. Raises: UnusedError where there is none."""
    skip, count = (rows.take.skip, rows.take.count) if rows.take is not None else (0, None)
    is_there = place <= count if count is not None else place > 0
    if not rows.order or not is_there:
        raise UnusedError("row")
    return Take(count=1, skip=skip + (place or count or 1) - 1)


def between_ends(said: Relation, last: Query) -> Query:
    """最高的比最低的贵多少, 是最小的几倍: of the one figure of all that were told, companies or
    years.
    """
    of = _ordered_by(last, Sort(Fig(), None))
    is_of_years = last.rows == "years" and not (last.where or last.take)
    if len(of) != 1 or last.fold or not (is_of_years or last.rows == "companies"):
        raise UnusedError("ends of what")
    if said.right is None or said.how == "rate":
        raise UnusedError("ends of what")
    beside: Fold = "min" if said.right.agg == "max" else "max"
    folds = (said.left.agg or beside, said.right.agg)
    if is_of_years and isinstance(of[0], Metric) and last.window is not None:
        times = [Fig(when=Time(last.window), agg=how) for how in folds]
        ends = [needed(of[0].id, time) for time in times]
        return Query(scope=last.scope, show=set_apart(said.how, *ends))
    one, other = (Across(how=how, of=of[0], within=rows_as_set(last)) for how in folds if how)
    return Query(rows="one", show=set_apart(said.how, one, other))


def between_rows(said: Relation, rows: tuple[int, int], last: Query) -> Query:
    """第一名是第二名的几倍: of the figure they are in order by. Raises: UnusedError."""
    order = next(iter(last.order), None)
    if order is None or order.by is None or last.take is None or max(rows) > last.take.count:
        raise UnusedError("rows of what")
    if said.how == "rate":
        raise UnusedError("growth of what")
    # The second from the top is the least of the first two.
    end: Fold = "min" if order.direction == "desc" else "max"
    one, other = (
        Across(how=end, of=order.by, within=rows_as_set(last.but(take=Take(count=place))))
        for place in rows
    )
    return Query(rows="one", show=set_apart(said.how, one, other))


def _ordered_by(last: Query, sort: Sort) -> Sequence[Expr]:
    """What the rows are held against each other by: what is said, else the figures told. The
    cheapest is so by a multiple, the biggest by an amount. Raises: UnusedError.
    """
    said = sort.phrase
    if said != Fig(mets=said.mets, when=said.when) or len(said.mets) > 1:
        raise UnusedError("row by what")
    if said.mets:
        return [needed(said.mets[0], replace(said, mets=()))]
    told = [one.of for one in last.fold if one.of is not None]
    by = [one.by for one in last.order[:1] if one.by is not None]
    beside = asked_beside(last)
    told = told or ([beside] if beside is not None else list(dict.fromkeys([*by, *last.show])))
    told = told or compared(last.where)
    if sort.is_price:
        return _of_unit(told, "multiple") or [needed("pe_ttm", Fig())]
    if sort.is_size:
        return _of_unit(told, "money") or [needed("market_cap", Fig())]
    return list(dict.fromkeys(told))


def _of_unit(told: Sequence[Expr], kind: str) -> Sequence[Expr]:
    return [one for one in told if isinstance(one, Metric) and unit(one.id) == kind]


def share_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占A股银行的几成: what was told last, of the whole of a set; 前五名加起来占整个行业多少: the
    total of the first so many of a list.
    """
    said = request.relations[0]
    left, right = said.left, said.right or Fig()
    if left.ents and left == Fig(ents=left.ents) and right.agg == "sum":  # 招行占这五家多少
        shown = _share_of_told(right, told_list(before))
        return Query(scope=In(dim="symbol", values=listed(left.ents)), show=tuple(shown))
    if said.how != "percent" or left != Fig(mets=left.mets, agg=left.agg, apart=left.apart):
        raise UnusedError("share")
    if left == Fig() and right == Fig(mets=right.mets):
        return _share_of_figure(before[-1], right.mets, market)
    bare = Fig(scope=right.scope, peer=right.peer)
    if left.agg not in (None, "sum") or replace(right, mets=()) != bare or bare == Fig():
        raise UnusedError("share")
    last = before[-1]
    named = [*request.mets, *left.mets, *right.mets]
    if len(companies_of(last)) == 1 or (left.apart and not (left.agg or request.agg)):
        each = last if is_of_companies(last) else told_list(before)
        return _share_of_each(each, named, right, market)
    return _share_of_set(replace(request, mets=named), before, right, market)


def bare_share(request: Request, before: Sequence[Query], market: Market) -> Query:
    """占比, 创业板占比呢: those told, or those of another set, of whom their condition holds; the
    total of the first so many: of all of that set.
    """
    last = before[-1]
    if last.rows == "one" and request.agg is None:
        return same_of_set(replace(request, asks=request.asks - {"share"}), last, market)
    if request.agg not in (None, "sum"):
        raise UnusedError("share of what")
    if request.agg or "sum2" in request.asks or any(one.how == "sum" for one in last.fold):
        return _share_of_set(request, before, Fig(), market)
    is_number = [one.of for one in last.fold] in ([], [None]) and not is_of_companies(last)
    if not is_number or last.rows != "companies" or last.scope is None:
        raise UnusedError("share of what")
    if request.scope is not None:
        last = last.but(scope=replaced(last.scope, request.scope, market))
    return share_of_number(last, last.scope or market.whole)


def share_of_peers(request: Request, before: Sequence[Query], market: Market) -> Query:
    """What share of the sector's market cap are they. Raises: UnusedError."""
    around = Fig(peer=request.peer, mets=tuple(request.mets))
    again = replace(request, relations=[Relation("percent", Fig(), around)], mets=[])
    return share_of(again, before, market)


def share_of_row(row: Query, right: Fig, market: Market, told: Query) -> Query:
    """最大那只又占板块多少: one row of a list, of a whole set by the figure it is first by;
    第二名占这四家总市值多少, of the list itself.
    """
    if right.agg is not None:
        return row.but(show=_share_of_told(right, told))
    if len(row.order) != 1 or right != Fig(scope=right.scope, peer=right.peer):
        raise UnusedError("share of what")
    return _share_of_each(row, (), right, market)


def _share_of_told(right: Fig, told: Query) -> Sequence[Expr]:
    """What a company has of what those told come to. Raises: UnusedError."""
    by = told.order[0].by if len(told.order) == 1 else None
    of = needed(right.mets[0], Fig()) if len(right.mets) == 1 else by
    is_sum = right == Fig(mets=right.mets, agg="sum") and not told.fold and not told.group
    if not is_sum or not isinstance(of, Metric) or not is_additive(of):
        raise UnusedError("share of what")
    return set_apart("percent", of, Across(how="sum", of=of, within=rows_as_set(told)))


def _around_of(right: Fig, last: Query) -> Pred:
    """The whole that is meant by 全行业, 整个市场, of a list; of none its own set."""
    sets = [one for one in items_of(last.scope) if isinstance(one, In) and one.dim != "symbol"]
    if right.peer == "market":
        return In(dim="market", values=markets_of(last.scope))
    kept = ("market", "industry") if right.peer else ("market", "industry", "exchange", "board")
    found = both(*(one for one in sets if one.dim in kept))
    if found is None or (right.peer and "industry" not in dimensions(found)):
        raise UnusedError("share of what")
    return found


def fold_around(how: Fold, of: Expr, right: Fig, last: Query, market: Market) -> Across:
    """The fold of a figure over the set that is named, or all of the industry or market of those
    told.
    """
    if right.scope is not None:
        return Across(how=how, of=of, within=whole(right.scope, market))
    if is_of_companies(last):
        return Across(how=how, of=of, own=right.peer)
    return Across(how=how, of=of, within=_around_of(right, last))


def _share_of_each(last: Query, named: Sequence[str], right: Fig, market: Market) -> Query:
    """占全行业多少, behind a figure of one company; 各占多少, of several: of all of that set."""
    by = [one.by for one in last.order[:1] if one.by is not None and not is_of_companies(last)]
    told = by or list(last.show)
    of = needed(named[0], Fig(when=time_of(last))) if len({*named}) == 1 else (*told, None)[0]
    if of is None or (len(told) > 1 and not named) or len({*named}) > 1:
        raise UnusedError("share of what")
    if not isinstance(of, Metric) or of.of is not None or not is_additive(of):
        raise UnusedError("sum of what")
    total = fold_around("sum", of, right, last, market)
    return last.but(show=set_apart("percent", of, total))


def _share_of_set(request: Request, before: Sequence[Query], right: Fig, market: Market) -> Query:
    """The number of companies, or their total, of those of a whole they are a part of."""
    last = before[-1]
    if last.rows == "one":
        rows = set_told(last)
        part = Query(scope=rows.scope, fold=(Folded(how="sum", of=rows.show[0]),))
    else:
        part = last if last.fold or last.group else told_list(before)
        if part.first is not None and part.order and not part.fold:  # some of the first five by it
            request = replace(request, agg=request.agg or "sum")
    return share_of_part(request, part, whole_said(right), market)


def _share_of_figure(last: Query, figures: Sequence[str], market: Market) -> Query:
    """占营收百分之几: the figure told last, of another of its company and time; 占当年营收多少:
    of the year that was found.
    """
    symbols, told = companies_of(last), said_as(last.show[0]) if len(last.show) == 1 else None
    if not symbols or told is None or told[1] or len(figures) != 1:
        raise UnusedError("share of what")
    name = join_figures(told[0], "%", figures[0])
    if name is None:
        raise UnusedError("units")
    if last.rows in TIMED:
        shown = [needed(one, Fig(), own=True) for one in (name, figures[0])]
        return last.but(show=tuple(dict.fromkeys([*last.show, *shown])))
    again = Request(ents=[(one,) for one in symbols], mets=[name], when=time_of(last))
    return made(again, (*OF_TIMES, *OF_COMPANIES), market)


# ---------------------------------------------------------------- which list is gone on from
def by_what_was_asked(error: ChoiceError, before: Sequence[Query]) -> Query:
    """去掉顺丰再看平均, behind 市值前五 and then PE呢: of the figure that was asked for last.

    Raises: the choice, where none or several were.
    """
    asked = _asked_last(before)
    meant = [one for one in error.options if isinstance(one, Query) and one.folded == asked]
    if len(meant) != 1 or not asked:
        raise error
    return meant[0]


def _asked_last(before: Sequence[Query]) -> tuple[Expr, ...]:
    """The figures of a list that the newest turn asked for which asked for any."""
    for last, earlier in zip(before[:0:-1], before[-2::-1], strict=True):
        if last.rows != "companies" or earlier.rows != "companies":
            break
        had = [*earlier.show, *earlier.ordered_by]
        if asked := tuple(
            one for one in dict.fromkeys((*last.show, *last.ordered_by)) if one not in had
        ):
            return asked
    return ()


def cut_by_told(request: Request, before: Sequence[Query]) -> None:
    """低于三成的去掉: whoever is so by the figure that was asked for last, or by the one told that
    such a bound can be of; of none or of several it is a bound that names no figure.
    """
    if not request.cuts:
        return
    told = list_gone_on_from(request, before)
    cut = Request(bounds=[(sign, amount, None) for sign, amount in request.cuts])
    for some in (_asked_last(before), (*told.show, *told.ordered_by, *compared(told.where))):
        test = bound_on(cut, some)
        if test is not None and (left := negated(test)) is not None:
            request.excluded.append(left)
            request.marks, request.cuts = request.marks | {"held"}, []
            return
    # lose anything smaller than 200 billion: a bound of none of those
    for sign, amount in request.cuts:
        if sign in NOT_SIGN:
            request.bounds.append((NOT_SIGN[sign], amount, None))
    request.cuts = []


def gone_back(before: Sequence[Query]) -> Sequence[Query]:
    """回到刚才那30家, behind the banks among them: the turns with the one list last that was told
    besides the newest. Raises: UnusedError where none or several were.
    """
    lists: list[tuple[Query, Query]] = []
    for one in before:
        if one.rows == "companies" and not one.having and not (one.group and one.take):
            told = one.but(fold=(), group=None, order=() if one.group else one.order)
            bare = told.but(show=(), order=told.order if told.take else ())
            lists = [*(kept for kept in lists if kept[0] != bare), (bare, told)]
    if len(lists) != 2 or before[-1].rows != "companies":
        raise UnusedError("back to which list")
    return (*before, lists[0][1])
