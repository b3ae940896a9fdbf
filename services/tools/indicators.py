"""Tool `compute_indicators`: technical indicators of one symbol, as seed 004 words it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Literal

from services.core.claims import Claim, Figure
from services.core.competence import COMPETENCES
from services.core.errors import NoDataError
from services.core.rendering import place
from services.core.symbols import Symbol
from services.market import history
from services.market.indicators import Indicators, indicators
from services.tools.arguments import MarketName, StockCode, listed
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, Cited, unit_words

_RULES = tuple(name for name in COMPETENCES if name.startswith("indicator."))
_BASIS = (
    "close",
    *("ma_5", "ma_10", "ma_20", "ma_60"),
    *("boll_upper", "boll_mid", "boll_lower"),
    *("atr", "obv_share"),
)
_SHORT = "日线不足，无法判断；可增大 lookback"


@tool("compute_indicators")
def compute_indicators(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    interval: Annotated[Literal["1d"], argument("K 线周期，只有日线 1d。")] = "1d",
    lookback: Annotated[
        int, Whole(1, 10_000, "integer"), argument("回溯天数（自然日），默认 365。")
    ] = 365,
) -> ToolOutput:
    """计算技术指标：趋势、动量、量价、形态、支撑阻力、策略评分与信号时间线。

    日线由本工具自行取得，不接受传入的 K 线：传入的数字没有来源，无法核对。
    返回 trend、momentum、volume_price、patterns、support_resistance、strategy、signal_timeline，
    以及 basis（均线、布林、ATR）与 rules（判断所依据的规则）。日线不足的为 null，原因在 reasons。
    评分、立场、仓位、止损止盈都是登记在册的规则的计算结果，不是预测，也不构成投资建议。
    """
    bench = context.bench
    found = listed(bench.names, symbol, market)
    today = bench.clock.now().date()
    start = today - timedelta(days=lookback)
    try:
        bars = history.price_history(context.ledger, found, start, today, calendar=bench.calendar)
    except NoDataError as error:
        why = error.why.split(" | ")[0]
        hint = f"{why}；可增大 lookback（现为 {start} 至 {today}）"
        raise NoDataError(error.what, hint) from error
    made = indicators(context.ledger, bars)
    return ToolOutput(_result(found, interval, bars, made), made)


def _result(
    symbol: Symbol, interval: str, bars: history.PriceHistory, made: Indicators
) -> dict[str, object]:
    figures = made.figures
    basis = {name: figures[name] for name in _BASIS}
    shown = {name: figures[name] for name in (*_BASIS, "rsi", "macd_dif", "stop_loss")}
    return {
        "symbol": symbol.xueqiu,
        "interval": interval,
        "as_of": made.as_of,
        "source": bars.call.source,
        "trend": {
            "direction": made.direction or Absent(_SHORT),
            "strength": figures["trend_strength"],
            "ma_alignment": made.alignment or Absent(_SHORT),
        },
        "momentum": {
            "rsi": figures["rsi"],
            "macd": {
                "value": figures["macd_dif"],
                "signal": figures["macd_dea"],
                "histogram": figures["macd_histogram"],
            },
            "stochastic": {"k": figures["kdj_k"], "d": figures["kdj_d"]},
        },
        "volume_price": {
            "obv_trend": made.obv_trend or Absent(_SHORT),
            "volume_sma_ratio": figures["volume_multiple"],
        },
        "patterns": _listed(made.patterns),
        "support_resistance": {
            "support": _listed(made.support),
            "resistance": _listed(made.resistance),
        },
        "strategy": _strategy(made),
        "signal_timeline": _listed(
            None if made.signals is None else [one._asdict() for one in made.signals]
        ),
        "basis": basis,
        "rules": {name: COMPETENCES[name].statement_zh for name in _RULES},
        "notes": list(made.notes),
        "units": unit_words(shown.items()),
    }


def _listed(found: Sequence[object] | None) -> object:
    return Absent(_SHORT) if found is None else list(found)


def _strategy(made: Indicators) -> dict[str, object]:
    figures = made.figures
    return {
        "score": figures["technical_score"],
        "stance": made.stance or Absent(_SHORT),
        "position_suggestion": _worded(figures["position_suggestion"]),
        "stop_loss": figures["stop_loss"],
        "take_profit": figures["take_profit"],
    }


def _worded(figure: Figure) -> object:
    """The figure as a text, which is what the requirement has here."""
    if not isinstance(figure, Claim):
        return Absent(figure.reason)
    return Cited(place(figure), {figure.claim_id: figure})
