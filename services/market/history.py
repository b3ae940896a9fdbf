"""Bars of one symbol with the call they come from, and the sessions that are not there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from hashlib import sha256
from itertools import accumulate
from typing import Literal, NamedTuple

from services.core.claims import Claim
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.requests import BarsRequest
from services.core.sessions import SessionGap, TradedSessions
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.core.trace import BARS, Fact, ToolCall
from services.market.calendar import Calendar

# Enough bars before a stretch for the longest window (60 returns), fetched with a margin.
_LOOKBACK = timedelta(days=400)
_NEEDED = 80
PRICES = ("open", "high", "low", "close")
_CALENDARS: Mapping[Market, str] = {"CN": "XSHG", "HK": "XHKG", "US": "XNYS"}
# Whose answers name every gap they have: without one in them there is none.
_NAME_THEIR_GAPS = frozenset({"snapshot"})


class Bar(NamedTuple):
    """One session: prices in the source's unit, volume in shares (None: not given)."""

    date: date
    open: float
    high: float
    low: float
    close: float
    volume: float | None


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """Bars oldest first, never empty; sessions without a bar are in `gaps`, not filled."""

    symbol: str
    call: ToolCall
    bars: tuple[Bar, ...]
    gaps: tuple[SessionGap, ...]
    facts: Mapping[str, Mapping[date, Fact]] = field(repr=False)  # by metric, then day

    @property
    def sessions(self) -> TradedSessions:
        """The days of its bars, and what lies between them."""
        return TradedSessions([bar.date for bar in self.bars], self.gaps)

    @property
    def note(self) -> str:
        """What the source says of its prices: how they are adjusted. Empty when it says nothing."""
        return next((fact.note for fact in self.call.rows if fact.note), "")

    def has(self, day: date, metric: str) -> bool:
        """Whether that day has a bar with that figure."""
        return day in self.facts.get(metric, {})

    def claim(self, ledger: Ledger, day: date, metric: str) -> Claim:
        """The figure of one bar; `metric` is open, high, low, close or volume.

        Raises: NoDataError when that day has no such figure.
        """
        fact = self.facts.get(metric, {}).get(day)
        if fact is None:
            raise NoDataError(f"{metric} {self.symbol} {day}", "这一天没有该数据")
        return ledger.claim(self.call, fact)


def begin_note(first: date) -> Text:
    """That a source's bars begin on that day, told where all of history was asked for."""
    return Text(
        f"来源的日线始于 {first}，没有更早的价格",
        f"the daily bars begin on {first}, with no earlier price",
    )


def price_history(
    ledger: Ledger,
    symbol: Symbol,
    start: date | None,
    end: date | None,
    *,
    calendar: Calendar | None = None,
) -> PriceHistory:
    """Daily bars from `start` to `end`, both included; None is unbounded.

    Suspended days are absent. Prices are adjusted as `note` says; volume in shares. Where the
    source does not name its gaps they are found by `calendar`, if it is given.
    Raises: NoDataError (no bar in these days), ProviderError.
    """
    wanted = BarsRequest(symbol=symbol.value, start=start, end=end)
    answer = ledger.fetch(wanted)
    call = answer.calls[0]
    facts: dict[str, dict[date, Fact]] = {metric: {} for metric in (*PRICES, "volume")}
    for fact in call.rows:
        if fact.symbol == symbol.value:
            facts.setdefault(fact.metric, {})[fact.as_of] = fact
    bars = _bars(facts)
    if not bars:
        raise NoDataError(f"daily_bars {symbol}", "这段日期内没有日线")
    gaps = call.gaps
    if not gaps and calendar is not None and call.served_by not in _NAME_THEIR_GAPS:
        gaps = _find_gaps(symbol, bars, calendar)
        if gaps:
            ledger.record(gaps_call(call, symbol, gaps))
    return PriceHistory(symbol.value, call, bars, gaps, facts)


def history_before(
    ledger: Ledger,
    symbol: Symbol,
    start: date | None,
    end: date | None,
    *,
    calendar: Calendar | None = None,
) -> PriceHistory:
    """Bars from `start` to `end` and enough before them for a window of 60 sessions, where there
    are; everything when the start is open.

    Raises: NoDataError (no bars up to `end`), ProviderError.
    """
    if start is None or start - date.min <= _LOOKBACK:
        return price_history(ledger, symbol, None, end, calendar=calendar)
    try:
        history = price_history(ledger, symbol, start - _LOOKBACK, end, calendar=calendar)
    except NoDataError:
        return price_history(ledger, symbol, None, end, calendar=calendar)
    if sum(1 for bar in history.bars if bar.date < start) >= _NEEDED:
        return history
    return price_history(ledger, symbol, None, end, calendar=calendar)


def gaps_call(
    bars: ToolCall, symbol: Symbol, gaps: tuple[SessionGap, ...], *facts: Fact
) -> ToolCall:
    """Gaps found in `bars` as a call of its own: the sessions were counted on the calendar.

    So that a citation can point at the count, and the verifier count a window in sessions.
    """
    days = " ".join(f"{gap.start}…{gap.end}" for gap in gaps)
    what = "".join(f" {fact.metric}" for fact in facts)
    made_of = sha256(f"{bars.tool_call_id} {symbol} {days}{what}".encode()).hexdigest()
    return ToolCall(
        tool_call_id=f"tc_{made_of[:12]}",
        name=bars.name,
        arguments={BARS: bars.tool_call_id, "start": f"{gaps[0].start}", "end": f"{gaps[-1].end}"},
        attempts=(),
        source="exchange_calendars",
        table=_CALENDARS[symbol.market],
        served_by="youju",
        fetched_at=bars.known_at,
        duration_ms=0.0,
        rows=facts,
        gaps=gaps,
    )


def _find_gaps(symbol: Symbol, bars: Sequence[Bar], calendar: Calendar) -> tuple[SessionGap, ...]:
    """The sessions of the exchange between the first bar and the last that have none.

    A stock whose source leaves out the days without trading was suspended then. A source that does
    give a bar of no volume for such days has lost what is not there, and so it is with an index.
    """
    fills = any(bar.volume == 0 for bar in bars)
    kind = "hole" if fills or symbol.is_index else "suspension"
    have = {bar.date for bar in bars}
    gaps: list[SessionGap] = []
    run: list[date] = []
    for day in calendar.sessions(symbol.market, bars[0].date, bars[-1].date):
        if day not in have:
            run.append(day)
        elif run:
            gaps.append(_gap(symbol, run, kind))
            run = []
    return tuple(gaps)


def _gap(symbol: Symbol, run: Sequence[date], kind: Literal["suspension", "hole"]) -> SessionGap:
    return SessionGap(symbol=symbol.value, start=run[0], end=run[-1], sessions=len(run), kind=kind)


def _bars(facts: Mapping[str, Mapping[date, Fact]]) -> tuple[Bar, ...]:
    """The days that have all four prices, oldest first."""
    opens, highs, lows, closes = (facts[metric] for metric in PRICES)
    volumes = facts["volume"]
    days = sorted(closes.keys() & opens.keys() & highs.keys() & lows.keys())
    return tuple(
        Bar(
            day,
            opens[day].value,
            highs[day].value,
            lows[day].value,
            closes[day].value,
            volumes[day].value if day in volumes else None,
        )
        for day in days
    )


def average_values(values: Sequence[float], length: int) -> list[float | None]:
    """The mean of the last `length` values at each place; None until there are that many."""
    totals = [0.0, *accumulate(values)]
    return [
        (totals[place + 1] - totals[place + 1 - length]) / length if place + 1 >= length else None
        for place in range(len(values))
    ]
