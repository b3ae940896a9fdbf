"""Small made-up bars as a source would give them, for cases the bundled market does not have."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, SessionGap, ToolCall
from services.market.history import PriceHistory, price_history

FETCHED_AT = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
Row = tuple[float, float, float, float, float]
METRICS = ("open", "high", "low", "close", "volume")


def flat(close: float, volume: float = 100.0) -> Row:
    """A bar that opened and closed at the same price, with room above and below."""
    return (close, close * 1.001, close * 0.999, close, volume)


def call(
    symbol: str,
    facts: Sequence[Fact],
    *,
    table: str = "daily_bars",
    gaps: Sequence[SessionGap] = (),
) -> ToolCall:
    """A finished call with these rows."""
    return ToolCall(
        tool_call_id=f"tc_{symbol}_{table}",
        name="test",
        arguments={},
        attempts=(),
        source="made",
        table=table,
        served_by="made",
        fetched_at=FETCHED_AT,
        duration_ms=0.0,
        rows=tuple(facts),
        gaps=tuple(gaps),
    )


def bar_facts(
    symbol: str, days: Sequence[date], rows: Sequence[Row], *, note: str | None = None
) -> list[Fact]:
    """The facts of these bars."""
    return [
        Fact(
            symbol=symbol,
            metric=metric,
            value=value,
            unit="shares" if metric == "volume" else "CNY",
            as_of=day,
            field=metric,
            note=note,
        )
        for day, row in zip(days, rows, strict=True)
        for metric, value in zip(METRICS, row, strict=True)
    ]


def ledger_of(answers: dict[str, Callable[[FetchRequest], ToolCall]]) -> Ledger:
    """A ledger whose source answers these capabilities and has nothing else."""

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        if request.capability not in answers:
            raise NoDataError(request.capability, "来源没有")
        return (answers[request.capability](request),)

    return Ledger(fetch)


def history(
    symbol: str, days: Sequence[date], rows: Sequence[Row], gaps: Sequence[SessionGap] = ()
) -> PriceHistory:
    """A history of these bars."""
    made = call(symbol, bar_facts(symbol, days, rows), gaps=gaps)
    ledger = ledger_of({BarsRequest.capability: lambda _request: made})
    return price_history(ledger, Symbol(symbol), None, None)
