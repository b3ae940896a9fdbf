"""Going on from a question about companies: another company, figure, time, or which of them."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from services.query.algebra.nodes import (
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
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import base, growth_of, is_of_days, is_of_years, unit
from services.query.reading.figures_told import (
    as_told,
    figures_apart,
    figures_named,
    figures_told,
    ordered_by,
    time_of,
)
from services.query.reading.follow_edits import rows_at_place, same_of_set, time_beside
from services.query.reading.follow_peaks import day_of, other_extreme, time_of_extreme, turned_row
from services.query.reading.phrases import Fig, Time, constant, said_as
from services.query.reading.predicates import Sort
from services.query.reading.remade import moved_within, of_another, rank_anew, refigured
from services.query.reading.request import Request
from services.query.reading.shapes import EASY, Market, listed, listed_there, made
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_place import SHAPES
from services.query.reading.times_joined import in_year, year_of

_WHICH_DAY = ("「当天」指哪一天？", "Which of the two days is meant?")
# How far a price went: of one day its change from the day before.
_MOVED = frozenset({"close:ret", "close:fall"})
# 那年, 当天: at the time that was found.
THAT_TIME = frozenset({"mark.thatyear", "mark.thatday"})


# What is said of a set; 行业平均 (a noun) is no figure of theirs.
_OF_SETS = frozenset({"conds", "group", "count", "dropped", "peer", "mark.noun"})


def is_of_companies(query: Query) -> bool:
    """Whether it asks named companies, not a screen."""
    named = isinstance(query.scope, In) and query.scope.dim == "symbol"
    return query.rows not in ("companies", "one") or (
        named and query.where is None and not query.take and query.first is None
    )


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
    if request.scope is not None:
        symbols = listed_there(symbols, request.scope, market)
    if (extreme := other_extreme(request, last)) is not None:
        return extreme
    if request.orders or (request.direction is not None and request.place is None):
        return _which(request, before)
    if request.place is not None:
        symbols = _one_of(symbols, request)
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
    return both.model_copy(update={"order": order})


def _of_figures(request: Request, last: Query, symbols: Sequence[str], market: Market) -> Query:
    """What was told of these companies, with what is said anew in the place of its kind."""
    grows = "growth" in request.asks and not _is_of_growth(last)  # the same growth, of another
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
    again = Request(
        ents=[(one,) for one in symbols],
        when=_time_said(request.when, _time_for(mets, last)),
        mets=mets,
        agg=request.agg,
        series=request.series,
        asks=set(request.asks),
    )
    return made(again, SHAPES, market)


def _is_of_growth(last: Query) -> bool:
    return bool(last.show) and all(isinstance(one, Change) for one in last.show)


def _is_against_a_set(request: Request, last: Query) -> bool:
    """Electronics then, behind whether it is worth more than all of steel: that set instead."""
    said = request.said - EASY - {"mark.ne", "mark.these", "mark.bi"}
    tested = last.check if last.check is not None else next(iter(last.show), None)
    is_test = last.check is not None or isinstance(tested, Arith)  # how far off the median of media
    return (
        said == frozenset({"scope"})
        and is_test
        and any(isinstance(one, Across) and one.within for one in walk(tested or last))
    )


def spoken_of(before: Sequence[Query]) -> tuple[str, ...]:
    """Whom the last turns asked the same of, one by one: 沪指, then 恒指呢, then 纳指也加进来."""
    last, found = before[-1], list[str]()
    for one in reversed(before):
        if one.model_copy(update={"scope": last.scope}) != last or not is_of_companies(one):
            break
        found = [*companies_told(one), *found]
    return tuple(dict.fromkeys(found))


def _of_the_rest(request: Request, before: Sequence[Query], market: Market) -> Query:
    """Average PE without Vanke: the same without it, and then what else is asked."""
    fewer, rest = _of_fewer(request, before[-1]), replace(request, excluded=[])
    is_all = not rest.said - EASY - {"mark.held", "mark.ne"}
    return fewer if is_all else of_companies(rest, (*before[:-1], fewer), market)


def _of_fewer(request: Request, last: Query) -> Query:
    """不看美的集团, of two companies: the same without it."""
    gone = [one.item for one in request.excluded if isinstance(one, Not)]
    out = {symbol for one in gone if isinstance(one, In) for symbol in one.values}
    named = all(isinstance(one, In) and one.dim == "symbol" for one in gone)
    kept = tuple(one for one in _symbols(last) if one not in out)
    if not named:
        raise UnusedError("of companies")
    if not kept or len(kept) + len(out) != len(_symbols(last)):
        raise UnusedError("who is left")
    return last.model_copy(update={"scope": In(dim="symbol", values=kept)})


def _same_of_figure(request: Request, last: Query) -> Query | None:
    """净利润呢, behind a growth, a gap, who is higher, whose fell: the same of that figure, and
    beside what was told where that was said (营收也看看). None where what was told was the figure
    itself, or where no other can stand in its place.
    """
    asked = request.said - EASY - {"mark.ne", "mark.these", "mark.swap", "mark.add", "mark.bi"}
    plain = all(isinstance(one, Metric) and one.of is None for one in last.show)
    is_kept = last.check is not None or (last.order and "swap" in request.marks)
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
    return made.model_copy(update={"show": tuple(dict.fromkeys([*last.show, *made.show]))})


def _as_levels(made: Query, figure: str, last: Query) -> Query:
    """那净利率呢, behind how an amount grew: the ratio itself, of the same times."""
    grew = [one for one in last.show if isinstance(one, Change) and one.since != OWN]
    if len(grew) < len(last.show) or unit(figure) != "percent" or unit(grew[0].of) == "percent":
        return made
    levels = (Metric(id=figure, when=one.until) for one in grew)
    return made.model_copy(update={"show": tuple(dict.fromkeys(levels))})


def _of_that_time(request: Request, last: Query, market: Market) -> Query:
    """那年的总资产, 当天成交额, behind the year or day at which something was highest: of that row
    too.
    """
    grain = "days" if "thatday" in request.marks else "years"
    if last.rows == "companies" and _is_at_one(last, grain):
        marks = request.marks - {"thatday", "thatyear"}
        return of_companies(replace(request, marks=marks), (last,), market)
    last = day_of(last) if grain == "days" else last
    rows = ("days",) if grain == "days" else ("years", "quarters")
    is_one = last.take is not None and last.take.count == 1 and last.rows in rows
    if request.said - EASY - {"mets", *THAT_TIME, "mark.ne", "mark.these"} or not is_one:
        raise UnusedError("which time")
    mets = ["pct_change" if one in _MOVED and grain == "days" else one for one in request.mets]
    is_of_rows = is_of_days if grain == "days" else is_of_years
    if not mets or not all(is_of_rows(one) or one in _MOVED for one in mets):
        raise UnusedError("nothing new")
    figures = [needed(one, Fig(), own=True) for one in mets]
    return last.model_copy(update={"show": tuple(dict.fromkeys([*last.show, *figures]))})


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
        return _whether_first(request, last, market)
    if request.place is not None and last.rows in TIMED:
        moved = _of_others(last, listed(request.ents), market) if request.ents else last
        return rows_at_place(replace(request, ents=[]), moved)
    checked = _checked_anew(request, last, market) or time_of_extreme(request, last, market)
    return checked or _same_of_figure(request, last) or _times_bounded(request, last)


def _checked_anew(request: Request, last: Query, market: Market) -> Query | None:
    """营收超过2000亿呢, behind a yes or no of a company: another one of it, at that time; 超过
    1000亿吗, 跑赢恒指没有, behind a figure of it.
    """
    asked = request.said - EASY - {"mark.ne", "mark.these", "ask.yesno", "when"}
    is_asked = last.check is not None or ("yesno" in request.asks and last.rows == "companies")
    if is_asked and asked == frozenset({"bounds"}) and request.when is None:
        return _bound_checked(request, last)
    if not is_asked or asked != frozenset({"conds"}):
        return None
    ents = [(one,) for one in _symbols(last)]
    when = _time_said(request.when, time_of(last))
    again = Request(ents=ents, conds=list(request.conds), asks={"yesno"})
    if when is not None and (dated := [moved_within(one, when) for one in again.conds]):
        again, when = (again, when) if dated == again.conds else (replace(again, conds=dated), None)
    try:
        return made(replace(again, when=when), SHAPES, market)
    except UnusedError:
        if request.when is not None:
            raise
        return made(again, SHAPES, market)  # 市净率低于1吗: of the day it has


def _bound_checked(request: Request, last: Query) -> Query | None:
    """超过1000亿吗, behind one figure of one company; None where it is of more."""
    sign, amount, upper = request.bounds[0]
    said = said_as(last.show[0]) if len(last.show) == len(_symbols(last)) == 1 else None
    right = constant(said[0], amount) if said is not None else None
    if len(request.bounds) > 1 or sign is None or upper is not None or right is None:
        return None
    left = last.show[0]
    return last.model_copy(update={"check": Compare(sign=sign, left=left, right=right)})


def _times_bounded(request: Request, last: Query) -> Query | None:
    """低于10%的是哪几年, behind a figure year by year: the years at which it holds."""
    asked = request.said - EASY - {"mark.ne", "mark.these", "ask.whichyear", "ask.whichday"}
    if asked != frozenset({"bounds"}) or last.rows not in ("years", "quarters", "days"):
        return None
    sign, amount, upper = request.bounds[0]
    said = said_as(last.show[0]) if len(last.show) == 1 else None
    right = constant(said[0], amount) if said is not None else None
    if len(request.bounds) > 1 or sign is None or upper is not None or right is None:
        raise UnusedError("bound")
    return last.model_copy(
        update={"where": Compare(sign=sign, left=last.show[0], right=right), "order": ()}
    )


def _one_of(symbols: Sequence[str], request: Request) -> tuple[str, ...]:
    """第二家, 后者: that one of the companies spoken of, in their order."""
    place = request.place if request.place else len(symbols)
    if request.ents or len(symbols) < 2 or place > len(symbols):
        raise UnusedError("place")
    return tuple(symbols[place - 1 : place - 1 + request.places])


def _time_for(figures: Sequence[str], last: Query) -> Time | None:
    """The time spoken of, where these figures have it: no 现在股价呢, behind a year's profit."""
    time = time_of(last)
    return time if time is not None and all(has_time(one, time) for one in figures) else None


def has_time(figure: str, time: Time) -> bool:
    """Whether there is such a figure of that kind of time: reports, or sessions."""
    of = base(figure)
    return (time.days is not None and is_of_days(of)) or (
        time.periods is not None and is_of_years(of)
    )


def _time_said(said: Time | None, last: Time | None) -> Time | None:
    """三季报呢 is of the year that was spoken of."""
    if said is None or last is None:
        return said or last
    year = year_of(last)
    return said if said.year_said or year is None else in_year(said, year)


def _symbols(query: Query) -> tuple[str, ...]:
    if not isinstance(query.scope, In):
        raise UnusedError("companies")
    return query.scope.values


def companies_told(query: Query) -> tuple[str, ...]:
    """The companies it is about, and those it sets them against; of a yes or no whose it is."""
    if query.check is not None:
        return _symbols(query)
    parts = [one for expr in query.show for one in walk(expr)]
    others = [one.of if isinstance(one, Metric) else getattr(one, "company", None) for one in parts]
    named = [one for one in others if isinstance(one, str)]
    return tuple(dict.fromkeys([*_symbols(query), *named]))


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
    return last.model_copy(update={"scope": In(dim="symbol", values=tuple(symbols)), "show": shown})


def _whether_first(request: Request, last: Query, market: Market) -> Query:
    """是不是A股最高的, behind a figure of a company. Raises: UnusedError."""
    ents = request.ents or [tuple(companies_told(last))]
    mets = list(request.mets) or figures_named(last)[:1]
    when = _time_said(request.when, _time_for(mets, last))
    return made(replace(request, ents=ents, mets=mets, when=when), SHAPES, market)


def _which(request: Request, before: Sequence[Query]) -> Query:
    """哪年最高, 谁更高, 最高的呢."""
    if request.direction is not None:
        way = "asc" if request.direction == "asc" else "desc"
        request.orders = [*request.orders, Sort(Fig(), way)]
    last = before[-1]
    sort = as_told(request.orders[0], figures_told(last))
    named, agg = sort.phrase.mets, sort.phrase.agg
    if sort.is_growth:
        named = tuple(f"{one}:yoy" for one in figures_named(last) if growth_of(one))
    is_told = list(named) == figures_named(last) if named else False  # 哪年赚得最少, of profits
    if len(request.orders) > 1 or sort.phrase != Fig(mets=sort.phrase.mets, agg=agg):
        raise UnusedError("which")
    if request.mets or request.when or request.agg or agg:
        sort = replace(sort, phrase=Fig(mets=named))
        return _which_over(replace(request, orders=[sort], agg=request.agg or agg), before)
    direction = "asc" if sort.direction == "asc" else "desc"
    is_sure = is_told or sort.is_between or "these" in request.marks  # 这三家谁的ROE最高
    if named and not is_sure and len(companies_told(last)) < 2:
        raise UnusedError("which")  # 谁的市值大 is of the two that were spoken of
    is_of_rows = last.rows in ("years", "days", "quarters") and bool(last.show)
    if is_of_rows and not (sort.is_time or named) and len(spoken_of(before)) > 1:
        raise UnusedError("which of them")  # 哪家高, behind the years of one and of another
    if is_of_rows and (is_told or not named):
        by = turned_row(last, direction) if not named else last.show[0]
        show = (by,) if by != last.show[0] else last.show
        changed = {"order": (Order(by=by, direction=direction),), "show": show}
        return last.model_copy(update={**changed, "take": Take(count=1)})
    symbols = companies_told(last)
    if len(symbols) < 2:
        alike = spoken_of(before)
        symbols = alike if len(alike) > 2 else _last_two(before)
    if len(symbols) < 2 or not last.show:
        raise UnusedError("which")
    when = time_of(last) if named and is_of_years(named[0]) else None
    by = [needed(named[0], Fig(when=when))] if named else figures_apart(last)
    return ordered_by(In(dim="symbol", values=symbols), by, direction)


def _which_over(request: Request, before: Sequence[Query]) -> Query:
    """14到16年三年合计谁最多: of the figure that was told, over that time."""
    last, symbols = before[-1], companies_told(before[-1])
    if len(symbols) < 2 and request.agg is not None:
        symbols = spoken_of(before)
    sort, figures = request.orders[0], [*request.mets, *request.orders[0].phrase.mets]
    figures = figures or figures_named(last)
    if request.agg is not None:
        figures = [base(one) for one in figures]
    is_of_rows = last.rows != "companies" and (request.agg is None or sort.is_time)
    if len(symbols) < 2 or len(figures) != 1 or is_of_rows:
        raise UnusedError("which")
    when = request.when or (time_of(last) if is_of_years(base(figures[0])) else None)
    by = needed(figures[0], Fig(when=when, agg=request.agg))
    order = Order(by=by, direction="asc" if sort.direction == "asc" else "desc")
    return Query(scope=In(dim="symbol", values=symbols), order=(order,), show=(by,))


def _last_two(before: Sequence[Query]) -> tuple[str, ...]:
    """The last two companies that were spoken of one by one, in the order they were named."""
    spoken = [_symbols(one) for one in before if is_of_companies(one) and one.rows != "one"]
    found = dict.fromkeys(one[0] for one in reversed(spoken) if len(one) == 1)
    return tuple(reversed(list(found)[:2]))


def companies_of(query: Query) -> tuple[str, ...]:
    """The companies a query names and is about."""
    return (named_symbols(query.scope) or ()) if is_of_companies(query) else ()
