"""Tool `compute_indicators`: the blocks of seed 004, on the bundled bars, every figure cited."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from services.container import Services, build_services
from services.core.clock import FixedClock
from services.core.errors import InputError, NoDataError
from services.settings import load_settings
from services.tools.base import ToolContext, ToolResult
from services.tools.indicators import compute_indicators
from services.tools.wire import to_wire
from tests.unit.market.bundled import bundle

DAY = "2017-07-19"
BLOCKS = {
    "trend": {"direction", "strength", "ma_alignment"},
    "momentum": {"rsi", "macd", "stochastic"},
    "volume_price": {"obv_trend", "volume_sma_ratio"},
    "support_resistance": {"support", "resistance"},
    "strategy": {"score", "stance", "position_suggestion", "stop_loss", "take_profit"},
}


@pytest.fixture(scope="module")
def youju() -> Iterator[Services]:
    services = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
    yield services
    services.close()


def call(youju: Services, **given: Any) -> ToolResult:
    """Of Tencent unless said otherwise: its last lost session is 130 bars back."""
    arguments = {"symbol": "00700.HK", "market": "HK", **given}
    return youju.toolbox.call("compute_indicators", arguments, session_id="s_test")


def numbers(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from numbers(inner, f"{path}[{place}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def test_the_blocks_are_those_of_the_requirement_and_every_number_is_cited(youju: Services) -> None:
    answer = call(youju)
    result: Any = answer.result
    for block, names in BLOCKS.items():
        assert set(result[block]) == names
    assert set(result["momentum"]["macd"]) == {"value", "signal", "histogram"}
    assert set(result["momentum"]["stochastic"]) == {"k", "d"}
    assert isinstance(result["patterns"], list)
    for place, one in enumerate(result["signal_timeline"]):
        assert {"date", "signal", "confidence"} <= set(one)
        assert one["signal"] in {"buy", "sell", "hold"}
        assert 0 <= one["confidence"] <= 1, place
    assert result["signal_timeline"][-1]["confidence"] is not None
    known = {claim.claim_id for claim in answer.claims}
    for path in numbers(result):
        assert set(answer.cites[path]) <= known, path
    assert result["derived"]["momentum.rsi"] == (
        "rsi(close, 14)（14 日，Wilder 平滑，首值为简单平均；"
        "区间内缺 2 个交易日的日线，首尾两日不缺；TA-Lib 0.8.2 复算一致）"
    )
    assert result["recomputed_by"] == "TA-Lib 0.8.2"


def test_the_conventions_of_chinese_terminals_stand_beside_the_figures(youju: Services) -> None:
    result: Any = call(youju).result
    derived = result["derived"]
    assert "2 * (dif - dea)（柱 = 2 × (DIF − DEA)，国内口径" in derived["momentum.macd.histogram"]
    assert "KDJ(9,3,3)，K 从 50 起递推" in derived["momentum.stochastic.k"]
    assert "20 日均线加 2 倍总体标准差" in derived["basis.boll_upper"]
    assert "EMA(12) − EMA(26)，EMA 以首个收盘为起点" in derived["momentum.macd.value"]
    assert "dea(close, 12, 26, 9)" in derived["momentum.macd.signal"]


def test_each_pattern_has_its_day_its_bars_and_what_shows_it(youju: Services) -> None:
    answer = call(youju, symbol="00700.HK", market="HK")
    result: Any = answer.result
    late = result["pattern_timeline"]
    assert [one["pattern"] for one in late if one["date"] == result["as_of"]] == result["patterns"]
    assert late
    for place, one in enumerate(late):
        assert one["direction"] in {"bullish", "bearish", "neutral"}
        assert one["bars"]["from"] <= one["bars"]["to"] == one["date"]
        assert one["evidence"]
        for n, shown in enumerate(one["evidence"]):
            assert answer.cites[f"pattern_timeline[{place}].evidence[{n}].value"], shown
    # 2017-07-19: a close of 304.0 over the 20 sessions' high before it.
    breakout = next(one for one in late if (one["pattern"], one["date"]) == ("breakout", DAY))
    close, high = breakout["evidence"]
    assert (close["metric"], high["metric"]) == ("close", "high_20")
    assert close["value"] > high["value"]
    assert "indicator.patterns" in result["rules"]


def test_the_figures_of_vanke_are_those_of_its_bundled_bars(youju: Services) -> None:
    # Closes of 000002 from 2017-07-13 to 07-20 in the source: [24.43 24.59 25.3 25.14 25.35].
    result: Any = call(youju, symbol="000002.SZ", market="CN").result
    assert result["as_of"] == "2017-07-20"
    assert result["basis"]["close"] == 25.35
    assert result["basis"]["ma_5"] == pytest.approx((24.43 + 24.59 + 25.3 + 25.14 + 25.35) / 5)
    # Its bars lack 2017-06-01 and others; 2017-06-07 to 09 and 07-17 it was suspended.
    assert result["trend"]["direction"] == "up"
    for part, name in (("momentum", "rsi"), ("strategy", "score"), ("basis", "ma_60")):
        assert result[part][name] is not None, name
    assert "个交易日的日线，首尾两日不缺" in result["derived"]["basis.ma_60"]
    assert any("根日线之间缺" in note for note in result["notes"])


def test_a_strategy_follows_its_rules(youju: Services) -> None:
    result: Any = call(youju).result
    assert result["basis"]["close"] == 300.2
    assert result["strategy"]["score"] == 95.0
    assert result["strategy"]["stance"] == "bullish"
    # (95 − 35) / 65 × 0.8 = 0.7384…, a text as in the requirement
    assert result["strategy"]["position_suggestion"] == "0.74"
    stochastic = result["momentum"]["stochastic"]
    assert result["basis"]["kdj_j"] == pytest.approx(3 * stochastic["k"] - 2 * stochastic["d"])
    atr = result["basis"]["atr"]
    assert result["strategy"]["stop_loss"] == pytest.approx(300.2 - 2 * atr)


def test_a_young_stock_is_null_with_the_reason(youju: Services) -> None:
    # 002739 was listed on 2015-01-22: 7 + 15 + 22 sessions to the end of March.
    then = FixedClock(datetime(2015, 3, 31, 10, 0, tzinfo=UTC))
    market = bundle(then.now())
    bench = replace(youju.toolbox._bench, clock=then)
    context = ToolContext(bench, market.ledger(), "compute_indicators", {})
    work, arguments = compute_indicators.read({"symbol": "002739.SZ", "market": "CN"})
    result: Any = to_wire(work(context, **arguments.values).result).value
    assert result["trend"]["direction"] is None
    assert result["basis"]["ma_20"] is not None
    assert "至少需要 60 根日线，所取区间内只有 44 根" in result["reasons"]["trend.direction"]
    assert "至少需要 120 根日线" in result["reasons"]["momentum.rsi"]
    assert "至少需要 60 根日线" in result["reasons"]["strategy.score"]
    assert "至少需要 61 根日线" in result["reasons"]["patterns"]
    assert result["patterns"] is None
    assert result["pattern_timeline"] is None
    assert result["signal_timeline"] is None
    assert any("日线不足 120 根" in note for note in result["notes"])


def test_a_short_lookback_still_has_the_bars_that_indicators_need(youju: Services) -> None:
    short: Any = call(youju, lookback=20).result
    long: Any = call(youju, lookback=365).result
    assert short["momentum"] == long["momentum"]
    assert short["strategy"]["score"] is not None


def test_a_year_that_ends_long_ago_is_warmed_up_before_it(youju: Services) -> None:
    # The bundled bars of America end on 2016-07-25, a year and a day before the clock.
    result: Any = call(youju, symbol="TSLA", market="US", lookback=500).result
    assert result["as_of"] == "2016-07-25"
    assert result["basis"]["ma_5"] is not None
    # Its bars lack 2016-06-28 and a few before: the signals are over those held.
    assert result["signal_timeline"][-1]["date"] == "2016-07-25"
    assert any("根日线之间缺" in note for note in result["notes"])
    with pytest.raises(NoDataError, match="最近的日线是 2016-07-25") as refused:
        call(youju, symbol="TSLA", market="US")
    assert "the newest daily bar is 2016-07-25" in str(refused.value.why)
    assert "lookback" not in str(refused.value.why)  # a reader has no such argument
    assert refused.value.advice.startswith("可增大 lookback")


def test_the_backend_of_the_settings_is_the_one_that_is_asked(youju: Services) -> None:
    names: dict[str, Any] = {}
    usual: Any = call(youju).result
    for choice in ("ta-lib", "pandas-ta", "builtin"):
        bench = replace(youju.toolbox._bench, indicator_backend=choice)
        context = ToolContext(bench, bundle().ledger(), "compute_indicators", {})
        work, arguments = compute_indicators.read({"symbol": "00700.HK", "market": "HK"})
        result: Any = to_wire(work(context, **arguments.values).result).value
        names[choice] = result["recomputed_by"]
        assert result["momentum"]["rsi"] == usual["momentum"]["rsi"]
        assert (result["other_candles"] is None) == (choice == "builtin")
    assert names == {
        "ta-lib": "TA-Lib 0.8.2",
        "pandas-ta": "pandas-ta-classic 0.8.32",
        "builtin": None,
    }


def test_an_index_without_volume_says_what_it_lacks(youju: Services) -> None:
    result: Any = call(youju, symbol="HSI", market="HK").result
    assert result["volume_price"] == {"obv_trend": None, "volume_sma_ratio": None}
    assert result["momentum"]["rsi"] is not None
    assert result["strategy"]["score"] is None
    assert result["reasons"]["strategy.score"] == "区间内有交易日缺少价格或成交量"


def test_bars_of_the_caller_are_refused(youju: Services) -> None:
    with pytest.raises(InputError, match="bars"):
        call(youju, bars=[{"time": "2017-07-20", "close": 1.0}])


def test_a_market_that_is_not_the_symbols_is_refused(youju: Services) -> None:
    with pytest.raises(InputError, match="HK for 00700"):
        call(youju, market="US")


def test_no_bars_at_all_says_how_far_it_looked(youju: Services) -> None:
    with pytest.raises(NoDataError) as refused:
        call(youju, symbol="000002.SZ", market="CN", lookback=1)
    assert "lookback" not in str(refused.value.why)
    assert refused.value.advice == "可增大 lookback（现为 2017-07-25 至 2017-07-26）"
