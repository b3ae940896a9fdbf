"""Questions about named companies: figures, years and days, which of them, whether, what place."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    AllOf,
    Arith,
    Compare,
    Const,
    Expr,
    Fold,
    Folded,
    In,
    Order,
    Over,
    Pred,
    Query,
    Rows,
    Take,
    When,
    both,
)
from services.query.algebra.times import BAR_METRICS, is_barred
from services.query.algebra.types import tests_in
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_compared import compared, is_newest
from services.query.reading.figures_said import (
    base,
    gain_of,
    growth_of,
    is_of_days,
    is_of_years,
    is_told_with_days,
    made_of,
    unit,
)
from services.query.reading.phrases import Fig, Time, figure, is_one_day, said_as
from services.query.reading.predicates import Sort
from services.query.reading.reasons import reason
from services.query.reading.request import Request
from services.query.reading.shapes import Market, listed, listed_there, shape
from services.query.reading.times_joined import months_of, quarters_of, whole_years
from services.query.reading.worded_tests import need_limits

_SEVERAL_DAYS = 5
# How far a price went.
MOVES = frozenset({"pct_change", "close:ret", "close:fall"})


def needed(name: str, phrase: Fig, *, own: bool = False) -> Expr:
    """The expression of a figure. Raises: UnusedError where that time or fold of it is none."""
    made = figure(name, phrase, own=own)
    if made is None:
        raise UnusedError(f"figure {name}")
    return made


def companies(symbols: Sequence[str]) -> In:
    """Those companies."""
    return In(dim="symbol", values=tuple(symbols))


def _mets(request: Request) -> list[str]:
    """The figures, with a growth that was asked beside them."""
    if "growth" in request.asks or "cagr" in request.asks:
        turn = "cagr" if "cagr" in request.asks else "yoy"
        made = [f"{one}:{turn}" if growth_of(one) else "" for one in request.mets]
        if not all(made) or not made:
            raise UnusedError("growth")
        # 营收及同比, of one company: the figure too.
        return [*request.mets, *made] if request.marks & {"and"} else made
    if "madeof" not in request.asks:
        return request.mets
    if not (parts := made_of(request.mets)) or request.agg:  # ROE是多少，怎么算的
        raise UnusedError("made of")
    return [*request.mets, *parts]


# What a year or month of sessions has of these, where nothing else was said.
_OF_A_PERIOD: Mapping[str, Fold] = {"high": "max", "low": "min", "volume": "sum"}


def figures(request: Request, market: Market) -> Query:
    """茅台2015年净利润和营收; 近三年, 每年, 每天: rows; 平均: folded."""
    symbols = listed(request.ents)
    if request.scope is not None:
        symbols = _listings(request, symbols, request.scope, market)
    mets, time, agg = _mets(request), request.when, request.agg
    if (grown := _grown_over_all(request, symbols, mets)) is not None:
        return grown
    _need_used(request, mets)
    mets = list(mets) or _figures_meant(request)
    hows: tuple[Fold | None, ...] = (agg, request.also) if request.also else (agg,)
    if agg is not None and len(symbols) > 1 and not _is_span(time, mets):
        if len(mets) != 1 or request.series:
            raise UnusedError("agg")
        expr = needed(mets[0], Fig(when=time))
        folds = tuple(Folded(how=how, of=expr) for how in hows if how)
        return Query(scope=companies(symbols), fold=folds)
    if parts := _parts_apart(request, mets):
        phrases = [Fig(when=Time(days=part), agg=agg) for part in parts]
        each = tuple(needed(one, phrase) for one in mets for phrase in phrases)
        return Query(scope=companies(symbols), show=each)
    if each := _in_each_period(request, mets):
        return _by_period(symbols, each, request)
    if agg is None and (request.series or (_is_span(time, mets) and not _spans_itself(mets))):
        return _rows(symbols, mets, time, request.series)
    if request.series and agg is not None and any(":" in one for one in mets):
        raise UnusedError("series")
    when = time or (Time(ALL, ALL) if request.series else None)
    each = [needed(one, Fig(when=when, agg=how)) for one in mets for how in hows]
    shown = [side for one in each for side in with_sides(one)]
    is_of_each = (not agg or len(mets) == 1) and all(map(is_told_with_days, shown))
    if "whichday" in request.asks and not is_of_each:  # 最高收盘是哪天，成交量多少: of that day
        raise UnusedError("which day")
    return Query(scope=companies(symbols), show=tuple(dict.fromkeys(shown)))


def _by_period(symbols: Sequence[str], mets: Sequence[str], request: Request) -> Query:
    if request.series == "monthly":
        return _table("months", symbols, mets, months_of(request.when))
    return _table("years", symbols, mets, _years_of(request.when))


def _in_each_period(request: Request, mets: Sequence[str]) -> list[str]:
    """每年涨幅, 每年最高价, 每月收盘价: what sessions make of a year or a month; none where no
    such rows were said, or they make nothing of one.
    """
    if request.series not in ("series", "monthly") and not request.asks & _PERIODS:
        return []
    found: list[str] = []
    for one in mets:
        fold = request.agg or _OF_A_PERIOD.get(one)
        if one in ("close:ret", "pct_change") and request.agg is None:
            found.append("close:ret")
        elif one in BAR_METRICS and one != "pct_change" and (fold or one == "close"):
            found.append(f"{one}:{fold}" if fold else one)
        else:
            return []
    return found


def _years_of(time: Time | None) -> When:
    """The years said, or that the days said are; else all. Raises: UnusedError of one, of days."""
    if time is None or _is_ever(time):
        return ALL
    years = (whole_years(time.days) if time.days is not None else None) or time.periods
    if years is None or time.is_one_year:
        raise UnusedError("when")
    return years


def _need_used(request: Request, mets: Sequence[str]) -> None:
    """Raises: UnusedError for a direction, or a multiple asked, that these figures have not."""
    if request.direction is not None and (mets or request.agg or request.series):
        raise UnusedError("direction")
    if request.also and (request.series or (request.when is not None and request.when.parts)):
        raise UnusedError("also")
    if "times" in request.asks and any(unit(one) != "multiple" for one in mets):
        raise UnusedError("times")  # 多少倍 is asked of multiples; 营收增长了几倍 of a growth


def _grown_over_all(request: Request, symbols: Sequence[str], mets: Sequence[str]) -> Query | None:
    """2013年以来营收累计增长多少: from the first year to the last; None where that is not asked.

    Raises: ChoiceError where it may be the growth of each year too.
    """
    time, agg = request.when, request.agg
    grows = bool(mets) and all(one.endswith(":yoy") for one in mets)
    if not grows or time is None or request.series:
        return None
    if agg == "sum" and time.is_many_years:
        return _whole_growth(symbols, mets, time)
    if agg is None and _is_since(time):
        each = _rows(symbols, mets, time, None)
        raise ChoiceError(reason("grown_since"), [_whole_growth(symbols, mets, time), each])
    return None


def course_of(request: Request, market: Market) -> Query:
    """毛利率这五年的走势: the figure of each of those years."""
    if request.agg or not all(is_of_years(one) for one in request.mets):
        raise UnusedError("course")
    return figures(replace(request, series="series"), market)


def _is_since(time: Time | None) -> bool:
    """2013年以来: from a year on."""
    when = time.periods if time is not None else None
    return when is not None and when.kind == "years" and when.first is not None and not when.last


def _whole_growth(symbols: Sequence[str], mets: Sequence[str], time: Time | None) -> Query:
    """From the first year said to the last."""
    show = tuple(needed(one, Fig(when=time)) for one in mets)
    return Query(scope=companies(symbols), show=show)


def with_sides(expr: Expr) -> tuple[Expr, ...]:
    """A figure put together of two others is shown with both."""
    return (expr, expr.left, expr.right) if isinstance(expr, Arith) else (expr,)


def _listings(
    request: Request, symbols: tuple[str, ...], scope: Pred, market: Market
) -> tuple[str, ...]:
    """The listings in the market said; beside those before it where 和 joins them."""
    there = listed_there(symbols, scope, market)
    if "listings" not in request.marks:
        return there
    if len(symbols) != 1 or set(there) & set(symbols):
        raise UnusedError("listings")
    return (*symbols, *there)


def _figures_meant(request: Request) -> list[str]:
    """What is asked where no figure was named: 历史最低 of its prices, 2016年报.

    Raises: UnusedError.
    """
    time = request.when
    if request.agg in ("max", "min"):
        return ["close"]
    if request.direction is not None and time is not None:
        return ["high" if request.direction == "desc" else "low"]
    is_annual = time is not None and time.periods is not None and time.periods.kind == "years"
    if time is not None and time.is_report and time.is_one_year and is_annual:
        return ["revenue", "net_profit"]
    raise UnusedError("figure of whom")


def _is_span(time: Time | None, mets: Sequence[str]) -> bool:
    """Whether the time is several years of reports, or several sessions of these figures."""
    if time is None:
        return False
    if all(is_of_years(one) for one in mets):
        return time.is_many_years or _is_ever(time)
    if time.lately and not any(is_of_days(one) or ":" in one for one in mets):
        return False  # 最近市值: the newest there is
    return time.days is not None and not is_one_day(time)


def _parts_apart(request: Request, mets: Sequence[str]) -> tuple[When, ...]:
    """6月和8月涨幅: each of them; 6月和7月收盘价 are the days of both."""
    time = request.when
    if time is None or request.series or not all(is_barred(base(one)) for one in mets):
        return ()
    return time.parts if time.days is None or request.agg or _spans_itself(mets) else ()


def _is_ever(time: Time | None) -> bool:
    """历史分红: of every year there is."""
    return time is not None and time.periods is None and time.days == ALL


def _spans_itself(mets: Sequence[str]) -> bool:
    """Figures of a whole span: a change, a growth per year, the highest price of it."""
    return all(
        one in ("high", "low") or (":" in one and not one.endswith((":yoy", ":lost")))
        for one in mets
    )


def _rows(
    symbols: Sequence[str], mets: Sequence[str], time: Time | None, series: str | None
) -> Query:
    if all(is_of_years(one) for one in mets):
        if series in ("daily", "monthly"):
            raise UnusedError("series")
        window = time.periods if time and not _is_ever(time) else None
        if time is not None and window is None and not _is_ever(time):
            raise UnusedError("when")
        return _table("years", symbols, mets, window or ALL)
    if not all(":" not in one and is_of_days(one) for one in mets):
        raise UnusedError("series")
    if series == "series" or time is None or time.days is None:
        raise UnusedError("series")
    return _table("days", symbols, mets, time.days)


def _table(
    rows: Rows,
    symbols: Sequence[str],
    mets: Sequence[str],
    window: When,
) -> Query:
    show = tuple(needed(one, Fig(), own=True) for one in mets)
    is_quarterly = window.kind == "quarters" or window.unit == "quarters"
    grain = "quarters" if is_quarterly and rows == "years" else rows
    return Query(rows=grain, scope=companies(symbols), window=window, show=show)


def ordered(request: Request, market: Market) -> Query:
    """Which company, year or day is first: 茅台和五粮液谁的市值大, 茅台哪年净利润最高."""
    if len(request.orders) != 1:
        raise UnusedError("orders")
    sort = request.orders[0]
    phrase = sort.phrase
    symbols = listed([*request.ents, *phrase.ents])
    time = phrase.when or request.when
    scope = both(request.scope, phrase.scope)
    if scope is not None:
        symbols = _listings(request, symbols, scope, market)
    if (phrase.when and request.when) or phrase.agg or not phrase.mets:
        raise UnusedError("order")
    name, extra = phrase.mets[0], [one for one in request.mets if one not in phrase.mets]
    if name in MOVES and (request.days or "whichday" in request.asks):
        extra = [one for one in extra if one not in MOVES]  # 跌得最狠的是哪天，跌了多少
    if len(symbols) > 1:
        return _first_company(symbols, sort, time, name, extra, request)
    if sort.direction is None or "rank" in request.asks:
        raise UnusedError("which end")  # 按现在的股价算股息率: no end of it was said
    if "daylist" in request.asks and request.days is None:
        request.days = _SEVERAL_DAYS  # 跌得最狠的是哪几天
    if request.asks & _PERIODS:
        return _first_period(symbols, sort, time, [name, *extra], request)
    return _first_row(symbols, sort, time, name, extra, request)


def _first_company(
    symbols: Sequence[str],
    sort: Sort,
    time: Time | None,
    name: str,
    extra: Sequence[str],
    request: Request,
) -> Query:
    if name == "pct_change" and _is_span(time, [name]):
        name = "close:ret"  # which fell the most in July
    dated = request.asks & {"whichyear", "whichday", "daylist"} or request.days
    if dated or sort.direction == "both" or (_is_span(time, [name]) and ":" not in name):
        raise UnusedError("which")
    by = needed(name, Fig(when=time))
    is_first = sort.direction is None and sort.take is not None  # 前两家的净利率: of those alone
    if request.take is not None or sort.skip or request.place is not None or is_first:
        raise UnusedError("take")
    show = (by, *(needed(one, Fig(when=time)) for one in extra))
    direction = "asc" if sort.direction == "asc" else "desc"
    return Query(scope=companies(symbols), order=(Order(by=by, direction=direction),), show=show)


# What asks for months or quarters.
_PERIODS = frozenset({"whichmonth", "whichquarter"})


def _first_period(
    symbols: Sequence[str], sort: Sort, time: Time | None, mets: Sequence[str], request: Request
) -> Query:
    """恒指上半年哪个月涨得最多: the month, or of moves the quarter, of the highest or lowest of
    what its sessions made.
    """
    each = list(dict.fromkeys(_in_each_period(request, mets)))
    is_plain = request.days is None and request.place is None and sort.direction != "both"
    is_of_months = "whichmonth" in request.asks
    if not each or not is_plain or not (is_of_months or each == ["close:ret"]):
        raise UnusedError("months")
    window = months_of(time) if is_of_months else quarters_of(time)
    table = _table("months" if is_of_months else "quarters", symbols, each, window)
    order = Order(by=table.show[0], direction="asc" if sort.direction == "asc" else "desc")
    take = Take(count=sort.take or request.take or 1, skip=sort.skip or 0)
    return table.but(order=(order,), take=take)


def _first_row(  # noqa: C901 — one case a line
    symbols: Sequence[str],
    sort: Sort,
    time: Time | None,
    name: str,
    extra: Sequence[str],
    request: Request,
) -> Query:
    """The year or day of one company: of a yearly figure the year."""
    if request.take is not None and request.days is not None:
        raise UnusedError("take")
    if request.place == 0 or sort.is_asked:
        raise UnusedError("place")
    skip = sort.skip or (request.place - 1 if request.place else 0)
    if sort.skip and request.place:
        raise UnusedError("place")
    count = request.days or sort.take or request.take
    count = count or (None if sort.is_list and not request.place else request.places)
    if (grown := _reported_growth(name, extra, request)) is not None:
        name, extra = grown, [one for one in extra if base(one) != base(grown)]
    is_yearly = name in ("close:ret", "pct_change") and "whichyear" in request.asks
    if name in ("close:ret", "pct_change"):
        name = "close:ret" if is_yearly else "pct_change"
    if is_yearly and time is not None and time.periods is None:
        raise UnusedError("when")
    daily = not is_yearly and is_of_days(name) and not name.endswith(":yoy")
    of_another = {"whichyear"} if daily else {"whichday"}
    if request.asks & of_another or (request.days and not daily):
        raise UnusedError("which")
    if not daily and not is_yearly and not is_of_years(name):
        raise UnusedError("history")
    window = (time.days if daily else time.periods) if time else ALL
    is_one = time is not None and (is_one_day(time) or (not daily and time.is_one_year))
    if window is None or is_one:
        raise UnusedError("when")
    if sort.direction == "both":
        if extra or ":" in name or skip or count != 1:
            raise UnusedError("both")
        folds: tuple[Fold, Fold] = ("max", "min")
        return Query(
            scope=companies(symbols),
            show=tuple(Over(how=one, of=name, window=window) for one in folds),
        )
    by = needed(name, Fig(), own=True)
    show = (by, *(needed(one, Fig(), own=True) for one in extra))
    found = Query(rows="days" if daily else "years", scope=companies(symbols), window=window)
    if name.endswith(":lost"):
        found = found.but(where=Compare(sign="lt", left=by, right=Const(value=0, unit="money")))
    take = Take(count=count, skip=skip) if count else None
    return found.but(order=(Order(by=by, direction=sort.way),), take=take, show=show)


def _reported_growth(name: str, others: Sequence[str], request: Request) -> str | None:
    """净利润哪年涨得最多: the growth of the reported figure said, of a percentage its points; None
    where none was said, and the price is meant.

    Raises: UnusedError where several were.
    """
    reported = [one for one in others if is_of_years(one)]
    is_move = name in ("close:ret", "close:fall", "pct_change") and "whichyear" in request.asks
    if not is_move or not reported:
        return None
    if len(reported) > 1 or growth_of(of := base(reported[0])) is None or name == "close:fall":
        raise UnusedError("which figure")
    return gain_of(of) if unit(of) == "percent" else growth_of(of)


def extreme_row(request: Request, market: Market) -> Query:
    """茅台历史最高收盘价是哪一天: the day of a highest or lowest."""
    mets = request.mets or ["close"]
    if len(mets) != 1 or len(request.ents) != 1:
        raise UnusedError("which")
    name = mets[0]
    how = {"high": "max", "low": "min"}.get(name, request.agg)
    if how not in ("max", "min") or (request.agg and request.agg != how):
        raise UnusedError("which")
    sort = Sort(Fig(mets=(name,)), "desc" if how == "max" else "asc")
    return ordered(replace(request, orders=[sort], mets=[], agg=None), market)


def checked(request: Request, market: Market) -> Query:
    """茅台市盈率低于30吗: a yes or no, with the figures it rests on."""
    pred = both(*(_at_time(one, request.when) for one in request.conds))
    symbols = listed(request.ents)
    is_told = all(isinstance(one.right, Const) for one in tests_in(pred))  # 超过100亿没有，是多少
    is_beyond = "beyond" in request.marks or ("what" in request.asks and not is_told)
    if pred is None or (is_beyond and len(symbols) == 1):
        raise UnusedError("conds")  # 超过五粮液多少 is no yes or no
    need_limits(pred, symbols)
    told = tuple(compared(pred))
    asked = [figure(one, Fig(when=request.when)) for one in request.mets]  # 有没有超过8天，几天
    if any(one not in told for one in asked):
        raise UnusedError("mets")
    return Query(scope=companies(symbols), check=pred, show=told)


def _at_time(pred: Pred, time: Time | None) -> Pred:
    """去年谁的净利润下滑了: what was said of the newest is of the time said apart.

    Raises: UnusedError where it has no such time.
    """
    if time is None:
        return pred
    if isinstance(pred, AllOf):
        return pred.but(items=tuple(_at_time(one, time) for one in pred.items))
    said = said_as(pred.left) if isinstance(pred, Compare) else None
    if not isinstance(pred, Compare) or said is None or said[1] or not is_newest(pred.left):
        raise UnusedError("when")
    return pred.but(left=needed(said[0], Fig(when=time)))


SHAPES = (
    shape("ents conds", "mets mark.all when", checked),
    shape(
        "ents orders",
        "mets when take days place scope ask.whichyear ask.whichmonth ask.whichday ask.daylist "
        "ask.rank mark.these mark.ne mark.listings",
        ordered,
    ),
    shape(
        "ents mets ask.whichyear | ents mets ask.whichday | ents agg ask.whichday",
        "mets when agg",
        extreme_row,
    ),
    shape("ents mets ask.trend", "when", course_of),
    shape(
        "ents",
        "mark.listings mets when agg also series scope apart direction ask.growth ask.cagr "
        "ask.times ask.whichday ask.madeof",
        figures,
    ),
)
