"""Step 1: news, sector and k-line of one company side by side, checked, on one ledger.

One of the three failing leaves the other two, and says what is missing. Where the newest price
is old and there is no valuation, all three are done again for that price's day (score.fresh).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from functools import partial
from typing import NamedTuple, Protocol

from services.core.clock import BEIJING, FixedClock
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text, join_texts
from services.jobs.runner import CancelledError
from services.jobs.steps import Step, StepWatcher
from services.market.names.english_names import english_name
from services.scoring.fact_checks import checked
from services.scoring.fact_kline import kline_analysis
from services.scoring.fact_news import news_analysis
from services.scoring.fact_sector import published_since, sector_analysis
from services.scoring.fact_words import AnalysisDesk, RunSubject, is_fresh
from services.scoring.models import (
    AnalysisPart,
    KlineAnalysis,
    NewsAnalysis,
    SectorAnalysis,
    Step1Output,
)
from services.tools.parallel import side_by_side

__all__ = ["AnalysisDesk", "Together", "execute_step1", "in_order"]

_TITLES = {
    "news": Text("新闻与公告", "News and notices"),
    "sector": Text("行业与基本面", "Industry and fundamentals"),
    "kline": Text("日线与走势", "Daily bars and trend"),
}


class _Parts(NamedTuple):
    """The three, each of the same company and day."""

    news: NewsAnalysis
    sector: SectorAnalysis
    kline: KlineAnalysis


class Together(Protocol):
    """How the three are done; each on a branch of the ledger, joined in the order given."""

    def __call__(
        self, ledger: Ledger, pieces: Sequence[Callable[[Ledger], AnalysisPart]], /
    ) -> Sequence[AnalysisPart]:
        """What each piece gives, in order."""
        ...


def in_order(
    ledger: Ledger, pieces: Sequence[Callable[[Ledger], AnalysisPart]], /
) -> Sequence[AnalysisPart]:
    """One after another on the ledger itself: for a batch, which has its own way to be quick."""
    return [piece(ledger) for piece in pieces]


def execute_step1(
    ledger: Ledger,
    desk: AnalysisDesk,
    symbol: Symbol,
    watch: StepWatcher,
    *,
    together: Together = side_by_side,
    run_id: str = "",
) -> Step1Output:
    """Everything that is known of a company, as claims, and what the checker says of it.

    Of today; with neither a recent price nor a recent valuation, of the last session there is.

    Raises: NoDataError when not one of the three parts has anything; CancelledError.
    """
    instant = desk.clock.now()
    today = instant.astimezone(BEIJING).date()
    subject = RunSubject(symbol, desk.names.name(symbol), today)
    found = _analyse(ledger, desk, subject, watch, together)
    if all(part.status == "missing" for part in found):
        raise NoDataError(f"score {symbol}", _nothing(*found))
    of_day, since = past_day(found.sector, found.kline, today), ()
    if of_day is not None:
        title = Text(f"按 {of_day} 的数据评分", f"scored as of {of_day}")
        watch.step(Step(kind="tool_ended", title=title, tool="kline"))
        later, then = found.sector, FixedClock(_end_of(of_day))
        found = _analyse(
            ledger,
            replace(desk, clock=then),
            replace(subject, today=of_day, past=True),
            watch,
            together,
        )
        since = published_since(later, found.sector, {one.claim_id: one for one in ledger.claims})
    claims = {claim.claim_id: claim for claim in ledger.claims}
    notes = checked(*found, claims)
    return Step1Output(
        news=found.news,
        sector=found.sector,
        kline=found.kline,
        checks=(*_of_the_past(of_day), *notes),
        claims=tuple(claims.values()),
        trace=ledger.trace,
        run_id=run_id,
        as_of=today,
        instant=instant,
        of_day=of_day,
        since=since,
        stock_name_en=english_name(desk.names.row(symbol)) or "",
    )


def past_day(sector: SectorAnalysis, kline: KlineAnalysis, today: date) -> date | None:
    """The day a score is of when nobody knows a recent price or a recent valuation: that of the
    newest bar, unless it is too long ago. None: it is of today, or of no day at all.
    """
    last = kline.last_session
    if last is None or sector.valued or is_fresh(last, today, "price"):
        return None
    return last if is_fresh(last, today, "past") else None


def _end_of(day: date) -> datetime:
    return datetime.combine(day, time.max, BEIJING)


def _of_the_past(day: date | None) -> tuple[Text, ...]:
    if day is None:
        return ()
    return (
        Text(
            f"没有近期的股价与估值：评分日为 {day}，之后的变动没有计入",
            f"no recent price or valuation: the score is of {day}, nothing later is in it",
        ),
    )


def _analyse(
    ledger: Ledger, desk: AnalysisDesk, subject: RunSubject, watch: StepWatcher, together: Together
) -> _Parts:
    works: dict[str, Callable[[Ledger], AnalysisPart]] = {
        "news": lambda branch: news_analysis(branch, subject, desk),
        "sector": lambda branch: sector_analysis(branch, subject, desk.clock),
        "kline": lambda branch: kline_analysis(branch, subject, desk),
    }
    pieces = [partial(_watch_part, watch, name, work) for name, work in works.items()]
    news, sector, kline = together(ledger, pieces)
    if not (
        isinstance(news, NewsAnalysis)
        and isinstance(sector, SectorAnalysis)
        and isinstance(kline, KlineAnalysis)
    ):
        raise TypeError("the parts came back in another order than they were asked for")
    return _Parts(news, sector, kline)


def _watch_part(
    watch: StepWatcher, name: str, work: Callable[[Ledger], AnalysisPart], ledger: Ledger
) -> AnalysisPart:
    if watch.cancelled():
        raise CancelledError("cancelled")
    title = _TITLES[name]
    watch.step(Step(kind="tool_started", title=title, tool=name))
    part = work(ledger)
    error = "NoDataError" if part.status == "missing" else None
    watch.step(Step(kind="tool_ended", title=part.why or title, tool=name, error=error))
    return part


def _nothing(*parts: AnalysisPart) -> Text:
    """Why there is nothing at all."""
    return join_texts(part.why or NO_TEXT for part in parts)
