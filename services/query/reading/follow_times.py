"""Turns about the times of the answer before: the same of another time or against it, in which of
its years a figure grew most, how fast on the whole, on which of its days it first held; and what
compares with what was told.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    ALL,
    LATEST,
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
    Over,
    Pred,
    Query,
    Rank,
    When,
    both,
    items_of,
    rewrite,
    walk,
)
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.reading import follow_edits, lists_told
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import (
    base,
    gain_of,
    growth_of,
    is_of_days,
    is_of_years,
    joined,
)
from services.query.reading.figures_told import (
    companies_of,
    figures_told,
    is_of_companies,
    of_two_sets,
    spoken_of,
    time_of,
    two_years,
)
from services.query.reading.follow_apart import (
    against_fold,
    between,
    each_beside,
    list_told,
    place_of,
    share_of_one,
    value_told,
)
from services.query.reading.follow_companies import of_companies
from services.query.reading.follow_exchanged import in_that_time
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Fig, Time, dimensions, figure, owned, said_as
from services.query.reading.predicates import Relation
from services.query.reading.remade import owner_of
from services.query.reading.request import Request
from services.query.reading.shapes import Market, made, whole
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_relation import SHAPES as OF_RELATIONS
from services.query.reading.shapes_relation import gap_of
from services.query.reading.times_joined import in_year, months_of, year_of

_OF_A_SET = (frozenset({"peer"}), frozenset({"scope"}))
_POINTING = lists_told.POINTING | {"mark.add"}
_BESIDE_A_SET = frozenset({"scope", "mark.bi"})


def asked_anew(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """The last query of another time, or what compares with what it told; None for other turns.

    Raises: UnusedError.
    """
    said, last = request.said - _POINTING, before[-1]
    is_moved = said == frozenset({"when", "ents"}) and "add" not in request.marks
    if request.when is not None and (is_moved or said == frozenset({"when"})):
        try:
            whose = of_companies(Request(ents=request.ents), before, market) if is_moved else last
            anew = in_that_time(whose, request.when) if is_moved else None
            anew = anew or _against_another_year(whose, request.when)
            return anew or retimed(whose, request.when)
        except UnusedError:
            if not is_of_companies(last):
                raise
            return None  # 最近三年呢: years in place of one
    is_sum = "ask.sum2" in said and said <= {"ask.sum2", "take"}
    found = _add_up(request, before) if is_sum else _of_both_sets(request, said, before, market)
    if (found := found or _against_a_time(request, said, before, market)) is not None:
        return found
    if last.show and isinstance(last.show[0], Rank) and said in _OF_A_SET:
        return place_of(request, before, market)  # its place in another set
    if said == frozenset({"ents"}) and (share := share_of_one(request, last)) is not None:
        return share
    if {"peer", "agg"} <= said <= {"peer", "agg", "mets", "mark.bi", "when"}:
        told = list_told(before) if "mark.bi" in said else None
        return each_beside(request, told, market) if told else _beside_peers(request, last, market)
    if said == frozenset({"scope", "agg"}) and is_of_companies(last):
        return _fold_of_set(request, whole(request.scope, market), _figure_of_one(last))
    return None


def _against_another_year(last: Query, time: Time) -> Query | None:
    """And 2014, behind 2016 set against 2015: against that year, whose figure stands beside it."""
    change = last.show[0] if len(last.show) > 1 else None
    year, when = year_of(time), time.periods
    if not isinstance(change, Change) or when is None or year is None or not time.is_one_year:
        return None
    ends = [Metric(id=change.of, when=one) for one in (change.until, change.since)]
    is_earlier = isinstance(change.until.first, int) and year < change.until.first
    if list(last.show[1:]) != ends or not is_earlier or last.rows != "companies":
        return None
    return rewrite(last, lambda one: when if one == change.since else one)


def _of_both_sets(
    request: Request, said: frozenset[str], before: Sequence[Query], market: Market
) -> Query | None:
    """哪个高, 两个都看, versus banks: the same fold of two sets side by side, of those told, or of
    the one told and the one named; None for other turns. Raises: UnusedError.
    """
    last = before[-1]
    if request.scope is not None and said == _BESIDE_A_SET and last.fold:
        other = last.but(scope=follow_edits.replaced(last.scope, request.scope, market))
        sets = of_two_sets((last, other)) if other != last else None
        if sets is None:
            raise UnusedError("beside what")
        return sets
    orders = [one.phrase for one in request.orders if one.take is None]
    asks_which = said == frozenset({"orders"}) and orders == [Fig()]
    asks_both = not said and "these" in request.marks
    return of_two_sets(before) if asks_which or asks_both else None


def _add_up(request: Request, before: Sequence[Query]) -> Query | None:
    """加起来多少, behind the same of one company and of another: of all that were spoken of; None
    where one turn spoke of all.
    """
    last, symbols = before[-1], spoken_of(before)
    if len(symbols) < 2 or symbols == named_symbols(last.scope) or len(last.show) != 1:
        return None
    of = last.show[0]
    is_of_all = request.take in (None, len(symbols))
    if not isinstance(of, Metric) or not CATALOGUE[of.id].additive or not is_of_all:
        raise UnusedError("sum of what")
    return Query(scope=companies(symbols), fold=(Folded(how="sum", of=of),))


def _against_a_time(
    request: Request, said: frozenset[str], before: Sequence[Query], market: Market
) -> Query | None:
    """跟2012年比呢, 和上一年比呢: against the same of that time; None for other turns."""
    years = two_years(before) if before[-1].rows == "companies" else None
    if said == frozenset({"ask.growth"}) and years is not None and abs(years[0] - years[1]) == 1:
        return grown(request, before, market)  # 增速多少, behind 2016年 and then 2015年呢
    prices = bool(request.mets) and all(map(is_of_days, request.mets))
    against = {"when", "mark.bi"} | ({"mark.and", "mets"} if prices else set[str]())
    if request.when is not None and "mark.bi" in request.said and said <= against:
        last = before[-1]
        if request.mets:  # 那股价呢，跟2012年底比
            last = of_companies(Request(mets=request.mets), before, market)
        of_reports = any(is_of_years(base(one)) for one in figures_told(last))
        return _since(last, request.when, market, how="rate" if of_reports else "excess")
    return None


def since_beside(request: Request, before: Sequence[Query], market: Market) -> Query:
    """和上一年比呢, versus the day before: what became of the figure told since then; of the newest
    one its growth.
    """
    kind = "years" if "sinceearlier" in request.marks else "days"
    if request.mets not in ([], ["close:ret"], ["pct_change"]):  # 和上一年比，营收呢
        before = (of_companies(replace(request, marks=set()), before, market),)
    last = before[-1]
    if kind == "days" and last.show == (Metric(id="close"),):  # the newest close tells no day
        return last.but(show=(Metric(id="pct_change"), Metric(id="close")))
    if kind == "years" and last.show and time_of(last) is None:
        return of_companies(Request(asks={"growth"}), before, market)
    beside = time_of(follow_edits.time_beside(last, kind, -1, market))
    if beside is None:
        raise UnusedError("since when")
    return _since(last, beside, market, how="excess" if kind == "days" else "rate")


def _since(
    last: Query, time: Time, market: Market, *, how: Literal["rate", "excess", "sub"] = "rate"
) -> Query:
    """跟2012年比呢: how the figure told has changed since then, of each company."""
    is_gap = len(last.show) > 1 and isinstance(last.show[0], Arith)  # 跟2015年初比呢, once more
    shown = last.show[1:2] if is_gap else last.show
    symbols, told = named_symbols(last.scope) or (), [said_as(one) for one in shown]
    if not symbols or len(told) != 1 or told[0] is None or told[0][1]:
        raise UnusedError("since when")
    when = time_of(last.but(show=shown))
    left = Fig(ents=(symbols[:1],), mets=(told[0][0],), when=when)
    year = year_of(left.when) if left.when is not None else None
    if how == "rate" and year is not None and year_of(time) == year:  # 和上一年比呢
        if is_gap:
            raise UnusedError("against itself")
        before = When(kind="years", first=year - 1, last=year - 1)
        time = Time(before) if time.periods is not None else in_year(time, year - 1)
    if told[0][0] in ("close:ret", "pct_change"):  # how far a price went: in points
        how = "sub"
    of_one = made(Request(relations=[Relation(how, left, Fig(when=time))]), OF_RELATIONS, market)
    return of_one.but(scope=last.scope)


# ---------------------------------------------------------------- the same of another time
def retimed(query: Query, time: Time) -> Query:
    """Every figure of it of that time. Raises: UnusedError where one has no such time."""
    is_tested = query.where is not None and query.window is None  # of a time of its own
    if query.first is not None or query.less or is_tested or query.having:
        raise UnusedError("time of conditions")
    if query.rows in ("years", "quarters") and time.is_one_year:
        raise UnusedError("rows of one year")
    if not (query.show or query.fold or query.order):
        raise UnusedError("nothing asked")
    told = time_of(query)
    if not time.year_said and told is not None and (year := year_of(told)) is not None:
        time = in_year(time, year)
    dated = {
        name: _of_time(getattr(query, name), time) for name in ("show", "fold", "order", "check")
    }
    if query.window is None:
        return query.but(**dated)
    window = time.days if query.rows == "days" else time.periods
    if query.rows == "months" and query.where is not None:
        return query.but(**dated, window=months_of(time))
    if window is None or query.rows not in ("days", "years", "quarters"):
        raise UnusedError("time of rows")
    is_of_quarters = window.kind == "quarters" or window.unit == "quarters"
    rows = "years" if window.kind == "years" else "quarters" if is_of_quarters else query.rows
    return query.but(**dated, window=window, rows="days" if query.rows == "days" else rows)


# What is of a time by what stands in it: a sum by its sides, a test by what it compares.
_MADE_OF = (Across, Rank, Arith, Folded, Order, Compare, AllOf)


def _of_time(part: Any, time: Time) -> Any:
    """A figure, or what is made of figures, of that time. Raises: UnusedError where it has none."""
    if isinstance(part, tuple):
        return tuple(_of_time(one, time) for one in cast("tuple[object, ...]", part))
    if part is None or isinstance(part, Const) or _is_of_row(part):
        return part
    if isinstance(part, _MADE_OF):
        held = ("of", "by", "left", "right", "items")
        return part.but(
            **{one: _of_time(getattr(part, one), time) for one in held if hasattr(part, one)}
        )
    if (said := said_as(part)) is None:
        raise UnusedError("time")
    made = figure(said[0], Fig(when=time, agg=said[1]))
    if (company := owner_of(part)) is not None:
        made = owned(made, company)
    if type(made) is not type(part):
        raise UnusedError("time")
    return made


def _is_of_row(expr: Expr) -> bool:
    """Whether its time is that of its row: the window is what changes."""
    if isinstance(expr, Change):
        return "own" in (expr.since.kind, expr.until.kind)
    return isinstance(expr, Metric) and expr.when.kind == "own"


# ---------------------------------------------------------------- against what was told
def beyond_told(request: Request, before: Sequence[Query], market: Market) -> Query:
    """低于这个数的有哪些, behind the fold of a set: of the same companies those below it."""
    last, (said, *others) = before[-1], request.told
    found = value_told(last)
    if found is None or others:
        raise UnusedError("what was told")
    of, value = found
    if said.figure not in (None, getattr(of, "id", None)):
        raise UnusedError("another figure")
    where = both(last.where, Compare(sign=said.sign, left=of, right=value))
    if request.count:
        return Query(scope=last.scope, where=where, fold=(Folded(how="count"),))
    return Query(scope=last.scope, where=where, show=(of, value))


def _fold_of_set(request: Request, within: Pred | None, told: Expr | None) -> Query:
    """交通运输的中位数, behind a figure of one company; median PE of the whole sector, behind the
    first five of it: of the figure that is said, else of the one told. Raises: UnusedError.
    """
    of = figure(request.mets[0], Fig(when=request.when)) if len(request.mets) == 1 else told
    if of is None or request.agg is None or len(request.mets) > 1:
        raise UnusedError("fold of what")
    return Query(scope=within, fold=(Folded(how=request.agg, of=of),))


def _figure_of_one(last: Query) -> Metric | None:
    """The one figure of one company it told."""
    of = last.show[0] if len(last.show) == 1 and len(companies_of(last)) == 1 else None
    is_own = isinstance(of, Metric) and of.of is None and last.rows == "companies"
    return of if isinstance(of, Metric) and is_own else None


def _beside_peers(request: Request, last: Query, market: Market) -> Query:
    """跟行业中位数比呢: the figures told of companies beside the fold of their peers; a fold told
    against it; of a list in an industry the fold of all of that.
    """
    around = Fig(peer=request.peer, mets=tuple(request.mets), agg=request.agg, when=request.when)
    if (folds := against_fold(Relation("excess", Fig(), around), last, market)) is not None:
        return folds
    is_list = last.rows == "companies" and last.group is None and last.check is None
    if is_list and request.peer == "industry" and "industry" in dimensions(last.scope):
        sets = both(*(one for one in items_of(last.scope) if isinstance(one, In)))
        return _fold_of_set(request, sets, last.order[0].by if len(last.order) == 1 else None)
    if not is_of_companies(last) or not is_list:
        raise UnusedError("peers of whom")
    return each_beside(request, last, market)


def widened(request: Request, before: Sequence[Query]) -> Sequence[Query]:
    """全市场呢, 这个行业里PE低于10倍的有几家, 整个市场有多少家公司: what was asked before, or is
    asked now, of all of that industry or market, whatever part of it the list was of.
    """
    last, is_asked = before[-1], request.conds or request.orders or request.take or request.count
    if last.rows != "companies" or is_of_companies(last) or request.agg or request.peer is None:
        return before
    sets = [one for one in items_of(last.scope) if isinstance(one, In) and one.dim != "symbol"]
    of_industry, market = both(*sets), In(dim="market", values=markets_of(last.scope))
    is_list = last.group is None and last.first is None
    if request.peer == "industry" and "industry" in dimensions(of_industry):
        if not (is_list and is_asked):
            return before
        request.peer = None
        return (Query(scope=of_industry),)
    if request.peer != "market" or request.mets:  # 看所在市场的市净率中位数: a figure beside it
        return before
    request.peer = None
    if request.count and last.take is not None:
        return (Query(scope=market),)
    request.scope = market
    request.marks = request.marks - {"only"} | {"ne"}  # just the count, of the whole market
    return before


def grown(request: Request, before: Sequence[Query], market: Market) -> Query:
    """增长了多少, 增加了多少亿, behind a figure of two years: from the one to the other; behind one
    of one year, or where a year is said: over the year before it.
    """
    last, is_amount = before[-1], "gain" in request.asks
    if "timesover" in request.asks:
        return _times_over(before, request.mets)
    if request.when is None and not request.said - POINTING - _GREW and _tells_a_day(last):
        return between(replace(request, asks={"diff" if is_amount else "excess"}), before, market)
    if request.when is None and (years := two_years(before)) is not None:
        ends = [When(kind="years", first=one, last=one) for one in sorted(years)]
        told = figures_told(last)
        show = tuple(_grown_between(one, ends, is_amount=is_amount) for one in told)
        if show:
            return Query(scope=last.scope, show=show)
    asks = request.asks - {"grew", "gain"} | {"growth"}
    if is_amount:
        gains = [gain_of(one) for one in figures_told(last)]
        request, asks = replace(request, mets=[one for one in gains if one]), asks - {"growth"}
    return of_companies(replace(request, asks=asks), before, market)


_GREW = frozenset({"ask.grew", "ask.gain"})
# How many years are meant of a course in every year there is.
_FEW_YEARS = 5


def _times_over(before: Sequence[Query], mets: Sequence[str]) -> Query:
    """涨了几倍, behind a figure year by year, of two years, or their sum: the last of them over the
    first.
    """
    last, told, years = before[-1], mets or figures_told(before[-1]), two_years(before)
    if len(last.show) == 1 and isinstance(last.show[0], Over):
        last, told = last.but(rows="years", window=last.show[0].window), mets or [last.show[0].of]
    window = When(kind="years", first=min(years), last=max(years)) if years else last.window
    is_whole = window is not None and not (last.where or last.take or window.only)
    is_course = years or (last.rows == "years" and is_whole)
    if not is_course or window is None or len(told) != 1 or growth_of(told[0]) is None:
        raise UnusedError("times of what")
    window = When(kind="lastn", count=_FEW_YEARS) if window == ALL else window
    since, until = window, window
    if window.kind == "years":
        since, until = window.but(last=window.first), window.but(first=window.last)
    by = Change(how="multiple", of=told[0], since=since, until=until)
    return Query(scope=last.scope, show=(by,))


def _grown_between(figure: str, ends: Sequence[When], *, is_amount: bool) -> Expr:
    """What became of it from the one year to the other; of a quotient of figures the difference."""
    then, now = ends
    if growth_of(figure):
        return Change(how="difference" if is_amount else "rate", of=figure, since=then, until=now)
    if not joined(figure):
        raise UnusedError("growth of what")
    one, other = (needed(figure, Fig(when=Time(periods=end))) for end in (now, then))
    return gap_of("sub", one, other)


def _tells_a_day(last: Query) -> bool:
    told = [one.when.kind for one in last.show if isinstance(one, Metric)]
    return last.rows == "companies" and bool(told) and {*told} <= {"days", "latest"}


def years_told(before: Sequence[Query]) -> tuple[int, ...]:
    """The fiscal years the last answer told, or the last two did one by one; else none."""
    ends = [one for expr in before[-1].show for one in walk(expr)] if before else []
    years = {one.first for one in ends if isinstance(one, When) and one.kind == "years"}
    if len(years) == 2:  # the ends of a change
        return tuple(sorted(one for one in years if isinstance(one, int)))
    time = time_of(before[-1]) if before else None
    when = time.periods if time is not None else None
    if when is None or when.kind != "years":
        return ()
    if when.only:
        return tuple(one for one in when.only if isinstance(one, int))
    if isinstance(when.first, int) and isinstance(when.last, int) and when.first < when.last:
        return tuple(range(when.first, when.last + 1))
    return tuple(sorted(two_years(before) or ()))


def need_now(query: Query, last: Query, *, is_left: bool) -> None:
    """`is_left`: 今天 was said, and nothing of the query is it.

    Raises: UnusedError where it asks again of the day that was told before.
    """
    times = [time_of(query), time_of(last)]
    days = [one.days for one in times if one is not None and one.days is not None]
    is_again = len(days) > 1 and days[0] == days[1] != LATEST
    if is_left and is_again and LATEST not in walk(query):
        raise UnusedError("now of what")
