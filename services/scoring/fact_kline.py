"""Step 1, the course of the price: trend, how it moved and rested, and its abnormal moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.formulas import FORMULAS, formula_for
from services.core.ledger import Ledger
from services.core.rendering import place
from services.core.score_formulas import WINDOWS, hides_falls
from services.core.sessions import TradedSessions
from services.core.text import Text
from services.market.events.events import BENCHMARKS, Event, abnormal_events
from services.market.history import PriceHistory, price_history
from services.market.indicators.indicators import Indicators, indicators
from services.market.outages import Absence, attempt
from services.scoring.fact_words import (
    AnalysisDesk,
    RunSubject,
    finding,
    ids,
    is_fresh,
    named,
    reasons,
    stated,
    way_of,
)
from services.scoring.models import AbnormalMove, Direction, Finding, KlineAnalysis

# A year of sessions with its holidays, and more than a year of suspensions on top.
_REACH = timedelta(days=800)
_EVENTS_REACH = timedelta(days=90)
_HALT_REACH = timedelta(days=120)
_MOST_MOVES = 5
_OVER_BARS = {one.metric: one for one in FORMULAS if one.metric in WINDOWS}
_GAP = next(one for one in FORMULAS if one.metric == "ma_60_gap")
_SHOWN = ("close", "ma_20", "ma_60", "rsi", "macd_histogram", "technical_score")
_BARS = Text("日线", "daily bars")
_INDEX = Text("大盘对照", "the market beside it")
_MOVES = Text("异动", "abnormal moves")
_HIDDEN = Text(
    "跌得最多的一段跨缺日线的交易日，是不是单日无从得出",
    "the largest fall spans sessions without a bar: whether of one session is not known",
)


@dataclass(slots=True)
class _Course:
    """The bars of one company and what is made of them, and why the rest is not there."""

    ledger: Ledger
    subject: RunSubject
    history: PriceHistory
    sessions: TradedSessions
    figures: dict[str, Claim] = field(default_factory=dict[str, Claim])
    why: dict[Text, Text] = field(default_factory=dict[Text, Text])

    @property
    def last(self) -> date:
        """The newest session."""
        return self.history.bars[-1].date

    @property
    def is_fresh(self) -> bool:
        """Whether its newest session is new enough to be scored."""
        return is_fresh(self.last, self.subject.today, "price")

    def keep(self, figure: Figure | None) -> None:
        """Give it to the factors if it is there."""
        if isinstance(figure, Claim):
            self.figures.setdefault(figure.metric, figure)


def kline_analysis(ledger: Ledger, subject: RunSubject, desk: AnalysisDesk) -> KlineAnalysis:
    """Trend, return, swings, turnover and moves of late; nothing of a price that is too old."""
    since = subject.today - _REACH
    history = attempt(
        ledger,
        lambda: price_history(ledger, subject.symbol, since, None, calendar=desk.calendar),
    )
    if isinstance(history, Absence):
        return KlineAnalysis(
            stock_code=subject.symbol.value,
            stock_name=subject.name,
            status="missing",
            why=reasons({_BARS: history.why}),
        )
    course = _Course(ledger, subject, history, history.sessions)
    made = indicators(ledger, history, backend=desk.indicator_backend)
    moves: tuple[Event, ...] = ()
    if course.is_fresh:
        _measure(course, made)
        _against_market(course, desk)
    else:
        course.why[_BARS] = _too_old(course)
    _suspension(course)
    start = subject.today - _EVENTS_REACH
    events = attempt(
        ledger,
        lambda: abnormal_events(ledger, subject.symbol, start, None, calendar=desk.calendar),
    )
    if isinstance(events, Absence):
        course.why.setdefault(_MOVES, events.why)
    else:
        moves = events.events[:_MOST_MOVES]
        if events.unjudged.told:
            course.why[_MOVES] = events.unjudged.told
    return _tell_course(course, made, moves)


def _too_old(course: _Course) -> Text:
    day = course.last.isoformat()
    return Text(f"止于 {day}，已过旧，不用于评分", f"end on {day}, too old to be scored")


def _measure(course: _Course, made: Indicators) -> None:
    close, mean = made.figures["close"], made.figures["ma_60"]
    figures = [close, mean, *(_over_bars(course, metric) for metric in WINDOWS)]
    if isinstance(close, Claim) and isinstance(mean, Claim):
        figures.append(course.ledger.derive(_GAP, [close, mean]))
    for one in figures:
        course.keep(one)
    withheld: dict[Text, list[str]] = {}
    for one in figures:
        if isinstance(one, Missing):
            withheld.setdefault(one.reason, []).append(one.metric)
    for reason, metrics in withheld.items():
        names = [named(metric) for metric in metrics]
        what = Text("、".join(one.zh for one in names), ", ".join(one.en for one in names))
        course.why[what] = reason


def _over_bars(course: _Course, metric: str) -> Figure | None:
    """The figure over its window of sessions, which ends with the newest."""
    formula, history = _OVER_BARS[metric], course.history
    last = len(history.bars) - 1
    window = course.sessions.window(
        last, WINDOWS[metric], ends=formula.ends, adjacent=formula.adjacent
    )
    if window.first is None:
        return Missing(metric=metric, symbol=history.symbol, reason=window.why)
    bars = history.bars[window.first :]
    if any(bar.close <= 0 for bar in bars):
        return None  # prices adjusted by subtraction may end below nought: no percentages of them
    hidden = formula.of_one_session and hides_falls(
        [bar.close for bar in bars], course.sessions.list_follows(window.first, last)
    )
    if hidden:
        return Missing(metric=metric, symbol=history.symbol, reason=_HIDDEN)
    series: list[SeriesRef] = [
        course.ledger.window(
            slot.name, history.call, history.symbol, slot.metric, bars[0].date, bars[-1].date
        )
        for slot in formula.series
    ]
    if any(one.count != len(bars) for one in series):
        return None
    return course.ledger.derive(formula, [], series=series)


def _against_market(course: _Course, desk: AnalysisDesk) -> None:
    """Its change over a quarter less its market's, between the same two days."""
    symbol, bars = course.subject.symbol, course.history.bars
    window = course.sessions.window(len(bars) - 1, WINDOWS["return_60"], ends=True)
    if window.first is None:
        course.why[_INDEX] = window.why
        return
    first, last = bars[window.first].date, bars[-1].date
    benchmark = BENCHMARKS[symbol.market]
    index = attempt(
        course.ledger,
        lambda: price_history(
            course.ledger, benchmark, course.subject.today - _REACH, None, calendar=desk.calendar
        ),
    )
    if isinstance(index, Absence):
        course.why[_INDEX] = index.why
        return
    if not (index.has(first, "close") and index.has(last, "close")):
        course.why[_INDEX] = Text("指数缺对应交易日", "the index lacks these sessions")
        return
    changes = [_change(course.ledger, one, first, last) for one in (course.history, index)]
    formula = formula_for("relative_strength", "stock - index")
    there = [one for one in changes if one is not None]
    if formula is not None and len(there) == len(changes):
        course.keep(course.ledger.derive(formula, there))


def _change(ledger: Ledger, history: PriceHistory, first: date, last: date) -> Claim | None:
    formula = formula_for("run_change", "(last / first - 1) * 100")
    ends = [history.claim(ledger, day, "close") for day in (last, first)]
    return ledger.derive(formula, ends) if formula is not None else None


def _suspension(course: _Course) -> None:
    """The latest suspension, if there was one of late."""
    days = course.history.facts.get("suspended_sessions", {})
    if not days:
        return
    latest = max(days)
    if course.subject.today - latest <= _HALT_REACH:
        claim = course.ledger.claim(course.history.call, days[latest])
        course.keep(claim)


def _tell_course(course: _Course, made: Indicators, moves: Sequence[Event]) -> KlineAnalysis:
    shown = [made.figures.get(metric) for metric in _SHOWN]
    summary = _summary(course, made)
    status = "partial" if course.why else "ok"
    return KlineAnalysis(
        stock_code=course.subject.symbol.value,
        stock_name=course.subject.name,
        status=status,
        why=reasons(course.why),
        summary=summary.zh,
        summary_en=summary.en,
        findings=_findings(course, made, moves),
        figures=ids(course.figures.values()),
        trend=made.direction,
        indicators=ids(shown),
        events=tuple(
            AbnormalMove(start=one.start, end=one.end, rule=one.rules[0], claims=ids(one.claims))
            for one in moves
        ),
        last_session=course.last,
    )


_TRENDS: Mapping[str, tuple[Text, Direction]] = {
    "up": (Text("趋势上行", "the trend is up"), "positive"),
    "down": (Text("趋势下行", "the trend is down"), "negative"),
    "sideways": (Text("走势震荡", "the trend is sideways"), "neutral"),
}


def _summary(course: _Course, made: Indicators) -> Text:
    figures = stated(made.figures.get(metric) for metric in ("close", "ma_20", "ma_60"))
    day = course.last.isoformat()
    zh, en = f"截至 {day}，{figures.zh}", f"As of {day}, {figures.en}"
    if made.direction is not None:
        word = _TRENDS[made.direction][0]
        zh, en = f"{zh}，{word.zh}", f"{en}, {word.en}"
    return Text(f"{zh}。", f"{en}.")


def _findings(course: _Course, made: Indicators, moves: Sequence[Event]) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if made.direction is not None and course.is_fresh:
        word, way = _TRENDS[made.direction]
        basis = [made.figures.get(metric) for metric in ("close", "ma_20", "ma_60")]
        told = stated(basis)
        text = Text(f"{told.zh}，{word.zh}", f"{told.en}, {word.en}")
        found.append(finding(text, way, basis, course.last))
    halted = course.figures.get("suspended_sessions")
    if halted is not None:
        text = Text(f"停牌 {place(halted)}", f"suspended for {place(halted)}")
        found.append(finding(text, way_of(halted), [halted]))
    for one in moves:
        way = "positive" if one.is_rise else "negative"
        found.append(finding(Text(one.reason, one.reason_en), way, one.claims, one.end))
    return tuple(found)
