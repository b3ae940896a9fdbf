"""What a factor rests on, in words: a clause a figure, in both languages, every figure a place."""

from collections.abc import Callable, Mapping

from services.core.claims import Claim, DerivedCite
from services.core.rendering import place
from services.market.metrics import METRICS
from services.scoring.fact_words import Both

Known = Mapping[str, Claim]


def told(factor: str, known: Known) -> Both:
    """The figures the factor stands on; empty where there is none of them."""
    clauses = [clause for clause in _FACTORS[factor](known) if clause is not None]
    return Both(
        "，".join(clause.zh for clause in clauses), ", ".join(clause.en for clause in clauses)
    )


def _named(known: Known, metric: str) -> Both | None:
    claim = known.get(metric)
    if claim is None:
        return None
    words = METRICS[metric]
    return Both(f"{words.zh} {place(claim)}", f"{words.en} {place(claim)}")


def _worded(known: Known, metric: str, zh: str, en: str) -> Both | None:
    """A clause with the figure in place of `{}`."""
    claim = known.get(metric)
    return Both(zh.format(place(claim)), en.format(place(claim))) if claim is not None else None


def _multiple(known: Known, metric: str) -> Both | None:
    """`市盈率(TTM) 8.67倍，同行中位数 13.34倍`."""
    own = _named(known, metric)
    median = known.get(f"{metric}_peer_median")
    if own is None or median is None or f"{metric}_cheaper" not in known:
        return own
    return Both(
        f"{own.zh}，同行中位数 {place(median)}",
        f"{own.en}, median of its peers {place(median)}",
    )


def _valuation(known: Known) -> list[Both | None]:
    multiple = "pe_ttm" if "pe_ttm" in known else "pe_lyr"
    loss = _worded(
        known, "earnings_yield", "按年报计盈利收益率 {}", "earnings yield by the annual report {}"
    )
    return [
        _named(known, "dy_l"),
        loss if multiple not in known else _multiple(known, multiple),
        _multiple(known, "pb"),
    ]


def _quality(known: Known) -> list[Both | None]:
    roe = known.get("roe")
    guessed = roe is not None and isinstance(roe.cite, DerivedCite) and "pe_lyr" in roe.cite.formula
    return [
        _worded(known, "roe", "由市净率与市盈率推算的净资产收益率 {}", "implied ROE {}")
        if guessed
        else _named(known, "roe"),
        _named(known, "net_margin"),
        _named(known, "debt_to_assets"),
    ]


def _growth(known: Known) -> list[Both | None]:
    return [
        _named(known, "revenue_yoy"),
        _named(known, "net_profit_yoy"),
        _named(known, "profit_pace"),
    ]


def _momentum(known: Known) -> list[Both | None]:
    shown = ("close", "ma_60") if "ma_60_gap" in known else ()
    return [
        _named(known, metric) for metric in ("return_60", "return_250", "relative_strength", *shown)
    ]


def _risk(known: Known) -> list[Both | None]:
    return [_named(known, metric) for metric in ("volatility_60", "drawdown_250")]


def _events(known: Known) -> list[Both | None]:
    return [
        _worded(known, "suspended_sessions", "最近停牌 {}", "latest suspension {}"),
        *(_named(known, name) for name in ("sharp_falls", "worst_session", "negative_share")),
    ]


def _liquidity(known: Known) -> list[Both | None]:
    halted = _worded(known, "suspended_sessions", "最近停牌 {}", "latest suspension {}")
    return [
        _named(known, "amount_20") or halted,
        _named(known, "market_cap"),
    ]


_FACTORS: Mapping[str, Callable[[Known], list[Both | None]]] = {
    "valuation": _valuation,
    "quality": _quality,
    "growth": _growth,
    "momentum": _momentum,
    "risk": _risk,
    "events": _events,
    "liquidity": _liquidity,
}
