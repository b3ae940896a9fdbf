"""The quote header of one symbol: live price while the exchange is open, else the last close.

Open: the spot price, metric `current_price`. Closed, or the spot source failed: the newest daily
close, metric `close`, and a note says so. A symbol without bars shows its valuation day's close.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.requests import SpotRequest, ValuationRequest
from services.core.symbols import Symbol
from services.market.calendar import Calendar
from services.market.history import PriceHistory, price_history
from services.market.names import Names
from services.market.valuation import BROKEN_BARS, NO_BARS, NOT_GIVEN, valuation_figures

# How far back to look for the last two bars: most symbols need the first window only.
_WINDOWS = (timedelta(days=60), timedelta(days=400), None)
_BAR_METRICS = ("open", "high", "low", "volume")
_VALUED = ("market_cap", "total_shares", "pe_ttm", "pe_lyr", "pb", "dy_l")
_NOT_IN_SPOT = "实时来源未给出 | not given by the live source"


@dataclass(frozen=True, slots=True)
class Quote:
    """One symbol at the clock; a figure that is not available is Missing with why.

    `currency` is `points` for an index. `price` is current_price or close: its metric decides the
    wording. Multiples and market value are of the valuation day; `notes` name it when it differs.
    """

    symbol: str
    name: str
    currency: str
    price: Figure
    previous_close: Figure
    change: Figure
    pct_change: Figure
    open: Figure
    high: Figure
    low: Figure
    volume: Figure
    market_cap: Figure
    total_shares: Figure
    pe_ttm: Figure
    pe_lyr: Figure
    pb: Figure
    dy_l: Figure
    is_open: bool
    notes: tuple[str, ...] = ()
    notes_en: tuple[str, ...] = ()


def quote(ledger: Ledger, symbol: Symbol, names: Names, calendar: Calendar, clock: Clock) -> Quote:
    """The quote of one stock or index. A source that has nothing leaves Missing figures, no error.

    Raises: ProviderError when the daily bars or the valuation could not be asked at all.
    """
    return _Quoting(ledger, symbol, calendar, clock).quote(names.name(symbol))


class _Quoting:
    """The figures of one quote as they are found."""

    def __init__(self, ledger: Ledger, symbol: Symbol, calendar: Calendar, clock: Clock) -> None:
        self._ledger = ledger
        self._symbol = symbol
        self._calendar = calendar
        self._now = clock.now()
        self._notes: list[str] = []
        self._notes_en: list[str] = []
        self._bars: PriceHistory | None = None
        self._asked = False

    def quote(self, name: str) -> Quote:
        is_open = self._calendar.is_open(self._symbol.market, self._now)
        prices = self._spot() if is_open else None
        history = self._history()
        if prices is None:
            prices = self._last_bar(history)
        valued = self._valuation()
        if history is None and isinstance(prices["price"], Missing):
            prices["price"] = valued["close"]
        elif history is not None:
            self._say_stale(history)
        self._say_valued(prices["price"], valued["market_cap"])
        return Quote(
            symbol=self._symbol.value,
            name=name,
            currency="points" if self._symbol.is_index else self._symbol.currency,
            **prices,
            **{metric: valued[metric] for metric in _VALUED},
            is_open=is_open,
            notes=tuple(self._notes),
            notes_en=tuple(self._notes_en),
        )

    def _spot(self) -> dict[str, Figure] | None:
        """The live price and what comes with it; None when it is not to be had, which is noted."""
        try:
            answer = self._ledger.fetch(SpotRequest(symbol=self._symbol.value))
        except (ProviderError, NoDataError) as error:
            why = error.why if isinstance(error, NoDataError) else error.message
            self._say(
                f"盘中实时价取不到（{why}），改用最近收盘", "no live price; last close instead"
            )
            return None
        found: dict[str, Figure] = {}
        for metric in ("current_price", *_BAR_METRICS):
            facts = answer.facts(self._symbol.value, metric)
            found[metric] = (
                self._ledger.claim(*facts[0]) if facts else self._missing(metric, _NOT_IN_SPOT)
            )
        price = found.pop("current_price")
        if isinstance(price, Missing):
            self._say("实时来源未给出价格，改用最近收盘", "no live price; last close instead")
            return None
        previous = self._close_before(self._local_day())
        return {"price": price, "previous_close": previous, **found, **self._moves(price, previous)}

    def _last_bar(self, history: PriceHistory | None) -> dict[str, Figure]:
        if history is None:
            metrics = ("close", "previous_close", "change", "pct_change", *_BAR_METRICS)
            found: dict[str, Figure] = {name: self._missing(name, NO_BARS) for name in metrics}
            found["price"] = found.pop("close")
            return found
        last = history.bars[-1].date
        price = history.claim(self._ledger, last, "close")
        found = {name: self._of_bar(history, last, name) for name in _BAR_METRICS}
        previous = self._close_before(last)
        return {"price": price, "previous_close": previous, **found, **self._moves(price, previous)}

    def _of_bar(self, history: PriceHistory, day: date, metric: str) -> Figure:
        if history.has(day, metric):
            return history.claim(self._ledger, day, metric)
        return self._missing(metric, NOT_GIVEN)

    def _close_before(self, day: date) -> Figure:
        """The close before `day`; Missing when the source lost or dropped sessions in between."""
        history = self._history()
        earlier = [bar.date for bar in history.bars if bar.date < day] if history else []
        if history is None or not earlier:
            return self._missing("close", NO_BARS)
        lost = [
            gap
            for gap in history.gaps
            if gap.kind != "suspension" and earlier[-1] < gap.start and gap.end < day
        ]
        if lost:
            return self._missing("close", BROKEN_BARS)
        return history.claim(self._ledger, earlier[-1], "close")

    def _moves(self, price: Claim, previous: Figure) -> Mapping[str, Figure]:
        word = "price" if price.metric == "current_price" else "close"
        expressions = {
            "change": f"{word} - previous",
            "pct_change": f"({word} / previous - 1) * 100",
        }
        found: dict[str, Figure] = {}
        for metric, expression in expressions.items():
            formula = formula_for(metric, expression)
            made = None
            if formula is not None and isinstance(previous, Claim):
                made = self._ledger.derive(formula, (price, previous))
            why = previous.reason if isinstance(previous, Missing) else BROKEN_BARS
            found[metric] = made if made is not None else self._missing(metric, why)
        return found

    def _valuation(self) -> Mapping[str, Figure]:
        try:
            answer = self._ledger.fetch(ValuationRequest(symbol=self._symbol.value))
        except NoDataError as error:
            return {name: self._missing(name, error.why) for name in (*_VALUED, "close")}
        return valuation_figures(self._ledger, answer, self._symbol.value)

    def _history(self) -> PriceHistory | None:
        """The newest bars, two at least where there are two; None when the source has none."""
        if self._asked:
            return self._bars
        self._asked = True
        today = self._local_day()
        for window in _WINDOWS:
            try:
                start = None if window is None else today - window
                self._bars = price_history(self._ledger, self._symbol, start, today)
            except NoDataError:
                continue
            if len(self._bars.bars) > 1:
                break
        return self._bars

    def _local_day(self) -> date:
        return self._calendar.local_day(self._symbol.market, self._now)

    def _say_stale(self, history: PriceHistory) -> None:
        """Name the sessions between the last bar and the clock: suspended, or not in the source."""
        last = history.bars[-1].date
        expected = self._calendar.last_complete_session(self._symbol.market, self._now)
        if last >= expected:
            return
        after = [gap for gap in history.gaps if gap.start > last]
        if after and all(gap.kind == "suspension" for gap in after):
            start = after[0].start
            self._say(f"自 {start} 起停牌，最近收盘为 {last}", f"suspended since {start}")
        else:
            self._say(f"来源的日线止于 {last}", f"the source's daily bars end on {last}")

    def _say_valued(self, price: Figure, market_cap: Figure) -> None:
        if isinstance(market_cap, Claim) and (
            isinstance(price, Missing) or price.as_of != market_cap.as_of
        ):
            day = market_cap.as_of
            self._say(
                f"市值与估值倍数为 {day} 的数值，与最近收盘不同日",
                f"market value and multiples are of {day}, not of the last close",
            )
        elif isinstance(market_cap, Claim) and isinstance(price, Claim):
            day = market_cap.as_of
            self._say(
                f"来源没有日线，收盘由 {day} 的总市值与总股本推算",
                f"no daily bars: the close is market value over shares of {day}",
            )

    def _say(self, zh: str, en: str) -> None:
        self._notes.append(zh)
        self._notes_en.append(en)

    def _missing(self, metric: str, reason: str) -> Missing:
        return Missing(metric=metric, symbol=self._symbol.value, reason=reason)
