"""What the price did after a score: 1, 5, 20 and 60 sessions later, as claims or as a reason.

Sessions are the exchange's, whether the stock traded or not. The start is the close the score knew,
so nothing it could not know is counted in its favour.
"""

from collections.abc import Iterable
from datetime import date

from services.core.claims import Claim
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.record import Record
from services.core.symbols import Symbol
from services.core.trace import Trace
from services.market.history import PriceHistory, price_history
from services.scoring.facts import Desk

HORIZONS = (1, 5, 20, 60)
_NO_BASE = "评分时没有可用的收盘价 | the score knew no close"
_BASE_GONE = "现有日线不含评分所依据的那一天 | the bars have not the day the score knew"


class Afterwards(Record):
    """What the price did `sessions` sessions after a score. `change` and `end` are null where it
    is not known yet, with `why` as `中文 | English`; `start` is the close the score knew.
    """

    sessions: int
    start: Claim | None = None
    end: Claim | None = None
    change: Claim | None = None
    why: str | None = None


class Outcomes(Record):
    """Every horizon of one score, with what the figures stand on."""

    stock_code: str
    after: tuple[Afterwards, ...]
    claims: tuple[Claim, ...] = ()
    trace: Trace
    run_id: str


def known_close(symbol: str, claims: Iterable[Claim]) -> date | None:
    """The day of the newest close among the claims of a score; None when it had none."""
    days = [one.as_of for one in claims if one.symbol == symbol and one.metric == "close"]
    return max(days, default=None)


def price_after(
    ledger: Ledger, symbol: Symbol, base: date | None, desk: Desk
) -> tuple[Afterwards, ...]:
    """Each horizon from the close of `base` on. Never raises for want of data: it is told."""
    if base is None:
        return _none(_NO_BASE)
    try:
        history = price_history(ledger, symbol, base, None, calendar=desk.calendar)
    except (NoDataError, ProviderError) as error:
        return _none(f"取不到其后的日线 | no bars after it: {type(error).__name__}")
    if not history.has(base, "close"):
        return _none(_BASE_GONE)
    last = desk.calendar.last_complete_session(symbol.market, desk.clock.now())
    later = [day for day in desk.calendar.sessions(symbol.market, base, last) if day > base]
    start = history.claim(ledger, base, "close")
    return tuple(_after(ledger, history, start, later, sessions) for sessions in HORIZONS)


def _after(
    ledger: Ledger, history: PriceHistory, start: Claim, later: list[date], sessions: int
) -> Afterwards:
    """`later` are the sessions after the start, as far as they are over."""
    if len(later) < sessions:
        why = f"其后只过了 {len(later)} 个交易日 | only {len(later)} sessions have passed"
        return Afterwards(sessions=sessions, start=start, why=why)
    day = later[sessions - 1]
    if not history.has(day, "close"):
        why = (
            f"{day} 没有收盘价（停牌或数据缺失） | no close on {day}: suspended or not in the data"
        )
        return Afterwards(sessions=sessions, start=start, why=why)
    end = history.claim(ledger, day, "close")
    formula = formula_for("run_change", "(last / first - 1) * 100")
    change = ledger.derive(formula, (end, start)) if formula is not None else None
    why = None if change is not None else "起点价为零 | the start is zero"
    return Afterwards(sessions=sessions, start=start, end=end, change=change, why=why)


def _none(why: str) -> tuple[Afterwards, ...]:
    return tuple(Afterwards(sessions=one, why=why) for one in HORIZONS)
