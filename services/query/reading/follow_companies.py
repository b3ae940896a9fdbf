"""Going on from a question about companies: another company, figure, time, or which of them."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    OWN,
    TIMED,
    Across,
    Arith,
    Change,
    Compare,
    In,
    Metric,
    Not,
    Order,
    Over,
    Query,
    Take,
    When,
    walk,
)
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import base, growth_of, is_of_days, is_of_years, unit
from services.query.reading.figures_told import (
    as_told,
    companies_of,
    companies_told,
    figures_apart,
    figures_named,
    figures_told,
    is_of_companies,
    ordered_by,
    spoken_of,
    time_of,
)
from services.query.reading.follow_edits import (
    bound_checked,
    rows_at_place,
    same_of_set,
    time_beside,
    times_bounded,
)
from services.query.reading.follow_peaks import day_of, other_extreme, turned_row
from services.query.reading.lists_told import POINTING
from services.query.reading.phrases import Fig, Time, owned
from services.query.reading.predicates import Sort
from services.query.reading.remade import in_place_of, of_another, rank_anew, refigured
from services.query.reading.request import Request
from services.query.reading.shapes import (
    EASY,
    Market,
    listed,
    listed_there,
    made,
)
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_place import SHAPES
from services.query.reading.times_joined import has_time, in_year, that_year, year_of

_WHICH_DAY = ("「当天」指哪一天？", "Which of the two days is meant?")
# How far a price went: of one day its change from the day before.
_MOVED = frozenset({"close:ret", "close:fall"})
# 那年, 当天: at the time that was found.
THAT_TIME = frozenset({"mark.thatyear", "mark.thatday"})


# What is said of a set; 行业平均 (a noun) is no figure of theirs.
_A_SET = frozenset({"scope"})
_OF_SETS = frozenset({"conds", "group", "count", "dropped", "peer", "mark.noun"})


# ---------------------------------------------------------------- the turn before was of companies
def of_companies(  # noqa: C901 — one case a line
    request: Request, before: Sequence[Query], market: Market
) -> Query:
    """The turn as a change of a query about companies. Raises: UnusedError."""
    last = before[-1]
    if (last.rows == "one" and request.scope) or _is_against_a_set(request, last):
        return same_of_set(request, last, market)
    if (held := _of_same_kind(request, before, market)) is not None:
        return held
    if last.rows == "one" or request.said & _OF_SETS:
        raise UnusedError("of companies")
    if request.excluded:
        return _of_the_rest(request, before, market)
    if "bi" in request.marks and not request.ents:
        return _beside_each_other(request, last, market)
    if last.check is not None and (request.mets or request.when or request.orders or request.agg):
        raise UnusedError("of a check")
    symbols = listed(request.ents) if request.ents else companies_told(last)
    told = symbols
    if request.scope is not None:
        symbols = listed_there(symbols, request.scope, market)
    found = _gap_moved(request, last, told, symbols) or other_extreme(request, last)
    if found is not None:
        return found
    request, symbols = _of_first(request, last, symbols)
    if request.orders or (request.direction is not None and request.place is None):
        return _which(request, before)
    if request.place is not None:
        symbols = _one_placed(symbols, request)
    if request.marks & {"add", "these", "bi"} and request.ents:
        symbols = tuple(dict.fromkeys([*spoken_of(before), *symbols]))
    is_size = request.take in (None, len(symbols))  # 再加上洋河，三家一起看
    if not is_size or request.days or request.is_bottom:
        raise UnusedError("take")
    return _of_figures(request, last, symbols, market)


def _beside_each_other(request: Request, last: Query, market: Market) -> Query:
    """看H股的，两家比: what was told of both, the higher first. Raises: UnusedError."""
    said = request.said - EASY - {"mark.bi", "mark.these", "mark.ne", "mark.only", "take", "scope"}
    symbols = companies_told(last)
    if said or len(symbols) < 2 or request.take not in (None, len(symbols)) or not last.show:
        raise UnusedError("beside what")
    if request.scope is not None:
        symbols = listed_there(symbols, request.scope, market)
    both = _of_others(last, symbols, market)
    order = (Order(by=both.show[0], direction="desc"),) if len(both.show) == 1 else ()
    return both.but(order=order)


def _of_figures(request: Request, last: Query, symbols: Sequence[str], market: Market) -> Query:
    """What was told of these companies, with what is said anew in the place of its kind."""
    is_of_growth = bool(last.show) and all(isinstance(one, Change) for one in last.show)
    grows = "growth" in request.asks and not is_of_growth  # the same growth, of another
    mets = list(request.mets)
    if not (mets or request.agg or request.series or grows or request.when):
        if not (request.ents or request.place is not None or request.scope):
            raise UnusedError("nothing new")
        if last.show or last.check or last.window is None or "bi" not in request.marks:
            return _of_others(last, symbols, market)
        mets = ["close:ret"]  # 跟恒指比, behind its course: how far each went
    is_since = any(isinstance(one, Over) for gap in last.show[:1] for one in walk(gap))
    if request.when and not mets and is_since and isinstance(last.show[0], Arith):
        raise UnusedError("since when")  # from another day: no price of that day
    # 洋河也加进来，比一下市净率: another company, and that figure of them all
    if not mets or ("add" in request.marks and not request.ents):
        mets = list(dict.fromkeys([*figures_named(last), *mets]))
    told = _time_for(mets, last)
    if request.series and told is not None and told.is_one_year:
        told = None  # 历年呢, behind one year: of all there are
    again = Request(
        ents=[(one,) for one in symbols],
        when=_time_said(request.when, told),
        mets=mets,
        agg=request.agg,
        series=request.series or _series_told(request, mets, last),
        asks=set(request.asks),
    )
    return made(again, SHAPES, market)


def _series_told(request: Request, figures: Sequence[str], last: Query) -> str | None:
    """营收呢, behind a figure in each year there is: in each year too."""
    is_course = last.rows == "years" and last.window == ALL and not (last.take or last.where)
    is_open = request.when is None and request.agg is None
    is_of_each = is_course and is_open and all(is_of_years(base(one)) for one in figures)
    return "series" if is_of_each else None


def _is_against_a_set(request: Request, last: Query) -> bool:
    """Electronics then, behind whether it is worth more than all of steel: that set instead."""
    tested = last.check if last.check is not None else next(iter(last.show), None)
    is_test = last.check is not None or isinstance(tested, Arith)  # how far off the median of media
    is_bare = request.said - EASY - {"mark.ne", "mark.these", "mark.bi"} == _A_SET
    nodes = walk(tested) if is_test and is_bare and tested is not None else ()
    return any(isinstance(one, Across) and one.within for one in nodes)


def _of_the_rest(request: Request, before: Sequence[Query], market: Market) -> Query:
    """Average PE without Vanke, 不看美的集团, of two: the same without it, and then what else is
    asked. Raises: UnusedError where others are to go, or nobody would be left.
    """
    last, gone = before[-1], [one.item for one in request.excluded if isinstance(one, Not)]
    named = [one.values for one in gone if isinstance(one, In) and one.dim == "symbol"]
    out = {symbol for one in named for symbol in one}
    kept = [one for one in companies_of(last) if one not in out]
    if len(named) < len(gone) or not kept or len(kept) + len(out) != len(companies_of(last)):
        raise UnusedError("who is left")
    fewer, rest = last.but(scope=companies(kept)), replace(request, excluded=[])
    is_all = not rest.said - EASY - {"mark.held", "mark.ne"}
    return fewer if is_all else of_companies(rest, (*before[:-1], fewer), market)


def _same_of_figure(request: Request, last: Query) -> Query | None:
    """净利润呢, behind a growth, a gap, who is higher, whose fell: the same of that figure, and
    beside what was told where that was said (营收也看看). None where what was told was the figure
    itself, or where no other can stand in its place.
    """
    asked = request.said - EASY - {"mark.ne", "mark.these", "mark.swap", "mark.add", "mark.bi"}
    plain = all(isinstance(one, Metric) and one.of is None for one in last.show)
    is_row = last.rows in TIMED and last.take is not None  # 营收哪年最低，净利润呢
    is_kept = last.check is not None or (last.order and ("swap" in request.marks or is_row))
    if asked != frozenset({"mets"}) or (plain and not is_kept):
        return None
    made = refigured(last, request.mets)
    named = any(isinstance(one, Metric) and one.of for show in last.show for one in walk(show))
    if made is None and (named or last.check is not None):
        raise UnusedError("of what figure")
    if made is None:
        return None
    made = _as_levels(made, request.mets[0], last)
    if "add" not in request.marks or last.check is not None or last.order:
        return made
    return made.but(show=tuple(dict.fromkeys([*last.show, *made.show])))


def _as_levels(made: Query, figure: str, last: Query) -> Query:
    """那净利率呢, behind how an amount grew: the ratio itself, of the same times."""
    grew = [one for one in last.show if isinstance(one, Change) and one.since != OWN]
    if len(grew) < len(last.show) or unit(figure) != "percent" or unit(grew[0].of) == "percent":
        return made
    levels = (Metric(id=figure, when=one.until) for one in grew)
    return made.but(show=tuple(dict.fromkeys(levels)))


def _of_that_time(request: Request, last: Query, market: Market) -> Query:
    """那年的总资产, 当天成交额, behind the year or day at which something was highest: of that row
    too.
    """
    grain = "days" if "thatday" in request.marks else "years"
    year = that_year(time_of(last)) if grain == "years" else None
    priced = bool(request.mets) and all(is_of_days(base(one)) for one in request.mets)
    is_of_year = priced and year is not None  # 那年股价涨了多少
    if last.rows == "companies" and (is_of_year or _is_at_one(last, grain)):
        when = request.when or (year if priced else None)
        marks = request.marks - {"thatday", "thatyear"}
        return of_companies(replace(request, marks=marks, when=when), (last,), market)
    last = day_of(last) if grain == "days" else last
    rows = ("days",) if grain == "days" else ("years", "quarters")
    is_told = last.take is not None and ("these" in request.marks or last.take.count == 1)
    is_one = is_told and last.rows in rows
    takes = {"mets", "ents", "ask.trend", "ask.ret", *THAT_TIME, "mark.ne", "mark.these"}
    if request.said - EASY - takes or not is_one:
        raise UnusedError("which time")
    mets = ["pct_change" if one in _MOVED and grain == "days" else one for one in request.mets]
    if not mets and request.ents:  # 那天上证指数呢: how it went
        mets = ["pct_change", "close"] if grain == "days" else figures_named(last)
    is_of_rows = is_of_days if grain == "days" else is_of_years
    if not mets or not all(is_of_rows(one) or one in _MOVED for one in mets):
        raise UnusedError("nothing new")
    figures = [needed(one, Fig(), own=True) for one in mets]
    if request.ents:
        each = [owned(one, of) for of in listed(request.ents) for one in figures]
        figures = [one for one in each if one is not None]
    return last.but(show=tuple(dict.fromkeys([*last.show, *figures])))


def _is_day_before(before: Sequence[Query], market: Market) -> bool:
    """前一个交易日 was asked last: 当天 may be that day, or the one before which it is."""
    try:
        return bool(before[1:]) and time_beside(before[-2], "days", -1, market) == before[-1]
    except UnusedError:
        return False


def _is_at_one(last: Query, grain: str) -> bool:
    """Whether its figures are of one year, or one day."""
    times = [one for expr in last.show for one in walk(expr) if isinstance(one, When)]
    return bool(times) and all(
        one == times[0] and one.kind == grain and one.first == one.last and not one.only
        for one in times
    )


def _asks_of_its_day(request: Request, last: Query) -> bool:
    """What was the volume, behind the one day at which something was so: of that day."""
    is_bare = request.said - EASY - {"mark.ne", "mark.these"} == frozenset({"mets"})
    is_one_day = last.rows == "days" and last.take is not None and last.take.count == 1
    return is_bare and is_one_day and not last.fold and all(map(is_of_days, request.mets))


def _of_same_kind(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """Another yes or no, the same of another figure, the times within bounds; None for others."""
    last = before[-1]
    if "thatday" in request.marks and _is_day_before(before, market):
        each = [_of_that_time(copy(request), one, market) for one in before[-2:]]
        raise ChoiceError(_WHICH_DAY, each)
    if request.said & THAT_TIME:
        return _of_that_time(request, last, market)
    if _asks_of_its_day(request, last):
        return _of_that_time(replace(request, marks=request.marks | {"thatday"}), last, market)
    if any(one.is_asked and not one.phrase.mets for one in request.orders):
        raise UnusedError("which")
    if request.place is not None and last.rows in TIMED:
        moved = _of_others(last, listed(request.ents), market) if request.ents else last
        return rows_at_place(replace(request, ents=[]), moved)
    checked = bound_checked(request, last)
    return checked or _same_of_figure(request, last) or times_bounded(request, last)


def _time_for(figures: Sequence[str], last: Query) -> Time | None:
    """The time spoken of, where these figures have it: no 现在股价呢, behind a year's profit."""
    time = time_of(last)
    return time if time is not None and all(has_time(one, time) for one in figures) else None


def _time_said(said: Time | None, last: Time | None) -> Time | None:
    """三季报呢 is of the year that was spoken of."""
    if said is None or last is None:
        return said or last
    year = year_of(last)
    return said if said.year_said or year is None else in_year(said, year)


def _of_others(last: Query, symbols: Sequence[str], market: Market) -> Query:
    """五粮液呢: the same of another company. A figure that names its company cannot be moved."""
    is_counted = last.rows != "companies" and bool(last.fold)  # how many days it held
    if not last.show and last.check is None and not is_counted:
        raise UnusedError("nothing asked")
    parts = [one for expr in last.show for one in walk(expr)]
    if (test := last.check) is not None:  # 跑赢恒指没有, then 恒大呢: against the same index
        parts = list(walk(test.left if isinstance(test, Compare) else test))
    if (moved := of_another(last, symbols, parts, market)) is not None:
        return moved
    shown = tuple(rank_anew(one, symbols, market) for one in last.show)
    take = last.take
    if take is not None and last.rows in TIMED and len(symbols) > 1:
        take = take.but(per="company")  # 和同仁堂比呢, behind 哪年最低: the year of each
    return last.but(scope=companies(symbols), show=shown, take=take)


def _which(request: Request, before: Sequence[Query]) -> Query:
    """哪年最高, 谁更高, 最高的呢."""
    if request.direction is not None:
        request.orders = [*request.orders, Sort(Fig(), request.way)]
    last = before[-1]
    sort = as_told(request.orders[0], figures_told(last))
    named, agg = sort.phrase.mets, sort.phrase.agg
    is_told = list(named) == figures_named(last) if named else False  # 哪年赚得最少, of profits
    is_bare = sort.phrase == Fig(mets=named, agg=agg)
    if sort.is_growth and not _MOVED.intersection(figures_named(last)):  # 谁涨得多, behind prices
        named = tuple(grown for one in figures_named(last) if (grown := growth_of(one)))
    if len(request.orders) > 1 or not is_bare or "growth" in request.asks:
        raise UnusedError("which")
    if request.mets or request.when or request.agg or agg:
        sort = replace(sort, phrase=Fig(mets=named))
        return _which_over(replace(request, orders=[sort], agg=request.agg or agg), before)
    direction = sort.way
    is_sure = (
        is_told or sort.is_between or sort.is_growth or "these" in request.marks
    )  # 这三家谁的ROE最高
    if named and not is_sure and len(companies_told(last)) < 2:
        raise UnusedError("which")  # 谁的市值大 is of the two that were spoken of
    is_of_rows = last.rows in ("years", "days", "quarters") and bool(last.show)
    if is_of_rows and not (sort.is_time or named) and len(spoken_of(before)) > 1:
        raise UnusedError("which of them")  # 哪家高, behind the years of one and of another
    if is_of_rows and (is_told or not named):
        by = turned_row(last, direction) if not named else last.show[0]
        show = (by,) if by != last.show[0] else last.show
        changed = {"order": (Order(by=by, direction=direction),), "show": show}
        return _another_row(last.but(**changed, take=Take(count=1)), last)
    symbols = companies_told(last)
    if len(symbols) < 2:
        alike = spoken_of(before)
        symbols = alike if len(alike) > 2 else _last_two(before)
    if len(symbols) < 2 or not last.show:
        raise UnusedError("which")
    when = time_of(last) if named and is_of_years(named[0]) else None
    by = [needed(named[0], Fig(when=when))] if named else figures_apart(last)
    return ordered_by(companies(symbols), by, direction)


def _another_row(row: Query, last: Query) -> Query:
    """Raises: UnusedError where it was told: 最少的呢, behind 哪年亏最多."""
    if row == last:
        raise UnusedError("nothing new")
    return row


def _which_over(request: Request, before: Sequence[Query]) -> Query:
    """14到16年三年合计谁最多: of the figure that was told, over that time."""
    last, symbols = before[-1], companies_told(before[-1])
    sort = request.orders[0]
    is_of_year = request.when is not None and request.when.is_one_year and not sort.is_time
    if len(symbols) < 2 and (request.agg is not None or is_of_year):
        symbols = spoken_of(before)
    figures = [*request.mets, *sort.phrase.mets]
    figures = figures or figures_named(last)
    if request.agg is not None:
        figures = [base(one) for one in figures]
    is_of_rows = last.rows != "companies" and (request.agg is None or sort.is_time)
    is_of_rows = is_of_rows and not is_of_year  # 2016年谁高, behind the years of two
    if len(symbols) < 2 or len(figures) != 1 or is_of_rows:
        raise UnusedError("which")
    when = request.when or (time_of(last) if is_of_years(base(figures[0])) else None)
    by = needed(figures[0], Fig(when=when, agg=request.agg))
    order = Order(by=by, direction=sort.way)
    return Query(scope=companies(symbols), order=(order,), show=(by,))


def _of_first(
    request: Request, last: Query, symbols: Sequence[str]
) -> tuple[Request, Sequence[str]]:
    """Net margin of the first two: of so many of those named, in their order; else as it was.

    Raises: UnusedError where they were told in another order.
    """
    sort = next(iter(request.orders), Sort(Fig(), None))
    is_first = len(request.orders) == 1 and not (sort.direction or sort.skip or sort.is_time)
    if not is_first or sort.take is None or sort.take >= len(symbols):
        return request, symbols
    if last.order or sort.phrase != Fig(mets=sort.phrase.mets) or not sort.phrase.mets:
        raise UnusedError("the first of what order")
    named = [(one,) for one in symbols[: sort.take]]
    asked = replace(request, orders=[], ents=named, mets=[*request.mets, *sort.phrase.mets])
    return asked, symbols[: sort.take]


def _last_two(before: Sequence[Query]) -> tuple[str, ...]:
    """The last two companies that were spoken of one by one, in the order they were named."""
    spoken = [companies_of(one) for one in before if is_of_companies(one) and one.rows != "one"]
    found = dict.fromkeys(one[0] for one in reversed(spoken) if len(one) == 1)
    return tuple(reversed(list(found)[:2]))


def _gap_moved(
    request: Request, last: Query, told: Sequence[str], there: Sequence[str]
) -> Query | None:
    """港股呢, behind what lies between two A shares: between theirs there."""
    is_same = told != there and not request.said - POINTING - {"scope"}
    is_of_both = is_same and len(companies_of(last)) < len(told) == len(there)
    return in_place_of(last, dict(zip(told, there, strict=True))) if is_of_both else None


def _one_placed(symbols: Sequence[str], request: Request) -> tuple[str, ...]:
    """第二家, 后者: that one of the companies spoken of, in their order."""
    place = request.place if request.place else len(symbols)
    if request.ents or len(symbols) < 2 or place > len(symbols):
        raise UnusedError("place")
    return tuple(symbols[place - 1 : place - 1 + request.places])
