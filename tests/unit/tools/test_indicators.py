"""Tool `compute_indicators`: the blocks of seed 004, on the bundled bars, every figure cited."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.container import Services, build_services
from services.core.errors import InputError, NoDataError
from services.settings import load_settings
from services.tools.base import ToolResult

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
    arguments = {"symbol": "000002.SZ", "market": "CN", **given}
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
    assert {"date", "signal", "confidence"} == set(result["signal_timeline"][-1])
    known = {claim.claim_id for claim in answer.claims}
    for path in numbers(result):
        assert set(answer.cites[path]) <= known, path
    assert result["derived"]["momentum.rsi"] == (
        "rsi(close, 14)（14 日，Wilder 平滑，首值为简单平均）"
    )


def test_the_figures_of_vanke_are_those_of_its_bundled_bars(youju: Services) -> None:
    # Closes of 000002 from 2017-07-13 to 07-20 in the source: [24.43 24.59 25.3 25.14 25.35].
    result: Any = call(youju).result
    assert result["as_of"] == "2017-07-20"
    assert result["basis"]["close"] == 25.35
    assert result["basis"]["ma_5"] == pytest.approx((24.43 + 24.59 + 25.3 + 25.14 + 25.35) / 5)
    assert result["strategy"]["score"] == 75.0
    assert result["strategy"]["stance"] == "bullish"
    # (75 − 35) / 65 × 0.8 = 0.4923…, a text as in the requirement
    assert result["strategy"]["position_suggestion"] == "0.49"
    atr = result["basis"]["atr"]
    assert result["strategy"]["stop_loss"] == pytest.approx(25.35 - 2 * atr)


def test_a_short_history_is_null_with_the_reason(youju: Services) -> None:
    result: Any = call(youju, lookback=20).result
    assert result["trend"]["direction"] is None
    assert result["reasons"]["trend.direction"] == "日线不足，无法判断；可增大 lookback"
    assert "至少需要 20 根日线" in result["reasons"]["strategy.score"]
    assert result["patterns"] is None
    assert result["signal_timeline"] is None
    assert result["support_resistance"]["support"] is None


def test_bars_of_the_caller_are_refused(youju: Services) -> None:
    with pytest.raises(InputError, match="bars"):
        call(youju, bars=[{"time": "2017-07-20", "close": 1.0}])


def test_a_market_that_is_not_the_symbols_is_refused(youju: Services) -> None:
    with pytest.raises(InputError, match="CN for 000002"):
        call(youju, market="US")


def test_no_bars_at_all_says_how_far_it_looked(youju: Services) -> None:
    with pytest.raises(NoDataError, match="可增大 lookback"):
        call(youju, lookback=1)
