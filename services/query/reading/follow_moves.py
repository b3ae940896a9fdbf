"""Turns that say in a word what becomes of the question before: undone, turned round, what lies
between the last two, how many in each, without its first row.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    LATEST,
    OWN,
    Across,
    Arith,
    Change,
    Compare,
    Direction,
    Expr,
    Folded,
    In,
    Metric,
    Order,
    Query,
    Rank,
    Sign,
    When,
    both,
    items_of,
    rewrite,
    walk,
)
from services.query.algebra.scopes import markets_of
from services.query.reading import (
    follow_apart,
    follow_edits,
    follow_rows,
    follow_times,
    lists_told,
)
from services.query.reading.bounds_said import bound_anew, is_meant
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import asked_beside, compared
from services.query.reading.figures_said import turned_alike
from services.query.reading.figures_told import (
    companies_of,
    figures_told,
    is_of_companies,
    spoken_of,
    time_of,
)
from services.query.reading.follow_companies import has_time, of_companies
from services.query.reading.follow_peaks import SINCE, between_extremes, since_peak
from services.query.reading.moves import every_year, in_some_year, loss_test
from services.query.reading.phrases import Amount, Fig, Time, is_one_day, said_as
from services.query.reading.predicates import AskedOf, Relation
from services.query.reading.remade import in_place_of
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import EASY, Market, listed, made
from services.query.reading.shapes_company import companies
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_relation import SHAPES as OF_RELATIONS
from services.query.reading.shapes_times import SHAPES as OF_TIMES

_WHICH_BOUND = ("改哪一个条件？", "Which of the conditions?")


def moved_in_a_word(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """The query meant; None where no such word was said. Raises: UnusedError."""
    said, why = request.said - (lists_told.POINTING - {"mark.row"}), ""
    if said & _NO_MOVE and said - EASY != _IN_LIST:
        raise UnusedError("of the others")
    for needs, takes, make in _MOVES:
        if not needs <= said:
            continue
        if beyond := said - needs - takes:
            why = why or " ".join(sorted(beyond))
            continue
        try:
            return make(copy(request), before, market)
        except UnusedError as error:
            why = why or error.what
    if why:
        raise UnusedError(why)
    return None


def _undone(request: Request, before: Sequence[Query], market: Market) -> Query:
    if len(before) < 2 or before[-2] == before[-1]:
        raise UnusedError("nothing before")
    return before[-2]


def _flip_order(request: Request, before: Sequence[Query], market: Market) -> Query:
    """The same rows the other way round."""
    last = lists_told.list_gone_on_from(request, before)
    orders = last.order or natural_order(last.where)
    if not orders or (last.fold and last.group is None) or last.rows == "one":
        raise UnusedError("no order")
    turned = tuple(one.but(direction=_other(one)) for one in orders)
    if last.take is None or last.group is not None:
        return last.but(order=turned)
    if last.rows != "companies" or last.take.per is not None:
        raise UnusedError("rows")
    return follow_edits.among_rows(last.but(order=orders), order=turned)


def _time_beside(request: Request, before: Sequence[Query], market: Market) -> Query:
    """前一年呢, 后一个交易日: the same of the year or session beside the one that was said."""
    kind = "years" if request.marks & {"earlier", "later"} else "days"
    is_before = bool(request.marks & {"earlier", "daybefore"})
    beside = follow_edits.time_beside(before[-1], kind, -1 if is_before else 1, market)
    if not request.mets:
        return beside
    return of_companies(replace(request, marks=set()), (beside,), market)  # 前一天涨了多少


_WAYS = ("up", "down", "loss", "profit")
_IN_YEARS = {f"{how}{way}": (how, way) for how in ("each", "ever") for way in _WAYS}


def _moved_in_years(request: Request, before: Sequence[Query], market: Market) -> Query:
    """逐年下滑吗, 是不是一直亏, behind a figure year by year: whether it did so each year;
    有没有下降过, did it ever decline: the years in which it did.
    """
    last = before[-1]
    (said,) = request.marks & _IN_YEARS.keys()
    how, way = _IN_YEARS[said]
    told = Fig(mets=(_figure_of_years(last),))
    window = ALL if last.window is None else last.window
    if how == "each":
        window = window if way in ("loss", "profit") else _behind_first(window)
        test, asked, when = every_year(window, told, *_year_test(way)), "yesno", None
    else:
        held = in_some_year(told, *_year_test(way))
        test, asked = held.pred if held is not None else None, "whichyear"
        when = Time(window) if window != ALL else None
    if test is None or isinstance(test, AskedOf):
        raise UnusedError("years of what")
    ents = [(one,) for one in companies_of(last)]
    whole = Request(ents=ents, conds=[test], when=when, asks={asked})
    return made(whole, OF_COMPANIES if how == "each" else OF_TIMES, market)


def _figure_of_years(last: Query) -> str:
    """The one figure it told year by year, or of one year. Raises: UnusedError."""
    if last.rows == "years" and len(last.order) == 1:  # 哪年最高，是不是逐年下降: of all of them
        last = last.but(order=(), take=None)
    told = figures_told(last)
    is_plain = last.rows == "companies" and bool(companies_of(last))
    is_course = last.rows == "years" and last.window is not None
    if not (is_plain or is_course) or len(told) != 1 or last.where or last.take or last.check:
        raise UnusedError("years of what")
    return told[0]


def _year_test(way: str) -> tuple[Sign, Amount | None, str]:
    return loss_test(way) if way in ("loss", "profit") else ("gt", None, way)


def _behind_first(window: When) -> When:
    """The years that have one before them among those told."""
    if window == ALL:
        return window
    if window.kind == "lastn" and window.count is not None:
        return window.but(count=window.count - 1)
    if window.kind != "years" or window.only or not isinstance(window.first, int):
        raise UnusedError("years of what")
    return window.but(first=window.first + 1)


def _as_of_now(request: Request, before: Sequence[Query], market: Market) -> Query:
    """现在呢, behind a price of another day: the newest; 今天涨了多少: that figure of it."""
    last = before[-1]
    moved = rewrite(
        last, lambda one: LATEST if isinstance(one, When) and one.kind == "days" else one
    )
    told = [one for expr in last.show for one in walk(expr) if isinstance(one, When)]
    if last.window or not told or any(one.first != one.last for one in told):
        raise UnusedError("now of what")
    if request.said == frozenset({"mark.nowadays"}) | request.said & lists_told.POINTING:
        return moved
    asked = replace(request, marks=request.marks - {"nowadays"})
    return of_companies(asked, (moved,), market)


def _how_much_more(request: Request, before: Sequence[Query], market: Market) -> Query:
    """谁的市值大，大多少, 哪只贵些差多少: what lies between the two that were spoken of."""
    (sort, *others) = request.orders
    if others or sort.take or request.mets or sort.phrase != Fig(mets=sort.phrase.mets):
        raise UnusedError("which")
    return follow_apart.between(
        replace(request, orders=[], mets=list(sort.phrase.mets)), before, market
    )


def _turn_order(request: Request, before: Sequence[Query], market: Market) -> Query:
    """从低到高: the order of the list, that way round."""
    last = before[-1]
    if (spoken := _one_by_one(before)) is not None:
        return spoken.but(order=(Order(by=spoken.show[0], direction=request.way),))
    orders = last.order or natural_order(last.where)
    is_folded = bool(last.fold) and last.group is None
    if len(orders) != 1 or is_folded or last.rows != "companies":
        raise UnusedError("order of what")
    is_of_those = "these" in request.marks
    beside = asked_beside(last) if is_of_those else None
    order = orders[0].but(direction=request.way, by=beside or orders[0].by)
    if not is_of_those or last.take is None or last.take.count == 1 or order == orders[0]:
        return last.but(order=(order,))
    return follow_edits.among_rows(last, order=(order,))  # those that were told, as they are


def _one_by_one(before: Sequence[Query]) -> Query | None:
    """The one figure of several companies, told together or each in its turn; None of others."""
    last, symbols = before[-1], spoken_of(before)
    is_of_several = is_of_companies(last) and last.rows == "companies" and len(symbols) > 1
    if not is_of_several or len(last.show) != 1 or last.check is not None:
        return None
    return last.but(scope=companies(symbols))


def _other(order: Order) -> Direction:
    return "asc" if order.direction == "desc" else "desc"


def _of_its_industry(request: Request, before: Sequence[Query], market: Market) -> Query:
    """行业里20倍以下的有哪几家, behind a figure of a company: of its industry, by that figure."""
    symbols, told = companies_of(before[-1]), before[-1].show
    test = follow_edits.bound_on(request, told) if len(told) == len(symbols) == 1 else None
    if test is None or request.peer != "industry":
        raise UnusedError("whose industry")
    fold = (Folded(how="count"),) if request.count else ()
    return Query(
        scope=market.industry(symbols[0]), where=test, show=told if not fold else (), fold=fold
    )


def _of_each_list(request: Request, before: Sequence[Query], market: Market) -> Query:
    """两边各有几家: of the last two lists."""
    lists = [one for one in before if one.rows == "companies" and not is_of_companies(one)][-2:]
    shown: list[Expr] = []
    for one in lists:
        figures = [expr for expr in compared(one.where) if isinstance(expr, Metric)]
        if not figures or one.take or one.first or one.less or one.group:
            raise UnusedError("lists")
        shown.append(Across(how="count", of=figures[0], within=both(one.scope, one.where)))
    if len(shown) != 2 or shown[0] == shown[1]:
        raise UnusedError("lists")
    return Query(rows="one", show=tuple(shown))


def _instead(request: Request, before: Sequence[Query], market: Market) -> Query:
    """水井坊换成山西汾酒: one company of those named in the place of another."""
    last, (old, new) = before[-1], request.instead[0]
    (other,) = listed([new])

    anew = in_place_of(last, dict.fromkeys(old, other))
    if len(request.instead) > 1 or anew == last:
        raise UnusedError("instead of whom")
    return anew


def _rebound(request: Request, before: Sequence[Query], market: Market) -> Query:
    """50 → 30, make the P/E limit 20: the one bound of that number, figure or side."""
    last, said = before[-1], request.rebound[0]
    items = items_of(last.where)
    anew = [bound_anew(one, said) if is_meant(one, said) else None for one in items]
    found = [at for at, one in enumerate(anew) if one is not None]
    options = [last.but(where=both(*items[:at], anew[at], *items[at + 1 :])) for at in found]
    if not options or len(request.rebound) > 1 or last.rows != "companies":
        raise UnusedError("which bound")
    if len(options) > 1:
        raise ChoiceError(_WHICH_BOUND, options)
    return options[0]


def _relate_figures(request: Request, before: Sequence[Query], market: Market) -> Query:
    sign, rows = request.relations[0].sign, request.relations[0].rows
    if rows is not None:
        listed_before = lists_told.list_gone_on_from(request, before)
        return follow_rows.between_rows(request.relations[0], rows, listed_before)
    made = _related(request, before, market)
    is_one = len(companies_of(made)) == 1
    match made.show[:1]:
        case (Arith(how="sub", left=left, right=right),) if sign is not None and is_one:
            test = Compare(sign=sign, left=left, right=right)
            return Query(scope=made.scope, show=(left, right), check=test)
        case _:  # of sets, or of several: how far apart they are
            return made


def _related(request: Request, before: Sequence[Query], market: Market) -> Query:
    said = _at_time_told(request.relations[0], before[-1])
    ends = (said.left, said.right or Fig())
    if request.peer is not None and request.peer != before[-1].group:
        if said.right is not None or said.left.peer is not None:
            raise UnusedError("peers of whom")
        said = replace(said, left=replace(said.left, peer=request.peer))  # high, among its peers
    is_total = request.agg == "sum" or "sum2" in request.asks
    if (request.agg or is_total) and not (is_total and said.how == "percent"):
        raise UnusedError("fold of what")
    if request.take and said.how != "percent":
        raise UnusedError("take")
    are_ends = all(one == Fig(agg=one.agg) for one in ends)
    if are_ends and (ends[1].agg in ("max", "min") or all(one.agg for one in ends)):
        return between_extremes(said, before) or follow_rows.between_ends(said, before[-1])
    said, last = follow_apart.fold_said(said, before)
    if (folds := follow_apart.against_fold(said, last, market)) is not None:
        return folds
    if said.how == "percent" and said.right is None:
        raise UnusedError("share of whom")
    if said.how == "percent" and said.right != Fig():
        return follow_rows.share_of(request, before, market)
    if (told := follow_apart.list_told(before)) is not None:
        return follow_apart.each_against(said, told, market)
    return _against(said, _of_the_other(said, before), market)


def _at_time_told(said: Relation, last: Query) -> Relation:
    """占2016年营收多少, behind a figure of 2016: of that year's. Raises: UnusedError of another."""
    time = said.right.when if said.right is not None and said.left == Fig() else None
    if said.how != "percent" or said.right is None or time is None:
        return said
    told = time_of(last)
    if told is None or told.periods is None or told.periods != time.periods:
        raise UnusedError("share of another time")
    return replace(said, right=replace(said.right, when=None))


def _of_the_other(said: Relation, before: Sequence[Query]) -> Query:
    """跑赢大盘几个点, behind the index itself: what was told before of whom it is set against."""
    named = listed(said.right.ents) if said.right is not None and said.left.ents == () else ()
    told = (one for one in reversed(before) if not named or companies_of(one) != named)
    return next(told, before[-1])


def _between_years(request: Request, before: Sequence[Query], market: Market) -> Query:
    """Only 2016 over 2015, behind a growth over other years: the same of these."""
    said, last = request.relations[0], before[-1]
    years = [one.when.periods for one in (said.right or Fig(), said.left) if one.when is not None]
    ends = [
        one for one in years if one is not None and one.kind == "years" and one.first == one.last
    ]
    told = [*last.show, *last.ordered_by]
    is_growth = bool(told) and all(isinstance(one, Change) and one.since != OWN for one in told)
    bare = [replace(one, when=None) == Fig() for one in (said.left, said.right or Fig())]
    if len(ends) != len(bare) or not (is_growth and all(bare)) or last.rows != "companies":
        raise UnusedError("years of what")
    since, until = ends
    return rewrite(
        last, lambda one: one.but(since=since, until=until) if isinstance(one, Change) else one
    )


def _against(said: Relation, last: Query, market: Market) -> Query:
    """比2012年高多少, 是茅台的几倍, 比行业中位数高还是低: the figure told last, against that; of a
    place or a gap the figure it was of. 五粮液比它高多少, 2012年呢，高了还是低了: that against it.
    """
    is_of = len(last.show) > 1 and isinstance(last.show[0], Rank | Arith)
    shown = last.show[1:2] if is_of else last.show
    symbols, told = companies_of(last), said_as(shown[0]) if len(shown) == 1 else None
    are_named = said.right is not None and said.left.ents and said.right.ents
    if told is None or said.left.mets not in ((), (told[0],)):
        said = _of_another_figure(said, symbols, last) or said
    if said.left.ents == (symbols,):
        return made(Request(relations=[said]), OF_RELATIONS, market)
    if told is None or told[1] or not (len(symbols) == 1 or are_named):
        return follow_apart.against_value(said, last)
    left = Fig(ents=(symbols,), mets=(told[0],), when=time_of(last))
    if said.right is not None and said.right == Fig(mets=said.right.mets) and said.right.mets:
        said = replace(said, right=Fig(mets=(turned_alike(said.right.mets[0], told[0]),)))
    if are_named and not said.left.mets:  # 茅台是五粮液的几倍, of the figure that was told
        against = replace(said, left=replace(said.left, mets=left.mets, when=left.when))
    elif said.left == Fig(mets=said.left.mets) and said.left.mets in ((), left.mets):
        against = replace(said, left=left)
    elif said.right == Fig() or (said.right is None and said.how != "div"):  # 是五粮液的几倍: of it
        against = _turned_to(said, left)
    else:
        raise UnusedError("against what")
    return made(Request(relations=[against]), OF_RELATIONS, market)


def _of_another_figure(said: Relation, symbols: tuple[str, ...], last: Query) -> Relation | None:
    """那股价呢，跟2012年底比, behind profits: of the company spoken of, of the one time told or
    now; None of others.
    """
    left, right = said.left, said.right
    is_bare = left == Fig(mets=left.mets) and right is not None and right == Fig(when=right.when)
    if not is_bare or left.single is None or len(symbols) != 1:
        return None
    is_gap = any(isinstance(one, Arith | Change) for one in last.show)
    time = None if is_gap else time_of(last)
    is_one = time is not None and (time.is_one_year or is_one_day(time))
    when = time if time and is_one and has_time(left.single, time) else None
    return replace(said, left=replace(left, ents=(symbols,), when=when))


def _turned_to(said: Relation, told: Fig) -> Relation:
    """What was said now against what was told: of its company, figure and time where none is."""
    now = said.left
    whole = replace(told, mets=now.mets or told.mets)
    left = replace(
        whole, ents=now.ents or told.ents, when=now.when if now.when is not None else told.when
    )
    if told.mets == ("close:ret",):
        raise UnusedError("against a move")  # 2015年呢，涨了还是跌了: how it went then
    plain = replace(now, ents=(), mets=(), when=None) == Fig()
    if not plain or left == whole or len(now.ents) > 1 or len(now.mets) > 1:
        raise UnusedError("against what")
    return Relation(said.how, left, whole if now.ents else replace(whole, ents=()))


def _each_checked(request: Request, before: Sequence[Query], market: Market) -> Query:
    """它们市盈率都低于8吗: a yes or no of each row, not a further condition."""
    last, test = before[-1], both(*request.conds)
    if last.rows != "companies" or last.group or is_of_companies(last) or test is None:
        raise UnusedError("of what list")
    return last.but(check=test, fold=(), show=tuple(dict.fromkeys([*last.show, *compared(test)])))


def _who_else(request: Request, before: Sequence[Query], market: Market) -> Query:
    """还有哪些公司也是这样, behind a yes or no of one company: of whom in its market that holds."""
    last = before[-1]
    named = companies_of(last)
    is_of_own = not any(isinstance(one, Metric) and one.of for one in walk(last.check or last))
    if last.check is None or not named or not is_of_own:
        raise UnusedError("who else")
    scope = request.scope or In(dim="market", values=markets_of(last.scope))
    fold = (Folded(how="count"),) if request.count else ()
    return Query(scope=scope, where=last.check, fold=fold)


# 另一家呢, 在里面吗: nothing is made of these, and they are no words to fall; but 茅台在里面吗.
_NO_MOVE = frozenset({"mark.member", "mark.other"})
_IN_LIST = frozenset({"mark.member", "ents"})
_Move = tuple[frozenset[str], frozenset[str], Callable[[Request, Sequence[Query], Market], Query]]


def _move(
    needs: str, takes: str, make: Callable[[Request, Sequence[Query], Market], Query]
) -> _Move:
    return frozenset(needs.split()), frozenset(takes.split()), make


_MOVES = (
    _move("mark.undo", "", _undone),
    _move("mark.flip", "", _flip_order),
    _move("peer bounds", "count", _of_its_industry),
    _move("orders mark.row", "mets when mark.add", follow_rows.pick_row),
    _move("orders mark.row relations", "", follow_apart.relate_row),
    _move("place relations", "", follow_apart.relate_row),
    _move("orders mark.row ask.share", "peer scope", follow_apart.relate_row),
    _move("ask.share peer", "mets", follow_rows.share_of_peers),
    _move("mark.winner", "mets when", follow_rows.of_winner),
    *(
        _move(f"mark.{one}", "mets", _time_beside)
        for one in ("earlier", "later", "daybefore", "dayafter")
    ),
    *(_move(f"mark.{one}", "", _moved_in_years) for one in _IN_YEARS),
    _move("mark.likewise", "scope count mark.noun mark.add mark.other", _who_else),
    _move("mark.each", "count mark.both", _of_each_list),
    _move("mark.nowadays", "mets ents ask.ret ask.what", _as_of_now),
    *(
        _move(f"mark.{one}", "when ask.ret ask.diff ask.excess ask.what mark.nowadays", since_peak)
        for one in SINCE
    ),
    _move("mark.backto", "", since_peak),
    _move("mark.theothers", "agg count mets mark.noun", follow_apart.fold_of_the_others),
    _move("mark.way direction", "", _turn_order),
    _move("ask.rank", "ents scope peer mets direction mark.way", follow_apart.place_of),
    _move("gone", "", follow_rows.without_row),
    _move("instead", "", _instead),
    _move("rebound", "", _rebound),
    _move("relations", "", _between_years),
    _move("relations", "mets agg ask.sum2 take peer", _relate_figures),
    _move("ask.share", "scope agg ask.sum2 mets take peer", follow_rows.bare_share),
    _move("ask.diff", "mets ents mark.bi", follow_apart.between),
    _move("orders ask.diff", "ask.which", _how_much_more),
    _move("ask.excess", "mets ents mark.bi", follow_apart.between),
    _move("ask.mult", "mets ents mark.bi", follow_apart.between),
    _move("mark.widen take", "mark.add", follow_edits.widen),
    _move("mark.all conds", "mark.add", _each_checked),
    _move("told", "count mark.add", follow_times.beyond_told),
    *(
        _move(f"mark.since{one}", "mets mark.add", follow_times.since_beside)
        for one in ("earlier", "daybefore")
    ),
    _move("ask.timesover", "mets mark.ne mark.and", follow_times.grown),
    _move("ask.grew", "when mark.ne", follow_times.grown),
    _move("ask.gain", "when mark.ne", follow_times.grown),
)
