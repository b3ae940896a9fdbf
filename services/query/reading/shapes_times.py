"""The times of a company at which something holds: which days, how many, which years, the first."""

from collections.abc import Mapping
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    NEWEST_FIRST,
    OWN,
    AllOf,
    AnyOf,
    Change,
    Compare,
    Direction,
    Expr,
    Folded,
    Metric,
    Pred,
    Query,
    Rows,
    Take,
    When,
    walk,
)
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import is_of_days, is_of_years
from services.query.reading.phrases import RETURN_OF_ROW, Fig, Time
from services.query.reading.predicates import AskedOf, Occasion, Sort, compare
from services.query.reading.remade import loss_of_profit
from services.query.reading.request import Request
from services.query.reading.shapes import Market, listed, shape
from services.query.reading.shapes_company import (
    companies,
    needed,
    ordered,
    with_sides,
)
from services.query.reading.times_joined import months_of, quarters_of, whole_years
from services.query.reading.worded_tests import NOUGHT, need_limits


def days_of(request: Request, market: Market) -> Query:
    """茅台收盘价高于500的有多少天."""
    if len(request.day_tests) != 1:
        raise UnusedError("days")
    test = request.day_tests[0]
    symbols = listed([*test.phrase.ents, *request.ents])
    if len(symbols) != 1 or (test.phrase.when and request.when):
        raise UnusedError("days of whom")
    need_limits(test.test, symbols)
    time = test.phrase.when or request.when
    window = time.days if time else ALL
    if window is None:
        raise UnusedError("when")
    found = Query(rows="days", scope=companies(symbols), window=window, where=test.test)
    is_counted = test.is_counted or request.count or "days" in request.asks
    if is_counted and request.occasion is not None:
        raise UnusedError("occasion")
    if request.agg is not None and (request.agg != "sum" or not is_counted):
        raise UnusedError("agg")
    if is_counted:
        return found.but(fold=(Folded(how="count"),))
    first = test.test.items[0] if isinstance(test.test, AllOf | AnyOf) else test.test
    if not isinstance(first, Compare):
        raise UnusedError("days")
    return on_occasion(found.but(show=(first.left,)), request.occasion)


# What asks for the times at which it holds, or for how many there are.
_ROWS: Mapping[str, Rows] = {
    "whichmonth": "months", "months": "months", "whichquarter": "quarters", "quarters": "quarters",
}  # fmt: skip


def periods_with(request: Request, market: Market) -> Query:
    """腾讯过去五年有哪几年涨幅超过50%, 茅台2016年哪几个月跌了: the years, months or quarters at
    which it holds; of months and quarters, of what their sessions made.
    """
    symbols = listed(request.ents)
    test = loss_of_profit(request.conds[0])
    if len(request.conds) != 1 or not isinstance(test, Compare) or len(symbols) != 1:
        raise UnusedError("conds")
    said = sorted(request.asks & _ROWS.keys())
    rows: Rows = _ROWS[said[0]] if said else "years"
    own, time = of_each_row(test.left, request.when)
    if rows != "years" and own != RETURN_OF_ROW:
        raise UnusedError(rows)
    return Query(
        rows=rows, scope=companies(symbols), show=(own,), window=_window_of(rows, time),
        where=test.but(left=own),
    )  # fmt: skip


def of_each_row(expr: Expr, said: Time | None) -> tuple[Expr, Time | None]:
    """A figure as that of each row, and the time it was asked of. Raises: UnusedError."""
    match expr:
        case Change(how="rate", of="close", since=since, until=until) if since == until:
            if said is not None:
                raise UnusedError("when")
            return RETURN_OF_ROW, Time(days=since) if since.kind == "days" else Time(periods=since)
        case Metric(id="pct_change", when=When(kind="latest")):
            return RETURN_OF_ROW, said
        case Metric(id=name, when=When(kind="latest")) if is_of_years(name):
            return Metric(id=name, when=OWN), said
        case Change(how="rate", since=When(kind="before"), until=When(kind="latest")):
            return expr.but(until=OWN), said
        case _:
            raise UnusedError("figure of each")


def _window_of(rows: Rows, time: Time | None) -> When:
    """The time the rows are of. Raises: UnusedError of one that is not made of such."""
    if rows != "years":
        return months_of(time) if rows == "months" else quarters_of(time)
    if time is None:
        return ALL
    window = time.periods or (whole_years(time.days) if time.days is not None else None)
    if window is None:
        raise UnusedError("years")
    return window


def best_periods(request: Request, market: Market) -> Query:
    """The best three months of 2016, 哪个季度最惨: by how far the price went in each."""
    ways: Mapping[str | None, Direction] = {"asc": "asc", "desc": "desc"}
    asked = request.orders or [Sort(Fig(), ways.get(request.direction))]
    moved = ("close:ret",)
    sorts = [
        replace(one, phrase=replace(one.phrase, mets=one.phrase.mets or moved)) for one in asked
    ]
    return ordered(replace(request, orders=sorts, direction=None), market)


def times_with(request: Request, market: Market) -> Query:
    """腾讯哪天收盘价超过200, 首次突破200: the sessions at which it holds; of a figure of reports
    the years. Oldest first.
    """
    test = _tested(request)
    found = None if "whichyear" in request.asks else _days_with(request, test)
    if found is None:
        moves = any(isinstance(one, Change) and one.of == "close" for one in walk(test))
        if moves and "whichday" in request.asks:  # of a whole year's move no day is told
            raise UnusedError("days of a year")
        found = periods_with(replace(request, conds=[test], mets=[], bounds=[]), market)
    if request.series is not None and (request.series != "daily" or found.rows != "days"):
        raise UnusedError("series")
    return on_occasion(found, request.occasion)


def sessions_at_end(request: Request, market: Market) -> Query:
    """2016年前三个交易日的收盘价: the price at the first or last sessions of a time."""
    symbols = listed(request.ents)
    # 涨了多少 of a session is its own change.
    mets = ["pct_change" if one == "close:ret" else one for one in request.mets] or ["close"]
    window = request.when.days if request.when is not None else None
    if len(symbols) != 1 or window is None or not all(map(is_of_days, mets)):
        raise UnusedError("sessions of whom")
    show = tuple(Metric(id=one, when=OWN) for one in mets)
    days = Query(rows="days", scope=companies(symbols), window=window, show=show)
    return on_occasion(days, request.occasion)


def counted_times(request: Request, market: Market) -> Query:
    """净利润下降过几次, 2016年有几个月是涨的: how many years, months or sessions.

    Raises: UnusedError.
    """
    if request.asks & _ROWS.keys():
        times = periods_with(request, market)
    else:
        asked = "whichyear" if "years" in request.asks else "whichday"
        asks = request.asks - {"years", "days"} | {asked}
        times = times_with(replace(request, asks=asks), market)
    return times.but(show=(), fold=(Folded(how="count"),))


def on_occasion(times: Query, said: Occasion | None) -> Query:
    """最近三次, 第一次: so many of the times at which it held, from the newest or the oldest."""
    if said is None:
        return times
    count, skip, is_newest = said
    order = (NEWEST_FIRST,) if is_newest else ()
    return times.but(order=order, take=Take(count=count, skip=skip))


def _tested(request: Request) -> Pred:
    """The condition; a bound stands behind its figure (净利润首次超过200亿), or is of the price."""
    if len(request.conds) == 1 and not (request.bounds or request.mets):
        return request.conds[0]
    (sign, amount, upper), *more = request.bounds or [(None, NOUGHT, None)]
    is_of_price = amount.unit != "percent" and not amount.scaled
    mets = request.mets or (["close"] if is_of_price else [])
    found = compare(Fig(mets=tuple(mets)), sign, amount) if len(mets) == 1 else None
    if found is None or isinstance(found, AskedOf) or more or upper or request.conds:
        raise UnusedError("conds")
    return found


def _days_with(request: Request, test: Pred) -> Query | None:
    """The sessions; None where it is no figure of sessions."""
    if not isinstance(test, Compare) or not isinstance(test.left, Metric):
        return None
    left, symbols = test.left, listed(request.ents)
    if left.when.kind != "latest" or not is_of_days(left.id):
        return None
    window = request.when.days if request.when is not None else ALL
    if len(symbols) != 1 or left.of or window is None:
        raise UnusedError("days of whom")
    own = Metric(id=left.id, when=OWN)
    where = test.but(left=own)
    return Query(rows="days", scope=companies(symbols), window=window, where=where, show=(own,))


def since_extreme(request: Request, market: Market) -> Query:
    """2015年以来最高点是哪天，到现在跌了多少: how far the newest lies from a highest or lowest
    of a time, which is told with its day.
    """
    sorts = [one for one in request.orders if one.take in (None, 1) and not one.skip]
    phrase = request.phrase
    for one in request.orders:
        phrase = phrase and phrase.merged(one.phrase)
    if len(sorts) != len(request.orders) or phrase is None or len(phrase.ents) != 1:
        raise UnusedError("since when")
    ways = {"max": "max", "min": "min", "desc": "max", "asc": "min"}
    said = [request.agg, request.direction, *(one.direction for one in sorts)]
    of = next(iter(phrase.mets), "close")
    hows = {ways.get(str(one)) for one in said if one} or {{"high": "max", "low": "min"}.get(of)}
    turn = {"max": "off", "min": "above"}.get(str(hows.pop()))
    if len(phrase.mets) > 1 or of not in ("close", "high", "low") or hows or turn is None:
        raise UnusedError("since what")
    expr = needed(f"{of}:{turn}", Fig(when=phrase.when))
    return Query(scope=companies(listed(phrase.ents)), show=with_sides(expr))


SHAPES = (
    shape("day_tests", "ents when count ask.days ask.daylist agg occasion ask.whichday", days_of),
    shape(
        " | ".join(
            f"ents {test} {asked}"
            for asked in ("ask.whichyear", "ask.whichday", "occasion")
            for test in ("conds", "bounds")
        ),
        "mets when series ask.whichyear ask.whichday occasion",
        times_with,
    ),
    shape("ents when ask.sessions", "mets occasion series ask.whichday", sessions_at_end),
    shape("ents conds ask.whichmonth | ents conds ask.whichquarter", "when", periods_with),
    shape(
        " | ".join(f"ents conds ask.{one}" for one in ("years", "days", "months", "quarters"))
        + " | ents bounds ask.days",
        "mets when agg",
        counted_times,
    ),
    shape(
        "ents direction ask.whichmonth | ents direction ask.whichquarter | "
        "ents orders ask.whichquarter",
        "when take orders",
        best_periods,
    ),
    shape("ents ask.sinceit", "mets when agg orders direction ask.whichday", since_extreme),
)
