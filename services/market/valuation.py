"""The figures of one company at the valuation day: as the source gives them, or derived from those.

Shared by the screener, the quote header and the peers table, so that all three say the same.
"""

from collections.abc import Callable, Mapping, Sequence

from services.core.claims import Claim, Figure, Missing
from services.core.formulas import formula_for
from services.core.ledger import Answer, Ledger
from services.core.symbols import Symbol

# Reasons as `中文 | English`. No digit stands in them: a reason has no claim to carry one.
LOSS = "亏损/未给出 | loss, or not given"
NOT_GIVEN = "来源未给出 | not given by the source"
NO_PROFIT = "市盈率(LYR)亏损/未给出，无法推算 | P/E (LYR) is a loss or not given: cannot be derived"
NO_RATIO = "来源未给出所需的估值，无法推算 | a multiple it needs is not given: cannot be derived"
NO_SHARES = (
    "来源未给出总市值或总股本，无法推算 | market value or shares not given: cannot be derived"
)
FEW_REPORTS = (
    "仅少数公司有年报数据，该公司没有 | annual reports of a few companies, not of this one"
)
NO_BARS = "快照没有该公司的日线 | no daily bars of this company in the snapshot"
BROKEN_BARS = (
    "最近收盘之前的交易日在来源中缺失，不跨缺口计算 | "
    "sessions before the last close are missing in the source; not computed across"
)
HK_GIVES_LITTLE = (
    "港股来源仅给出总市值、市盈率(LYR)与市净率 | "
    "the Hong Kong source gives market value, P/E (LYR) and P/B only"
)
NO_US_VALUATION = "快照不含美股估值 | no valuation of US companies in the snapshot"
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
)
_HK_GIVEN = frozenset({"market_cap", "total_shares", "pe_lyr", "pb"})
_REPORTED = ("dps", "total_liabilities")


def valuation_figures(
    ledger: Ledger, answer: Answer, symbol: str, metrics: Sequence[str] | None = None
) -> Mapping[str, Figure]:
    """Metric → figure of one company, from an answer to a screen, valuation or peers request.

    Given: those of GIVEN, dps, total_liabilities. Derived: close (market value / shares on the
    valuation day; the newest bar's where that has no answer), net_profit (annual report, else
    market value / PE LYR), revenue (trailing, never a fiscal year's: market value / PS), roe (an
    estimate: PB / PE), dy_l, pct_change (newest bar against the one before).
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
        self._market = Symbol(symbol).market
        self._made: dict[str, Figure] = {}

    def figure(self, metric: str) -> Figure:
        derive = _DERIVED.get(metric)
        return derive(self) if derive else self._given(metric)

    def _given(self, metric: str) -> Figure:
        found = self._made.get(metric)
        if found is None:
            pairs = self._answer.facts(self._symbol, metric)
            found = self._ledger.claim(*pairs[0]) if pairs else self._absent(metric)
            self._made[metric] = found
        return found

    def _absent(self, metric: str) -> Missing:
        return self._missing(metric, self._why_not_given(metric))

    def _why_not_given(self, metric: str) -> str:
        if metric in _REPORTED:
            return FEW_REPORTS
        valued = bool(self._answer.facts(self._symbol, "market_cap"))
        return LOSS if metric in {"pe_lyr", "pe_ttm"} and valued else NOT_GIVEN

    def close(self) -> Figure:
        price = self._valuation_price()
        closes = self._closes()
        return closes[-1] if isinstance(price, Missing) and closes else price

    def _valuation_price(self) -> Figure:
        inputs = ("market_cap", "total_shares")
        return self._derived("close", "market_cap / total_shares", inputs, NO_SHARES)

    def net_profit(self) -> Figure:
        reported = self._given("net_profit")
        if isinstance(reported, Claim):
            return reported
        inputs = ("market_cap", "pe_lyr")
        return self._derived("net_profit", "market_cap / pe_lyr", inputs, NO_PROFIT)

    def revenue(self) -> Figure:
        inputs = ("market_cap", "ps_ttm")
        return self._derived("revenue", "market_cap / ps_ttm", inputs, NO_RATIO)

    def roe(self) -> Figure:
        reason = NO_RATIO if isinstance(self.figure("pb"), Missing) else NO_PROFIT
        return self._derived("roe", "pb / pe_lyr * 100", ("pb", "pe_lyr"), reason)

    def dy_l(self) -> Figure:
        reason = FEW_REPORTS if isinstance(self.figure("dps"), Missing) else NO_SHARES
        inputs = (self.figure("dps"), self._valuation_price())
        return self._computed("dy_l", "dps / close * 100", inputs, reason)

    def pct_change(self) -> Figure:
        closes = self._closes()
        if len(closes) < 2:
            return self._missing("pct_change", BROKEN_BARS if closes else NO_BARS)
        inputs = (closes[-1], closes[-2])
        return self._computed("pct_change", "(close / previous - 1) * 100", inputs, BROKEN_BARS)

    def _closes(self) -> list[Claim]:
        """The bars' closes in the answer, oldest first."""
        found = self._answer.facts(self._symbol, "close")
        claims = [self._ledger.claim(call, fact) for call, fact in found]
        return sorted(claims, key=lambda claim: claim.as_of)

    def _derived(self, metric: str, expression: str, inputs: Sequence[str], reason: str) -> Figure:
        if self._market == "HK" and metric != "close":
            return self._missing(metric, HK_GIVES_LITTLE)
        figures = [self._given(name) for name in inputs]
        return self._computed(metric, expression, figures, reason)

    def _computed(
        self, metric: str, expression: str, inputs: Sequence[Figure], reason: str
    ) -> Figure:
        """The figure by that formula, or Missing: an input is, or arithmetic has no answer."""
        known = [item for item in inputs if isinstance(item, Claim)]
        formula = formula_for(metric, expression)
        if formula is None or len(known) != len(inputs):
            return self._missing(metric, reason)
        claim = self._ledger.derive(formula, known)
        return claim if claim is not None else self._missing(metric, reason)

    def _missing(self, metric: str, reason: str) -> Missing:
        """Missing for that reason, or for the market's own where none of its companies has it."""
        if metric != "pct_change":
            if self._market == "US":
                reason = NO_US_VALUATION
            elif self._market == "HK" and metric not in {*_HK_GIVEN, "close"}:
                reason = HK_GIVES_LITTLE
        return Missing(metric=metric, symbol=self._symbol, reason=reason)


_DERIVED: Mapping[str, Callable[[_Row], Figure]] = {
    "close": _Row.close,
    "net_profit": _Row.net_profit,
    "revenue": _Row.revenue,
    "roe": _Row.roe,
    "dy_l": _Row.dy_l,
    "pct_change": _Row.pct_change,
}
ALL = (*GIVEN, *_REPORTED, *_DERIVED)
