"""What a factor rests on, in words: figures beside what they are measured against, every figure a
place told to three significant digits. Nothing is said here that the figures do not show.
"""

from collections.abc import Callable, Mapping

from services.core.claims import Claim, DerivedCite
from services.core.periods import Period, is_report
from services.core.rendering import place
from services.core.score_rules import LENDERS
from services.core.text import Text
from services.statements.tongue import label_within

Known = Mapping[str, Claim]


def told(factor: str, known: Known, industry: str = "") -> Text:
    """The figures the factor stands on; empty where there is none of them."""
    clauses = [clause for clause in _FACTORS[factor](known) if clause is not None]
    if factor == "quality" and lends(industry):
        clauses = [*clauses[:-1], *_debts_are_its_business(clauses[-1:], known)]
    return Text(
        "，".join(clause.zh for clause in clauses), ", ".join(clause.en for clause in clauses)
    )


def lends(industry: str) -> bool:
    """Whether debts are the business of the industry: what it owes is not graded."""
    return any(word in industry for word in LENDERS)


def _debts_are_its_business(clauses: list[Text], known: Known) -> list[Text]:
    if "debt_to_assets" not in known:
        return clauses
    return [
        Text(f"{one.zh}（负债经营的行业，不计分）", f"{one.en} (a lender: not graded)")
        for one in clauses
    ]


def _name_metric(known: Known, metric: str) -> Text | None:
    claim = known.get(metric)
    if claim is None:
        return None
    return Text(*(f"{label_within(metric, one)} {_figure(claim)}" for one in ("zh", "en")))


def _figure(claim: Claim) -> str:
    return place(claim, short=True)


def _word_clause(known: Known, metric: str, zh: str, en: str) -> Text | None:
    """A clause with the figure in place of `{}`."""
    claim = known.get(metric)
    return Text(zh.format(_figure(claim)), en.format(_figure(claim))) if claim is not None else None


def _tell_report(known: Known, *metrics: str) -> list[Text | None]:
    """Figures of one annual report, its year said once."""
    there = [metric for metric in metrics if metric in known]
    clauses = [_name_metric(known, metric) for metric in there]
    first = clauses[0] if clauses else None
    period = known[there[0]].period if there else None
    if first is None or not is_report(period):
        return clauses
    year = Period.parse(str(period))
    opening = Text(f"{year.label('zh')}{first.zh}", f"{year.label('en')} {first.en}")
    return [opening, *clauses[1:]]


def _multiple(known: Known, metric: str) -> Text | None:
    """`市盈率(TTM) 8.67倍，低于同行中位数 11.24倍（有数据的同行 10家）`."""
    own = _name_metric(known, metric)
    median = known.get(f"{metric}_peer_median")
    if own is None or median is None or f"{metric}_cheaper" not in known:
        return own
    side = beside(known[metric], median)
    count = known.get(f"{metric}_peer_count")
    told = Text(
        f"{own.zh}，{side.zh}同行中位数 {_figure(median)}",
        f"{own.en}, {side.en} the median of its peers, {_figure(median)}",
    )
    if count is None:
        return told
    have = place(count)
    return Text(f"{told.zh}（有数据的同行 {have}）", f"{told.en} ({have} peers with a value)")


def beside(own: Claim, other: Claim) -> Text:
    """Whether the one stands above or below the other."""
    if own.value == other.value:
        return Text("等于", "at")
    return Text("高于", "above") if own.value > other.value else Text("低于", "below")


def _valuation(known: Known) -> list[Text | None]:
    multiple = "pe_ttm" if "pe_ttm" in known else "pe_lyr"
    loss = _word_clause(
        known,
        "earnings_yield",
        "按年报计盈利收益率 {}",
        "earnings yield by the annual report {}",
    )
    return [
        loss if multiple not in known else _multiple(known, multiple),
        _multiple(known, "pb"),
        _name_metric(known, "dy_l"),
    ]


def _quality(known: Known) -> list[Text | None]:
    roe = known.get("roe")
    guessed = roe is not None and isinstance(roe.cite, DerivedCite) and "pe_lyr" in roe.cite.formula
    loses = known["net_margin"].value < 0 if "net_margin" in known else False
    lost = Text("处于亏损", "a loss") if loses else None
    if not guessed:
        return [*_tell_report(known, "roe", "net_margin"), lost, *_debts(known)]
    implied = _word_clause(known, "roe", "由市净率与市盈率推算的净资产收益率 {}", "implied ROE {}")
    return [implied, *_tell_report(known, "net_margin"), lost, *_debts(known)]


def _debts(known: Known) -> list[Text | None]:
    """Last, so that who lends may be told that it is not graded."""
    if "roe" in known or "net_margin" in known:
        return [_name_metric(known, "debt_to_assets")]
    return _tell_report(known, "debt_to_assets")


def _growth(known: Known) -> list[Text | None]:
    return [
        *_tell_report(known, "revenue_yoy", "net_profit_yoy"),
        _name_metric(known, "profit_pace"),
    ]


def _momentum(known: Known) -> list[Text | None]:
    moves = [_name_metric(known, name) for name in ("return_60", "return_250", "relative_strength")]
    close, mean = _name_metric(known, "close"), _name_metric(known, "ma_60")
    if "ma_60_gap" not in known or close is None or mean is None:
        return moves
    side = beside(known["close"], known["ma_60"])
    gap = Text(f"{close.zh}，{side.zh} {mean.zh}", f"{close.en}, {side.en} {mean.en}")
    return [*moves, gap]


def _risk(known: Known) -> list[Text | None]:
    return [_name_metric(known, metric) for metric in ("volatility_60", "drawdown_250")]


def _events(known: Known) -> list[Text | None]:
    return [
        _word_clause(known, "suspended_sessions", "最近停牌 {}", "latest suspension {}"),
        *(_name_metric(known, name) for name in ("sharp_falls", "worst_session", "negative_share")),
    ]


def _liquidity(known: Known) -> list[Text | None]:
    halted = _word_clause(known, "suspended_sessions", "最近停牌 {}", "latest suspension {}")
    return [
        _name_metric(known, "amount_20") or halted,
        _name_metric(known, "market_cap"),
    ]


_FACTORS: Mapping[str, Callable[[Known], list[Text | None]]] = {
    "valuation": _valuation,
    "quality": _quality,
    "growth": _growth,
    "momentum": _momentum,
    "risk": _risk,
    "events": _events,
    "liquidity": _liquidity,
}
