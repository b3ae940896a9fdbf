"""A turn that is no edit of the question before, asked of the companies that were told of."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.query.algebra.nodes import Change, Query, walk
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_told import figures_told, fold_told, time_of
from services.query.reading.follow_companies import companies_told, has_time, is_of_companies
from services.query.reading.moves import OF_SESSIONS
from services.query.reading.other_tools import Meant
from services.query.reading.request import Request
from services.query.reading.shapes import EASY, Market, Shape, made, request_of

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
    # 市值在A股前五十吗: a place in a set is one of theirs.
    is_place = "yesno" in request.asks and (request.take or any(o.take for o in request.orders))
    if request.ents or request.excluded or request.group or request.told:
        return None
    if request.scope and not is_place:
        return None
    if request.peer or request.marks & _NOT_OF_THEM or not request.said - EASY - _POINTING:
        return None
    is_timed = request.asks & _OF_TIME or any(one.is_time for one in request.orders)
    if not is_timed and any(not one.phrase.mets for one in request.orders):
        return None  # 哪家高: which of them, not which of its years
    if request.conds and not request.asks & {"yesno", *_OF_TIME}:
        return None  # 涨了超过2%的呢: those of what was listed
    request.ents = [(one,) for one in companies_told(last)]
    request.marks -= {"ne", "these"}
    for whole in _completed(request, last):
        try:
            return made(whole, shapes, market)
        except UnusedError:
            continue
    return None


def _completed(request: Request, last: Query) -> Iterator[Request]:
    """The request with what was told last of what it leaves open: all of it, then less."""
    phrases = [one.left for one in request.relations] + [one.phrase for one in request.orders]
    phrases += [one.phrase for one in request.day_tests]
    said = [*request.mets, *(name for one in phrases for name in one.mets)]
    figures = [] if said or request.conds or request.day_tests else figures_told(last)
    dated = [one.left.when and one.right and one.right.when for one in request.relations]
    if not (said or request.conds or figures) and dated and all(dated):
        grown = {one.of for expr in last.show for one in walk(expr) if isinstance(one, Change)}
        figures = list(grown) if len(grown) == 1 else []  # 2016年是2012年的几成, behind a growth
    is_timed = bool(request.asks & _OF_TIME)  # 最低收在多少, then 哪天
    agg = request.agg or (fold_told(last) if figures and is_timed else None)
    whole = replace(request, mets=[*request.mets, *figures], agg=agg)
    if len(figures) == 1 and request.orders:  # 哪年最高: of that figure
        orders = [
            replace(one, phrase=replace(one.phrase, mets=tuple(figures))) for one in request.orders
        ]
        whole = replace(request, orders=orders)
    time, is_dated = time_of(last), request.when is not None or any(one.when for one in phrases)
    if time is not None and not is_dated and all(has_time(one, time) for one in said):
        yield replace(whole, when=time)
    asks_when = is_timed or request.series
    if time is None or is_dated or asks_when or any(one.is_time for one in request.orders):
        yield whole
