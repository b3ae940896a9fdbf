"""Step 1: news, sector and k-line of one company side by side, checked, on one ledger.

One of the three failing leaves the other two, and says what is missing.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from services.agents.jobs import CancelledError
from services.agents.steps import Step, Watch
from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.scoring.fact_checks import checked
from services.scoring.fact_kline import kline_analysis
from services.scoring.fact_news import news_analysis
from services.scoring.fact_sector import sector_analysis
from services.scoring.fact_words import Desk, Subject
from services.scoring.models import KlineAnalysis, NewsAnalysis, Part, SectorAnalysis, Step1Output
from services.tools.parallel import side_by_side

__all__ = ["Desk", "Together", "execute_step1", "in_order"]

_TITLES = {
    "news": ("新闻与公告", "News and notices"),
    "sector": ("行业与基本面", "Industry and fundamentals"),
    "kline": ("日线与走势", "Daily bars and trend"),
}


class Together(Protocol):
    """How the three are done; each on a branch of the ledger, joined in the order given."""

    def __call__(
        self, ledger: Ledger, pieces: Sequence[Callable[[Ledger], Part]], /
    ) -> Sequence[Part]:
        """What each piece gives, in order."""
        ...


def in_order(ledger: Ledger, pieces: Sequence[Callable[[Ledger], Part]], /) -> Sequence[Part]:
    """One after another on the ledger itself: for a batch, which has its own way to be quick."""
    return [piece(ledger) for piece in pieces]


def execute_step1(
    ledger: Ledger,
    desk: Desk,
    symbol: Symbol,
    watch: Watch,
    *,
    together: Together = side_by_side,
    run_id: str = "",
) -> Step1Output:
    """Everything that is known of a company, as claims, and what the checker says of it.

    Raises: NoDataError when not one of the three parts has anything; CancelledError.
    """
    instant = desk.clock.now()
    today = instant.astimezone(BEIJING).date()
    subject = Subject(symbol, desk.names.name(symbol), today)
    works: dict[str, Callable[[Ledger], Part]] = {
        "news": lambda branch: news_analysis(branch, subject, desk),
        "sector": lambda branch: sector_analysis(branch, subject, desk.clock),
        "kline": lambda branch: kline_analysis(branch, subject, desk),
    }
    pieces = [partial(_watched, watch, name, work) for name, work in works.items()]
    news, sector, kline = together(ledger, pieces)
    if not (
        isinstance(news, NewsAnalysis)
        and isinstance(sector, SectorAnalysis)
        and isinstance(kline, KlineAnalysis)
    ):
        raise TypeError("the parts came back in another order than they were asked for")
    if all(part.status == "missing" for part in (news, sector, kline)):
        raise NoDataError(f"score {symbol}", _nothing(news, sector, kline))
    claims = {claim.claim_id: claim for claim in ledger.claims}
    return Step1Output(
        news=news,
        sector=sector,
        kline=kline,
        checks=checked(news, sector, kline, claims),
        claims=tuple(claims.values()),
        trace=ledger.trace,
        run_id=run_id,
        as_of=today,
        instant=instant,
    )


def _watched(watch: Watch, name: str, work: Callable[[Ledger], Part], ledger: Ledger) -> Part:
    if watch.cancelled():
        raise CancelledError("cancelled")
    title = " | ".join(_TITLES[name])
    watch.step(Step(kind="tool_started", title=title, tool=name))
    part = work(ledger)
    error = "NoDataError" if part.status == "missing" else None
    watch.step(Step(kind="tool_ended", title=part.why or title, tool=name, error=error))
    return part


def _nothing(*parts: Part) -> str:
    """Why there is nothing at all, as `中文 | English`."""
    pairs = [(part.why or "").partition(" | ") for part in parts]
    return f"{'；'.join(zh for zh, _, _ in pairs)} | {'; '.join(en for _, _, en in pairs)}"
