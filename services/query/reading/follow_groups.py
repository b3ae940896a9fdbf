"""Turns behind a question about industries or markets as wholes: their number, one of them."""

import re
from collections.abc import Sequence

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    Expr,
    Fold,
    Folded,
    In,
    Metric,
    Order,
    Query,
    Take,
    both,
    items_of,
)
from services.query.reading.chart import Edge, ParseChart
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.follow_edits import groups_by_number
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.predicates import Sort
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.sets_said import is_set
from services.query.reading.shapes import EASY
from services.query.reading.shapes_company import needed

_FIRST_OF_WHICH = (
    "是其中的公司，还是行业（按各自的中位数）？",
    "Companies among them, or the industries by their medians?",
)
# Of several sets each by itself: 各自的净利润合计, 各加总, respectively.
_EACH = re.compile(r"各自|各(?:加|合计|总|是|有|多少|几)|分别|respectively|\beach\b")
# 这些公司, those stocks: no industries.
_FIRMS = re.compile(r"公司|企业|股|[家只]|\b(?:companies|stocks|shares|firms|names)\b")
_PLACE = (
    "行业之间的位次没有单独算，可以看排好的全部行业，或只看这个行业。",
    "The place of an industry among industries is not worked out by itself: see them all in order, "
    "or that one alone.",
)
# Who is first, and last, without a figure.
_EXTREMES = (frozenset({"orders"}), frozenset({"direction"}))
# What asks for names.
_NAMES = frozenset({"list", "ones", "which"})
_OF_EACH = frozenset({"mets", "agg", "mark.noun"})
# What any figure has: no sum of multiples.
_OF_ANY = frozenset({"median", "mean", "min", "max"})


def says_each(text: str) -> bool:
    """Whether what is asked is of each by itself."""
    return bool(_EACH.search(text))


def count_in_each(request: Request, last: Query) -> None:
    """How many in each, behind industries: of each of them; elsewhere of the last two lists."""
    if last.group is not None and "each" in request.marks:
        request.count, request.marks = True, request.marks - {"each"} | {"noun"}


def regrouped(request: Request, last: Query) -> Query | None:
    """A turn about sets as wholes, behind such a question; None for others. Raises: UnusedError."""
    among = among_groups(request, last) or _of_its_companies(request, last)
    made = among or of_one_group(request, last) or recounted(request, last)
    made = made or refolded(request, last) or _groups_by_another(request, last)
    made = made or _first_of_told(request, last)
    if made is None:
        _ask_first_of_which(request, last)
    return made


def of_one_group(request: Request, last: Query) -> Query | None:
    """食品饮料呢, behind the industries that are first by a fold: that fold of it; 食品饮料排第几:
    to be seen in the list of them all. None for other turns. Raises: ChoiceError.
    """
    new, asked = request.scope, request.said - POINTING
    is_named = last.group is not None and new is not None and dimensions(new) == {last.group}
    if not is_named or last.rows != "companies" or not last.fold:
        return None
    rest = [one for one in items_of(last.scope) if last.group not in dimensions(one)]
    every = last.but(having=(), take=None)
    bare = every.but(scope=both(*rest, new))
    if isinstance(new, In) and not new.values[1:]:
        bare = bare.but(group=None, order=())
    if asked == frozenset({"scope", "ask.rank"}) and last.order:
        raise ChoiceError(_PLACE, [every.but(scope=both(*rest)), bare])
    return bare if asked - {"apart"} == frozenset({"scope"}) else None


def _end_asked(request: Request, *beside: str) -> Sort | None:
    """最高的是谁, 哪家最低: which end is asked for, where nothing but `beside` is said with it."""
    sort = request.orders[0] if len(request.orders) == 1 else Sort(Fig(), request.way)
    is_bare = sort.phrase == Fig(scope=sort.phrase.scope) and not (sort.skip or sort.is_time)
    return sort if is_bare and request.said - POINTING - {*beside} in _EXTREMES else None


def _of_its_companies(request: Request, last: Query) -> Query | None:
    """Behind industries that were counted or folded, of their companies: 银行那几家是谁, 列出名字,
    银行里哪家最高 (by what the industries were told by), 各有几家市值过500亿. None of others.
    """
    if last.group is None or last.rows != "companies" or not last.fold or last.having:
        return None
    is_of_group = request.peer == last.group
    beside = {"scope", "mark.noun", *(["peer"] if is_of_group else [])}
    sort, asked = _end_asked(request, *beside), request.said - POINTING - beside
    scope = both(request.scope, sort.phrase.scope if sort is not None else None)
    is_named = scope is not None and dimensions(scope) == {last.group}
    rows = last.but(group=None, fold=(), order=(), show=(), take=None)
    if is_named:
        rest = [one for one in items_of(last.scope) if last.group not in dimensions(one)]
        rows = rows.but(scope=both(*rest, scope))
    elif last.take is not None:
        rows = Query(scope=last.scope, first=last)
    by = next((one.of for one in last.fold if one.of is not None), None)
    if sort is not None and by is not None and not sort.take:
        is_of_one = (is_of_group or "these" in request.marks) and last.take == Take(count=1)
        if not is_named and not (is_of_one and scope is None and request.asks & _NAMES):
            return None
        return rows.but(order=(Order(by=by, direction=sort.way),), take=Take(count=1), show=(by,))
    is_of_sets = request.scope is not None or any(map(is_set, request.conds))
    if asked == frozenset({"count", "conds"}) and not is_of_sets:
        return _number_in_each(request, last, rows)
    is_listed = is_named or (scope is None and last.where is not None)
    if asked or by is not None or not (is_listed and request.asks & _NAMES):
        return None
    return rows.but(order=natural_order(last.where), show=tuple(compared(last.where)))


def _number_in_each(request: Request, last: Query, rows: Query) -> Query | None:
    """How many of each, or of those industries together, a condition holds of; of all there are it
    is no question of those. None where what they were told by is a condition already.
    """
    is_each = "noun" in request.marks
    if rows.first is None and last.group not in dimensions(last.scope) and not is_each:
        return None
    counted = rows.but(where=both(rows.where, *request.conds), fold=(Folded(how="count"),))
    by_number = (Order(fold=0, direction="desc"),)
    return counted.but(group=last.group, order=by_number) if is_each else counted


def _first_of_told(request: Request, last: Query) -> Query | None:
    """最高的是谁, 哪家最低, behind the mean of a set: the first of it; behind industries that were
    picked by another fold than the one told last: of those, by that. None for other turns.
    """
    sort, at = _end_asked(request, "take"), len(last.fold) - 1
    if sort is None or sort.phrase.scope is not None or last.rows != "companies":
        return None
    take = Take(count=sort.take or request.take or 1)
    if last.group is None:
        of = last.fold[0].of if at == 0 and not last.take else None
        order = (Order(by=of, direction=sort.way),) if of is not None else ()
        return last.but(fold=(), order=order, take=take, show=(of,)) if of is not None else None
    if not last.order or last.order[0].fold in (None, at):
        return None
    within = last.but(having=()) if last.take is None else Query(scope=last.scope, first=last)
    order = (Order(fold=0, direction=sort.way),)
    return within.but(group=last.group, fold=(last.fold[at],), order=order, take=take)


def _ask_first_of_which(request: Request, last: Query) -> None:
    """The top five by dividend yield, behind the industries counted: of companies, or industries?

    Raises: ChoiceError.
    """
    (sort,) = request.orders if len(request.orders) == 1 else (None,)
    count = (sort.take if sort is not None else None) or request.take
    if last.group is None or sort is None or request.said - EASY - {"orders", "take"} or not count:
        return
    if not sort.phrase.single or sort.phrase != Fig(mets=sort.phrase.mets) or sort.skip:
        return
    by, first = needed(sort.phrase.mets[0], Fig()), last.but(having=(), take=Take(count=count))
    fold, order = Folded(how="median", of=by), Order(fold=0, direction=sort.way)
    rows = first.but(group=None, fold=(), show=(), order=(order.but(by=by, fold=None),))
    options = [] if last.having or last.take else [rows]
    raise ChoiceError(_FIRST_OF_WHICH, [*options, first.but(fold=(fold,), order=(order,))])


def _groups_by_another(request: Request, last: Query) -> Query | None:
    """换成市净率中位数，从低到高, behind industries by another fold: by that; None of others."""
    said = request.said - POINTING - {"mark.noun", "mark.way", "direction", "group", "agg"}
    sort = request.orders[0] if request.orders else Sort(Fig(mets=tuple(request.mets)), None)
    figure, is_swap = sort.phrase.single, "swap" in request.marks and len(said) == 1
    if last.group is None or len(last.fold) != 1 or not is_swap or figure is None or sort.skip:
        return None
    how = request.agg or sort.phrase.agg or last.fold[0].how
    if how not in _OF_ANY and not CATALOGUE[figure].additive:
        raise UnusedError("sum of what")
    told = last.order[0].direction if last.order else "desc"
    way = request.way if request.direction else sort.way if sort.direction else told
    take = Take(count=sort.take) if sort.take else last.take
    fold, order = Folded(how=how, of=needed(figure, Fig())), Order(fold=0, direction=way)
    return last.but(fold=(fold,), order=(order,), having=(), take=take)


def recounted(request: Request, last: Query) -> Query | None:
    """家数最多的五个行业呢, behind another fold of each industry: of the same companies; None for
    other turns. A word for what it was grouped by only points. Raises: UnusedError.
    """
    if last.group is None or (request.group is not None and request.direction):
        return None
    if request.peer == last.group:
        request.peer = None  # 最高的五个行业, of the industries; 第一名那个行业里: of its companies
        request.marks |= {"these"} if request.place else set()
    if request.group != last.group:
        return None
    said = request.said - {"group", "count", "take", "is_bottom", "mark.whichgroup"} - POINTING
    if said or not request.count:
        raise UnusedError("group again")
    if last.take is None and request.take:
        request.direction = "asc" if request.is_bottom else "desc"
        return groups_by_number(request, last)
    order = Order(fold=0, direction="asc" if request.is_bottom else "desc")
    take = Take(count=request.take) if request.take else None
    return last.but(fold=(Folded(how="count"),), order=(order,), having=(), take=take)


def among_groups(request: Request, last: Query) -> Query | None:
    """所有行业里最高的是哪个, behind a fold of one industry: of all industries by that fold;
    哪个行业最高, behind those of several: of those. None for other turns.
    """
    said = request.said - POINTING - {"mark.whichgroup", "mark.noun", "take"}
    is_fold = len(last.fold) == 1 and last.rows == "companies" and not last.first
    is_of_so_many = last.take is not None and last.group is None
    is_bare = said == frozenset({"group", "direction"})
    if request.group is None or not is_fold or is_of_so_many or not is_bare:
        return None
    kept = [one for one in items_of(last.scope) if request.group not in dimensions(one)]
    is_of_told = last.group == request.group and "whichgroup" in request.marks
    return last.but(
        scope=last.scope if is_of_told else both(*kept), group=request.group,
        order=(Order(fold=0, direction=request.way),), take=Take(count=request.take or 1),
    )  # fmt: skip


def within_groups(request: Request, last: Query) -> Query | None:
    """它里面, 这三个行业里: the companies of the groups that came out."""
    if last.group is None or request.group or "these" not in request.marks:
        return None
    if request.said - EASY <= {"mets", "mark.these", "mark.add", "mark.ne", "mark.noun"}:
        return None  # 它们的市净率呢: of the groups themselves
    if request.place and last.order:  # 第一名那个行业里
        last = last.but(take=request.rows_placed)
        request.place = None
    if last.take is None or last.take.per is not None or last.rows != "companies":
        return None
    asked = request.said - EASY - {"mark.these", "mark.ne"}
    is_fold = request.agg in _OF_ANY and asked <= _OF_EACH and bool(request.mets)
    if is_fold and not {"in", "only"} & request.marks:
        return None  # 这五个行业的市盈率中位数, average market cap for those: of each of them
    return Query(scope=last.scope, first=last)


def count_rows(request: Request, query: Query) -> Query:
    """有几家, and with it what a figure comes to together: 还剩几家合计市值多少."""
    if query.group or request.direction or (request.agg and len(request.mets) != 1):
        raise UnusedError("count")
    folds = [Folded(how="count")]
    if request.agg is not None:
        of = needed(request.mets[0], Fig(when=request.when))
        folds.append(Folded(how=request.agg, of=of))
    order = query.order if query.take else ()
    return query.but(fold=tuple(folds), show=(), order=order)


def fold_beside(request: Request, query: Query, shown: Sequence[Expr]) -> Query:
    """市净率呢, behind the median of another figure of each industry: its median too; 市盈率中位数
    behind what they come to together, that.

    Raises: UnusedError.
    """
    hows: set[Fold] = {one.how for one in query.fold if one.of is not None}
    is_said = request.agg is not None
    if request.agg and query.group:
        hows, request.agg = {request.agg}, None
    asked = request.said - EASY - {"mets", "mark.ne", "mark.add", "mark.these", "mark.noun"}
    if asked or len(hows) != 1:
        raise UnusedError("figure of groups")
    (how,) = hows
    is_added = all(isinstance(one, Metric) and CATALOGUE[one.id].additive for one in shown)
    if is_added and "noun" in request.marks and not is_said:
        how = "sum"  # 这几个行业的总市值: what each of them comes to
    if how not in _OF_ANY and not is_added:
        raise UnusedError("sum of what")
    beside = (Folded(how=how, of=one) for one in shown)
    return query.but(fold=tuple(dict.fromkeys([*query.fold, *beside])))


def refolded(request: Request, last: Query) -> Query | None:
    """市净率呢, behind the median of a set: the median of that figure; 中位数呢, behind an average
    of it: its median. None where more is asked, or where they were only counted.
    """
    folds = [one for one in last.fold if one.of is not None]
    said = request.said - POINTING - {"mark.add"}
    if last.rows != "companies" or not folds:
        return None
    if said - ({"mark.noun", "group"} if last.group else set[str]()) == frozenset({"agg"}):
        anew = tuple(one if one.of is None else one.but(how=request.agg) for one in last.fold)
        return last.but(fold=anew) if anew != last.fold else None
    folds = [one for one in folds if one.how in _OF_ANY]
    if said != frozenset({"mets"}) or not folds or last.take or last.group:
        return None
    figures = [needed(one, Fig()) for one in request.mets]
    made = [one.but(of=figure) for figure in figures for one in folds]
    kept = last.fold if "add" in request.marks else ()
    return last.but(fold=tuple(dict.fromkeys([*kept, *made])))


def sets_pointed_at(
    parts: Sequence[Edge], before: Sequence[Query], chart: ParseChart
) -> list[Edge]:
    """这五个行业, where industries were told: they are pointed at, and not their companies."""
    if not before or before[-1].group is None:
        return []
    those = [
        one for part in parts for one in part.leaves if (one.cat, one.sem) == ("follow", "these")
    ]
    inside = [
        n for n in chart.tokens for one in those
        if n.cat == "noun" and one.start <= n.start and n.end == one.end
    ]  # fmt: skip
    if firms := [one for one in those if _FIRMS.search(chart.text, one.start, one.end)]:
        return [Edge("rel", one.start, one.end, "in", 0.0, ()) for one in firms[:1]]
    spans = [(one.start, one.end) for one in inside]
    if each := _EACH.search(chart.text):  # 它们各自的市盈率中位数, 各有几家市值过百亿
        spans.append(each.span())
    return [Edge("noun", *span, "industries", 0.0, ()) for span in spans[:1]]


def beyond_fold(request: Request, changed: Query, *, lists: bool) -> Query:
    """哪些高于3, how many are above 3, behind an average: those, and no average of them."""
    shown = tuple(one.of for one in changed.fold if one.of is not None)
    if not request.bounds or changed.group or not shown:
        return changed
    if request.count:
        return changed.but(fold=(Folded(how="count"),))
    return changed.but(fold=(), show=shown) if lists or request.asks & _NAMES else changed
