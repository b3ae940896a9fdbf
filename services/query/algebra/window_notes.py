"""What is told beside a figure made of the bars of a window: the day of an extreme, of a run or
of the deepest fall, and which sessions the source has no bars of.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise, product

from services.core.sessions import TradedSessions
from services.core.text import Text
from services.market.history import begin_note
from services.query.algebra.figures import FigureMaker, FoundRow
from services.query.algebra.nodes import (
    ALL,
    OWN,
    Course,
    HistoryRank,
    Over,
    Query,
    When,
    figures_in,
)
from services.query.algebra.scopes import named_symbols
from services.query.algebra.statements import at_time, folds_of_bars
from services.query.algebra.times import days_of, is_period
from services.query.algebra.words import COURSES, FOLDS
from services.query.sayings import saying

_FEW = 4
_LONGEST = frozenset({"longest_rise", "longest_fall"})
_RUNS = _LONGEST | {"rising", "falling"}


def tell_windows(query: Query, maker: FigureMaker, lines: Sequence[FoundRow]) -> Iterator[Text]:
    """Of a count of days, the day looked for among them, or a figure over the bars of a window:
    the sessions it has not seen; of the highest and lowest, when that was.
    """
    folded = list(folds_of_bars(query))
    periods = [days_of(at) for at in dict.fromkeys(one.at for one in lines) if is_period(at)]
    each = [at_time(one, period) for period in periods for one in folded] or folded
    of_days = query.rows == "days" and query.window is not None and (query.fold or query.take)
    windows = [query.window] if of_days and query.window is not None else []
    windows += [one.window if one.window != OWN else query.window or ALL for one in folded]
    symbols = dict.fromkeys(line.symbol for line in lines)
    some = (named_symbols(query.scope) or tuple(symbols))[:_FEW]
    for one, symbol in product(each, some):
        yield from _tell_day(maker, one, one.company or symbol)
    is_lost = False
    for window in dict.fromkeys(windows):
        for symbol in some:
            told = list(_tell(maker, window, symbol))
            is_lost |= bool(told)
            yield from told
            if told and "pct_change" in figures_in(query):
                yield from _tell_moves(maker, window, symbol)
            history = maker.points.histories.get(symbol)
            if window.kind == "all" and history is not None:
                begun = history.bars[0].date
                yield begin_note(begun)
                if query.take and not query.order and lines and lines[0].at == f"d{begun:%Y%m%d}":
                    yield saying("so_from_the_first")
    if is_lost and any(isinstance(one, Course) and one.how in _RUNS for one in folded):
        yield saying("run_ends")


def _tell_day(maker: FigureMaker, one: Over | HistoryRank | Course, symbol: str) -> Iterator[Text]:
    """The day of the highest or lowest, the days of the longest run; of several that are equal."""
    history = maker.points.histories.get(symbol)
    if history is None or isinstance(one, HistoryRank):
        return
    ref = maker.points.series(symbol, one.of, *maker.times.span(one))
    if ref is None:
        return
    values = {day: fact.value for day, fact in history.facts[one.of].items()}
    inside = sorted(day for day in values if ref.start <= day <= ref.end)
    name = maker.points.desk.named(symbol)
    if one.how in _LONGEST:
        sessions, sign = history.sessions, 1 if one.how == "longest_rise" else -1
        runs = _longest(sessions, [(day, values[day] * sign) for day in inside])
        for days in runs[:_FEW]:
            told = {"base": days[0], "start": days[1], "end": days[-1]}
            yield saying("longest_run", name=name, label=COURSES[one.how], **told)
        if len(runs) > _FEW:
            yield saying("more_runs")
    elif one.how == "drawdown":
        start, end = _deepest([(day, values[day]) for day in inside])
        if start < end:
            told = {"name": name, "label": COURSES[one.how], "start": start, "end": end}
            yield saying("drawdown_days", **told)
    elif one.how in {"max", "min"}:
        most = (max if one.how == "max" else min)(values[day] for day in inside)
        on = [day for day in inside if values[day] == most]
        yield saying("extreme_on", name=name, side=FOLDS[one.how], days=_days(on))


def _longest(
    sessions: TradedSessions, closes: Sequence[tuple[date, float]]
) -> Sequence[Sequence[date]]:
    """The days of each longest rise, with the one it is counted from; none where none rose."""
    runs: list[list[date]] = [[]]
    for (day, value), (later, other) in pairwise(closes):
        place = bisect_left(sessions.days, later)
        if other > value and not sessions.lacking(place - 1, place).lost:
            runs[-1] = [*(runs[-1] or [day]), later]
        else:
            runs.append([])
    longest = max(map(len, runs))
    return [one for one in runs if one and len(one) == longest]


def _deepest(closes: Sequence[tuple[date, float]]) -> tuple[date, date]:
    """The days between which they fell farthest below a highest so far; one day where they never
    did.
    """
    top, start = closes[0][1], closes[0][0]
    deepest, found = 1.0, (start, start)
    for day, value in closes:
        if value > top:
            top, start = value, day
        if value / top < deepest:
            deepest, found = value / top, (start, day)
    return found


def _tell(maker: FigureMaker, window: When, symbol: str) -> Iterator[Text]:
    """That sessions within were lost, and that its bars end earlier than the window."""
    history = maker.points.histories.get(symbol)
    if history is None:
        return
    first, last = maker.times.days(window)
    end = history.bars[-1].date
    lost = maker.points.lost(symbol, first, last)
    within, after = [one for one in lost if one < end], [one for one in lost if one > end]
    name = maker.points.desk.named(symbol)
    if within:
        yield saying("sessions_lost", name=name, days=_days(within))
    if after:
        yield saying("bars_end", name=name, end=end)


def _tell_moves(maker: FigureMaker, window: When, symbol: str) -> Iterator[Text]:
    """The days whose change nobody can tell, as the bar of the session before was lost."""
    first, last = maker.times.days(window)
    sessions = maker.points.histories[symbol].sessions
    pairs = enumerate(pairwise(sessions.days))
    unknown = [day for at, (_, day) in pairs if sessions.lacking(at, at + 1).lost]
    if within := [day for day in unknown if first <= day <= last]:
        name = maker.points.desk.named(symbol)
        yield saying("moves_lost", name=name, days=_days(within))


def _days(days: Sequence[date]) -> Text:
    """The first few of them."""
    told = [f"{one}" for one in days[:_FEW]]
    more = len(days) > _FEW
    return Text("、".join(told) + "等" * more, ", ".join(told) + " and others" * more)
