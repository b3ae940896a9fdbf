"""The quote header of one symbol: live price while the exchange is open, else the last close.

Open: the spot price, metric `current_price`. Closed, or the spot source failed, or the symbol has
not traded today: the newest daily close, metric `close`, and a note says so. A symbol without bars
shows the price its valuation stands on: a close the source gives, else `price_implied`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.errors import NoDataError, ProviderError
from services.core.formulas import formula_for
from services.core.ledger import Answer, Ledger
from services.core.requests import SpotRequest, ValuationRequest
from services.core.source_marks import note_text
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market.calendar import Calendar
from services.market.history import PriceHistory, price_history
from services.market.names.names import Names
from services.market.outages import why_missing
from services.market.valuation import (
    BROKEN_BARS,
    IN_SESSION,
    NO_COMPANY,
    NOT_GIVEN,
    valuation_figures,
)

# How far back to look for the last two bars: most symbols need the first window only.
_WINDOWS = (timedelta(days=60), timedelta(days=400), None)
_BAR_METRICS = ("open", "high", "low", "volume")
_GIVEN_MOVES = ("previous_close", "change", "pct_change")
_VALUED = ("market_cap", "total_shares", "pe_ttm", "pe_lyr", "pb", "dy_l")
_NOT_IN_SPOT = Text("实时来源未给出", "not given by the live source")
# What two decimals of a percentage, and of the two prices, may hide.
_ROUNDED = 0.05
_EX_RIGHT = Text(
    "来源的涨跌幅不以上一根日线的收盘为基准（除权除息），而来源未给出前收盘",
    "the source's change is not from the last bar's close (ex-right), and it gives no other",
)
_EARLIER = Text("来源没有更早的日线", "the source has no earlier bar")


@dataclass(frozen=True, slots=True)
class Quote:
    """One symbol at the clock; a figure that is not available is Missing with why.

    `currency` is `points` for an index. `price` is current_price, close or price_implied: its
    metric decides the wording. `previous_close` is what the move is measured from: the source's own
    (ex-right) where it gives one. Multiples and market value are of the valuation day; `notes` name
    it when it differs.
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
    notes: tuple[Text, ...] = ()


def quote(ledger: Ledger, symbol: Symbol, names: Names, calendar: Calendar, clock: Clock) -> Quote:
    """The quote of one stock or index. What a source has not, or could not say, is Missing.

    Raises: ProviderError when a source failed and neither a price nor a valuation came.
    """
    return _Quoting(ledger, symbol, calendar, clock).quote(names.name(symbol))


_LAST_CLOSE = Text("最近收盘", "last close")
_LIVE_PRICE = Text("当前价", "live price")


def tell_days_apart(day: date, word: Text = _LAST_CLOSE) -> Text:
    """That market value and multiples are of another day than the price called `word`."""
    return Text(
        f"市值与估值倍数为 {day} 的数值，与{word.zh}不同日",
        f"market value and multiples are of {day}, not of the {word.en}",
    )


class _Quoting:
    """The figures of one quote as they are found."""

    def __init__(self, ledger: Ledger, symbol: Symbol, calendar: Calendar, clock: Clock) -> None:
        self._ledger = ledger
        self._symbol = symbol
        self._calendar = calendar
        self._now = clock.now()
        self._notes: list[Text] = []
        self._bars: PriceHistory | None = None
        self._why_no_bars = NO_TEXT
        self._asked = False
        self._failure: ProviderError | None = None

    def quote(self, name: str) -> Quote:
        is_open = self._calendar.is_open(self._symbol.market, self._now)
        prices = self._spot() if is_open else None
        history = self._history()
        if prices is None:
            prices = self._last_bar(history)
        valued = self._valuation()
        if history is None and isinstance(prices["price"], Missing):
            if not self._symbol.is_index:
                prices["price"] = self._read_valuation_price(valued["price"], is_open=is_open)
        elif history is not None:
            self._say_stale(history)
        if self._failure and not _any_claim((prices["price"], *valued.values())):
            raise self._failure
        self._say_valued(prices["price"], valued["market_cap"])
        return Quote(
            symbol=self._symbol.value,
            name=name,
            currency="points" if self._symbol.is_index else self._symbol.currency,
            **prices,
            **{metric: valued[metric] for metric in _VALUED},
            is_open=is_open,
            notes=tuple(self._notes),
        )

    def _spot(self) -> dict[str, Figure] | None:
        """The live price and what comes with it; None when there is none, which is noted."""
        try:
            answer = self._ledger.fetch(SpotRequest(symbol=self._symbol.value))
        except (ProviderError, NoDataError) as error:
            why = why_missing(self._ledger, error)
            self._say(
                f"盘中实时价取不到（{why.zh}），改用最近收盘",
                f"no live price ({why.en}); last close instead",
            )
            return None
        price, given = self._of_spot(answer)
        if price is None:
            return None
        if isinstance(price.cite.note, str):
            said = note_text(price.cite.note)
            self._say(f"实时价：{said.zh}", f"live price: {said.en}")
        found = {
            name: given[name] if name in given else self._make_missing(name, _NOT_IN_SPOT)
            for name in _BAR_METRICS
        }
        return {"price": price, **found, **self._moves(price, given)}

    def _of_spot(self, answer: Answer) -> tuple[Claim | None, Mapping[str, Claim]]:
        """The price of today's trading, None when it is not that, and what else was given."""
        given: dict[str, Claim] = {}
        for metric in ("current_price", *_BAR_METRICS, *_GIVEN_MOVES):
            if facts := answer.facts(self._symbol.value, metric):
                given[metric] = self._ledger.claim(*facts[0])
        price, volume = given.pop("current_price", None), given.get("volume")
        if price is None:
            self._say("实时来源未给出价格，改用最近收盘", "no live price; last close instead")
            return None, given
        untraded = volume is not None and volume.value == 0 and not self._symbol.is_index
        if untraded or price.as_of < self._local_day():
            self._say(
                "今日没有成交（停牌或尚未成交），改用最近收盘",
                "no trade today (suspended, or not traded yet); last close instead",
            )
            return None, given
        return price, given

    def _last_bar(self, history: PriceHistory | None) -> dict[str, Figure]:
        if history is None:
            metrics = ("close", *_GIVEN_MOVES, *_BAR_METRICS)
            found: dict[str, Figure] = {
                name: self._make_missing(name, self._why_no_bars) for name in metrics
            }
            found["price"] = found.pop("close")
            return found
        last = history.bars[-1].date
        price = history.claim(self._ledger, last, "close")
        found = {name: self._of_bar(history, last, name) for name in _BAR_METRICS}
        given = {
            name: history.claim(self._ledger, last, name)
            for name in _GIVEN_MOVES
            if history.has(last, name)
        }
        return {"price": price, **found, **self._moves(price, given)}

    def _of_bar(self, history: PriceHistory, day: date, metric: str) -> Figure:
        if history.has(day, metric):
            return history.claim(self._ledger, day, metric)
        return self._make_missing(metric, NOT_GIVEN)

    def _close_before(self, day: date) -> Figure:
        """The close before `day`; Missing when the source lost or dropped sessions in between."""
        history = self._history()
        if history is None:
            return self._make_missing("close", self._why_no_bars)
        earlier = [bar.date for bar in history.bars if bar.date < day]
        if not earlier:
            return self._make_missing("close", _EARLIER)
        lost = [
            gap
            for gap in history.gaps
            if gap.kind != "suspension" and earlier[-1] < gap.start and gap.end < day
        ]
        if lost:
            return self._make_missing("close", BROKEN_BARS)
        return history.claim(self._ledger, earlier[-1], "close")

    def _moves(self, price: Claim, given: Mapping[str, Claim]) -> dict[str, Figure]:
        """Previous close, change and change in percent: the source's own, else worked out."""
        word = "price" if price.metric == "current_price" else "close"
        base = "previous_close" if "previous_close" in given else "previous"
        barred = self._close_before(price.as_of)
        if base == "previous" and "pct_change" in given:
            barred = self._unless_ex_right(barred, price, given["pct_change"])
        previous: Figure = given.get("previous_close", barred)
        if isinstance(barred, Claim) and base == "previous_close":
            self._say_ex_right(given["previous_close"], barred)
        expressions = {
            "change": f"{word} - {base}",
            "pct_change": f"({word} / {base} - 1) * 100",
        }
        found: dict[str, Figure] = {"previous_close": previous}
        for metric, expression in expressions.items():
            found[metric] = given.get(metric) or self._move(metric, expression, price, previous)
        return found

    def _unless_ex_right(self, barred: Figure, price: Claim, told: Claim) -> Figure:
        """The last bar's close, unless the source's own change in percent is not from there."""
        if isinstance(barred, Missing) or barred.value == 0:
            return barred
        worked_out = (price.value / barred.value - 1) * 100
        if abs(worked_out - told.value) <= _ROUNDED:
            return barred
        return self._make_missing("close", _EX_RIGHT)

    def _move(self, metric: str, expression: str, price: Claim, previous: Figure) -> Figure:
        if isinstance(previous, Missing):
            return self._make_missing(metric, previous.reason)
        formula = formula_for(metric, expression)
        made = self._ledger.derive(formula, (price, previous)) if formula is not None else None
        return made if made is not None else self._make_missing(metric, BROKEN_BARS)

    def _valuation(self) -> Mapping[str, Figure]:
        names = (*_VALUED, "price")
        if self._symbol.is_index:
            return {name: self._make_missing(name, NO_COMPANY) for name in names}
        try:
            answer = self._ledger.fetch(ValuationRequest(symbol=self._symbol.value))
        except (NoDataError, ProviderError) as error:
            why = self._why(error)
            return {name: self._make_missing(name, why) for name in names}
        return valuation_figures(self._ledger, answer, self._symbol.value, names)

    def _read_valuation_price(self, price: Figure, *, is_open: bool) -> Figure:
        """The price of the valuation row, where there are no bars; one in session only in it."""
        if isinstance(price, Missing):
            return self._make_missing("close", price.reason)
        if price.metric != "current_price":
            return price
        if is_open and price.as_of == self._local_day():
            return price
        return self._make_missing("close", IN_SESSION)

    def _history(self) -> PriceHistory | None:
        """The newest bars, two at least where there are two; None when the source has none."""
        if self._asked:
            return self._bars
        self._asked = True
        today = self._local_day()
        for window in _WINDOWS:
            start = None if window is None else today - window
            try:
                self._bars = price_history(
                    self._ledger, self._symbol, start, today, calendar=self._calendar
                )
            except NoDataError as error:
                self._why_no_bars = error.why
                continue
            except ProviderError as error:
                self._why_no_bars = self._why(error)
                break
            if self._tells_the_move(self._bars):
                break
        return self._bars

    def _tells_the_move(self, history: PriceHistory) -> bool:
        """Whether these bars are enough: two of them, or a last one that says where it came from.

        That a symbol has no bar at all is not said here: a longer window is asked then.
        """
        last = history.bars[-1].date
        return len(history.bars) > 1 or any(history.has(last, name) for name in _GIVEN_MOVES)

    def _why(self, error: NoDataError | ProviderError) -> Text:
        if isinstance(error, ProviderError):
            self._failure = error
        return why_missing(self._ledger, error)

    def _local_day(self) -> date:
        return self._calendar.local_day(self._symbol.market, self._now)

    def _say_stale(self, history: PriceHistory) -> None:
        """Name the sessions between the last bar and the clock: suspended, or not in the source."""
        last = history.bars[-1].date
        expected = self._calendar.last_complete_session(self._symbol.market, self._now)
        if last >= expected:
            if history.bars[-1].volume == 0 and self._symbol.market == "CN":
                self._say(
                    f"{last} 没有成交（停牌），收盘沿用此前价格",
                    f"no trade on {last} (suspended): the close is carried over",
                )
            return
        after = [gap for gap in history.gaps if gap.start > last]
        if after and all(gap.kind == "suspension" for gap in after):
            start = after[0].start
            self._say(f"自 {start} 起停牌，最近收盘为 {last}", f"suspended since {start}")
        else:
            self._say(f"来源的日线止于 {last}", f"the source's daily bars end on {last}")

    def _say_ex_right(self, given: Claim, barred: Claim) -> None:
        if given.value != barred.value:
            self._say(
                "来源的前收盘与上一根日线的收盘不同（除权除息参考价），涨跌以来源的前收盘计",
                "the source's previous close differs from the last bar's (ex-right): "
                "the move is from the former",
            )

    def _say_valued(self, price: Figure, market_cap: Figure) -> None:
        if not isinstance(market_cap, Claim):
            return
        day = market_cap.as_of
        if isinstance(price, Missing) or price.as_of != day:
            current = isinstance(price, Claim) and price.metric == "current_price"
            self._notes.append(tell_days_apart(day, _LIVE_PRICE if current else _LAST_CLOSE))
        elif price.metric == "price_implied":
            self._say(
                f"来源没有日线：推算股价为 {day} 的总市值与总股本之比，不是收盘价",
                f"no daily bars: the implied price is market value over shares of {day}, no close",
            )

    def _say(self, zh: str, en: str) -> None:
        self._notes.append(Text(zh, en))

    def _make_missing(self, metric: str, reason: Text) -> Missing:
        return Missing(metric=metric, symbol=self._symbol.value, reason=reason)


def _any_claim(figures: Iterable[Figure]) -> bool:
    return any(isinstance(figure, Claim) for figure in figures)
