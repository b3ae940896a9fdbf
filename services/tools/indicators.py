"""Tool `compute_indicators`: technical indicators of one symbol, as seed 004 words it."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Annotated, Literal

from services.core.claims import Claim, Figure
from services.core.errors import NoDataError
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.symbols import Symbol
from services.core.text import Text
from services.market import history
from services.market.indicators.indicators import Indicators, indicators
from services.market.indicators.patterns import ToldPattern
from services.tools.arguments import MarketName, StockCode, resolve_listed
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, Cited, unit_words

# Recursive indicators need some 250 bars to settle: so many days before those asked for, and so
# many in all, are fetched too.
WARM_UP_DAYS, LEAST_DAYS = 185, 550
_RULES = tuple(name for name in COMPETENCES if name.startswith("indicator."))
_BASIS = (
    "close",
    *("ma_5", "ma_10", "ma_20", "ma_60"),
    *("boll_upper", "boll_mid", "boll_lower"),
    *("kdj_j", "atr", "obv_share"),
)


@tool("compute_indicators")
def compute_indicators(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    interval: Annotated[Literal["1d"], argument("K 线周期，只有日线 1d。")] = "1d",
    lookback: Annotated[
        int,
        Whole(1, 10_000, "integer"),
        argument("回溯天数（自然日），默认 365；最近的日线须在其内。另多取半年，使递推指标稳定。"),
    ] = 365,
) -> ToolOutput:
    """计算技术指标：趋势、动量、量价、形态、支撑阻力、策略评分与信号时间线。

    日线由本工具自行取得，不接受传入的 K 线：传入的数字没有来源，无法核对。
    返回：
    - trend：direction、strength（ADX(14)/100）、ma_alignment
    - momentum：rsi(14)；macd(12,26,9) 的 value＝DIF、signal＝DEA、histogram＝2×(DIF−DEA)；
      stochastic 为 KDJ(9,3,3) 的 k、d，自 50 起递推
    - volume_price：obv_trend、volume_sma_ratio（当日量与前 20 日均量之比）
    - patterns：最近一日的形态名；pattern_timeline：近 10 个交易日的形态，各有日期、方向、
      所依据的日线与数字；other_candles：只由 TA-Lib 识别、本工作台未复算的 K 线形态
    - support_resistance：support、resistance，由近及远
    - strategy：score（0～100）、stance、position_suggestion、stop_loss、take_profit
    - signal_timeline：date、signal、confidence、because（由何而来）
    - basis（均线、布林带、KDJ 的 J、ATR）、derived（每个数的公式与参数）、rules（所依据的规则）、
      recomputed_by（独立复算这些数的程序，没有则为 null）
    日线不足、价格不动或两种算法不一致的为 null，原因在 reasons。评分、立场、仓位、止损止盈、置信度
    都是登记在册的规则的计算结果，不是预测，不是概率，也不构成投资建议。
    """
    bench = context.bench
    found = resolve_listed(bench.names, symbol, market)
    today = bench.clock.now().date()
    start = today - timedelta(days=lookback)
    asked = f"daily_bars {found.value}"
    try:
        bars = history.price_history(
            context.ledger,
            found,
            today - timedelta(days=max(lookback + WARM_UP_DAYS, LEAST_DAYS)),
            today,
            calendar=bench.calendar,
        )
    except NoDataError as error:
        raise _too_short(error.what, error.why, start, today) from error
    if bars.bars[-1].date < start:
        last = bars.bars[-1].date
        why = Text(
            f"最近的日线是 {last}，早于 {start}", f"the newest daily bar is {last}, before {start}"
        )
        raise _too_short(asked, why, start, today)
    made = indicators(context.ledger, bars, backend=bench.indicator_backend)
    return ToolOutput(_result(found, interval, bars, made), made)


def _too_short(what: str, why: Text, start: date, today: date) -> NoDataError:
    """There is nothing so near: why, for readers; what to do, for a model."""
    return NoDataError(what, why, advice=f"可增大 lookback（现为 {start} 至 {today}）")


def _result(
    symbol: Symbol, interval: str, bars: history.PriceHistory, made: Indicators
) -> dict[str, object]:
    figures = made.figures
    told = made.patterns
    return {
        "symbol": symbol.xueqiu,
        "interval": interval,
        "as_of": made.as_of,
        "source": bars.call.source,
        "recomputed_by": made.recomputed_by or Absent("没有第二种算法，或设置为只用本工作台公式"),
        "trend": {
            "direction": made.direction or _absent(made, "ma_20", "ma_60"),
            "strength": figures["trend_strength"],
            "ma_alignment": made.alignment or _absent(made, "ma_5", "ma_10", "ma_20", "ma_60"),
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
            "obv_trend": made.obv_trend or _absent(made, "obv_share"),
            "volume_sma_ratio": figures["volume_multiple"],
        },
        "patterns": list(told.now) if told else Absent(made.why),
        "support_resistance": {
            "support": _list_found(made, made.support),
            "resistance": _list_found(made, made.resistance),
        },
        "strategy": _strategy(made),
        "signal_timeline": [one._asdict() for one in made.signals]
        if made.signals is not None
        else _absent(made, "technical_score"),
        "pattern_timeline": [_pattern(one) for one in told.late] if told else Absent(made.why),
        "other_candles": _others(made),
        "basis": {name: figures[name] for name in _BASIS},
        "rules": {name: COMPETENCES[name].statement.zh for name in _RULES},
        "notes": list(made.notes),
        "units": unit_words(_list_figures(made)),
    }


def _absent(made: Indicators, *metrics: str) -> Absent:
    """Why a judgement is not there: what its figures lack, or that there is nothing to judge."""
    reasons = [made.reason(metric) for metric in metrics]
    return Absent(next((reason for reason in reasons if reason), made.why))


def _list_found(made: Indicators, found: Sequence[object] | None) -> object:
    return _absent(made, "ma_20") if found is None else list(found)


def _strategy(made: Indicators) -> dict[str, object]:
    figures = made.figures
    return {
        "score": figures["technical_score"],
        "stance": made.stance or _absent(made, "technical_score"),
        "position_suggestion": _word_figure(figures["position_suggestion"]),
        "stop_loss": figures["stop_loss"],
        "take_profit": figures["take_profit"],
    }


def _pattern(one: ToldPattern) -> dict[str, object]:
    evidence = [
        {"metric": figure.metric, "date": figure.as_of, "value": figure}
        for figure in one.shown
        if isinstance(figure, Claim)
    ]
    return {
        "pattern": one.name,
        "date": one.day,
        "direction": one.direction,
        "bars": {"from": one.start, "to": one.day},
        "evidence": evidence,
        "found_by": list(one.found_by),
    }


def _others(made: Indicators) -> object:
    if made.patterns is None:
        return Absent(made.why)
    if made.patterns.others is None:
        return Absent("没有安装识别它们的程序，或设置为只用本工作台公式")
    return [{"name": one.name, "direction": one.direction} for one in made.patterns.others]


def _list_figures(made: Indicators) -> list[tuple[str, Figure]]:
    """Every figure whose unit a reader may ask for, by the name it stands under."""
    names = (*_BASIS, "rsi", "macd_dif", "stop_loss")
    late = made.patterns.late if made.patterns else ()
    evidence = [(figure.metric, figure) for one in late for figure in one.shown]
    return [*((name, made.figures[name]) for name in names), *evidence]


def _word_figure(figure: Figure) -> object:
    """The figure as a text, which is what the requirement has here."""
    if not isinstance(figure, Claim):
        return Absent(figure.reason)
    return Cited(place(figure), {figure.claim_id: figure})
