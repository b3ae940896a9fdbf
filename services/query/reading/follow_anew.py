"""Turns that ask the last question of another time, or against what was just told."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    Across,
    AllOf,
    Arith,
    Change,
    Compare,
    Const,
    Expr,
    Folded,
    In,
    Metric,
    Order,
    Pred,
    Query,
    Rank,
    When,
    both,
    items_of,
)
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import compared
from services.query.reading.figures_said import growth_of
from services.query.reading.figures_told import figures_told, of_two_sets, time_of
from services.query.reading.follow_apart import against_fold, each_beside, list_told, value_told
from services.query.reading.follow_companies import (
    companies_of,
    is_of_companies,
    of_companies,
    spoken_of,
)
from services.query.reading.follow_edits import POINTING, replaced, time_beside
from services.query.reading.follow_moves import place_of
from services.query.reading.follow_times import grown_most
from services.query.reading.phrases import Fig, Time, dimensions, figure, owned, said_as
from services.query.reading.predicates import Relation, ToldTest
from services.query.reading.remade import refigured
from services.query.reading.request import Request
from services.query.reading.shapes import EASY, Market, made, whole
from services.query.reading.shapes_company import companies
from services.query.reading.shapes_relation import SHAPES as OF_RELATIONS
from services.query.reading.times_joined import in_year, year_of

_OF_RANKS = tuple(map(frozenset, ({"peer"}, {"scope"}, {"place"}, {"take"}, {"orders"})))
_POINTING = POINTING | {"mark.add"}
# 和上一年比呢, versus the day before: against the same of the time beside the one that was told.
_SINCE: Mapping[str, Literal["years", "days"]] = {
    "mark.sinceearlier": "years",
    "mark.sincedaybefore": "days",
}
_BESIDE = frozenset({"mark.bi", "mark.and"})


def asked_anew(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """The last query of another time, or what compares with what it told; None for other turns.

    Raises: UnusedError.
    """
    said, last = request.said - _POINTING, before[-1]
    if said == frozenset({"when"}) and request.when is not None:
        try:
            return retimed(last, request.when)
        except UnusedError:
            if not is_of_companies(last):
                raise
            return None  # 最近三年呢: years in place of one
    if "ask.sum2" in said and said <= {"ask.sum2", "take"}:
        return _add_up(request, before)
    if (sets := _of_both_sets(request, said, before, market)) is not None:
        return sets
    if (since := _against_a_time(request, said, before, market)) is not None:
        return since
    if last.show and isinstance(last.show[0], Rank) and said in _OF_RANKS:
        return _of_place(last.show[0], request, before, market)
    if request.told:
        return _beyond_told(request, last, market)
    if {"peer", "agg"} <= said <= {"peer", "agg", "mets", "mark.bi", "when"}:
        told = list_told(before) if said & _BESIDE else None
        return each_beside(request, told, market) if told else _beside_peers(request, last, market)
    return _of_set_or_year(request, said, before, market)


def _of_place(
    rank: Rank, request: Request, before: Sequence[Query], market: Market
) -> Query | None:
    """Behind a place in a set: who has that one, the place by another figure or in another set."""
    if request.take == 1 and not request.is_bottom:  # who is first
        request.place = 1
    if request.place is not None:
        return _at_place(rank, request)
    if request.take is not None:
        raise UnusedError("how many places")
    if not request.orders:
        return place_of(request, before, market)
    (sort, *others) = request.orders
    is_bare = sort.phrase == Fig(mets=sort.phrase.mets) and sort.direction is None
    made = refigured(before[-1], sort.phrase.mets)  # and by PB?
    if others or not is_bare or sort.take or made is None:
        raise UnusedError("place by what")
    return made


def _at_place(rank: Rank, request: Request) -> Query:
    """老二是谁, behind a place in a set: who has that one. Raises: UnusedError."""
    if rank.within is None or rank.percentile or not request.place:
        raise UnusedError("place of what")
    order, take = Order(by=rank.of, direction=rank.direction), request.rows_placed
    return Query(scope=rank.within, order=(order,), take=take, show=(rank.of,))


def _asks_both(request: Request, said: frozenset[str]) -> bool:
    """哪个高, 两个都看: of the two sets that were told, side by side."""
    orders = [one.phrase for one in request.orders if one.take is None]
    asks_which = said == frozenset({"orders"}) and orders == [Fig()]
    return asks_which or (not said and "these" in request.marks)


def _of_both_sets(
    request: Request, said: frozenset[str], before: Sequence[Query], market: Market
) -> Query | None:
    """The same of two sets side by side: of those told, or of the one told and the one named."""
    if said & _BESIDE and said - _BESIDE == frozenset({"scope"}) and before[-1].fold:
        return _beside_set(request, before[-1], market)
    return of_two_sets(before) if _asks_both(request, said) else None


def _beside_set(request: Request, last: Query, market: Market) -> Query:
    """跟轻工制造比, versus banks, behind the median of a set: the same of that set beside it.

    Raises: UnusedError.
    """
    assert request.scope is not None  # noqa: S101 — as it was said
    other = last.model_copy(update={"scope": replaced(last.scope, request.scope, market)})
    sets = of_two_sets((last, other)) if other != last else None
    if sets is None:
        raise UnusedError("beside what")
    return sets


def _add_up(request: Request, before: Sequence[Query]) -> Query | None:
    """加起来多少, behind the same of one company and of another: of all that were spoken of; None
    where one turn spoke of all.
    """
    last, symbols = before[-1], spoken_of(before)
    if (sets := of_two_sets(before)) is not None:
        left, right = sets.show
        if any(not isinstance(one, Across) or one.how != "sum" for one in sets.show):
            raise UnusedError("sum of what")
        return Query(rows="one", show=(Arith(how="add", left=left, right=right), left, right))
    if len(symbols) < 2 or symbols == named_symbols(last.scope) or len(last.show) != 1:
        return None
    of = last.show[0]
    if not isinstance(of, Metric) or not CATALOGUE[of.id].additive:
        raise UnusedError("sum of what")
    if request.take not in (None, len(symbols)):
        raise UnusedError("sum of whom")
    return Query(scope=companies(symbols), fold=(Folded(how="sum", of=of),))


def _against_a_time(
    request: Request, said: frozenset[str], before: Sequence[Query], market: Market
) -> Query | None:
    """跟2012年比呢, 和上一年比呢: against the same of that time; None for other turns."""
    if since := [one for one in _SINCE if one in said]:
        if said - {*since, "mets"} or len(since) > 1:
            raise UnusedError("since when")
        if request.mets not in ([], ["close:ret"], ["pct_change"]):  # 和上一年比，营收呢
            before = (of_companies(replace(request, marks=set()), before, market),)
        return _since_beside(_SINCE[since[0]], before, market)
    if request.when is not None and "mark.bi" in request.said and said <= {"when", "mark.bi"}:
        of_reports = request.when.periods is not None
        return _since(before[-1], request.when, market, how="rate" if of_reports else "excess")
    return None


def _since_beside(kind: Literal["years", "days"], before: Sequence[Query], market: Market) -> Query:
    """和上一年比呢: what became of the figure told since then; of the newest one its growth."""
    last = before[-1]
    if kind == "days" and last.show == (Metric(id="close"),):
        return last.model_copy(update={"show": (Metric(id="pct_change"), Metric(id="close"))})
    if kind == "years" and last.show and time_of(last) is None:
        return of_companies(Request(asks={"growth"}), before, market)
    if kind == "days" and last.show == (Metric(id="close"),):  # the newest close tells no day
        return last.model_copy(update={"show": (Metric(id="pct_change"), Metric(id="close"))})
    beside = time_of(time_beside(last, kind, -1, market))
    if beside is None:
        raise UnusedError("since when")
    return _since(last, beside, market, how="excess" if kind == "days" else "rate")


def _since(
    last: Query, time: Time, market: Market, *, how: Literal["rate", "excess"] = "rate"
) -> Query:
    """跟2012年比呢: how the figure told has changed since then, of each company."""
    symbols, told = named_symbols(last.scope) or (), [said_as(one) for one in last.show]
    if not symbols or len(told) != 1 or told[0] is None or told[0][1]:
        raise UnusedError("since when")
    left = Fig(ents=(symbols[:1],), mets=(told[0][0],), when=time_of(last))
    year = year_of(left.when) if left.when is not None else None
    if how == "rate" and year is not None and year_of(time) == year:  # 和上一年比呢
        before = When(kind="years", first=year - 1, last=year - 1)
        time = Time(before) if time.periods is not None else in_year(time, year - 1)
    of_one = made(Request(relations=[Relation(how, left, Fig(when=time))]), OF_RELATIONS, market)
    return of_one.model_copy(update={"scope": last.scope})


# ---------------------------------------------------------------- the same of another time
def retimed(query: Query, time: Time) -> Query:
    """Every figure of it of that time. Raises: UnusedError where one has no such time."""
    if query.first is not None or query.less or query.where is not None or query.having:
        raise UnusedError("time of conditions")
    if query.rows in ("years", "quarters") and time.is_one_year:
        raise UnusedError("rows of one year")
    if not (query.show or query.fold or query.order):
        raise UnusedError("nothing asked")
    if not time.year_said and (year := _year_in(query)) is not None:
        time = in_year(time, year)
    changed: dict[str, object] = {
        "show": tuple(_of_time(one, time) for one in query.show),
        "fold": tuple(
            one.model_copy(update={"of": _of_time(one.of, time)}) if one.of is not None else one
            for one in query.fold
        ),
        "order": tuple(_order_at(one, time) for one in query.order),
        "check": _test_at(query.check, time) if query.check is not None else None,
    }
    if query.window is not None:
        window = time.days if query.rows == "days" else time.periods
        if window is None or query.rows not in ("days", "years", "quarters"):
            raise UnusedError("time of rows")
        rows = "quarters" if window.kind == "quarters" or window.unit == "quarters" else query.rows
        changed |= {"window": window, "rows": "years" if window.kind == "years" else rows}
        if query.rows == "days":
            changed["rows"] = "days"
    return query.model_copy(update=changed)


def _test_at(pred: Pred, time: Time) -> Pred:
    """超过600亿吗, then 2015年呢: the same of that year. Raises: UnusedError."""
    if isinstance(pred, AllOf):
        return pred.model_copy(update={"items": tuple(_test_at(one, time) for one in pred.items)})
    if not isinstance(pred, Compare):
        raise UnusedError("time of a test")
    right = pred.right if isinstance(pred.right, Const) else _of_time(pred.right, time)
    return pred.model_copy(update={"left": _of_time(pred.left, time), "right": right})


def _order_at(order: Order, time: Time) -> Order:
    if order.by is None:
        return order
    return order.model_copy(update={"by": _of_time(order.by, time)})


def _year_in(query: Query) -> int | None:
    last = time_of(query)
    return year_of(last) if last is not None else None


def _of_time(expr: Expr, time: Time) -> Expr:
    if isinstance(expr, Const) or _is_of_row(expr):
        return expr
    if isinstance(expr, Across | Rank):
        return expr.model_copy(update={"of": _of_time(expr.of, time)})
    if isinstance(expr, Arith):
        sides = {"left": _of_time(expr.left, time), "right": _of_time(expr.right, time)}
        return expr.model_copy(update=sides)
    if (said := said_as(expr)) is None:
        raise UnusedError("time")
    made = figure(said[0], Fig(when=time, agg=said[1]))
    company = expr.of if isinstance(expr, Metric) else getattr(expr, "company", None)
    if company is not None:
        made = owned(made, company)
    if made is None or type(made) is not type(expr):
        raise UnusedError("time")
    return made


def _is_of_row(expr: Expr) -> bool:
    """Whether its time is that of its row: the window is what changes."""
    if isinstance(expr, Change):
        return "own" in (expr.since.kind, expr.until.kind)
    return isinstance(expr, Metric) and expr.when.kind == "own"


# ---------------------------------------------------------------- against what was told
def _beyond_told(request: Request, last: Query, market: Market) -> Query:
    """低于这个数的有哪些: of the same companies those below the fold that was told; 比它低的银行:
    the companies of a set below the figure of the one that was told.
    """
    if len(request.told) != 1 or request.said - _POINTING - {"told", "scope", "count"}:
        raise UnusedError("told")
    said: ToldTest = request.told[0]
    if (right := value_told(last)) is None:
        raise UnusedError("what was told")
    left, value = right
    if said.figure is not None and said.figure != getattr(left, "id", None):
        raise UnusedError("another figure")
    scope: Pred | None = None if is_of_companies(last) else last.scope
    where: Pred | None = None if is_of_companies(last) else last.where
    if request.scope is not None:
        if dimensions(scope) & dimensions(request.scope):
            raise UnusedError("scope")
        scope = whole(both(scope, request.scope), market)
    if scope is None:
        raise UnusedError("of whom")
    test = Compare(sign=said.sign, left=left, right=value)
    if request.count:
        return Query(scope=scope, where=both(where, test), fold=(Folded(how="count"),))
    shown = tuple(one for one in compared(test) if not isinstance(one, Const))
    return Query(scope=scope, where=both(where, test), show=shown)


def _of_set_or_year(
    request: Request, said: frozenset[str], before: Sequence[Query], market: Market
) -> Query | None:
    """The figure told of a company folded over a set; of one told by year the year it rose most."""
    last = before[-1]
    if said == frozenset({"scope", "agg"}) and is_of_companies(last):
        return _fold_of_set(request, last, market)
    if said == frozenset({"orders", "ask.whichyear"}) and last.rows == "years":
        return _grown_most(request, before, market)
    return None


def _grown_most(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """哪年涨得最多, behind profits year by year: of those, no year of the price."""
    (sort, *others) = request.orders
    is_move = sort.phrase == Fig(mets=("pct_change",)) and not (others or sort.take)
    if not is_move or any(growth_of(one) is None for one in figures_told(before[-1])):
        return None
    way = "asc" if sort.direction == "asc" else "desc"
    return grown_most(replace(request, orders=[], direction=way), before, market)


def _fold_of_set(request: Request, last: Query, market: Market) -> Query:
    """交通运输的中位数, behind a figure of one company: of that figure. Raises: UnusedError."""
    of = last.show[0] if len(last.show) == 1 and len(companies_of(last)) == 1 else None
    if not isinstance(of, Metric) or of.of is not None or last.rows != "companies":
        raise UnusedError("fold of what")
    assert request.agg is not None  # noqa: S101 — as it was asked
    return Query(scope=whole(request.scope, market), fold=(Folded(how=request.agg, of=of),))


def _beside_peers(request: Request, last: Query, market: Market) -> Query:
    """跟行业中位数比呢: the figures told of companies beside the fold of their peers; a fold told
    against it; of a list in an industry the fold of all of that.
    """
    around = Fig(peer=request.peer, mets=tuple(request.mets), agg=request.agg, when=request.when)
    if (folds := against_fold(Relation("excess", Fig(), around), last, market)) is not None:
        return folds
    if request.peer == "industry" and "industry" in dimensions(last.scope):
        return _of_whole_industry(request, last)
    if not is_of_companies(last) or last.rows != "companies" or last.check is not None:
        raise UnusedError("peers of whom")
    exprs = list(last.show)
    if request.mets:
        when = request.when
        made = [figure(one, Fig(when=when)) for one in request.mets]
        exprs = [one for one in made if one is not None]
    elif request.when is not None:
        raise UnusedError("when")
    if len(exprs) != 1 or not isinstance(exprs[0], Metric | Change):
        raise UnusedError("which figure")
    assert request.agg is not None  # noqa: S101 — as it was asked
    beside = Across(how=request.agg, of=exprs[0], own=request.peer)
    return Query(scope=last.scope, show=(exprs[0], beside))


def _of_whole_industry(request: Request, last: Query) -> Query:
    """Median PE of the whole sector, behind the first five of it."""
    by = last.order[0].by if len(last.order) == 1 else None
    of = figure(request.mets[0], Fig(when=request.when)) if len(request.mets) == 1 else by
    if last.rows != "companies" or last.group or of is None or len(request.mets) > 1:
        raise UnusedError("which figure")
    assert request.agg is not None  # noqa: S101 — as it was asked
    sets = both(*(one for one in items_of(last.scope) if isinstance(one, In)))
    return Query(scope=sets, fold=(Folded(how=request.agg, of=of),))


# ---------------------------------------------------------------- all of its market
def count_market(request: Request, last: Query) -> Query | None:
    """整个市场有多少家公司, behind the first so many of it: all there are of that market."""
    if request.peer != "market" or not request.count or last.take is None:
        return None
    if request.said - EASY - {"peer", "count", "mark.ne", "mark.noun"} or last.where or last.first:
        raise UnusedError("count of what")
    return Query(scope=In(dim="market", values=markets_of(last.scope)), fold=(Folded(how="count"),))


def widen_to_market(request: Request, last: Query) -> None:
    """全市场呢: of all of its market, whatever part of it the list was of."""
    if request.peer != "market" or last.rows != "companies" or is_of_companies(last):
        return
    if request.mets or request.agg:  # 看所在市场的市净率中位数: a figure of the market beside it
        return
    request.peer, request.scope = None, In(dim="market", values=markets_of(last.scope))
    request.marks = request.marks - {"only"} | {"ne"}  # just the count, of the whole market
