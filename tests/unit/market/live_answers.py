"""Answers as live sources give them, at the clock of the live tests: Friday 2026-11-20, 16:30."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import count

from services.core.clock import BEIJING, FixedClock
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Answer, Ledger
from services.core.requests import FetchRequest
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify

CLOSED = FixedClock(datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING))
OPEN = FixedClock(datetime(2026, 11, 20, 10, 0, tzinfo=BEIJING))
TODAY = date(2026, 11, 20)
_numbers = count(1)
Told = ToolCall | NoDataError | ProviderError


def fact(
    symbol: str,
    metric: str,
    value: float,
    unit: str,
    *,
    as_of: date = TODAY,
    period: str | None = None,
    note: str | None = None,
) -> Fact:
    """One figure in a source's answer."""
    return Fact(
        symbol=symbol,
        metric=metric,
        value=value,
        unit=unit,
        as_of=as_of,
        period=period,
        field=metric,
        note=note,
    )


def answered(
    facts: Sequence[Fact],
    *,
    provider: str = "eastmoney",
    table: str = "quote",
    labels: Mapping[str, dict[str, str]] | None = None,
) -> ToolCall:
    """A call that brought these facts."""
    return ToolCall(
        tool_call_id=f"tc_{next(_numbers)}",
        name="test",
        arguments={},
        attempts=(),
        source=provider,
        table=table,
        served_by=provider,
        fetched_at=OPEN.now(),
        duration_ms=0.0,
        rows=tuple(facts),
        labels=dict(labels or {}),
    )


class Sources:
    """What each capability is answered; everything else there is nothing of."""

    def __init__(self, others: Sequence[ToolCall] = (), **told: Told) -> None:
        """`others` are what a second source says to every request."""
        self._told = told
        self._others = others
        self.asked: list[FetchRequest] = []
        self.ledger = Ledger(self._fetch)

    def _fetch(self, request: FetchRequest) -> Answer:
        self.asked.append(request)
        found = self._told.get(request.capability)
        if found is None:
            raise NoDataError(request.capability, Text("来源没有", "the source has none"))
        if not isinstance(found, ToolCall):
            raise found
        return Answer((found,), self._others)

    def capabilities(self) -> list[str]:
        """What was asked, in order."""
        return [request.capability for request in self.asked]

    def check(self) -> None:
        """Every claim made so far holds."""
        assert verify(self.ledger.claims, self.ledger.trace, CLOSED.now()).failures == ()


def on_days(days: Sequence[date], make: Callable[[date], Sequence[Fact]]) -> list[Fact]:
    """The facts of each of these days."""
    return [one for day in days for one in make(day)]
