"""The action that brings prices of past days: bars, how far the price went, its highest and lowest.

How far it went is counted from the last close before the days asked about, as exchanges do; from
the first close in them where nothing earlier is known. Of 近60个交易日 it is counted from the close
exactly so many sessions before the last bar.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.formulas import formula_for
from services.core.rendering import place
from services.core.source_marks import note_text
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.history import Bar, PriceHistory, begin_note, price_history
from services.market.outages import Absence, attempt
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import (
    AnswerColumn,
    AnswerRow,
    Outcome,
    columns_of,
    id_of,
    quote_text,
)
from services.query.answering.sentences import say
from services.query.assertions.of_days import SpanExtreme, Went, is_gapped, series_text
from services.query.planning.plir import PlirNode
from services.query.reading.sessions_said import sessions_said
from services.query.sayings import saying

# A year of sessions and some: what is asked of a year is drawn and listed whole.
BARS_SHOWN = 260
# Further back than the longest holidays, to find the close before the first day.
_BEFORE = timedelta(days=30)
_FIELDS = ("open", "high", "low", "close", "volume")
_MOVE = "(close / previous - 1) * 100"
_LABELS = {
    "close": Text("收盘", "Close"),
    "base_close": Text("起点收盘", "Close before"),
    "last_close": Text("期末收盘", "Last close"),
}
# 2016年底, the end of June: the last session then. A day that was named stands for itself.
_ENDS = re.compile(
    r"[年月季]度?[底末]|最后一(?:天|日|个交易日)|\b(?:year|month|quarter)[- ]end|\bend of\b", re.I
)
# What is known on a day without a session too: the last close.
_LEVELS = frozenset({"price", "close"})
# What a row of the whole span says; anything else is a figure of each day.
_SUMMED = frozenset({"pct_change", "high", "low"})


@dataclass(frozen=True, slots=True)
class _Span:
    """The sessions asked about, and the close from before them that changes are counted from.

    `lost`: how many sessions of the days, up to the last bar, the source lacks; `since`: the day of
    the base, where sessions between it and the days are lost.
    """

    found: PriceHistory
    inside: Sequence[Bar]
    base: Claim
    last: Claim
    change: Figure
    lost: int
    since: date | None = None


def bars(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Daily bars of the days asked for, how far the price went, and its extremes where wanted.

    When only the change or an extreme is wanted, one row says it and no bar is listed.
    """
    days, subject = desk.days(node, "OneMonth"), desk.subject(node)
    wanted = [desk.metadata.by_code(slot.code).physical_metric for slot in node.outputs]
    start, end = days.start, days.end
    held = _last_session(desk, desk.symbol(node), end) if start == end else None
    is_end = any(map(_ENDS.search, desk.questions))
    no_session = held is not None and held != end and not is_end
    if no_session and not _LEVELS.issuperset(wanted):
        raise NoDataError(f"daily_bars {node.arg('ticker')}", _tell_before(end, held))
    start, end = (held, held) if held is not None else (start, end)
    span = _find_asked(desk, desk.symbol(node), start, end)
    extremes = {metric: _extreme(desk, span, metric) for metric in ("high", "low")}
    told = [_run(desk, subject, span)]
    for name in extremes:
        told += _tell_extreme(desk, subject, span, extremes[name]) if name in wanted else ()
    notes = [_tell_before(days.end, end)] if no_session else []
    notes += _span_notes(span, begins=days.start is None)
    if wanted and _SUMMED.issuperset(wanted) and len(span.inside) > 1:
        columns, rows = _sum_up(
            subject, span, {one: extremes[one] for one in extremes if one in wanted}
        )
        listed: Sequence[AnswerRow] = ()
    else:
        fields = (*_FIELDS, *(one for one in wanted if one in {"amount", "change"}))
        listed = rows = tuple(
            _row(desk, span.found, bar, fields) for bar in span.inside[-BARS_SHOWN:]
        )
        columns = columns_of(fields, _LABELS)
        if len(span.inside) > len(rows):
            notes.append(saying("shortened", count=BARS_SHOWN))
    return Outcome(
        node,
        subject,
        {
            "data": [{"time": row.label.zh, **row.figures} for row in listed],
            "pct_change": span.change,
            **extremes,
        },
        columns,
        rows,
        sentences=tuple(told),
        notes=tuple(notes),
        compared={"run_change": span.change} if "pct_change" in wanted else {},
    )


def _span_notes(span: _Span, *, begins: bool) -> list[Text]:
    """What is to be known of a span's bars; `begins`: it had no first day of its own."""
    notes = [quote_text(note_text(span.found.note))] if span.found.note else []
    if span.since is not None:
        notes.append(saying("lost_base", day=span.since))
    if span.lost:
        notes.append(saying("span_lacks", count=span.lost))
    if begins:
        first = span.inside[0].date
        notes.append(begin_note(first))
    return notes


def moved(
    desk: ActionDesk, symbol: Symbol, days: tuple[date | None, date], subject: Text
) -> Sequence[Text]:
    """How far the price went in these days, and its largest rise and fall of one session where they
    are several; empty when it did not trade.
    """
    found = attempt(desk.ledger, lambda: _span(desk, symbol, *days))
    if isinstance(found, Absence):
        return ()
    return (_run(desk, subject, found), *_tell_largest(desk, found))


def _tell_largest(desk: ActionDesk, span: _Span) -> Iterator[Text]:
    """The sessions that moved most, of those whose bar before is held."""
    history, sessions = span.found, span.found.sessions
    begin, formula = len(history.bars) - len(span.inside), formula_for("pct_change", _MOVE)
    moves = {
        at: history.bars[at].close / history.bars[at - 1].close - 1
        for at in range(max(begin, 1), len(history.bars))
        if history.bars[at - 1].close > 0 and not sessions.lacking(at - 1, at).lost
    }
    if len(span.inside) < 2 or len(moves) < 2 or formula is None:
        return
    for way in (1, -1):
        at = max(moves, key=lambda one, way=way: moves[one] * way)
        if moves[at] * way <= 0:
            continue
        closes = [history.claim(desk.ledger, history.bars[at - n].date, "close") for n in (0, 1)]
        move = desk.ledger.derive(formula, closes)
        if move is not None and way > 0:
            yield saying("largest_rise", day=str(move.as_of), move=place(move))
        elif move is not None:
            yield saying("largest_fall", day=str(move.as_of), move=place(move))


def _last_session(desk: ActionDesk, symbol: Symbol, day: date | None) -> date | None:
    """That day, or the last session before it where it is none."""
    calendar = desk.bench.calendar
    if day is None or calendar.sessions(symbol.market, day, day):
        return day
    return calendar.previous_session(symbol.market, day)


def _find_asked(desk: ActionDesk, symbol: Symbol, start: date | None, end: date | None) -> _Span:
    """The sessions or the days the question says. Raises: as `_span`."""
    calendar, today = desk.bench.calendar, desk.bench.clock.now().date()
    count = sessions_said(desk.questions, (start, end), calendar, symbol.market, today)
    return _span(desk, symbol, start, end, count)


def _span(
    desk: ActionDesk, symbol: Symbol, start: date | None, end: date | None, count: int | None = None
) -> _Span:
    """The days, or with `count` that many sessions up to the last bar in them.

    Raises: NoDataError when nothing traded in these days.
    """
    earlier = start - _BEFORE if start else None
    if start and end and count:
        earlier = start - (end - start) - _BEFORE  # the last bar may be long before the end
    found = price_history(desk.ledger, symbol, earlier, end, calendar=desk.bench.calendar)
    if start is not None and (newest := found.bars[-1].date) < start:
        lost = desk.bench.calendar.sessions(symbol.market, start, end or start)
        why = _tell_lost(newest) if lost else saying("no_session")
        raise NoDataError(f"daily_bars {symbol}", why)
    sessions, last = found.sessions, len(found.bars) - 1
    opening = next(
        at
        for at, bar in enumerate(found.bars)
        if (sessions.count_sessions(at, last) <= count if count else not start or bar.date >= start)
    )
    base = max(opening - 1, 0)
    why, early = "", 0
    if count:
        window = sessions.window(last, count + 1, ends=True)
        why = window.why
        early = 0 if window.first is not None else sessions.lacking(base, opening).lost
    elif start and opening:
        # Where the close right before is lost it is counted from the last one held.
        early = _count_lost_before(desk, found, symbol, found.bars[base].date, start)
    first, newest = (found.claim(desk.ledger, found.bars[at].date, "close") for at in (base, last))
    change = (
        Missing(metric="run_change", symbol=found.symbol, reason=why)
        if why
        else _change(desk, found.symbol, newest, first)
    )
    inside = found.bars[opening:]
    within = sessions.lacking(base, last).lost - early
    since = found.bars[base].date if early and not count else None
    return _Span(found, inside, first, newest, change, within, since)


def _tell_before(day: date | None, before: date | None) -> Text:
    """Of a day that is none of the exchange's, the session before it."""
    return saying("no_trading_day", day=str(day), before=str(before))


def _tell_lost(newest: date) -> Text:
    """Of sessions without a bar nobody knows whether the share rested or the source ends."""
    return saying("bars_end_before", newest=newest)


def _count_lost_before(
    desk: ActionDesk, found: PriceHistory, symbol: Symbol, base: date, start: date
) -> int:
    """How many sessions between the base and the first day asked about the source lacks."""
    lost = [gap for gap in found.gaps if gap.kind != "suspension"]
    return sum(
        any(gap.start <= day <= gap.end for gap in lost)
        for day in desk.bench.calendar.sessions(symbol.market, base, start)
        if base < day < start
    )


def _sum_up(
    subject: Text, span: _Span, extremes: Mapping[str, Claim]
) -> tuple[tuple[AnswerColumn, ...], tuple[AnswerRow, ...]]:
    """The span in one row: both closes, the change, and the extremes wanted."""
    figures: dict[str, Figure] = {
        "base_close": span.base,
        "last_close": span.last,
        "run_change": span.change,
        **extremes,
    }
    return columns_of(figures, _LABELS), (AnswerRow(subject, figures, span.found.symbol),)


def _change(desk: ActionDesk, symbol: str, last: Claim, first: Claim) -> Figure:
    """From the one close to the other; missing when there is only one."""
    formula = formula_for("run_change", "(last / first - 1) * 100")
    derived = desk.ledger.derive(formula, (last, first)) if formula and first != last else None
    return derived or Missing(metric="run_change", symbol=symbol, reason=saying("no_earlier_close"))


def _row(desk: ActionDesk, found: PriceHistory, bar: Bar, fields: Sequence[str]) -> AnswerRow:
    day = bar.date.isoformat()
    figures: dict[str, Figure] = {
        name: found.claim(desk.ledger, bar.date, name)
        if found.has(bar.date, name)
        else Missing(metric=name, symbol=found.symbol, reason=saying("not_given"))
        for name in fields
    }
    return AnswerRow(Text(day, day), figures, found.symbol)


def _extreme(desk: ActionDesk, span: _Span, metric: str) -> Claim:
    """The highest high or the lowest low, of the newest day that reached it."""
    if metric == "high":
        bar = max(span.inside, key=lambda one: (one.high, one.date))
    else:
        bar = max(span.inside, key=lambda one: (-one.low, one.date))
    return span.found.claim(desk.ledger, bar.date, metric)


def _tell_extreme(desk: ActionDesk, subject: Text, span: _Span, extreme: Claim) -> Iterator[Text]:
    """The highest or lowest price of the span; where the source lacks sessions of it, of the bars
    there are.
    """
    history, days = span.found, (span.inside[0].date, span.inside[-1].date)
    series = desk.ledger.window("values", history.call, history.symbol, extreme.metric, *days)
    how = "max" if extreme.metric == "high" else "min"
    text = f"{how}({series_text(extreme.metric, *days)})"
    over = desk.ledger.express(text, history.symbol, (), series=(series,))
    if over is not None:
        made = SpanExtreme(
            symbol=extreme.symbol, claim=extreme.claim_id, over=over.claim_id, days=days,
            whole=not is_gapped(over),
        )  # fmt: skip
        yield say(made, desk.ledger, {extreme.symbol: subject})


def _run(desk: ActionDesk, subject: Text, span: _Span) -> Text:
    """The last close, and how far it is from the close before the days asked about."""
    change = id_of(span.change)
    first = span.base.claim_id if change is not None else None
    made = Went(symbol=span.last.symbol, last=span.last.claim_id, first=first, change=change)
    return say(made, desk.ledger, {span.last.symbol: subject})
