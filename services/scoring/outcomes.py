"""What the price did after a score: 1, 5, 20 and 60 sessions later, as claims or as a reason.

Sessions are the exchange's, whether the stock traded or not. The start is the close the score knew,
so nothing it could not know is counted in its favour.
"""

from collections.abc import Iterable, Sequence
from datetime import date

from services.core.claims import Claim
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.record import Record
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Trace
from services.market.history import PriceHistory, price_history
from services.scoring.facts import AnalysisDesk

HORIZONS = (1, 5, 20, 60)
_NO_BASE = Text("评分时没有可用的收盘价", "the score knew no close")
_BASE_GONE = Text("现有日线不含评分所依据的那一天", "the bars have not the day the score knew")


class Afterwards(Record):
    """What the price did `sessions` sessions after a score. `change` and `end` are null where it
    is not known yet, with `why`; `start` is the close the score knew.
    """

    sessions: int
    start: Claim | None = None
    end: Claim | None = None
    change: Claim | None = None
    why: Text | None = None


class Outcomes(Record):
    """Every horizon of each score of a company, with what the figures stand on. `after` is by the
    name the score was asked about under.
    """

    stock_code: str
    after: dict[str, tuple[Afterwards, ...]]
    claims: tuple[Claim, ...] = ()
    trace: Trace
    run_id: str


def known_close(symbol: str, claims: Iterable[Claim]) -> date | None:
    """The day of the newest close among the claims of a score; None when it had none."""
    days = [one.as_of for one in claims if one.symbol == symbol and one.metric == "close"]
    return max(days, default=None)


def price_after(
    ledger: Ledger, symbol: Symbol, base: date | None, desk: AnalysisDesk
) -> tuple[Afterwards, ...]:
    """Each horizon from the close of `base` on. Never raises for want of data: it is told."""
    return prices_after(ledger, symbol, [base], desk)[0]


def prices_after(
    ledger: Ledger, symbol: Symbol, bases: Sequence[date | None], desk: AnalysisDesk
) -> list[tuple[Afterwards, ...]]:
    """As `price_after` of each of them, of one fetch that goes back to the oldest."""
    known = [base for base in bases if base is not None]
    if not known:
        return [_none(_NO_BASE) for _ in bases]
    first = min(known)
    try:
        history = price_history(ledger, symbol, first, None, calendar=desk.calendar)
    except (NoDataError, ProviderError) as error:
        why = Text("取不到其后的日线", f"no bars after it: {type(error).__name__}")
        return [_none(_NO_BASE if base is None else why) for base in bases]
    last = desk.calendar.last_complete_session(symbol.market, desk.clock.now())
    sessions = desk.calendar.sessions(symbol.market, first, last)
    return [_from(ledger, history, base, sessions) for base in bases]


def _from(
    ledger: Ledger, history: PriceHistory, base: date | None, sessions: Sequence[date]
) -> tuple[Afterwards, ...]:
    if base is None:
        return _none(_NO_BASE)
    if not history.has(base, "close"):
        return _none(_BASE_GONE)
    later = [day for day in sessions if day > base]
    start = history.claim(ledger, base, "close")
    return tuple(_after(ledger, history, start, later, count) for count in HORIZONS)


def _after(
    ledger: Ledger, history: PriceHistory, start: Claim, later: list[date], sessions: int
) -> Afterwards:
    """`later` are the sessions after the start, as far as they are over."""
    if len(later) < sessions:
        why = Text(f"其后只过了 {len(later)} 个交易日", f"only {len(later)} sessions have passed")
        return Afterwards(sessions=sessions, start=start, why=why)
    day = later[sessions - 1]
    if not history.has(day, "close"):
        why = Text(
            f"{day} 没有收盘价（停牌或数据缺失）",
            f"no close on {day}: suspended or not in the data",
        )
        return Afterwards(sessions=sessions, start=start, why=why)
    end = history.claim(ledger, day, "close")
    formula = formula_for("run_change", "(last / first - 1) * 100")
    change = ledger.derive(formula, (end, start)) if formula is not None else None
    why = None if change is not None else Text("起点价为零", "the start is zero")
    return Afterwards(sessions=sessions, start=start, end=end, change=change, why=why)


def _none(why: Text) -> tuple[Afterwards, ...]:
    return tuple(Afterwards(sessions=one, why=why) for one in HORIZONS)
