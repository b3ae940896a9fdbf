"""Hand-picked claims for the tests of prose, and the gate asked about one text over them.

Moutai, BYD and Tencent as of the bundled market; Gree with a loss that never was, for signs.
"""

from datetime import UTC, date, datetime

from services.core.claims import Claim, CompetenceCite, DerivedCite, ToolCite, claim_id
from services.core.text import Language
from services.grounding.ground import Grounded, ground

TODAY = date(2017, 7, 26)
MAY = date(2017, 5, 25)
NAMES = {
    "600519.SH": ["贵州茅台", "茅台", "Kweichow Moutai"],
    "002594.SZ": ["比亚迪", "BYD"],
    "00700.HK": ["腾讯控股", "腾讯", "Tencent"],
    "000651.SZ": ["格力电器", "格力", "Gree"],
}
MOUTAI, BYD, TENCENT, GREE = NAMES


def claim(
    metric: str,
    value: float,
    unit: str,
    symbol: str = MOUTAI,
    as_of: date = MAY,
    period: str | None = None,
    *,
    inputs: tuple[Claim, ...] = (),
    rule: str | None = None,
) -> Claim:
    cite: ToolCite | DerivedCite | CompetenceCite = ToolCite(
        source="test",
        table="t",
        fetched_at=datetime(2017, 7, 26, tzinfo=UTC),
        tool_call_id="tc_1",
        served_by="snapshot",
        field="f",
    )
    if inputs:
        cite = DerivedCite(formula="test", inputs=tuple(one.claim_id for one in inputs))
    elif rule:
        cite = CompetenceCite(competence_id=rule)
    return Claim(
        claim_id=claim_id(metric, symbol, as_of, period),
        value=value,
        metric=metric,
        symbol=symbol,
        as_of=as_of,
        unit=unit,
        period=period,
        cite=cite,
    )


def _annual(metric: str, value: float, unit: str, year: int, symbol: str = BYD) -> Claim:
    return claim(metric, value, unit, symbol, date(year, 12, 31), f"{year}_Q4")


PE = claim("pe_ttm", 31.51, "multiple", period="TTM_2017Q1")
PE_LYR = claim("pe_lyr", 33.84, "multiple", period="LYR_2016")
PB = claim("pb", 7.16, "multiple", period="MRQ_2017Q1")
CAP = claim("market_cap", 565_691_000_000.0, "CNY")
SHARES = claim("total_shares", 1_256_000_000.0, "shares")
CLOSE = claim("close", 450.39, "CNY", as_of=date(2017, 7, 25))
CLOSE_BEFORE = claim("close", 445.0, "CNY", as_of=date(2017, 7, 21))
BYD_PE = claim("pe_ttm", 27.69, "multiple", BYD, period="TTM_2017Q1")
REVENUE = _annual("revenue", 103_470_000_000.0, "CNY", 2016)
REVENUE_2015 = _annual("revenue", 80_009_000_000.0, "CNY", 2015)
PROFIT = _annual("net_profit", 5_052_154_000.0, "CNY", 2016)
PROFIT_2015 = _annual("net_profit", 2_823_440_000.0, "CNY", 2015)
PROFIT_2014 = _annual("net_profit", 433_525_000.0, "CNY", 2014)
GROWTH = _annual("revenue_yoy", 29.3229, "percent", 2016)
PROFIT_GROWTH = _annual("net_profit_yoy", 78.94, "percent", 2016)
DEBT = _annual("debt_to_assets", 61.8053, "percent", 2016)
ROE = _annual("roe", 9.86, "percent", 2016)
EPS = _annual("eps", 1.88, "CNY/share", 2016)
TENCENT_CLOSE = claim("close", 269.2, "HKD", TENCENT, date(2017, 7, 4))
FALL = claim("pct_change", -4.131054, "percent", TENCENT, date(2017, 7, 4))
LOSS = _annual("net_profit", -120_000_000.0, "CNY", 2016, GREE)
LOSS_2015 = _annual("net_profit", -300_000_000.0, "CNY", 2015, GREE)
SHRUNK = _annual("revenue_yoy", -26.6, "percent", 2016, GREE)
RSI = claim("rsi", 83.0, "index", as_of=date(2017, 7, 25))
OVERBOUGHT = claim("rsi_overbought", 70.0, "index", as_of=date(2017, 7, 25), rule="indicator.rsi")
MA20 = claim("ma_20", 455.2, "CNY", as_of=date(2017, 7, 25))
GAP = claim("pe_ttm_difference", 3.82, "multiple", inputs=(PE, BYD_PE))
TIMES = claim("pe_ttm_ratio", 1.1379559, "multiple", inputs=(PE, BYD_PE))
MEDIAN = claim("pe_ttm_peer_median", 28.29, "multiple", inputs=(PE,))
RANK = claim("pe_ttm_peer_rank", 5.0, "rank", inputs=(PE,))
PEERS = claim("pe_ttm_peer_count", 10.0, "count", inputs=(PE,))
FORECAST = claim("forecast_net_profit", 21e9, "CNY", as_of=MAY, period="2017_Q4")
ALL = (
    *(PE, PE_LYR, PB, CAP, SHARES, CLOSE, CLOSE_BEFORE, BYD_PE, REVENUE, REVENUE_2015, PROFIT),
    *(PROFIT_2015, PROFIT_2014, GROWTH, PROFIT_GROWTH, DEBT, ROE, EPS, TENCENT_CLOSE, FALL, LOSS),
    *(LOSS_2015, SHRUNK, RSI, OVERBOUGHT, MA20, GAP, TIMES, MEDIAN, RANK, PEERS, FORECAST),
)


def asked(
    text: str,
    *claims: Claim,
    language: Language = "zh",
    default: str | None = None,
    quotes: tuple[str, ...] = (),
) -> Grounded:
    """The gate's answer over the claims given, or over all of them."""
    return ground(
        text,
        claims or ALL,
        names=NAMES,
        language=language,
        default_symbol=default,
        now=TODAY,
        quotes=quotes,
    )


def checks(answer: Grounded) -> list[str]:
    return [failure.check for failure in answer.failures]


def told(answer: Grounded) -> str:
    return "; ".join(f"{one.span} {one.check}: {one.reason}" for one in answer.failures)
