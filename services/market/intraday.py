"""Bars within the day: one figure a bar's end, every figure a claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from services.core.claims import Claim
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.requests import IntradayRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.market.history import PRICES


@dataclass(frozen=True, slots=True)
class IntradayBar:
    """One bar: `time` is its end in the exchange's own time, `YYYY-MM-DD HH:MM`."""

    time: str
    day: date
    figures: Mapping[str, Claim]


@dataclass(frozen=True, slots=True)
class IntradayHistory:
    """Bars oldest first, never empty, and the call they come from."""

    symbol: str
    call: ToolCall
    bars: tuple[IntradayBar, ...]

    @property
    def note(self) -> str:
        """What the source says of its prices. Empty when it says nothing."""
        return next((fact.note for fact in self.call.rows if fact.note), "")


def intraday_history(
    ledger: Ledger, symbol: Symbol, interval: Literal["1h", "5m", "1m"], days: int, start: date
) -> IntradayHistory:
    """The bars the source has of the last `days` sessions, none of a session before `start`.

    A bar without all four prices is absent. Raises: NoDataError, ProviderError.
    """
    wanted = IntradayRequest(symbol=symbol.value, interval=interval, days=days)
    call = ledger.fetch(wanted).calls[0]
    by_time: dict[str, dict[str, Fact]] = {}
    for fact in call.rows:
        if fact.symbol == symbol.value and fact.period and fact.as_of >= start:
            by_time.setdefault(fact.period, {})[fact.metric] = fact
    bars = tuple(
        IntradayBar(
            time,
            facts["close"].as_of,
            {metric: ledger.claim(call, fact) for metric, fact in facts.items()},
        )
        for time, facts in sorted(by_time.items())
        if all(metric in facts for metric in PRICES)
    )
    if not bars:
        raise NoDataError(
            f"intraday_bars {symbol} {interval}",
            Text("来源在这段时间内没有分时数据", "the source has no intraday bars of these days"),
        )
    return IntradayHistory(symbol.value, call, bars)
