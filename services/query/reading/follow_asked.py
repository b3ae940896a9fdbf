"""A turn that is a question of its own of the companies told of, with what was told in the place
of what it leaves open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.query.algebra.nodes import Change, Query, figures_in, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import base, growth_of
from services.query.reading.figures_told import (
    companies_told,
    figures_told,
    fold_told,
    is_of_companies,
    time_of,
)
from services.query.reading.follow_companies import has_time
from services.query.reading.moves import OF_SESSIONS
from services.query.reading.other_tools import Meant
from services.query.reading.phrases import Fig
from services.query.reading.predicates import Sort
from services.query.reading.remade import moved_within
from services.query.reading.request import Request
from services.query.reading.shapes import EASY, Market, Shape, made, request_of
from services.query.reading.times_joined import LATELY

# A question of its own. 哪年涨得最多, behind profits year by year: of those, no year of the price.
_WENT = Fig(mets=("pct_change",))
# Words by which a turn is of others, or of a part of those spoken of.
_NOT_OF_THEM = frozenset({"add", "only", "member", "other", "swap", "or", "undo", "noun", "held"})
_OF_TIME = frozenset({"whichyear", "years", "whichday", "daylist", *OF_SESSIONS})
_POINTING = frozenset({"mark.ne", "mark.these"})


def ask_of_told(
    parts: Sequence[Edge], last: Query, market: Market, shapes: Sequence[Shape[Meant]]
) -> Meant | None:
    """净利哪年增速最快, 2015年比2014年增长多少: the turn as a question of its own of the companies
    spoken of, with the figure and the time that were told where it says none. None where it
    names others, or makes no question so either.
    """
    if not named_symbols(last.scope) or not is_of_companies(last) or last.rows == "one":
        return None
    try:
        request = request_of(parts, market)
    except UnusedError:
        return None
    # 市值在A股前五十吗, 是不是房地产里最高的: a place in a set is one of theirs.
    takes = request.take or any(one.take for one in request.orders)
    is_place = ("yesno" in request.asks and takes) or any(one.is_asked for one in request.orders)
    # 上证那年最大单日跌幅是哪天, behind how far both went in a year: in that year.
    is_dated = last.rows == "companies" and time_of(last) is not None
    is_own = bool(request.ents or request.day_tests or "days" in request.asks)
    is_then = is_own and "thatyear" in request.marks and is_dated
    if (request.ents and not is_then) or request.excluded or request.group or request.told:
        return None
    is_of_others = bool(request.marks & _NOT_OF_THEM) or not request.said - EASY - _POINTING
    if is_of_others or ((request.scope or request.peer) and not is_place):
        return None
    is_timed = request.asks & _OF_TIME or any(one.is_time for one in request.orders)
    if not is_timed and any(not (one.phrase.mets or one.is_asked) for one in request.orders):
        return None  # 哪家高: which of them, not which of its years
    # 营收超过2000亿呢, behind another yes or no of it.
    request.asks |= {"yesno"} if last.check is not None and request.conds else set()
    if request.conds and not request.asks & {"yesno", *_OF_TIME}:
        return None  # 涨了超过2%的呢: those of what was listed
    request.ents = request.ents or [(one,) for one in companies_told(last)]
    request.marks -= {"ne", "these"} | ({"thatyear"} if is_then else set[str]())
    for completed in _completed(request, last):
        try:
            return made(completed, shapes, market)
        except UnusedError:
            continue
    return None


def _completed(request: Request, last: Query) -> Iterator[Request]:
    """The request with what was told last of what it leaves open: all of it, then less."""
    said = [*request.mets, *(name for one in request.phrases for name in one.mets)]
    if last.rows == "years" and [one.phrase for one in request.orders] == [_WENT]:
        said, request = [], replace(request, asks=request.asks | {"growth"})
    figures, orders = _figures_open(request, last, said), request.orders
    is_timed = bool(request.asks & _OF_TIME)  # 最低收在多少, then 哪天
    agg = request.agg or (fold_told(last) if figures and is_timed else None)
    whole = replace(request, mets=[*request.mets, *figures], agg=agg)
    if request.direction and request.asks & {"whichday", "whichyear"}:  # 近一年最高是哪天
        orders = [*orders, Sort(Fig(), request.way, is_time=True)]
    if len(figures) == 1 and orders:  # 哪年最高: of that figure
        orders = [replace(one, phrase=replace(one.phrase, mets=tuple(figures))) for one in orders]
        asks = request.asks - ({"growth"} if "whichyear" in request.asks else set[str]())
        whole = replace(request, orders=orders, direction=None, asks=asks)
    time = time_of(last)
    # 营收除以总资产呢，跟15年比: a figure set against another time is of the time told.
    sides = [one.left if one.left.mets else one.right for one in request.relations if one.right]
    is_dated = request.when is not None or any(one.when for one in (*request.phrases, *sides))
    tested = [name for one in request.conds for name in figures_in(one)]
    is_then = time is None or all(has_time(one, time) for one in tested)
    if time is not None and not is_dated and all(has_time(one, time) for one in [*said, *tested]):
        if (moved := [moved_within(one, time) for one in whole.conds]) != whole.conds:
            yield replace(whole, conds=moved)  # 跑赢恒指没有: in that time
        yield replace(whole, when=time)
    asks_when = is_timed or request.series
    is_timed = is_dated or asks_when or any(one.is_time for one in orders)
    if time is None or not is_then or is_timed:  # 市净率低于1吗: of the day it has
        yield whole


def _figures_open(request: Request, last: Query, said: Sequence[str]) -> list[str]:
    """The figures told of which it asks, as it says none itself; their growth where it asks of
    that.
    """
    figures = [] if said or request.conds or request.day_tests else figures_told(last)
    dated = [one.left.when and one.right and one.right.when for one in request.relations]
    if not (said or request.conds or figures) and dated and all(dated):
        grown = {one.of for expr in last.show for one in walk(expr) if isinstance(one, Change)}
        return list(grown) if len(grown) == 1 else []  # 2016年是2012年的几成, behind a growth
    bases = [base(one) for one in figures]
    if {"growth", "whichyear"} <= request.asks and all(growth_of(one) for one in bases):
        return [f"{one}:yoy" for one in bases]
    is_back = any(one.left == Fig(when=LATELY) for one in request.relations)
    # 复合下来一年多少, 恢复到2012年的几成, behind its growth
    grew = bool(figures) and all(one.endswith(":yoy") for one in figures)
    is_times = grew and bool(dated) and all(one.how == "div" for one in request.relations)
    return bases if is_back or is_times or "cagr" in request.asks else figures
