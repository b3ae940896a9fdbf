"""Every tool is an action of the plan: asked of the bundle it answers, or says what it lacks and
what can be looked at instead.
"""

import pandas as pd
import pytest

from services.core.claims import Claim
from services.core.rendering import place
from services.query.algebra.nodes import OtherTool
from services.query.algebra.wire import wire_query
from services.query.answering.answers import Answered
from services.settings import ROOT
from tests.unit.query.bundled_query import metadata, youju

BARS = pd.read_parquet(ROOT / "data" / "snapshot" / "bars.parquet")
NAMES = youju().names.short
# A company whose newest sessions the bundle has without a gap.
SYMBOL = "00700.HK"


def answered(tool: OtherTool, text: str = "问") -> Answered:
    wired = wire_query(tool, NAMES, metadata())
    found = youju().query.ask_as(wired.nlir, text)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def told(found: Answered) -> list[Claim]:
    """The figures in the sentence: signals of earlier days are claims too."""
    return [one for one in found.claims if place(one) in found.draft.template]


def _averages(symbol: str) -> dict[int, float]:
    closes = BARS[BARS.symbol == symbol].sort_values("date").close
    return {days: float(closes.tail(days).mean()) for days in (5, 10, 20, 60)}


def test_moving_averages_are_those_of_the_newest_bars() -> None:
    found = answered(OtherTool(action="indicator", symbols=(SYMBOL,), text="均线"))
    values = {one.metric: one.value for one in told(found)}
    assert values.keys() == {"ma_5", "ma_10", "ma_20", "ma_60"}
    for days, mean in _averages(SYMBOL).items():
        assert values[f"ma_{days}"] == pytest.approx(mean, rel=1e-6)
    assert str(BARS[BARS.symbol == SYMBOL].date.max())[:10] in found.text


@pytest.mark.parametrize(
    ("words", "metrics"),
    [
        ("RSI", {"rsi"}),
        ("MACD", {"macd_dif", "macd_dea", "macd_histogram"}),
        ("布林线", {"boll_upper", "boll_mid", "boll_lower"}),
        ("RSI和KDJ", {"rsi", "kdj_k", "kdj_d", "kdj_j"}),
    ],
)
def test_the_indicators_named_are_those_shown(words: str, metrics: set[str]) -> None:
    found = answered(OtherTool(action="indicator", symbols=(SYMBOL,), text=words))
    assert {one.metric for one in told(found)} == metrics


@pytest.mark.parametrize(
    ("tool", "why"),
    [
        (OtherTool(action="indicator", symbols=("300750.SZ",), text="RSI"), "可以看"),
        (OtherTool(action="indicator", symbols=("600519.SH",), text="RSI"), "可以看走势"),
        (OtherTool(action="news", symbols=("600519.SH",)), "没有新闻"),
        (OtherTool(action="billboard", symbols=("600519.SH",)), "没有龙虎榜"),
        (OtherTool(action="billboard"), "哪家公司"),
    ],
)
def test_what_the_bundle_lacks_is_said_with_what_can_be_asked(tool: OtherTool, why: str) -> None:
    wired = wire_query(tool, NAMES, metadata())
    found = youju().query.ask_as(wired.nlir, "问")
    if not isinstance(found, Answered):  # a company the bundle does not list
        assert found.turn.ask_back is not None
        return
    assert why in found.text
    assert not found.draft.answered
    assert "lookback" not in found.text


def test_a_profile_says_market_industry_and_size() -> None:
    companies = pd.read_parquet(ROOT / "data" / "snapshot" / "companies.parquet")
    industry = companies[companies.symbol == "600519.SH"].industry.iloc[0]
    found = answered(OtherTool(action="profile", symbols=("600519.SH",)))
    assert "A股" in found.text
    assert industry in found.text
    assert any(one.metric == "market_cap" for one in found.claims)


def test_a_score_is_led_to_and_not_told_here() -> None:
    found = answered(OtherTool(action="score", symbols=("600519.SH",)))
    assert "评分页" in found.text
    assert found.claims == ()


def notes(text: str) -> tuple[str, ...]:
    found = youju().query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found.draft.notes


def test_overbought_and_crossed_are_told_by_the_rules() -> None:
    told_by = "（高于 80 为超买，低于 20 为超卖）"
    assert notes("同仁堂 kdj超卖了没")[0] == f"KDJ K 46.52：既不超买也不超卖{told_by}"
    bought = notes("恒大超买了吗")
    assert bought[0].startswith("RSI 83.00：超买")
    assert bought[1] == f"KDJ K 87.78：超买{told_by}"
    assert not any("KDJ" in note for note in notes("腾讯RSI超买没有"))
    assert notes("腾讯MACD金叉了没")[0] == "DIF 高于 DEA，处在金叉之后，最近一次在 2017-07-14"
    assert notes("腾讯KDJ金叉了没")[0] == "K 低于 D，处在死叉之后"
