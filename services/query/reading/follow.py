"""A turn that goes on from the one before: the last query with one or several things changed, or a
question of its own of the companies that were told of.

Told in full afterwards, so that what was carried over is seen. What cannot be an edit of the last
query is no reading of the turn (`UnusedError`).
"""

from collections.abc import Sequence
from dataclasses import replace

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Change,
    Compare,
    Expr,
    Folded,
    In,
    Metric,
    Not,
    Order,
    Pred,
    Query,
    Take,
    both,
    either,
    items_of,
    walk,
)
from services.query.algebra.scopes import kind_of, markets_of, named_symbols
from services.query.reading import follow_edits, follow_groups, lists_told
from services.query.reading.bounds_supposed import suppose_figures
from services.query.reading.chart import Edge
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import asked_beside, compared, shown_of_list
from services.query.reading.figures_said import is_of_years
from services.query.reading.figures_told import companies_of, is_of_companies, rows_as_set
from services.query.reading.follow_apart import is_of_another
from services.query.reading.follow_companies import THAT_TIME, of_companies
from services.query.reading.follow_days import times_anew
from services.query.reading.follow_exchanged import exchanged, leave_out_its_ends
from services.query.reading.follow_moves import moved_in_a_word
from services.query.reading.follow_rows import by_what_was_asked, cut_by_told
from services.query.reading.follow_times import asked_anew, widened
from services.query.reading.moves import OF_SESSIONS
from services.query.reading.phrases import Fig, Time, dimensions
from services.query.reading.request import Request, gathered
from services.query.reading.set_gathered import natural_order
from services.query.reading.sets_said import is_set, without_values
from services.query.reading.shapes import (
    EASY,
    NOBODY_LEFT,
    Market,
    in_its_market,
    in_points,
    listed,
    there_or_as_said,
    whole,
)
from services.query.reading.shapes_company import companies, needed

_OF_WHICH = ("要算哪一项？", "Of which figure?")
# What says that a turn is of the one before it.
_GOES_ON = frozenset(
    {"dropped", "more", "basis", "gone", "rebound", "told", "instead"}
    | {f"mark.{one}" for one in (
        "ne", "these", "only", "add", "swap", "or", "undo", "flip", "nowadays", "sincethen",
        "sincehigh", "sincelow",
        "earlier", "later", "daybefore", "dayafter", "thatyear", "thatday", "other", "member",
        "each", "eachup", "eachdown", "eachloss", "eachprofit", "everup", "everdown", "everloss",
        "everprofit", "all", "likewise", "sinceearlier", "sincedaybefore",
        "countof",
    )}
)  # fmt: skip
_NOT_EDITS = frozenset(
    {"diff", "mult", "share", "rank", "pctile", "cagr", "ret", "days", "years", "excess", "peers"}
    | {"trend", "pricetrend", *OF_SESSIONS}
)


# Of one company, and of no list.
_OF_ONE_COMPANY = frozenset({"whichyear", "whichday", "daylist"})
_NEVER_EDITS = frozenset({"relations", "day_tests", "fold_tests", "peer", "tools", "indicators"})


def stands_alone(parts: Sequence[Edge]) -> bool:
    """Whether the turn says by itself what it is about."""
    try:
        request = gathered(parts)
    except UnusedError:
        return True
    if request.said & _GOES_ON:
        return False
    sorts = request.orders
    ents = [*request.ents, *(one for phrase in request.phrases for one in phrase.ents)]
    if ents:
        about = request.mets or request.conds or sorts or request.relations or request.day_tests
        return bool(about or request.asks & {"ret", "rank", "peers", "trend", "pricetrend"})
    if request.relations:
        return True
    dims = dimensions(both(request.scope, *request.conds, *(one.phrase.scope for one in sorts)))
    is_counted = request.count and not dims <= {"board", "exchange", "industry"}
    is_told = request.mets and (request.agg or dims & {"market", "board", "exchange"})
    asks = request.conds or sorts or is_told or is_counted
    return bool((dims and asks) or (request.group and (request.mets or sorts)))


def followed(
    parts: Sequence[Edge],
    before: Sequence[Query],
    market: Market,
    *,
    points: bool = False,
    narrows: bool = False,
) -> Query:
    """The turn as a change of the last query. `points`: it begins with a word for what was told.
    `narrows`: it asks nothing itself (市值500亿以上的呢), so what was asked is asked again.

    Raises: UnusedError.
    """
    request = gathered(parts)
    # A股汽车市盈率低于15的: its sets are of its companies, whatever they stand beside.
    request.conds = [item for one in request.conds for item in items_of(one)]
    counts = follow_edits.counts_told_rows(parts, before[-1])
    follow_edits.point_at_told(request, points=points or counts)
    before = _it_added(request, follow_edits.rebased(request, before))
    last = before[-1]
    follow_groups.count_in_each(request, last)
    cut_by_told(request, before)
    in_points(request, named_symbols(last.scope) or (), market)
    if request.basis is not None and request.said <= lists_told.POINTING | {"basis", "mark.add"}:
        return last
    request.basis = None
    if is_of_another(parts):
        request.marks |= {"and"}
    leave_out_its_ends(request, last)
    found = exchanged(request, last, market) if narrows else None
    found = found or times_anew(request, before, market)
    found = found or moved_in_a_word(request, before, market)
    found = found or asked_anew(request, before, market)
    if (found := found or follow_groups.regrouped(request, last)) is not None:
        return found
    if (found := follow_edits.same_within(request, last, market)) is not None:
        return found
    before = widened(request, before)
    last = before[-1]
    drawn = {"trend"} if request.said & THAT_TIME else set[str]()  # 那天指数怎么走的: of that day
    if (request.asks - drawn) & _NOT_EDITS or request.said & _NEVER_EDITS:
        raise UnusedError("follow")
    first = {part.cat for part in parts[:1]}
    if last.rows == "one" or is_of_companies(last):
        request.marks |= {"add"} if "join" in first and request.ents else set()
        return of_companies(request, before, market)  # 跟中联重科放一起看: beside it
    request.marks |= {"add"} if "bool" in first or "or" in request.marks else set()
    if (within := follow_groups.within_groups(request, last)) is not None:
        return _of_list(request, within, market)
    changed = _of_list_told(request, before, market)
    changed = follow_groups.beyond_fold(request, changed, lists=not (narrows or points))
    if folds := _folds_kept(request, last, narrows=narrows):
        changed = changed.but(fold=folds, show=(), order=changed.order if changed.take else ())
    # An order, or a figure, may be said that is there already; 只看A股的, of A shares.
    is_again = "only" in request.marks and dimensions(request.scope) == {"market"}
    if changed == last and not (request.orders or request.mets or is_again):
        raise UnusedError("nothing new")
    return changed


def _it_added(request: Request, before: Sequence[Query]) -> Sequence[Query]:
    """加上它, behind whether one is on a list: that one, to that list."""
    if before[-1].check is None or request.said - EASY - {"mark.these"} != frozenset({"mark.add"}):
        return before
    named, them = lists_told.list_named_from(before), companies_of(before[-1])
    if named is None or len(them) != 1:
        return before
    request.ents, request.marks = [(one,) for one in them], {"add"}
    return (*before, lists_told.list_picked_from(before[:-1]) or named)


def _folds_kept(request: Request, last: Query, *, narrows: bool) -> tuple[Folded, ...]:
    """市值500亿以上的呢, 不含万科再算一遍均值, after an average or a number: that of those."""
    if last.group:
        return ()
    said = request.said - {"mark.ne", "mark.these", "mark.only", "mark.add", "apart"} - EASY
    return last.fold if narrows and said and said <= {"conds", "scope", "excluded"} else ()


# ---------------------------------------------------------------- the turn before was a list
def _of_list(  # noqa: C901 — one case a line
    request: Request, last: Query, market: Market
) -> Query:
    if last.rows != "companies" or request.asks & _OF_ONE_COMPANY:
        raise UnusedError("follow")
    suppose_figures(request, [one.id for one in walk(last) if isinstance(one, Metric)])
    last = _of_those_left(request, last, market)
    if request.bounds:
        return follow_edits.rebounded(request, last)
    if request.more is not None:
        return follow_edits.next_rows(request, last)
    if request.direction is not None and not request.count:
        return follow_edits.next_place(request, last)
    is_swap = "swap" in request.marks and not (request.conds or request.orders or request.agg)
    if is_swap and request.take is None:
        return follow_edits.swapped_scope(request, last, market)
    if request.dropped:
        return follow_edits.dropped(request, last)
    if request.conds and request.agg and not request.mets:
        raise UnusedError("fold of what")
    # 其中银行有几家, of the first ten: those among them, not the first ten banks.
    is_within = "these" in request.marks and any((request.scope, *map(is_set, request.conds)))
    # 去掉茅台再算平均: of the others that were told, and not of the one that comes up.
    is_held = is_within or "held" in request.marks or bool(request.excluded and request.agg)
    is_first = last.take is not None and last.take.per is None
    # Of the rows that were listed, not of those that come up in their place.
    query = follow_edits.among_rows(last) if is_held and is_first else last
    if query.take is not None and query.take.skip and (request.scope or request.excluded):
        query = query.but(take=query.take.but(skip=0))
    if last.fold and not last.group and not last.take:
        query = query.but(fold=())
    if request.ents:
        return _more_companies(request, query, market)
    if request.series or (request.when is not None and not request.mets and not request.orders):
        raise UnusedError("when")
    scope = _scope_of(request, query, market)
    if dimensions(request.scope) & dimensions(query.scope):
        query = follow_edits.wholes_moved(query, scope)
    query = _moved_inside(request, query, market)
    query = _narrow_query(request, query.but(scope=scope))
    query = _reorder_query(request, query)
    return _fold_query(request, query, last)


def _of_list_told(request: Request, before: Sequence[Query], market: Market) -> Query:
    try:
        return _of_list(request, lists_told.list_gone_on_from(request, before), market)
    except ChoiceError as error:
        return by_what_was_asked(error, before)


def _of_those_left(request: Request, last: Query, market: Market) -> Query:
    """哪家最低, of the figure they are in order by; 银行不算，第二低的是哪个: of the others."""
    (sort, *others) = request.orders or (None,)
    is_plain = sort is not None and sort.phrase == Fig() and not (sort.is_time or sort.is_row)
    if sort is not None and is_plain and not (others or sort.skip or request.direction):
        request.orders, request.direction = [], sort.way
        request.take = request.take or sort.take
    if request.direction is None or not all(map(is_set, request.excluded)):
        return last
    if request.excluded:
        is_listed = bool(last.order and last.take) and request.place is None
        is_other_end = is_listed and request.direction != last.order[0].direction
        last = follow_edits.among_rows(last) if is_other_end else last  # 除了茅台最低的是谁
        last = last.but(scope=_scope_of(replace(request, scope=None, conds=[]), last, market))
        request.excluded, request.place = [], 1 if is_listed else request.place
    return last


def _moved_inside(request: Request, query: Query, market: Market) -> Query:
    """换到港股, of the first ten by another figure: those ten are of that market too."""
    if query.first is None or not request.scope or "market" not in dimensions(request.scope):
        return query
    return query.but(first=follow_edits.relocated(query.first, request.scope, market))


def _more_companies(request: Request, last: Query, market: Market) -> Query:
    """再加上茅台: with those of a list or a screen, whose conditions need not hold of it."""
    asked, query = request.said - {"ents", "mark.ne", "mark.these", "mark.member"} - EASY, last
    if not asked and "add" not in request.marks:  # 那茅台呢, 工商银行怎么没有: its own figures
        shown = list[Expr]()
        if (beside := asked_beside(last)) is not None:
            shown, query = [beside], None
        while query is not None:
            shown += shown_of_list((), query.order, query.where)
            query = query.first
        if shown:
            show = tuple(dict.fromkeys(shown))
            # 有茅台吗: whether what makes the list holds of it.
            is_test = bool({"ask.yesno", "mark.member"} & request.said) and len(request.ents) == 1
            test = rows_as_set(last) if is_test else None
            return Query(scope=companies(listed(request.ents)), show=show, check=test)
    alone = "add" in request.marks and not (request.conds or request.orders or request.mets)
    if not alone or last.fold or last.group:
        raise UnusedError("company")
    named = there_or_as_said(listed(request.ents), markets_of(last.scope), market)
    more = AnyOf(items=(rows_as_set(last), companies(named)))
    shown = shown_of_list(last.show, last.order, last.where)
    order = last.order or natural_order(last.where)
    return Query(scope=more, order=order, show=shown)


def _scope_of(request: Request, query: Query, market: Market) -> Pred | None:
    scope = query.scope
    for one in in_its_market([one for one in request.excluded if is_set(one)], scope, market):
        items = items_of(scope)
        if isinstance(one, Not) and one.item in items:  # 不要银行股了, of banks: without that limit
            if "market" in dimensions(one.item):
                raise UnusedError(NOBODY_LEFT)  # 去掉H股, of shares in Hong Kong
            scope = both(*(item for item in items if item != one.item))
        else:
            scope = both(scope, one)
    said = both(request.scope, *filter(is_set, request.conds))
    if said is None:
        return scope
    if "add" in request.marks:
        back = both(*_put_back(items_of(scope), said))
        return back if back != scope else _widen_scope(scope, said, market)
    clash = dimensions(scope) & dimensions(said)
    if "ne" in request.marks or (clash and request.marks <= {"only"}):
        return follow_edits.replaced(scope, said, market)
    if clash - {"market"}:
        raise UnusedError("set")
    plain = both(scope, said)
    there = whole(plain, market)
    return plain if plain is None or _values_of(plain) == _values_of(there) else there


def _put_back(items: Sequence[Pred], said: Pred) -> Sequence[Pred]:
    """Put the banks back in: what was left out, without those that are said again."""
    if not isinstance(said, In):
        return items
    again = {(said.dim, one) for one in said.values}
    kept = (without_values(one, again) if isinstance(one, Not) else one for one in items)
    return [one for one in kept if one is not None]


def _values_of(scope: Pred) -> set[str]:
    return {value for one in walk(scope) if isinstance(one, In) for value in one.values}


def _narrow_query(request: Request, query: Query) -> Query:
    tests = [one for one in (*request.excluded, *request.conds) if not is_set(one)]
    if not tests:
        return query
    if query.group or query.fold:
        raise UnusedError("condition of groups")
    shown = tuple(dict.fromkeys([*query.show, *compared(both(*tests))]))
    is_of_one = query.take == Take(count=1)  # 只看千亿以上的, behind the lowest one: of the set
    if query.take is not None and query.order and not is_of_one:
        return follow_edits.among_rows(query, where=both(*tests), show=shown)
    if "add" in request.marks and "or" in request.marks:
        raise UnusedError("or")
    kept = _without_bounds(query.where, tests)
    return query.but(where=both(kept, *tests), show=shown)


def _without_bounds(where: Pred | None, tests: Sequence[Pred]) -> Pred | None:
    """Without the bounds that are said anew: 大于5%呢, after 大于3%."""
    ways = {"gt": "more", "ge": "more", "lt": "less", "le": "less"}
    anew = {(one.left, ways.get(one.sign)) for one in tests if isinstance(one, Compare)}
    items = items_of(where)
    return both(*(
        one for one in items
        if not isinstance(one, Compare) or (one.left, ways.get(one.sign)) not in anew
    ))  # fmt: skip


def _reorder_query(  # noqa: C901, PLR0912 — one case a line
    request: Request, query: Query
) -> Query:
    if request.mets == ["close:fall"] and request.when is None and len(query.order) == 1:
        return _fallen(query)
    changed: dict[str, object] = {}
    if "growth" in request.asks and not (request.mets or request.orders):
        raise UnusedError("growth of what")
    shown = [needed(one, Fig(when=_time_for(one, request, query))) for one in request.mets]
    if len(request.orders) > 1:
        raise UnusedError("orders")
    take = query.take
    for sort in request.orders:
        phrase = sort.phrase
        if phrase.ents or phrase.scope or phrase.agg or not phrase.mets or sort.direction == "both":
            raise UnusedError("order")
        if request.when is not None and not request.mets:  # 今年跌得最多的是哪家
            phrase = phrase.merged(Fig(when=request.when)) or phrase
        by = needed(phrase.mets[0], replace(phrase, mets=()))
        is_extreme = sort.direction is not None and not sort.is_list
        is_anew = query.order and query.order[0].by != by and query.first is None
        if query.take and is_anew and is_extreme and "swap" in request.marks:
            kept = [one for one in query.show if one != query.order[0].by]
            query, is_extreme = query.but(show=tuple(kept)), False  # 换成市盈率最低的五家
        elif query.take and is_anew:
            changed |= {"first": query.but(show=()), "where": None}
        direction = "asc" if (sort.direction == "asc") is not request.is_bottom else "desc"
        changed["order"] = (Order(by=by, direction=direction),)
        shown.append(by)
        count = sort.take or (1 if is_extreme else query.take.count if query.take else None)
        take = Take(count=count, skip=sort.skip) if count else None
    if request.take is not None:
        if request.is_bottom and not request.orders:
            raise UnusedError("bottom")
        if not (request.orders or query.order):
            changed["order"] = natural_order(query.where)
            if not changed["order"]:
                raise UnusedError("take")
        take = Take(count=request.take, per=take.per if take else None)
    if shown and (query.fold or query.group):
        return follow_groups.fold_beside(request, query, shown)
    made = query.but(**changed, take=take, show=tuple(dict.fromkeys([*query.show, *shown])))
    return made if request.place is None else _at_place(request, made, shown, query)


def _at_place(request: Request, query: Query, shown: Sequence[Expr], last: Query) -> Query:
    """第一名的市净率: of the row of that place; a figure shown before is shown alone."""
    if not query.order and shown:
        query = query.but(order=natural_order(query.where))
    is_again = bool(shown) and set(shown) <= set(last.show)
    kept = tuple(dict.fromkeys(shown)) if is_again else query.show
    return query.but(take=_place_said(request, query), show=kept)


def _place_said(request: Request, query: Query) -> Take:
    """The row of the place that was said; of the last one where that was."""
    is_last = request.place is not None and request.place < 1
    if not (request.orders or query.order) or (is_last and query.take is None):
        raise UnusedError("place")
    ends = query.take.skip + query.take.count if query.take is not None else 0
    return request.rows_placed or Take(count=1, skip=ends - 1)


def _fallen(query: Query) -> Query:
    """跌幅呢, of a list by how far each rose: the same the other way round."""
    by = query.order[0].by
    is_move = (isinstance(by, Metric) and by.id == "pct_change") or (
        isinstance(by, Change) and by.of == "close"
    )
    if not is_move or query.order[0].direction != "desc":
        raise UnusedError("fall of what")
    order = query.order[0].but(direction="asc")
    return query.but(order=(order,))


def _time_for(figure: str, request: Request, query: Query) -> Time | None:
    """净利率呢, of a list by a year's revenue: of that year too."""
    if request.when is not None or ":" in figure or not is_of_years(figure):
        return request.when
    figures = [one for by in query.ordered_by for one in walk(by) if isinstance(one, Metric)]
    dated = [one.when for one in figures if one.when.kind in ("years", "quarters")]
    return Time(periods=dated[0]) if dated and dated.count(dated[0]) == len(dated) else None


def _fold_query(request: Request, query: Query, last: Query) -> Query:
    if request.group is not None:
        if query.take is not None:
            query = Query(scope=query.scope, first=query.but(show=()))
        fold = Folded(how="count")
        if request.agg is not None:
            fold = Folded(how=request.agg, of=_figure_asked(request, query, last))
        order = (Order(fold=0, direction=request.way),)
        first = Take(count=1) if request.direction else None  # 哪个行业最多
        changed = {"group": request.group, "fold": (fold,), "order": order, "show": ()}
        return query.but(**changed, take=first)
    if request.count and last.group and not request.agg:
        return follow_edits.groups_by_number(request, last)
    if request.count:
        return follow_groups.count_rows(request, query)
    if request.agg is None:
        return query
    fold = Folded(how=request.agg, of=_figure_asked(request, query, last))
    return query.but(fold=(fold,), show=())


def _figure_asked(request: Request, query: Query, last: Query) -> Expr:
    if len(request.mets) == 1:
        return needed(request.mets[0], Fig(when=request.when))
    by = query.order[0].by if query.order else None
    told: list[Expr] = [*([by] if by else []), *last.show, *compared(last.where)]
    asked = list(dict.fromkeys(told))
    if len(asked) > 1 and not request.mets and request.agg is not None:
        folds = [Folded(how=request.agg, of=of) for of in asked]
        raise ChoiceError(_OF_WHICH, [query.but(fold=(one,), show=()) for one in folds])
    found = by or next(iter(last.show), None) or (last.fold[0].of if last.fold else None)
    is_rate = isinstance(found, Metric) and not CATALOGUE[found.id].additive
    if found is None or len(request.mets) > 1 or (request.agg == "sum" and is_rate):
        raise UnusedError("fold of what")
    return found


def _widen_scope(scope: Pred | None, more: Pred, market: Market) -> Pred | None:
    items = items_of(scope)
    if "market" not in dimensions(more) and isinstance(scope, AllOf):  # as that market has it
        told = whole(both(In(dim="market", values=markets_of(scope)), more), market)
        more = told.items[-1] if isinstance(told, AllOf) else more
    new = [
        either(one, more)
        if isinstance(one, In) and isinstance(more, In) and kind_of(one) == kind_of(more)
        else one
        for one in items
    ]
    if new == list(items):
        raise UnusedError("add")
    return both(*new)
