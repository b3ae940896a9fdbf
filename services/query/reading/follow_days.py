"""Turns behind the times of a company at which something held, or how many there were: of another
year, company or bound, the other way round; which they are, how many, the first or the last.
"""

import re
from collections.abc import Sequence

from services.query.algebra.nodes import (
    NEWEST_FIRST,
    OWN,
    TIMED,
    Change,
    Compare,
    Folded,
    Metric,
    Pred,
    Query,
    Rows,
    When,
    both,
    items_of,
    walk,
)
from services.query.reading.bounds_said import Bound
from services.query.reading.chart import Edge, ParseChart
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import is_of_days
from services.query.reading.follow_companies import of_companies
from services.query.reading.follow_edits import tests_anew
from services.query.reading.follow_times import retimed
from services.query.reading.lists_told import POINTING
from services.query.reading.moves import gone_days
from services.query.reading.phrases import Fig, Time
from services.query.reading.predicates import TURNED_SIGN, Occasion
from services.query.reading.remade import refigured
from services.query.reading.request import Request
from services.query.reading.shapes import Market
from services.query.reading.shapes_times import of_each_row, on_occasion

_LISTED = frozenset({"ask.list", "ask.ones"})  # list them, 有哪些
_POINTING = POINTING - _LISTED
_WHICH = frozenset({"ask.whichday", "ask.daylist", "ask.whichyear", "ask.whichmonth"}) | _LISTED
_COUNTED = frozenset({"count", "ask.days", "ask.years", "ask.months"})
_MOVED = frozenset({"ents", "when", "occasion", "place", "conds", "bounds"})
# Words for companies among those asked for.
_FIRMS = re.compile(
    r"公司|企业|股票|个股|[哪几][家只支]|谁|\b(?:companies|stocks|firms|names|who)\b"
)
# 一共几天, how many in total: no more than how many. 单日跌超5%的: of a day, as all of them are.
_BESIDE = frozenset({"agg", "ask.sum2", "series", "mark.add", "mark.and"})


def tells_times(last: Query) -> bool:
    """Whether it told the times of one company at which something held, or how many."""
    return last.rows in TIMED and last.where is not None and last.window is not None


def days_gone(parts: Sequence[Edge], last: Query, chart: ParseChart) -> Sequence[Edge]:
    """下跌的呢, and fall, behind how many days it rose: the parts with those it fell on.

    Raises: UnusedError where companies are asked for, which days are none of.
    """
    said = [one for one in parts if one.cat not in ("follow", "bool", "join", "COMMA")]
    if not tells_times(last):
        return parts
    if any(not _is_in_name(one.start(), chart) for one in _FIRMS.finditer(chart.text)):
        raise UnusedError("times of companies")
    leaves = [leaf for one in said for leaf in one.leaves if leaf.cat != "follow"]
    spans = [(leaf.start, leaf.end) for leaf in leaves]
    moves = [one for one in chart.tokens if one.cat in ("move", "pmove")]
    ways = {str(one.sem) for one in moves if [(one.start, one.end)] == spans}
    own = _went(ways.pop(), last) if len(ways) == 1 else None
    if own is None:
        return parts
    return [one._replace(cat="COND", sem=own) if one is said[0] else one for one in parts]


def _is_in_name(at: int, chart: ParseChart) -> bool:
    return any(one.start <= at < one.end for one in chart.tokens if one.cat == "ENT")


def _went(way: str, last: Query) -> Pred | None:
    """Sessions that ended above the one before, months above theirs, years above the one before;
    None of times that are told of anything else.
    """
    days = gone_days(Fig(), way)
    if days is None or last.rows == "days":
        return days.test if days is not None else None
    of = last.where.left if isinstance(last.where, Compare) else None
    return days.test.but(left=of) if isinstance(of, Change) and of.how == "rate" else None


def times_anew(request: Request, before: Sequence[Query], market: Market) -> Query | None:
    """The same times with what is said changed; None for other turns. Raises: UnusedError."""
    last, said = before[-1], request.said - _POINTING
    changed = said & (_WHICH | _COUNTED | _MOVED)
    if not tells_times(last):
        return None
    if said == frozenset({"mets"}) and last.fold:  # 营收呢, behind how often profit fell
        return refigured(last, request.mets)
    if not changed or said - changed - _BESIDE:
        return None
    is_sum = bool(said & {"agg", "ask.sum2"}) and request.agg in (None, "sum")
    if changed == frozenset({"ents"}) or (request.agg and not is_sum):
        return None
    if is_sum and not said & _COUNTED:
        return None
    made = of_companies(Request(ents=request.ents), before, market) if request.ents else last
    time, made = _tested_anew(request, made)
    made = retimed(made, time) if time is not None else made
    occasion = request.occasion or _placed(request)
    is_newest = last.take is not None and NEWEST_FIRST in last.order and made == last
    if request.occasion and request.occasion[2] and last.take is not None and is_newest:
        count, skip, _ = request.occasion  # 上一次, behind the newest: the one before
        occasion = (count, skip + last.take.skip + last.take.count, True)
    made = _asked_anew(occasion, said, made)
    if made == last:
        raise UnusedError("nothing new")
    return made


def _asked_anew(occasion: Occasion | None, said: frozenset[str], made: Query) -> Query:
    """How many, or which they are: all, the first, the last one."""
    if said & _COUNTED:
        if occasion or said & _WHICH:
            raise UnusedError("how many, and which")
        return made.but(fold=(Folded(how="count"),), show=(), order=(), take=None)
    if not (said & _WHICH or occasion):
        return made
    tests = [one.left for one in walk(made) if isinstance(one, Compare)]
    return on_occasion(made.but(fold=(), show=tuple(tests[:1]), order=(), take=None), occasion)


def _placed(request: Request) -> Occasion | None:
    """When was the first, the second, the last."""
    if request.place is None:
        return None
    return (request.places, max(request.place - 1, 0), not request.place)


def _tested_anew(request: Request, made: Query) -> tuple[Time | None, Query]:
    """With the condition, or the bound, that is said in the place of the one there was; and the
    time that is said.
    """
    tests = items_of(both(*request.conds))
    if len(request.bounds) + bool(tests) > 1:
        raise UnusedError("one condition")
    if request.bounds:
        return request.when, made.but(where=_bounded(made.where, request.bounds[0]))
    if not tests:
        return request.when, made
    items = [_of_each_row(one, made.rows) for one in tests]
    times = {one for one in (request.when, *(time for _, time in items)) if one is not None}
    if len(times) > 1:
        raise UnusedError("one time")
    shown = tuple(dict.fromkeys(test.left for test, _ in items)) if made.show else ()
    where = both(*(test for test, _ in items))
    return next(iter(times), None), made.but(where=where, show=shown)


def _of_each_row(test: Pred, rows: Rows) -> tuple[Compare, Time | None]:
    """跌超5%: of each session, whatever time it was told of. Raises: UnusedError."""
    match test:
        case Compare(left=Metric(id=name, when=When(kind="latest" | "own"), of=None)) if (
            rows == "days" and is_of_days(name)
        ):
            return test.but(left=Metric(id=name, when=OWN)), None
        case Compare(left=Change(how="rate", of="close", since=since, until=until)) if (
            rows == "days" and since == until and since.kind == "days"
        ):
            return test.but(left=Metric(id="pct_change", when=OWN)), Time(days=since)
        case Compare(left=Change(until=When(kind="own"))):
            return test, None
        case Compare() if rows != "days":
            own, time = of_each_row(test.left, None)
            return test.but(left=own), time
        case _:
            raise UnusedError("condition of sessions")


def _bounded(where: Pred | None, bound: Bound) -> Pred | None:
    """超过9%的呢, behind those above 5%; behind those below −5% it is of how far each fell."""
    sign, amount, upper = bound
    if not isinstance(where, Compare) or (sign is None and upper is None):
        raise UnusedError("which bound")
    if where.left == Metric(id="pct_change", when=OWN) and where.sign in ("lt", "le"):
        least = amount._replace(value=-amount.value)
        most = upper._replace(value=-upper.value) if upper is not None else least
        turned = TURNED_SIGN.get(sign, sign) if sign is not None else None
        bound = (turned, most, least if upper is not None else None)
    return both(*tests_anew(where, bound))
